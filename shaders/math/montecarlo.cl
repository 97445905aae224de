// Pi by throwing points of an xorshift generator at a circle; the hits of all work-items are added up.
// out hits u32[1]
// out states u32[128] = random(54)
// run montecarlo grid=128 group=64: hits states u32:40
__kernel void montecarlo(__global uint *hits, __global uint *states, uint n) {
  uint s = states[get_global_id(0)] | 1, inside = 0;
  for (uint i = 0; i < n; i++) {
    s ^= s << 13, s ^= s >> 17, s ^= s << 5;
    float x = (float)(s >> 8) * 0x1p-24f;
    s ^= s << 13, s ^= s >> 17, s ^= s << 5;
    float y = (float)(s >> 8) * 0x1p-24f;
    inside += x * x + y * y < 1.0f;
  }
  states[get_global_id(0)] = s;
  atomic_add(hits, inside);
}
