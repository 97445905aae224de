// Arithmetic in f16: sums, products, quotients, roots, comparisons, vectors, conversions of all sorts.
// in a f16[256] = uniform(63, -100, 100)
// in b f16[256] = uniform(64, -8, 8)
// out c f16[2048]
// out n i32[256]
// run half_math grid=128 group=64: a b c n
__kernel void half_math(__global const half *a, __global const half *b, __global half *c, __global int *n) {
  uint i = get_global_id(0);
  half x = a[i], y = b[i];
  c[i] = x + y;
  c[i + 128] = x * y;
  c[i + 256] = x / y;
  c[i + 384] = x - y * (half)0.5f;
  c[i + 512] = x < y ? x : y;
  c[i + 640] = (half)((float)x * 1.0001f);
  c[i + 768] = (half)((double)y / 3.0);
  c[i + 896] = (half)(int)(x * (half)8);
  __global const half2 *a2 = (__global const half2 *)a, *b2 = (__global const half2 *)b;
  __global half2 *c2 = (__global half2 *)(c + 1024);
  c2[i] = a2[i] * b2[i];
  c2[i + 128] = -a2[i] - b2[i];
  c2[i + 256] = a2[127 - i] * b2[i].yx;
  c2[i + 384] = (half2)(x, y) + (half2)(y, x);
  n[i] = (int)x + (int)(short)y;
  n[i + 128] = as_ushort((half)(ushort)(i * 500)) | (x > y) << 16 | (x == x) << 17 | (y <= (half)0) << 18;
}
