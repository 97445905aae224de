//! `quad_perm:[0,1,2,3]`, `row_shl:1`, `dpp8:[..]`: where DPP takes each lane's value from.
//!
//! A number which the processor does not have is printed as a comment, as LLVM does; nothing reads that back.

use super::gens;
use crate::isa::arch::{Gen, Target, Variants};
use crate::isa::text::{push_str, push_udec};

/// A control or a run of controls.
#[derive(Debug, PartialEq, Eq)]
pub struct Control {
    /// Its name.
    pub name: &'static str,
    /// The encoding with argument 0; for controls with one argument, their encoding.
    pub base: u32,
    /// What may be written behind the colon.
    pub args: Args,
    /// Where it exists.
    pub on: Variants,
    /// What LLVM prints where it does not.
    elsewhere: &'static str,
}

/// What may be written behind the name of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Args {
    /// Nothing.
    None,
    /// Four numbers of two bits.
    Quad,
    /// A number in a range, which is added to the base.
    Range(u32, u32),
    /// This number only, which is not part of the encoding.
    Only(u32),
}

const FROM_8: Variants = gens(Gen::Gfx8, Gen::Gfx12);
const G8_9: Variants = gens(Gen::Gfx8, Gen::Gfx9);
const FROM_10: Variants = gens(Gen::Gfx10, Gen::Gfx12);
const CDNA2: Variants = Variants::CDNA2;

const fn control(name: &'static str, base: u32, args: Args, on: Variants, elsewhere: &'static str) -> Control {
    Control { name, base, args, on, elsewhere }
}

/// The controls. `row_newbcast` and `row_share` are one encoding.
#[rustfmt::skip]
pub static CONTROLS: &[Control] = &[
    control("quad_perm",       0x000, Args::Quad,         FROM_8,  ""),
    control("row_shl",         0x100, Args::Range(1, 15), FROM_8,  ""),
    control("row_shr",         0x110, Args::Range(1, 15), FROM_8,  ""),
    control("row_ror",         0x120, Args::Range(1, 15), FROM_8,  ""),
    control("wave_shl",        0x130, Args::Only(1),      G8_9,    "/* wave_shl is not supported starting from GFX10 */"),
    control("wave_rol",        0x134, Args::Only(1),      G8_9,    "/* wave_rol is not supported starting from GFX10 */"),
    control("wave_shr",        0x138, Args::Only(1),      G8_9,    "/* wave_shr is not supported starting from GFX10 */"),
    control("wave_ror",        0x13c, Args::Only(1),      G8_9,    "/* wave_ror is not supported starting from GFX10 */"),
    control("row_mirror",      0x140, Args::None,         FROM_8,  ""),
    control("row_half_mirror", 0x141, Args::None,         FROM_8,  ""),
    control("row_bcast",       0x142, Args::Only(15),     G8_9,    "/* row_bcast is not supported starting from GFX10 */"),
    control("row_bcast",       0x143, Args::Only(31),     G8_9,    "/* row_bcast is not supported starting from GFX10 */"),
    control("row_newbcast",    0x150, Args::Range(0, 15), CDNA2,   " /* row_newbcast/row_share is not supported on ASICs earlier than GFX90A/GFX10 */"),
    control("row_share",       0x150, Args::Range(0, 15), FROM_10, " /* row_newbcast/row_share is not supported on ASICs earlier than GFX90A/GFX10 */"),
    control("row_xmask",       0x160, Args::Range(0, 15), FROM_10, "/* row_xmask is not supported on ASICs earlier than GFX10 */"),
];

impl Control {
    /// Whether an encoding is one of this control.
    #[must_use]
    pub fn has(&self, value: u32) -> bool {
        match self.args {
            Args::None | Args::Only(_) => value == self.base,
            Args::Quad => value <= 0xff,
            Args::Range(low, high) => value >= self.base + low && value <= self.base + high,
        }
    }
}

/// Whether instructions of 64 bits may use the control: on gfx90a and its successors, they take `row_newbcast` only.
#[must_use]
pub const fn valid_for_64_bits(value: u32) -> bool {
    value >= 0x150 && value <= 0x15f
}

/// Whether the processor has a control of this encoding.
#[must_use]
pub fn is_valid(value: u32, target: &Target) -> bool {
    CONTROLS.iter().any(|c| target.is(c.on) && c.has(value))
}

/// Appends the control with its argument.
pub fn print(value: u32, target: &Target, out: &mut Vec<u8>) {
    if value <= 0xff {
        push_str(out, "quad_perm:");
        list(value, 4, 2, out);
        return;
    }
    let Some(control) = CONTROLS.iter().find(|c| target.is(c.on) && c.has(value)) else {
        let text = CONTROLS.iter().find(|c| c.has(value)).map_or("/* Invalid dpp_ctrl value */", |c| c.elsewhere);
        push_str(out, text);
        return;
    };
    push_str(out, control.name);
    match control.args {
        Args::None | Args::Quad => {}
        Args::Range(..) => {
            out.push(b':');
            push_udec(out, u64::from(value - control.base));
        }
        Args::Only(n) => {
            out.push(b':');
            push_udec(out, u64::from(n));
        }
    }
}

/// Appends the eight lanes of `dpp8:` in brackets.
pub fn print8(value: u32, _target: &Target, out: &mut Vec<u8>) {
    list(value, 8, 3, out);
}

fn list(value: u32, count: u32, width: u32, out: &mut Vec<u8>) {
    for i in 0..count {
        out.push(if i == 0 { b'[' } else { b',' });
        out.push(b'0' + (value >> (i * width) & ((1 << width) - 1)) as u8);
    }
    out.push(b']');
}
