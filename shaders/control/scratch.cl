// Arrays of a work-item that no register can hold: indices known at run time, bytes, words and doubles, values kept over a long loop.
// in data u32[128] = random(104)
// out result u32[128]
// run scratch grid=128 group=64: data result
__kernel void scratch(__global const uint *data, __global uint *result) {
  uint i = get_global_id(0), x = data[i];
  uint words[40];
  uchar bytes[24];
  double reals[6];
  for (uint k = 0; k < 40; k++)
    words[k] = x * (k + 1);
  for (uint k = 0; k < 24; k++)
    bytes[k] = x >> (k & 7);
  for (uint k = 0; k < 6; k++)
    reals[k] = (double)(x >> k);
  uint sum = 0;
  for (uint k = 0; k < 60; k++) {
    uint at = (x >> (k & 15)) % 40;
    words[at] += sum ^ k;
    bytes[at % 24] += (uchar)sum;
    reals[at % 6] = reals[k % 6] * 0.5 + at;
    sum += words[(at * 7 + k) % 40] + bytes[k % 24] + (uint)reals[k % 6];
  }
  result[i] = sum;
}
