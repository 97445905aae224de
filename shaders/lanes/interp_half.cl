// Parameters of 16 bits, two in a word of LDS, interpolated.
// arch: gfx8 gfx900 gfx906 gfx10
// in data f16[48] = ramp(1, 1)
// in at f32[128] = ramp(-8, 0.125)
// out result f16[128]
// run interpolated_halves grid=64 group=64: data at result
#ifdef __AMDGCN__
float first_half(float i, uint channel, uint attribute, bool high, uint m0) __asm("llvm.amdgcn.interp.p1.f16");
half second_half(float sum, float j, uint channel, uint attribute, bool high, uint m0) __asm("llvm.amdgcn.interp.p2.f16");
#define HALF_AT(channel, attribute, high)                                                                              \
  second_half(first_half(i, channel, attribute, high, m0), j, channel, attribute, high, m0)
#else
#define HALF_PART(which, channel, attribute, high) (float)parts[2 * (12 * (attribute) + 4 * (which) + (channel)) + (high)]
#define HALF_AT(channel, attribute, high)                                                                              \
  (half)(HALF_PART(0, channel, attribute, high) + HALF_PART(1, channel, attribute, high) * i +                         \
         HALF_PART(2, channel, attribute, high) * j)
#endif
__kernel void interpolated_halves(__global const half *data, __global const float *at, __global half *result) {
  __local half parts[48];
  uint n = get_global_id(0);
  float i = at[n], j = at[n + 64];
  if (n < 48)
    parts[n] = data[n];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint m0 = parameters_at(parts);
  result[n] = HALF_AT(0, 0, false);
  result[n + 64] = HALF_AT(3, 1, true);
}
