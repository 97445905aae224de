// Adds to a counter by atomics; who ran is counted, and so is how often.
// inout 0.0 64
// push 1
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint k; };
void main() {
    uvec3 n = gl_NumWorkGroups;
    atomicAdd(b[0], k);
    if (gl_LocalInvocationIndex == 0) {
        atomicAdd(b[1], 1);
        atomicAdd(b[2], n.x + n.y * 100 + n.z * 10000);
        atomicAdd(b[3], gl_WorkGroupID.x + gl_WorkGroupID.y * 100 + gl_WorkGroupID.z * 10000);
    }
}
