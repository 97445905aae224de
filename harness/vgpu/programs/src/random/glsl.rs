//! What GLSL has: types, and what expressions of them may be.

use crate::generator::{Class, Dialect, Row, Type, one, row, several, vectors};

/// GLSL with the types that extensions bring.
pub static GLSL: Dialect = Dialect {
    types: TYPES,
    rows: ROWS,
    leaves: LEAVES,
    places: PLACES,
    returning: RETURNING,
    qualifier: "precise ",
    cast: |name, value| format!("{name}({value})"),
    barrier: "barrier();",
    atomics: ["atomicAdd(", "atomicXor(", "atomicOr(", "atomicAnd(", "atomicMin(", "atomicMax("],
};

/// A type that a shader has, or not; or images.
pub struct Feature {
    letter: char,
    /// What it needs.
    pub needs: &'static [&'static str],
    /// How buffers are seen as such numbers: one that is read, one that items have a part of.
    pub views: [&'static str; 2],
    /// Memory that a group shares, and an array of an item.
    pub arrays: [&'static str; 2],
}

impl Feature {
    /// That of a letter; types of 32 bits are always there, and signed ones where those without a sign are.
    pub fn of(letter: char) -> Option<&'static Feature> {
        FEATURES.iter().find(|feature| feature.letter == letter)
    }
}

#[rustfmt::skip]
const FEATURES: &[Feature] = &[
    Feature { letter: 'U', needs: &["shader_int64", "shader_buffer_int64_atomics"], views: ["readonly buffer A64 { uint64_t a64[]; };", "buffer W64 { uint64_t w64[]; };"], arrays: ["uint64_t s64[256]", "uint64_t big64[40]"] },
    Feature { letter: 's', needs: &["shader_int16", "storage_buffer16_bit_access"], views: ["readonly buffer A16 { uint16_t a16[]; };", "buffer W16 { uint16_t w16[]; };"], arrays: ["uint16_t s16[256]", "uint16_t big16[40]"] },
    Feature { letter: 'c', needs: &["shader_int8", "storage_buffer8_bit_access"], views: ["readonly buffer A8 { uint8_t a8[]; };", "buffer W8 { uint8_t w8[]; };"], arrays: ["uint8_t s8[256]", "uint8_t big8[40]"] },
    Feature { letter: 'd', needs: &["shader_float64"], views: NONE, arrays: NONE },
    Feature { letter: 'h', needs: &["shader_float16"], views: NONE, arrays: NONE },
    Feature { letter: IMAGES, needs: &["shader_image_gather_extended"], views: NONE, arrays: NONE },
];

const NONE: [&str; 2] = [""; 2];

/// The letter of images.
pub const IMAGES: char = 'q';

/// What a shader has beside 32 bits.
pub const SETS: &[&str] =
    &["", "", "UI", "d", "st", "sth", "h", "ce", "stce", "UIdsthce", "q", "q", "hq", "stq", "sthq", "UIq"];

const fn ty(
    letter: char,
    class: Class,
    scalar: &'static str,
    vector: &'static str,
    given: &'static [&'static str],
    words: &'static [&'static str],
) -> Type {
    Type { letter, class, scalar, vector, given, words }
}

const WORDS: &[&str] = &["a[@]", "a[@]", "small[@]"];
const FLOATS: &[&str] = &["f[@]"];

#[rustfmt::skip]
const TYPES: &[Type] = &[
    ty('b', Class::Bool,      "bool",      "bvec",   &[],    &["uint(@)"]),
    ty('u', Class::Whole(32), "uint",      "uvec",   WORDS,  &["@"]),
    ty('i', Class::Whole(32), "int",       "ivec",   WORDS,  &["uint(@)"]),
    ty('f', Class::Float,     "float",     "vec",    FLOATS, &["floatBitsToUint(@)"]),
    ty('U', Class::Whole(64), "uint64_t",  "u64vec", WORDS,  &["uint(@)", "uint(@ >> 32u)"]),
    ty('I', Class::Whole(64), "int64_t",   "i64vec", WORDS,  &["uint(@)", "uint(@ >> 32u)"]),
    ty('d', Class::Float,     "double",    "dvec",   FLOATS, &["unpackDouble2x32(@).x", "unpackDouble2x32(@).y"]),
    ty('s', Class::Whole(16), "uint16_t",  "u16vec", WORDS,  &["uint(@)"]),
    ty('t', Class::Whole(16), "int16_t",   "i16vec", WORDS,  &["uint(@)"]),
    ty('h', Class::Float,     "float16_t", "f16vec", &["f[@] * 0.0078125"], &["uint(float16BitsToUint16(@))"]),
    ty('c', Class::Whole(8),  "uint8_t",   "u8vec",  WORDS,  &["uint(@)"]),
    ty('e', Class::Whole(8),  "int8_t",    "i8vec",  WORDS,  &["uint(@)"]),
];

