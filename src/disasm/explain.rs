//! One instruction, field by field.
//!
//! The fields come from the formats, the roles from the form. What a value means is asked of the printer itself: the field is set to
//! another value, both are printed, and the words of the text which differ are what the field says. So it works for every family,
//! and cannot disagree with the text.

use super::fields::{meets, named};
use super::{Decoded, Reason, decode, print};
use crate::isa::form::{Form, FormFlags, Kind, Mod, NO_BIT, Slot, Table, Variant};
use crate::isa::format::{Format, Span};
use crate::isa::operand::{Class, Opnd, Part};
use crate::isa::row::Family;

/// One field of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldValue {
    /// The manual's name; `ENCODING` for the bits which are always the same, `OP` for the opcode, `LITERAL` for a literal constant.
    pub name: String,
    /// Where it lies; bit 0 is the lowest bit of the first word.
    pub span: Span,
    /// What it holds.
    pub value: u32,
    /// What it is for in this instruction.
    pub role: String,
    /// The part of the text that it decides; empty where the text does not mention it.
    pub text: String,
}

/// An instruction, explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Its canonical text.
    pub text: String,
    /// The format, with `+DPP16` and the like behind it.
    pub format: String,
    /// The instruction's name without suffix.
    pub name: &'static str,
    /// Words.
    pub len: usize,
    /// Its fields, from the highest bit of the first word down, then the next word.
    pub fields: Vec<FieldValue>,
}

/// Explains the instruction at the beginning of `words`.
///
/// # Errors
/// Why the bits are no instruction.
pub fn explain(table: &Table, words: &[u32]) -> Result<Explanation, Reason> {
    let decoded = decode(table, words)?;
    let len = usize::from(decoded.len);
    let words = &words[..len];
    let form = decoded.form;
    let text = text_of(table, &decoded, words);
    let mut fields = Vec::new();
    let mut add = |name: &str, span: Span, role: String, text: String| {
        fields.push(FieldValue { name: name.to_owned(), span, value: span.get(words), role, text });
    };
    for span in fixed_runs(form.format) {
        add("ENCODING", span, format!("always so in {}", form.format.name), String::new());
    }
    if form.format.op.width != 0 {
        let name = form.row.name_in(table.target.generation());
        add("OP", form.format.op, format!("opcode of {name}"), String::new());
    }
    for (name, span) in named(&table.target, form) {
        if single_bits(form, span) {
            for bit in (span.lo..span.lo + span.width).rev() {
                let one = Span::new(bit, bit);
                add(
                    &format!("{name}[{}]", bit - span.lo),
                    one,
                    role(form, name, one),
                    says(table, &decoded, words, one),
                );
            }
            continue;
        }
        let role = role(form, name, span);
        let shown = if role.starts_with("not used") { String::new() } else { says(table, &decoded, words, span) };
        add(name, span, role, shown);
    }
    let mut at = usize::from(form.words).min(len);
    if form.variant == Variant::Base && form.row.family == Family::Mimg {
        at = usize::from(form.format.words);
        // Addresses out of sequence: a register number a byte.
        for n in 0..4 * len.saturating_sub(at) {
            let lo = (32 * at + 8 * n) as u8;
            let span = Span::new(lo + 7, lo);
            add(&format!("ADDR{}", n + 1), span, "an address register".to_owned(), says(table, &decoded, words, span));
        }
        at = len;
    }
    for word in at..len {
        let lo = 32 * word as u8;
        let span = Span::new(lo + 31, lo);
        add("LITERAL", span, "literal constant".to_owned(), says(table, &decoded, words, span));
    }
    // Within a word the highest bits come first, as manuals draw them.
    fields.sort_by_key(|f: &FieldValue| (f.span.lo / 32, 255 - f.span.lo));
    let format = match form.second_format(&table.target) {
        Some(more) => format!("{}+{}", form.format.name, more.name),
        None => form.format.name.to_owned(),
    };
    Ok(Explanation { text, format, name: form.row.name_in(table.target.generation()), len, fields })
}

