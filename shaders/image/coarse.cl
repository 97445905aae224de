// Texels by coarse derivatives that are given, which decide nothing where there is one level: with clamps, offsets and comparisons;
// on gfx10 also derivatives of 16 bits.
// arch: gfx6 gfx7 gfx8 gfx900 gfx906 gfx10
// in texels f32[256] = uniform(198, -9, 9)
// in where u32[64] = random(199)
// out result f32[1024]
// run coarse grid=64 group=64: texels where result f32:0
#ifdef __AMDGCN__
#define COARSE(kind, G, types)                                                                                         \
  TEXELS(sample_cd##kind, "sample", ".cd", types, G, G, G, G, float, float);                                           \
  TEXELS(sample_cd_cl##kind, "sample", ".cd.cl", types, G, G, G, G, float, float, float);                              \
  TEXELS(sample_cd_o##kind, "sample", ".cd.o", types, int, G, G, G, G, float, float);                                  \
  TEXELS(sample_cd_cl_o##kind, "sample", ".cd.cl.o", types, int, G, G, G, G, float, float, float);                     \
  TEXELS(sample_c_cd##kind, "sample", ".c.cd", types, float, G, G, G, G, float, float);                                \
  TEXELS(sample_c_cd_cl##kind, "sample", ".c.cd.cl", types, float, G, G, G, G, float, float, float);                   \
  TEXELS(sample_c_cd_o##kind, "sample", ".c.cd.o", types, int, float, G, G, G, G, float, float);                       \
  TEXELS(sample_c_cd_cl_o##kind, "sample", ".c.cd.cl.o", types, int, float, G, G, G, G, float, float, float)
COARSE(, float, ".f32.f32");
#ifdef __GFX10__
COARSE(_half, half, ".f16.f32");
#else
COARSE(_half, float, ".f32.f32");
#endif
#endif
// No two ask for the same texels.
#undef AT
#undef ON
#define AT(n) ((x + n + 0.5f) / 64)
#define TEXEL(n) texels[64 * y + x + n]
#define ON(n) texels[64 * (y + 1) + x + n + 3]
#define RESULTS(n, kind)                                                                                               \
  result[i + 64 * (n + 0)] = EITHER(TAKE(sample_cd##kind, 0.01f, 0, 0, 0.2f, AT(n + 0), t).x, TEXEL(n + 0));           \
  result[i + 64 * (n + 1)] = EITHER(TAKE(sample_cd_cl##kind, 0.01f, 0, 0, 0.2f, AT(n + 1), t, level).x, TEXEL(n + 1)); \
  result[i + 64 * (n + 2)] = EITHER(TAKE(sample_cd_o##kind, ONWARD, 0.01f, 0, 0, 0.2f, AT(n + 2), t).x, ON(n + 2));    \
  result[i + 64 * (n + 3)] = EITHER(TAKE(sample_cd_cl_o##kind, ONWARD, 0.01f, 0, 0, 0.2f, AT(n + 3), t, level).x, ON(n + 3));\
  result[i + 64 * (n + 4)] = EITHER(TAKE(sample_c_cd##kind, ref, 0.01f, 0, 0, 0.2f, AT(n + 4), t).x, ref <= TEXEL(n + 4));\
  result[i + 64 * (n + 5)] = EITHER(TAKE(sample_c_cd_cl##kind, ref, 0.01f, 0, 0, 0.2f, AT(n + 5), t, level).x, ref <= TEXEL(n + 5));\
  result[i + 64 * (n + 6)] = EITHER(TAKE(sample_c_cd_o##kind, ONWARD, ref, 0.01f, 0, 0, 0.2f, AT(n + 6), t).x, ref <= ON(n + 6));\
  result[i + 64 * (n + 7)] = EITHER(TAKE(sample_c_cd_cl_o##kind, ONWARD, ref, 0.01f, 0, 0, 0.2f, AT(n + 7), t, level).x, ref <= ON(n + 7))
__kernel void coarse(__global const float *texels, __global const uint *where, __global float *result,
                     float level) {
  uint i = get_global_id(0), x = where[i] % 44, y = where[i] >> 8 & 1;
  float t = (y + 0.5f) / 4.0f, ref = 0.5f;
#ifdef __AMDGCN__
  uint8 image = linear_image(texels, 4, FLOAT_TEXELS);
#endif
  RESULTS(0, );
  RESULTS(8, _half);
}
