// A Fourier transform of 256 numbers in shared memory, radix 2, with sines and cosines of the device.
// in 0.0 1024 f32 112
// out 0.1 2048
// within f32 0.05 sin and cos may be 2^-11 apart (Vulkan, "Precision of GLSL.std.450 instructions"), in sums of 256 numbers below 10
#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) writeonly buffer B { vec2 b[]; };
shared vec2 s[256];
void main() {
    uint l = gl_LocalInvocationIndex;
    for (uint n = l; n < 256; n += 128) s[bitfieldReverse(n) >> 24] = vec2(a[n] * 0.1, 0);
    for (uint half_ = 1; half_ < 256; half_ <<= 1) {
        barrier();
        uint k = l & (half_ - 1), i = (l - k) * 2 + k;
        float angle = -3.14159265358979 * float(k) / float(half_);
        vec2 w = vec2(cos(angle), sin(angle)), x = s[i], y = s[i + half_];
        vec2 t = vec2(w.x * y.x - w.y * y.y, w.x * y.y + w.y * y.x);
        s[i] = x + t;
        s[i + half_] = x - t;
    }
    barrier();
    for (uint n = l; n < 256; n += 128) b[n] = s[n];
}
