// Typed accesses of gfx8 to components of 16 bits, each of which has a register of its own there: one to four halves, bytes that
// become halves, halves that become floats.
// arch: gfx8
// in wide f16[256] = uniform(188, -99, 99)
// in narrow u8[256] = random(189)
// out result f16[896]
// out floats f32[384]
// run typed_halves grid=64 group=64: wide narrow result floats
#ifdef __AMDGCN__
typedef uint Typed __attribute__((ext_vector_type(4)));
typedef half half1;
#define OF(name) __asm("llvm.amdgcn.raw." name)
#define TYPED(n, type)                                                                                                 \
  half##n load##n(Typed from, uint at, uint more, uint cache) OF("buffer.load.format." type);                       \
  half##n tload##n(Typed from, uint at, uint more, uint format, uint cache) OF("tbuffer.load." type);               \
  void store##n(half##n value, Typed to, uint at, uint more, uint cache) OF("buffer.store.format." type);           \
  void tstore##n(half##n value, Typed to, uint at, uint more, uint format, uint cache) OF("tbuffer.store." type)
TYPED(1, "f16");
TYPED(2, "v2f16");
TYPED(3, "v3f16");
TYPED(4, "v4f16");
// A data format and a numeric one, as an instruction has them, and as a descriptor has them.
enum { HALF = 2 | 7 << 4, HALF2 = 5 | 7 << 4, HALF4 = 12 | 7 << 4, FLOAT3 = 13 | 7 << 4, BYTE4 = 10 | 2 << 4 };
static inline Typed typed(__global const void *p, uint format) {
  uint bits = 0xfac | (format >> 4) << 12 | (format & 15) << 15;
  return (Typed){(uint)(ulong)p, (uint)((ulong)p >> 32) & 0xffff, 1792, bits};
}
#endif
__kernel void typed_halves(__global const half *wide, __global const uchar *narrow, __global half *result,
                           __global float *floats) {
  uint i = get_global_id(0);
#ifdef __AMDGCN__
  Typed any = typed(wide, HALF), to = typed(result, HALF);
  store4(load4(typed(narrow, BYTE4), 4 * i, 0, 0), typed(result, HALF4), 8 * i, 0, 0);
  tstore4(tload4(any, 8 * i, 0, HALF4, 0), to, 8 * i, 512, HALF4, 0);
  store2(load2(typed(wide, HALF2), 4 * i, 256, 0), typed(result, HALF2), 4 * i, 1024, 0);
  tstore2(tload2(any, 4 * i, 0, HALF2, 0), to, 4 * i, 1280, HALF2, 0);
  store1(load1(any, 2 * i, 128, 0), to, 2 * i, 1536, 0);
  tstore1(tload1(any, 2 * i, 0, HALF, 0), to, 2 * i, 1664, HALF, 0);
  store3(load3(typed(wide, HALF4), 8 * (63 - i), 0, 0), typed(floats, FLOAT3), 12 * i, 0, 0);
  tstore3(tload3(any, 8 * i, 0, HALF4, 0), typed(floats, HALF), 12 * i, 768, FLOAT3, 0);
#else
  for (uint n = 0; n < 4; n++)
    result[4 * i + n] = narrow[4 * i + n], result[256 + 4 * i + n] = wide[4 * i + n];
  for (uint n = 0; n < 2; n++)
    result[512 + 2 * i + n] = wide[128 + 2 * i + n], result[640 + 2 * i + n] = wide[2 * i + n];
  result[768 + i] = wide[64 + i], result[832 + i] = wide[i];
  for (uint n = 0; n < 3; n++)
    floats[3 * i + n] = wide[4 * (63 - i) + n], floats[192 + 3 * i + n] = wide[4 * i + n];
#endif
}
