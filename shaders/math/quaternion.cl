// Rotation of vectors by unit quaternions, normalised with exact roots and divisions.
// in quats f32[256] = uniform(59, -1, 1)
// in points f32[256] = uniform(60, -10, 10)
// out turned f32[256]
// run quaternion grid=64 group=32: quats points turned
static float4 quaternion_mul(float4 a, float4 b) {
  return (float4)(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}
__kernel void quaternion(__global const float4 *quats, __global const float4 *points, __global float4 *turned) {
  uint i = get_global_id(0);
  float4 q = quats[i];
  q /= sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  float4 p = (float4)(points[i].xyz, 0);
  turned[i] = quaternion_mul(quaternion_mul(q, p), (float4)(-q.xyz, q.w));
}
