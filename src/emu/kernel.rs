//! Kernels: a meaning carried out on all lanes of a wave.
//!
//! A kernel is what a plain vector instruction runs: it computes the results of all lanes, 32 or 64, with a [`Quick`] algebra, and writes those of
//! the active lanes of which that was sure over the destination; the others [`Exact`] computes one by one. A result that is a mask goes to its
//! scalar register, with zeros for the inactive lanes. A result of 16 bits meets what the register had as the step says.
//!
//! One loop over the lanes evaluates the meaning once, into arrays that the compiler should keep in vector registers. For that
//! - the number of lanes is a constant, and the arrays are known to be written as a whole. So there is a kernel for each size of wave;
//! - there are 64 turns where the wave has so many lanes: loops over blocks of 32 were unrolled before they were vector code;
//! - what the lanes have in common is kept a word for each lane, with the top bit where it is so, and gathered by an instruction of the
//!   [host](Lanes): a sum of truth values became a branch for every pair of lanes, a sum of words a long chain of shuffles;
//! - results are stored by instructions of the host too: of loops that copy them the compiler asks at run time whether the file, which it
//!   finds in the wave, overlaps the arrays, and these then stay in memory.
//!
//! Also tried and slower: an opaque number of lanes, results behind references, a second loop for the bits of a result, a function between
//! the loop over the steps and the kernel that looks at EXEC (which took as long as the kernel).
//!
//! Each kernel exists once for the plain host, once for AVX2 and once for AVX-512; programs are planned with those of one [`Level`].
//!
//! A meaning in which the float modes have a say has four columns: denormals kept, f32 denormals flushed (both with rounding to nearest, by
//! [`Fast`](super::alg::Fast)), all other modes (by [`Directed`](super::alg::Directed), with 64 lanes whatever the wave has: half the code), and waves whose exceptions are watched, which
//! `Exact` computes alone. What a [packed] instruction does to two halves is one kernel too, and so is what an instruction does to [`PARTS`] of its
//! operands, in the first two columns: in the others operands are prepared before.

mod level;
pub mod packed;

use super::alg::{Exact, Quick, Unit};
use super::group::Group;
use super::plan::{Action, Step};
use super::vector::Taken;
use super::wave::{Wave, slot};
use crate::isa::sem::{self, Alg, Class, Meaning, Results, Section, Shape, Signature, Sources, Visitor};
use std::cell::Cell;
use std::sync::OnceLock;

pub(in crate::emu) use level::Exchange;
pub use level::Level;
use level::Portable;
pub(in crate::emu) use level::Short;
pub(crate) use level::leveled;
pub(super) use level::{Lanes, Pass};

/// Words of a vector register in the file: one a lane.
pub const STRIDE: usize = 64;
pub use crate::program::MAX_SOURCES;

/// The kernels of a meaning.
#[derive(Clone, Copy)]
pub struct Kernels {
    /// The name of the meaning.
    pub name: &'static str,
    /// By column of the modes and size of the wave: see [`variant`].
    pub action: Action,
    /// The same for both halves of a packed instruction, of meanings that have such a kernel.
    pub packed: Option<Action>,
    /// The same of parts of the operands, for a part of the register, of meanings that have such kernels: without signs that come down, and with them.
    pub parts: [Option<Action>; 2],
    /// The kinds of the results.
    pub ret: &'static [Class],
}

/// How many columns there are.
const COLUMNS: usize = 4;
/// Rounding to nearest, denormals kept.
pub const KEEP: usize = 0;
/// Rounding to nearest, f32 denormals flushed.
pub const FLUSH: usize = 1;
/// Every other mode.
pub const OTHER: usize = 2;
/// Any mode, with the exceptions that are raised.
pub const EXACT: usize = 3;

/// How many kernels a meaning has: two a column.
pub const VARIANTS: usize = 2 * COLUMNS;

/// Which kernel it is for a column of the modes in a wave of so many lanes.
#[must_use]
pub const fn variant(column: usize, lanes: u32) -> usize {
    2 * column + (lanes == 64) as usize
}