fn text_of(table: &Table, decoded: &Decoded<'_>, words: &[u32]) -> String {
    let mut out = Vec::new();
    print(table, decoded, words, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The runs of fixed bits of the first word.
fn fixed_runs(format: &Format) -> Vec<Span> {
    let mut runs = Vec::new();
    let mut bit = 32u8;
    while bit > 0 {
        bit -= 1;
        if format.mask >> bit & 1 == 0 {
            continue;
        }
        let high = bit;
        while bit > 0 && format.mask >> (bit - 1) & 1 != 0 {
            bit -= 1;
        }
        runs.push(Span::new(high, bit));
    }
    runs
}

/// Whether a field has a bit for each operand (`NEG`, `ABS`).
fn single_bits(form: &Form, span: Span) -> bool {
    let bits = |s: &Slot| [s.neg, s.abs, s.sext, s.half, s.acc];
    let has = form.slots.iter().flat_map(bits).any(|bit| bit_in(span, bit));
    let other = form.slots.iter().any(|s| s.span.width != 0 && meets(s.span, span));
    has && span.width > 1 && span.width2 == 0 && !other && !form.mods.iter().any(|m| meets(m.span, span))
}

fn bit_in(span: Span, bit: u8) -> bool {
    bit != NO_BIT && meets(span, Span::new(bit, bit))
}

/// What a field is for.
fn role(form: &Form, name: &str, span: Span) -> String {
    let mut roles: Vec<String> = Vec::new();
    let number = |i: usize| operand_name(form, i);
    for (i, slot) in form.slots.iter().enumerate() {
        let extra = match slot.kind {
            Kind::SdwaSource(s) | Kind::SdwaSdst(s) if s == span => Some("register bank"),
            Kind::Attr(s) if s == span => Some("channel"),
            _ => None,
        };
        if let Some(what) = extra {
            roles.push(format!("{what} of {}", number(i)));
        } else if slot.span.width != 0 && meets(slot.span, span) {
            roles.push(format!("{}: {}", number(i), describe(slot)));
        }
        for (bit, what) in [
            (slot.neg, "negates"),
            (slot.abs, "takes the magnitude of"),
            (slot.sext, "extends the sign of"),
            (slot.half, "half of"),
        ] {
            if bit_in(span, bit) && !meets(slot.span, span) {
                roles.push(format!("{what} {}", number(i)));
            }
        }
        if bit_in(span, slot.acc) {
            roles.push(format!("{} is an accumulation register", number(i)));
        }
    }
    for m in form.mods.iter().filter(|m| meets(m.span, span)) {
        roles.push(format!("modifier {}", modifier_name(m.id)));
    }
    if roles.is_empty() {
        let memory =
            !matches!(form.row.family, Family::Vop1 | Family::Vop2 | Family::Vopc | Family::Vop3 | Family::Vop3p);
        let marker = form.variant != Variant::Base && name == "SRC0" && span.lo < 32;
        if marker {
            return format!("says that {:?} follows", form.variant).to_lowercase();
        }
        if memory && let Some(text) = known(name) {
            return text.to_owned();
        }
        let mut bits = [0u32; 5];
        span.set(&mut bits, u32::MAX);
        let unused = |i: usize| form.must.get(i).map_or(0, |must| must | form.idle[i]);
        let fixed = bits.iter().enumerate().all(|(i, bit)| bit & !unused(i) == 0 || i >= form.must.len());
        return if fixed { "not used here".to_owned() } else { known(name).unwrap_or("").to_owned() };
    }
    roles.dedup();
    roles.join("; ")
}

/// What fields of memory, image and export instructions are for, where the form has no place or modifier for them.
fn known(name: &str) -> Option<&'static str> {
    Some(match name {
        "GLC" | "SLC" | "DLC" | "SCC" => "cache policy",
        "TH" => "cache policy: temporal hint",
        "SCOPE" => "cache policy: scope",
        "OFFEN" => "the address has an offset register",
        "IDXEN" => "the address has an index register",
        "ADDR64" => "the address is 64 bits wide",
        "LDS" => "data goes to LDS",
        "TFE" => "a status word follows the data",
        "LWE" => "warnings about levels of detail",
        "ACC" => "data is in accumulation registers",
        "SVE" => "the address has a vector register",
        "SOFFSET_EN" => "the address has an offset register",
        "IMM" => "the offset is a constant",
        "OFFSET" | "IOFFSET" | "OFFSET0" | "OFFSET1" => "constant offset in bytes",
        "NSA" => "words of further address registers",
        "DIM" => "dimension of the image",
        "DMASK" => "components of the data",
        "UNRM" => "coordinates are not normalized",
        "DA" => "the image is an array",
        "R128" => "the resource has 128 bits",
        "A16" => "coordinates have 16 bits",
        "D16" => "data has 16 bits",
        "FORMAT" => "format of the data",
        "EN" => "components that are exported",
        "TGT" => "where to",
        "DONE" => "the last export of its kind",
        "COMPR" => "two components in a register",
        "VM" => "the mask of valid pixels goes along",
        "ROW" => "the row is in m0",
        "SADDR" => "scalar part of the address",
        "SOFFSET" => "scalar offset",
        _ => return None,
    })
}

/// `src0`, `dst`: how a place is called.
#[must_use]
pub fn operand_name(form: &Form, i: usize) -> String {
    let slot = &form.slots[i];
    if let Kind::Memory(part) = slot.kind {
        return format!("{part:?}").split('(').next().unwrap_or_default().to_lowercase();
    }
    match slot.kind {
        Kind::Simm | Kind::Uimm | Kind::PlainImm | Kind::OptImm | Kind::Symbolic(_) => "simm16".to_owned(),
        Kind::Target => "target".to_owned(),
        Kind::Literal => "literal".to_owned(),
        Kind::Word { text, .. } => text.to_owned(),
        Kind::Vcc => "vcc".to_owned(),
        Kind::Attr(_) => "attr".to_owned(),
        Kind::InterpSlot => "slot".to_owned(),
        Kind::Dual(name) => name.to_owned(),
        Kind::DualVdst => "vdsty".to_owned(),
        _ if slot.source == NO_BIT && i == 0 => "dst".to_owned(),
        // Addresses and descriptors have the manual's names.
        _ if slot.source == NO_BIT => {
            let field = form.format.fields.iter().find(|f| f.span == slot.span);
            field.map_or_else(|| format!("dst{i}"), |f| f.name.to_lowercase())
        }
        _ => format!("src{}", slot.source),
    }
}

/// What may stand in a place.
#[must_use]
pub fn describe(slot: &Slot) -> String {
    use crate::isa::form::Allow;
    let what = match slot.kind {
        Kind::Source | Kind::SdwaSource(_) => {
            let names = [
                (Allow::VGPR, "VGPR"),
                (Allow::AGPR, "AGPR"),
                (Allow::SGPR, "SGPR"),
                (Allow::INLINE, "inline constant"),
                (Allow::LITERAL, "literal"),
                (Allow::LDS, "lds_direct"),
            ];
            let list: Vec<&str> = names.iter().filter(|n| slot.allow.contains(n.0)).map(|n| n.1).collect();
            list.join(" or ")
        }
        Kind::Vgpr | Kind::DualVdst => if slot.allow.contains(Allow::VGPR) { "VGPR" } else { "AGPR" }.to_owned(),
        Kind::Sgpr | Kind::SdwaSdst(_) => "SGPR".to_owned(),
        Kind::Vcc => "vcc, not encoded".to_owned(),
        Kind::Word { optional, .. } => if optional { "a word that may be left out" } else { "a word" }.to_owned(),
        Kind::Literal => "literal".to_owned(),
        Kind::Simm => "signed number".to_owned(),
        Kind::Uimm | Kind::PlainImm | Kind::OptImm => "unsigned number".to_owned(),
        Kind::Target => "distance in words from the next instruction".to_owned(),
        Kind::Symbolic(symbol) => format!("number or {}", format!("{symbol:?}").to_lowercase()),
        Kind::Message => "message".to_owned(),
        Kind::Barrier => "barrier".to_owned(),
        Kind::Dual(_) => "second half".to_owned(),
        Kind::Attr(_) => "attribute".to_owned(),
        Kind::InterpSlot => "interpolation slot".to_owned(),
        Kind::Memory(part) => memory_part(part).to_owned(),
    };
    let has_type = !matches!(slot.kind, Kind::Word { .. } | Kind::Target | Kind::Symbolic(_) | Kind::Dual(_));
    let mut text = if has_type { format!("{what}, {:?}", slot.ty) } else { what };
    for (bit, name) in
        [(slot.neg, "neg"), (slot.abs, "abs"), (slot.sext, "sext"), (slot.half, "half"), (slot.acc, "acc")]
    {
        if bit != NO_BIT {
            text.push_str(&format!(", {name} {bit}"));
        }
    }
    text
}

/// What a place of a memory, image, export or interpolation instruction is.
fn memory_part(part: Part) -> &'static str {
    match part {
        Part::Vdst | Part::Sdata => "result",
        Part::Addr | Part::Image(_) => "address",
        Part::Data | Part::Data1 => "data",
        Part::Rsrc => "resource descriptor",
        Part::Samp => "sampler descriptor",
        Part::Offset => "offset",
        Part::Soffset => "scalar offset",
        Part::Saddr => "scalar address",
        Part::Sbase => "scalar base address",
        Part::Number => "number",
        Part::Attr => "attribute",
        Part::Slot => "interpolation slot",
        Part::ExpTarget => "export target",
        Part::ExpSource => "exported value",
    }
}

