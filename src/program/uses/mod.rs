//! What a step reads and writes: registers, SCC, the modes and what else a wave has, memory.
//!
//! A step reads what its results depend on, whatever the values are, and writes what it may change. Lanes that EXEC leaves out
//! keep what they have: a vector register that is written is written in part, and so is a register of which a step writes a
//! half. Where a step itself keeps what it does not write (a half of a register, a lane of a mask), the register is among
//! those that are read too; where EXEC keeps it, EXEC is.
//!
//! Registers whose numbers are known at run time ([`Uses::moved`]) are not in the sets, but for those that the instruction names.

mod control;
mod memory;

use super::operand::From;
use super::place::{file, slot};
use super::{Half, MAX_SOURCES, Program, Step};
use crate::isa::Target;
use crate::isa::does::{Amount, Does, Element, Lanes};
use crate::isa::regs::{self, Names};
use crate::isa::sem::Class;
use bitflags::bitflags;

bitflags! {
    /// What a wave has beside its registers.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Other: u16 {
        /// The scalar condition.
        const SCC      = 1;
        /// MODE.
        const MODE     = 1 << 1;
        /// The exceptions that stuck, and what else is in TRAPSTS.
        const TRAPSTS  = 1 << 2;
        /// Other hardware registers.
        const HWREGS   = 1 << 3;
        /// The stack of forks.
        const FORKS    = 1 << 4;
        /// Where scratch memory begins, where no register has it.
        const SCRATCH  = 1 << 5;
        /// Guest memory, scratch memory among it.
        const MEMORY   = 1 << 6;
        /// The local data share.
        const LDS      = 1 << 7;
        /// Messages to the host.
        const MESSAGES = 1 << 8;
        /// The clock.
        const CLOCK    = 1 << 9;
        /// The number of the wave in its group.
        const INDEX    = 1 << 10;
        /// Exports.
        const EXPORTS  = 1 << 11;
    }
}

/// Registers and what else a wave has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Set {
    /// Scalar registers: a bit for each operand code.
    pub scalars: u128,
    /// Vector registers: a bit for each, and behind them the accumulation registers.
    pub vectors: [u64; 8],
    /// What is no register.
    pub other: Other,
}

impl Set {
    /// Takes in words of a scalar place; what is no register does not count.
    fn scalar(&mut self, at: u32, words: u32) {
        for n in at..at + words {
            if (n as usize) < slot::SINK {
                self.scalars |= 1 << n;
            }
        }
        match at as usize {
            slot::VCCZ => self.scalars |= 3 << slot::VCC,
            slot::EXECZ => self.scalars |= 3 << slot::EXEC,
            slot::SCC => self.other |= Other::SCC,
            _ => {}
        }
    }

    /// Takes in words of a vector place; what is no register does not count.
    fn vector(&mut self, at: u32, words: u32) {
        for n in at..at + words {
            if n < file::NOWHERE {
                self.vectors[n as usize / 64] |= 1 << (n % 64);
            }
        }
    }

    /// Whether a scalar register is in it.
    #[must_use]
    pub fn has_scalar(&self, code: u32) -> bool {
        code < 128 && self.scalars >> code & 1 != 0
    }

    /// Whether a vector register is in it; accumulation registers from 256 on.
    #[must_use]
    pub fn has_vector(&self, n: u32) -> bool {
        n < file::NOWHERE && self.vectors[n as usize / 64] >> (n % 64) & 1 != 0
    }

    /// What is in it, as a reader knows it: `v[0:1]`, `s4`, `vcc`, `exec`, `scc`, `memory`.
    #[must_use]
    pub fn names(&self, target: &Target) -> Vec<String> {
        let names = Names::of(target);
        let mut all = Vec::new();
        for (first, last) in runs(self.vectors()) {
            let (letter, base) = if first < file::AGPR { ('v', 0) } else { ('a', file::AGPR) };
            let (first, last) = (first - base, last - base);
            all.push(if first == last { format!("{letter}{first}") } else { format!("{letter}[{first}:{last}]") });
        }
        let sgprs = u32::from(regs::sgpr_count(target.generation()));
        let (numbered, named): (Vec<u32>, Vec<u32>) = self.scalars().partition(|code| *code < sgprs);
        for (first, last) in runs(numbered.into_iter()) {
            all.push(if first == last { format!("s{first}") } else { format!("s[{first}:{last}]") });
        }
        for (first, last) in runs(named.into_iter()) {
            // A pair has a name of its own where there is one: VCC and EXEC.
            let pair = |first: u32| names.get(first as u16, 2).as_str().to_owned();
            match last - first {
                1 if [slot::VCC, slot::EXEC].contains(&(first as usize)) => all.push(pair(first)),
                _ => all.extend((first..=last).map(|code| names.get(code as u16, 1).as_str().to_owned())),
            }
        }
        all.extend(self.other.iter_names().map(|(name, _)| name.to_lowercase()));
        all
    }

