//! Kernels that nobody thought of: `random/N` is one for each number N, always the same.
//!
//! A kernel reads buffers and arguments, computes, branches, loops, shares what it has with its group, and leaves all its variables. Beyond
//! what [the generator](crate::generator) sees to: whole numbers wrap (`-fwrapv`), memory may be read as
//! what it was not written as (`-fno-strict-aliasing`), floats have operations that are rounded once, and nothing of
//! them is too small for a processor that flushes.
//!
//! `CORPUS_RANDOM=1000..1100` makes these instead of the usual few. They lie in the folder for temporary files, `corpus/random`.

use crate::asked;
use crate::generator::{Class, Dialect, Dice, Kind, Row, Type, Writer, one, row, several, vectors};
use std::path::PathBuf;

/// What clang is told besides, where kernels are random.
pub const FLAGS: [&str; 2] = ["-fwrapv", "-fno-strict-aliasing"];

/// What the topics of these kernels begin with.
pub const TOPIC: &str = "random";
/// Kernels of a topic, which are compiled together.
const TOGETHER: u64 = 8;
/// How many there are where nobody asks.
const USUAL: u64 = 8;

/// The kernels: name, topic and source.
pub fn sources() -> Vec<(String, String, String)> {
    // For those who look what one does.
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("corpus").join(TOPIC);
    std::fs::create_dir_all(&folder).expect("a folder for the kernels");
    let source = |n: u64| {
        let text = kernel(n);
        std::fs::write(folder.join(format!("{n}.cl")), &text).expect("a file for a kernel");
        (format!("{TOPIC}/{n}"), format!("{TOPIC}{}", n / TOGETHER), text)
    };
    asked::numbers("CORPUS_RANDOM", 0..USUAL).map(source).collect()
}

static OPENCL: Dialect = Dialect {
    types: TYPES,
    rows: ROWS,
    leaves: LEAVES,
    places: PLACES,
    returning: RETURNING,
    qualifier: "",
    cast: |name, value| format!("(({name})({value}))"),
    barrier: "barrier(CLK_LOCAL_MEM_FENCE);",
    atomics: ["atomic_add(&", "atomic_xor(&", "atomic_or(&", "atomic_and(&", "atomic_min(&", "atomic_max(&"],
};

fn kernel(number: u64) -> String {
    let mut dice = Dice::new(number);
    let more = *dice.of(&["", "", "UI", "d", "st", "ce", "stce", "h", "sth", "UIdstce", "UIdsthce"]);
    let (grid, group) = *dice.of(&[(128, 64), (192, 64), (256, 128), (256, 256), (96, 32), (200, 100), (48, 48)]);
    let mut writer = Writer::new(&mut dice, &OPENCL, &format!("buif{more}"));
    writer.begin();
    for _ in 0..6 + writer.dice.below(18) {
        match writer.dice.below(10) {
            0 => share(&mut writer, group),
            1 => writer.count(),
            _ => writer.statement(2),
        }
    }
    writer.end();
    let (body, left) = (writer.text, writer.left);
    // Before gfx8, clang does not round halves in between.
    let since = if more.contains('h') { "// arch: gfx8..\n" } else { "" };
    let (p0, p1) = (dice.word(), dice.below(100));
    let seed = number + 1;
    format!(
        "// Random kernel {number}.\n{since}\
         // in a u32[256] = random({seed})\n\
         // in small u32[256] = letters({seed}, 99)\n\
         // in f f32[256] = uniform({seed}, -10, 10)\n\
         // out o u32[{}]\n\
         // out t u32[256] = random({})\n\
         // out w u32[{}] = random({})\n\
         // run random_{number} grid={grid} group={group}: a small f o t w u32:{p0} u32:{p1}\n\
         {COMMON}#undef LEFT\n#define LEFT {left}u\n\
         __kernel void random_{number}(__global const uint *a, __global const uint *small, __global const float *f,\n\
         {:>8}__global uint *o, __global uint *t, __global uint *w, uint p0, uint p1) {{\n\
         {:>4}__local uint s[256] __attribute__((aligned(16)));\n\
         {:>4}__local uint own[256];\n\
         {:>4}uint l = get_local_id(0), item = get_global_id(0);\n\
         {:>4}own[l] = item + 9u;\n\
         {body}}}\n",
        left * grid,
        seed + 1,
        16 * grid,
        seed + 2,
        "",
        "",
        "",
        "",
        "",
    )
}

