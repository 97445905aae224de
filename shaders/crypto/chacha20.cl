// ChaCha20: 40 blocks of key stream; additions, exclusive ors and rotations over 16 registers.
// in key u32[8] = random(45)
// out stream u32[640]
// run chacha20 grid=40 group=32: key stream u32:7
#define CHACHA_QUARTER(a, b, c, d)                                                                                     \
  a += b, d = rotate(d ^ a, 16u), c += d, b = rotate(b ^ c, 12u), a += b, d = rotate(d ^ a, 8u), c += d, b = rotate(b ^ c, 7u)
__kernel void chacha20(__global const uint *key, __global uint *stream, uint nonce) {
  uint id = get_global_id(0);
  uint s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, key[0], key[1], key[2], key[3],
                key[4],     key[5],     key[6],     key[7],     id,     nonce,  ~nonce, 42};
  uint x[16];
  for (int i = 0; i < 16; i++)
    x[i] = s[i];
  for (int i = 0; i < 10; i++) {
    CHACHA_QUARTER(x[0], x[4], x[8], x[12]);
    CHACHA_QUARTER(x[1], x[5], x[9], x[13]);
    CHACHA_QUARTER(x[2], x[6], x[10], x[14]);
    CHACHA_QUARTER(x[3], x[7], x[11], x[15]);
    CHACHA_QUARTER(x[0], x[5], x[10], x[15]);
    CHACHA_QUARTER(x[1], x[6], x[11], x[12]);
    CHACHA_QUARTER(x[2], x[7], x[8], x[13]);
    CHACHA_QUARTER(x[3], x[4], x[9], x[14]);
  }
  for (int i = 0; i < 16; i++)
    stream[id * 16 + i] = x[i] + s[i];
}