/// What an item is given.
const LEAVES: &[Row] = &[
    one("u", "l"),
    one("u", "gl_WorkGroupID.x"),
    one("u", "gl_LocalInvocationID.x"),
    one("u", "gl_LocalInvocationID.y"),
    one("u", "p[3]"),
    one("u", "p[0]"),
    one("u", "u4[2].y"),
    one("f", "f[5]"),
];

/// Sixteen words of an item, each type in a part of its own, and arrays of it.
#[rustfmt::skip]
const PLACES: &[Row] = &[
    several("u", 4, "w4[item * 4u + ({u} & 1u)]"),
    several("u", 4, "w4[item * 4u + 1u]"),
    several("u", 3, "w4[item * 4u + ({u} & 1u)].xyz"),
    several("u", 2, "w4[item * 4u].zw"),
    one("u",        "w4[item * 4u + ({u} & 1u)].y"),
    one("U",        "w64[item * 8u + 4u + ({u} & 1u)]"),
    one("s",        "w16[item * 32u + 24u + ({u} & 3u)]"),
    one("s",        "w16[item * 32u + 26u]"),
    one("c",        "w8[item * 64u + 56u + ({u} & 7u)]"),
    one("c",        "w8[item * 64u + 59u]"),
    several("u", 2, "big2[{u} % 40u]"),
    several("u", 4, "array4[{u} & 3u]"),
    one("U",        "big64[{u} % 40u]"),
    one("s",        "big16[{u} % 40u]"),
    one("c",        "big8[{u} % 40u]"),
];

/// The same words, words of an item in the memory of the group, texels of an item.
#[rustfmt::skip]
const RETURNING: &[Row] = &[
    one("u", "atomicAdd(w4[item * 4u + ({u} & 1u)].x, {u})"),
    one("u", "atomicXor(w4[item * 4u + ({u} & 1u)].y, {u})"),
    one("u", "atomicAnd(w4[item * 4u].z, {u})"),
    one("u", "atomicOr(w4[item * 4u].w, {u})"),
    one("u", "atomicMin(w4[item * 4u + ({u} & 1u)].z, {u})"),
    one("u", "atomicMax(w4[item * 4u + ({u} & 1u)].w, {u})"),
    one("u", "atomicExchange(w4[item * 4u + ({u} & 1u)].x, {u})"),
    one("u", "atomicCompSwap(w4[item * 4u].y, w4[item * 4u + ({u} & 1u)].y, {u})"),
    one("u", "atomicAdd(own[l], {u})"),
    one("u", "atomicXor(own[l], {u})"),
    one("u", "atomicAnd(own[l], {u})"),
    one("u", "atomicOr(own[l], {u})"),
    one("u", "atomicMin(own[l], {u})"),
    one("u", "atomicMax(own[l], {u})"),
    one("i", "atomicMin(own_int[l], {i})"),
    one("i", "atomicMax(own_int[l], {i})"),
    one("u", "atomicExchange(own[l], {u})"),
    one("u", "atomicCompSwap(own[l], {b} ? own[l] : {u}, {u})"),
    one("U", "atomicAdd(w64[item * 8u + 4u + ({u} & 1u)], {U})"),
    one("U", "atomicMin(w64[item * 8u + 4u + ({u} & 1u)], {U})"),
    one("U", "atomicXor(w64[item * 8u + 5u], {U})"),
    one("U", "atomicExchange(w64[item * 8u + 4u], {U})"),
    one("U", "atomicCompSwap(w64[item * 8u + 4u], w64[item * 8u + 4u + ({u} & 1u)], {U})"),
    one("u", "{?q}imageAtomicAdd(own_texel, texel, {u})"),
    one("u", "{?q}imageAtomicXor(own_texel, texel, {u})"),
    one("u", "{?q}imageAtomicMin(own_texel, texel, {u})"),
    one("u", "{?q}imageAtomicExchange(own_texel, texel, {u})"),
    one("u", "{?q}imageAtomicCompSwap(own_texel, texel, {u} & 1u, {u})"),
    one("i", "{?q}imageAtomicMax(own_ints, texel, {i})"),
    one("i", "{?q}imageAtomicMin(own_ints, texel, {i})"),
];

