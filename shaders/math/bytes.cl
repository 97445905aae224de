// Differences, averages and permutations of bytes: what compilers make v_sad, v_perm, v_lerp, v_alignbyte and conversions of bytes of.
// in a u32[128] = random(77)
// in b u32[128] = random(78)
// out c u32[640]
// out f f32[512]
// run bytes grid=128 group=64: a b c f
__kernel void bytes(__global const uint *a, __global const uint *b, __global uint *c, __global float *f) {
  uint i = get_global_id(0), x = a[i], y = b[i], sad = 0;
  for (uint k = 0; k < 32; k += 8)
    sad += max(x >> k & 255, y >> k & 255) - min(x >> k & 255, y >> k & 255);
  c[i] = sad;
  c[i + 128] = (uint)(((ulong)x << 32 | y) >> (i & 31));
  c[i + 256] = (x & 0xff) << 24 | (y & 0xff00) << 8 | (x >> 16 & 0xff) << 8 | y >> 24;
  c[i + 384] = (x & y) + (((x ^ y) & 0xfefefefe) >> 1);
  c[i + 512] = max(min(x >> 8, y), min(max(x >> 8, y), 0x00800000u));
  STORE4(float, (float4)(x & 255, x >> 8 & 255, x >> 16 & 255, x >> 24), i, f);
}
