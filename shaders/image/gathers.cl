// Four texels around a corner, by the ways to say which level of detail: biases, levels and clamps of the only one; and compared.
// arch: gfx6 gfx7 gfx8 gfx900 gfx906 gfx10 gfx11 gfx12
// in texels f32[256] = uniform(194, -9, 9)
// in where u32[64] = random(195)
// out result u32[704]
// run gathers grid=64 group=64: texels where result f32:0
#ifdef __AMDGCN__
#define WAY(name, ways, types, ...) TEXELS(name, "gather4", ways, types, __VA_ARGS__)
#define F float
WAY(gather, "", ".f32", F, F);
WAY(gather_b, ".b", ".f32.f32", F, F, F);
WAY(gather_b_cl, ".b.cl", ".f32.f32", F, F, F, F);
WAY(gather_cl, ".cl", ".f32", F, F, F);
WAY(gather_l, ".l", ".f32", F, F, F);
WAY(gather_c, ".c", ".f32", F, F, F);
WAY(gather_c_b, ".c.b", ".f32.f32", F, F, F, F);
WAY(gather_c_b_cl, ".c.b.cl", ".f32.f32", F, F, F, F, F);
WAY(gather_c_cl, ".c.cl", ".f32", F, F, F, F);
WAY(gather_c_l, ".c.l", ".f32", F, F, F, F);
WAY(gather_o, ".o", ".f32", int, F, F);
#undef WAY
// No two ask for the same texels.
#undef AT
#define AT(n) ((x + n + 1.0f) / 64)
#endif
__kernel void gathers(__global const float *texels, __global const uint *where, __global uint *result,
                      float level) {
  uint i = get_global_id(0), x = where[i] % 44, y = where[i] >> 8 & 1;
  float t = (y + 1) / 4.0f, ref = 0.5f;
#ifdef __AMDGCN__
  uint8 image = linear_image(texels, 4, FLOAT_TEXELS);
  result[i] = sum_of(gather(1, AT(0), t, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 64] = sum_of(gather_b(1, 0.5f, AT(1), t, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 128] = sum_of(gather_b_cl(1, 0.5f, AT(2), t, level, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 192] = sum_of(gather_cl(1, AT(3), t, level, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 256] = sum_of(gather_l(1, AT(4), t, level, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 320] = sum_of(gather_c(1, ref, AT(5), t, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 384] = sum_of(gather_c_b(1, 0.5f, ref, AT(6), t, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 448] = sum_of(gather_c_b_cl(1, 0.5f, ref, AT(7), t, level, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 512] = sum_of(gather_c_cl(1, ref, AT(8), t, level, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 576] = sum_of(gather_c_l(1, ref, AT(9), t, level, image, NEAREST_SAMPLER, false, 0, 0));
  result[i + 640] = sum_of(gather_o(1, ONWARD, AT(10), t, image, NEAREST_SAMPLER, false, 0, 0));
#else
  result[i] = sum_of(corners(texels, x + 0, y));
  result[i + 64] = sum_of(corners(texels, x + 1, y));
  result[i + 128] = sum_of(corners(texels, x + 2, y));
  result[i + 192] = sum_of(corners(texels, x + 3, y));
  result[i + 256] = sum_of(corners(texels, x + 4, y));
  result[i + 320] = sum_of(compared_to(corners(texels, x + 5, y), ref));
  result[i + 384] = sum_of(compared_to(corners(texels, x + 6, y), ref));
  result[i + 448] = sum_of(compared_to(corners(texels, x + 7, y), ref));
  result[i + 512] = sum_of(compared_to(corners(texels, x + 8, y), ref));
  result[i + 576] = sum_of(compared_to(corners(texels, x + 9, y), ref));
  result[i + 640] = sum_of(corners(texels, x + 13, y + 1));
#endif
}
