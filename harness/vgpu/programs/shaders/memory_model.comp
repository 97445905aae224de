// A message from group to group: data is written, then a flag is released; who acquires the flag must see the data.
// needs vulkan_memory_model vulkan_memory_model_device_scope
// inout 0.0 512
// groups 16 1 1
#version 460
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { uint flag, wrong, seen, data[16]; };
void main() {
    if (gl_LocalInvocationIndex != 0) return;
    uint g = gl_WorkGroupID.x;
    data[g] = g + 100;
    uint before = atomicAdd(flag, 1u << g, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
    for (uint n = 0; n < 16; n++) {
        if ((before >> n & 1) != 0 && data[n] != n + 100) atomicAdd(wrong, 1, gl_ScopeDevice, 0, 0);
    }
    atomicAdd(seen, 1, gl_ScopeDevice, 0, 0);
}