/// The kernels of a meaning, as a level has them.
#[must_use]
pub fn of(level: Level, meaning: &Signature) -> Option<&'static Kernels> {
    static TABLES: [OnceLock<Vec<Kernels>>; Level::COUNT] = [const { OnceLock::new() }; Level::COUNT];
    let table = TABLES[level.number()].get_or_init(|| {
        let mut table = Builder { level, kernels: Vec::new() };
        sem::vector(&mut table);
        if cfg!(debug_assertions) {
            sem::wrong::vector(&mut table);
        }
        table.kernels
    });
    match crate::fault::meaning(meaning.name) {
        name if name == meaning.name => table.get(meaning.number),
        wrong => table.iter().find(|kernels| kernels.name == wrong),
    }
}

struct Builder {
    level: Level,
    kernels: Vec<Kernels>,
}

impl Visitor for Builder {
    fn visit<M: Meaning>(&mut self, name: &'static str) {
        self.add::<M>(name, None);
    }

    fn visit_packed<M: Meaning>(&mut self, name: &'static str) {
        self.add::<M>(name, self.level.packed::<M>());
    }
}

impl Builder {
    fn add<M: Meaning>(&mut self, name: &'static str, packed: Option<Action>) {
        let action = self.level.kernels::<M>();
        let parts = [self.level.parts::<M, PARTS>(), self.level.parts::<M, SIGNED>()];
        self.kernels.push(Kernels { name, action, packed, parts, ret: M::Ret::CLASSES });
    }
}

/// How a kernel reads its sources: as they are.
const WHOLE: u8 = 0;
/// Parts of them, with changed signs, as the step says; its result is put into a part of its register.
const PARTS: u8 = 1;
/// As [`PARTS`], with the signs of parts brought down.
const SIGNED: u8 = 2;

/// Whether a meaning has kernels of [`PARTS`], which do in one loop what is three otherwise: of words, with results of one word or a mask. The loops of
/// the transcendental unit are too long for that to be worth it.
const fn takes_parts<M: Meaning>() -> bool {
    let (args, ret) = (M::Args::CLASSES, M::Ret::CLASSES);
    let mut n = 0;
    while n < args.len() {
        if args[n].dwords() > 1 {
            return false;
        }
        n += 1;
    }
    ret[0].dwords() <= 1 && !is_unit::<M>() && !matches!(M::SECTION, Section::Once)
}

/// Whether it has those of [`SIGNED`] too: no float has a part with a sign that comes down.
const fn takes_signed<M: Meaning>() -> bool {
    takes_parts::<M>() && (has(M::Args::CLASSES, Class::U32) || has(M::Args::CLASSES, Class::U16))
}

/// The active lanes in integers, one by one.
#[cold]
#[inline(never)]
fn exact<M: Meaning>(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let exec = wave.exec();
    some_exact::<M>(wave, step, exec, 0)
}

/// Some lanes in integers, one by one; `bits` are those of the others, where the result is a mask.
///
/// Apart from the quick way, whose results can stay in registers because nothing here asks for them.
#[cold]
#[inline(never)]
fn some_exact<M: Meaning>(wave: &mut Wave, step: &Step, lanes: u64, mut bits: u64) -> u32 {
    let mask = wave.mask_at(step.mask_src as usize);
    let sources = Registers::<STRIDE>::of::<M, Portable>(&wave.file, step, mask);
    let dwords = M::Ret::CLASSES[0].dwords();
    let mut rest = lanes;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let k = Exact::new(&wave.env, lane as u32);
        let args = M::Args::read::<Exact<'_>>(&Lane::<'_, '_, STRIDE, SIGNED> { of: &sources, lane }, 0);
        let mut result = LaneResult::default();
        M::Ret::write::<Exact<'_>>(M::eval(&k, args), &mut result);
        for (dword, v) in result.words.iter().enumerate().take(dwords) {
            let to = &wave.file[step.out as usize + dword * STRIDE + lane];
            to.set(if dwords == 1 { step.merge.word(*v, to.get()) } else { *v });
        }
        bits |= u64::from(result.bit) << lane;
    }
    if gives_mask::<M>() {
        wave.set_mask(step.mask_out as usize, bits);
    }
    step.next
}

/// A register in the file.
pub(super) type Register = [Cell<u32>; STRIDE];

/// The register that begins at a word of the file.
#[inline(always)]
pub(super) fn register(file: &[Cell<u32>], first: usize) -> &Register {
    // Plans name no register beyond the file.
    file[first..first + STRIDE].first_chunk().expect("a slice of as many words")
}

