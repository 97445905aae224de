// Edges of 48x32 pixels of four bytes: luminance, two gradients, their length, and its threshold.
// in source u8[6144] = random(84)
// out target u8[6144]
// run sobel grid=48,32 group=16,4: source target i32:48 i32:32
static int sobel_grey(__global const uchar4 *source, int x, int y, int width, int height) {
  uchar4 p = source[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
  return (p.x * 77 + p.y * 150 + p.z * 29) >> 8;
}
__kernel void sobel(__global const uchar4 *source, __global uchar4 *target, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1), g[9];
  for (int k = 0; k < 9; k++)
    g[k] = sobel_grey(source, x + k % 3 - 1, y + k / 3 - 1, width, height);
  int dx = g[2] + 2 * g[5] + g[8] - g[0] - 2 * g[3] - g[6];
  int dy = g[6] + 2 * g[7] + g[8] - g[0] - 2 * g[1] - g[2];
  float length_ = sqrt((float)(dx * dx + dy * dy));
  uchar v = (uchar)min((int)length_, 255);
  target[y * width + x] = (uchar4)(v, v > 128 ? 255 : 0, abs(dx) & 255, source[y * width + x].w);
}
