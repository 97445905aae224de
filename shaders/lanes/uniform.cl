// Values of one lane for all (readfirstlane, readlane), masks of lanes that agree, loops over the distinct values of a row.
// in data u32[128] = random(133)
// out result u32[384]
// run uniform_values grid=128 group=32: data result
#ifdef __AMDGCN__
#define UNIFORM_LANE(x, n) __builtin_amdgcn_readlane(x, n)
#else
#define UNIFORM_LANE(x, n) lane_read(x, n)
#endif
__kernel void uniform_values(__global const uint *data, __global uint *result) {
  uint i = get_global_id(0), x = data[i] & 7, lane = LANE;
  // Counts equals within the group by bits of the key.
  uint same = ~0u;
  for (uint bit = 0; bit < 3; bit++) {
    uint mask = lane_ballot(x >> bit & 1);
    same &= x >> bit & 1 ? mask : ~mask;
  }
  result[i] = same;
  result[i + 128] = UNIFORM_LANE(data[i], 5) + UNIFORM_LANE(data[i], 31);
  result[i + 256] = popcount(same & ((1u << lane) - 1)) << 16 | clz(same);
}
