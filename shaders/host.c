// The other side of the comparison: the kernels of the corpus, compiled for the host as OpenCL C, are run here.
//
// Work-items of a group are coroutines that take turns at barriers. Built-in functions have the names that clang gives to those of
// OpenCL. Floats are computed in double and rounded, where OpenCL leaves the last bits open.
//
// Standard input: number of the kernel, grid, group, number of arguments; for each its kind (0 memory, 1 value, 2 LDS), its size, its
// bytes (none for LDS). Standard output: the memory, as it is afterwards. All numbers are little-endian words.

#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;

enum { MOST_ITEMS = 1024, STACK = 128 << 10, MOST_ARGS = 32 };

typedef void (*Kernel)(void **);
extern const Kernel kernels[];

static u32 grid[3], group[3], group_id[3], items, current, slots[MOST_ITEMS];
static ucontext_t scheduler, contexts[MOST_ITEMS];
static char done[MOST_ITEMS];
static char *stacks;
static Kernel kernel;
static void *args[MOST_ARGS];

static u32 group_size(u32 d) {
  u32 rest = grid[d] - group_id[d] * group[d];
  return rest < group[d] ? rest : group[d];
}

static u32 local_id(u32 d) {
  u32 x = group_size(0), y = group_size(1);
  return d == 0 ? current % x : d == 1 ? current / x % y : current / x / y;
}

static void yield_(void) { swapcontext(&contexts[current], &scheduler); }

static void item(void) {
  kernel(args);
  done[current] = 1;
  for (;;)
    yield_();
}

static void run_group(void) {
  items = group_size(0) * group_size(1) * group_size(2);
  for (current = 0; current < items; current++) {
    done[current] = 0;
    getcontext(&contexts[current]);
    contexts[current].uc_stack.ss_sp = stacks + (size_t)current * STACK;
    contexts[current].uc_stack.ss_size = STACK;
    contexts[current].uc_link = NULL;
    makecontext(&contexts[current], item, 0);
  }
  for (u32 left = items; left;)
    for (current = 0; current < items; current++)
      if (!done[current]) {
        swapcontext(&scheduler, &contexts[current]);
        left -= done[current];
      }
}

static u32 word(void) {
  u32 v;
  if (fread(&v, 4, 1, stdin) != 1)
    exit(2);
  return v;
}

int main(void) {
  u32 kinds[MOST_ARGS], sizes[MOST_ARGS];
  kernel = kernels[word()];
  for (int d = 0; d < 3; d++)
    grid[d] = word();
  for (int d = 0; d < 3; d++)
    group[d] = word();
  u32 count = word();
  if (count > MOST_ARGS || group[0] * group[1] * group[2] > MOST_ITEMS)
    return 2;
  for (u32 i = 0; i < count; i++) {
    kinds[i] = word(), sizes[i] = word();
    args[i] = aligned_alloc(64, (sizes[i] + 63) / 64 * 64 + 64);
    if (kinds[i] != 2 && fread(args[i], 1, sizes[i], stdin) != sizes[i])
      return 2;
  }
  stacks = malloc((size_t)MOST_ITEMS * STACK);
  for (group_id[2] = 0; group_id[2] * group[2] < grid[2]; group_id[2]++)
    for (group_id[1] = 0; group_id[1] * group[1] < grid[1]; group_id[1]++)
      for (group_id[0] = 0; group_id[0] * group[0] < grid[0]; group_id[0]++)
        run_group();
  for (u32 i = 0; i < count; i++)
    if (kinds[i] == 0)
      fwrite(args[i], 1, sizes[i], stdout);
  return 0;
}

// A function under the name that clang gives it: the type of its result, that name, its parameters.
#define FN(type, name, ...)                                                                                            \
  type f_##name(__VA_ARGS__) __asm__("_Z" #name);                                                                      \
  type f_##name(__VA_ARGS__)

FN(u64, 12get_local_idj, u32 d) { return local_id(d); }
FN(u64, 12get_group_idj, u32 d) { return group_id[d]; }
FN(u64, 13get_global_idj, u32 d) { return group_id[d] * group[d] + local_id(d); }
FN(u64, 14get_local_sizej, u32 d) { return group_size(d); }
FN(u64, 14get_num_groupsj, u32 d) { return (grid[d] + group[d] - 1) / group[d]; }
FN(u64, 15get_global_sizej, u32 d) { return grid[d]; }
FN(void, 7barrierj, u32 flags) {
  (void)flags;
  yield_();
}

u32 lane_read(u32 value, u32 from) {
  u32 at = (current & ~31u) | (from & 31);
  slots[current] = value;
  yield_();
  u32 result = at < items ? slots[at] : 0;
  yield_();
  return result;
}

