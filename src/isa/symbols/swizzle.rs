//! `swizzle(QUAD_PERM,0,1,2,3)`: the pattern of `ds_swizzle_b32`, in the place of its offset.
//!
//! With bit 15 set and bits 14:8 clear, bits 7:0 are four lanes of a quad. With bit 15 clear, bits 4:0 are ANDed to the lane
//! number, 9:5 ORed and 14:10 XORed. Of those, LLVM prints what happens to each bit (0, 1, preserved, inverted), and so the
//! text of two values may be one: `print(parse(print(v)))` is `print(v)`, but `parse(print(v))` is `v` only for the masks
//! with the fewest bits. gfx9's rotate and FFT modes have no name, and are numbers.

use crate::isa::arch::Target;
use crate::isa::text::{push_str, push_udec};

/// The names of the modes.
pub static MODES: [&str; 5] = ["QUAD_PERM", "BITMASK_PERM", "SWAP", "REVERSE", "BROADCAST"];

/// Bit 15: lanes of a quad.
pub const QUAD_PERM: u32 = 0x8000;

/// Packs the three masks of five bits.
#[must_use]
pub const fn bitmask(and: u32, or: u32, xor: u32) -> u32 {
    and & 31 | (or & 31) << 5 | (xor & 31) << 10
}

/// Appends `swizzle(..)` or a number. LLVM prints no offset at all where the value is 0.
pub fn print(value: u32, _target: &Target, out: &mut Vec<u8>) {
    let value = value & 0xffff;
    let (and, or, xor) = (value & 31, value >> 5 & 31, value >> 10 & 31);
    let mut list = |mode: &str, numbers: &[u32]| {
        push_str(out, "swizzle(");
        push_str(out, mode);
        for &n in numbers {
            out.push(b',');
            push_udec(out, u64::from(n));
        }
        out.push(b')');
    };
    if value & 0xff00 == QUAD_PERM {
        list("QUAD_PERM", &[value & 3, value >> 2 & 3, value >> 4 & 3, value >> 6 & 3]);
        return;
    }
    if value & 0x8000 != 0 {
        push_udec(out, u64::from(value));
        return;
    }
    let group = 32 - and;
    if and == 31 && or == 0 && xor.is_power_of_two() {
        list("SWAP", &[xor]);
    } else if and == 31 && or == 0 && xor > 0 && (xor + 1).is_power_of_two() {
        list("REVERSE", &[xor + 1]);
    } else if group > 1 && group.is_power_of_two() && or < group && xor == 0 {
        list("BROADCAST", &[group, or]);
    } else {
        push_str(out, "swizzle(BITMASK_PERM,\"");
        let (of_zero, of_one) = (or ^ xor, (and | or) ^ xor);
        for bit in (0..5).rev() {
            out.push(match (of_zero >> bit & 1, of_one >> bit & 1) {
                (0, 0) => b'0',
                (0, _) => b'p',
                (_, 0) => b'i',
                _ => b'1',
            });
        }
        push_str(out, "\")");
    }
}
