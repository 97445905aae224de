// Tiles through padded shared memory.
// in 0.0 16384 u32 28
// out 0.1 16384
// groups 4 4 1
#version 460
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
shared uint s[16][17];
void main() {
    uvec2 l = gl_LocalInvocationID.xy, g = gl_WorkGroupID.xy * 16;
    s[l.y][l.x] = a[(g.y + l.y) * 64 + g.x + l.x];
    barrier();
    b[(g.x + l.y) * 64 + g.y + l.x] = s[l.x][l.y];
}
