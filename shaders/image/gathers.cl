// Four texels around a corner, by the ways to say which level of detail: biases, levels and clamps of the only one; and compared.
// arch: gfx6 gfx7 gfx8 gfx900 gfx906 gfx10 gfx11 gfx12
// in texels f32[256] = uniform(194, -9, 9)
// in where u32[64] = random(195)
// out result u32[704]
// run gathers grid=64 group=64: texels where result f32:0
#ifdef __AMDGCN__
TEXELS(gather, "gather4", "", ".f32", float, float);
TEXELS(gather_b, "gather4", ".b", ".f32.f32", float, float, float);
TEXELS(gather_b_cl, "gather4", ".b.cl", ".f32.f32", float, float, float, float);
TEXELS(gather_cl, "gather4", ".cl", ".f32", float, float, float);
TEXELS(gather_l, "gather4", ".l", ".f32", float, float, float);
TEXELS(gather_c, "gather4", ".c", ".f32", float, float, float);
TEXELS(gather_c_b, "gather4", ".c.b", ".f32.f32", float, float, float, float);
TEXELS(gather_c_b_cl, "gather4", ".c.b.cl", ".f32.f32", float, float, float, float, float);
TEXELS(gather_c_cl, "gather4", ".c.cl", ".f32", float, float, float, float);
TEXELS(gather_c_l, "gather4", ".c.l", ".f32", float, float, float, float);
TEXELS(gather_o, "gather4", ".o", ".f32", int, float, float);
#endif
// No two ask for the same texels.
#undef AT
#define AT(n) ((x + n + 1.0f) / 64)
#define CORNERS(n) corners(texels, x + n, y)
#define ON(n) corners(texels, x + n + 3, y + 1)
__kernel void gathers(__global const float *texels, __global const uint *where, __global uint *result,
                      float level) {
  uint i = get_global_id(0), x = where[i] % 44, y = where[i] >> 8 & 1;
  float t = (y + 1) / 4.0f, ref = 0.5f;
#ifdef __AMDGCN__
  uint8 image = linear_image(texels, 4, FLOAT_TEXELS);
#endif
  result[i] = sum_of(EITHER(TAKE(gather, AT(0), t), CORNERS(0)));
  result[i + 64] = sum_of(EITHER(TAKE(gather_b, 0.5f, AT(1), t), CORNERS(1)));
  result[i + 128] = sum_of(EITHER(TAKE(gather_b_cl, 0.5f, AT(2), t, level), CORNERS(2)));
  result[i + 192] = sum_of(EITHER(TAKE(gather_cl, AT(3), t, level), CORNERS(3)));
  result[i + 256] = sum_of(EITHER(TAKE(gather_l, AT(4), t, level), CORNERS(4)));
  result[i + 320] = sum_of(EITHER(TAKE(gather_c, ref, AT(5), t), compared_to(CORNERS(5), ref)));
  result[i + 384] = sum_of(EITHER(TAKE(gather_c_b, 0.5f, ref, AT(6), t), compared_to(CORNERS(6), ref)));
  result[i + 448] = sum_of(EITHER(TAKE(gather_c_b_cl, 0.5f, ref, AT(7), t, level), compared_to(CORNERS(7), ref)));
  result[i + 512] = sum_of(EITHER(TAKE(gather_c_cl, ref, AT(8), t, level), compared_to(CORNERS(8), ref)));
  result[i + 576] = sum_of(EITHER(TAKE(gather_c_l, ref, AT(9), t, level), compared_to(CORNERS(9), ref)));
  result[i + 640] = sum_of(EITHER(TAKE(gather_o, ONWARD, AT(10), t), ON(10)));
}
