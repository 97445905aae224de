__constant float table[4] = { 1, 2, 3, 4 };
__global int counter = 5;
__kernel void scale(__global float *out, float y, __local int *scratch) {
    int i = __builtin_amdgcn_workitem_id_x() + 64 * __builtin_amdgcn_workgroup_id_x(); scratch[i & 7] = i; out[i] = y * table[i & 3] + counter;
}
__kernel __attribute__((reqd_work_group_size(64, 2, 1))) void pick(__global char *p, read_only image2d_t image) { *p = 1; }
