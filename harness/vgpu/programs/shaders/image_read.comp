// Texels of an image at a box of positions. What the image is and how it is read, the host says: IMAGE, READ.
#version 460
#extension GL_EXT_shader_image_load_formatted : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform IMAGE t;
layout(set = 0, binding = 1) writeonly buffer O { uvec4 o[]; };
layout(push_constant) uniform P { ivec4 from; uvec4 size, span; ivec4 less; vec4 over; uint alpha, exact; int level; uint seed; };
void main() {
    uint i = gl_GlobalInvocationID.x, xy = size.x * size.y, xyz = xy * size.z;
    if (i >= xyz * size.w) return;
    ivec4 p = from + ivec4(i % size.x, i / size.x % size.y, i / xy % size.z, i / xyz);
    VEC v = READ;
    uvec4 w = WORDS;
    o[i] = uvec4(w.xyz, w.w * alpha);
}
