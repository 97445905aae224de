// Products of four bytes and of two halves, summed with and without saturation, through the instructions of SPIR-V.
// needs shader_integer_dot_product
// in 0.0 2048 u32 109
// out 0.1 6144
#version 460
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = 4450)
int signed_dot(uint x, uint y, spirv_literal int form);
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = 4451)
uint unsigned_dot(uint x, uint y, spirv_literal int form);
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = 4452)
int mixed_dot(uint x, uint y, spirv_literal int form);
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = 4453)
int signed_sum(uint x, uint y, int z, spirv_literal int form);
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = 4454)
uint unsigned_sum(uint x, uint y, uint z, spirv_literal int form);
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = 4455)
int mixed_sum(uint x, uint y, int z, spirv_literal int form);
void main() {
    uint i = gl_LocalInvocationIndex, x = a[i], y = a[i + 256];
    b[i * 6] = uint(signed_dot(x, y, 0));
    b[i * 6 + 1] = unsigned_dot(x, y, 0);
    b[i * 6 + 2] = uint(mixed_dot(x, y, 0));
    b[i * 6 + 3] = uint(signed_sum(x, y, (i & 1) == 0 ? 0x7fffff00 : int(0x80000100), 0));
    b[i * 6 + 4] = unsigned_sum(x, y, 0xffff8000u, 0);
    b[i * 6 + 5] = uint(mixed_sum(x, y, int(y), 0));
}
