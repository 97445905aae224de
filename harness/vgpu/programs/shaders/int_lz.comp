// Work on bytes as packers do it: each lane packs 64 small numbers by repeats, and unpacks them again. Arrays of bytes in words.
// in 0.0 4096 small 3
// out 0.1 1024
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uvec4 b[]; };
uint packed_[32];
uint get(uint n) { return packed_[n >> 2] >> ((n & 3) * 8) & 255; }
void put(uint n, uint v) { packed_[n >> 2] = bitfieldInsert(packed_[n >> 2], v, int(n & 3) * 8, 8); }
void main() {
    uint l = gl_LocalInvocationIndex, size = 0, at = 0;
    for (uint n = 0; n < 32; n++) packed_[n] = 0;
    while (at < 64 && size < 120) {
        uint best = 0, from = 0;
        for (uint back = 1; back <= min(at, 15); back++) {
            uint length = 0;
            while (at + length < 64 && length < 14 && a[((at + length) * 64 + l) & 1023] == a[((at + length - back) * 64 + l) & 1023]) length++;
            if (length > best) { best = length; from = back; }
        }
        if (best > 1) { put(size++, 0x80 | best << 4 & 0x70 | from); put(size++, best); at += best; }
        else { put(size++, a[(at * 64 + l) & 1023]); at++; }
    }
    uint plain[64], made = 0, wrong = 0;
    for (uint n = 0; n < size && made < 64;) {
        uint v = get(n++);
        if ((v & 0x80) == 0) { plain[made++] = v; continue; }
        uint length = get(n++);
        for (uint k = 0; k < length && made < 64; k++, made++) plain[made] = plain[made - (v & 15)];
    }
    for (uint n = 0; n < made; n++) wrong += uint(plain[n] != a[(n * 64 + l) & 1023]);
    uint sum = 0;
    for (uint n = 0; n < 32; n++) sum = sum * 0x01000193u ^ packed_[n];
    b[l] = uvec4(size, made, wrong, sum);
}
