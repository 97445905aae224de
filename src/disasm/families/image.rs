//! Image instructions: MIMG, VIMAGE, VSAMPLE.
//!
//! How many registers data and address have stands nowhere in the words: it follows from DMASK, D16, TFE and, from gfx10 on, from the
//! parts of the address, the dimension and A16. Before gfx10 the dimension is unknown, and the address is printed as the
//! narrowest that the instruction may have, as LLVM does. Where the widths that follow do not exist or leave the register file, LLVM prints the
//! narrowest data and the longest address list; so does this, but for atomics, of which LLVM confuses the widths with a status.

use super::super::Reason;
use super::super::operand::numbered;
use super::memory::bad;
use crate::isa::form::{Form, Kind, Mod, NO_BIT};
use crate::isa::format::Span;
use crate::isa::image::{Address, Shape, list_limit, list_words, named, scalar_code};
use crate::isa::regs;
use crate::isa::row::Traits;
use crate::isa::symbols::cpol::{self, Access, Use};
use crate::isa::symbols::dim;
use crate::isa::text::push_hex;
use crate::isa::{Gen, Target};

/// Checks the words, and gives their number.
#[inline]
pub(in crate::disasm) fn check(target: &Target, form: &Form, words: &[u32]) -> Result<u8, Reason> {
    let more = list_words(target, words);
    let len = form.words + more;
    if words.len() < usize::from(len) {
        return Err(Reason::Truncated);
    }
    if more > 0 && default_list(target, &Shape::of(form.row), more, words).is_none() {
        return Err(bad(target, form, words, form.format.field("NSA").unwrap_or(Span::NONE)));
    }
    Ok(len)
}

/// How many registers LLVM reads a list of so many words as, before it looks at the dimension; nothing where it has no such form.
fn default_list(target: &Target, shape: &Shape, more: u8, words: &[u32]) -> Option<u8> {
    if shape.address.contains(Address::RAY) {
        let a16 = match target.generation() {
            Gen::Gfx10 => words[1] >> 30 & 1,
            _ => words[0] >> 16 & 1,
        };
        let n = shape.address.registers(0, a16 != 0);
        let expected = if target.generation() == Gen::Gfx10 { (n + 2) / 4 } else { 1 };
        return (expected == more).then_some(n);
    }
    let (low, high) = shape.list();
    let (least, most) = match (target.generation(), more) {
        (Gen::Gfx10, 2) => (6, 9),
        (Gen::Gfx10, 3) => (10, 12),
        _ => (2, list_limit(target, shape).min(5)),
    };
    let n = high.min(most);
    (n >= least.max(low)).then_some(n)
}

/// The widths of data and address.
struct Widths {
    data: u8,
    /// Registers that are named one by one, but for the last.
    named: u8,
    /// Registers of the last name.
    last: u8,
}

fn widths(target: &Target, form: &Form, words: &[u32], shape: &Shape) -> Widths {
    let g = target.generation();
    let (mut dmask, mut dimension, mut a16, mut d16, mut tfe) = (0, 0, false, false, false);
    for m in &form.mods {
        let field = m.span;
        match m.id {
            Mod::Dmask => dmask = field.get(words),
            Mod::Dim => dimension = field.get(words),
            Mod::A16 => a16 = field.get(words) != 0,
            Mod::D16 => d16 = field.get(words) != 0,
            Mod::Tfe => tfe = field.get(words) != 0,
            _ => {}
        }
    }
    let need = shape.address.registers(dimension, a16);
    if shape.traits.contains(Traits::BVH) {
        return Widths { data: shape.value, named: 1, last: need };
    }
    let narrow = match shape.traits {
        t if t.contains(Traits::GATHER) => 4,
        t if t.contains(Traits::ATOMIC) => shape.value,
        _ => 1,
    };
    let data = shape.data(dmask, d16, tfe, target);
    let file = |slot: usize, n: u8| form.slots[slot].span.get(words) + u32::from(n) <= 256;
    let data_fits = shape.data_widths() & 1 << data != 0 && file(0, data);
    if g < Gen::Gfx10 {
        let least = shape.address_widths().trailing_zeros() as u8;
        return Widths { data: if data_fits { data } else { narrow }, named: 1, last: least };
    }
    let more = list_words(target, words);
    let (default, limit) = match g {
        Gen::Gfx12 => {
            let limit = list_limit(target, shape).min(4);
            (shape.list().1.min(limit), limit)
        }
        _ if more == 0 => (shape.address_widths().trailing_zeros() as u8, 1),
        _ => (default_list(target, shape, more, words).unwrap_or(1), if g == Gen::Gfx10 { 12 } else { 5 }),
    };
    let list = more > 0 || g == Gen::Gfx12;
    let fits = if list {
        let partial = need.saturating_sub(limit.min(default)) + 1;
        let exists = (need > 1 || g == Gen::Gfx12) && (need <= default || g != Gen::Gfx10 && need <= shape.list().1);
        let last = usize::from(default.min(need));
        exists && (partial == 1 || named(form, words, last) + u32::from(partial) <= 256)
    } else {
        shape.address_widths() & 1 << need != 0 && file(1, need)
    };
    if !data_fits || !fits {
        return Widths { data: narrow, named: if list { default } else { 1 }, last: if list { 1 } else { default } };
    }
    if !list {
        return Widths { data, named: 1, last: need };
    }
    let named = need.min(limit.min(default));
    Widths { data, named, last: need - named + 1 }
}

