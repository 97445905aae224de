// A switch over a number that is the same for the whole group: a jump table or a tree of scalar branches.
// out result u32[384]
// run jumps grid=384 group=32: result u32:12345
static NOINLINE uint jumps_body(uint what, uint x) {
  switch (what) {
  case 0: return x + 1;
  case 1: return x * 3;
  case 2: return x ^ 0x5555;
  case 3: return x << 3;
  case 4: return ~x;
  case 5: return x / 3;
  case 6: return x % 11;
  case 7: return x >> 2;
  case 8: return x * x;
  case 9: return x & 0xf0f0;
  case 10: return x | 0x0f0f;
  default: return 99;
  }
}
__kernel void jumps(__global uint *result, uint seed) {
  uint i = get_global_id(0), x = seed + i * 77;
  for (uint round = 0; round < 3; round++)
    x = jumps_body((get_group_id(0) + round) % 13, x);
  result[i] = x;
}
