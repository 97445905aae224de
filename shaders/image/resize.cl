// Bilinear enlargement of 20x12 pixels to 48x30.
// in source f32[240] = uniform(88, 0, 255)
// out target f32[1440]
// run resize grid=48,30 group=16,2: source target u32:20 u32:12 u32:48 u32:30
__kernel void resize(__global const float *source, __global float *target, uint w, uint h, uint tw, uint th) {
  uint x = get_global_id(0), y = get_global_id(1);
  float u = (x + 0.5f) * w / tw - 0.5f, v = (y + 0.5f) * h / th - 0.5f;
  int x0 = (int)floor(u), y0 = (int)floor(v);
  float fx = u - x0, fy = v - y0;
  int xa = clamp(x0, 0, (int)w - 1), xb = clamp(x0 + 1, 0, (int)w - 1);
  int ya = clamp(y0, 0, (int)h - 1), yb = clamp(y0 + 1, 0, (int)h - 1);
  float upper = source[ya * w + xa] * (1 - fx) + source[ya * w + xb] * fx;
  float lower = source[yb * w + xa] * (1 - fx) + source[yb * w + xb] * fx;
  target[y * tw + x] = upper * (1 - fy) + lower * fy;
}
