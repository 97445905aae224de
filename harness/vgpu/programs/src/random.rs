//! Shaders that nobody thought of: `random_N` is one for each number N, always the same; `random_words_N` has no types of 8 or 16 bits.
//!
//! A shader reads buffers, constants and what it knows of itself, computes, branches, loops, shares, exchanges between lanes, and leaves all its
//! variables. Its results are determined by Vulkan, beyond what [the generator](generator) sees to:
//!
//! - floats are computed as written (`precise`), by operations that Vulkan rounds correctly, and are folded where they come to rest: no NaN,
//!   no infinity, nothing that a device may flush, no zero with a sign;
//! - what lanes exchange stays within four of them, which every subgroup has, and is done where all of them are;
//! - what invocations share lies between barriers, and atomics do not depend on their order;
//! - textures are read where no device has a choice between texels.

mod glsl;
mod pictures;

use crate::generator::{self, Class, Dice, Kind, Writer};
use glsl::{Feature, GLSL};
use std::fmt::Write as _;

/// What the names of these programs begin with.
const PREFIX: &str = "random_";
/// What stands in front of the number, where types are those of 32 and 64 bits. (On gfx6 and gfx7 Mesa 25.0 gives up on some differences of 16.)
const WORDS: &str = "words_";

/// Bytes of each buffer that is read.
const BYTES: u32 = 1024;

/// A shader by its name.
pub fn source(name: &str) -> Option<String> {
    let number = name.strip_prefix(PREFIX)?;
    let (wide, number) = number.strip_prefix(WORDS).map_or((false, number), |number| (true, number));
    Some(shader(number.parse().ok()?, wide))
}

fn shader(number: u64, wide: bool) -> String {
    let mut dice = Dice::new(number);
    let more: String = dice.of(glsl::SETS).chars().filter(|letter| !wide || "UIdq".contains(*letter)).collect();
    #[rustfmt::skip]
    let group: [u32; 3] = *dice.of(&[[32, 1, 1], [64, 1, 1], [64, 1, 1], [128, 1, 1], [8, 8, 1], [16, 4, 2], [96, 1, 1], [256, 1, 1], [20, 3, 1]]);
    let groups = [dice.below(3) + 1, dice.below(2) + 1, 1];
    let size = group.iter().product();
    let mut writer = Writer::new(&mut dice, &GLSL, &format!("buif{more}"));
    writer.begin();
    writer.line("own[l] = item + 9u;");
    writer.line("own_int[l] = int(item * 0x9e3779b9u);");
    let arrays =
        ["uvec2 big2[40]", "uvec4 array4[4]"].into_iter().chain(features(&more).map(|feature| feature.arrays[1]));
    arrays.filter(|array| !array.is_empty()).for_each(|array| begin(&mut writer, array));
    for _ in 0..6 + writer.dice.below(18) {
        match writer.dice.below(if writer.has(glsl::IMAGES) { 14 } else { 11 }) {
            11.. => store(&mut writer),
            10 => share_others(&mut writer, size),
            0 => share(&mut writer, size),
            1 | 2 => exchange(&mut writer),
            3 => writer.count(),
            _ => writer.statement(2),
        }
    }
    writer.end();
    let (body, left) = (writer.text, writer.left);
    let items = size * groups.iter().product::<u32>();
    let mut text = given(number, &mut dice, groups, left * items, 16 * items);
    if more.contains(glsl::IMAGES) {
        text += &pictures::given(number % 1000);
    }
    text += "// needs subgroup_quad subgroup_shuffle subgroup_clustered shader_subgroup_extended_types";
    features(&more).flat_map(|feature| feature.needs).for_each(|need| _ = write!(text, " {need}"));
    let [x, y, z] = group;
    text += &format!("\n#version 460\n{EXTENSIONS}");
    text += &format!("layout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;\n{BUFFERS}");
    for Feature { views: [read, own], arrays: [shared, _], .. } in features(&more).filter(|of| !of.views[0].is_empty())
    {
        text += &format!("layout(set = 0, binding = 0) {read}\nlayout(set = 0, binding = 6) {own}\nshared {shared};\n");
    }
    if more.contains(glsl::IMAGES) {
        text += &pictures::declared();
    }
    let has = |ty: &&generator::Type| ty.letter == 'f' || more.contains(ty.letter);
    let floats = GLSL.types.iter().filter(|ty| ty.class == Class::Float).filter(has);
    floats.for_each(|ty| text += &fold(ty));
    text += &format!("const uint LEFT = {left}u;\nvoid main() {{\n    const uint l = gl_LocalInvocationIndex;\n");
    text +=
        &format!("    const uint item = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * {size} + l;\n");
    text += "    const ivec2 texel = ivec2(item & 63u, item >> 6u);\n";
    text + &body + "}\n"
}

