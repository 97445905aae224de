// Conway's game of life on a torus of 64 x 64 in shared memory, 20 generations, 16 cells a lane.
// in 0.0 16384 small 2
// out 0.1 16384
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
shared uint cells[2][4096];
void main() {
    uint l = gl_LocalInvocationIndex;
    for (uint n = l; n < 4096; n += 256) cells[0][n] = a[n];
    barrier();
    for (uint g = 0; g < 20; g++) {
        uint now = g & 1;
        for (uint n = l; n < 4096; n += 256) {
            uint x = n & 63, y = n >> 6, count = 0;
            for (uint dy = 63; dy <= 65; dy++) {
                for (uint dx = 63; dx <= 65; dx++) {
                    if (dx != 64 || dy != 64) count += cells[now][((y + dy & 63) << 6) + (x + dx & 63)];
                }
            }
            cells[1 - now][n] = uint(count == 3 || count == 2 && cells[now][n] == 1);
        }
        barrier();
    }
    for (uint n = l; n < 4096; n += 256) b[n] = cells[0][n];
}
