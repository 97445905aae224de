// Loads from a buffer that leave in LDS what they read, each lane in a word of its own. Before single bytes and halves are zeroes.
// arch: gfx6..gfx10
// in data u32[256] = random(179)
// out result u32[192]
// run to_lds grid=64 group=32: data result
#ifdef __AMDGCN__
typedef int Buffer4 __attribute__((ext_vector_type(4)));
void buffer_load_lds(Buffer4 from, __local uint *to, int size, int voffset, int soffset, int offset, int aux)
    __asm("llvm.amdgcn.raw.buffer.load.lds");
#ifdef __GFX10__
#define FORMAT 0x31014fac
#else
#define FORMAT 0x00027fac
#endif
#endif
__kernel void to_lds(__global const uint *data, __global uint *result) {
  __local uint words[32], bytes[32], halves[32];
  uint i = get_global_id(0);
#ifdef __AMDGCN__
  Buffer4 from = {(int)(ulong)data, (int)((ulong)data >> 32) & 0xffff, 1024, FORMAT};
  buffer_load_lds(from, words, 4, 4 * (i ^ 5), 256, 0, 0);
  buffer_load_lds(from, bytes, 1, 4 * i + 1, 0, 0, 0);
  buffer_load_lds(from, halves, 2, 4 * i, 2, 0, 0);
#else
  words[LANE] = data[(i ^ 5) + 64];
  bytes[LANE] = data[i] >> 8 & 0xff;
  halves[LANE] = data[i] >> 16;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  uint other = LANE ^ 9;
  result[i] = words[other];
  result[i + 64] = bytes[other];
  result[i + 128] = halves[other];
}
