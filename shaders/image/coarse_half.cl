// Texels by coarse derivatives of 16 bits.
// arch: gfx10
// in texels f32[256] = uniform(200, -9, 9)
// in where u32[64] = random(201)
// out result f32[512]
// run coarse_half grid=64 group=64: texels where result f32:0
#ifdef __AMDGCN__
#define WAY(name, ways, types, ...) TEXELS(name, "sample", ways, types, __VA_ARGS__)
#define F float
#define G half
WAY(sample_cd_g16, ".cd", ".f16.f32", G, G, G, G, F, F);
WAY(sample_cd_cl_g16, ".cd.cl", ".f16.f32", G, G, G, G, F, F, F);
WAY(sample_cd_o_g16, ".cd.o", ".f16.f32", int, G, G, G, G, F, F);
WAY(sample_cd_cl_o_g16, ".cd.cl.o", ".f16.f32", int, G, G, G, G, F, F, F);
WAY(sample_c_cd_g16, ".c.cd", ".f16.f32", F, G, G, G, G, F, F);
WAY(sample_c_cd_cl_g16, ".c.cd.cl", ".f16.f32", F, G, G, G, G, F, F, F);
WAY(sample_c_cd_o_g16, ".c.cd.o", ".f16.f32", int, F, G, G, G, G, F, F);
WAY(sample_c_cd_cl_o_g16, ".c.cd.cl.o", ".f16.f32", int, F, G, G, G, G, F, F, F);
#undef WAY
// No two ask for the same texels.
#undef AT
#define AT(n) ((x + n + 0.5f) / 64)
#endif
__kernel void coarse_half(__global const float *texels, __global const uint *where, __global float *result,
                          float level) {
  uint i = get_global_id(0), x = where[i] % 44, y = where[i] >> 8 & 1;
  float t = (y + 0.5f) / 4.0f, ref = 0.5f;
#ifdef __AMDGCN__
  uint8 image = linear_image(texels, 4, FLOAT_TEXELS);
  result[i] = sample_cd_g16(1, 0.01f, 0, 0, 0.2f, AT(0), t, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 64] = sample_cd_cl_g16(1, 0.01f, 0, 0, 0.2f, AT(1), t, level, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 128] = sample_cd_o_g16(1, ONWARD, 0.01f, 0, 0, 0.2f, AT(2), t, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 192] = sample_cd_cl_o_g16(1, ONWARD, 0.01f, 0, 0, 0.2f, AT(3), t, level, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 256] = sample_c_cd_g16(1, ref, 0.01f, 0, 0, 0.2f, AT(4), t, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 320] = sample_c_cd_cl_g16(1, ref, 0.01f, 0, 0, 0.2f, AT(5), t, level, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 384] = sample_c_cd_o_g16(1, ONWARD, ref, 0.01f, 0, 0, 0.2f, AT(6), t, image, NEAREST_SAMPLER, false, 0, 0).x;
  result[i + 448] = sample_c_cd_cl_o_g16(1, ONWARD, ref, 0.01f, 0, 0, 0.2f, AT(7), t, level, image, NEAREST_SAMPLER, false, 0, 0).x;
#else
  result[i] = texels[64 * y + x + 0];
  result[i + 64] = texels[64 * y + x + 1];
  result[i + 128] = texels[64 * (y + 1) + x + 5];
  result[i + 192] = texels[64 * (y + 1) + x + 6];
  result[i + 256] = ref <= texels[64 * y + x + 4];
  result[i + 320] = ref <= texels[64 * y + x + 5];
  result[i + 384] = ref <= texels[64 * (y + 1) + x + 9];
  result[i + 448] = ref <= texels[64 * (y + 1) + x + 10];
#endif
}
