// Two steps of k-means: the nearest of six centres for 256 points, sums by atomics in fixed point, new centres.
// in points f32[512] = uniform(91, -10, 10)
// out centres f32[12] = uniform(92, -10, 10)
// out nearest u32[256]
// out sums i32[18]
// run kmeans_assign grid=256 group=64: points centres nearest sums
// run kmeans_move grid=6 group=6: centres sums
// run kmeans_assign grid=256 group=64: points centres nearest sums
// run kmeans_move grid=6 group=6: centres sums
__kernel void kmeans_assign(__global const float2 *points, __global const float2 *centres, __global uint *nearest, __global int *sums) {
  uint i = get_global_id(0), best = 0;
  float2 p = points[i];
  float least = INFINITY;
  for (uint k = 0; k < 6; k++) {
    float2 d = p - centres[k];
    float distance_ = d.x * d.x + d.y * d.y;
    if (distance_ < least) {
      least = distance_;
      best = k;
    }
  }
  nearest[i] = best;
  atomic_add(&sums[best * 3], (int)(p.x * 65536.0f));
  atomic_add(&sums[best * 3 + 1], (int)(p.y * 65536.0f));
  atomic_inc(&sums[best * 3 + 2]);
}
__kernel void kmeans_move(__global float2 *centres, __global int *sums) {
  uint k = get_global_id(0);
  int n = sums[k * 3 + 2];
  if (n > 0)
    centres[k] = (float2)(sums[k * 3], sums[k * 3 + 1]) / (65536.0f * n);
  sums[k * 3] = sums[k * 3 + 1] = sums[k * 3 + 2] = 0;
}
