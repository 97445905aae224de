// Linked lists by addresses of the device: each lane walks its own through 64-bit pointers; vectors and words are read by them.
// needs buffer_device_address shader_int64
#version 460
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node { uvec2 next; uint value, pad; uvec4 more; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Out { uint o[]; };
layout(push_constant) uniform P { uvec2 nodes, result; uint count; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    Node node = Node(nodes) + int(i % count);
    uint sum = 0, steps = 0;
    while (steps < 40) {
        sum = sum * 31 + node.value + node.more[steps & 3];
        steps++;
        if (all(equal(node.next, uvec2(0)))) break;
        node = Node(node.next);
    }
    Out to = Out(result);
    to.o[i * 2] = sum;
    to.o[i * 2 + 1] = steps;
}
