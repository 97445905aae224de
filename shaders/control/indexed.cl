// Arrays in registers, indexed by numbers that are the same in all lanes and by such that are not.
// in data u32[128] = random(175)
// in order u32[32] = list(3, 0, 7, 2, 6, 5, 1, 4, 9, 15, 11, 8, 14, 10, 13, 12, 1, 1, 2, 3, 5, 8, 13, 0, 6, 7, 4, 9, 12, 15, 10, 11)
// out result u32[384]
// run indexed grid=128 group=64: data order result
__kernel void indexed(__global const uint *data, __constant uint *order, __global uint *result) {
  uint i = get_global_id(0), x = data[i], own[16];
  for (uint n = 0; n < 16; n++)
    own[n] = x * (2 * n + 1);
  uint sum = 0;
  for (uint n = 0; n < 32; n++) {
    uint at = order[n] & 15;
    sum = sum * 5 + own[at];
    own[order[31 - n] & 15] += sum ^ n;
  }
  result[i] = sum;
  own[x & 15] += 77;
  own[x >> 8 & 15] ^= own[x >> 4 & 15];
  result[i + 128] = own[x & 15] + own[x >> 12 & 15];
  result[i + 256] = own[order[0]] ^ own[order[5]] + own[order[9]];
}
