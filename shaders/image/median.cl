// Median filter over 3x3 of 16-bit pixels by a sorting network of minima and maxima.
// in source u16[1024] = random(89)
// out target u16[1024]
// run median grid=32,32 group=32,2: source target
#define MEDIAN_SORT(a, b) t = min(a, b), b = max(a, b), a = t
__kernel void median(__global const ushort *source, __global ushort *target) {
  uint x = get_global_id(0), y = get_global_id(1);
  ushort p[9], t;
  for (uint k = 0; k < 9; k++)
    p[k] = source[((y + k / 3 + 31) & 31) * 32 + ((x + k % 3 + 31) & 31)];
  for (uint i = 0; i < 9; i++)
    for (uint j = i & 1; j + 1 < 9; j += 2)
      MEDIAN_SORT(p[j], p[j + 1]);
  target[y * 32 + x] = p[4];
}
