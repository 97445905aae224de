// Pointers without an address space to global memory, LDS and scratch: flat loads and stores through the apertures.
// arch: gfx7..
// in data u32[128] = random(120)
// out result u32[384]
// run generic_pointers grid=128 group=64: data result
static NOINLINE uint generic_sum(const uint *p, uint n) {
  uint sum = 0;
  for (uint i = 0; i < n; i++)
    sum = sum * 5 + p[i];
  return sum;
}
static NOINLINE void generic_put(uchar *p, uint v) {
  p[1] = v >> 8;
  *(ushort *)(p + 2) = v;
}
__kernel void generic_pointers(__global const uint *data, __global uint *result) {
  __local uint l[68];
  uint own[6], id = get_local_id(0), i = get_global_id(0), x = data[i];
  l[id] = x;
  if (id < 4)
    l[64 + id] = id;
  for (uint k = 0; k < 6; k++)
    own[k] = x >> k;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint *p = x & 1 ? (const uint *)(l + id) : x & 2 ? (const uint *)own : (const uint *)(data + (i & 63));
  result[i] = generic_sum(p, 4);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint *q = x & 4 ? (uint *)(l + id) : x & 8 ? (uint *)(own + (x & 3)) : (uint *)(result + i + 256);
  generic_put((uchar *)q, x * 7);
  barrier(CLK_LOCAL_MEM_FENCE);
  result[i + 128] = l[id] + own[0] + own[1] * 2 + own[2] * 3 + own[3] * 4;
}
