// A group that is no whole number of waves, and a barrier for all of it.
// in 0.0 1152 u32 26
// out 0.1 1152
// groups 3 1 1
#version 460
layout(local_size_x = 12, local_size_y = 8) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
shared uint s[96];
void main() {
    uint l = gl_LocalInvocationIndex, i = gl_WorkGroupID.x * 96 + l;
    s[l] = a[i];
    barrier();
    b[i] = s[(l * 5 + 7) % 96] + gl_LocalInvocationID.y;
}
