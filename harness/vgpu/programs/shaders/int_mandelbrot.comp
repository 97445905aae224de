// The set of Mandelbrot in fixed point with 12 bits behind the point: products of signed words, a loop that lanes leave one by one.
// out 0.0 4096
// groups 4 4 1
#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) writeonly buffer O { uint o[]; };
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    int cx = at.x * 384 - 8192, cy = at.y * 256 - 4096, x = 0, y = 0;
    uint n = 0;
    while (n < 200 && (x * x + y * y) >> 12 < 4 << 12) {
        int t = ((x * x - y * y) >> 12) + cx;
        y = (x * y >> 11) + cy;
        x = t;
        n++;
    }
    o[at.y * 32 + at.x] = n << 16 ^ uint(x) ^ uint(y) << 8;
}