    /// The operand codes of its scalar registers.
    pub fn scalars(&self) -> impl Iterator<Item = u32> + use<> {
        bits([self.scalars as u64, (self.scalars >> 64) as u64])
    }

    /// The numbers of its vector registers, and behind them of accumulation registers.
    pub fn vectors(&self) -> impl Iterator<Item = u32> + use<> {
        bits(self.vectors)
    }
}

/// The numbers of the bits that are set, from the lowest.
fn bits<const WORDS: usize>(words: [u64; WORDS]) -> impl Iterator<Item = u32> {
    words.into_iter().zip((0..).step_by(64)).flat_map(|(mut word, first)| {
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| first + word.trailing_zeros())?;
            word &= word - 1;
            Some(bit)
        })
    })
}

/// Runs of numbers that follow each other, which do not cross from vector to accumulation registers.
fn runs(numbers: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
    let mut all: Vec<(u32, u32)> = Vec::new();
    for n in numbers {
        match all.last_mut() {
            Some((_, last)) if *last + 1 == n && n != file::AGPR => *last = n,
            _ => all.push((n, n)),
        }
    }
    all
}

/// What a step reads and writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// What its results depend on.
    pub reads: Set,
    /// What it may change.
    pub writes: Set,
    /// M0 or a mode says at run time which registers it is about.
    pub moved: bool,
}

/// The uses of a step while they are gathered.
struct Gather<'p> {
    program: &'p Program,
    step: &'p Step,
    uses: Uses,
}

impl Program {
    /// What a step reads and writes. Nothing, where its word is no instruction, or nobody can execute it.
    #[must_use]
    pub fn uses(&self, step: &Step) -> Uses {
        let mut gather = Gather { program: self, step, uses: Uses::default() };
        if step.executes && step.row.is_some() {
            gather.step();
        }
        gather.uses
    }
}

impl Step {
    /// Whether its two operations write a half of the same register each.
    fn writes_both_halves(&self) -> bool {
        let halves = |step: &Step| step.vector.as_ref().map(|v| v.post.half);
        self.second().is_some_and(|second| {
            second.dst == self.dst && (halves(self), halves(second)) == (Some(Half::Low), Some(Half::High))
        })
    }
}

