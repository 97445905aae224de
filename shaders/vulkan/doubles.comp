// Doubles: sums, products, comparisons, rounding, conversions. Whether fma is fused is left to drivers.
// in 0.0 1024 f32 43
// out 0.1 4096
// needs shader_float64
#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { vec2 a[]; };
layout(set = 0, binding = 1) writeonly buffer B { dvec4 b[]; };
void main() {
    uint l = gl_LocalInvocationIndex;
    precise double x = double(a[l].x) * 1.0000000001LF, y = double(a[l].y) + 0.1LF;
    precise double p = x * y;
    precise double s = p + x;
    precise double t = p - x * 3.0LF;
    precise double u = max(x, y) - double(a[l].x);
    b[l] = dvec4(s, t, floor(x) + trunc(y) + double(int(y)), u);
}
