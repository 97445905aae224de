//! What the reference says that a wave holds after one instruction.

use super::state::{SGPRS, State, VGPRS};
use super::text::{At, Text, packed, scalar_family};
use crate::pseudocode::exact::{BF16, F16, F32, F64, Format};
use crate::pseudocode::float::Mode;
use crate::pseudocode::{Inputs, NotCovered, Outputs, Reference};
use wavediff::emu::wave::slot;
use wavediff::isa::operand::Ty;
use wavediff::isa::row::{Family, Inst};
use wavediff::isa::{Gen, Target};

/// An instruction in a mode, on a machine.
pub struct Case<'a> {
    pub reference: &'a Reference,
    pub target: Target,
    pub lanes: u32,
    pub row: &'static Inst,
    /// The name in the guide.
    pub name: &'a str,
    pub text: &'a Text,
    pub mode: Mode,
    /// The bytes of the instruction.
    pub size: i64,
}

/// The state afterwards, as exactly as it is known.
pub struct Expected {
    pub state: State,
    /// Lanes, the first register of their results, and how exactly those are known.
    pub loose: Vec<(usize, At, u32, Outputs)>,
    /// Lanes of which nothing is known: their destinations are not compared, and why.
    pub unknown: Vec<(usize, String)>,
    pub scc_any: bool,
    /// Lanes that were evaluated.
    pub evaluated: usize,
}

/// The format whose sign the modifiers change: that of an integer's width, where an integer takes them (V_CNDMASK).
fn format(ty: Ty) -> Option<Format> {
    match ty {
        Ty::F16 | Ty::B16 => Some(F16),
        Ty::B32 => Some(F32),
        Ty::Bf16 => Some(BF16),
        Ty::F32 => Some(F32),
        Ty::F64 => Some(F64),
        _ => None,
    }
}

/// Whether one evaluation stands for the wave.
pub fn once(row: &Inst, name: &str) -> bool {
    let across = ["READLANE", "FIRSTLANE", "WRITELANE", "V_PERMLANE", "V_WMMA", "V_S_"];
    scalar_family(row) || across.iter().any(|part| name.contains(part))
}

