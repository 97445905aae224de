// The barrier of gfx12 in its parts: of the waves of a group one is told that it came first.
// arch: gfx12
// in data u32[256] = random(190)
// out result u32[512]
// run first grid=256 group=128: data result
__kernel void first(__global const uint *data, __global uint *result) {
  __local uint firsts, shared[128];
  uint i = get_global_id(0), at = get_local_id(0);
  if (at == 0)
    firsts = 0;
  shared[at] = data[i];
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef __AMDGCN__
  if (__builtin_amdgcn_s_barrier_signal_isfirst(-1))
    atomic_add(&firsts, 64 / __AMDGCN_WAVEFRONT_SIZE);
  __builtin_amdgcn_s_barrier_wait(-1);
#else
  if (at < 64)
    atomic_add(&firsts, 1);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  result[i] = firsts;
  result[i + 256] = shared[127 - at];
}
