// A sparse matrix of 200 rows in CSR form, times a vector: rows of 0 to 7 elements, so that lanes leave the loop one by one.
// out start u32[201]
// out column u32[1400]
// out value f32[1400]
// in x f32[256] = uniform(3, -2, 2)
// out y f32[200]
// run spmv_fill grid=200 group=64: start column value u32:200
// run spmv grid=200 group=64: start column value x y u32:200
__kernel void spmv_fill(__global uint *start, __global uint *column, __global float *value, uint rows) {
  uint r = get_global_id(0), at = 0;
  for (uint i = 0; i < r; i++)
    at += i * 2654435761u >> 29;
  uint n = r * 2654435761u >> 29;
  start[r] = at;
  if (r == rows - 1)
    start[rows] = at + n;
  for (uint i = 0; i < n; i++) {
    column[at + i] = (r * 37 + i * 101) & 255;
    value[at + i] = (float)((int)(r * 7 + i * 13) % 31 - 15) * 0.25f;
  }
}
__kernel void spmv(__global const uint *start, __global const uint *column, __global const float *value,
                   __global const float *x, __global float *y, uint rows) {
  uint r = get_global_id(0);
  if (r >= rows)
    return;
  float sum = 0;
  for (uint i = start[r], end = start[r + 1]; i < end; i++)
    sum += value[i] * x[column[i]];
  y[r] = sum;
}
