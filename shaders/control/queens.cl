// The number of ways to put 7 queens, by backtracking with a stack of its own in LDS; each lane has its first two queens.
// out ways u32[64]
// run queens grid=64 group=64: ways u32:7
__kernel void queens(__global uint *ways, uint n) {
  __local uchar open[8][64];
  __local ushort attacked[8][3][64];
  uint id = get_local_id(0), full = (1u << n) - 1, count = 0, row = 0;
  uint first = id & 7, second = id >> 3;
  bool good = first < n && second < n && first != second && first != second + 1 && second != first + 1;
  uint down = 0, left = 0, right = 0;
  if (good) {
    down = 1u << first | 1u << second;
    left = (1u << first) << 2 | (1u << second) << 1;
    right = (1u << first) >> 2 | (1u << second) >> 1;
    open[0][id] = full & ~(down | left | right);
    attacked[0][0][id] = down;
    attacked[0][1][id] = left;
    attacked[0][2][id] = right;
    int depth = 0;
    while (depth >= 0) {
      uint free_ = open[depth][id];
      if (free_ == 0) {
        depth--;
        continue;
      }
      uint bit = free_ & -free_;
      open[depth][id] = free_ ^ bit;
      if ((uint)depth + 3 == n) {
        count++;
        continue;
      }
      down = attacked[depth][0][id] | bit;
      left = (attacked[depth][1][id] | bit) << 1;
      right = (attacked[depth][2][id] | bit) >> 1;
      depth++;
      attacked[depth][0][id] = down;
      attacked[depth][1][id] = left;
      attacked[depth][2][id] = right;
      open[depth][id] = full & ~(down | left | right);
    }
  }
  ways[id] = count;
}
