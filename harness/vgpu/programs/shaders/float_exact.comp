// What Vulkan says to the bit: sums, products, rounding, conversions, comparisons, bits; infinities come and go.
// in 0.0 1024 f32 116
// out 0.1 8192
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uvec4 b[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    precise float x = a[i] * 1.000123, y = a[255 - i] + 0.37;
    precise float p = x * y, s = p + x, d = s - y * 3.0;
    float big = x * 1e30 * 1e9;
    b[2 * i] = uvec4(floatBitsToUint(p), floatBitsToUint(s), floatBitsToUint(d), uint(isinf(big)) | uint(x < y) << 1 | uint(big > 1e38) << 2);
    b[2 * i + 1] = uvec4(floatBitsToUint(trunc(x) + ceil(y)), floatBitsToUint(clamp(x, -1.0, 1.5)),
        floatBitsToUint(mix(x, y, (i & 1) == 0)), uint(int(x * 1000.0)) ^ uint(abs(y) * 1e6));
}
