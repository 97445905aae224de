// Functions that are not inlined: chains of calls, values and vectors handed over and back, registers kept across calls.
// in data u32[128] = random(103)
// out result u32[128]
// run calls grid=128 group=64: data result
static NOINLINE uint calls_leaf(uint a, uint b) { return a * 31 + (b ^ a >> 3); }
static NOINLINE uint4 calls_vector(uint4 v, uint s) { return v.wzyx * s + v; }
static NOINLINE uint calls_middle(uint a, uint b, uint n) {
  uint sum = b;
  for (uint i = 0; i < n; i++)
    sum = calls_leaf(sum, a + i) + b;
  return sum;
}
static NOINLINE double calls_double(double x, float y) { return x * 2.0 + y; }
static NOINLINE void calls_pointer(__private uint *p, uint n) {
  for (uint i = 0; i < n; i++)
    p[i] += calls_leaf(p[(i + 1) % n], i);
}
__kernel void calls(__global const uint *data, __global uint *result) {
  uint i = get_global_id(0), x = data[i], kept = x ^ 0xabcdef;
  uint y = calls_middle(x, i, x & 7);
  if (x & 1)
    y += calls_middle(y, 3, 2);
  uint4 v = calls_vector((uint4)(x, y, i, kept), y & 15);
  uint a[6] = {v.x, v.y, v.z, v.w, kept, y};
  calls_pointer(a, 3 + (x & 3));
  double d = calls_double(x & 0xffff, (float)(y & 0xff));
  result[i] = a[0] ^ a[1] ^ a[2] ^ a[3] ^ a[4] ^ a[5] ^ (uint)d ^ kept;
}
