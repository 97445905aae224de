// Groups whose numbers do not begin with zero.
// inout 0.0 4096
// base 2 1 3
// groups 3 2 2
#version 460
layout(local_size_x = 4, local_size_y = 2, local_size_z = 2) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
    uvec3 g = gl_GlobalInvocationID;
    uint at = ((g.z - 6) * 4 + g.y - 2) * 12 + g.x - 8;
    b[at & 1023] += gl_WorkGroupID.x + gl_WorkGroupID.y * 10 + gl_WorkGroupID.z * 100 + gl_NumWorkGroups.x * 1000 + 1;
}
