//! Instructions that move values across lanes, between scalar and vector registers, or between registers whose numbers M0
//! has a say in.
//!
//! Most have no meaning: what a lane gets depends on other lanes, on what is no lane at all, or EXEC does not say which lanes
//! take part. The rows say which these are ([`Lanes`]).

use super::build::{Builder, Code};
use super::operand::From;
use super::vector::{Half, Vector};
use super::{Moves, Source, Step};
use crate::fault::planted;
use crate::isa::does::{Amount, Does, Interpolate, Lanes};
use crate::isa::form::{Kind, Mod, NO_BIT, Slot};
use crate::isa::operand::Ty;
use crate::isa::sem::{self, Class};

/// OP_SEL of a permutation: inactive lanes are read.
pub const FETCH_INACTIVE: u32 = 1;
/// OP_SEL of a permutation: what is not read is 0.
pub const BOUND_CONTROL: u32 = 2;

/// The sources of the first pass of an interpolation: slope, coordinate, parameter.
const FIRST: [Option<u8>; 3] = [Some(1), None, Some(0)];
/// The sources of the second pass: slope, coordinate, the first pass's result.
const SECOND: [Option<u8>; 3] = [Some(2), None, None];

impl Builder {
    /// The step of such an instruction.
    pub(super) fn lanes(&mut self, code: &Code<'_>) -> Option<Step> {
        match code.form.row.does {
            Does::Product(_) => self.product(code),
            Does::Idle(_) => Some(Step::new(code.at)),
            Does::Lanes(lanes) => self.of_lanes(code, lanes),
            _ => None,
        }
    }

    fn of_lanes(&mut self, code: &Code<'_>, lanes: Lanes) -> Option<Step> {
        match lanes {
            Lanes::ReadFirst | Lanes::Read => self.read_lane(code),
            Lanes::Write => self.write_lane(code),
            Lanes::Permute16 { .. } => self.permute(code),
            Lanes::Permute64 | Lanes::Swap => self.pair(code),
            Lanes::SwapHalves => self.swap_halves(code),
            Lanes::SwapRelative => Some(relative(code, self.pair(code)?, Amount::Low, Amount::High)),
            Lanes::MoveRelative { src, dst } => Some(relative(code, self.word_move(code)?, src, dst)),
            Lanes::Move => self.word_move(code),
            Lanes::Interpolate(pass) => self.interpolate(code, pass),
            Lanes::Parameter(what) => self.parameter(code, what),
            Lanes::Direct => self.direct(code),
            Lanes::ScalarFunction => self.scalar_function(code),
            Lanes::ClearExceptions => Some(Step::new(code.at)),
            // Through the hardware of LDS.
            Lanes::Swizzle | Lanes::Permute | Lanes::Bpermute { .. } => None,
        }
    }

    /// The vector register of a place; none where something else stands there.
    fn register(&mut self, code: &Code<'_>, place: &Slot) -> Option<u32> {
        match self.vector_operand(code, place, 1).0 {
            From::Vector(at) => Some(at),
            From::Scalar(_) | From::LdsDirect | From::Parameter(_) => None,
        }
    }

    /// The scalar register or constant of a place; none where it is a vector register.
    fn scalar_at(&mut self, code: &Code<'_>, place: &Slot) -> Option<u32> {
        let field = place.span.get(code.words);
        (field < 256).then(|| self.scalar_source(field, place.ty, false, code.literal()))
    }

    /// One lane of a vector register to a scalar one, or the value that all lanes would have. Where it is named, the lane is
    /// the second source.
    fn read_lane(&mut self, code: &Code<'_>) -> Option<Step> {
        let [dst, value, lane @ ..] = &code.form.slots[..] else { return None };
        let mut step = Step::new(code.at);
        step.dst = self.scalar_destination(dst.span.get(code.words));
        if is_lds_direct(code, value) {
            step.reads_lds = true;
        } else if let Some(at) = self.register(code, value) {
            step.src[0] = at;
            step.vectors = 1;
        } else {
            step.src[0] = self.scalar_at(code, value)?;
        }
        if let [lane] = lane {
            step.src[1] = self.scalar_at(code, lane)?;
        }
        Some(step)
    }

    /// A scalar to one lane of a vector register.
    fn write_lane(&mut self, code: &Code<'_>) -> Option<Step> {
        let [dst, value, lane] = &code.form.slots[..] else { return None };
        let mut step = Step::new(code.at);
        step.dst = self.register(code, dst)?;
        step.vectors = Step::DST;
        if is_lds_direct(code, value) {
            step.reads_lds = true;
        } else {
            step.src[0] = self.scalar_at(code, value)?;
        }
        step.src[1] = self.scalar_at(code, lane)?;
        Some(step)
    }

