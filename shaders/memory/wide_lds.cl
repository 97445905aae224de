// 64- and 128-bit accesses to LDS, aligned and not, and pairs of distant words.
// in data f32[256] = uniform(122, -1, 1)
// out result f32[640]
// run wide_lds grid=64 group=64: data result
__kernel void wide_lds(__global const float4 *data, __global float *result) {
  __local float4 a[64];
  __local float b[192];
  uint id = get_local_id(0);
  a[id] = data[id];
  b[id] = data[id].x;
  b[id + 64] = data[id].y;
  b[id + 128] = data[id].z;
  barrier(CLK_LOCAL_MEM_FENCE);
  STORE4(float, a[63 - id] + a[id ^ 5], id, result);
  STORE3(float, LOAD3(float, id, b) + LOAD3(float, 63 - id, b), id, result + 256);
  float2 two = LOAD2(float, (id * 3) & 63, b + 1);
  result[448 + id] = two.x - two.y;
  result[512 + id] = b[id] * b[id + 64] + b[id + 128];
  result[576 + id] = ((__local float *)a)[id * 3 + 1];
}
