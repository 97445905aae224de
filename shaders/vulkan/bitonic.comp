// Bitonic sort in shared memory: loops in loops, exchanges that depend on the lane.
// in 0.0 1024 u32 7
// out 0.1 1024
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
shared uint s[256];
void main() {
    uint l = gl_LocalInvocationIndex;
    s[l] = a[l];
    for (uint k = 2; k <= 256; k <<= 1) {
        for (uint j = k >> 1; j > 0; j >>= 1) {
            barrier();
            uint o = l ^ j;
            if (o > l) {
                bool up = (l & k) == 0;
                if ((s[l] > s[o]) == up) {
                    uint t = s[l];
                    s[l] = s[o];
                    s[o] = t;
                }
            }
        }
    }
    barrier();
    b[l] = s[l];
}
