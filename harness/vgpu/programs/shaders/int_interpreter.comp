// A small machine: each lane runs a program of its own with registers in an array, memory in scratch, jumps in loops.
// in 0.0 4096 u32 104
// out 0.1 2048
// groups 2 1 1
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint code[]; };
layout(set = 0, binding = 1) writeonly buffer B { uvec4 b[]; };
void main() {
    uint i = gl_GlobalInvocationID.x, pc = i * 8, r[8], memory[32];
    for (uint n = 0; n < 8; n++) r[n] = n * 0x9e3779b9u + i;
    for (uint n = 0; n < 32; n++) memory[n] = n;
    uint steps = 0;
    for (; steps < 150; steps++) {
        uint word = code[pc & 1023], d = word >> 4 & 7, s = word >> 8 & 7, t = word >> 12 & 7, k = word >> 16;
        pc++;
        switch (word & 15) {
            case 0: r[d] = r[s] + r[t]; break;
            case 1: r[d] = r[s] - r[t]; break;
            case 2: r[d] = r[s] * r[t]; break;
            case 3: r[d] = r[s] ^ k; break;
            case 4: r[d] = r[s] << (r[t] & 31); break;
            case 5: r[d] = r[s] >> (k & 31); break;
            case 6: r[d] = memory[r[s] & 31]; break;
            case 7: memory[r[s] & 31] = r[d] + k; break;
            case 8: if (r[d] < r[s]) pc += k & 15; break;
            case 9: if ((r[d] & 1) == 0) pc -= k & 7; break;
            case 10: r[d] = r[s] / (r[t] | 1); break;
            case 11: r[d] = uint(bitCount(r[s])) + k; break;
            case 12: r[d] = bitfieldReverse(r[t]); break;
            case 13: if (r[d] % 5 == 0) pc = k; break;
            case 14: { uint x = r[d]; r[d] = r[s]; r[s] = x; break; }
            default: r[d] = k; if ((k & 0x7f) == 3) { steps += 1000; } break;
        }
    }
    uint sum = 0;
    for (uint n = 0; n < 32; n++) sum = sum * 31 + memory[n];
    b[i] = uvec4(r[0] ^ r[1] ^ r[2] ^ r[3], r[4] ^ r[5] ^ r[6] ^ r[7], sum, steps << 16 | (pc & 0xffff));
}
