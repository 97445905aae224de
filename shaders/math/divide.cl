// Quotients and remainders of all integer types, by run-time and constant divisors, with the edges of their ranges.
// in a u64[192] = edges
// in b u64[192] = random(67)
// out q u64[1728]
// run divide grid=192 group=64: a b q
__kernel void divide(__global const ulong *a, __global const ulong *b, __global ulong *q) {
  uint i = get_global_id(0);
  ulong x = a[i], y = b[i] >> (i % 60);
  y += y == 0;
  long sx = (long)x, sy = (long)(y >> 1 | 1);
  q[i] = x / y;
  q[i + 192] = x % y;
  q[i + 384] = (ulong)(sx / sy) ^ (ulong)(sx % sy) << 1;
  uint x32 = (uint)x, y32 = (uint)y | 1;
  q[i + 576] = (ulong)(x32 / y32) << 32 | x32 % y32;
  int s32 = (int)x32, t32 = (int)(y32 >> 1) | 1;
  q[i + 768] = (ulong)(uint)(s32 / t32) << 32 | (uint)(s32 % t32);
  q[i + 960] = x / 10 + x % 1000003;
  q[i + 1152] = (ulong)(sx / 7) + (ulong)(sx % 60) + x32 / 255 + (uint)(s32 / 1000);
  q[i + 1344] = (ushort)x / (ushort)((ushort)y | 1) + (uchar)x % (uchar)((uchar)y | 1);
  q[i + 1536] = (ulong)((short)x / (short)((y & 0x7fff) | 1)) + (ulong)((char)x % (char)((y & 0x7f) | 1));
}
