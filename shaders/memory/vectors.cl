// Vectors of 2 to 16 elements: loads, stores, swizzles, arithmetic, conversions, comparisons, vectors of unaligned elements.
// in a f32[512] = uniform(113, -50, 50)
// in c u8[1024] = random(114)
// out f f32[768]
// out b u8[1024]
// out n i32[512]
// run vectors grid=64 group=64: a c f b n
__kernel void vectors(__global const float *a, __global const uchar *c, __global float *f, __global uchar *b, __global int *n) {
  uint i = get_global_id(0);
  float4 x = ((__global const float4 *)a)[i], y = ((__global const float4 *)a)[127 - i];
  ((__global float4 *)f)[i] = x * y + x.wzyx;
  ((__global float4 *)f)[i + 64] = (float4)(x.xy + y.zw, x.lo * y.hi);
  STORE3(float, LOAD3(float, i, a) * 2.0f, i, f + 512);
  uchar16 p = ((__global const uchar16 *)c)[i];
  uchar16 q = p.s0123456789abcdef * (uchar)3 + p.sfedcba9876543210 * (uchar)5;
  q.s5 = i;
  ((__global uchar16 *)b)[i] = q;
  int4 m = (int4)((int)x.x, (int)x.y, (int)x.z, (int)x.w);
  int4 less = x < y;
  ((__global int4 *)n)[i] = (m & less) | ((int4)(i) & ~less);
  short8 s = LOAD8(short, i, (__global const short *)c);
  n[256 + i * 4] = s.s0 * s.s1 + s.s7;
  n[257 + i * 4] = s.even.x - s.odd.w;
  n[258 + i * 4] = LOAD2(uchar, i, c + 1).y;
  n[259 + i * 4] = as_int((uchar4)(p.s3, p.s1, p.s4, p.sf)) ^ as_int(s.s23);
}
