// Conversions between integers and floats: to all widths, by all roundings, saturated and cut off.
// in a f32[256] = uniform(70, -70000, 70000)
// in d f64[256] = uniform(71, -5e9, 5e9)
// in n u64[256] = random(72)
// out i i32[3072]
// out f f32[1536]
// out g f64[768]
// run convert grid=256 group=64: a d n i f g
__kernel void convert(__global const float *a, __global const double *d, __global const ulong *n, __global int *i,
                      __global float *f, __global double *g) {
  uint at = get_global_id(0);
  float x = a[at];
  double y = d[at];
  ulong m = n[at] >> (at & 63);
  i[at] = (int)x;
  i[at + 256] = convert_int_rte(x * 0.125f);
  i[at + 512] = convert_int_rtp(x * 0.01f);
  i[at + 768] = convert_int_rtn(x * 0.01f);
  i[at + 1024] = convert_uchar_sat(x);
  i[at + 1280] = convert_short_sat(x);
  i[at + 1536] = (uint)fabs(y * 0.5);
  i[at + 1792] = (int)((long)y >> 3);
  i[at + 2048] = (int)((ulong)fabs(x) * 77);
  i[at + 2304] = convert_char_sat((int)m) + convert_ushort_sat((int)(m >> 5));
  i[at + 2560] = (int)(long)(x * 1000000.0f);
  i[at + 2816] = (int)(y * 0.25);
  f[at] = (float)(int)m;
  f[at + 256] = (float)(uint)m;
  f[at + 512] = (float)m;
  f[at + 768] = (float)(long)n[at];
  f[at + 1024] = (float)y;
  f[at + 1280] = (float)(uchar)m + (float)(short)m * (float)(char)(m >> 8);
  g[at] = (double)m;
  g[at + 256] = (double)(long)n[at] + (double)(int)m;
  g[at + 512] = (double)x + (double)(uint)n[at];
}
