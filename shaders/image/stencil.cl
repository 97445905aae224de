// Heat on a 32x32 plate: four Jacobi steps between two buffers, the borders fixed.
// out a f32[1024] = uniform(85, 0, 100)
// out b f32[1024]
// run stencil grid=32,32 group=16,16: a b u32:32
// run stencil grid=32,32 group=32,4: b a u32:32
// run stencil grid=32,32 group=8,8: a b u32:32
// run stencil grid=64,32 group=64: b a u32:32
__kernel void stencil(__global const float *a, __global float *b, uint n) {
  uint x = get_global_id(0), y = get_global_id(1), at = y * n + x;
  if (x >= n || y >= n)
    return;
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
    b[at] = a[at];
  else
    b[at] = a[at] + 0.2f * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n] - 4 * a[at]);
}
