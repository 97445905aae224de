// A grid of three dimensions whose last groups are partial in all of them: every number of a work-item.
// out ids u32[3465]
// out sums u32[8]
// run grid3 grid=11,7,9 group=4,4,2: ids sums
__kernel void grid3(__global uint *ids, __global uint *sums) {
  uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  uint at = (z * get_global_size(1) + y) * get_global_size(0) + x;
  ids[at * 5] = x | y << 8 | z << 16;
  ids[at * 5 + 1] = (uint)get_local_id(0) | (uint)get_local_id(1) << 8 | (uint)get_local_id(2) << 16;
  ids[at * 5 + 2] = (uint)get_group_id(0) | (uint)get_group_id(1) << 8 | (uint)get_group_id(2) << 16;
  ids[at * 5 + 3] = (uint)get_num_groups(0) | (uint)get_num_groups(1) << 8 | (uint)get_num_groups(2) << 16;
  ids[at * 5 + 4] = (uint)get_global_size(0) | (uint)get_global_size(1) << 8 | (uint)get_global_size(2) << 16;
  atomic_add(&sums[x & 7], at);
}
