// out[i] = out[i] * 31 + in[i] + k: what one queue does with what another one left.
// inout 0.0 1024 u32 162
// inout 0.1 1024 u32 163
// push 3
// groups 4 1 1
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(push_constant) uniform P { uint k; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    b[i] = b[i] * 31 + a[i] + k;
}
