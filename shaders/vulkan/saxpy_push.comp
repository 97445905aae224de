// Push constants that lie in registers, and a bound that cuts the last group.
// in 0.0 1000 f32 3
// inout 0.1 1000 f32 4
// push 0x40200000 250
// groups 4 1 1
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform P { float a; uint n; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    precise float sum = a * x[i] + y[i];
    if (i < n) y[i] = sum;
}
