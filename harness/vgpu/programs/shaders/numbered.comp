// Buffers by numbers that lanes differ in; host code fills only some places of the array.
#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; } all[];
layout(push_constant) uniform P { uint into, count; };
void main() {
    uint l = gl_LocalInvocationIndex, n = (l % count) * 3;
    all[into].b[l] = all[nonuniformEXT(n)].b[l] * 7 + n;
}
