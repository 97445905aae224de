// Keeps what is odd: ranks of lanes by ballot, one atomic a row for its place, order within rows kept.
// arch: gfx8..
// in data u32[256] = random(134)
// out kept u32[256]
// out counts u32[9]
// run compact grid=256 group=64: data kept counts
__kernel void compact(__global const uint *data, __global uint *kept, __global uint *counts) {
  uint i = get_global_id(0), x = data[i], row = i / 32;
  uint mask = lane_ballot(x & 1), first = 0;
  if (LANE == 0) {
    counts[row] = popcount(mask);
    atomic_add(&counts[8], popcount(mask));
  }
  first = lane_read(row * 32, 0);
  if (x & 1)
    kept[first + popcount(mask & ((1u << LANE) - 1))] = x;
}
