// Parameters of a primitive in LDS, interpolated: the first corner and two differences, times two coordinates.
// arch: gfx6 gfx7 gfx8 gfx900 gfx906 gfx10
// in data f32[24] = ramp(1, 1)
// in at f32[128] = ramp(-8, 0.125)
// out result f32[320]
// run interpolated grid=64 group=64: data at result
#ifdef __AMDGCN__
float interp_first(float i, uint channel, uint attribute, uint m0) __asm("llvm.amdgcn.interp.p1");
float interp_second(float sum, float j, uint channel, uint attribute, uint m0) __asm("llvm.amdgcn.interp.p2");
float interp_part(uint which, uint channel, uint attribute, uint m0) __asm("llvm.amdgcn.interp.mov");
#define AT(channel, attribute) interp_second(interp_first(i, channel, attribute, m0), j, channel, attribute, m0)
// Numbered p10, p20, p0.
#define PART(which, channel, attribute) interp_part(((which) + 2) % 3, channel, attribute, m0)
#else
#define PART(which, channel, attribute) parts[12 * (attribute) + 4 * (which) + (channel)]
#define AT(channel, attribute)                                                                                         \
  (PART(0, channel, attribute) + PART(1, channel, attribute) * i + PART(2, channel, attribute) * j)
#endif
__kernel void interpolated(__global const float *data, __global const float *at, __global float *result) {
  __local float parts[24];
  uint n = get_global_id(0);
  float i = at[n], j = at[n + 64];
  if (n < 24)
    parts[n] = data[n];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint m0 = parameters_at(parts);
  result[n] = AT(0, 0);
  result[n + 64] = AT(3, 1);
  result[n + 128] = PART(0, 1, 0);
  result[n + 192] = PART(1, 2, 1);
  result[n + 256] = PART(2, 3, 1);
}
