// A texel of the first level some texels further on, compared.
// arch: gfx11 gfx12
// in texels f32[256] = uniform(202, -9, 9)
// in where u32[64] = random(203)
// out result f32[64]
// run compared grid=64 group=64: texels where result f32:0
#ifdef __AMDGCN__
#define WAY(name, ways, types, ...) TEXELS(name, "sample", ways, types, __VA_ARGS__)
#define F float
WAY(sample_c_lz_o, ".c.lz.o", ".f32", int, F, F, F);
#undef WAY
// No two ask for the same texels.
#undef AT
#define AT(n) ((x + n + 0.5f) / 64)
#endif
__kernel void compared(__global const float *texels, __global const uint *where, __global float *result,
                       float level) {
  uint i = get_global_id(0), x = where[i] % 44, y = where[i] >> 8 & 1;
  float t = (y + 0.5f) / 4.0f, ref = 0.5f;
#ifdef __AMDGCN__
  uint8 image = linear_image(texels, 4, FLOAT_TEXELS);
  result[i] = sample_c_lz_o(1, ONWARD, ref, AT(0), t, image, NEAREST_SAMPLER, false, 0, 0).x;
#else
  result[i] = ref <= texels[64 * (y + 1) + x + 3];
#endif
}
