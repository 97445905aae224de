// The length and the peak of Collatz sequences: one loop, very different counts.
// out steps u32[128]
// out peaks u64[128]
// run collatz grid=128 group=64: steps peaks u32:1
__kernel void collatz(__global uint *steps, __global ulong *peaks, uint first) {
  uint i = get_global_id(0), n = 0;
  ulong x = i + first, peak = x;
  while (x != 1) {
    x = x & 1 ? 3 * x + 1 : x >> 1;
    peak = max(peak, x);
    n++;
  }
  steps[i] = n;
  peaks[i] = peak;
}
