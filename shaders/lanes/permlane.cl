// v_permlane16 and v_permlanex16 of gfx10 and later: selects of lanes from a pair of scalars.
// arch: gfx10..
// in data u32[128] = random(135)
// out result u32[256]
// run permlane grid=128 group=64: data result u32:0x76543210 u32:0x0fedcba9
__kernel void permlane(__global const uint *data, __global uint *result, uint low, uint high) {
  uint i = get_global_id(0), x = data[i];
#ifdef __AMDGCN__
  result[i] = __builtin_amdgcn_permlane16(x, x, low, high, false, false);
  result[i + 128] = __builtin_amdgcn_permlanex16(x, x, high, low, false, false);
#else
  uint in_row = LANE & 15;
  result[i] = lane_read(x, (LANE & 16) | ((in_row < 8 ? low : high) >> (in_row & 7) * 4 & 15));
  result[i + 128] = lane_read(x, (~LANE & 16) | ((in_row < 8 ? high : low) >> (in_row & 7) * 4 & 15));
#endif
}
