// Structures by value as arguments, with padding, arrays and vectors, beside small scalars of every size.
// in data f32[64] = uniform(115, -1, 1)
// out result f32[64]
// out sizes u32[8]
// run structs grid=64 group=32: data result sizes raw:0000803f000000400000003f03000000aabbccdd0102030406000000000000000000000000001040 i32:-3 u32:200 i32:-30000 u64:0x123456789abcdef f64:0.75 u32:1 raw:0100020003000400
typedef struct { float x, y, z; int n; uchar tag[5]; short s; ulong big; float4 v; } structs_padded;
typedef struct { float scale, shift, power; int times; uchar tag[8]; long offset; double weight; } structs_plain;
__kernel void structs(__global const float *data, __global float *result, __global uint *sizes, structs_plain p, char c, uchar u,
                      short s, ulong big, double d, uint flag, ushort4 v) {
  uint i = get_global_id(0);
  float x = data[i];
  for (int k = 0; k < p.times; k++)
    x = x * p.scale + p.shift;
  x += p.tag[i & 7] + (float)p.offset * (float)p.weight + c + u + s * 0.5f + (float)(big >> 32) * flag + (float)d;
  result[i] = x + (i & 1 ? v.y : v.w);
  if (i == 0) {
    sizes[0] = sizeof(structs_padded);
    sizes[1] = sizeof(structs_plain);
    sizes[2] = p.times;
    sizes[3] = (uint)p.offset;
    sizes[4] = c;
    sizes[5] = u;
    sizes[6] = s;
    sizes[7] = v.x + v.z * 256;
  }
}
