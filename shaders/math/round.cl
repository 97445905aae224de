// Roundings to whole numbers, fractions and exponents, signs, steps and mixtures in f32.
// in a f32[256] = uniform(73, -20, 20)
// in b f32[256] = wide(74, 20)
// out c f32[2560]
// run rounding grid=256 group=64: a b c
__kernel void rounding(__global const float *a, __global const float *b, __global float *c) {
  uint i = get_global_id(0);
  float x = a[i], y = b[i];
  c[i] = floor(x) + ceil(y) * 0.5f;
  c[i + 256] = trunc(x) + rint(x * 0.5f);
  c[i + 512] = round(x);
  c[i + 768] = rint(y);
  c[i + 1024] = copysign(x, y) + sign(x);
  c[i + 1280] = ldexp(x, (int)i - 128);
  c[i + 1536] = isnan(x / (y - y)) ? 7.0f : isinf(y) ? 8.0f : signbit(y) ? 9.0f : 10.0f;
  c[i + 1792] = step(x, y) + clamp(x, -1.0f, 1.0f) + mix(x, 2.0f, 0.25f);
  c[i + 2048] = x - floor(x);
  c[i + 2304] = (float)ilogb(y) + (float)(x != y) + fmin(x, NAN) + max(x, 1.0f);
}
