// Trigonometric functions of libclc against those of the host.
// in x f32[256] = uniform(55, -200, 200)
// out y f32[1536]
// near: y ulp(6) abs(1e-6)
// run trig grid=256 group=64: x y
__kernel void trig(__global const float *x, __global float *y) {
  uint i = get_global_id(0);
  float v = x[i], small = v * 0.005f;
  y[i] = sin(v);
  y[i + 256] = cos(v);
  y[i + 512] = tan(small);
  y[i + 768] = atan(v);
  y[i + 1024] = asin(small);
  y[i + 1280] = atan2(v, x[255 - i]);
}
