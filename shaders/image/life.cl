// The game of life on a torus of 64x16 cells, six generations in LDS.
// out cells u8[1024] = random(86)
// run life grid=256 group=256: cells u32:6
__kernel void life(__global uchar *cells, uint generations) {
  __local uchar now[1024], next[1024];
  uint id = get_local_id(0);
  for (uint i = id; i < 1024; i += 256)
    now[i] = cells[i] & 1;
  for (uint g = 0; g < generations; g++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = id; i < 1024; i += 256) {
      uint x = i & 63, y = i >> 6, n = 0;
      for (uint k = 0; k < 9; k++)
        if (k != 4)
          n += now[((y + k / 3 + 15) & 15) << 6 | ((x + k % 3 + 63) & 63)];
      next[i] = n == 3 || (n == 2 && now[i]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = id; i < 1024; i += 256)
      now[i] = next[i];
  }
  for (uint i = id; i < 1024; i += 256)
    cells[i] = now[i];
}
