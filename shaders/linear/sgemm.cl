// C = A B + C of 48x48 matrices, by tiles of 16x16 in LDS.
// in a f32[2304] = uniform(1, -1, 1)
// in b f32[2304] = uniform(2, -1, 1)
// out c f32[2304] = uniform(3, -1, 1)
// run sgemm grid=48,48 group=16,16: a b c u32:48
#define SGEMM_TILE 16
__kernel void sgemm(__global const float *a, __global const float *b, __global float *c, uint n) {
  __local float ta[SGEMM_TILE][SGEMM_TILE];
  __local float tb[SGEMM_TILE][SGEMM_TILE + 1];
  uint x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
  float sum = c[row * n + col];
  for (uint t = 0; t < n; t += SGEMM_TILE) {
    ta[y][x] = a[row * n + t + x];
    tb[y][x] = b[(t + y) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < SGEMM_TILE; k++)
      sum = fma(ta[y][k], tb[k][x], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = sum;
}
