// Bytes and 16-bit words, signed and not, read and written at every alignment; packed structures with unaligned words.
// in bytes i8[256] = random(111)
// in shorts i16[256] = random(112)
// out b u8[512]
// out s u16[256]
// out w u32[384]
// run narrow grid=128 group=64: bytes shorts b s w
typedef struct __attribute__((packed)) { uchar a; uint b; ushort c; } narrow_packed;
__kernel void narrow(__global const char *bytes, __global const short *shorts, __global uchar *b, __global ushort *s, __global uint *w) {
  uint i = get_global_id(0);
  b[i] = bytes[i] >> 1;
  b[i + 128] = (uchar)bytes[255 - i] >> 1;
  s[i] = shorts[i] + bytes[i];
  s[i + 128] = (ushort)(shorts[255 - i] * 3) >> 2;
  w[i] = (int)shorts[i] * shorts[i + 128];
  w[i + 128] = (uint)(uchar)bytes[i] << 24 | (uint)(ushort)shorts[i];
  if (i < 36) {
    __global const narrow_packed *p = (__global const narrow_packed *)(bytes + i * 7);
    w[i + 256] = p->a + p->b * 3 + p->c;
    __global narrow_packed *q = (__global narrow_packed *)(b + 256 + i * 7);
    q->a = p->c;
    q->b = p->b ^ 0x01020304;
    q->c = p->a * 257;
  }
}
