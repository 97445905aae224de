// Functions with references to arrays and structures, and matrices.
// in 0.0 4096 f32 22
// out 0.1 4096
// near f32 16
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { mat4 a[]; };
layout(set = 0, binding = 1) writeonly buffer B { mat4 b[]; };
struct Pair { mat4 m; vec4 v; };
void scale(inout Pair p, float by) { p.m[1] *= by; p.v += p.m[2]; }
Pair make(mat4 m, uint n) { Pair p; p.m = transpose(m); p.v = m[n & 3]; return p; }
void main() {
    uint i = gl_LocalInvocationIndex;
    Pair p = make(a[i], i);
    scale(p, 0.5);
    precise mat4 r = p.m;
    r[0] = p.v;
    r[3] = abs(p.m[3]) + floor(p.v) * 0.25;
    b[i] = r;
}
