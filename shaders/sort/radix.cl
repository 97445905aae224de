// Radix sort of 512 keys: two passes of four bits over the low byte, each with counting, a scan and a stable scatter.
// out keys u32[512] = random(12)
// out other u32[512]
// out counts u32[128]
// run radix_count grid=256 group=64: keys counts u32:0
// run radix_scan grid=64 group=64: counts
// run radix_scatter grid=256 group=64: keys other counts u32:0
// run radix_count grid=256 group=64: other counts u32:4
// run radix_scan grid=64 group=64: counts
// run radix_scatter grid=256 group=64: other keys counts u32:4
// Four groups of 128 keys. Counts lie by digit, then by group.
__kernel void radix_count(__global const uint *keys, __global uint *counts, uint shift) {
  __local uint c[16];
  uint id = get_local_id(0), group = get_group_id(0);
  if (id < 16)
    c[id] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&c[keys[group * 128 + id] >> shift & 15]);
  atomic_inc(&c[keys[group * 128 + 64 + id] >> shift & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (id < 16)
    counts[id * 4 + group] = c[id];
}
__kernel void radix_scan(__global uint *counts) {
  __local uint c[64];
  uint id = get_local_id(0), own = counts[id];
  c[id] = own;
  for (uint d = 1; d < 64; d *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint add = id >= d ? c[id - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    c[id] += add;
  }
  counts[id] = c[id] - own;
}
__kernel void radix_scatter(__global const uint *keys, __global uint *out, __global const uint *counts, uint shift) {
  __local uint k[128];
  uint id = get_local_id(0), group = get_group_id(0);
  k[id] = keys[group * 128 + id];
  k[id + 64] = keys[group * 128 + 64 + id];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint j = id; j < 128; j += 64) {
    uint digit = k[j] >> shift & 15, before = 0;
    for (uint i = 0; i < j; i++)
      before += (k[i] >> shift & 15) == digit;
    out[counts[digit * 4 + group] + before] = k[j];
  }
}
