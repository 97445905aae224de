// Data parallel primitives of gfx8 and later: quad permutations, shifts and mirrors of rows, sums of quads and rows.
// arch: gfx8..
// in data u32[128] = random(131)
// out result u32[768]
// run dpp grid=128 group=64: data result
#ifdef __AMDGCN__
#define DPP(x, control, from) __builtin_amdgcn_mov_dpp(x, control, 15, 15, true)
#define DPP_KEEP(old, x, control, from) __builtin_amdgcn_update_dpp(old, x, control, 15, 15, false)
#else
#define DPP(x, control, from) (((from) & ~15) == 0 ? lane_read(x, (LANE & 16) | ((from) & 15)) : (lane_read(x, 0), 0))
#define DPP_KEEP(old, x, control, from) (((from) & ~15) == 0 ? lane_read(x, (LANE & 16) | ((from) & 15)) : (lane_read(x, 0), old))
#endif
__kernel void dpp(__global const uint *data, __global uint *result) {
  uint i = get_global_id(0), x = data[i], in_row = LANE & 15, sum = x;
  result[i] = DPP(x, 0x1b, in_row ^ 3);
  result[i + 128] = DPP(x, 0x111, in_row - 1);
  result[i + 256] = DPP_KEEP(7u, x, 0x103, in_row + 3);
  result[i + 384] = DPP(x, 0x140, 15 - in_row) + DPP(x, 0x141, in_row ^ 7);
  result[i + 512] = DPP(x, 0x125, in_row - 5 & 15);
  sum += DPP(sum, 0xb1, in_row ^ 1);
  sum += DPP(sum, 0x4e, in_row ^ 2);
  sum += DPP(sum, 0x124, in_row - 4 & 15);
  sum += DPP(sum, 0x128, in_row - 8 & 15);
  result[i + 640] = sum;
}
