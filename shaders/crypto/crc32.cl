// CRC-32 of 64 strings, bit by bit, and with a table that the group makes in LDS.
// in data u8[2048] = random(44)
// out slow u32[64]
// out fast u32[64]
// run crc32 grid=64 group=64: data slow fast
__kernel void crc32(__global const uchar *data, __global uint *slow, __global uint *fast) {
  __local uint table[256];
  uint id = get_local_id(0);
  for (uint i = id; i < 256; i += 64) {
    uint c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    table[i] = c;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint a = ~0u, b = ~0u;
  for (uint i = 0; i < (id & 31) + 1; i++) {
    uchar byte = data[id * 32 + i];
    a ^= byte;
    for (int k = 0; k < 8; k++)
      a = a >> 1 ^ (-(a & 1) & 0xedb88320u);
    b = table[(b ^ byte) & 255] ^ b >> 8;
  }
  slow[id] = ~a;
  fast[id] = ~b;
}
