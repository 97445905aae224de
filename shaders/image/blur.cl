// A Gaussian blur of 64x32 grey pixels, 7 wide, along rows and then columns; each row of a group lies in LDS with its margins.
// in source u8[2048] = random(81)
// out between f32[2048]
// out target u8[2048]
// run blur_rows grid=64,32 group=64,1: source between u32:64
// run blur_columns grid=64,32 group=16,4: between target u32:64 u32:32
__constant float blur_weights[7] = {0.03125f, 0.109375f, 0.21875f, 0.28125f, 0.21875f, 0.109375f, 0.03125f};
__kernel void blur_rows(__global const uchar *source, __global float *between, uint width) {
  __local uchar line[64 + 6];
  uint x = get_local_id(0), y = get_global_id(1);
  line[x + 3] = source[y * width + x];
  if (x < 3) {
    line[x] = source[y * width];
    line[67 + x] = source[y * width + width - 1];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (uint k = 0; k < 7; k++)
    sum += blur_weights[k] * line[x + k];
  between[y * width + x] = sum;
}
__kernel void blur_columns(__global const float *between, __global uchar *target, uint width, uint height) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = -3; k <= 3; k++)
    sum += blur_weights[k + 3] * between[clamp(y + k, 0, (int)height - 1) * width + x];
  target[y * width + x] = convert_uchar_sat_rte(sum);
}
