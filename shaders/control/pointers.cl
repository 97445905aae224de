// Calls through pointers to functions that differ from lane to lane: loops over the distinct targets, a stack of unknown depth.
// in data u32[128] = random(105)
// out result u32[128]
// run pointers grid=128 group=64: data result
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef uint (*pointers_function)(uint, uint);
static NOINLINE uint pointers_add(uint a, uint b) { return a + b * 3; }
static NOINLINE uint pointers_mix(uint a, uint b) {
  volatile uint kept[4] = {a, b, a ^ b, 5};
  return kept[a & 3] * 7 + kept[b & 3];
}
static NOINLINE uint pointers_loop(uint a, uint b) {
  for (uint i = 0; i < (b & 7); i++)
    a = pointers_mix(a, i) ^ a << 1;
  return a;
}
__kernel void pointers(__global const uint *data, __global uint *result) {
  uint i = get_global_id(0), x = data[i];
  pointers_function f = x % 3 == 0 ? pointers_add : x % 3 == 1 ? pointers_mix : pointers_loop;
  uint y = f(x, i);
  f = get_group_id(0) & 1 ? pointers_loop : pointers_add;
  result[i] = f(y, x) + y;
}
