// Pairs of float operations on their own registers, which gfx11 executes two at a time.
// arch: gfx11..
// in a f32[256] = uniform(176, -4, 4)
// in b f32[256] = uniform(177, -4, 4)
// out result f32[1024]
// run dual grid=128 group=64: a b result f32:3.25 f32:-1.75
#ifdef __AMDGCN__
float TIMES(float x, float y) __asm("llvm.amdgcn.fmul.legacy");
#else
#define TIMES(x, y) ((x) == 0 || (y) == 0 ? 0.0f : (x) * (y))
#endif
__kernel void dual(__global const float *a, __global const float *b, __global float *result, float s, float t) {
  uint i = get_global_id(0);
  float x = a[i], y = a[i + 128], z = b[i], w = b[i + 128];
  float d = x - s, e = y - t, f = z - s, g = w - t;
  result[i] = d * f, result[i + 128] = e * g;
  float l = TIMES(x, z), m = TIMES(y, w);
  result[i + 256] = l, result[i + 384] = m;
  float p = fma(d, f, 2.7182817f), q = fma(e, g, 2.7182817f), r = fma(l, m, 2.7182817f), o = fma(x, w, 2.7182817f);
  result[i + 512] = p - r, result[i + 640] = q - o;
  float u = fma(x, y, z), v = fma(z, w, x);
  for (int n = 0; n < 3; n++)
    u = fma(y, z, u), v = fma(x, w, v);
  result[i + 768] = u, result[i + 896] = v;
}
