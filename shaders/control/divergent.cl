// Nested loops and conditions that lanes take differently: break, continue, early return, loops with two exits, short circuits.
// in data u32[192] = random(101)
// out result u32[192]
// run divergent grid=192 group=64: data result
__kernel void divergent(__global const uint *data, __global uint *result) {
  uint i = get_global_id(0), x = data[i], sum = 0;
  if ((x & 0x70) == 0)
    return;
  for (uint a = 0; a < (x & 15); a++) {
    if ((x >> a & 1) && a != 3)
      continue;
    uint b = x >> 4 & 31;
    while (b > a) {
      sum += a * b;
      if (sum % 7 == 3)
        break;
      if (sum % 11 == 5) {
        b -= 2;
        continue;
      }
      b--;
      for (uint c = 0; c < 3; c++) {
        sum ^= c << b;
        if ((sum & 0x1f) == 0x11 || (c == 1 && (x & 0x100)))
          goto out;
      }
    }
    sum += 1000;
  out:
    sum = sum * 3 + a;
    if (sum > 100000000)
      break;
  }
  if (sum & 1) {
    if (sum & 2)
      sum += 7;
    else
      do
        sum = sum * 5 + 1;
      while (sum & 4);
  } else if ((sum & 8) && (x & 0x1000 || (x & 0x2000 && !(x & 0x4000))))
    sum = ~sum;
  result[i] = sum;
}
