//! Cases to text: what is printed parses to the same case.
//!
//! A type is printed where the parser would not guess it: in a list it holds until the next one.

use super::random::Class;
use super::value::{Descriptor, IDS, Lit, OOBS, SCRATCH_WORDS, Value};
use super::{Case, What};
use crate::isa::types::Ty;
use std::fmt::{self, Display, Formatter, Write};

/// Lists longer than this are broken into lines.
const ROW: usize = 16;

impl Display for Case {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for remark in &self.remarks {
            writeln!(f, "{}", format!(";; {remark}").trim_end())?;
        }
        if let Some(source) = &self.source {
            writeln!(f, "{}", format!("; source: {source}").trim_end())?;
        }
        if !self.isa.entries.is_empty() {
            writeln!(f, "; isa: {}", self.isa)?;
        }
        if !self.waves.is_empty() {
            let sizes: Vec<_> = self.waves.iter().map(u32::to_string).collect();
            writeln!(f, "; wave: {}", sizes.join(", "))?;
        }
        if let Some(mattr) = &self.mattr {
            writeln!(f, "; mattr: {mattr}")?;
        }
        for (key, sizes) in [("grid", self.grid), ("group", self.group)] {
            if let Some([x, y, z]) = sizes {
                writeln!(f, "; {key}: {x}, {y}, {z}")?;
            }
        }
        if let Some(entry) = &self.entry {
            writeln!(f, "; entry: {entry}")?;
        }
        if let Some(handler) = &self.trap_handler {
            write!(f, "; trap_handler: {}", handler.label)?;
            handler.memory.as_ref().map_or(Ok(()), |name| write!(f, ", {name}"))?;
            writeln!(f)?;
        }
        if let Some(lds) = self.lds {
            writeln!(f, "; lds: {lds}")?;
        }
        if let Some(scratch) = &self.scratch {
            write!(f, "; scratch: {}", scratch.bytes)?;
            scratch.at.map_or(Ok(()), |at| write!(f, " at {at:#x}"))?;
            writeln!(f)?;
        }
        if let Some([one, two, three]) = self.rsrc {
            write!(f, "; rsrc: {one:#x}, {two:#x}")?;
            if three != 0 {
                write!(f, ", {three:#x}")?;
            }
            writeln!(f)?;
        }
        if let Some(file) = &self.code {
            writeln!(f, "; code: file \"{file}\"")?;
        }
        for (key, number) in [("budget", self.budget), ("timeout", self.timeout)] {
            if let Some(number) = number {
                writeln!(f, "; {key}: {number}")?;
            }
        }
        if self.mode.whole.is_some() || !self.mode.fields.is_empty() {
            writeln!(f, "; mode: {}", self.mode)?;
        }
        for (n, buffer) in self.buffers.iter().enumerate() {
            write!(f, "; buffer {}", buffer.name)?;
            if let Some(size) = buffer.size {
                write!(f, "[{size}]")?;
            }
            f.write_str(if buffer.writable { "" } else { " readonly" })?;
            f.write_str(if buffer.behind && n > 0 { " behind" } else { "" })?;
            if let Some(address) = buffer.at {
                write!(f, " at {address:#x}")?;
            }
            if let Some(contents) = &buffer.contents {
                write!(f, " = {}", Shown(contents, Ty::U32))?;
            }
            writeln!(f)?;
        }
        for init in &self.init {
            if init.select.is_always() {
                f.write_str("; ")?;
            } else {
                write!(f, "; init{}: ", init.select)?;
            }
            writeln!(f, "{} = {}", init.place, Shown(&init.value, init.place.integer()))?;
        }
        if !self.observe.is_empty() {
            let places: Vec<_> = self.observe.iter().map(ToString::to_string).collect();
            writeln!(f, "; observe: {}", places.join(", "))?;
        }
        for expect in &self.expect {
            write!(f, "; expect{}: ", expect.select)?;
            match &expect.what {
                What::Value { place, value, rule } => {
                    write!(f, "{place} = {}{rule}", Shown(value, place.integer()))?;
                }
                What::Trap { kind, number, at } => {
                    write!(f, "trap {kind}")?;
                    number.map_or(Ok(()), |number| write!(f, " {number}"))?;
                    at.as_ref().map_or(Ok(()), |at| write!(f, " at {at}"))?;
                }
            }
            writeln!(f)?;
        }
        if self.body.text.is_empty() { Ok(()) } else { writeln!(f, "{}", self.body.text) }
    }
}

/// A value where whole numbers have a type.
pub(crate) struct Shown<'a>(pub &'a Value, pub Ty);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        value(f, self.0, &mut Context { named: None, integer: self.1, float: Ty::F32 })
    }
}

/// What the parser knows when it comes here.
struct Context {
    named: Option<Ty>,
    integer: Ty,
    float: Ty,
}

