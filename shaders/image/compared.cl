// A texel of the first level some texels further on, compared.
// arch: gfx6 gfx7 gfx8 gfx900 gfx906 gfx10 gfx11 gfx12
// in texels f32[256] = uniform(202, -9, 9)
// in where u32[64] = random(203)
// out result f32[64]
// run compared grid=64 group=64: texels where result
#ifdef __AMDGCN__
TEXELS(sample_c_lz_o, "sample", ".c.lz.o", ".f32", int, float, float, float);
#endif
__kernel void compared(__global const float *texels, __global const uint *where, __global float *result) {
  uint i = get_global_id(0), x = where[i] % 60, y = where[i] >> 8 & 1;
  float s = (x + 0.5f) / 64, t = (y + 0.5f) / 4, ref = 0.5f;
#ifdef __AMDGCN__
  uint8 image = linear_image(texels, 4, FLOAT_TEXELS);
#endif
  result[i] = EITHER(TAKE(sample_c_lz_o, ONWARD, ref, s, t).x, ref <= texels[64 * (y + 1) + x + 3]);
}