/// An operand of a row in words: `Plain F32`.
#[must_use]
pub fn describe_operand(operand: &Opnd) -> String {
    match operand.class {
        Class::Part(part) => format!("{part:?} {:?}", operand.ty),
        class => format!("{class:?} {:?}", operand.ty),
    }
}

/// The name of a modifier in text: `op_sel_hi`.
#[must_use]
pub fn modifier_name(id: Mod) -> String {
    let name = match id {
        Mod::Omod => return "mul/div".to_owned(),
        Mod::DppCtrl => return "dpp_ctrl".to_owned(),
        Mod::Dpp8 => return "dpp8".to_owned(),
        Mod::WaitVmVsrc => return "wait_vm_vsrc".to_owned(),
        id => format!("{id:?}"),
    };
    let mut text = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}

/// The words of the text that change with a field.
fn says(table: &Table, decoded: &Decoded<'_>, words: &[u32], span: Span) -> String {
    let text = text_of(table, decoded, words);
    let old: Vec<&str> = text.split(' ').collect();
    let value = span.get(words);
    let tries = [
        value ^ 1,
        value ^ 2,
        value ^ 4,
        value ^ 8,
        value.wrapping_add(1),
        value.wrapping_sub(1),
        0,
        1,
        value ^ 16,
        value ^ 0x80,
        value ^ 0x100,
        2,
        4,
    ];
    for other in tries.into_iter().filter(|v| *v <= span.max() && *v != value) {
        let mut changed = [0u32; 6];
        changed[..words.len()].copy_from_slice(words);
        span.set(&mut changed, other);
        let Ok(again) = decode(table, &changed) else { continue };
        if !std::ptr::eq(again.form, decoded.form) || again.len > decoded.len {
            continue;
        }
        let other = text_of(table, &again, &changed[..usize::from(again.len)]);
        if other == text {
            continue;
        }
        let new: Vec<&str> = other.split(' ').collect();
        return only_in(&old, &new).join(" ").trim_end_matches(',').to_owned();
    }
    String::new()
}

