// LDS whose size the launch decides: two pointers as arguments beside an array of the kernel's own.
// in data f64[128] = uniform(116, -1, 1)
// out result f64[128]
// run local_args grid=128 group=64: data result lds:512 lds:256 u32:5
__kernel void local_args(__global const double *data, __global double *result, __local double *a, __local uint *b, uint turn) {
  __local ushort own[64];
  uint id = get_local_id(0), i = get_global_id(0);
  a[id] = data[i];
  b[id] = (id * turn + 1) & 63;
  own[63 - id] = id;
  barrier(CLK_LOCAL_MEM_FENCE);
  result[i] = a[b[own[id]]] * own[b[id]] + a[id ^ 1];
}
