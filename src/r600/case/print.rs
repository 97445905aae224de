//! Cases to text: what is printed parses to the same case.

use super::parse::{COMPARES, SHAPES, STAGES};
use super::{Bound, Case, Memory, Select, What};
use crate::case::print::Shown;
use crate::isa::r600::fetch::{DATA_FORMATS, NUM_FORMATS, SWAPS};
use crate::isa::types::Ty;
use crate::r600::emu::vertex::Element;
use std::fmt::{self, Display, Formatter};

/// The word of a value in a list of words.
fn word<T: PartialEq>(list: &[(&'static str, T)], value: &T) -> &'static str {
    list.iter().find(|(_, known)| known == value).map_or("", |(name, _)| name)
}

impl Display for Select {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = self.0.iter().map(|machine| machine.name()).collect();
        write!(f, "[{}]", names.join(", "))
    }
}

impl Display for Memory {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.size.map_or(Ok(()), |size| write!(f, "[{size}]"))?;
        self.contents.as_ref().map_or(Ok(()), |contents| write!(f, " = {}", Shown(contents, Ty::U32)))
    }
}

fn format(f: &mut Formatter<'_>, element: &Element) -> fmt::Result {
    write!(f, ", format={}", DATA_FORMATS[element.data as usize & 63])?;
    if element.number != 0 {
        write!(f, ", {}", NUM_FORMATS[element.number as usize & 3].to_ascii_lowercase())?;
    }
    f.write_str(if element.signed { ", signed" } else { "" })?;
    f.write_str(if element.no_zero { ", no_zero" } else { "" })?;
    if element.swap != 0 {
        write!(f, ", swap={}", SWAPS[element.swap as usize & 3])?;
    }
    Ok(())
}

impl Display for Bound {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Vertex { buffer, stride, format: element } => {
                write!(f, "vertex({buffer}, stride={stride}")?;
                element.as_ref().map_or(Ok(()), |element| format(f, element))?;
            }
            Bound::Image { buffer, shape, size: [x, y, z], format: element, repeat, compare } => {
                write!(f, "image({buffer}, {}, size={x}x{y}x{z}", word(&SHAPES, shape))?;
                format(f, element)?;
                f.write_str(if *repeat { ", repeat" } else { "" })?;
                write!(f, ", compare={}", word(&COMPARES, compare))?;
            }
        }
        f.write_str(")")
    }
}

impl Display for Case {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for remark in &self.remarks {
            writeln!(f, "{}", format!(";; {remark}").trim_end())?;
        }
        if let Some(source) = &self.source {
            writeln!(f, "{}", format!("; source: {source}").trim_end())?;
        }
        let machines: Vec<&str> = self.machines.iter().map(|machine| machine.name()).collect();
        writeln!(f, "; isa: {}", machines.join(", "))?;
        writeln!(f, "; stage: {}", word(&STAGES, &self.stage))?;
        writeln!(f, "; lanes: {}", self.lanes)?;
        self.valid.map_or(Ok(()), |valid| writeln!(f, "; valid: {valid:#x}"))?;
        for (key, number) in [("registers", self.registers), ("temporaries", self.temporaries), ("stack", self.stack)] {
            number.map_or(Ok(()), |number| writeln!(f, "; {key}: {number}"))?;
        }
        let [vertex, instance] = self.offsets;
        for (key, number) in [
            ("scratch", self.scratch),
            ("reduction", self.reduction),
            ("vertex_offset", vertex),
            ("instance_offset", instance),
        ] {
            if number != 0 {
                writeln!(f, "; {key}: {number}")?;
            }
        }
        if self.last_is_trans {
            writeln!(f, "; prefer_vector: 0")?;
        }
        self.budget.map_or(Ok(()), |budget| writeln!(f, "; budget: {budget}"))?;
        self.stop.map_or(Ok(()), |stop| writeln!(f, "; stop: {stop}"))?;
        self.code.as_ref().map_or(Ok(()), |file| writeln!(f, "; code: file \"{file}\""))?;
        if self.bools != 0 {
            writeln!(f, "; bools: {:#x}", self.bools)?;
        }
        for (n, constant) in &self.loops {
            writeln!(f, "; loop[{n}] = {}, {}, {}", constant.count, constant.first, constant.step)?;
        }
        for (n, register) in &self.semantics {
            writeln!(f, "; semantic[{n}] = R{register}")?;
        }
        for (bank, memory) in &self.banks {
            writeln!(f, "; kcache[{bank}]{memory}")?;
        }
        self.constants.as_ref().map_or(Ok(()), |memory| writeln!(f, "; constants{memory}"))?;
        for (name, memory) in &self.buffers {
            writeln!(f, "; buffer {name}{memory}")?;
        }
        for (n, bound) in &self.resources {
            writeln!(f, "; resource[{n}] = {bound}")?;
        }
        for init in &self.init {
            let key = if init.select.0.is_empty() { String::new() } else { format!("init{}: ", init.select) };
            writeln!(f, "; {key}{} = {}", init.place, Shown(&init.value, init.place.integer()))?;
        }
        if !self.observe.is_empty() {
            let shown = self.observe.iter().map(|observe| {
                let ty = observe.ty.map_or_else(String::new, |ty| format!("{ty} "));
                format!("{ty}{}", observe.place)
            });
            writeln!(f, "; observe: {}", shown.collect::<Vec<_>>().join(", "))?;
        }
        for expect in &self.expect {
            write!(f, "; expect{}: ", expect.select)?;
            match &expect.what {
                What::Value { place, value, rule } => {
                    writeln!(f, "{place} = {}{rule}", Shown(value, place.integer()))?;
                }
                What::Trap { kind, at } => {
                    write!(f, "trap {kind}")?;
                    at.map_or(Ok(()), |at| write!(f, " at {at}"))?;
                    writeln!(f)?;
                }
            }
        }
        if self.body.text.is_empty() { Ok(()) } else { writeln!(f, "{}", self.body.text) }
    }
}
