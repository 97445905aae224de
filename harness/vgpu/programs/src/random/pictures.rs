//! The images of random shaders: what each is, as the first lines say it to the host and as the shader declares it.

/// What a shader does with an image.
enum Use {
    /// Reads it as a texture.
    Texture,
    /// Loads, stores or counts: what is allowed, and the layout that it says.
    Image(&'static str, &'static str),
}

use Use::{Image, Texture};

/// An image.
struct Picture {
    name: &'static str,
    used: Use,
    /// What its types in GLSL begin and end with.
    ty: [&'static str; 2],
    format: &'static str,
    /// Width, height, depth, levels, layers.
    size: [u32; 5],
}

const fn row(name: &'static str, used: Use, ty: [&'static str; 2], format: &'static str, size: [u32; 5]) -> Picture {
    Picture { name, used, ty, format, size }
}

/// All of them. What is stored has a texel for each item, or for each word of each kind of atomic.
#[rustfmt::skip]
const ALL: &[Picture] = &[
    row("bytes",   Texture,                          ["u", "2D"],      "R8G8B8A8_UINT",            [16, 8, 1, 3, 1]),
    row("halves",  Texture,                          ["",  "2D"],      "R16G16B16A16_SFLOAT",      [8, 8, 1, 2, 1]),
    row("shorts",  Texture,                          ["i", "3D"],      "R16G16_SINT",              [8, 8, 4, 1, 1]),
    row("layers",  Texture,                          ["u", "2DArray"], "R32G32B32A32_UINT",        [8, 8, 1, 1, 4]),
    row("line",    Texture,                          ["",  "1D"],      "R32_SFLOAT",               [64, 1, 1, 1, 1]),
    row("parts",   Texture,                          ["",  "2D"],      "R8G8B8A8_UNORM",           [16, 16, 1, 1, 1]),
    row("loaded",  Image("readonly", "rgba16f"),     ["",  "2D"],      "R16G16B16A16_SFLOAT",      [16, 16, 1, 1, 1]),
    row("tens",    Image("readonly", "rgb10_a2ui"),  ["u", "2D"],      "A2B10G10R10_UINT_PACK32",  [32, 4, 1, 1, 1]),
    row("left8",   Image("writeonly", "rgba8ui"),    ["u", "2D"],      "R8G8B8A8_UINT",            [64, 24, 1, 1, 1]),
    row("left16",  Image("writeonly", "rgba16f"),    ["",  "2D"],      "R16G16B16A16_SFLOAT",      [64, 24, 1, 1, 1]),
    row("left3",   Image("writeonly", "r32i"),       ["i", "3D"],      "R32_SINT",                 [16, 16, 8, 1, 1]),
    row("own_texel", Image("", "r32ui"),             ["u", "2D"],      "R32_UINT",                 [64, 24, 1, 1, 1]),
    row("own_ints", Image("", "r32i"),               ["i", "2D"],      "R32_SINT",                 [64, 24, 1, 1, 1]),
    row("counted", Image("", "r32ui"),               ["u", "2D"],      "R32_UINT",                 [32, 6, 1, 1, 1]),
];

/// The set that they are in.
const SET: u32 = 1;

/// What the first lines say of them.
pub fn given(seed: u64) -> String {
    let line = |(picture, n): (&Picture, u64)| {
        let Picture { used, ty: [_, dim], format, size: [w, h, d, levels, layers], .. } = picture;
        let kind = if let Texture = used { "texture" } else { "image" };
        format!("// {kind} {SET}.{n} {dim} {format} {w} {h} {d} {levels} {layers} {}\n", seed + n)
    };
    ALL.iter().zip(0..).map(line).collect()
}

/// What the shader declares.
pub fn declared() -> String {
    let line = |(Picture { name, used, ty: [begin, end], .. }, n): (&Picture, u32)| match used {
        Texture => format!("layout(set = {SET}, binding = {n}) uniform {begin}sampler{end} {name};\n"),
        Image(access, layout) => {
            format!("layout(set = {SET}, binding = {n}, {layout}) uniform {access} {begin}image{end} {name};\n")
        }
    };
    ALL.iter().zip(0..).map(line).collect()
}
