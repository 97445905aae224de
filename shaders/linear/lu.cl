// LU decomposition of a 24x24 matrix in place by one group, with a barrier a step; its rows are divided exactly.
// out m f32[576] = uniform(9, 1, 3)
// run lu grid=64 group=64: m u32:24
__kernel void lu(__global float *m, uint n) {
  __local float a[24 * 24];
  uint id = get_local_id(0), size = get_local_size(0);
  for (uint i = id; i < n * n; i += size)
    a[i] = m[i] + (i / n == i % n ? 50.0f : 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k + 1 < n; k++) {
    for (uint i = k + 1 + id; i < n; i += size)
      a[i * n + k] /= a[k * n + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint rest = n - k - 1;
    for (uint i = id; i < rest * rest; i += size) {
      uint row = k + 1 + i / rest, col = k + 1 + i % rest;
      a[row * n + col] -= a[row * n + k] * a[k * n + col];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint i = id; i < n * n; i += size)
    m[i] = a[i];
}
