// Exclusive prefix sums of 4 x 128 numbers by up- and down-sweep in LDS.
// out data i32[512] = random(21)
// run blelloch grid=256 group=64: data
__kernel void blelloch(__global int *data) {
  __local int t[128];
  uint id = get_local_id(0);
  __global int *own = data + get_group_id(0) * 128;
  t[2 * id] = own[2 * id];
  t[2 * id + 1] = own[2 * id + 1];
  uint offset = 1;
  for (uint d = 64; d > 0; d >>= 1, offset *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < d)
      t[offset * (2 * id + 2) - 1] += t[offset * (2 * id + 1) - 1];
  }
  if (id == 0)
    t[127] = 0;
  for (uint d = 1; d < 128; d *= 2) {
    offset >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < d) {
      uint i = offset * (2 * id + 1) - 1, j = offset * (2 * id + 2) - 1;
      int x = t[i];
      t[i] = t[j];
      t[j] += x;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  own[2 * id] = t[2 * id];
  own[2 * id + 1] = t[2 * id + 1];
}
