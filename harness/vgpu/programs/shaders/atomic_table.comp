// A hash table that groups fill at the same time by compare and swap. Where a key lies is left to chance, and not compared; that it lies at
// one place only is checked when all are in.
// in 0.0 2048 small 300
// in 0.1 2048 small 1
// in 0.2 4096 small 1
// inout 0.3 2048
// groups 8 1 1
// repeat 2
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) coherent buffer T { uint table[]; };
layout(set = 0, binding = 2) coherent buffer M { uint most[512], least[512]; };
layout(set = 0, binding = 3) coherent buffer C { uint done, wrong, counts[]; };
void main() {
    uint key = a[gl_GlobalInvocationID.x] + 1, at = key * 0x9e3779b9u >> 23;
    for (uint tries = 0; tries < 512; tries++, at = at + 1 & 511) {
        uint there = atomicCompSwap(table[at], 0, key);
        if (there == 0 || there == key) break;
    }
    atomicMax(most[key], at + 1);
    atomicMax(least[key], 512 - at);
    bool second = atomicAdd(done, 1) >= 512;
    if (second && most[key] + least[key] != 513) atomicAdd(wrong, 1);
    atomicAdd(counts[key], 1);
}
