// The transpose of a 40x56 matrix through padded tiles in LDS; the last tiles are partial.
// in a u32[2240] = random(5)
// out t u32[2240]
// run transpose grid=64,48 group=16,16: a t u32:56 u32:40
__kernel void transpose(__global const uint *a, __global uint *t, uint width, uint height) {
  __local uint tile[16][17];
  uint lx = get_local_id(0), ly = get_local_id(1);
  uint x = get_group_id(0) * 16 + lx, y = get_group_id(1) * 16 + ly;
  if (x < width && y < height)
    tile[ly][lx] = a[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * 16 + lx;
  y = get_group_id(0) * 16 + ly;
  if (x < height && y < width)
    t[y * height + x] = tile[lx][ly];
}
