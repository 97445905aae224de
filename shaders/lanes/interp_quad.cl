// Parameters of a primitive in LDS, which gfx11 first brings into the lanes of each quad; floats, and halves that are cut off.
// arch: gfx11 gfx12
// in data f32[24] = ramp(1, 1)
// in at f32[128] = ramp(-8, 0.125)
// out result f32[256]
// run interpolated_quads grid=64 group=64: data at result
#ifdef __AMDGCN__
float load_param(uint channel, uint attribute, uint m0) __asm("llvm.amdgcn.lds.param.load");
float load_direct(uint m0) __asm("llvm.amdgcn.lds.direct.load.f32");
float first_quad(float p, float i, float p0) __asm("llvm.amdgcn.interp.inreg.p10");
float second_quad(float p, float j, float sum) __asm("llvm.amdgcn.interp.inreg.p2");
float first_cut(float p, float i, float p0, bool high) __asm("llvm.amdgcn.interp.p10.rtz.f16");
half second_cut(float p, float j, float sum, bool high) __asm("llvm.amdgcn.interp.p2.rtz.f16");
#endif
__kernel void interpolated_quads(__global const float *data, __global const float *at, __global float *result) {
  __local float parts[24];
  uint n = get_global_id(0);
  float i = at[n], j = at[n + 64];
  if (n < 24)
    parts[n] = data[n];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint m0 = parameters_at(parts);
#ifdef __AMDGCN__
  float p = load_param(0, 0, m0), q = load_param(3, 1, m0);
  result[n] = second_quad(p, j, first_quad(p, i, p));
  result[n + 64] = second_quad(q, j, first_quad(q, i, q));
  float h = as_float((uint)as_ushort((half)p) | (uint)as_ushort((half)q) << 16);
  result[n + 128] = second_cut(h, j, first_cut(h, i, h, true), true);
  // A word, from its address and the number of its type.
  result[n + 192] = load_direct(m0 + 20 | 2 << 16);
#else
  result[n] = parts[0] + parts[4] * i + parts[8] * j;
  result[n + 64] = result[n + 128] = parts[15] + parts[19] * i + parts[23] * j;
  result[n + 192] = parts[5];
#endif
}