/// Appends what stands behind the mnemonic.
pub(in crate::disasm) fn print(target: &Target, form: &Form, words: &[u32], out: &mut Vec<u8>) {
    let shape = Shape::of(form.row);
    let w = widths(target, form, words, &shape);
    let data = &form.slots[0];
    let acc = data.acc != NO_BIT && words[usize::from(data.acc / 32)] >> (data.acc % 32) & 1 != 0;
    out.push(b' ');
    numbered(if acc { "a" } else { "v" }, data.span.get(words), w.data, out);
    out.extend_from_slice(b", ");
    if shape.traits.contains(Traits::BVH) {
        ray(target, form, words, &shape, w.last, out);
    } else if w.named == 1 {
        numbered("v", form.slots[1].span.get(words), w.last, out);
    } else {
        list(form, words, (1..=w.named).map(|i| if i == w.named { w.last } else { 1 }), out);
    }
    let g = target.generation();
    for slot in form.slots.iter().filter(|s| s.kind == Kind::Sgpr) {
        out.extend_from_slice(b", ");
        let code = scalar_code(slot.span, words);
        let base = u32::from(regs::ttmp_base(g));
        let (letter, n) = if code >= base { ("ttmp", code - base) } else { ("s", code) };
        numbered(letter, n, slot.ty.dwords(), out);
    }
    modifiers(target, form, words, shape.traits, out);
}

/// Appends a list of registers or ranges of these widths.
fn list(form: &Form, words: &[u32], widths: impl Iterator<Item = u8>, out: &mut Vec<u8>) {
    out.push(b'[');
    for (i, width) in widths.enumerate() {
        if i > 0 {
            out.extend_from_slice(b", ");
        }
        numbered("v", named(form, words, i + 1), width, out);
    }
    out.push(b']');
}

/// Appends the address of a ray: a range, a list of registers on gfx10, a list of vectors from gfx11 on.
fn ray(target: &Target, form: &Form, words: &[u32], shape: &Shape, need: u8, out: &mut Vec<u8>) {
    let a16 = form.mods.iter().any(|m| m.id == Mod::A16 && m.span.get(words) != 0);
    match target.generation() {
        Gen::Gfx10 if list_words(target, words) > 0 => list(form, words, (0..need).map(|_| 1), out),
        g if g == Gen::Gfx12 || list_words(target, words) > 0 => {
            list(form, words, shape.address.ray(a16).into_iter().filter(|w| *w > 0), out);
        }
        _ => numbered("v", form.slots[1].span.get(words), need, out),
    }
}

/// Appends the modifiers that are not zero. The dimension is always there.
fn modifiers(target: &Target, form: &Form, words: &[u32], traits: Traits, out: &mut Vec<u8>) {
    let mut policy = 0;
    let mut policy_done = traits.contains(Traits::BVH);
    for m in &form.mods {
        let value = m.span.get(words);
        let part = match m.id {
            Mod::Glc => Some(value),
            Mod::Slc => Some(value << 1),
            Mod::Dlc => Some(value << 2),
            Mod::Scc => Some(value << 4),
            Mod::Th => Some(value),
            Mod::Scope => Some(value << 3),
            _ => None,
        };
        if let Some(part) = part {
            policy |= part;
            continue;
        }
        if !policy_done && m.id != Mod::Dmask && m.id != Mod::Dim && m.id != Mod::Unorm {
            policy_done = true;
            if policy != 0 {
                cpol::print(policy, usage(traits), target, out);
            }
        }
        if m.id == Mod::Dim {
            out.extend_from_slice(b" dim:");
            dim::print(value, target, out);
            continue;
        }
        if value == 0 {
            continue;
        }
        let name: &[u8] = match m.id {
            Mod::Dmask => {
                out.extend_from_slice(b" dmask:");
                push_hex(out, u64::from(value));
                continue;
            }
            Mod::Unorm => b" unorm",
            Mod::R128 => b" r128",
            Mod::A16 => b" a16",
            Mod::Tfe => b" tfe",
            Mod::Lwe => b" lwe",
            Mod::Da => b" da",
            Mod::D16 => b" d16",
            _ => continue,
        };
        out.extend_from_slice(name);
    }
}

