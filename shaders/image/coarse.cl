// Texels by coarse derivatives that are given, which decide nothing where there is one level: with clamps, offsets and comparisons.
// arch: gfx6 gfx7 gfx8 gfx900 gfx906 gfx10
// in texels f32[256] = uniform(198, -9, 9)
// in where u32[64] = random(199)
// out result f32[576]
// run coarse grid=64 group=64: texels where result f32:0
#ifdef __AMDGCN__
#define WAY(name, ways, types, ...) TEXELS(name, "sample", ways, types, __VA_ARGS__)
#define F float
WAY(sample_cd, ".cd", ".f32.f32", F, F, F, F, F, F);
WAY(sample_cd_cl, ".cd.cl", ".f32.f32", F, F, F, F, F, F, F);
WAY(sample_cd_o, ".cd.o", ".f32.f32", int, F, F, F, F, F, F);
WAY(sample_cd_cl_o, ".cd.cl.o", ".f32.f32", int, F, F, F, F, F, F, F);
WAY(sample_c_cd, ".c.cd", ".f32.f32", F, F, F, F, F, F, F);
WAY(sample_c_cd_cl, ".c.cd.cl", ".f32.f32", F, F, F, F, F, F, F, F);
WAY(sample_c_cd_o, ".c.cd.o", ".f32.f32", int, F, F, F, F, F, F, F);
WAY(sample_c_cd_cl_o, ".c.cd.cl.o", ".f32.f32", int, F, F, F, F, F, F, F, F);
WAY(sample_c_lz_o, ".c.lz.o", ".f32", int, F, F, F);
#undef WAY
// No two ask for the same texels.
#undef AT
#define AT(n) ((x + n + 0.5f) / 64)
#endif
__kernel void coarse(__global const float *texels, __global const uint *where, __global float *result,
                     float level) {
  uint i = get_global_id(0), x = where[i] % 44, y = where[i] >> 8 & 1;
  float t = (y + 0.5f) / 4.0f, ref = 0.5f;
#ifdef __AMDGCN__
  uint8 image = linear_image(texels, 4, FLOAT_TEXELS);
  result[i] = sample_cd(1, 0.01f, 0, 0, 0.2f, AT(0), t, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 64] = sample_cd_cl(1, 0.01f, 0, 0, 0.2f, AT(1), t, level, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 128] = sample_cd_o(1, ONWARD, 0.01f, 0, 0, 0.2f, AT(2), t, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 192] = sample_cd_cl_o(1, ONWARD, 0.01f, 0, 0, 0.2f, AT(3), t, level, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 256] = sample_c_cd(1, ref, 0.01f, 0, 0, 0.2f, AT(4), t, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 320] = sample_c_cd_cl(1, ref, 0.01f, 0, 0, 0.2f, AT(5), t, level, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 384] = sample_c_cd_o(1, ONWARD, ref, 0.01f, 0, 0, 0.2f, AT(6), t, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 448] = sample_c_cd_cl_o(1, ONWARD, ref, 0.01f, 0, 0, 0.2f, AT(7), t, level, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 512] = sample_c_lz_o(1, ONWARD, ref, AT(8), t, image, NEAREST_SAMPLER, false, 0, 0).x;
#else
  result[i] = texels[64 * y + x + 0];
  result[i + 64] = texels[64 * y + x + 1];
  result[i + 128] = texels[64 * (y + 1) + x + 5];
  result[i + 192] = texels[64 * (y + 1) + x + 6];
  result[i + 256] = ref <= texels[64 * y + x + 4];
  result[i + 320] = ref <= texels[64 * y + x + 5];
  result[i + 384] = ref <= texels[64 * (y + 1) + x + 9];
  result[i + 448] = ref <= texels[64 * (y + 1) + x + 10];
  result[i + 512] = ref <= texels[64 * (y + 1) + x + 11];
#endif
}
