// The same in f64: long polynomials, divisions and conversions.
// in x f64[128] = uniform(57, 0.001, 60)
// out y f64[640]
// near: y ulp(8) abs(1e-14)
// run explog64 grid=128 group=64: x y
__kernel void explog64(__global const double *x, __global double *y) {
  uint i = get_global_id(0);
  double v = x[i];
  y[i] = exp(v - 30.0);
  y[i + 128] = log(v);
  y[i + 256] = sin(v);
  y[i + 384] = cos(v * 10);
  y[i + 512] = pow(v, 1.25);
}
