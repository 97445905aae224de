// A hash with 64-bit multiplications, rotations and shifts by amounts that are only known at run time (SipHash-2-4, MurmurHash3's end).
// in data u64[128] = random(46)
// out hashes u64[128]
// run hash64 grid=128 group=64: data hashes u64:0x0706050403020100 u64:0x0f0e0d0c0b0a0908
#define SIP_ROUND                                                                                                      \
  v0 += v1, v1 = rotate(v1, 13ul), v1 ^= v0, v0 = rotate(v0, 32ul), v2 += v3, v3 = rotate(v3, 16ul), v3 ^= v2,          \
      v0 += v3, v3 = rotate(v3, 21ul), v3 ^= v0, v2 += v1, v1 = rotate(v1, 17ul), v1 ^= v2, v2 = rotate(v2, 32ul)
__kernel void hash64(__global const ulong *data, __global ulong *hashes, ulong k0, ulong k1) {
  uint id = get_global_id(0);
  ulong m = data[id];
  ulong v0 = k0 ^ 0x736f6d6570736575ul, v1 = k1 ^ 0x646f72616e646f6dul;
  ulong v2 = k0 ^ 0x6c7967656e657261ul, v3 = k1 ^ 0x7465646279746573ul;
  v3 ^= m;
  SIP_ROUND;
  SIP_ROUND;
  v0 ^= m;
  v3 ^= 8ul << 56;
  SIP_ROUND;
  SIP_ROUND;
  v0 ^= 8ul << 56;
  v2 ^= 0xff;
  for (int i = 0; i < 4; i++)
    SIP_ROUND;
  ulong h = v0 ^ v1 ^ v2 ^ v3;
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdul;
  h ^= h >> (id & 63);
  h *= 0xc4ceb9fe1a85ec53ul;
  h ^= (ulong)((long)h >> (id >> 1)) + (h << (id & 31));
  hashes[id] = h;
}
