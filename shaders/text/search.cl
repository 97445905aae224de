// Where a pattern stands in a text of three letters: byte comparisons, an early end, positions collected behind an atomic counter.
// in text u8[1000] = letters(94, 3)
// in pattern u8[4] = letters(95, 3)
// out found u8[1000]
// out count u32[2] = list(0, 0xffffffff)
// run search grid=1000 group=64: text pattern found count u32:1000 u32:4
__kernel void search(__global const uchar *text, __constant uchar *pattern, __global uchar *found, __global uint *count, uint n, uint m) {
  uint at = get_global_id(0);
  if (at + m > n)
    return;
  for (uint i = 0; i < m; i++)
    if (text[at + i] != pattern[i]) {
      found[at] = i + 1;
      return;
    }
  found[at] = 255;
  atomic_inc(&count[0]);
  atomic_min(&count[1], at);
}
