// Quotients, roots, fused products and remainders in f32, correctly rounded, over many exponents.
// in a f32[512] = wide(68, 30)
// in b f32[512] = wide(69, 30)
// out c f32[2048]
// run float_divide grid=512 group=128: a b c
__kernel void float_divide(__global const float *a, __global const float *b, __global float *c) {
  uint i = get_global_id(0);
  float x = a[i], y = b[i];
  c[i] = x / y;
  c[i + 512] = sqrt(fabs(x)) + 1.0f / y;
  c[i + 1024] = fma(x, y, 1.0f) - x * y;
  c[i + 1536] = fmod(x, fabs(y) + fabs(x) * 0.001f);
}
