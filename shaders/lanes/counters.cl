// ds_append and ds_consume: counters in LDS that go up and down by the number of lanes that are there.
// in data u32[256] = random(171)
// out result u32[768]
// run counters grid=256 group=32: data result
__kernel void counters(__global const uint *data, __global uint *result) {
  __local int up, down;
  uint i = get_global_id(0), x = data[i];
  if (LANE == 0)
    up = 5, down = 1000;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint first = 0, second = 0;
#ifdef __AMDGCN__
  if (x & 1)
    first = __builtin_amdgcn_ds_append(&up);
  if (x & 2)
    second = __builtin_amdgcn_ds_consume(&down);
#else
  uint more = popcount(lane_ballot(x & 1)), less = popcount(lane_ballot(x & 2));
  first = x & 1 ? up : 0, second = x & 2 ? down : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (LANE == 0)
    up += more, down -= less;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  result[i] = first;
  result[i + 256] = second;
  result[i + 512] = up * 65536 + down;
}
