// The sum, the smallest and the largest of 1000 floats: a tree in LDS per group, then one group over the partial results.
// in data f32[1000] = uniform(31, -100, 100)
// out part f32[12]
// out result f32[3]
// run tree_part grid=256 group=64: data part u32:1000
// run tree_all grid=64 group=64: part result u32:4
static void tree_step(__local float *sum, __local float *low, __local float *high, uint id) {
  for (uint d = 32; d > 0; d /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < d) {
      sum[id] += sum[id + d];
      low[id] = fmin(low[id], low[id + d]);
      high[id] = fmax(high[id], high[id + d]);
    }
  }
}
__kernel void tree_part(__global const float *data, __global float *part, uint n) {
  __local float sum[64], low[64], high[64];
  uint id = get_local_id(0);
  float s = 0, l = INFINITY, h = -INFINITY;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    float v = data[i];
    s += v;
    l = fmin(l, v);
    h = fmax(h, v);
  }
  sum[id] = s;
  low[id] = l;
  high[id] = h;
  tree_step(sum, low, high, id);
  if (id < 3)
    part[get_group_id(0) * 3 + id] = id == 0 ? sum[0] : id == 1 ? low[0] : high[0];
}
__kernel void tree_all(__global const float *part, __global float *result, uint n) {
  __local float sum[64], low[64], high[64];
  uint id = get_local_id(0);
  sum[id] = id < n ? part[id * 3] : 0;
  low[id] = id < n ? part[id * 3 + 1] : INFINITY;
  high[id] = id < n ? part[id * 3 + 2] : -INFINITY;
  tree_step(sum, low, high, id);
  if (id == 0) {
    result[0] = sum[0];
    result[1] = low[0];
    result[2] = high[0];
  }
}
