__kernel void fill(__global int *out, int value) { out[0] = value; }