/// The sources where they lie in the file: up to four registers each.
struct Registers<'a, const N: usize> {
    words: [[&'a Register; 4]; MAX_SOURCES],
    /// What is read of each.
    taken: [Taken; MAX_SOURCES],
    /// A word for each lane of a mask: all ones where the lane's bit is set.
    bits: [u32; N],
}

impl<'a, const N: usize> Registers<'a, N> {
    #[inline(always)]
    fn of<M: Meaning, L: Lanes>(file: &'a [Cell<u32>], step: &Step, mask: u64) -> Registers<'a, N> {
        let nothing = register(file, step.src[0] as usize);
        let mut words = [[nothing; 4]; MAX_SOURCES];
        for (n, class) in M::Args::CLASSES.iter().enumerate() {
            for (dword, to) in words[n].iter_mut().enumerate().take(class.dwords()) {
                *to = register(file, step.src[n] as usize + dword * STRIDE);
            }
        }
        let bits = if takes_mask::<M>() { L::spread(mask) } else { [0; N] };
        let taken = step.vector.as_ref().map_or([Taken::ALL; MAX_SOURCES], |v| v.taken);
        Registers { words, taken, bits }
    }
}

/// Whether a source is a mask.
const fn takes_mask<M: Meaning>() -> bool {
    has(M::Args::CLASSES, Class::Bit)
}

/// Whether a result is a mask.
const fn gives_mask<M: Meaning>() -> bool {
    has(M::Ret::CLASSES, Class::Bit)
}

/// Whether the denormals of f32 have a say: not where there is none.
const fn knows_f32<M: Meaning>() -> bool {
    has(M::Args::CLASSES, Class::F32) || has(M::Ret::CLASSES, Class::F32)
}

/// Whether the transcendental unit computes it.
const fn is_unit<M: Meaning>() -> bool {
    matches!(M::SECTION, Section::Unit)
}

const fn has(classes: &[Class], class: Class) -> bool {
    let mut n = 0;
    while n < classes.len() {
        if classes[n] as u8 == class as u8 {
            return true;
        }
        n += 1;
    }
    false
}

/// One lane of the sources, read as `HOW` says.
struct Lane<'a, 'b, const N: usize, const HOW: u8> {
    of: &'b Registers<'a, N>,
    lane: usize,
}

impl<const N: usize, const HOW: u8, A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Sources<A>
    for Lane<'_, '_, N, HOW>
{
    #[inline(always)]
    fn word(&self, n: usize) -> u32 {
        let word = self.of.words[n][0][self.lane].get();
        match HOW {
            WHOLE => word,
            PARTS => self.of.taken[n].lower(word),
            _ => self.of.taken[n].word(word),
        }
    }
    #[inline(always)]
    fn pair(&self, n: usize) -> u64 {
        let words = &self.of.words[n];
        u64::from(words[0][self.lane].get()) | u64::from(words[1][self.lane].get()) << 32
    }
    #[inline(always)]
    fn quad(&self, n: usize) -> [u32; 4] {
        std::array::from_fn(|i| self.of.words[n][i][self.lane].get())
    }
    #[inline(always)]
    fn bit(&self, _: usize) -> bool {
        self.of.bits[self.lane] != 0
    }
}

/// The results of a lane.
#[derive(Clone, Copy, Default)]
struct LaneResult {
    words: [u32; 4],
    bit: bool,
}

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Results<A> for LaneResult {
    #[inline(always)]
    fn word(&mut self, v: u32) {
        self.words[0] = v;
    }
    #[inline(always)]
    fn pair(&mut self, v: u64) {
        self.words[0] = v as u32;
        self.words[1] = (v >> 32) as u32;
    }
    #[inline(always)]
    fn quad(&mut self, v: [u32; 4]) {
        self.words = v;
    }
    #[inline(always)]
    fn bit(&mut self, v: bool) {
        self.bit = v;
    }
}

/// All lanes with the host's arithmetic; those of which that is not sure exactly.
#[inline(always)]
fn quick<M: Meaning, L: Lanes, K: Quick, const N: usize, const HOW: u8>(
    wave: &mut Wave,
    step: &Step,
    _: &mut Group<'_>,
) -> u32 {
    let modes = K::modes(&wave.env);
    // Written out for each unit, so that the loop over the lanes does not ask.
    match if is_unit::<M>() { Unit::of(wave.env.target.generation()) } else { Unit::Silicon } {
        Unit::Silicon => with_modes::<M, L, K, N, HOW>(wave, step, K::beside(modes, Unit::Silicon)),
        Unit::Rounded { turns } => with_modes::<M, L, K, N, HOW>(wave, step, K::beside(modes, Unit::Rounded { turns })),
    }
}

/// [`quick`] with what the algebra knows of the wave.
#[inline(always)]
fn with_modes<M: Meaning, L: Lanes, K: Quick, const N: usize, const HOW: u8>(
    wave: &mut Wave,
    step: &Step,
    modes: K::Modes,
) -> u32 {
    let dwords = M::Ret::CLASSES[0].dwords();
    // A kernel of all sizes of waves has lanes that there may not be.
    let all_sizes = K::ALL_SIZES || HOW != WHOLE;
    let exec = if all_sizes { wave.exec() } else { wave.mask_of::<N>(slot::EXEC) };
    let mask = match takes_mask::<M>() {
        false => 0,
        true if all_sizes => wave.mask_at(step.mask_src as usize),
        true => wave.mask_of::<N>(step.mask_src as usize),
    };
    let file: &[Cell<u32>] = &wave.file;
    let sources = Registers::<N>::of::<M, L>(file, step, mask);
    let old = register(file, step.out as usize);
    // Arrays of their own, not one of arrays: those that a meaning does not use vanish.
    let (mut a, mut b, mut c, mut d, mut bits, mut odd) = ([0; N], [0; N], [0; N], [0; N], [0; N], [0; N]);
    for lane in 0..N {
        let k = K::of(lane as u32, modes);
        let args = M::Args::read::<K>(&Lane::<'_, '_, N, HOW> { of: &sources, lane }, 0);
        let mut result = LaneResult::default();
        M::Ret::write::<K>(M::eval(&k, args), &mut result);
        if HOW != WHOLE && dwords == 1 {
            a[lane] = step.merge.raised(result.words[0], old[lane].get());
        } else if M::Ret::CLASSES[0].is_16() {
            a[lane] = step.merge.word(result.words[0], old[lane].get());
        } else if dwords > 0 {
            a[lane] = result.words[0];
        }
        if dwords > 1 {
            b[lane] = result.words[1];
        }
        if dwords > 2 {
            (c[lane], d[lane]) = (result.words[2], result.words[3]);
        }
        if gives_mask::<M>() {
            bits[lane] = u32::from(result.bit).wrapping_neg();
        }
        odd[lane] = k.oddness();
    }
    let odd = if L::any(&odd) { L::gather(&odd) & exec } else { 0 };
    let sure = exec & !odd;
    // One by one: a list of the arrays would keep them in memory.
    let to = |dword: usize| register(file, step.out as usize + dword * STRIDE);
    if dwords > 0 {
        L::put(to(0), &a, sure);
    }
    if dwords > 1 {
        L::put(to(1), &b, sure);
    }
    if dwords > 2 {
        L::put(to(2), &c, sure);
        L::put(to(3), &d, sure);
    }
    let bits = if gives_mask::<M>() { L::gather(&bits) & sure } else { 0 };
    if odd != 0 {
        return some_exact::<M>(wave, step, odd, bits);
    }
    if gives_mask::<M>() {
        if all_sizes {
            wave.set_mask(step.mask_out as usize, bits);
        } else {
            wave.set_mask_of::<N>(step.mask_out as usize, bits);
        }
    }
    step.next
}

/// What a register holds.
#[inline(always)]
fn words(register: &Register) -> [u32; STRIDE] {
    let mut words = [0; STRIDE];
    for (word, cell) in words.iter_mut().zip(register) {
        *word = cell.get();
    }
    words
}

/// Gives the lanes of a mask, of a register that begins at one word of the file, what another has.
///
/// # Safety
/// As kernels.
pub type Blend = unsafe fn(&[Cell<u32>], u32, u32, u64);

#[inline(always)]
fn blend<L: Lanes>(file: &[Cell<u32>], from: u32, to: u32, lanes: u64) {
    L::put(register(file, to as usize), &words(register(file, from as usize)), lanes);
}
