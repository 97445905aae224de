// Every 64-bit atomic on global memory and on LDS.
// in data u64[128] = random(118)
// out global_ u64[12] = list(0, 0, 0xffffffffffffffff, 0, 0, 0xffffffffffffffff, 0, 0x7fffffffffffffff, 0x8000000000000000, 5, 0, 0)
// out local_ u64[20]
// out taken u32[128]
// run atomics64 grid=128 group=64: data global_ local_ taken
#define ATOMICS64(op, place, v) __opencl_atomic_##op(place, v, memory_order_relaxed, memory_scope_device)
__kernel void atomics64(__global const ulong *data, __global ulong *g64, __global ulong *result, __global uint *taken) {
  __local atomic_ulong l[10];
  uint id = get_local_id(0), i = get_global_id(0);
  ulong x = data[i];
  volatile __global atomic_ulong *g = (volatile __global atomic_ulong *)g64;
  volatile __global atomic_long *gi = (volatile __global atomic_long *)g64;
  volatile __local atomic_long *li = (volatile __local atomic_long *)l;
  if (id < 10)
    ((__local ulong *)l)[id] = id == 2 || id == 5 ? ~0ul : id == 7 ? LONG_MAX : id == 8 ? (ulong)LONG_MIN : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  ATOMICS64(fetch_add, &g[0], x), ATOMICS64(fetch_add, &l[0], x);
  ATOMICS64(fetch_sub, &g[1], x), ATOMICS64(fetch_sub, &l[1], x);
  ATOMICS64(fetch_and, &g[2], x | 0xff00ul << (i & 31)), ATOMICS64(fetch_and, &l[2], x | 0xfff0000);
  ATOMICS64(fetch_or, &g[3], x & 0x00f000f000f000f0), ATOMICS64(fetch_or, &l[3], x & 0x0f000f000f000f00);
  ATOMICS64(fetch_xor, &g[4], x), ATOMICS64(fetch_xor, &l[4], x);
  ATOMICS64(fetch_min, &g[5], x), ATOMICS64(fetch_min, &l[5], x);
  ATOMICS64(fetch_max, &g[6], x), ATOMICS64(fetch_max, &l[6], x);
  ATOMICS64(fetch_min, &gi[7], (long)x), ATOMICS64(fetch_min, &li[7], (long)x);
  ATOMICS64(fetch_max, &gi[8], (long)x), ATOMICS64(fetch_max, &li[8], (long)x);
  ulong ticket = ATOMICS64(fetch_add, &g[10], 1ul);
  atomic_add(&taken[ticket & 127], 1u);
  ulong local_ticket = ATOMICS64(fetch_add, &l[9], 1ul);
  atomic_xor(&taken[local_ticket & 127], 0x100u);
  ulong expected = 5;
  if (__opencl_atomic_compare_exchange_strong(&g[9], (__private ulong *)&expected, 1ul << 40, memory_order_relaxed, memory_order_relaxed, memory_scope_device))
    ATOMICS64(exchange, &g[11], 1ul << 50);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (id < 10)
    result[get_group_id(0) * 10 + id] = ((__local ulong *)l)[id];
}
