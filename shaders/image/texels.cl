// Texels of a linear image of whole numbers, loads, stores, sizes, and all atomic functions.
// arch: gfx6 gfx7 gfx8 gfx900 gfx906 gfx90a gfx10 gfx11 gfx12
// in data u32[128] = random(182)
// out texels u32[64] = random(183)
// out result u32[1024]
// run texels grid=64 group=64: data texels result u32:0
#ifdef __AMDGCN__
#define OF(name) __asm("llvm.amdgcn.image." name)
float4 load(int mask, int x, uint8 image, int fail, int cache) OF("load.1d.v4f32.i32");
float4 load_mip(int mask, int x, int level, uint8 image, int fail, int cache) OF("load.mip.1d.v4f32.i32");
void store(float4 value, int mask, int x, uint8 image, int fail, int cache) OF("store.1d.v4f32.i32");
void store_mip(float4 value, int mask, int x, int level, uint8 image, int fail, int cache) OF("store.mip.1d.v4f32.i32");
float4 sizes(int mask, int level, uint8 image, int fail, int cache) OF("getresinfo.1d.v4f32.i32");
#define ATOMIC(name) uint atomic_##name##_texel(uint value, int x, uint8 image, int fail, int cache) OF("atomic." #name ".1d.i32.i32")
ATOMIC(inc);
ATOMIC(dec);
ATOMIC(add);
ATOMIC(sub);
ATOMIC(smin);
ATOMIC(smax);
ATOMIC(umin);
ATOMIC(umax);
ATOMIC(and);
ATOMIC(or);
ATOMIC(xor);
ATOMIC(swap);
uint cmpswap_texel(uint value, uint compared, int x, uint8 image, int fail, int cache) OF("atomic.cmpswap.1d.i32.i32");
#define CHANGE(name, value, change) old = atomic_##name##_texel(value, i, image, 0, 0)
#define CMPSWAP(value, compared) old = cmpswap_texel(value, compared, i, image, 0, 0)
#define LOAD as_uint(load(1, i, image, 0, 0).x)
#define LOAD_MIP as_uint(load_mip(1, i, level, image, 0, 0).x)
#define STORE(value) store((float4)(as_float(value)), 1, i, image, 0, 0)
#define STORE_MIP(value) store_mip((float4)(as_float(value)), 1, i, level, image, 0, 0)
#define SIZE as_uint(sizes(1, level, image, 0, 0).x)
#else
#define CHANGE(name, value, change) (old = texels[i], v = (value), texels[i] = (change))
#define CMPSWAP(value, compared) (old = texels[i], texels[i] = old == (compared) ? (value) : old)
#define LOAD texels[i]
#define LOAD_MIP texels[i]
#define STORE(value) texels[i] = value
#define STORE_MIP(value) texels[i] = value
#define SIZE 64
#endif
#define KEEP(at) result[i + 64 * (at)] = old
__kernel void texels(__global const uint *data, __global uint *texels, __global uint *result, uint level) {
  uint i = get_global_id(0), x = data[i], y = data[i + 64], old, v;
#ifdef __AMDGCN__
  uint8 image = linear_image(texels, 1, WHOLE_TEXELS);
#endif
  old = LOAD, KEEP(0);
  CHANGE(add, x, old + v), KEEP(1);
  CHANGE(sub, y, old - v), KEEP(2);
  CHANGE(smin, x, (int)old < (int)v ? old : v), KEEP(3);
  CHANGE(umax, y, old > v ? old : v), KEEP(4);
  CHANGE(smax, x >> 3, (int)old > (int)v ? old : v), KEEP(5);
  CHANGE(xor, y, old ^ v), KEEP(6);
  CHANGE(umin, x << 1, old < v ? old : v), KEEP(7);
  CHANGE(or, y & 0xf0f, old | v), KEEP(8);
  CHANGE(and, 7 | x << 9, old & v), KEEP(9);
  uint there = old & (7 | x << 9);
  CMPSWAP(x & 7, there ^ i & 1), KEEP(10);
  // Counters that begin again: half of them are at the end.
  CHANGE(swap, y & 3, v), KEEP(11);
  CHANGE(inc, x & 3, old >= v ? 0 : old + 1), KEEP(12);
  CHANGE(dec, x >> 2 & 3, old == 0 || old > v ? v : old - 1), KEEP(13);
  old = LOAD_MIP * 64 + SIZE, KEEP(14);
  STORE(x ^ y);
  old = LOAD, KEEP(15);
  STORE_MIP(x + y);
}
