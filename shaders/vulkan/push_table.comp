// Push constants with an index that only the run knows: they lie in memory.
// out 0.0 256
// push 3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer O { uint o[]; };
layout(push_constant) uniform P { uint table[16]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    uint sum = 0;
    for (uint n = 0; n <= (i & 15); n++) sum += table[n] * (i + 1);
    o[i] = sum;
}
