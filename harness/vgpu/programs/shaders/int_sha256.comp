// SHA-256 of 64 messages of one block each: rotations, a schedule in an array, a table of constants.
// in 0.0 4096 u32 101
// out 0.1 2048
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
const uint K[64] = uint[](
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2);
uint rotr(uint x, int n) { return x >> n | x << (32 - n); }
void main() {
    uint i = gl_LocalInvocationIndex;
    uint w[64];
    for (int n = 0; n < 16; n++) w[n] = a[i * 16 + n];
    for (int n = 16; n < 64; n++) {
        uint s0 = rotr(w[n - 15], 7) ^ rotr(w[n - 15], 18) ^ w[n - 15] >> 3;
        uint s1 = rotr(w[n - 2], 17) ^ rotr(w[n - 2], 19) ^ w[n - 2] >> 10;
        w[n] = w[n - 16] + s0 + w[n - 7] + s1;
    }
    uint h[8] = uint[](0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);
    uint v[8] = h;
    for (int n = 0; n < 64; n++) {
        uint s1 = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25);
        uint t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + K[n] + w[n];
        uint s0 = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22);
        uint t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        for (int m = 7; m > 0; m--) v[m] = v[m - 1];
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int n = 0; n < 8; n++) b[i * 8 + n] = h[n] + v[n];
}
