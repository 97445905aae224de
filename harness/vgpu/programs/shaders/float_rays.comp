// Rays against eight spheres: square roots, dot products, comparisons; the nearest hit's distance and normal.
// uniform 0.0 128 f32 114
// out 0.1 16384
// groups 4 4 1
// within f32 0.02 sqrt inherits from 1.0 / inversesqrt, 2 ULP; spheres that a ray only touches magnify it
#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform U { vec4 spheres[8]; };
layout(set = 0, binding = 1) writeonly buffer B { vec4 b[]; };
void main() {
    uvec2 g = gl_GlobalInvocationID.xy;
    vec3 from = vec3(0, 0, -30), to = normalize(vec3(vec2(g) / 32.0 - 0.5, 1.0));
    float nearest = 100.0;
    vec3 normal = vec3(0);
    for (int n = 0; n < 8; n++) {
        vec3 center = spheres[n].xyz, d = from - center;
        float radius = abs(spheres[n].w) * 0.5 + 1.0;
        float p = dot(d, to), q = p * p - dot(d, d) + radius * radius;
        if (q > 0.05) {
            float t = -p - sqrt(q);
            if (t > 0.0 && t < nearest) {
                nearest = t;
                normal = (from + to * t - center) / radius;
            }
        }
    }
    b[g.y * 32 + g.x] = vec4(nearest, normal);
}
