// The approximations of the hardware: reciprocal, root, exponential function, logarithm, sine.
// in x f32[256] = uniform(58, 0.25, 30)
// out y f32[1536]
// near: y ulp(16) abs(3e-6)
// run native_math grid=256 group=64: x y
__kernel void native_math(__global const float *x, __global float *y) {
  uint i = get_global_id(0);
  float v = x[i];
  y[i] = native_recip(v);
  y[i + 256] = native_rsqrt(v);
  y[i + 512] = native_exp2(v * 0.25f);
  y[i + 768] = native_log2(v);
  y[i + 1024] = native_sin(v * 0.1f);
  y[i + 1280] = native_sqrt(v);
}
