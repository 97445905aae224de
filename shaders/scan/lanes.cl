// Inclusive prefix sums of rows of 32 lanes by ds_bpermute; ranks of set bits by ballot.
// arch: gfx8..
// in data u32[256] = random(24)
// out sums u32[256]
// out ranks u32[256]
// run scan_lanes grid=256 group=64: data sums ranks
__kernel void scan_lanes(__global const uint *data, __global uint *sums, __global uint *ranks) {
  uint i = get_global_id(0), lane = LANE, own = data[i], sum = own;
  for (uint d = 1; d < 32; d *= 2) {
    uint other = lane_read(sum, lane - d);
    sum += lane >= d ? other : 0;
  }
  uint mask = lane_ballot(own & 1);
  sums[i] = sum;
  ranks[i] = (uint)popcount(mask & ((1u << lane) - 1)) | mask << 8;
}
