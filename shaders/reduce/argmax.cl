// Where the largest of 600 numbers is (the first of equals): a 64-bit key in an LDS tree, then a 64-bit atomic maximum.
// in data i32[600] = random(34)
// out best u64[1]
// run argmax grid=600 group=100: data best
__kernel void argmax(__global const int *data, __global ulong *best) {
  __local ulong t[128];
  uint id = get_local_id(0), i = get_global_id(0);
  t[id] = (ulong)((uint)data[i] ^ 0x80000000u) << 32 | (uint)~i;
  if (id < 28)
    t[id + 100] = 0;
  for (uint d = 64; d > 0; d /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < d)
      t[id] = max(t[id], t[id + d]);
  }
  if (id == 0)
    __opencl_atomic_fetch_max((volatile __global atomic_ulong *)best, t[0], memory_order_relaxed, memory_scope_device);
}
