// Permutations: gathers by computed indices, scatters, strides, tables of constants at run-time indices, 64- and 128-bit elements.
// in data u64[256] = random(121)
// out a u64[256]
// out b u32[1024]
// run gather grid=256 group=64: data a b
__constant ushort gather_table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 32384};
__kernel void gather(__global const ulong *data, __global ulong *a, __global uint4 *b) {
  uint i = get_global_id(0);
  uint j = (i * 167 + 13) & 255;
  ulong v = data[j];
  a[(i * 91 + 5) & 255] = v + gather_table[v & 15];
  ulong w = data[gather_table[i & 15] & 255];
  b[(i * 5) & 255] = (uint4)(as_uint2(v), as_uint2(w).yx);
}
