// FFT of 128 complex numbers in LDS, radix 2, twiddle factors from sin and cos.
// out re f32[128] = uniform(51, -1, 1)
// out im f32[128] = uniform(52, -1, 1)
// near: re abs(2e-5)
// near: im abs(2e-5)
// run fft grid=64 group=64: re im
__kernel void fft(__global float *re, __global float *im) {
  __local float2 x[128];
  uint id = get_local_id(0);
  for (uint i = id; i < 128; i += 64) {
    uint j = 0;
    for (uint b = 0; b < 7; b++)
      j |= (i >> b & 1) << (6 - b);
    x[j] = (float2)(re[i], im[i]);
  }
  for (uint half_ = 1; half_ < 128; half_ *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint k = id & (half_ - 1), i = 2 * (id - k) + k, j = i + half_;
    float angle = -3.14159265358979f * (float)k / (float)half_;
    float c = cos(angle), s = sin(angle);
    float2 a = x[i], b = x[j];
    float2 t = (float2)(b.x * c - b.y * s, b.x * s + b.y * c);
    x[i] = a + t;
    x[j] = a - t;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = id; i < 128; i += 64) {
    re[i] = x[i].x;
    im[i] = x[i].y;
  }
}
