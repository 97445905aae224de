// What the kernels share, before each of them: in the compiler for the GPU and in that for the host.
//
// The host compiles the same OpenCL C; `host.c` has the work-items, barriers and built-in functions there.
// Cross-lane functions work on rows of 32 work-items, so that results do not depend on the size of a wave.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define NOINLINE __attribute__((noinline))
// libclc has vload and vstore for named address spaces only, and OpenCL C 2.0 asks for the generic ones.
#define LOAD2(type, i, p) ((type##2)((p)[2 * (i)], (p)[2 * (i) + 1]))
#define LOAD3(type, i, p) ((type##3)((p)[3 * (i)], (p)[3 * (i) + 1], (p)[3 * (i) + 2]))
#define LOAD4(type, i, p) ((type##4)(LOAD2(type, 2 * (i), p), LOAD2(type, 2 * (i) + 1, p)))
#define LOAD8(type, i, p) ((type##8)(LOAD4(type, 2 * (i), p), LOAD4(type, 2 * (i) + 1, p)))
#define STORE3(type, v, i, p)                                                                                          \
  do {                                                                                                                 \
    type##3 stored = v;                                                                                                \
    (p)[3 * (i)] = stored.x, (p)[3 * (i) + 1] = stored.y, (p)[3 * (i) + 2] = stored.z;                                 \
  } while (0)
#define STORE4(type, v, i, p)                                                                                          \
  do {                                                                                                                 \
    type##4 stored = v;                                                                                                \
    (p)[4 * (i)] = stored.x, (p)[4 * (i) + 1] = stored.y, (p)[4 * (i) + 2] = stored.z, (p)[4 * (i) + 3] = stored.w;    \
  } while (0)
#define LANE (get_local_id(0) & 31)

#ifdef __AMDGCN__

// The work-item functions of libclc take the hidden arguments of code object version 4, while its bitcode says version 5.
#define HIDDEN(type, at) (*(__constant type *)((__constant char *)__builtin_amdgcn_implicitarg_ptr() + (at)))
static inline uint own_local_id(uint d) {
  return d == 0 ? __builtin_amdgcn_workitem_id_x() : d == 1 ? __builtin_amdgcn_workitem_id_y() : __builtin_amdgcn_workitem_id_z();
}
static inline uint own_group_id(uint d) {
  return d == 0 ? __builtin_amdgcn_workgroup_id_x() : d == 1 ? __builtin_amdgcn_workgroup_id_y() : __builtin_amdgcn_workgroup_id_z();
}
static inline uint own_full_size(uint d) {
  return d == 0 ? HIDDEN(ushort, 12) : d == 1 ? HIDDEN(ushort, 14) : HIDDEN(ushort, 16);
}
// The last group of a dimension is smaller where the grid is no multiple of the group.
static inline uint own_local_size(uint d) {
  uint blocks = d == 0 ? HIDDEN(uint, 0) : d == 1 ? HIDDEN(uint, 4) : HIDDEN(uint, 8);
  uint rest = d == 0 ? HIDDEN(ushort, 18) : d == 1 ? HIDDEN(ushort, 20) : HIDDEN(ushort, 22);
  return own_group_id(d) < blocks ? own_full_size(d) : rest;
}
static inline uint own_num_groups(uint d) {
  uint blocks = d == 0 ? HIDDEN(uint, 0) : d == 1 ? HIDDEN(uint, 4) : HIDDEN(uint, 8);
  uint rest = d == 0 ? HIDDEN(ushort, 18) : d == 1 ? HIDDEN(ushort, 20) : HIDDEN(ushort, 22);
  return blocks + (rest != 0);
}
static inline uint own_global_id(uint d) {
  ulong offset = d == 0 ? HIDDEN(ulong, 40) : d == 1 ? HIDDEN(ulong, 48) : HIDDEN(ulong, 56);
  return own_group_id(d) * own_full_size(d) + own_local_id(d) + (uint)offset;
}
static inline uint own_global_size(uint d) {
  return d == 0   ? __builtin_amdgcn_grid_size_x()
         : d == 1 ? __builtin_amdgcn_grid_size_y()
                  : __builtin_amdgcn_grid_size_z();
}
#define get_local_id own_local_id
#define get_group_id own_group_id
#define get_local_size own_local_size
#define get_num_groups own_num_groups
#define get_global_id own_global_id
#define get_global_size own_global_size

