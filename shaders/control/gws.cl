// Resources of global wave sync: a barrier and a semaphore whose waves do not wait for others.
// arch: gfx7 gfx8 gfx9 gfx10 gfx11
// out result u32[64]
// run gws grid=64 group=32: result
__kernel void gws(__global uint *result) {
  uint i = get_global_id(0), n = 1;
#ifdef __AMDGCN__
  __builtin_amdgcn_ds_gws_init(0, 0);
  __builtin_amdgcn_ds_gws_barrier(0, 0);
  __builtin_amdgcn_ds_gws_init(0, 1);
  __builtin_amdgcn_ds_gws_sema_v(1);
  __builtin_amdgcn_ds_gws_sema_br(1, 1);
  __builtin_amdgcn_ds_gws_sema_p(1);
  __builtin_amdgcn_ds_gws_sema_release_all(1);
#endif
  result[i] = i * 3 + n;
}