/// What kernels share, whichever comes first.
const COMMON: &str = "\
#ifndef FOLD
#define FOLD(T, least, most) \\
  static __attribute__((overloadable)) T fold(T x) { \\
    return x < least && x > -least ? 0 : x > most ? most : x < -most ? -most : x; \\
  } \\
  static __attribute__((overloadable)) T##2 fold(T##2 x) { return (T##2)(fold(x.x), fold(x.y)); } \\
  static __attribute__((overloadable)) T##3 fold(T##3 x) { return (T##3)(fold(x.x), fold(x.y), fold(x.z)); } \\
  static __attribute__((overloadable)) T##4 fold(T##4 x) { return (T##4)(fold(x.xy), fold(x.zw)); }
FOLD(float, 0.0009765625f, 1024.0f)
FOLD(double, 0.0009765625, 1024.0)
FOLD(half, (half)0.0625f, (half)16.0f)
__constant uint table[16] = { 3, 1, 4, 1, 5, 9, 2, 6, 0xffffffff, 0x80000000, 35, 89, 79, 0x12345678, 32, 38 };
NOINLINE uint away(uint x, uint y) {
  for (uint n = 0; n < (y & 3); n++)
    x = x * 5 + (x >> 3 ^ y);
  return x;
}
#endif
";

/// Memory of the group, which is read in other sizes than it was written, too.
fn share(writer: &mut Writer<'_>, size: u32) {
    writer.share(size);
    let at = writer.word(1);
    let views: Vec<&View> = VIEWS.iter().filter(|view| writer.has(view.letter)).collect();
    let &&View { letter, n, bytes } = writer.dice.of(&views);
    let kind = Kind { of: writer.dialect.named(letter), n };
    let name = kind.name();
    writer.declare(kind, &format!("((__local {name} *)s)[({at}) % {}u]", 4 * size / bytes));
}

/// How shared memory is read.
struct View {
    letter: char,
    n: u32,
    bytes: u32,
}

#[rustfmt::skip]
const VIEWS: &[View] = &[
    View { letter: 'u', n: 1, bytes: 4 },
    View { letter: 'u', n: 2, bytes: 8 },
    View { letter: 'u', n: 4, bytes: 16 },
    View { letter: 'i', n: 1, bytes: 4 },
    View { letter: 'U', n: 1, bytes: 8 },
    View { letter: 's', n: 1, bytes: 2 },
    View { letter: 't', n: 1, bytes: 2 },
    View { letter: 's', n: 4, bytes: 8 },
    View { letter: 'c', n: 1, bytes: 1 },
    View { letter: 'e', n: 1, bytes: 1 },
    View { letter: 'c', n: 4, bytes: 4 },
];

const fn ty(
    letter: char,
    class: Class,
    name: &'static str,
    given: &'static [&'static str],
    words: &'static [&'static str],
) -> Type {
    Type { letter, class, scalar: name, vector: name, given, words }
}

const WORDS: &[&str] = &["a[@]", "a[@]", "small[@]"];
const FLOATS: &[&str] = &["f[@]"];

#[rustfmt::skip]
const TYPES: &[Type] = &[
    ty('b', Class::Bool,      "bool",   &[],    &["(uint)@"]),
    ty('u', Class::Whole(32), "uint",   WORDS,  &["@"]),
    ty('i', Class::Whole(32), "int",    WORDS,  &["(uint)@"]),
    ty('f', Class::Float,     "float",  FLOATS, &["as_uint(@)"]),
    ty('U', Class::Whole(64), "ulong",  WORDS,  &["(uint)@", "(uint)(@ >> 32)"]),
    ty('I', Class::Whole(64), "long",   WORDS,  &["(uint)@", "(uint)(@ >> 32)"]),
    ty('d', Class::Float,     "double", FLOATS, &["as_uint2(@).x", "as_uint2(@).y"]),
    ty('s', Class::Whole(16), "ushort", WORDS,  &["(uint)@"]),
    ty('t', Class::Whole(16), "short",  WORDS,  &["(uint)@"]),
    ty('h', Class::Float,     "half",   &["(half)(f[@] * 0.125f)"], &["(uint)as_ushort(@)"]),
    ty('c', Class::Whole(8),  "uchar",  WORDS,  &["(uint)@"]),
    ty('e', Class::Whole(8),  "char",   WORDS,  &["(uint)@"]),
];

const LEAVES: &[Row] = &[
    one("u", "l"),
    one("u", "item"),
    one("u", "p0"),
    one("u", "p1"),
    one("u", "((uint)get_group_id(0))"),
    one("u", "a[7]"),
    one("f", "f[5]"),
];

