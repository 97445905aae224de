// Inclusive sums of 64-bit numbers in segments that begin at flags: a scan of pairs.
// in values i64[256] = random(22)
// in flags u8[256] = random(23)
// out sums i64[256]
// run segments grid=256 group=256: values flags sums
__kernel void segments(__global const long *values, __global const uchar *flags, __global long *sums) {
  __local long v[256];
  __local uchar f[256];
  uint id = get_local_id(0);
  v[id] = values[id];
  f[id] = (flags[id] & 7) == 0;
  for (uint d = 1; d < 256; d *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    long add = 0;
    uchar flag = f[id];
    if (id >= d && !flag) {
      add = v[id - d];
      flag = f[id - d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    v[id] += add;
    f[id] = flag;
  }
  sums[id] = v[id];
}
