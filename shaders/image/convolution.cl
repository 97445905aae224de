// A 5x5 convolution of a 40x24 image of floats with a margin of zeroes; the weights come by pointer, in uniform loads.
// in source f32[960] = uniform(82, 0, 1)
// in weights f32[25] = uniform(83, -1, 1)
// out target f32[960]
// run convolution grid=40,24 group=8,8: source weights target i32:40 i32:24
__kernel void convolution(__global const float *source, __constant float *weights, __global float *target, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = -2; j <= 2; j++)
    for (int i = -2; i <= 2; i++) {
      int u = x + i, v = y + j;
      if (u >= 0 && v >= 0 && u < width && v < height)
        sum = fma(weights[(j + 2) * 5 + i + 2], source[v * width + u], sum);
    }
  target[y * width + x] = sum;
}