u32 lane_ballot(i32 value) {
  slots[current] = value != 0;
  yield_();
  u32 result = 0;
  for (u32 i = 0; i < 32; i++) {
    u32 at = (current & ~31u) | i;
    result |= (at < items ? slots[at] : 0) << i;
  }
  yield_();
  return result;
}

// Work-items take turns: nothing comes between.
#define ATOMIC(length, name, type, letter, params, change)                                                             \
  FN(type, length##atomic_##name##PU8CLglobalV##letter, volatile type *p params) {                                     \
    type old = *p;                                                                                                     \
    *p = change;                                                                                                       \
    return old;                                                                                                        \
  }                                                                                                                    \
  FN(type, length##atomic_##name##PU7CLlocalV##letter, volatile type *p params) {                                      \
    type old = *p;                                                                                                     \
    *p = change;                                                                                                       \
    return old;                                                                                                        \
  }
#define ONE(type) , type v
#define TWO(type) , type c, type v
ATOMIC(10, add, u32, jj, ONE(u32), old + v)
ATOMIC(10, add, i32, ii, ONE(i32), (i32)((u32)old + (u32)v))
ATOMIC(10, sub, u32, jj, ONE(u32), old - v)
ATOMIC(10, inc, u32, j, , old + 1)
ATOMIC(10, inc, i32, i, , (i32)((u32)old + 1))
ATOMIC(10, dec, u32, j, , old - 1)
ATOMIC(10, and, u32, jj, ONE(u32), old & v)
ATOMIC(9, or, u32, jj, ONE(u32), old | v)
ATOMIC(10, xor, u32, jj, ONE(u32), old ^ v)
ATOMIC(10, min, u32, jj, ONE(u32), old < v ? old : v)
ATOMIC(10, max, u32, jj, ONE(u32), old > v ? old : v)
ATOMIC(10, min, i32, ii, ONE(i32), old < v ? old : v)
ATOMIC(10, max, i32, ii, ONE(i32), old > v ? old : v)
ATOMIC(11, xchg, u32, jj, ONE(u32), v)
ATOMIC(14, cmpxchg, u32, jjj, TWO(u32), old == c ? v : old)

// Integers.
FN(u32, 3absi, i32 x) { return x < 0 ? -(u32)x : (u32)x; }
FN(u32, 8abs_diffii, i32 x, i32 y) { return x > y ? (u32)x - (u32)y : (u32)y - (u32)x; }
FN(u32, 8abs_diffjj, u32 x, u32 y) { return x > y ? x - y : y - x; }
FN(i32, 7add_satii, i32 x, i32 y) {
  i64 v = (i64)x + y;
  return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}
FN(i32, 7sub_satii, i32 x, i32 y) {
  i64 v = (i64)x - y;
  return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}
