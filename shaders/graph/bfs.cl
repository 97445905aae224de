// Breadth-first search over a ring with chords of 200 nodes: five steps, new nodes taken by compare and exchange into a queue.
// out level u32[200] = fill(0xffffffff)
// out counts u32[8]
// run bfs_start grid=1 group=1: level counts u32:17
// run bfs_step grid=200 group=64: level counts u32:200 u32:0
// run bfs_step grid=200 group=64: level counts u32:200 u32:1
// run bfs_step grid=200 group=64: level counts u32:200 u32:2
// run bfs_step grid=200 group=64: level counts u32:200 u32:3
__kernel void bfs_start(__global uint *level, __global uint *counts, uint node) {
  level[node] = 0;
  counts[0] = 1;
}
__kernel void bfs_step(__global uint *level, __global uint *counts, uint n, uint depth) {
  uint node = get_global_id(0);
  if (node >= n || level[node] != depth)
    return;
  uint next[4] = {(node + 1) % n, (node + n - 1) % n, (node * 7 + 3) % n, (node * 13 + 50) % n};
  for (uint i = 0; i < 4; i++)
    if (atomic_cmpxchg(&level[next[i]], 0xffffffffu, depth + 1) == 0xffffffffu)
      atomic_inc(&counts[depth + 1]);
}
