//! Exports: registers to a target outside of the wave.

use super::Step;
use super::build::{Builder, Code};
use crate::fault::planted;
use crate::isa::form::{Kind, Mod};

/// What an instruction exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// The target, as encoded.
    pub target: u8,
    /// Which elements, x in bit 0.
    pub enabled: u8,
    /// Elements have 16 bits: two registers hold four of them.
    pub half: bool,
    /// It says that it is the last one.
    pub done: bool,
    /// It says that the active lanes are the valid ones.
    pub valid: bool,
    /// M0 chooses the row of the target.
    pub row: bool,
    /// The registers of the elements.
    pub registers: [u32; 4],
}

impl Export {
    /// The register of an element, and whether it is its upper half; nothing where the element is not exported.
    #[must_use]
    pub fn element(&self, n: u32) -> Option<(u32, bool)> {
        let exported = self.enabled >> n & 1 != 0;
        let second = if planted!(ExportSecondIgnored) { 0 } else { n / 2 };
        let (register, high) = if self.half { (second, n & 1 != 0) } else { (n, false) };
        exported.then(|| (self.registers[register as usize], high))
    }

    /// What an element is, of its register.
    #[must_use]
    pub fn value(&self, word: u32, high: bool) -> u32 {
        match (self.half, high) {
            (false, _) => word,
            (true, false) => word & 0xffff,
            (true, true) => word >> 16,
        }
    }
}

impl Builder {
    /// The step of an export.
    pub(super) fn export(&mut self, code: &Code<'_>) -> Option<Step> {
        let form = code.form;
        let target = form.slots.first()?.span.get(code.words) as u8;
        let sources = form.slots.iter().filter(|slot| slot.kind == Kind::Vgpr);
        let mut registers = [0; 4];
        for (to, slot) in registers.iter_mut().zip(sources) {
            *to = slot.span.get(code.words);
        }
        let enabled = form.format.field("EN")?.get(code.words) as u8;
        let flag = |modifier| code.modifier(modifier) != 0;
        let enabled = if planted!(ExportAll) { 0xf } else { enabled };
        let (half, done, valid, row) = (flag(Mod::Compr), flag(Mod::Done), flag(Mod::Vm), flag(Mod::RowEn));
        let (half, done) = (half && !planted!(ExportWhole), done && !planted!(ExportDoneLost));
        let valid = valid && !planted!(ExportValidLost);
        let export = Export { target, enabled, half, done, valid, row, registers };
        Some(Step { export: Some(Box::new(export)), ..Step::new(code.at) })
    }
}
