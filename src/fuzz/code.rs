//! The few instructions that programs are held together with, written by the names of their rows, which are the same on every processor.

use crate::isa::form::{Table, Variant};
use crate::isa::row::Family;

/// The code of the constant `n` as a scalar source.
pub(super) const fn int(n: u32) -> u32 {
    128 + n
}

/// The code of a literal as a scalar source.
pub(super) const LITERAL: u32 = 255;
/// VCC.
pub(super) const VCC: u32 = 106;
/// EXEC.
pub(super) const EXEC: u32 = 126;

/// Writes instructions for a processor.
#[derive(Clone, Copy)]
pub(super) struct Writer {
    pub table: &'static Table,
}

impl Writer {
    /// The fixed bits of a row in its own format; 0 where the processor lacks it.
    fn base(self, name: &str) -> u32 {
        let short = |family| !matches!(family, Family::Vop3 | Family::Vop3p);
        let form = self.table.forms.iter().find(|f| {
            f.row.name == name
                && f.variant == Variant::Base
                && f.words <= 2
                && short(f.row.family)
                && f.format.words == 1
        });
        form.map_or(0, |form| form.base[0])
    }

    pub fn sop2(self, name: &str, dst: u32, a: u32, b: u32) -> u32 {
        self.base(name) | dst << 16 | b << 8 | a
    }

    pub fn sop1(self, name: &str, dst: u32, a: u32) -> u32 {
        self.base(name) | dst << 16 | a
    }

    pub fn sopc(self, name: &str, a: u32, b: u32) -> u32 {
        self.base(name) | b << 8 | a
    }

    pub fn sopp(self, name: &str, simm: u32) -> u32 {
        self.base(name) | simm & 0xffff
    }

    pub fn vop1(self, name: &str, dst: u32, a: u32) -> u32 {
        self.base(name) | dst << 17 | a
    }

    pub fn vop2(self, name: &str, dst: u32, a: u32, b: u32) -> u32 {
        self.base(name) | dst << 17 | b << 9 | a
    }

    pub fn vopc(self, name: &str, a: u32, b: u32) -> u32 {
        self.base(name) | b << 9 | a
    }

    /// An instruction on a lane mask, which is a scalar register or a pair of them; the name is without its width.
    pub fn mask1(self, name: &str, dst: u32, a: u32) -> u32 {
        self.sop1(&format!("{name}{}", self.width()), dst, a)
    }

    pub fn mask2(self, name: &str, dst: u32, a: u32, b: u32) -> u32 {
        self.sop2(&format!("{name}{}", self.width()), dst, a, b)
    }

    fn width(self) -> &'static str {
        if self.table.target.wave32() { "_b32" } else { "_b64" }
    }

    /// `s_mov_b32` of any number.
    pub fn mov(self, dst: u32, value: u32) -> Vec<u32> {
        vec![self.sop1("s_mov_b32", dst, LITERAL), value]
    }
}
