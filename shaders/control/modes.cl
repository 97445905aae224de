// The mode of a wave: single floats rounded in four directions, denormals kept and flushed; the directions are read back.
// in a f32[128] = uniform(172, -9, 9)
// in b f32[128] = uniform(173, -9, 9)
// in bits u32[128] = random(174)
// out result f32[1408]
// out mode u32[128]
// run directions grid=128 group=64: a b result mode u32:1 u32:2 u32:3
// run denormals grid=128 group=64: bits result u32:0 u32:3
#ifdef __AMDGCN__
// MODE is register 1; an offset and a width less one name a part of it.
#define PART(offset, width) (1 | (offset) << 6 | ((width) - 1) << 11)
#define ROUND(direction) __builtin_amdgcn_s_setreg(PART(0, 4), (direction) * 5)
#define DIRECTION __builtin_amdgcn_s_getreg(PART(0, 2))
#define KEEP(denormals) __builtin_amdgcn_s_setreg(PART(4, 4), (denormals) | 12)
#define PIN(x) __asm__ volatile("" : "+v"(x))
#else
// MXCSR of the host, whose directions down and up have each other's number.
#define OTHER(direction) ((direction) == 1 || (direction) == 2 ? 3 - (direction) : (direction))
#define ROUND(direction) __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() & ~0x6000u | OTHER(direction) << 13)
#define DIRECTION OTHER(__builtin_ia32_stmxcsr() >> 13 & 3)
#define KEEP(denormals) __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() & ~0x8040u | ((denormals) ? 0 : 0x8040))
#define PIN(x) __asm__ volatile("" : "+x"(x))
#endif
// What is computed between two changes of the mode stays between them.
static inline float sum(float x, float y) {
  PIN(x);
  PIN(y);
  float r = x + y;
  PIN(r);
  return r;
}
static inline float product(float x, float y) {
  PIN(x);
  PIN(y);
  float r = x * y;
  PIN(r);
  return r;
}
__kernel void directions(__global const float *a, __global const float *b, __global float *result, __global uint *mode,
                       uint up, uint down, uint zero) {
  uint i = get_global_id(0);
  float x = a[i], y = b[i];
  // Directions that the compiler knows, and some that it does not.
  ROUND(1);
  float r0 = sum(x, y);
  uint d = DIRECTION;
  ROUND(down);
  float r1 = sum(x, y);
  d = d << 2 | DIRECTION;
  ROUND(zero);
  float r2 = product(x, y);
  d = d << 2 | DIRECTION;
  ROUND(up);
  float r3 = product(x, y);
  d = d << 2 | DIRECTION;
  ROUND(3);
  float r4 = sum(x, y);
  ROUND(2);
  float r5 = product(x, y);
  ROUND(0);
  float r6 = product(x, y);
  result[i] = r0, result[i + 128] = r1, result[i + 256] = r2, result[i + 384] = r3, result[i + 512] = r4;
  result[i + 640] = r5, result[i + 768] = r6;
  mode[i] = d << 2 | DIRECTION;
}
__kernel void denormals(__global const uint *bits, __global float *result, uint flush, uint keep) {
  uint i = get_global_id(0);
  // All of the first are denormal; of the others none is, nor is a sum of both.
  float x = as_float(bits[i] & 0x803fffff), y = as_float(bits[i] & 0x80000000 | 0x00c00000);
  KEEP(flush);
  float r0 = sum(x, -y);
  KEEP(keep);
  float r1 = sum(x, -y);
  KEEP(0);
  float r2 = sum(x, y);
  KEEP(3);
  float r3 = sum(x, x);
  result[i + 896] = r0, result[i + 1024] = r1, result[i + 1152] = r2, result[i + 1280] = r3;
}
