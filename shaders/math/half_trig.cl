// Sines and cosines of halves on gfx8, of revolutions: rounded correctly. None is a half revolution, whose zero has a sign.
// arch: gfx8
// in data f16[256] = uniform(191, -8, 8)
// out result f16[512]
// run half_trig grid=256 group=64: data result
__kernel void half_trig(__global const half *data, __global half *result) {
  uint i = get_global_id(0);
  half x = as_half((ushort)(as_ushort(data[i]) | 1));
#ifdef __AMDGCN__
  result[i] = __builtin_amdgcn_sinh(x);
  result[i + 256] = __builtin_amdgcn_cosh(x);
#else
  result[i] = sin(6.283185307179586476925286766559 * (double)x);
  result[i + 256] = cos(6.283185307179586476925286766559 * (double)x);
#endif
}
