// CRC-32 by a table of 256 words that the group first makes in shared memory; bytes out of words.
// in 0.0 16384 u32 103
// out 0.1 256
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
shared uint table[256];
void main() {
    uint l = gl_LocalInvocationIndex;
    for (uint n = l; n < 256; n += 64) {
        uint c = n;
        for (int k = 0; k < 8; k++) c = (c & 1) != 0 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[n] = c;
    }
    barrier();
    uint c = ~0u;
    for (uint n = 0; n < 256; n++) {
        uint byte = a[(l * 256 + n) >> 2] >> ((n & 3) * 8) & 255;
        c = table[(c ^ byte) & 255] ^ c >> 8;
    }
    b[l] = ~c;
}
