// Values in accumulation registers: there, from one to another, and back.
// arch: gfx90a gfx942
// in data u32[128] = random(180)
// out result u32[128]
// run accumulators grid=128 group=64: data result
#ifdef __AMDGCN__
// The compiler brings a value to where a constraint wants it.
#define THERE(x) __asm__ volatile("" : "+a"(x))
#define MOVED(x, y) __asm__ volatile("v_accvgpr_mov_b32 %0, %1" : "=a"(y) : "a"(x))
#else
#define THERE(x)
#define MOVED(x, y) y = x
#endif
__kernel void accumulators(__global const uint *data, __global uint *result) {
  uint i = get_global_id(0), x = data[i], y = data[127 - i], z;
  THERE(x);
  x = x * 3 + y;
  THERE(y);
  MOVED(y, z);
  result[i] = x ^ z * 5;
}
