// v_permlane16_var and v_permlanex16_var of gfx12: each lane says from which of a row it takes.
// arch: gfx12
// in data u32[128] = random(192)
// in from u32[128] = random(193)
// out result u32[256]
// run permlane_var grid=128 group=64: data from result
__kernel void permlane_var(__global const uint *data, __global const uint *from, __global uint *result) {
  uint i = get_global_id(0), x = data[i], lane = from[i] & 15;
#ifdef __AMDGCN__
  result[i] = __builtin_amdgcn_permlane16_var(x, x, lane, false, false);
  result[i + 128] = __builtin_amdgcn_permlanex16_var(x, x, lane, false, false);
#else
  result[i] = lane_read(x, (LANE & 16) | lane);
  result[i + 128] = lane_read(x, (~LANE & 16) | lane);
#endif
}
