// 64-bit integers: products, high halves, comparisons, additions with carry over 128 bits, powers modulo a prime.
// in a u64[128] = edges
// in b u64[128] = random(76)
// out c u64[896]
// run int64 grid=128 group=64: a b c
static ulong int64_power(ulong base, uint e) {
  ulong r = 1;
  base %= 4294967291ul;
  for (; e; e >>= 1) {
    if (e & 1)
      r = r * base % 4294967291ul;
    base = base * base % 4294967291ul;
  }
  return r;
}
__kernel void int64(__global const ulong *a, __global const ulong *b, __global ulong *c) {
  uint i = get_global_id(0);
  ulong x = a[i], y = b[i];
  c[i] = x * y;
  c[i + 128] = mul_hi(x, y);
  c[i + 256] = (ulong)mul_hi((long)x, (long)y);
  ulong low = x + y, high = x - y + (low < x);
  c[i + 384] = high;
  c[i + 512] = ((long)x < (long)y ? 1 : 0) | (x < y) << 1 | (x == y) << 2 | ((long)x >= 0) << 3 | max(x, y) << 4;
  c[i + 640] = int64_power(x, (uint)y & 0xff);
  c[i + 768] = (ulong)(uint)x * (uint)y + (ulong)((long)(int)x * (int)y) + (x & y) - (x | y);
}
