// A group of one work-item, and groups in y and z alone.
// out 0.0 96
// groups 1 4 3
#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) writeonly buffer O { uvec2 o[]; };
void main() {
    o[gl_WorkGroupID.z * 4 + gl_WorkGroupID.y] = uvec2(gl_WorkGroupID.y * 100 + gl_WorkGroupID.z, gl_NumWorkGroups.z);
}