/// Sixteen words of an item in a buffer, and an array of it, as numbers of any size.
#[rustfmt::skip]
const PLACES: &[Row] = &[
    one("u",           "w[item * 16u + ({u} & 15u)]"),
    several("u", 2,    "((__global uint2 *)w)[item * 8u + ({u} & 7u)]"),
    several("u", 4,    "((__global uint4 *)w)[item * 4u + ({u} & 3u)]"),
    several("u", 4,    "((__global uint4 *)w)[item * 4u + 1u]"),
    several("i", 2,    "((__global int2 *)w)[item * 8u + 5u]"),
    one("U",           "((__global ulong *)w)[item * 8u + ({u} & 7u)]"),
    one("s",           "((__global ushort *)w)[item * 32u + ({u} & 31u)]"),
    one("s",           "((__global ushort *)w)[item * 32u + 7u]"),
    one("t",           "((__global short *)w)[item * 32u + ({u} & 31u)]"),
    several("s", 2,    "((__global ushort2 *)w)[item * 16u + ({u} & 15u)]"),
    several("t", 4,    "((__global short4 *)w)[item * 8u + ({u} & 7u)]"),
    one("c",           "((__global uchar *)w)[item * 64u + ({u} & 63u)]"),
    one("e",           "((__global char *)w)[item * 64u + ({u} & 63u)]"),
    one("e",           "((__global char *)w)[item * 64u + 18u]"),
    several("c", 4,    "((__global uchar4 *)w)[item * 16u + ({u} & 15u)]"),
    one("s",           "((ushort *)big)[{u} % 80u]"),
    one("t",           "((short *)big)[{u} % 80u]"),
    one("c",           "((uchar *)big)[{u} % 160u]"),
    one("e",           "((char *)big)[{u} % 160u]"),
    one("s",           "((ushort *)array)[{u} & 15u]"),
    one("c",           "((uchar *)array)[{u} & 31u]"),
];

