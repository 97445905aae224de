// Arithmetic in f64: quotients, roots, fused products, remainders, roundings, comparisons, fractions and exponents.
// in a f64[192] = uniform(65, -1000000, 1000000)
// in b f64[192] = uniform(66, -3, 3)
// out c f64[1920]
// run double_math grid=192 group=64: a b c
__kernel void double_math(__global const double *a, __global const double *b, __global double *c) {
  uint i = get_global_id(0);
  double x = a[i], y = b[i];
  c[i] = x / y;
  c[i + 192] = sqrt(fabs(x));
  c[i + 384] = fma(x, y, -x * y);
  c[i + 576] = floor(x) + ceil(y);
  c[i + 768] = trunc(x * 0.001) + rint(x * y);
  c[i + 960] = fmin(x, y) + fmax(x, y) * 3;
  c[i + 1152] = ldexp(x, (int)(i % 64) - 32);
  c[i + 1344] = 1.0 / y;
  c[i + 1536] = x > y ? x - y : copysign(x, y);
  c[i + 1728] = fmod(x, y);
}
