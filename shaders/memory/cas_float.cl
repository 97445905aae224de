// Sums of floats by compare and exchange in a loop, in LDS and global memory: multiples of 1/4, so that the order does not matter.
// in data i8[256] = random(119)
// out sums f32[8]
// out total f64[1]
// run cas_float grid=256 group=64: data sums total
__kernel void cas_float(__global const char *data, __global float *sums, __global double *total) {
  __local uint own[4];
  uint id = get_local_id(0);
  if (id < 4)
    own[id] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = data[get_global_id(0)] * 0.25f;
  uint seen = own[id & 3], old;
  do {
    old = seen;
    seen = atomic_cmpxchg(&own[id & 3], old, as_uint(as_float(old) + v));
  } while (seen != old);
  volatile __global uint *place = (volatile __global uint *)&sums[id & 7];
  seen = *place;
  do {
    old = seen;
    seen = atomic_cmpxchg(place, old, as_uint(as_float(old) - v));
  } while (seen != old);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (id < 4) {
    volatile __global atomic_ulong *all = (volatile __global atomic_ulong *)total;
    ulong before = __opencl_atomic_load(all, memory_order_relaxed, memory_scope_device);
    while (!__opencl_atomic_compare_exchange_strong(all, (__private ulong *)&before, as_ulong(as_double(before) + as_float(own[id])), memory_order_relaxed,
                                                    memory_order_relaxed, memory_scope_device))
      ;
  }
}