impl Case<'_> {
    fn word(&self, state: &State, at: At, lane: usize, n: usize) -> u32 {
        match at {
            At::Vgpr(r) => state.v.get(r + n).map_or(0, |lanes| lanes[lane]),
            At::Sgpr(r) => state.s.get(r + n).copied().unwrap_or(0),
        }
    }

    fn words(&self, state: &State, at: At, lane: usize, dwords: usize) -> u128 {
        (0..dwords.min(4)).rev().fold(0, |all, n| all << 32 | u128::from(self.word(state, at, lane, n)))
    }

    /// A source with its modifiers, as the reference takes it.
    fn source(&self, state: &State, n: usize, lane: usize) -> u128 {
        let (source, m) = (self.text.sources[n], &self.text.modifiers);
        let bit = |bits: u32| bits >> n & 1 == 1;
        let bits = self.words(state, source.at, lane, source.ty.dwords().into());
        if self.name.starts_with("V_FMA_MIX") {
            // A half where OP_SEL_HI says so: its sign is in another place.
            let sign = match (bit(self.text.op_sel_hi), bit(m.op_sel)) {
                (true, true) => 1 << 31,
                (true, false) => 1 << 15,
                _ => 1 << 31,
            };
            let bits = if bit(m.abs) { bits & !sign } else { bits };
            return if bit(m.neg) { bits ^ sign } else { bits };
        }
        if let Some(words) = self.words_of_pair(source.ty, n, bits) {
            return words;
        }
        if packed(source.ty) {
            if !self.name.starts_with("V_PK_") && !self.name.starts_with("V_DOT2") {
                return bits;
            }
            // NEG means nothing to integers.
            let half = |high: bool, negated: bool| {
                let negated = negated && source.ty != Ty::P16;
                let half = bits >> if high { 16 } else { 0 } & 0xffff;
                if negated { half ^ 0x8000 } else { half }
            };
            // Outside of VOP3P the instruction has no choice of halves.
            let low = half(bit(m.op_sel), bit(m.neg_lo));
            return half(bit(self.text.op_sel_hi), bit(m.neg_hi)) << 16 | low;
        }
        let bits = match source.ty.is_16() {
            true if bit(m.op_sel) => bits >> 16 & 0xffff,
            true => bits & 0xffff,
            false => bits,
        };
        if matches!(self.name, "V_DOT2_I32_I16" | "V_DOT2_U32_U16") {
            return bits;
        }
        // Parameters of 16 bits lie in the low halves of whole registers.
        let parameter = n == 0 || n == 2 && self.name.contains("_P10_");
        let half = self.name.starts_with("V_INTERP") && self.name.contains("_F16_") && parameter;
        let Some(format) = (if half { Some(F16) } else { format(source.ty) }) else { return bits };
        let sign = u128::from(format.sign_bit());
        let bits = if bit(m.abs) { bits & !sign } else { bits };
        let accumulator = self.name.starts_with("V_DOT2") && bit(m.neg_lo);
        if bit(m.neg) != accumulator { bits ^ sign } else { bits }
    }

    /// The two words that a packed operation on words has of a source.
    fn words_of_pair(&self, ty: Ty, n: usize, bits: u128) -> Option<u128> {
        let is_pair = self.name.starts_with("V_PK_") && self.name.ends_with("_F32") && ty.dwords() == 2;
        let m = &self.text.modifiers;
        let word = |high: u32, negated: u32| {
            let word = bits >> (32 * (high >> n & 1)) & 0xffff_ffff;
            if negated >> n & 1 == 1 { word ^ 0x8000_0000 } else { word }
        };
        is_pair.then(|| word(self.text.op_sel_hi, m.neg_hi) << 32 | word(m.op_sel, m.neg_lo))
    }

    fn high_result(&self) -> bool {
        self.text.modifiers.op_sel & 8 != 0
    }

    pub fn run(&self, before: &State) -> Expected {
        let mut expected =
            Expected { state: before.clone(), loose: Vec::new(), unknown: Vec::new(), scc_any: false, evaluated: 0 };
        let exec = before.exec(self.lanes);
        let once = once(self.row, self.name);
        let scalar = scalar_family(self.row);
        let lanes: Vec<usize> =
            if once { vec![0] } else { (0..self.lanes as usize).filter(|lane| exec >> lane & 1 == 1).collect() };
        let (mut carries, mut results, mut exec_out) = (0u64, 0u64, 0u64);
        let read_v = |lane: u32, r: u32| {
            // The parameters of an interpolation are negated wherever they are read.
            let of = |s: &super::text::Source| s.at == At::Vgpr(r as usize);
            if self.row.family == Family::Vinterp
                && let Some(n) = self.text.sources.iter().position(of)
            {
                return self.source(before, n, lane as usize) as u32;
            }
            before.v.get(r as usize).map_or(0, |lanes| lanes[lane as usize])
        };
        let read_s = |r: u32| before.pair((r as usize).min(SGPRS - 2));
        let registers = |at: At| match at {
            At::Vgpr(r) | At::Sgpr(r) => r as u32,
        };
        for lane in lanes {
            let m = &self.text.modifiers;
            let mut s = [0; 3];
            let mut src = [0; 3];
            for n in 0..self.text.sources.len().min(3) {
                s[n] = self.source(before, n, lane);
                src[n] = registers(self.text.sources[n].at);
            }
            // The constant is the source behind the others.
            if self.row.family == Family::Sopk
                && self.text.simm
                && let Some(s) = s.get_mut(self.text.sources.len())
            {
                *s = m.simm.into();
            }
            if self.row.name == "s_setreg_imm32_b32" {
                s[0] = self.text.literal.into();
            }
            let d0 = self.text.dst.map_or(0, |(at, ty)| {
                let bits = self.words(before, at, lane, ty.dwords().into());
                if self.high_result() { bits >> 16 } else { bits }
            });
            let inputs = Inputs {
                s,
                d0,
                vcc: before.pair(self.text.mask_in),
                scc: before.scc,
                exec: if scalar { before.pair(slot::EXEC) } else { exec },
                m0: before.s[State::m0(self.target)],
                lane: lane as u32,
                wave_size: self.lanes,
                simm: if self.text.simm { m.simm } else { self.text.literal },
                pc: before.pc,
                mode: self.mode,
                clamp: m.clamp,
                omod: m.omod,
                opsel: m.op_sel,
                opsel_hi: self.text.op_sel_hi,
                neg: m.neg_lo,
                neg_hi: m.neg_hi,
                hwreg: 0,
                src,
                vdst: self.text.dst.map_or(0, |(at, _)| registers(at)),
                vgprs: Some(&read_v),
                sgprs: Some(&read_s),
                memory: None,
                component: None,
            };
            let out = match self.reference.eval(self.name, &inputs) {
                Ok(out) => out,
                Err(NotCovered(why)) => {
                    expected.unknown.push((lane, why));
                    continue;
                }
            };
            expected.evaluated += 1;
            carries |= out.vcc & 1 << lane;
            results |= out.d0 as u64 & 1 << lane;
            exec_out |= out.exec & 1 << lane;
            if scalar {
                let state = &mut expected.state;
                state.scc = out.scc;
                expected.scc_any = out.scc_any;
                state.pc = if out.pc == before.pc { before.pc + self.size } else { out.pc };
                if out.exec != inputs.exec {
                    (state.s[slot::EXEC], state.s[slot::EXEC + 1]) = (out.exec as u32, (out.exec >> 32) as u32);
                }
            }
            self.write(&mut expected, lane, out);
        }
        // A compare, and what carries, write a mask for the whole wave.
        if let Some(at) = self.text.mask_out {
            expected.state.set_mask(at, carries, self.lanes);
        }
        if self.name.starts_with("V_CMPX") {
            expected.state.set_mask(slot::EXEC, exec_out, self.lanes);
            results = exec_out;
        }
        if let Some(at) = self.text.mask_dst {
            expected.state.set_mask(at, results, self.lanes);
        }
        expected
    }

    /// Up to gfx8 a result of 16 bits clears the rest of its register. On gfx9 that is so of what VOP1 and VOP2 have and of the "legacy" forms,
    /// but for multiply-adds, which LLVM lists (`zeroesHigh16BitsOfDest`, by experiment); that all others keep it is what Mesa relies on.
    fn clears_rest(&self, ty: Ty) -> bool {
        let keeps = match self.target.generation() {
            Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => false,
            Gen::Gfx9 => {
                let only = self.row.family == Family::Vop3 && !self.row.name_in(Gen::Gfx9).contains("_legacy_");
                only || ["v_mac_f16", "v_madak_f16", "v_madmk_f16"].contains(&self.row.name)
                    || self.text.modifiers.op_sel & 8 != 0
            }
            _ => true,
        };
        let small = ty.is_16() || self.name == "V_SAT_PK_U8_I16" && self.target.generation() <= Gen::Gfx10;
        small && (!keeps || ty == Ty::B32)
    }

    fn write(&self, expected: &mut Expected, lane: usize, out: Outputs) {
        let state = &mut expected.state;
        for &(lane, r, v) in &out.vgprs {
            if let Some(lanes) = state.v.get_mut(r as usize) {
                lanes[lane as usize] = v;
            }
        }
        for &(r, v) in &out.sgprs {
            if let Some(s) = state.s.get_mut(r as usize) {
                *s = v as u32;
            }
            if self.name.ends_with("_B64")
                && let Some(s) = state.s.get_mut(r as usize + 1)
            {
                *s = (v >> 32) as u32;
            }
        }
        if let (Some(v), Some(source)) = (out.s0, self.text.sources.first())
            && let At::Vgpr(r) = source.at
        {
            let keep = if source.ty.is_16() { 0xffff_0000 } else { 0 };
            state.v[r][lane] = state.v[r][lane] & keep | v as u32 & !keep;
        }
        let Some((at, ty)) = self.text.dst else { return };
        let shift = if self.high_result() { 16 } else { 0 };
        let mut mask = out.d0_mask << shift;
        let bits = (out.d0 & out.d0_mask) << shift;
        if out.d0_mask == 0 {
            return;
        }
        // A scalar half leaves nothing of its register (PITFALLS SA11).
        if self.clears_rest(ty) || matches!(at, At::Sgpr(_)) && out.d0_mask == 0xffff {
            mask |= 0xffff_ffff;
        }
        for n in 0..4 {
            let (bits, mask) = ((bits >> (32 * n)) as u32, (mask >> (32 * n)) as u32);
            let slot = match at {
                At::Vgpr(r) => state.v.get_mut(r + n).map(|lanes| &mut lanes[lane]),
                At::Sgpr(r) => state.s.get_mut(r + n),
            };
            if let Some(slot) = slot.filter(|_| mask != 0) {
                *slot = *slot & !mask | bits & mask;
            }
        }
        expected.loose.push((lane, at, shift, out));
    }

    /// Where the two states differ, in words.
    pub fn differences(&self, before: &State, expected: &Expected, found: &State) -> Vec<String> {
        let mut all = Vec::new();
        let unknown = |lane: usize| expected.unknown.iter().any(|(l, _)| *l == lane);
        if !expected.unknown.is_empty() && once(self.row, self.name) {
            return all;
        }
        // Results that are known loosely, if they agree, are what was found.
        let mut state = expected.state.clone();
        for (lane, at, shift, out) in &expected.loose {
            let dwords = ((128 - out.d0_mask.leading_zeros() + shift).div_ceil(32) as usize).min(4);
            if out.agrees(self.words(found, *at, *lane, dwords) >> shift) {
                let mask = out.d0_mask << shift;
                for n in 0..dwords {
                    let mask = (mask >> (32 * n)) as u32;
                    match *at {
                        At::Vgpr(r) => {
                            let new = found.v[r + n][*lane];
                            let old = &mut state.v[r + n][*lane];
                            *old = *old & !mask | new & mask;
                        }
                        At::Sgpr(r) => state.s[r + n] = state.s[r + n] & !mask | found.s[r + n] & mask,
                    }
                }
            }
        }
        for r in 0..VGPRS {
            for lane in 0..self.lanes as usize {
                let (e, f) = (state.v[r][lane], found.v[r][lane]);
                if e != f && !unknown(lane) {
                    let operands: Vec<String> = (0..self.text.sources.len().min(3))
                        .map(|n| format!("{:#x}", self.source(before, n, lane)))
                        .collect();
                    let old = before.v[r][lane];
                    all.push(format!(
                        "v{r} of lane {lane}: {f:#010x}, reference {e:#010x}, was {old:#010x}; of {}",
                        operands.join(", ")
                    ));
                }
            }
        }
        let mask_unknown = expected.unknown.iter().fold(0u64, |all, (lane, _)| all | 1 << lane);
        for r in 0..SGPRS {
            let (e, f) = (state.s[r], found.s[r]);
            let is_mask = [self.text.mask_out, self.text.mask_dst, Some(slot::EXEC)];
            let ignored = match is_mask.into_iter().flatten().find(|at| (*at..at + 2).contains(&r)) {
                Some(at) => (mask_unknown >> (32 * (r - at))) as u32,
                None => 0,
            };
            if (e ^ f) & !ignored != 0 {
                let lane = ((e ^ f) & !ignored).trailing_zeros() as usize;
                let lane = if scalar_family(self.row) { 0 } else { lane };
                let operands: Vec<String> = (0..self.text.sources.len().min(3))
                    .map(|n| format!("{:#x}", self.source(before, n, lane)))
                    .collect();
                let old = before.s[r];
                all.push(format!("s{r}: {f:#010x}, reference {e:#010x}, was {old:#010x}; of {}", operands.join(", ")));
            }
        }
        if !expected.scc_any && state.scc != found.scc {
            all.push(format!(
                "SCC: {}, reference {}; of {:#x}, {:#x}",
                found.scc,
                state.scc,
                if self.text.sources.is_empty() { 0 } else { self.source(before, 0, 0) },
                if self.text.sources.len() < 2 { 0 } else { self.source(before, 1, 0) }
            ));
        }
        if scalar_family(self.row) && state.pc != found.pc {
            all.push(format!("PC: {:#x}, reference {:#x}", found.pc, state.pc));
        }
        all
    }
}
