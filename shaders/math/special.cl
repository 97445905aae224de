// What floats do with infinities, NaN, zeros and numbers near the ends of their range: comparisons, minima, conversions, quotients, roots.
// in a u32[192] = edges
// in b u64[192] = edges
// out f f32[1344]
// out g f64[960]
// out n u32[384]
// run special grid=192 group=64: a b f g n
static uint special_classes(float x, float y) {
  return (x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | (x > y) << 4 | (x >= y) << 5 | isnan(x) << 6 | isinf(y) << 7 |
         signbit(x) << 8 | !(x < y) << 9 | !(x >= y) << 10 | (isnan(x) || isnan(y)) << 11;
}
__kernel void special(__global const uint *a, __global const ulong *b, __global float *f, __global double *g, __global uint *n) {
  uint i = get_global_id(0);
  // Exponents from 1 up: older processors flush what is below.
  uint bits = a[i] ^ (i & 1) << 31;
  bits |= (bits & 0x7f800000) == 0 && (bits & 0x7fffffff) != 0 ? 0x00800000 : 0;
  uint other = (a[191 - i] << 1 | 0x7f000000 * (i % 3 == 0)) ^ (i % 5 == 0 ? 0x80000000 : 0);
  other |= (other & 0x7f800000) == 0 && (other & 0x7fffffff) != 0 ? 0x20000000 : 0;
  float x = as_float(bits), y = as_float(other);
  double d = as_double(b[i] ^ (ulong)(i & 1) << 63), e = as_double(b[191 - i] << 1);
  n[i] = special_classes(x, y);
  n[i + 192] = (d < e) | (d == e) << 1 | (d > e) << 2 | (d != d) << 3 | !(d <= e) << 4;
  f[i] = fmin(x, y);
  f[i + 192] = fmax(x, y);
  f[i + 384] = sqrt(x);
  f[i + 576] = fabs(x) > 1e-18f && fabs(x) < 1e18f && fabs(y) > 1e-18f && fabs(y) < 1e18f ? x / y : copysign(x, y);
  f[i + 768] = rint(x) + floor(x);
  f[i + 960] = (float)(d > 1e-30 || d < -1e-30 || d == 0.0 || d != d ? d : 0.0);
  f[i + 1152] = fabs(x) > 1e-18f ? x * 0x1p-10f + y : -x;
  g[i] = d / e;
  g[i + 192] = sqrt(d);
  g[i + 384] = fma(d, e, 1.0);
  g[i + 576] = (double)x + d * 0.5;
  g[i + 768] = fmin(d, e) - fmax(d, e);
}
