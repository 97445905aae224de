// Roots by Newton's steps until they stand still, and sums with Kahan's correction: what must not be rearranged is not.
// in 0.0 1024 f32 115
// out 0.1 2048
// near f32 8 division may be 2.5 ULP from the true quotient (Vulkan, "Precision of SPIR-V instructions")
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) writeonly buffer B { vec2 b[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    precise float x = abs(a[i]) + 0.5, r = x;
    for (int n = 0; n < 12; n++) {
        precise float q = x / r;
        r = 0.5 * (r + q);
    }
    precise float sum = 0.0, lost = 0.0;
    for (uint n = 0; n < 64; n++) {
        precise float y = abs(a[(i + n) & 255]) * 1.0001 - lost;
        precise float t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    b[i] = vec2(r, sum);
}
