// Atomic functions of gfx12 on texels that are floats, and pairs of halves.
// arch: gfx12
// in data f32[128] = uniform(184, -9, 9)
// in pairs f16[128] = uniform(185, -9, 9)
// out texels f32[64] = uniform(186, -9, 9)
// out halves f16[128] = uniform(187, -9, 9)
// out result f32[192]
// out old f16[128]
// run floats grid=64 group=64: data pairs texels halves result old
#ifdef __AMDGCN__
#define OF(name) __asm("llvm.amdgcn.image.atomic." name)
float add_texel(float value, int x, uint8 image, int fail, int cache) OF("add.flt.1d.f32.f32");
float min_texel(float value, int x, uint8 image, int fail, int cache) OF("min.flt.1d.f32.f32");
float max_texel(float value, int x, uint8 image, int fail, int cache) OF("max.flt.1d.f32.f32");
half2 add_halves(half2 value, int x, uint8 image, int fail, int cache) OF("pk.add.f16.1d.v2f16.i32");
#endif
__kernel void floats(__global const float *data, __global const half *pairs, __global float *texels,
                     __global half *halves, __global float *result, __global half *old) {
  uint i = get_global_id(0);
#ifdef __AMDGCN__
  uint8 image = linear_image(texels, 1, FLOAT_TEXELS);
  result[i] = add_texel(data[i], i, image, 0, 0);
  result[i + 64] = min_texel(data[i + 64], i, image, 0, 0);
  result[i + 128] = max_texel(data[63 - i], i, image, 0, 0);
  half2 was = add_halves(((__global const half2 *)pairs)[i], i, linear_image(halves, 1, PAIR_TEXELS), 0, 0);
  old[2 * i] = was.x, old[2 * i + 1] = was.y;
#else
  float x = texels[i];
  result[i] = x, x += data[i];
  result[i + 64] = x, x = x < data[i + 64] ? x : data[i + 64];
  result[i + 128] = x, x = x > data[63 - i] ? x : data[63 - i];
  texels[i] = x;
  for (uint n = 2 * i; n < 2 * i + 2; n++)
    old[n] = halves[n], halves[n] = halves[n] + pairs[n];
#endif
}