/// What a shader with some letters has.
fn features(letters: &str) -> impl Iterator<Item = &'static Feature> {
    letters.chars().filter_map(Feature::of)
}

/// An array of an item, with numbers in it.
fn begin(writer: &mut Writer<'_>, array: &str) {
    let (ty, rest) = array.split_once(' ').expect("a type and a name");
    let (name, size) = rest.split_once('[').expect("a size");
    writer.line(&format!("{array};"));
    writer.line(&format!("for (uint n = 0u; n < {}u; n++) {name}[n] = {ty}(n * l + 5u);", size.trim_end_matches(']')));
}

/// The first lines, which say what a shader is given, how many words all items leave, and how many they have for themselves.
fn given(number: u64, dice: &mut Dice, groups: [u32; 3], words: u32, own: u32) -> String {
    let seed = number % 1000;
    let [x, y, z] = groups;
    let push: String = (0..8).map(|_| format!(" {:#x}", dice.word())).collect();
    format!(
        "// Random program {number}.\n\
         // in 0.0 {BYTES} u32 {}\n\
         // in 0.1 {BYTES} f32 {}\n\
         // in 0.2 {BYTES} small {}\n\
         // uniform 0.3 {BYTES} u32 {}\n\
         // out 0.4 {}\n\
         // inout 0.5 {BYTES} u32 {}\n\
         // inout 0.6 {} u32 {}\n\
         // push{push}\n\
         // groups {x} {y} {z}\n",
        seed + 100,
        seed + 101,
        seed + 102,
        seed + 7,
        4 * words,
        seed + 9,
        4 * own,
        seed + 10
    )
}

const EXTENSIONS: &str = "\
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
";

const BUFFERS: &str = "\
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 0) readonly buffer A4 { uvec4 a4[]; };
layout(set = 0, binding = 1) readonly buffer F { float f[]; };
layout(set = 0, binding = 1) readonly buffer F2 { vec2 f2[]; };
layout(set = 0, binding = 2) readonly buffer S { uint small[]; };
layout(set = 0, binding = 3) uniform U { uvec4 u4[64]; };
layout(set = 0, binding = 4) writeonly buffer O { uint o[]; };
layout(set = 0, binding = 5) buffer T { uint t[]; };
layout(set = 0, binding = 6) buffer W4 { uvec4 w4[]; };
layout(push_constant) uniform P { uint p[8]; };
shared uint s[256];
shared uvec4 s4[256];
shared uint own[256];
shared int own_int[256];
uint high(uint a, uint b) { uint h, l; umulExtended(a, b, h, l); return h; }
int high(int a, int b) { int h, l; imulExtended(a, b, h, l); return h; }
uint carry(uint a, uint b) { uint c; uint r = uaddCarry(a, b, c); return r ^ c << 7; }
uint borrow(uint a, uint b) { uint c; uint r = usubBorrow(a, b, c); return r ^ c << 9; }
";

