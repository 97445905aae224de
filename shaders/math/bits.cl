// Bit tricks: counts, leading zeroes, reversal, fields, rotations, byte permutations, Gray codes, Morton codes, parity.
// in a u32[256] = edges
// in b u64[256] = random(75)
// out c u32[3072]
// run bits grid=256 group=64: a b c
__kernel void bits(__global const uint *a, __global const ulong *b, __global uint *c) {
  uint i = get_global_id(0), x = a[i];
  ulong y = b[i] >> (i & 63);
  c[i] = popcount(x) | popcount(y) << 8;
  c[i + 256] = clz(x) | clz(y) << 8 | clz((ushort)x) << 16;
  c[i + 512] = __builtin_bitreverse32(x);
  c[i + 768] = x >> (i & 31) & ((1u << (y & 15)) - 1);
  c[i + 1024] = (uint)((int)(x << (i & 15)) >> (i & 15));
  c[i + 1280] = rotate(x, (uint)y) ^ (uint)rotate(y, (ulong)x);
  c[i + 1536] = __builtin_bswap32(x) ^ (x >> 8 & 0x00ff00ff);
  c[i + 1792] = x ^ x >> 1;
  uint m = x & 0xffff;
  m = (m | m << 8) & 0x00ff00ff;
  m = (m | m << 4) & 0x0f0f0f0f;
  m = (m | m << 2) & 0x33333333;
  m = (m | m << 1) & 0x55555555;
  c[i + 2048] = m;
  c[i + 2304] = x ? __builtin_ctz(x) : 32;
  c[i + 2560] = bitselect(x, (uint)y, 0x0ff0f00fu) + (x & ~(uint)y);
  c[i + 2816] = (uint)(y >> (x & 63)) ^ (uint)((long)y >> (x >> 7 & 63)) ^ (uint)((y << (x & 63)) >> 32);
}
