// All shortest paths among 24 nodes (Floyd and Warshall) in LDS with 16-bit distances.
// in edges u8[576] = random(93)
// out paths u16[576]
// run floyd grid=64 group=64: edges paths
__kernel void floyd(__global const uchar *edges, __global ushort *paths) {
  __local ushort d[24][24];
  uint id = get_local_id(0);
  for (uint i = id; i < 576; i += 64)
    d[i / 24][i % 24] = i / 24 == i % 24 ? 0 : edges[i] < 60 ? edges[i] + 1 : 30000;
  for (uint k = 0; k < 24; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = id; i < 576; i += 64) {
      ushort over = d[i / 24][k] + d[k][i % 24];
      if (over < d[i / 24][i % 24])
        d[i / 24][i % 24] = over;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = id; i < 576; i += 64)
    paths[i] = d[i / 24][i % 24];
}
