// Sums of rows of 32 lanes by exchange with the lane that differs in one bit, integers and doubles.
// arch: gfx8..
// in data u32[128] = random(32)
// in reals f64[128] = uniform(33, -1, 1)
// out sums u32[128]
// out totals f64[128]
// run butterfly grid=128 group=64: data reals sums totals
__kernel void butterfly(__global const uint *data, __global const double *reals, __global uint *sums, __global double *totals) {
  uint i = get_global_id(0), sum = data[i];
  double total = reals[i];
  for (uint bit = 16; bit > 0; bit /= 2) {
    sum += lane_read(sum, LANE ^ bit);
    uint2 half_ = as_uint2(total);
    half_.x = lane_read(half_.x, LANE ^ bit);
    half_.y = lane_read(half_.y, LANE ^ bit);
    total += as_double(half_);
  }
  sums[i] = sum;
  totals[i] = total;
}
