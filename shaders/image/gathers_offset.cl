// Gathers some texels further on, by the ways that gfx11 left out.
// arch: gfx6 gfx7 gfx8 gfx900 gfx906 gfx10
// in texels f32[256] = uniform(196, -9, 9)
// in where u32[64] = random(197)
// out result u32[640]
// run gathers_offset grid=64 group=64: texels where result f32:0
#ifdef __AMDGCN__
#define WAY(name, ways, types, ...) TEXELS(name, "gather4", ways, types, __VA_ARGS__)
#define F float
WAY(gather_b_o, ".b.o", ".f32.f32", int, F, F, F);
WAY(gather_b_cl_o, ".b.cl.o", ".f32.f32", int, F, F, F, F);
WAY(gather_cl_o, ".cl.o", ".f32", int, F, F, F);
WAY(gather_l_o, ".l.o", ".f32", int, F, F, F);
WAY(gather_c_o, ".c.o", ".f32", int, F, F, F);
WAY(gather_c_b_o, ".c.b.o", ".f32.f32", int, F, F, F, F);
WAY(gather_c_b_cl_o, ".c.b.cl.o", ".f32.f32", int, F, F, F, F, F);
WAY(gather_c_cl_o, ".c.cl.o", ".f32", int, F, F, F, F);
WAY(gather_c_l_o, ".c.l.o", ".f32", int, F, F, F, F);
WAY(gather_c_lz_o, ".c.lz.o", ".f32", int, F, F, F);
#undef WAY
// No two ask for the same texels.
#undef AT
#define AT(n) ((x + n + 1.0f) / 64)
#endif
__kernel void gathers_offset(__global const float *texels, __global const uint *where, __global uint *result,
                             float level) {
  uint i = get_global_id(0), x = where[i] % 44, y = where[i] >> 8 & 1;
  float t = (y + 1) / 4.0f, ref = 0.5f;
#ifdef __AMDGCN__
  uint8 image = linear_image(texels, 4, FLOAT_TEXELS);
  result[i] = sum_of(gather_b_o(1, ONWARD, 0.5f, AT(0), t, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 64] = sum_of(gather_b_cl_o(1, ONWARD, 0.5f, AT(1), t, level, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 128] = sum_of(gather_cl_o(1, ONWARD, AT(2), t, level, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 192] = sum_of(gather_l_o(1, ONWARD, AT(3), t, level, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 256] = sum_of(gather_c_o(1, ONWARD, ref, AT(4), t, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 320] = sum_of(gather_c_b_o(1, ONWARD, 0.5f, ref, AT(5), t, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 384] = sum_of(gather_c_b_cl_o(1, ONWARD, 0.5f, ref, AT(6), t, level, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 448] = sum_of(gather_c_cl_o(1, ONWARD, ref, AT(7), t, level, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 512] = sum_of(gather_c_l_o(1, ONWARD, ref, AT(8), t, level, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 576] = sum_of(gather_c_lz_o(1, ONWARD, ref, AT(9), t, image, NEAREST_SAMPLER, false, 0, 0));
#else
  result[i] = sum_of(corners(texels, x + 3, y + 1));
  result[i + 64] = sum_of(corners(texels, x + 4, y + 1));
  result[i + 128] = sum_of(corners(texels, x + 5, y + 1));
  result[i + 192] = sum_of(corners(texels, x + 6, y + 1));
  result[i + 256] = sum_of(compared_to(corners(texels, x + 7, y + 1), ref));
  result[i + 320] = sum_of(compared_to(corners(texels, x + 8, y + 1), ref));
  result[i + 384] = sum_of(compared_to(corners(texels, x + 9, y + 1), ref));
  result[i + 448] = sum_of(compared_to(corners(texels, x + 10, y + 1), ref));
  result[i + 512] = sum_of(compared_to(corners(texels, x + 11, y + 1), ref));
  result[i + 576] = sum_of(compared_to(corners(texels, x + 12, y + 1), ref));
#endif
}