fn usage(traits: Traits) -> Use {
    let access = if traits.contains(Traits::ATOMIC) {
        Access::Atomic
    } else if traits.contains(Traits::STORE) {
        Access::Store
    } else {
        Access::Load
    };
    Use { access, returns: false, scalar: false, image: true }
}

#[cfg(test)]
mod tests {
    use crate::asm::{Assembler, expr::NoSymbols};
    use crate::disasm::{decode, print};
    use crate::isa::form::Table;
    use crate::isa::{Arch, Target};

    /// The text of a line that was assembled and disassembled, or why not.
    fn round(gpu: &str, line: &str) -> Result<(usize, String), String> {
        let target = Target::new(Arch::find(gpu).ok_or("no such processor")?);
        let encoded = Assembler::new(target).encode(line, &NoSymbols).map_err(|e| e.to_string())?;
        let words = &encoded.words[..usize::from(encoded.len)];
        let table = Table::of(target);
        let decoded = decode(table, words).map_err(|e| e.to_string())?;
        let mut out = Vec::new();
        print(table, &decoded, words, &mut out);
        Ok((words.len(), String::from_utf8_lossy(&out).into_owned()))
    }

    #[test]
    fn texts_come_back() {
        for (gpu, words, line) in [
            ("gfx600", 2, "image_load v[0:3], v4, s[8:15] dmask:0xf unorm glc slc r128 lwe da"),
            ("gfx803", 2, "image_gather4 v[5:8], v1, s[8:15], s[12:15] dmask:0x1 d16"),
            ("gfx900", 2, "image_gather4 v[5:6], v1, s[8:15], s[12:15] dmask:0x1 a16 d16"),
            ("gfx90a", 2, "image_store a[2:3], v4, s[8:15] dmask:0x3 unorm"),
            ("gfx1010", 3, "image_load v0, [v2, v3], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D"),
            (
                "gfx1030",
                5,
                "image_bvh64_intersect_ray v[0:3], [v5, v1, v2, v3, v4, v6, v7, v8, v9, v10, v11, v12], s[4:7]",
            ),
            (
                "gfx1100",
                3,
                "image_sample_c_d v[0:1], [v5, v6, v7, v8, v[9:14]], s[0:7], s[8:11] dmask:0x3 dim:SQ_RSRC_IMG_3D",
            ),
            ("gfx1100", 3, "image_bvh_intersect_ray v[0:3], [v5, v6, v[7:9], v[10:12]], s[4:7] a16"),
            (
                "gfx1200",
                3,
                "image_sample_l v[0:2], [v5, v6, v7, v8], s[0:7], s[8:11] dmask:0x3 dim:SQ_RSRC_IMG_3D th:TH_LOAD_NT tfe",
            ),
            ("gfx1200", 3, "image_bvh8_intersect_ray v[0:9], [v[10:11], v[12:13], v[14:16], v[17:19], v20], s[4:7]"),
        ] {
            assert_eq!(round(gpu, line), Ok((words, line.to_owned())), "{gpu}");
        }
    }

    #[test]
    fn widths_must_match() {
        for (gpu, line, rule) in [
            ("gfx1010", "image_load v0, v[2:4], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D", "address"),
            ("gfx1010", "image_load v0, v2, s[0:7] dmask:0x3 dim:SQ_RSRC_IMG_1D", "data"),
            ("gfx1010", "image_load v0, v2, s[0:7] dmask:0x1", "dimension"),
            ("gfx1030", "image_msaa_load v0, v[1:2], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D", "dimension"),
            ("gfx1100", "image_gather4 v[0:3], v1, s[8:15], s[12:15] dmask:0x3 dim:SQ_RSRC_IMG_1D", "dmask"),
            ("gfx90a", "image_load v[1:2], v4, s[0:7] dmask:0x3", "even"),
            ("gfx900", "image_load v[0:31], v[0:31], s[0:7] dmask:0x1", "data"),
            ("gfx900", "image_load v0, v[0:31], s[0:7] dmask:0x1", "address"),
            ("gfx1200", "image_load v0, v[2:3], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D", "address"),
        ] {
            let got = round(gpu, line);
            assert!(matches!(&got, Err(e) if e.contains(rule)), "{gpu} {line}: {got:?}");
        }
    }

    #[test]
    fn an_address_of_gfx9_is_printed_as_the_narrowest() {
        let line = "image_sample v0, v[1:4], s[8:15], s[12:15] dmask:0x1";
        assert_eq!(round("gfx900", line), Ok((2, line.replace("v[1:4]", "v1"))));
    }
}
