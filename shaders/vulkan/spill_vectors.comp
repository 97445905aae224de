// Scratch memory with vectors of four and bytes' worth of stack, several groups of several waves.
// in 0.0 2048 u32 17
// out 0.1 8192
// groups 4 1 1
#version 460
layout(local_size_x = 64, local_size_y = 2) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uvec4 b[]; };
void main() {
    uint i = gl_WorkGroupID.x * 128 + gl_LocalInvocationIndex;
    uvec4 stack[24];
    for (uint n = 0; n < 24; n++) stack[n] = uvec4(n, n * n, i + n, i ^ n);
    uint v = a[i];
    uint top = v % 24;
    for (uint n = 0; n < 20; n++) {
        uvec4 x = stack[top];
        top = (x.x + x.w + v) % 24;
        stack[top] += x.yzwx + uvec4(n);
    }
    uvec4 all = uvec4(0);
    for (uint n = 0; n < 24; n++) all = all * 3 + stack[n];
    b[i] = all;
}