/// The words of `old` that are not in a longest common subsequence with `new`.
fn only_in<'t>(old: &[&'t str], new: &[&str]) -> Vec<&'t str> {
    let width = new.len() + 1;
    let mut common = vec![0u16; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i * width + j] = if old[i] == new[j] {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut rest = Vec::new();
    while i < old.len() {
        if j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j < new.len() && common[i * width + j + 1] > common[(i + 1) * width + j] {
            j += 1;
        } else {
            rest.push(old[i]);
            i += 1;
        }
    }
    rest
}

/// Whether an instruction may take a literal constant in a form.
#[must_use]
pub fn takes_literal(form: &Form) -> bool {
    form.flags.intersects(FormFlags::HAS_LITERAL | FormFlags::MAY_LITERAL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{Arch, Target};

    fn fields(arch: &str, words: &[u32]) -> Vec<(String, u32, String)> {
        let arch = Arch::find(arch).expect("a processor");
        let explained = explain(Table::of(Target::new(arch)), words).expect("an instruction");
        explained.fields.into_iter().map(|f| (f.name, f.value, f.text)).collect()
    }

    #[test]
    fn fields_say_what_they_print() {
        let add = fields("gfx1100", &[0x0600_0501]);
        let of = |name: &str| add.iter().find(|f| f.0 == name).map(|f| (f.1, f.2.as_str()));
        assert_eq!(of("SRC0"), Some((0x101, "v1")));
        assert_eq!(of("VSRC1"), Some((2, "v2")));
        assert_eq!(of("VDST"), Some((0, "v0")));
        assert_eq!(of("OP"), Some((3, "")));
    }

    #[test]
    fn modifiers_of_operands_have_a_bit_each() {
        // v_fma_f32 v0, -v1, |s2|, 1.0
        let fma = fields("gfx1200", &[0xd613_0200, 0x23c8_0501]);
        let of = |name: &str| fma.iter().find(|f| f.0 == name).map(|f| (f.1, f.2.as_str()));
        assert_eq!((of("NEG[0]"), of("ABS[1]")), (Some((1, "-v1")), Some((1, "|s2|"))));
        assert_eq!((of("NEG[1]"), of("OMOD")), (Some((0, "|s2|")), Some((0, ""))));
    }

    #[test]
    fn every_form_can_be_explained() {
        let mut count = 0;
        for arch in ["gfx600", "gfx700", "gfx803", "gfx90a", "gfx940", "gfx1030", "gfx1100", "gfx1200"] {
            let table = Table::of(Target::new(Arch::find(arch).expect("a processor")));
            for form in &table.forms {
                let words = [form.base[0], form.base[1], form.base[2], 0, 0];
                let Ok(explained) = explain(table, &words) else { continue };
                count += 1;
                let mut covered = [0u32; 5];
                for f in &explained.fields {
                    f.span.set(&mut covered, u32::MAX);
                    assert_eq!(f.value, f.span.get(&words), "{arch} {} {}", form.name, f.name);
                }
                // Bits that the instruction has set are all in some field.
                for (word, covered) in words[..explained.len].iter().zip(covered) {
                    assert_eq!(word & !covered, 0, "{arch} {}", form.name);
                }
            }
        }
        assert!(count > 10_000, "{count}");
    }

    #[test]
    fn a_literal_is_a_field() {
        let mov = fields("gfx900", &[0x7e00_02ff, 0x1234_5678]);
        assert!(mov.contains(&("LITERAL".to_owned(), 0x1234_5678, "0x12345678".to_owned())), "{mov:?}");
    }
}