// The value of lane `from` of the row, all lanes active. Before gfx8 through LDS, without a barrier: waves run in lockstep.
static inline uint lane_read(uint value, uint from) {
  uint lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  return __builtin_amdgcn_ds_bpermute(((lane & ~31u) | (from & 31)) << 2, value);
}

// Which lanes of the row have a non-zero value.
static inline uint lane_ballot(int value) {
#if __AMDGCN_WAVEFRONT_SIZE == 32
  return __builtin_amdgcn_ballot_w32(value != 0);
#else
  return (uint)(__builtin_amdgcn_ballot_w64(value != 0) >> (get_local_id(0) & 32));
#endif
}

// The T# of a linear image: rows of 64 texels, at an address that is a multiple of 256. Formats go by their numbers on gfx11.
enum { WHOLE_TEXELS = 20, FLOAT_TEXELS = 22, PAIR_TEXELS = 29 };
static inline uint8 linear_image(__global const void *texels, uint rows, uint format) {
  ulong address = (ulong)texels;
  uint type = rows == 1 ? 8 : 9, height = rows - 1;
  uint8 image = {(uint)(address >> 8), (uint)(address >> 40), 0, type << 28 | 0xfac, 0, 0, 0, 0};
#if defined(__GFX12__)
  image.s1 |= format << 17 | 3u << 30, image.s2 = 15 | height << 14;
#elif defined(__GFX11__)
  image.s1 |= format << 20 | 3u << 30, image.s2 = 15 | height << 14;
#elif defined(__GFX10__)
  image.s1 |= format << 20 | 3u << 30, image.s2 = 15 | height << 14 | 1u << 31;
#else
  uint data = format == PAIR_TEXELS ? 5 : 4, number = format == WHOLE_TEXELS ? 4 : 7;
  image.s1 |= data << 20 | number << 26, image.s2 = 63 | height << 14, image.s4 = 63 << 13;
#ifndef __GFX9__
  image.s3 |= 8 << 20;
#endif
#endif
  return image;
}
// The S# of the nearest texels, with coordinates that end at the last one, and comparison by less or equal.
#define NEAREST_SAMPLER ((uint4)(2 | 2 << 3 | 2 << 6 | 3 << 12, 0xfff000, 0, 0))
// A function of the compiler that takes texels: what it does, by which ways, with operands of which types; and its value.
#define TEXELS(name, does, ways, types, ...)                                                                           \
  float4 name(int mask, __VA_ARGS__, uint8 image, uint4 sampler, bool plain, int fail, int cache)                      \
      __asm("llvm.amdgcn.image." does ways ".2d.v4f32" types)
#define TAKE(name, ...) name(1, __VA_ARGS__, image, NEAREST_SAMPLER, false, 0, 0)
// Where parameters are in LDS. Behind a barrier: the compiler believes that they always are there.
static inline uint parameters_at(__local const void *parts) {
  uint at = (uint)parts;
  __asm__ volatile("" : "+s"(at));
  return at;
}
#define EITHER(gpu, host) gpu

#else

uint lane_read(uint value, uint from);
uint lane_ballot(int value);
static inline uint parameters_at(__local const void *parts) { return 0; }
#define EITHER(gpu, host) host

#endif

// The offset of a sample: three texels on, and one row.
#define ONWARD (3 | 1 << 8)
// What a gather returns of an image with rows of 64 texels: the lower left corner of a square first, and then round.
static inline float4 corners(__global const float *texels, uint x, uint y) {
  __global const float *at = texels + 64 * y + x;
  return (float4)(at[64], at[65], at[1], at[0]);
}
static inline float4 compared_to(float4 v, float ref) {
  return (float4)(ref <= v.x, ref <= v.y, ref <= v.z, ref <= v.w);
}
// By weights that tell the components apart.
static inline uint sum_of(float4 v) { return as_uint(v.x) + 3 * as_uint(v.y) + 5 * as_uint(v.z) + 7 * as_uint(v.w); }
