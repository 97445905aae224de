// Numbers to text and back: digits by division, signs, hexadecimal, byte stores in a loop of unknown length.
// in numbers i32[64] = random(97)
// out text u8[1024]
// out back i32[64]
// run number grid=64 group=32: numbers text back
__kernel void number(__global const int *numbers, __global uchar *text, __global int *back) {
  uint i = get_global_id(0);
  int v = numbers[i] >> (i & 31);
  __global uchar *line = text + i * 16;
  uchar digits[12];
  uint n = 0, rest = v < 0 ? -(uint)v : (uint)v, base = i % 3 == 0 ? 16 : 10;
  do {
    uint digit = rest % base;
    digits[n++] = digit < 10 ? '0' + digit : 'a' + digit - 10;
    rest /= base;
  } while (rest != 0);
  uint at = 0;
  if (v < 0)
    line[at++] = '-';
  while (n > 0)
    line[at++] = digits[--n];
  line[at] = '\n';
  uint result = 0;
  for (uint k = v < 0; line[k] != '\n'; k++)
    result = result * base + (line[k] >= 'a' ? line[k] - 'a' + 10 : line[k] - '0');
  back[i] = v < 0 ? -(int)result : (int)result;
}