/// What an expression may be. Where a float would be needed as it is, it is a leaf, which is folded. Floats have operations that Vulkan rounds
/// correctly and lavapipe does as one: not `fma`, which it takes apart; remainders have no sign, which it keeps.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    // All numbers.
    row("uifUIdsthce", "({x} + {x})"),
    row("uifUIdsthce", "({x} - {x})"),
    row("uifUIdstce",  "({x} * {x})"),
    row("h",           "({.x} * {.x})"),
    row("uiUIst",      "min({x}, {x})"),
    row("uiUIst",      "max({x}, {x})"),
    row("fdh",         "min({.x}, {.x})"),
    row("fdh",         "max({.x}, {.x})"),
    one("uifUIdsthceb", "({b} ? {x} : {x})"),
    row("uifUIdsthceb", "({b} ? {.x} : {.x})"),
    // Whole numbers.
    row("uiUIstce",    "({x} & {x})"),
    row("uiUIstce",    "({x} | {x})"),
    row("uiUIstce",    "({x} ^ {x})"),
    row("uiUIstce",    "(~{x})"),
    row("iItfdh",      "(-{x})"),
    row("uUsc",        "(-{x})"),
    row("uiUIstce",    "({x} << ({x} & {T}({bits})))"),
    row("uiUIstce",    "({x} >> ({x} & {T}({bits})))"),
    row("usU",         "({x} / ({x} | {T}(1)))"),
    row("us",          "({x} % ({x} | {T}(1)))"),
    one("i",           "({x} / int({.u} % 1000u + 1u))"),
    one("i",           "(({x} & 0x7fffffff) % int({.u} % 1000u + 1u))"),
    one("U",           "({x} % ({x} | 1ul))"),
    row("iIt",         "abs({x})"),
    row("it",          "sign({x})"),
    row("uit",         "min(max({x}, {.x}), {.x})"),
    row("uits",        "clamp({x}, {T}(3), {T}(100))"),
    // Words.
    one("ui",          "bitfieldExtract({x}, int({u} & 15u), int({u} & 15u))"),
    one("ui",          "bitfieldExtract({x}, 8, 8)"),
    one("ui",          "bitfieldExtract({x}, 16, 16)"),
    one("ui",          "bitfieldInsert({x}, {x}, int({u} & 15u), int({u} & 15u))"),
    row("ui",          "bitfieldReverse({x})"),
    row("u",           "{T}(bitCount({x}))"),
    row("u",           "{T}(findMSB({x}))"),
    row("u",           "{T}(findLSB({x}))"),
    one("u",           "uint(findMSB({i} + 1))"),
    one("ui",          "high({.x}, {.x})"),
    one("u",           "carry({.u}, {.u})"),
    one("u",           "borrow({.u}, {.u})"),
    one("u",           "((({u} >> 8u) & 0xffu) * ({u} & 0xffu))"),
    one("u",           "((({u} & 0xffffffu) * ({u} & 0xffffffu)) + {u})"),
    one("i",           "((({i} << 8) >> 8) * (({i} << 8) >> 8))"),
    one("u",           "(({u} << 7u) | ({u} >> 25u))"),
    one("u",           "(({.u} << ({.u} & 31u)) | ({u} & 1u))"),
    one("u",           "uint(abs(int({u} & 0xffu) - int({u} & 0xffu)))"),
    one("u",           "({u} & ((1u << ({u} & 31u)) - 1u))"),
    one("u",           "({u} & ~(1u << ({u} & 31u)))"),
    one("u",           "(uint(bitCount({u})) + {u})"),
    // Between types.
    one("u",           "uint({i})"),
    one("u",           "uint({b})"),
    one("u",           "uint(clamp({.f}, 0.0, 1000.0) * 16.0)"),
    one("i",           "int({u})"),
    one("i",           "int({.f} * 64.0)"),
    one("f",           "float({i} & 0xfff)"),
    one("f",           "(float({u} >> 8u) * 0.00006103515625)"),
    one("f",           "float({u} & 0xffu)"),
    one("f",           "float(({u} >> 8u) & 0xffu)"),
    one("u",           "floatBitsToUint({.f})"),
    one("u",           "floatBitsToUint({.f} + {.f} + 0.0)"),
    several("u", 2,    "uvec2({u}, {u})"),
    several("u", 3,    "uvec3({u}, {u}, {u})"),
    several("u", 4,    "uvec4({u2}, {u2})"),
    several("i", 2,    "ivec2({i}, {i})"),
    several("f", 2,    "vec2({f}, {f})"),
    several("f", 4,    "vec4({f2}, {f2})"),
    several("usith", 2, "({x}).yx"),
    several("uf", 4,   "({x}).wzxy"),
    one("f",           "(float(bitfieldExtract({u}, 8, 8)) + float({u} >> 24u))"),
    one("f",           "({b} ? 1.0 : 0.0)"),
    one("f",           "({b} ? {.f} : 0.0)"),
    one("u",           "({b} ? 1u : 0u)"),
    one("i",           "({b} ? -1 : 0)"),
    one("u",           "(packHalf2x16(vec2({u2} & 0x3fu)))"),
    several("f", 2,    "unpackHalf2x16(({u} & 0x03ff03ffu) | 0x30003000u)"),
    several("u", 2,    "uvec2({.f2} * 4.0 + 100.0)"),
    several("f", 4,    "vec4({u4} & 0xffu)"),
    several("f", 3,    "vec3({f}, {f2})"),
    several("i", 4,    "ivec4({u4})"),
    // Floats, where each operation is exact or rounded once.
    row("fdh",         "abs({x})"),
    row("fdh",         "floor({x})"),
    row("fdh",         "ceil({x})"),
    row("fdh",         "trunc({x})"),
    row("fdh",         "roundEven({x})"),
    row("fdh",         "fract({.x})"),
    row("fdh",         "sign({.x})"),
    row("fdh",         "clamp({.x}, {T}(-2.0), {T}(0.5))"),
    row("fh",          "clamp({.x}, {T}(0.0), {T}(1.0))"),
    one("fdh",         "mix({.x}, {.x}, {.x} < {.x})"),
    vectors("fdh",     "mix({.x}, {.x}, lessThan({.x}, {.x}))"),
    one("fdh",         "(({.x} - {.x}) * {T}(2.0))"),
    one("fdh",         "(-abs({.x}) * {.x} + {.x})"),
    one("f",           "ldexp({.f}, int({.u} & 7u) - 3)"),
    // Truth.
    one("b",           "({b} ^^ {b})"),
    one("b",           "any(lessThan({u2}, {u2}))"),
    one("b",           "all(notEqual({i2}, {i2}))"),
    // Memory.
    one("u",           "u4[{u} & 63u].z"),
    // Indices of push constants have to be the same for all.
    one("u",           "p[(gl_WorkGroupID.x + 5u) & 7u]"),
    several("f", 2,    "f2[{u} & 127u]"),
    several("u", 4,    "a4[{u} & 63u]"),
    several("u", 4,    "u4[{u} & 63u]"),
    several("u", 3,    "a4[{u} & 63u].xyz"),
    several("u", 2,    "a4[{u} & 63u].zw"),
    one("u",           "a[(gl_WorkGroupID.x * 9u + 77u) & 255u]"),
    several("u", 4,    "a4[(gl_WorkGroupID.x + 7u) & 63u]"),
    one("U",           "a64[{u} & 127u]"),
    one("I",           "int64_t(a64[{u} & 127u])"),
    one("s",           "a16[{u} & 511u]"),
    one("t",           "int16_t(a16[{u} & 511u])"),
    several("s", 2,    "u16vec2(a16[l], a16[l + 1u])"),
    one("c",           "a8[{u} & 1023u]"),
    one("e",           "int8_t(a8[{u} & 1023u])"),
    // 64 bits.
    one("U",           "uint64_t({u})"),
    one("U",           "uint64_t({I})"),
    one("U",           "pack64({u2})"),
    one("I",           "int64_t({i})"),
    one("I",           "int64_t({U})"),
    one("U",           "(uint64_t({u}) * {u})"),
    one("U",           "(uint64_t({u}) * {u} + {U})"),
    one("I",           "(int64_t({i}) * {i} + {I})"),
    several("u", 2,    "unpack32({.U})"),
    one("u",           "uint({U} >> 32u)"),
    one("u",           "uint({U})"),
    one("d",           "double({i})"),
    one("d",           "double({u})"),
    one("d",           "double({.f})"),
    one("i",           "int({.d} * 64.0lf)"),
    one("f",           "float({.d})"),
    one("d",           "({.d} * double(p[1] & 0xffu))"),
    // 16 bits and bytes.
    row("s",           "{T}({t*})"),
    row("t",           "{T}({s*})"),
    one("s",           "uint16_t({u})"),
    one("s",           "uint16_t({u} >> 16u)"),
    one("t",           "int16_t({i})"),
    one("u",           "uint({s})"),
    one("i",           "int({t})"),
    one("i",           "(int({t}) * int({t}))"),
    one("u",           "(uint({s}) * uint({s}) + {u})"),
    one("u",           "(uint({s}) << 16u | uint({s}))"),
    one("u",           "pack32({s2})"),
    several("s", 2,    "unpack16({u})"),
    several("s", 2,    "u16vec2({s}, {s})"),
    several("t", 2,    "i16vec2({t}, {t})"),
    several("h", 2,    "f16vec2({h}, {h})"),
    one("sth",         "({x2}).x"),
    one("sth",         "({x2}).y"),
    one("h",           "float16_t({.f} * 0.0078125)"),
    one("f",           "float({.h})"),
    one("f",           "(float({.h}) * {.f} + float({.h}))"),
    one("h",           "float16_t({.h} * {.h} + {.h})"),
    one("u",           "uint(float16BitsToUint16({.h}))"),
    one("c",           "uint8_t({u})"),
    one("c",           "uint8_t({u} >> 8u)"),
    one("c",           "uint8_t({e})"),
    one("e",           "int8_t({i})"),
    one("e",           "int8_t({u} >> 24u)"),
    one("u",           "uint({c})"),
    one("i",           "int({e})"),
    one("f",           "float({c})"),
    // Textures: fetched, in full or in part; sampled at the centres of texels, gathered beside them, so that no device has a choice.
    several("u", 4,    "{?q}texelFetch(bytes, ivec2({u2} & uvec2(15u, 7u)), 0)"),
    several("u", 4,    "{?q}texelFetch(bytes, ivec2({u2} & uvec2(3u, 1u)), int({u} & 1u) + 1)"),
    several("u", 4,    "{?q}texelFetch(bytes, ivec2(gl_WorkGroupID.x, 3), 0)"),
    several("u", 4,    "{?q}texelFetchOffset(bytes, ivec2({u2} & uvec2(7u, 3u)), 0, ivec2(3, 1))"),
    several("f", 4,    "{?q}texelFetch(halves, ivec2({u2} & 7u), 0)"),
    several("i", 4,    "{?q}texelFetch(shorts, ivec3({u3} & uvec3(7u, 7u, 3u)), 0)"),
    several("u", 4,    "{?q}texelFetch(layers, ivec3({u3} & uvec3(7u, 7u, 3u)), 0)"),
    several("f", 4,    "{?q}roundEven(texelFetch(parts, ivec2({u2} & 15u), 0) * 255.0)"),
    one("f",           "{?q}texelFetch(line, int({u} & 63u), 0).x"),
    one("u",           "{?q}texelFetch(bytes, ivec2({u2} & uvec2(15u, 7u)), 0).y"),
    one("i",           "{?q}texelFetch(shorts, ivec3({u3} & uvec3(7u, 7u, 3u)), 0).x"),
    several("u", 2,    "{?q}texelFetch(layers, ivec3({u3} & uvec3(7u, 7u, 3u)), 0).wy"),
    several("f", 3,    "{?q}texelFetch(halves, ivec2({u2} & 7u), 0).zyw"),
    several("u", 4,    "{?q}textureLod(bytes, (vec2({u2} & 63u) + 0.5) / vec2(16.0, 8.0), 0.0)"),
    several("u", 4,    "{?q}textureLod(bytes, (vec2({u2} & 31u) + 0.5) / vec2(16.0, 8.0), float({u} & 3u))"),
    several("f", 4,    "{?q}textureLod(halves, (vec2({u2} & 7u) + 0.5) / 8.0, float({u} & 1u))"),
    several("f", 4,    "{?q}textureLodOffset(halves, (vec2({u2} & 7u) + 0.5) / 8.0, 0.0, ivec2(-2, 3))"),
    several("i", 4,    "{?q}textureLod(shorts, (vec3({u3} & 7u) + 0.5) / vec3(8.0, 8.0, 4.0), 0.0)"),
    several("u", 4,    "{?q}textureLod(layers, vec3((vec2({u2} & 7u) + 0.5) / 8.0, {u} & 3u), 0.0)"),
    several("u", 4,    "{?q}textureGrad(bytes, (vec2({u2} & 15u) + 0.5) / vec2(16.0, 8.0), vec2(0.0625, 0.0), vec2(0.0, 0.125))"),
    one("f",           "{?q}textureLod(line, (float({u} & 255u) + 0.5) / 64.0, 0.0).x"),
    one("u",           "{?q}textureLod(bytes, (vec2({u2} & 7u) + 0.5) / vec2(16.0, 8.0), 0.0).w"),
    several("u", 4,    "{?q}textureGather(bytes, (vec2({u2} & 15u) + 0.25) / vec2(16.0, 8.0), 1)"),
    several("f", 4,    "{?q}textureGather(halves, (vec2({u2} & 7u) + 0.75) / 8.0, 3)"),
    several("u", 4,    "{?q}textureGatherOffset(layers, vec3((vec2({u2} & 7u) + 0.25) / 8.0, {u} & 3u), ivec2(1, -2), 2)"),
    several("i", 2,    "{?q}textureSize(bytes, int(gl_WorkGroupID.x & 1u))"),
    several("i", 3,    "{?q}textureSize(layers, 0)"),
    one("i",           "{?q}textureQueryLevels(bytes)"),
    // Images. (16 bits of coordinates and of texels become shorter registers.)
    several("f", 4,    "{?q}imageLoad(loaded, ivec2({u2} & 15u))"),
    one("f",           "{?q}imageLoad(loaded, ivec2({u2} & 15u)).z"),
    several("u", 4,    "{?q}imageLoad(tens, ivec2({u2} & uvec2(31u, 3u)))"),
    several("i", 2,    "{?q}imageSize(left8)"),
    several("u", 4,    "{?q}texelFetch(bytes, ivec2({s2} & u16vec2(15, 7)), 0)"),
    several("i", 4,    "{?q}texelFetch(shorts, ivec3({s3} & u16vec3(7, 7, 3)), 0)"),
    several("s", 4,    "{?q}u16vec4(texelFetch(bytes, ivec2({u2} & uvec2(15u, 7u)), 0))"),
    several("s", 2,    "{?q}u16vec2(texelFetch(bytes, ivec2({s2} & u16vec2(15, 7)), 0).xw)"),
    several("t", 2,    "{?q}i16vec2(texelFetch(shorts, ivec3({u3} & uvec3(7u, 7u, 3u)), 0).xy)"),
    several("s", 4,    "{?q}u16vec4(imageLoad(tens, ivec2({s2} & u16vec2(31, 3))))"),
    several("h", 4,    "{?q}f16vec4(texelFetch(halves, ivec2({u2} & 7u), 0))"),
    several("h", 4,    "{?q}f16vec4(textureLod(halves, (vec2({u2} & 7u) + 0.5) / 8.0, 0.0))"),
    several("h", 3,    "{?q}f16vec3(imageLoad(loaded, ivec2({u2} & 15u)).xzw)"),
    one("h",           "{?q}float16_t(texelFetch(halves, ivec2({u2} & 7u), 0).y)"),
    several("f", 4,    "{?q}textureLod(halves, vec2((f16vec2({s2} & u16vec2(7)) + float16_t(0.5)) * float16_t(0.125)), 0.0)"),
    several("h", 4,    "{?q}f16vec4(textureGather(halves, vec2((f16vec2({s2} & u16vec2(7)) + float16_t(0.25)) * float16_t(0.125)), 1))"),
];