impl Gather<'_> {
    fn step(&mut self) {
        let step = self.step;
        let Some(does) = step.does() else { return };
        if step.memory.is_some() {
            self.memory(does);
        } else {
            match (does, step.meaning) {
                (Does::Control(control), _) => self.control(control),
                (Does::Lanes(lanes), None) => self.lanes(lanes),
                (Does::Product(_), _) => self.product(),
                (Does::Idle(_), _) => {}
                (Does::Exports, _) => self.export(),
                (_, Some(_)) if step.vectors == 0 => self.scalar(does),
                _ => self.operations(does),
            }
        }
        if let Some(moves) = &step.moves {
            if moves.modes {
                self.uses.reads.other |= Other::MODE;
            }
            if moves.indexed || moves.src != Amount::None || moves.dst != Amount::None {
                self.uses.moved = true;
                self.m0();
            }
        }
    }

    /// Words of a mask of lanes.
    fn mask(&self) -> u32 {
        if self.program.target.wave32() { 1 } else { 2 }
    }

    fn exec(&mut self) {
        self.uses.reads.scalar(slot::EXEC as u32, self.mask());
    }

    fn m0(&mut self) {
        self.uses.reads.scalar(regs::m0_code(self.program.target.generation()).into(), 1);
    }

    /// A scalar instruction that computes.
    fn scalar(&mut self, does: Does) {
        let step = self.step;
        let Some(meaning) = step.meaning else { return };
        let Uses { reads, writes, .. } = &mut self.uses;
        let mut n = 0;
        for class in meaning.args {
            if *class == Class::Bit {
                reads.other |= Other::SCC;
                continue;
            }
            let exec = matches!(does, Does::CombinesExec { .. }) && n == 1;
            reads.scalar(if exec { slot::EXEC as u32 } else { step.src[n] }, class.dwords() as u32);
            n += 1;
        }
        for class in meaning.ret {
            match class {
                Class::Bit => writes.other |= Other::SCC,
                _ => writes.scalar(step.dst, class.dwords() as u32),
            }
        }
        if let Does::CombinesExec { .. } = does {
            let words = meaning.args[0].dwords() as u32;
            writes.scalar(slot::EXEC as u32, words);
            writes.scalar(step.dst, words);
            writes.other |= Other::SCC;
        }
        if meaning.float {
            reads.other |= Other::MODE;
        }
        // Whatever looks at floats may meet a NaN and raise an exception.
        if meaning.knows_floats() {
            writes.other |= Other::TRAPSTS;
        }
    }

    /// A vector instruction that computes: all its operations.
    fn operations(&mut self, does: Does) {
        let once = does == Does::Lanes(Lanes::ScalarFunction);
        if !once {
            self.exec();
        }
        let mut next = Some(self.step);
        while let Some(step) = next {
            self.operation(step, once);
            next = step.second();
        }
    }

    fn operation(&mut self, step: &Step, once: bool) {
        let Some(meaning) = step.meaning else { return };
        let mask = self.mask();
        let values: Vec<Class> = meaning.args.iter().copied().filter(|class| *class != Class::Bit).collect();
        let sources = step.vector.as_ref().map_or(&[][..], |v| &v.sources[..]);
        let mut reads_m0 = false;
        let Uses { reads, writes, .. } = &mut self.uses;
        for (n, class) in values.iter().enumerate().take(MAX_SOURCES) {
            let words = class.dwords() as u32;
            match sources.iter().find(|source| usize::from(source.number) == n).map(|source| source.from) {
                Some(From::Vector(at)) => reads.vector(at, words),
                Some(From::Scalar(at)) => reads.scalar(at, words),
                Some(From::LdsDirect | From::Parameter(_)) => {
                    reads.other |= Other::LDS;
                    reads_m0 = true;
                }
                None => reads.vector(step.src[n], words),
            }
        }
        if meaning.args.contains(&Class::Bit) {
            reads.scalar(step.mask_src, mask);
        }
        if step.mask_dst != slot::SINK as u32 {
            writes.scalar(step.mask_dst, mask);
        }
        let post = step.vector.as_ref().map(|v| v.post).unwrap_or_default();
        if post.exec {
            writes.scalar(slot::EXEC as u32, mask);
        }
        let class = meaning.ret[0];
        if class != Class::Bit {
            let words = class.dwords() as u32;
            match once {
                true => writes.scalar(step.dst, words),
                false => writes.vector(step.dst, words),
            }
            let keeps = matches!(post.half, Half::Low | Half::High) || post.select != 6 && post.unused == 2;
            if keeps && !once && !self.step.writes_both_halves() {
                reads.vector(step.dst, words);
            }
        }
        if meaning.float || post.omod != 0 || post.clamp || sources.iter().any(|source| source.widen) {
            reads.other |= Other::MODE;
        }
        if meaning.knows_floats() {
            writes.other |= Other::TRAPSTS;
        }
        if reads_m0 {
            self.m0();
        }
    }

    /// A vector instruction without a meaning.
    fn lanes(&mut self, lanes: Lanes) {
        let step = self.step;
        let is_vector = |bit: u8| step.vectors & bit != 0;
        if step.reads_lds {
            self.uses.reads.other |= Other::LDS;
            self.m0();
        }
        let sources = match lanes {
            // There is one half.
            Lanes::Permute64 if self.program.target.wave32() => return,
            Lanes::ClearExceptions => return self.uses.writes.other |= Other::TRAPSTS,
            Lanes::ReadFirst | Lanes::Permute64 | Lanes::Swap | Lanes::SwapHalves | Lanes::SwapRelative => 1,
            Lanes::Permute16 { by_lane: false, .. } => 3,
            _ => 2,
        };
        for n in 0..sources {
            if n == 0 && step.reads_lds {
                continue;
            }
            let reads = &mut self.uses.reads;
            if is_vector(1 << n) { reads.vector(step.src[n], 1) } else { reads.scalar(step.src[n], 1) }
        }
        let writes = &mut self.uses.writes;
        if is_vector(Step::DST) {
            writes.vector(step.dst, 1)
        } else {
            writes.scalar(step.dst, 1)
        }
        let named = matches!(lanes, Lanes::Read | Lanes::Write);
        let one_value = lanes == Lanes::ReadFirst && !is_vector(1);
        if !named && !one_value {
            self.exec();
        }
        if matches!(lanes, Lanes::Swap | Lanes::SwapHalves | Lanes::SwapRelative) {
            self.uses.reads.vector(step.dst, 1);
            self.uses.writes.vector(step.src[0], 1);
        }
    }

    /// An export of the active lanes.
    fn export(&mut self) {
        let Some(export) = self.step.export.as_deref() else { return };
        self.exec();
        if export.row {
            self.m0();
        }
        for (register, _) in (0..4).filter_map(|n| export.element(n)) {
            self.uses.reads.vector(register, 1);
        }
        self.uses.writes.other |= Other::EXPORTS;
    }

    /// A product of matrices, for all lanes.
    fn product(&mut self) {
        let step = self.step;
        let Some(form) = step.form else { return };
        let words = |n: usize| form.slots.get(n).map_or(0, |slot| u32::from(slot.ty.dwords()));
        if step.dst == file::NOWHERE {
            return;
        }
        self.uses.writes.vector(step.dst, words(0));
        for n in 0..3 {
            let constant = step.src[n] >= file::CONSTANTS;
            self.uses.reads.vector(step.src[n], if constant { 1 } else { words(n + 1) });
        }
        let Some(Does::Product(product)) = step.does() else { return };
        let halves = matches!(product.sum, Element::F16 | Element::Bf16)
            && self.program.target.generation() < crate::isa::Gen::Gfx12;
        if product.sparse || halves {
            // What is added to; or one half of each register stays.
            self.uses.reads.vector(step.dst, words(0));
        }
    }
}
