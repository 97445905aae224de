// Specialization constants of every type, one of them the size of the group and of an array.
// out 0.0 4096
// spec 0 32
// spec 1 1
// spec 2 0xffffffd6
// spec 3 0x40490fdb
// groups 2 1 1
#version 460
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const bool flag = false;
layout(constant_id = 2) const int number = 1;
layout(constant_id = 3) const float real = 1.0;
layout(constant_id = 4) const uint unset = 77;
const int twice = flag ? number * 2 : number;
layout(set = 0, binding = 0) writeonly buffer O { uvec4 o[]; };
shared uint s[gl_WorkGroupSize.x + 1];
void main() {
    uint l = gl_LocalInvocationIndex;
    s[l] = l * 3;
    barrier();
    o[gl_GlobalInvocationID.x] = uvec4(s[gl_WorkGroupSize.x - 1 - l], uint(twice), floatBitsToUint(real), unset);
}
