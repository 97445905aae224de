// Every atomic of shared memory, 32 bits, with results that no order changes; what they return is checked by its sum.
// out 0.0 64
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) writeonly buffer O { uint o[]; };
shared uint s[12];
shared int least;
void main() {
    uint l = gl_LocalInvocationIndex, h = l * 0x9e3779b9u;
    if (l < 12) s[l] = l == 2 || l == 3 ? ~0u : 0;
    if (l == 0) least = 0;
    barrier();
    uint ticket = atomicAdd(s[0], 1);
    atomicAdd(s[1], ticket);
    atomicMin(s[2], h);
    atomicAnd(s[3], ~(1u << (l & 15)));
    atomicMax(s[4], h);
    atomicOr(s[5], 1u << (h >> 27));
    atomicXor(s[6], h);
    atomicMin(least, int(h));
    // Each exchange takes what another gave: together all but the last are seen.
    atomicXor(s[8], atomicExchange(s[7], l + 1));
    // A compare and swap that is repeated until it holds.
    for (bool done = false; !done;) {
        uint old = s[9];
        done = atomicCompSwap(s[9], old, old * 3 + 1) == old;
    }
    barrier();
    if (l == 0) { o[10] = s[8] ^ s[7]; o[11] = uint(least); }
    if (l < 10 && l != 7 && l != 8) o[l] = s[l];
}
