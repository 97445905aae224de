//! Buffer descriptors (V#) of a case: what is written, and the rest as a driver would set it, in the layout of the generation.
//!
//! What is not written: the stride is 0; `dst_sel` is `xyzw`; the format is `32_float`, which untyped accesses ignore; the rule of bounds (gfx10 on)
//! is `raw` without a stride and `structured` with one; `num_records` counts what the generation counts: records where there is a
//! stride, else bytes (on gfx8 records only with swizzling, from gfx10 with `oob=raw` bytes).
//! A rule of bounds is ignored where there is none; any other field that a generation lacks is an error, for the access would be another.

use super::CaseError;
use super::picture::wrong;
use super::value::{Descriptor, Oob};
use crate::isa::symbols::format;
use crate::isa::{Gen, Target};

/// Whether a format has this name (in lower case) on any generation.
#[must_use]
pub fn is_format(name: &str) -> bool {
    split(name).is_some()
}

/// The data format and the numeric format of a name.
fn split(name: &str) -> Option<(u32, u32)> {
    const NUM: [&str; 8] = ["unorm", "snorm", "uscaled", "sscaled", "uint", "sint", "snorm_ogl", "float"];
    if name == "invalid" {
        return Some((0, 0));
    }
    // The longest numeric format, for one name ends with another.
    let (at, num) = NUM.iter().enumerate().filter(|(_, n)| name.ends_with(*n)).max_by_key(|(_, n)| n.len())?;
    let data = name.strip_suffix(num)?.strip_suffix('_')?;
    let data = format::DATA.iter().take(15).skip(1).position(|d| *d == data)? + 1;
    Some((data as u32, at as u32))
}

/// The number of a component in `dst_sel`.
pub(super) fn select(letter: u8) -> u32 {
    match letter {
        b'0' => 0,
        b'1' => 1,
        b'x' => 4,
        b'y' => 5,
        b'z' => 6,
        _ => 7,
    }
}

/// The four words of a descriptor for a buffer of `size` bytes at an address.
///
/// # Errors
/// A field that the generation does not have, or a value that does not fit.
pub fn words(d: &Descriptor, address: u64, size: u64, target: Target) -> Result<[u32; 4], CaseError> {
    let generation = target.generation();
    let wrong = |field, value| wrong(field, value, target);
    let base = address.wrapping_add(d.offset);
    let size = size.saturating_sub(d.offset);
    let stride = d.stride.unwrap_or(0);
    let element = d.element.unwrap_or(4);
    let wide_stride = matches!(generation, Gen::Gfx8 | Gen::Gfx9) && d.add_tid;
    if stride >= 1 << 14 && !wide_stride {
        return Err(wrong("stride", stride.to_string()));
    }
    let oob = d.oob.unwrap_or(if stride == 0 { Oob::Raw } else { Oob::Structured });
    let in_records = stride != 0
        && match generation {
            Gen::Gfx8 => d.swizzle,
            Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx9 => true,
            _ => oob != Oob::Raw,
        };
    let counted = if in_records { size / u64::from(stride) } else { size };
    let records = d.records.unwrap_or(u32::try_from(counted).unwrap_or(u32::MAX));

    let swizzle = match (generation, d.swizzle) {
        (_, false) => 0,
        (Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8, true) => 2,
        (Gen::Gfx9 | Gen::Gfx10, true) if element == 4 => 2,
        (Gen::Gfx11 | Gen::Gfx12, true) if element == 4 => 1,
        (Gen::Gfx11 | Gen::Gfx12, true) if element == 16 => 3,
        _ => return Err(wrong("element", element.to_string())),
    };

    let mut word3 = 0;
    for (i, c) in d.dst_sel.unwrap_or(*b"xyzw").into_iter().enumerate() {
        word3 |= select(c) << (3 * i);
    }
    let name = d.format.as_deref().unwrap_or("32_float");
    let (data, num) = split(name).ok_or_else(|| wrong("format", name.to_owned()))?;
    if format::is_unified(&target) {
        let unified = format::from_split(data, num, &target).ok_or_else(|| wrong("format", name.to_owned()))?;
        word3 |= unified << 12;
    } else if wide_stride {
        // The data format's bits are those of a longer stride.
        word3 |= num << 12 | (stride >> 14) << 15;
    } else {
        word3 |= num << 12 | data << 15;
    }
    if generation <= Gen::Gfx8 {
        word3 |= (element.trailing_zeros().saturating_sub(1) & 3) << 19;
    }
    word3 |= (d.index_stride.unwrap_or(8).trailing_zeros().saturating_sub(3) & 3) << 21;
    word3 |= u32::from(d.add_tid) << 23;
    if generation == Gen::Gfx10 {
        word3 |= 1 << 24; // RESOURCE_LEVEL
    }
    if generation >= Gen::Gfx10 {
        word3 |= (oob as u32) << 28;
    }
    let word1 = (base >> 32) as u32 & 0xffff | (stride & 0x3fff) << 16 | swizzle << 30;
    Ok([base as u32, word1, records, word3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Arch;

    fn on(name: &str, d: &Descriptor) -> Result<[u32; 4], CaseError> {
        words(d, 0x1234_5678_9abc, 256, Target::new(Arch::find(name).expect("a processor")))
    }

    /// The constants of RADV's raw buffers; gfx6-8 with its element size of 4 bytes.
    #[test]
    fn raw_buffers_as_a_driver_makes_them() {
        let raw = Descriptor::default();
        for (name, word3) in [
            ("gfx600", 0x000a_7fac),
            ("gfx900", 0x0002_7fac),
            ("gfx1010", 0x3101_6fac),
            ("gfx1100", 0x3001_6fac),
            ("gfx1200", 0x3001_6fac),
        ] {
            assert_eq!(on(name, &raw).expect("words"), [0x5678_9abc, 0x1234, 256, word3], "{name}");
        }
    }

    #[test]
    fn records_count_what_the_generation_counts() {
        let strided = Descriptor { stride: Some(16), ..Descriptor::default() };
        let records = |name, d: &Descriptor| on(name, d).expect("words")[2];
        assert_eq!(records("gfx700", &strided), 16);
        assert_eq!(records("gfx803", &strided), 256);
        assert_eq!(records("gfx1100", &strided), 16);
        assert_eq!(records("gfx1100", &Descriptor { oob: Some(Oob::Raw), ..strided.clone() }), 256);
        let swizzled = Descriptor { swizzle: true, element: Some(16), index_stride: Some(64), ..strided };
        assert_eq!(on("gfx803", &swizzled).expect("words")[1..], [0x8010_1234, 16, 0x007a_7fac]);
        assert_eq!(on("gfx1100", &swizzled).expect("words")[1], 0xc010_1234);
        assert!(on("gfx900", &swizzled).is_err());
    }

    #[test]
    fn formats() {
        assert_eq!(split("10_11_11_float"), Some((6, 7)));
        assert_eq!(split("8_snorm_ogl"), Some((1, 6)));
        assert!(!is_format("9_float") && !is_format("float") && !is_format("reserved_15_float"));
    }
}
