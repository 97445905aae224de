// Shared memory that is zero before anybody writes it.
// needs shader_zero_initialize_workgroup_memory
// out 0.0 1024
// groups 4 1 1
// repeat 2
#version 460
#extension GL_EXT_null_initializer : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer O { uint o[]; };
shared uint s[1024] = {};
void main() {
    uint l = gl_LocalInvocationIndex, sum = 1;
    for (uint n = l; n < 1024; n += 64) { sum += s[n]; s[n] = n + 7; }
    barrier();
    o[gl_GlobalInvocationID.x] += sum * 3 + s[l * 5 & 1023];
}
