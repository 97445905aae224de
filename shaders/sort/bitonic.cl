// Bitonic sort of 256 signed keys with values in LDS.
// out keys i32[256] = random(11)
// out values u32[256] = ramp(0, 1)
// run bitonic grid=128 group=128: keys values
__kernel void bitonic(__global int *keys, __global uint *values) {
  __local int k[256];
  __local uint v[256];
  uint id = get_local_id(0);
  for (uint i = id; i < 256; i += 128) {
    k[i] = keys[i];
    v[i] = values[i];
  }
  for (uint size = 2; size <= 256; size *= 2)
    for (uint stride = size / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint at = 2 * id - (id & (stride - 1));
      bool down = (at & size) != 0;
      int a = k[at], b = k[at + stride];
      if ((a > b) != down) {
        uint t = v[at];
        k[at] = b;
        k[at + stride] = a;
        v[at] = v[at + stride];
        v[at + stride] = t;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = id; i < 256; i += 128) {
    keys[i] = k[i];
    values[i] = v[i];
  }
}
