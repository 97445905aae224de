// Accelerations of 96 bodies, 32 of them at a time in LDS, with correctly rounded roots and divisions.
// in bodies f32[384] = uniform(53, -5, 5)
// out velocity f32[384]
// run nbody grid=96 group=32: bodies velocity u32:96
__kernel void nbody(__global const float4 *bodies, __global float4 *velocity, uint n) {
  __local float4 near_[32];
  uint i = get_global_id(0), id = get_local_id(0);
  float4 own = bodies[i], v = velocity[i];
  for (uint tile = 0; tile < n; tile += 32) {
    near_[id] = bodies[tile + id];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < 32; j++) {
      float4 d = near_[j] - own;
      float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
      float scale = fabs(near_[j].w) / (r2 * sqrt(r2));
      v.xyz += d.xyz * scale;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  v.w += 1.0f;
  velocity[i] = v;
}
