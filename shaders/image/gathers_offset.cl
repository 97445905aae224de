// Gathers some texels further on, by the ways that gfx11 left out.
// arch: gfx6 gfx7 gfx8 gfx900 gfx906 gfx10
// in texels f32[256] = uniform(196, -9, 9)
// in where u32[64] = random(197)
// out result u32[640]
// run gathers_offset grid=64 group=64: texels where result f32:0
#ifdef __AMDGCN__
TEXELS(gather_b_o, "gather4", ".b.o", ".f32.f32", int, float, float, float);
TEXELS(gather_b_cl_o, "gather4", ".b.cl.o", ".f32.f32", int, float, float, float, float);
TEXELS(gather_cl_o, "gather4", ".cl.o", ".f32", int, float, float, float);
TEXELS(gather_l_o, "gather4", ".l.o", ".f32", int, float, float, float);
TEXELS(gather_c_o, "gather4", ".c.o", ".f32", int, float, float, float);
TEXELS(gather_c_b_o, "gather4", ".c.b.o", ".f32.f32", int, float, float, float, float);
TEXELS(gather_c_b_cl_o, "gather4", ".c.b.cl.o", ".f32.f32", int, float, float, float, float, float);
TEXELS(gather_c_cl_o, "gather4", ".c.cl.o", ".f32", int, float, float, float, float);
TEXELS(gather_c_l_o, "gather4", ".c.l.o", ".f32", int, float, float, float, float);
TEXELS(gather_c_lz_o, "gather4", ".c.lz.o", ".f32", int, float, float, float);
#endif
// No two ask for the same texels.
#undef AT
#define AT(n) ((x + n + 1.0f) / 64)
#define CORNERS(n) corners(texels, x + n, y)
#define ON(n) corners(texels, x + n + 3, y + 1)
__kernel void gathers_offset(__global const float *texels, __global const uint *where, __global uint *result,
                             float level) {
  uint i = get_global_id(0), x = where[i] % 44, y = where[i] >> 8 & 1;
  float t = (y + 1) / 4.0f, ref = 0.5f;
#ifdef __AMDGCN__
  uint8 image = linear_image(texels, 4, FLOAT_TEXELS);
#endif
  result[i] = sum_of(EITHER(TAKE(gather_b_o, ONWARD, 0.5f, AT(0), t), ON(0)));
  result[i + 64] = sum_of(EITHER(TAKE(gather_b_cl_o, ONWARD, 0.5f, AT(1), t, level), ON(1)));
  result[i + 128] = sum_of(EITHER(TAKE(gather_cl_o, ONWARD, AT(2), t, level), ON(2)));
  result[i + 192] = sum_of(EITHER(TAKE(gather_l_o, ONWARD, AT(3), t, level), ON(3)));
  result[i + 256] = sum_of(EITHER(TAKE(gather_c_o, ONWARD, ref, AT(4), t), compared_to(ON(4), ref)));
  result[i + 320] = sum_of(EITHER(TAKE(gather_c_b_o, ONWARD, 0.5f, ref, AT(5), t), compared_to(ON(5), ref)));
  result[i + 384] = sum_of(EITHER(TAKE(gather_c_b_cl_o, ONWARD, 0.5f, ref, AT(6), t, level), compared_to(ON(6), ref)));
  result[i + 448] = sum_of(EITHER(TAKE(gather_c_cl_o, ONWARD, ref, AT(7), t, level), compared_to(ON(7), ref)));
  result[i + 512] = sum_of(EITHER(TAKE(gather_c_l_o, ONWARD, ref, AT(8), t, level), compared_to(ON(8), ref)));
  result[i + 576] = sum_of(EITHER(TAKE(gather_c_lz_o, ONWARD, ref, AT(9), t), compared_to(ON(9), ref)));
}
