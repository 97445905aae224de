// SHA-256 of 70 messages of 0 to 138 bytes: the constants in a table, the schedule in registers or scratch.
// in text u8[256] = random(41)
// out digests u8[2240]
// run sha256 grid=70 group=64: text digests
__constant uint sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
static uint sha256_rotate(uint x, uint n) { return x >> n | x << (32 - n); }
__kernel void sha256(__global const uchar *text, __global uchar *digests) {
  uint id = get_global_id(0), length = id * 2;
  uint h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint blocks = (length + 9 + 63) / 64;
  for (uint block = 0; block < blocks; block++) {
    uint w[16];
    for (uint i = 0; i < 16; i++) {
      uint word = 0;
      for (uint j = 0; j < 4; j++) {
        uint at = block * 64 + i * 4 + j;
        uint byte = at < length ? text[(at + id) & 255] : at == length ? 0x80 : 0;
        word = word << 8 | byte;
      }
      w[i] = word;
    }
    if (block == blocks - 1)
      w[15] = length * 8;
    uint a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], l = h[7];
    for (uint t = 0; t < 64; t++) {
      if (t >= 16) {
        uint x = w[(t + 1) & 15], y = w[(t + 14) & 15];
        uint s0 = sha256_rotate(x, 7) ^ sha256_rotate(x, 18) ^ x >> 3;
        uint s1 = sha256_rotate(y, 17) ^ sha256_rotate(y, 19) ^ y >> 10;
        w[t & 15] += s0 + s1 + w[(t + 9) & 15];
      }
      uint s1 = sha256_rotate(e, 6) ^ sha256_rotate(e, 11) ^ sha256_rotate(e, 25);
      uint s0 = sha256_rotate(a, 2) ^ sha256_rotate(a, 13) ^ sha256_rotate(a, 22);
      uint t1 = l + s1 + ((e & f) ^ (~e & g)) + sha256_k[t] + w[t & 15];
      uint t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      l = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e, h[5] += f, h[6] += g, h[7] += l;
  }
  for (uint i = 0; i < 32; i++)
    digests[id * 32 + i] = h[i / 4] >> (24 - i % 4 * 8);
}
