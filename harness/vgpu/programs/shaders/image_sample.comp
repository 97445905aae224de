// Samples of an image at coordinates that the host gives: for each lane `c`, then level, reference and steps in `e`. What the image is
// and how it is sampled, the host says too: IMAGE, SAMPLE.
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform IMAGE t;
layout(set = 0, binding = 1) writeonly buffer O { uvec4 o[]; };
layout(set = 0, binding = 2) readonly buffer Given { vec4 coordinates[]; };
layout(push_constant) uniform P { ivec4 from; uvec4 size, span; ivec4 less; vec4 over; uint alpha, exact; int level; uint seed; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= size.x) return;
    vec4 c = coordinates[i * 2], e = coordinates[i * 2 + 1];
    VEC v = SAMPLE;
    o[i] = WORDS;
}