fn value(f: &mut Formatter<'_>, shown: &Value, context: &mut Context) -> fmt::Result {
    match shown {
        Value::Any => f.write_str("_"),
        Value::Lit(lit) => literal(f, *lit, context),
        Value::List(list) => {
            f.write_str("[")?;
            for (i, element) in list.iter().enumerate() {
                match i {
                    0 if list.len() > ROW => f.write_str("\n;   ")?,
                    0 => {}
                    _ if i % ROW == 0 => f.write_str(",\n;   ")?,
                    _ => f.write_str(", ")?,
                }
                value(f, element, context)?;
            }
            f.write_str("]")
        }
        Value::Id(id) => f.write_str(IDS.iter().find(|(_, known)| known == id).map_or("lane", |(name, _)| name)),
        Value::Ramp(start, step) => {
            f.write_str("ramp(")?;
            let mut inside = Context { named: None, ..*context };
            literal(f, *start, &mut inside)?;
            inside.named = Some(start.ty);
            f.write_str(", ")?;
            literal(f, *step, &mut inside)?;
            f.write_str(")")
        }
        Value::Random(ty, seed, class) => {
            f.write_str("random")?;
            if *ty != Ty::U32 {
                write!(f, "_{ty}")?;
            }
            write!(f, "({seed}")?;
            if *class != Class::Any {
                write!(f, ", {}", class.name())?;
            }
            f.write_str(")")
        }
        Value::Edges(ty, 1) => write!(f, "edges({ty})"),
        Value::Edges(ty, step) => write!(f, "edges({ty}, {step})"),
        Value::Pack(low, high) => {
            let mut inside = Context { named: None, integer: Ty::U16, float: Ty::F16 };
            f.write_str("pack(")?;
            value(f, low, &mut inside)?;
            f.write_str(", ")?;
            value(f, high, &mut inside)?;
            f.write_str(")")
        }
        Value::Address(buffer, 0) => write!(f, "address({buffer})"),
        Value::Address(buffer, offset) => write!(f, "address({buffer} + {offset})"),
        Value::Math(math) => {
            let mut inside = Context { named: None, integer: Ty::U32, float: Ty::F32 };
            math.print(f, 0, &mut |f: &mut Formatter<'_>, leaf: &Value| value(f, leaf, &mut inside))
        }
        Value::Scratch(word) => {
            f.write_str(SCRATCH_WORDS.iter().find(|(_, known)| known == word).map_or("scratch.base", |(name, _)| name))
        }
        Value::Descriptor(d) => descriptor(f, d),
        Value::Image(picture) => picture.fmt(f),
        Value::Sampler(sampling) => sampling.fmt(f),
        Value::Bvh(bvh) => bvh.fmt(f),
        Value::Texels(texels) => {
            write!(f, "texels({}", texels.image)?;
            for component in &texels.components {
                f.write_str(", ")?;
                value(f, component, &mut Context { named: None, integer: Ty::U32, float: Ty::F32 })?;
            }
            f.write_char(')')
        }
        Value::File(Ty::U8, name) => write!(f, "file \"{name}\""),
        Value::File(ty, name) => write!(f, "{ty} file \"{name}\""),
    }
}

fn literal(f: &mut Formatter<'_>, lit: Lit, context: &mut Context) -> fmt::Result {
    let text = number(lit);
    let guessed = match context.named {
        Some(ty) => ty,
        None if text.starts_with("0x") || !text.contains(['.', 'e', 'n']) => {
            if lit.bits > context.integer.mask() {
                Ty::U64
            } else {
                context.integer
            }
        }
        None => context.float,
    };
    if guessed != lit.ty {
        write!(f, "{} ", lit.ty)?;
        context.named = Some(lit.ty);
    }
    f.write_str(&text)
}

/// A number, without its type.
fn number(lit: Lit) -> String {
    let Lit { ty, bits } = lit;
    if ty.is_nan(bits) {
        return ty.hex(bits);
    }
    if ty.layout().is_some() {
        return ty.show(bits);
    }
    if ty.is_signed() {
        return ty.sign_extended(bits).to_string();
    }
    let mut text = String::new();
    let _ = if bits < 0x1_0000 { write!(text, "{bits}") } else { write!(text, "{bits:#x}") };
    text
}

fn descriptor(f: &mut Formatter<'_>, d: &Descriptor) -> fmt::Result {
    write!(f, "buffer({}", d.buffer)?;
    if d.offset > 0 {
        write!(f, " + {}", d.offset)?;
    }
    let fields =
        [("stride", d.stride), ("records", d.records), ("element", d.element), ("index_stride", d.index_stride)];
    for (name, number) in fields {
        if let Some(number) = number {
            write!(f, ", {name}={number}")?;
        }
    }
    if let Some(format) = &d.format {
        write!(f, ", format={format}")?;
    }
    for (name, on) in [("swizzle", d.swizzle), ("add_tid", d.add_tid)] {
        if on {
            write!(f, ", {name}")?;
        }
    }
    if let Some(sel) = d.dst_sel {
        f.write_str(", dst_sel=")?;
        sel.iter().try_for_each(|c| f.write_char(char::from(*c)))?;
    }
    if let Some((name, _)) = OOBS.iter().find(|(_, oob)| Some(*oob) == d.oob) {
        write!(f, ", oob={name}")?;
    }
    f.write_str(")")
}
