// A sum of many groups: each writes its part, and the last one, which a counter in memory finds, adds them up.
// in 0.0 65536 u32 152
// inout 0.1 512
// groups 64 1 1
// repeat 2
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) coherent buffer B { uint done, sum; uint parts[64]; };
shared uint s[256];
shared bool last;
void main() {
    uint l = gl_LocalInvocationIndex;
    s[l] = a[gl_GlobalInvocationID.x];
    for (uint n = 128; n > 0; n >>= 1) {
        barrier();
        if (l < n) s[l] += s[l + n];
    }
    if (l == 0) {
        parts[gl_WorkGroupID.x] = s[0];
        memoryBarrierBuffer();
        last = atomicAdd(done, 1) == 63;
    }
    barrier();
    if (!last) return;
    memoryBarrierBuffer();
    if (l < 64) s[l] = parts[l];
    barrier();
    if (l == 0) {
        uint all = 0;
        for (uint n = 0; n < 64; n++) all = all * 3 + s[n];
        sum += all;
        done = 0;
    }
}
