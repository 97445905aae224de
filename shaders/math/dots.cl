// Dots of bf16 and of eight bit floats, of whole numbers, whose sums are exact.
// arch: gfx12..
// in data u32[256] = random(178)
// out result u32[768]
// run dots grid=128 group=64: data result
#ifdef __AMDGCN__
#define DOT2(a, b, c) __builtin_amdgcn_fdot2_f32_bf16(as_short2(a), as_short2(b), c, false)
#define DOT2_BF16(a, b, c) (ushort)__builtin_amdgcn_fdot2_bf16_bf16(as_short2(a), as_short2(b), (short)(c))
#endif
// Whole numbers from -8 to 7 in the formats: the upper half of a float, and those of eight bits.
static inline uint bf16_of(int n) { return as_uint((float)n) >> 16; }
static inline uint small_float(int n, int mantissa, int bias) {
  uint bits = as_uint((float)n);
  return n == 0 ? 0 : bits >> 31 << 7 | ((bits >> 23 & 255) - 127 + bias) << mantissa | (bits & 0x7fffff) >> 23 - mantissa;
}
static inline int nibble_at(uint x, uint n) { return (int)(x << 28 - 4 * n) >> 28; }
__kernel void dots(__global const uint *data, __global uint *result) {
  uint i = get_global_id(0), x = data[i], y = data[i + 128];
  uint a = bf16_of(nibble_at(x, 0)) | bf16_of(nibble_at(x, 1)) << 16, b = bf16_of(nibble_at(y, 0)) | bf16_of(nibble_at(y, 1)) << 16;
  int c = nibble_at(x, 2), sum2 = nibble_at(x, 0) * nibble_at(y, 0) + nibble_at(x, 1) * nibble_at(y, 1) + c;
  uint fx = 0, bx = 0, fy = 0, by = 0;
  int sum4 = c;
  for (uint n = 0; n < 4; n++) {
    // Bf8 has two bits of mantissa: even numbers above four.
    int p = nibble_at(x, n + 3), q = nibble_at(y, n + 3);
    p = p > 4 || p < -4 ? p & ~1 : p, q = q > 4 || q < -4 ? q & ~1 : q;
    fx |= small_float(p, 3, 7) << 8 * n, bx |= small_float(p, 2, 15) << 8 * n;
    fy |= small_float(q, 3, 7) << 8 * n, by |= small_float(q, 2, 15) << 8 * n;
    sum4 += p * q;
  }
#ifdef __AMDGCN__
  result[i] = as_uint(DOT2(a, b, (float)c));
  result[i + 128] = as_uint(__builtin_amdgcn_dot4_f32_fp8_fp8(fx, fy, (float)c));
  result[i + 256] = as_uint(__builtin_amdgcn_dot4_f32_fp8_bf8(fx, by, (float)c));
  result[i + 384] = as_uint(__builtin_amdgcn_dot4_f32_bf8_fp8(bx, fy, (float)c));
  result[i + 512] = as_uint(__builtin_amdgcn_dot4_f32_bf8_bf8(bx, by, (float)c));
  result[i + 640] = DOT2_BF16(a, b, bf16_of(c));
#else
  result[i + 640] = bf16_of(sum2);
  result[i] = as_uint((float)sum2);
  for (uint n = 1; n < 5; n++)
    result[i + 128 * n] = as_uint((float)sum4);
#endif
}
