// ds_swizzle: masks of and, or, xor over 32 lanes, and quad permutations; on every processor.
// in data u32[128] = random(132)
// out result u32[512]
// run swizzle grid=128 group=64: data result
#ifdef __AMDGCN__
#define SWIZZLE(x, pattern, from) __builtin_amdgcn_ds_swizzle(x, pattern)
#else
#define SWIZZLE(x, pattern, from) lane_read(x, from)
#endif
__kernel void swizzle(__global const uint *data, __global uint *result) {
  uint i = get_global_id(0), x = data[i], lane = LANE;
  result[i] = SWIZZLE(x, 0x041f, lane ^ 1);
  result[i + 128] = SWIZZLE(x, 0x7c1f, lane ^ 31);
  result[i + 256] = SWIZZLE(x, 0x00b8, (lane & 24) | 5);
  result[i + 384] = SWIZZLE(x, 0x8039, (lane & ~3u) | (0x39 >> (lane & 3) * 2 & 3));
}
