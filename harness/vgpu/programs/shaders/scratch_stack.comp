// Quicksort with a stack of its own in each lane: two arrays in scratch memory, loops that end anywhere.
// in 0.0 16384 u32 141
// out 0.1 16384
// groups 2 1 1
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
void main() {
    uint i = gl_GlobalInvocationID.x * 32, v[32];
    ivec2 stack[32];
    for (uint n = 0; n < 32; n++) v[n] = a[i + n];
    int top = 0;
    stack[top++] = ivec2(0, 31);
    while (top > 0) {
        ivec2 part = stack[--top];
        if (part.x < part.y) {
            uint pivot = v[part.y];
            int at = part.x;
            for (int n = part.x; n < part.y; n++) {
                if (v[n] < pivot) {
                    uint t = v[n];
                    v[n] = v[at];
                    v[at++] = t;
                }
            }
            v[part.y] = v[at];
            v[at] = pivot;
            stack[top++] = ivec2(part.x, at - 1);
            stack[top++] = ivec2(at + 1, part.y);
        }
    }
    for (uint n = 0; n < 32; n++) b[i + n] = v[n];
}
