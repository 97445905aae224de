// Transcendental functions and division, as near as Vulkan asks.
// in 0.0 1024 f32 24
// out 0.1 4096
// near f32 4096
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) writeonly buffer B { vec4 b[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    float x = abs(a[i]) + 0.25;
    b[i] = vec4(exp2(x), 3.0 / x, sqrt(x), inversesqrt(x));
}