/// The same words, and one in the memory of the group.
#[rustfmt::skip]
const RETURNING: &[Row] = &[
    one("u", "atomic_add(&w[item * 16u + ({u} & 15u)], {u})"),
    one("u", "atomic_sub(&w[item * 16u + ({u} & 15u)], {u})"),
    one("u", "atomic_inc(&w[item * 16u + ({u} & 15u)])"),
    one("u", "atomic_dec(&w[item * 16u + ({u} & 15u)])"),
    one("u", "atomic_and(&w[item * 16u + 3u], {u})"),
    one("u", "atomic_or(&w[item * 16u + 4u], {u})"),
    one("u", "atomic_xor(&w[item * 16u + ({u} & 15u)], {u})"),
    one("u", "atomic_min(&w[item * 16u + ({u} & 15u)], {u})"),
    one("u", "atomic_max(&w[item * 16u + 5u], {u})"),
    one("i", "atomic_min((__global int *)&w[item * 16u + ({u} & 15u)], {i})"),
    one("i", "atomic_max((__global int *)&w[item * 16u + ({u} & 15u)], {i})"),
    one("u", "atomic_xchg(&w[item * 16u + ({u} & 15u)], {u})"),
    one("u", "atomic_cmpxchg(&w[item * 16u + ({u} & 15u)], w[item * 16u + ({u} & 15u)], {u})"),
    one("u", "atomic_add(&own[l], {u})"),
    one("u", "atomic_sub(&own[l], {u})"),
    one("u", "atomic_inc(&own[l])"),
    one("u", "atomic_xor(&own[l], {u})"),
    one("u", "atomic_and(&own[l], {u})"),
    one("u", "atomic_or(&own[l], {u})"),
    one("i", "atomic_min((__local int *)&own[l], {i})"),
    one("i", "atomic_max((__local int *)&own[l], {i})"),
    one("u", "atomic_min(&own[l], {u})"),
    one("u", "atomic_max(&own[l], {u})"),
    one("u", "atomic_xchg(&own[l], {u})"),
    one("u", "atomic_cmpxchg(&own[l], ({b} ? own[l] : {u}), {u})"),
];

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // All numbers. What is narrower than a word is computed as one.
    row("uifUIdstce",  "({T})({x} + {x})"),
    row("uifUIdstce",  "({T})({x} - {x})"),
    row("uifUIdstce",  "({T})({x} * {x})"),
    one("uiUIstcefd",  "({T})({x} < {x} ? {.x} : {.x})"),
    one("uifUIdstceb", "({T})({b} ? {x} : {x})"),
    one("uiUIst",      "min({x}, {x})"),
    one("uiUIst",      "max({x}, {x})"),
    // Whole numbers.
    row("uiUIstce",    "({T})({x} & {x})"),
    row("uiUIstce",    "({T})({x} | {x})"),
    row("uiUIstce",    "({T})({x} ^ {x})"),
    row("uiUIstce",    "({T})(~{x})"),
    row("uiUIstcefd",  "({T})(-{x})"),
    row("uiUIstce",    "({T})({x} << ({x} & ({T})({bits})))"),
    row("uiUIstce",    "({T})({x} >> ({x} & ({T})({bits})))"),
    // clang 19 takes unsigned numbers with many ones at the top for small ones.
    row("uscU",        "({T})(({x} >> 1) / ({x} >> 1 | ({T})(1)))"),
    row("uscU",        "({T})(({x} >> 1) % ({x} >> 1 | ({T})(1)))"),
    one("i",           "({x} / (int)({.u} % 1000u + 1u))"),
    one("i",           "({x} % (int)({.u} % 1000u + 1u))"),
    one("te",          "({T})({x} / (({x} & 31) + 1))"),
    one("I",           "({x} % (long)({.u} % 1000u + 1u))"),
    one("I",           "({x} / (long)({.u} | 1u))"),
    // Words.
    one("u",           "popcount({u})"),
    one("u",           "clz({u})"),
    one("u",           "rotate({u}, {u} & 31u)"),
    one("u",           "(({.u} << 9u) | ({.u} >> 23u))"),
    one("u",           "mul_hi({u}, {u})"),
    one("i",           "mul_hi({i}, {i})"),
    // libclc promises that these do not overflow.
    one("i",           "mad24(({i} << 16) >> 16, ({i} << 16) >> 16, {i} & 0xffff)"),
    one("i",           "mul24(({i} << 16) >> 16, ({i} << 16) >> 16)"),
    one("i",           "(({i} << 8 >> 8) * ({i} << 8 >> 8))"),
    one("i",           "(({i} << 8 >> 8) * ({i} << 8 >> 8) + {i})"),
    one("u",           "abs({i})"),
    one("i",           "add_sat({i}, {i})"),
    // libclc's difference of 0 and the lowest number is the lowest.
    one("i",           "sub_sat({i} | 1, {i})"),
    one("i",           "hadd({i}, {i})"),
    one("i",           "rhadd({i}, {i})"),
    one("u",           "bitselect({u}, {u}, {u})"),
    one("i",           "clamp({i}, -100, 1000)"),
    one("u",           "clamp({u}, 3u, 0x80000000u)"),
    one("i",           "min(max({i}, {.i}), {.i})"),
    one("u",           "(({u} >> 8u & 0xffu) * ({u} & 0xffu))"),
    one("u",           "(({u} & 0xffffffu) * ({u} & 0xffffffu) + {u})"),
    one("u",           "({u} >> ({u} & 15u) & (1u << ({u} & 15u)) - 1u)"),
    one("u",           "away({u}, {u})"),
    // Between types.
    one("u",           "(uint){i}"),
    one("u",           "(uint){b}"),
    one("u",           "(uint)(fabs({.f}) * 16.0f)"),
    one("i",           "(int){u}"),
    one("i",           "(int)({.f} * 64.0f)"),
    one("f",           "(float)({i} & 0xfff)"),
    one("f",           "((float)({u} >> 8u) * 0.00006103515625f)"),
    one("f",           "(float)({u} & 0xffu)"),
    one("f",           "(float)({u} >> 8u & 0xffu)"),
    one("u",           "as_uint({.f})"),
    one("u",           "as_uint({.f} + {.f} + 0.0f)"),
    several("u", 2,    "(uint2)({u}, {u})"),
    several("u", 3,    "(uint3)({u}, {u}, {u})"),
    several("u", 4,    "(uint4)({u2}, {u2})"),
    several("i", 2,    "(int2)({i}, {i})"),
    several("f", 2,    "(float2)({f}, {f})"),
    several("f", 4,    "(float4)({f2}, {f2})"),
    several("uistce", 2, "({x}).yx"),
    several("ufstce", 4, "({x}).wzxy"),
    // Floats, where each operation is rounded once.
    one("fd",          "fma({x}, {x}, {x})"),
    one("fd",          "fabs({x})"),
    one("fd",          "floor({x})"),
    one("fd",          "ceil({x})"),
    one("fd",          "trunc({x})"),
    one("fd",          "rint({x})"),
    one("fd",          "sqrt(fabs({.x}))"),
    one("fd",          "({.x} / (fabs({.x}) + ({T})(1)))"),
    one("fd",          "({.x} < {.x} ? {.x} : {.x})"),
    one("fd",          "copysign({.x}, {.x})"),
    vectors("fd",      "({x} * {x} + {x})"),
    one("f",           "ldexp({.f}, (int)({.u} & 7u) - 3)"),
    one("f",           "({b} ? 1.0f : 0.0f)"),
    // Truth.
    one("b",           "({b} != {b})"),
    // Memory.
    one("u",           "a[(get_group_id(0) * 9u + 77u) & 255u]"),
    one("u",           "table[{u} & 15u]"),
    several("f", 2,    "LOAD2(float, {u} & 127u, f)"),
    several("u", 2,    "((__global const uint2 *)a)[{u} & 127u]"),
    several("u", 3,    "((__global const uint4 *)a)[{u} & 63u].xyz"),
    several("u", 4,    "((__global const uint4 *)a)[{u} & 63u]"),
    one("U",           "((__global const ulong *)a)[{u} & 127u]"),
    one("s",           "((__global const ushort *)a)[{u} & 511u]"),
    one("t",           "((__global const short *)a)[{u} & 511u]"),
    one("c",           "((__global const uchar *)a)[{u} & 1023u]"),
    one("e",           "((__global const char *)a)[{u} & 1023u]"),
    several("c", 4,    "((__global const uchar4 *)a)[{u} & 255u]"),
    several("s", 2,    "((__global const ushort2 *)a)[{u} & 255u]"),
    // Halves: one operation at a time, which hosts that compute them as floats round too.
    row("h",           "({T})({.x} + {.x})"),
    row("h",           "({T})({.x} - {.x})"),
    row("h",           "({T})({.x} * {.x})"),
    row("h",           "({T})(-{.x})"),
    one("h",           "({T})({b} ? {.x} : {.x})"),
    one("h",           "({T})({.x} < {.x} ? {.x} : {.x})"),
    one("h",           "(half)({.f} * 0.0078125f)"),
    one("h",           "(half)(float)({u} & 31u)"),
    one("f",           "(float){.h}"),
    one("f",           "((float){.h} * {.f} + (float){.h})"),
    one("i",           "(int)({.h})"),
    one("u",           "(uint)as_ushort({.h})"),
    one("b",           "({.h} == {.h})"),
    several("h", 2,    "(half2)({.h}, {.h})"),
    several("h", 2,    "({.x}).yx"),
    // 64 bits.
    one("U",           "(ulong){u}"),
    one("U",           "(ulong){I}"),
    one("U",           "as_ulong({u2})"),
    one("I",           "(long){i}"),
    one("I",           "(long){U}"),
    one("U",           "((ulong){u} * {u})"),
    one("U",           "((ulong){u} * {u} + {U})"),
    one("I",           "((long){i} * {i} + {I})"),
    one("U",           "mul_hi({U}, {U})"),
    one("U",           "popcount({U})"),
    one("U",           "clz({U})"),
    several("u", 2,    "as_uint2({U})"),
    one("u",           "(uint)({U} >> 32)"),
    one("u",           "(uint){U}"),
    one("d",           "(double){i}"),
    one("d",           "(double){u}"),
    one("d",           "(double){.f}"),
    one("i",           "(int)({.d} * 64.0)"),
    one("f",           "(float){.d}"),
    // 16 bits and bytes.
    one("s",           "(ushort){t}"),
    one("t",           "(short){s}"),
    one("s",           "(ushort){u}"),
    one("s",           "(ushort)({u} >> 16u)"),
    one("t",           "(short){i}"),
    one("u",           "(uint){s}"),
    one("i",           "(int){t}"),
    one("i",           "((int){t} * (int){t} + {i})"),
    one("u",           "((uint){s} * (uint){s} + {u})"),
    one("u",           "((uint){s} << 16u | (uint){s})"),
    one("u",           "as_uint({s2})"),
    several("s", 2,    "as_ushort2({u})"),
    several("s", 2,    "(ushort2)({s}, {s})"),
    several("t", 2,    "(short2)({t}, {t})"),
    one("stce",        "({x2}).x"),
    one("stce",        "({x2}).y"),
    one("c",           "(uchar){u}"),
    one("c",           "(uchar)({u} >> 8u)"),
    one("c",           "(uchar){e}"),
    one("e",           "(char){i}"),
    one("e",           "(char)({u} >> 24u)"),
    one("u",           "(uint){c}"),
    one("i",           "(int){e}"),
    one("f",           "(float){c}"),
    one("u",           "as_uint({c4})"),
    several("c", 4,    "as_uchar4({u})"),
];
