// A radix sort of 512 words in one group, four bits at a time, stable: counts, sums, places.
// in 0.0 2048 u32 131
// out 0.1 2048
#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
shared uint keys[2][512], counts[16 * 128], total[16];
void main() {
    uint l = gl_LocalInvocationIndex;
    for (uint n = 0; n < 4; n++) keys[0][l * 4 + n] = a[l * 4 + n];
    for (uint pass = 0; pass < 8; pass++) {
        uint from = pass & 1, shift = pass * 4;
        for (uint d = 0; d < 16; d++) counts[d * 128 + l] = 0;
        for (uint n = 0; n < 4; n++) counts[(keys[from][l * 4 + n] >> shift & 15) * 128 + l]++;
        barrier();
        if (l < 16) {
            uint sum = 0;
            for (uint n = 0; n < 128; n++) {
                uint c = counts[l * 128 + n];
                counts[l * 128 + n] = sum;
                sum += c;
            }
            total[l] = sum;
        }
        barrier();
        for (uint n = 0; n < 4; n++) {
            uint key = keys[from][l * 4 + n], d = key >> shift & 15, base = 0;
            for (uint k = 0; k < d; k++) base += total[k];
            keys[1 - from][base + counts[d * 128 + l]++] = key;
        }
        barrier();
    }
    for (uint n = 0; n < 4; n++) b[l * 4 + n] = keys[0][l * 4 + n];
}
