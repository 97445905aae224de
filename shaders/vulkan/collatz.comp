// A loop that lanes leave one by one.
// out 0.0 4096
// groups 8 1 1
#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) writeonly buffer O { uint o[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, n = i + 1, steps = 0;
    while (n != 1) {
        n = (n & 1) == 0 ? n >> 1 : 3 * n + 1;
        steps++;
    }
    o[i] = steps;
}
