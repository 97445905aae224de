// Bodies that attract each other, four steps; all of them pass through shared memory.
// The order of sums and the precision of inverse square roots (2 ULP, Vulkan, "Precision of SPIR-V instructions") are left to devices.
// in 0.0 2048 f32 111
// out 0.1 2048
// within f32 2e-3 the sum of 128 terms of 2 ULP each, four steps
#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { vec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer B { vec4 b[]; };
shared vec4 bodies[128];
void main() {
    uint l = gl_LocalInvocationIndex;
    vec3 at = a[l].xyz, speed = vec3(0);
    float mass = abs(a[l].w) + 1.0;
    for (int step = 0; step < 4; step++) {
        bodies[l] = vec4(at, mass);
        barrier();
        vec3 force = vec3(0);
        for (uint n = 0; n < 128; n++) {
            vec3 d = bodies[n].xyz - at;
            float r = inversesqrt(dot(d, d) + 4.0);
            force += bodies[n].w * r * r * r * d;
        }
        speed += force * 0.01;
        at += speed * 0.01;
        barrier();
    }
    b[l] = vec4(at, length(speed));
}
