// Bit fields, counts, reversal, carries, extended products.
// in 0.0 1024 u32 25
// out 0.1 8192
#version 460
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uvec4 b[]; };
void main() {
    uint i = gl_LocalInvocationIndex, x = a[i], y = a[255 - i];
    uint carry, borrow, high, low;
    uint sum = uaddCarry(x, y, carry), difference = usubBorrow(x, y, borrow);
    umulExtended(x, y, high, low);
    b[2 * i] = uvec4(bitCount(x), bitfieldReverse(x), findMSB(x) ^ findLSB(y) << 8, bitfieldExtract(x, int(y & 15), 9));
    b[2 * i + 1] = uvec4(bitfieldInsert(x, y, 7, 11), sum ^ carry, difference + borrow, high ^ low);
}
