// Exponential functions and logarithms of libclc against those of the host.
// in x f32[256] = uniform(56, 0.001, 60)
// out y f32[1792]
// near: y ulp(8) abs(1e-6)
// run explog grid=256 group=64: x y
__kernel void explog(__global const float *x, __global float *y) {
  uint i = get_global_id(0);
  float v = x[i];
  y[i] = exp(v - 30.0f);
  y[i + 256] = exp2(30.0f - v);
  y[i + 512] = log(v);
  y[i + 768] = log2(v);
  y[i + 1024] = pow(v, x[255 - i] * 0.25f);
  y[i + 1280] = tanh(v * 0.1f - 3.0f);
  y[i + 1536] = log10(v) + cbrt(v);
}
