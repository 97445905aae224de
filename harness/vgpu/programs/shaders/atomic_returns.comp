// What atomics of memory return: tickets, each given once, mark a bitmap, which must be full.
// inout 0.0 1088
// groups 16 1 1
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint counter; uint down; uint pad[14]; uint marks[]; };
void main() {
    uint ticket = atomicAdd(counter, 1);
    atomicOr(marks[ticket >> 5], 1u << (ticket & 31));
    uint other = atomicAdd(down, 0xffffffffu) + 1024;
    atomicXor(marks[32 + (other >> 5 & 31)], 1u << (other & 31));
    atomicAdd(marks[64], ticket * 3);
    atomicMax(marks[65], ticket);
}
