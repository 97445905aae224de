// Every 32-bit atomic on global memory and on LDS, with and without the old value.
// in data u32[256] = random(117)
// out global_ u32[16] = list(0, 0, 0, 0, 0xffffffff, 0, 0, 0xffffffff, 0, 0x7fffffff, 0x80000000, 5, 9, 0, 0, 0)
// out local_ u32[48]
// out taken u32[256]
// run atomics grid=256 group=128: data global_ local_ taken
__kernel void atomics(__global const uint *data, __global uint *g, __global uint *result, __global uint *taken) {
  __local uint l[12];
  uint id = get_local_id(0), i = get_global_id(0), x = data[i];
  if (id < 12)
    l[id] = id == 4 || id == 7 ? 0xffffffffu : id == 9 ? 0x7fffffffu : id == 10 ? 0x80000000u : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  volatile __global int *gi = (volatile __global int *)g;
  volatile __local int *li = (volatile __local int *)l;
  atomic_add(&g[0], x), atomic_add(&l[0], x);
  atomic_sub(&g[1], x), atomic_sub(&l[1], x);
  atomic_inc(&g[2]), atomic_inc(&l[2]);
  atomic_dec(&g[3]), atomic_dec(&l[3]);
  atomic_and(&g[4], x | 0xffff0000u << (i & 15)), atomic_and(&l[4], x | 0xfff);
  atomic_or(&g[5], x & 0x00f000f0), atomic_or(&l[5], x & 0x0f000f00);
  atomic_xor(&g[6], x), atomic_xor(&l[6], x);
  atomic_min(&g[7], x), atomic_min(&l[7], x);
  atomic_max(&g[8], x), atomic_max(&l[8], x);
  atomic_min(&gi[9], (int)x), atomic_min(&li[9], (int)x);
  atomic_max(&gi[10], (int)x), atomic_max(&li[10], (int)x);
  // Old values that do not depend on the order: each ticket is drawn once.
  uint ticket = atomic_inc(&g[13]);
  atomic_add(&taken[ticket & 255], 1u);
  uint local_ticket = atomic_add(&l[11], 2u);
  atomic_xor(&taken[local_ticket & 255], 0x100u);
  // One wins, and puts in what it found.
  if (atomic_cmpxchg(&g[11], 5u, 6u) == 5u)
    atomic_xchg(&g[12], 77u);
  atomic_add(&g[14], atomic_or(&g[15], 0u) + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (id < 12)
    result[get_group_id(0) * 16 + id] = l[id];
}