/// The functions that bring a float to rest: nothing too large, nothing too small, no zero with a sign.
fn fold(ty: &generator::Type) -> String {
    let generator::Type { scalar: t, vector: v, .. } = ty;
    let (least, most) = if ty.letter == 'h' { ("0.0625", "16.0") } else { ("0.0009765625", "1024.0") };
    format!(
        "{t} fold({t} x) {{ return abs(x) < {t}({least}) ? {t}(0.0) : clamp(x, {t}(-{most}), {t}({most})); }}\n\
         {v}2 fold({v}2 x) {{ return {v}2(fold(x.x), fold(x.y)); }}\n\
         {v}3 fold({v}3 x) {{ return {v}3(fold(x.x), fold(x.y), fold(x.z)); }}\n\
         {v}4 fold({v}4 x) {{ return {v}4(fold(x.x), fold(x.y), fold(x.z), fold(x.w)); }}\n"
    )
}

/// Shared memory.
fn share(writer: &mut Writer<'_>, size: u32) {
    writer.share(size);
    let at = writer.word(1);
    writer.declare(writer.scalar('u'), &format!("s[({at}) % {size}u]"));
}

/// Shared memory of other types than words.
fn share_others(writer: &mut Writer<'_>, size: u32) {
    let all = [('u', 4, "s4"), ('U', 1, "s64"), ('s', 1, "s16"), ('c', 1, "s8")];
    let has: Vec<_> = all.into_iter().filter(|(letter, ..)| writer.has(*letter)).collect();
    let (letter, n, name) = *writer.dice.of(&has);
    let kind = Kind { of: writer.dialect.named(letter), n };
    writer.between_barriers(name, kind);
    let at = writer.word(1);
    writer.declare(kind, &format!("{name}[({at}) % {size}u]"));
}

/// What four lanes exchange that stand side by side. Groups are whole multiples of four.
fn exchange(writer: &mut Writer<'_>) {
    let kinds: Vec<Kind> =
        writer.types.iter().filter(|ty| "uifUs".contains(ty.letter)).map(|of| Kind { of, n: 1 }).collect();
    let kind = *writer.dice.of(&kinds);
    let value = writer.expression(kind, 2);
    let given = writer.declare(kind, &value);
    let call = match writer.dice.below(if kind.of.class == Class::Float { 5 } else { 10 }) {
        0 => format!("subgroupQuadBroadcast({given}, {})", writer.dice.below(4)),
        1 => format!("subgroupQuadSwapHorizontal({given})"),
        2 => format!("subgroupQuadSwapVertical({given})"),
        3 => format!("subgroupQuadSwapDiagonal({given})"),
        4 => format!("subgroupShuffleXor({given}, {})", 1 + writer.dice.below(3)),
        _ => {
            let what = *writer.dice.of(&["Add", "Mul", "Min", "Max", "And", "Or", "Xor"]);
            format!("subgroupClustered{what}({given}, {})", writer.dice.of(&[2, 4]))
        }
    };
    writer.declare(kind, &call);
}

/// Some items leave a texel, or count in one: each kind of atomic has words of its own.
fn store(writer: &mut Writer<'_>) {
    let some = writer.word(1);
    let store = match writer.dice.below(5) {
        0 => format!("imageStore(left8, texel, {} & 255u)", value(writer, 'u', 4, 2)),
        1 => format!("imageStore(left16, texel, vec4({} & 1023u))", value(writer, 'u', 4, 2)),
        // A value that has come to rest.
        2 if writer.has('h') => {
            format!("imageStore(left16, texel, vec4({}))", value(writer, 'h', 4, 0))
        }
        2 | 3 => {
            let at = "ivec3(item & 15u, item >> 4u & 15u, item >> 8u)";
            format!("imageStore(left3, {at}, ivec4({}))", value(writer, 'i', 1, 2))
        }
        _ => {
            let n = writer.dice.below(6) as usize;
            let change = writer.dialect.atomics[n].replace("atomic", "imageAtomic");
            let (at, value) = (writer.word(1), writer.word(2));
            format!("{change}counted, ivec2(({at}) & 31u, {n}), {value})")
        }
    };
    writer.line(&format!("if ((({some}) & 3u) != 0u) {store};"));
}

/// An expression of so many components of the type with a letter.
fn value(writer: &mut Writer<'_>, letter: char, n: u32, depth: u32) -> String {
    writer.expression(Kind { of: writer.dialect.named(letter), n }, depth)
}