FN(i32, 4haddii, i32 x, i32 y) { return ((i64)x + y) >> 1; }
FN(i32, 5rhaddii, i32 x, i32 y) { return ((i64)x + y + 1) >> 1; }
FN(i32, 6mul_hiii, i32 x, i32 y) { return (i64)x * y >> 32; }
FN(u32, 6mul_hijj, u32 x, u32 y) { return (u64)x * y >> 32; }
FN(i64, 6mul_hill, i64 x, i64 y) { return (__int128)x * y >> 64; }
FN(u64, 6mul_himm, u64 x, u64 y) { return (unsigned __int128)x * y >> 64; }
FN(i32, 5mad24iii, i32 x, i32 y, i32 z) { return (u32)x * (u32)y + (u32)z; }
FN(i32, 5mul24ii, i32 x, i32 y) { return (u32)x * (u32)y; }
FN(u32, 6rotatejj, u32 x, u32 n) { return x << (n & 31) | x >> (-n & 31); }
FN(u64, 6rotatemm, u64 x, u64 n) { return x << (n & 63) | x >> (-n & 63); }
FN(u32, 9bitselectjjj, u32 x, u32 y, u32 c) { return (x & ~c) | (y & c); }
FN(u32, 8popcountj, u32 x) { return __builtin_popcount(x); }
FN(u64, 8popcountm, u64 x) { return __builtin_popcountll(x); }
FN(u32, 3clzj, u32 x) { return x ? __builtin_clz(x) : 32; }
FN(u64, 3clzm, u64 x) { return x ? __builtin_clzll(x) : 64; }
FN(u16, 3clzt, u16 x) { return x ? __builtin_clz(x) - 16 : 16; }
#define MINMAX(letters, type)                                                                                          \
  FN(type, 3min##letters, type x, type y) { return x < y ? x : y; }                                                    \
  FN(type, 3max##letters, type x, type y) { return x > y ? x : y; }
MINMAX(ii, i32)
MINMAX(jj, u32)
MINMAX(ll, i64)
MINMAX(mm, u64)
MINMAX(tt, u16)
MINMAX(ss, i16)
FN(i32, 5clampiii, i32 x, i32 low, i32 high) { return x < low ? low : x > high ? high : x; }
FN(u32, 5clampjjj, u32 x, u32 low, u32 high) { return x < low ? low : x > high ? high : x; }

// Conversions.
#define SATURATED(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))
FN(i32, 15convert_int_rtef, float x) { return rintf(x); }
FN(i32, 15convert_int_rtnf, float x) { return floorf(x); }
FN(i32, 15convert_int_rtpf, float x) { return ceilf(x); }
FN(i8, 16convert_char_sati, i32 x) { return SATURATED(x, -128, 127); }
FN(u16, 18convert_ushort_sati, i32 x) { return SATURATED(x, 0, 65535); }
FN(i16, 17convert_short_satf, float x) { return SATURATED(truncf(x), -32768, 32767); }
FN(u8, 17convert_uchar_satf, float x) { return SATURATED(truncf(x), 0, 255); }
FN(u8, 21convert_uchar_sat_rtef, float x) { return SATURATED(rintf(x), 0, 255); }

// Floats: exact ones.
FN(float, 3fmafff, float x, float y, float z) { return fmaf(x, y, z); }
FN(double, 3fmaddd, double x, double y, double z) { return fma(x, y, z); }
FN(float, 4sqrtf, float x) { return sqrtf(x); }
FN(double, 4sqrtd, double x) { return sqrt(x); }
FN(float, 4fabsf, float x) { return fabsf(x); }
FN(double, 4fabsd, double x) { return fabs(x); }
FN(float, 4fminff, float x, float y) { return fminf(x, y); }
FN(double, 4fmindd, double x, double y) { return fmin(x, y); }
FN(float, 4fmaxff, float x, float y) { return fmaxf(x, y); }
FN(double, 4fmaxdd, double x, double y) { return fmax(x, y); }
FN(float, 4fmodff, float x, float y) { return fmodf(x, y); }
FN(double, 4fmoddd, double x, double y) { return fmod(x, y); }
FN(float, 5floorf, float x) { return floorf(x); }
FN(double, 5floord, double x) { return floor(x); }
FN(float, 4ceilf, float x) { return ceilf(x); }
FN(double, 4ceild, double x) { return ceil(x); }
FN(float, 5truncf, float x) { return truncf(x); }
FN(double, 5truncd, double x) { return trunc(x); }
FN(float, 4rintf, float x) { return rintf(x); }
FN(double, 4rintd, double x) { return rint(x); }
FN(float, 5roundf, float x) { return roundf(x); }
FN(float, 8copysignff, float x, float y) { return copysignf(x, y); }
FN(double, 8copysigndd, double x, double y) { return copysign(x, y); }
FN(float, 5ldexpfi, float x, i32 n) { return ldexpf(x, n); }
FN(double, 5ldexpdi, double x, i32 n) { return ldexp(x, n); }
FN(i32, 5ilogbf, float x) { return ilogbf(x); }
FN(i32, 5isinff, float x) { return isinf(x) != 0; }
FN(i32, 5isnanf, float x) { return isnan(x) != 0; }
FN(i32, 7signbitf, float x) { return signbit(x) != 0; }
FN(float, 4signf, float x) { return x > 0 ? 1.0f : x < 0 ? -1.0f : isnan(x) ? 0.0f : x; }
FN(float, 4stepff, float edge, float x) { return x < edge ? 0.0f : 1.0f; }
FN(float, 3maxff, float x, float y) { return x < y ? y : x; }
FN(float, 5clampfff, float x, float low, float high) { return fminf(fmaxf(x, low), high); }
FN(float, 3mixfff, float x, float y, float a) { return x + (y - x) * a; }

// Floats: those with a bound.
#define MATH(length, name)                                                                                             \
  FN(float, length##name##f, float x) { return (float)name((double)x); }                                               \
  FN(double, length##name##d, double x) { return (double)name##l((long double)x); }
MATH(3, sin)
MATH(3, cos)
MATH(3, tan)
MATH(4, asin)
MATH(4, atan)
MATH(3, exp)
MATH(4, exp2)
MATH(3, log)
MATH(4, log2)
MATH(5, log10)
MATH(4, tanh)
MATH(4, cbrt)
FN(float, 3powff, float x, float y) { return (float)pow(x, y); }
FN(double, 3powdd, double x, double y) { return (double)powl(x, y); }
FN(float, 5atan2ff, float y, float x) { return (float)atan2(y, x); }
FN(float, 10native_sinf, float x) { return (float)sin(x); }
FN(float, 11native_exp2f, float x) { return (float)exp2(x); }
FN(float, 11native_log2f, float x) { return (float)log2(x); }
FN(float, 11native_sqrtf, float x) { return (float)sqrt(x); }
FN(float, 12native_recipf, float x) { return (float)(1.0 / x); }
FN(float, 12native_rsqrtf, float x) { return (float)(1.0 / sqrt(x)); }
