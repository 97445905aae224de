// Fixed point: 16.16 products, quotients and roots, saturation, averages, high halves of products.
// in a i32[128] = random(61)
// in b i32[128] = random(62)
// out c i32[1024]
// run fixed_point grid=128 group=64: a b c
static int fixed_clamp(long v) { return v > INT_MAX ? INT_MAX : v < INT_MIN ? INT_MIN : (int)v; }
__kernel void fixed_point(__global const int *a, __global const int *b, __global int *c) {
  uint i = get_global_id(0);
  int x = a[i], y = b[i];
  c[i] = fixed_clamp((long)x * y >> 16);
  c[i + 128] = fixed_clamp(((long)x << 16) / (y | 1));
  uint root = 0, rest = abs(x);
  for (uint bit = 1u << 30; bit; bit >>= 2) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else
      root >>= 1;
  }
  c[i + 256] = root;
  c[i + 384] = add_sat(x, y) ^ sub_sat(x, y);
  c[i + 512] = hadd(x, y) + rhadd(x, y);
  c[i + 640] = mul_hi(x, y) + (int)mul_hi((uint)x, (uint)y);
  c[i + 768] = mad24(x >> 8, y >> 8, x) + mul24(x >> 10, y >> 9);
  c[i + 896] = abs_diff(x, y) + clamp(x, -1000, y & 0xffff);
}
