// Loads from global memory that leave in LDS what they read, each lane in a word of its own; an offset of the instruction counts on
// both sides. Before single bytes and halves are zeroes.
// arch: gfx900 gfx906 gfx90a gfx10
// in data u32[256] = random(181)
// out result u32[192]
// run global_to_lds grid=64 group=32: data result
#ifdef __AMDGCN__
void global_load_lds(__global const void *from, __local uint *to, uint size, uint offset, uint aux)
    __asm("llvm.amdgcn.global.load.lds");
#endif
__kernel void global_to_lds(__global const uint *data, __global uint *result) {
  __local uint words[96], bytes[32], halves[32];
  uint i = get_global_id(0);
#ifdef __AMDGCN__
  // Clang 19 fails where it takes such an address apart, and where it knows those in LDS.
  __global const uint *word = data + (i ^ 5);
  __global const uchar *part = (__global const uchar *)(data + i) + 1, *part2 = part + 1;
  __local uint *w = words, *b = bytes, *h = halves;
  __asm__ volatile("" : "+v"(word), "+v"(part), "+v"(part2), "+s"(w), "+s"(b), "+s"(h) : : "memory");
  global_load_lds(word, w, 4, 256, 0);
  global_load_lds(part, b, 1, 0, 0);
  global_load_lds(part2, h, 2, 0, 0);
#else
  words[64 + LANE] = data[(i ^ 5) + 64];
  bytes[LANE] = data[i] >> 8 & 0xff;
  halves[LANE] = data[i] >> 16;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  uint other = LANE ^ 9;
  result[i] = words[64 + other];
  result[i + 64] = bytes[other];
  result[i + 128] = halves[other];
}
