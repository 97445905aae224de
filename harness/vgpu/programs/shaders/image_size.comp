// How large an image is. What it is and how it is asked, the host says: IMAGE, SIZE.
#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform IMAGE t;
layout(set = 0, binding = 1) writeonly buffer O { uvec4 o[]; };
layout(push_constant) uniform P { ivec4 from; uvec4 size, span; ivec4 less; vec4 over; uint alpha, exact; int level; uint seed; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < size.x) o[i] = uvec4(SIZE);
}
