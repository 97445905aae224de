// The Mandelbrot set, 48x32: loops that lanes leave at different times.
// out image u16[1536]
// run mandelbrot grid=48,32 group=16,8: image u32:48 f32:-2.25 f32:-1.25 f32:0.0625 u32:60
__kernel void mandelbrot(__global ushort *image, uint width, float left, float top, float step, uint limit) {
  float cx = left + get_global_id(0) * step, cy = top + get_global_id(1) * step, x = 0, y = 0;
  uint n = 0;
  while (n < limit && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    n++;
  }
  image[get_global_id(1) * width + get_global_id(0)] = n;
}
