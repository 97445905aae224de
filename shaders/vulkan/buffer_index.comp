// An array of buffers at an index that lanes share, and one that differs from lane to lane.
// in 0.0[0] 256 u32 31
// in 0.0[1] 256 u32 32
// in 0.0[2] 256 u32 33
// in 0.0[3] 256 u32 34
// out 0.1 512
// push 2
// needs shader_storage_buffer_array_non_uniform_indexing
#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; } as[4];
layout(set = 0, binding = 1) writeonly buffer O { uvec2 o[]; };
layout(push_constant) uniform P { uint which; };
void main() {
    uint i = gl_LocalInvocationIndex;
    o[i] = uvec2(as[which].a[i], as[nonuniformEXT(i % 4)].a[63 - i]);
}