    /// A permutation of rows of sixteen: the selectors are two scalars, or a register; the immediate is OP_SEL.
    fn permute(&mut self, code: &Code<'_>) -> Option<Step> {
        let (dst, sources) = code.form.slots.split_first()?;
        let (value, selectors) = sources.split_first()?;
        let mut step = Step::new(code.at);
        step.dst = self.register(code, dst)?;
        step.src[0] = self.register(code, value)?;
        for (to, place) in step.src[1..].iter_mut().zip(selectors) {
            *to = if selectors.len() == 2 { self.scalar_at(code, place)? } else { self.register(code, place)? };
        }
        step.vectors = if selectors.len() == 2 { 1 | Step::DST } else { 3 | Step::DST };
        step.imm = code.modifier(Mod::OpSel) & (FETCH_INACTIVE | BOUND_CONTROL);
        Some(step)
    }

    /// A destination and one source, both vector registers.
    fn pair(&mut self, code: &Code<'_>) -> Option<Step> {
        let [dst, src] = &code.form.slots[..] else { return None };
        let mut step = Step::new(code.at);
        step.dst = self.register(code, dst)?;
        step.src[0] = self.register(code, src)?;
        step.vectors = 1 | Step::DST;
        Some(step)
    }

    /// Two halves of registers: bit 0 of the immediate takes the upper one of the destination, bit 1 of the source.
    fn swap_halves(&mut self, code: &Code<'_>) -> Option<Step> {
        let [dst, src] = &code.form.slots[..] else { return None };
        let mut step = Step::new(code.at);
        let (From::Vector(to), high_dst) = self.vector_operand(code, dst, 1) else { return None };
        let (From::Vector(from), high_src) = self.vector_operand(code, src, 1) else { return None };
        step.dst = to;
        step.src[0] = from;
        step.vectors = 1 | Step::DST;
        step.imm = u32::from(high_dst) | u32::from(high_src) << 1;
        Some(step)
    }

    /// A pass of an interpolation: its meaning is a multiply-add, of which the lane of the quad that a source comes from and
    /// the sources of 16 bits follow.
    fn interpolate(&mut self, code: &Code<'_>, pass: Interpolate) -> Option<Step> {
        let lanes = if pass.second { SECOND } else { FIRST };
        let (meaning, halves) = match (pass.half, pass.second) {
            (false, _) => ("v_fma_f32", [false; 3]),
            (true, false) => ("v_fma_mix_f32", [true, false, true]),
            (true, true) => ("v_fma_mixlo_f16", [true, false, false]),
        };
        let meaning = sem::signature::vector(meaning)?;
        let [dst, sources @ ..] = &code.form.slots[..] else { return None };
        let op_sel = code.modifier(Mod::OpSel);
        let mut step = Step::computing(code.at, meaning);
        step.dst = self.register(code, dst)?;
        let mut v = Vector::default();
        for (n, place) in sources.iter().enumerate().take(3) {
            let narrow = halves[n];
            let ty = if narrow { Ty::F16 } else { Ty::F32 };
            let from = self.vector_operand(code, &Slot { ty, ..*place }, 1).0;
            let mut p = Source::new(n, from, Class::F32);
            p.quad = lanes[n]
                .map(|lane| if lane == 2 && planted!(InterpSlope) { 1 } else { lane })
                .filter(|_| n != 2 || !planted!(InterpOwnLane));
            p.widen = narrow;
            p.high = narrow && op_sel >> n & 1 != 0;
            p.neg = place.neg != NO_BIT && code.bit(place.neg);
            v.sources.push(p);
        }
        v.post.clamp = code.modifier(Mod::Clamp) != 0;
        if meaning.ret[0].is_16() {
            v.post.half = if op_sel >> 3 & 1 != 0 { Half::High } else { Half::Low };
        }
        step.vector = Some(Box::new(v));
        Some(step)
    }
}

/// A step whose registers M0 moves.
fn relative(code: &Code<'_>, step: Step, src: Amount, dst: Amount) -> Step {
    Step { moves: Some(Box::new(Moves { src, dst, ..Moves::of(code.form.row) })), ..step }
}

/// Whether a source is a value in LDS.
fn is_lds_direct(code: &Code<'_>, place: &Slot) -> bool {
    /// The operand code of a value in LDS at M0.
    const LDS_DIRECT: u32 = 254;
    place.span.width >= 8 && place.kind == Kind::Source && place.span.get(code.words) == LDS_DIRECT
}
