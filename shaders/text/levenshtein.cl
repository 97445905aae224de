// Edit distances of 12 pairs of words of 48 letters: diagonals of the table in LDS, a barrier each.
// in words u8[1152] = letters(96, 4)
// out distance u32[12]
// run levenshtein grid=768 group=64: words distance u32:48
__kernel void levenshtein(__global const uchar *words, __global uint *distance_, uint n) {
  __local ushort d[3][64];
  uint j = get_local_id(0), pair = get_group_id(0);
  __global const uchar *a = words + pair * 2 * n, *b = a + n;
  for (uint s = 0; s <= 2 * n; s++) {
    if (j <= n && j <= s && s - j <= n) {
      uint i = s - j;
      ushort v;
      if (i == 0 || j == 0)
        v = i + j;
      else {
        ushort up = d[(s + 2) % 3][j], left = d[(s + 2) % 3][j - 1], corner = d[(s + 1) % 3][j - 1];
        v = min((ushort)(min(up, left) + 1), (ushort)(corner + (a[i - 1] != b[j - 1])));
      }
      d[s % 3][j] = v;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (j == n)
    distance_[pair] = d[2 * n % 3][n];
}
