// D = A B of 24x24 matrices in f64, 2x2 results a work-item, products rounded apart from sums.
// in a f64[576] = uniform(1, -1, 1)
// in b f64[576] = uniform(2, -1, 1)
// out d f64[576]
// run dgemm grid=12,12 group=4,4: a b d u32:24
__kernel void dgemm(__global const double *a, __global const double *b, __global double *d, uint n) {
  uint x = get_global_id(0) * 2, y = get_global_id(1) * 2;
  double s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (uint k = 0; k < n; k++) {
    double a0 = a[y * n + k], a1 = a[(y + 1) * n + k], b0 = b[k * n + x], b1 = b[k * n + x + 1];
    s00 += a0 * b0;
    s01 += a0 * b1;
    s10 = fma(a1, b0, s10);
    s11 = fma(a1, b1, s11);
  }
  d[y * n + x] = s00;
  d[y * n + x + 1] = s01;
  d[(y + 1) * n + x] = s10;
  d[(y + 1) * n + x + 1] = s11;
}
