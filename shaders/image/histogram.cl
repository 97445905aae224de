// Histograms of 2048 bytes: counted in LDS and added to the global one, and counted globally at once.
// in data u8[2048] = random(87)
// out by_group u32[256]
// out at_once u32[64]
// run histogram grid=512 group=128: data by_group at_once
__kernel void histogram(__global const uchar *data, __global uint *by_group, __global uint *at_once) {
  __local uint counts[256];
  uint id = get_local_id(0), at = get_global_id(0);
  counts[id] = 0;
  counts[id + 128] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uchar4 four = LOAD4(uchar, at, data);
  atomic_inc(&counts[four.x]);
  atomic_inc(&counts[four.y]);
  atomic_add(&counts[four.z], 1u);
  atomic_add(&counts[four.w], 1u);
  atomic_inc(&at_once[four.x >> 2]);
  atomic_add(&at_once[four.y >> 2], four.z);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&by_group[id], counts[id]);
  atomic_add(&by_group[id + 128], counts[id + 128]);
}
