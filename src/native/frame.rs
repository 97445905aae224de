//! The frame around a program, as assembly: the prologue in front of it and the epilogue behind it.
//!
//! A wave begins with what the driver and the machine give it: the address of all blocks in two user registers, the number
//! of its group, the numbers of its work-items. The prologue finds the wave's [block](super::block) by them, ends waves
//! that the group lacks, fills LDS, and loads vector registers, scalar registers, what is none, and MODE last. The
//! epilogue stores the same in the other order, with EXEC full and the modes plain; whichever wave of a group comes last
//! stores LDS, so that no barrier of the frame meets those of the program.
//!
//! Both reach a wave's block by a buffer descriptor whose accesses add the lane's number: they need no vector register for
//! an address, so that the epilogue has the first one stored before it uses it. What generations do differently is a row of
//! [`DIALECTS`].

use super::block::{HEAD, Layout, NOWHERE, SCALARS, VECTORS, group, head};
use super::needs::{Needs, Reserved, flat};
use super::prefix::{Counted, Meeting};
use crate::case::CaseError;
use crate::case::descriptor::words as resource;
use crate::case::value::{Descriptor, Oob};
use crate::isa::{Gen, Target, regs};
use crate::program::Program;
use crate::program::place::slot;
use std::fmt::Write;

/// Where a wave finds what the driver gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Users {
    /// The first of two registers with the address of the blocks.
    pub blocks: u32,
    /// The register with the number of the group; on gfx12 it is a trap temporary, and this means nothing.
    pub group: u32,
}

/// What a frame is made for.
#[derive(Clone, Copy)]
pub struct Frame<'p> {
    /// The program.
    pub program: &'p Program,
    /// What it needs.
    pub needs: &'p Needs,
    /// Where waves begin in it.
    pub entries: &'p [u32],
    /// What blocks are like.
    pub layout: Layout,
    /// Waves of a group.
    pub waves: u32,
    /// Bytes of LDS that are filled and stored.
    pub lds: u32,
    /// Where a wave finds what it is given.
    pub users: Users,
    /// Whether exceptions that stuck are given to waves.
    pub trapsts: bool,
    /// That waves leave the program after so many steps; nothing where they do so at its ends.
    pub counted: Option<Counted>,
}

/// How generations say what all of them can.
pub(super) struct Dialect {
    from: Gen,
    /// Waits for everything.
    wait: &'static [&'static str],
    /// Waits for the other waves of the group.
    pub(super) barrier: &'static [&'static str],
    /// No scalar offset of a buffer access.
    no_offset: &'static str,
    /// An atomic that gives the old value back.
    returns: &'static str,
    /// The clock into a pair: its first register stands for `{lo}`, its second for `{hi}`.
    clock: &'static [&'static str],
}

const WAIT_ALL: &[&str] = &["s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)"];
const WAIT_STORES: &[&str] = &["s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)", "s_waitcnt_vscnt null, 0x0"];
const WAIT_EACH: &[&str] = &["s_wait_loadcnt 0x0", "s_wait_storecnt 0x0", "s_wait_dscnt 0x0", "s_wait_kmcnt 0x0"];
const MEMTIME: &[&str] = &["s_memtime s[{lo}:{hi}]"];
const CYCLES: &[&str] = &["s_getreg_b32 s{lo}, hwreg(HW_REG_SHADER_CYCLES, 0, 20)", "s_mov_b32 s{hi}, 0"];
const CYCLES_LONG: &[&str] =
    &["s_getreg_b32 s{lo}, hwreg(HW_REG_SHADER_CYCLES_LO)", "s_getreg_b32 s{hi}, hwreg(HW_REG_SHADER_CYCLES_HI)"];
const BARRIER: &[&str] = &["s_barrier"];
const BARRIER_PARTS: &[&str] = &["s_barrier_signal -1", "s_barrier_wait -1"];

/// The last row of an older or the same generation counts.
#[rustfmt::skip]
const DIALECTS: &[Dialect] = &[
    Dialect { from: Gen::Gfx6,  wait: WAIT_ALL,    barrier: BARRIER,       no_offset: "0",    returns: "glc",                 clock: MEMTIME },
    Dialect { from: Gen::Gfx10, wait: WAIT_STORES, barrier: BARRIER,       no_offset: "0",    returns: "glc",                 clock: MEMTIME },
    Dialect { from: Gen::Gfx11, wait: WAIT_STORES, barrier: BARRIER,       no_offset: "0",    returns: "glc",                 clock: CYCLES },
    Dialect { from: Gen::Gfx12, wait: WAIT_EACH,   barrier: BARRIER_PARTS, no_offset: "null", returns: "th:TH_ATOMIC_RETURN", clock: CYCLES_LONG },
];

/// MODE in the epilogue: round to nearest, keep denormals; nothing moves registers or skips instructions.
const PLAIN_MODE: u32 = 0xf0;

/// The most bytes that the offset of a buffer access holds everywhere.
const OFFSETS: u32 = 4096;

/// Registers that the frame uses while those of the program are not there yet, or are stored.
struct Scratch {
    /// Four, from a multiple of four: another descriptor.
    other: u32,
    /// Two, from a multiple of two.
    pair: u32,
}

impl Scratch {
    fn beside(mut taken: u128) -> Scratch {
        let mut take = |count: u32| {
            let mask = (1u128 << count) - 1;
            let at = (16..100).find(|n| n % count == 0 && taken >> n & mask == 0).unwrap_or(16);
            taken |= mask << at;
            at
        };
        Scratch { other: take(4), pair: take(2) }
    }
}

/// Scalar registers that are the program's: what the frame gives a wave and stores, by operand code; those that it has for itself are `kept`.
#[must_use]
pub fn stored(target: Target, kept: u128, used: u128) -> u128 {
    let generation = target.generation();
    let sgprs = u32::from(regs::sgpr_count(generation));
    let mut all = (1u128 << sgprs) - 1;
    if generation <= Gen::Gfx7 {
        // The last ones may be VCC and FLAT_SCRATCH by other names; whoever names them means them.
        all &= ((1 << 100) - 1) | used;
    }
    all & !kept | 3 << slot::VCC | 3 << slot::EXEC | 1 << regs::m0_code(generation)
}

impl Frame<'_> {
    /// Scalar registers that are none of the program's.
    #[must_use]
    pub fn kept(&self) -> u128 {
        self.needs.reserved.mask() | self.meeting().map_or(0, |meeting| meeting.mask())
    }

    /// What it needs at barriers, where waves count their steps together.
    pub(super) fn meeting(&self) -> Option<Meeting> {
        self.counted?.meeting
    }

    fn target(&self) -> Target {
        self.program.target
    }

    fn generation(&self) -> Gen {
        self.target().generation()
    }

    pub(super) fn dialect(&self) -> &'static Dialect {
        let generation = self.generation();
        DIALECTS.iter().rev().find(|dialect| dialect.from <= generation).unwrap_or(&DIALECTS[0])
    }

    /// The whole of it as assembly, with the program between.
    ///
    /// # Errors
    /// None: the descriptor of blocks is one on every generation.
    pub fn text(&self, stored: u128) -> Result<String, CaseError> {
        let wanted = Descriptor {
            stride: Some(4),
            records: Some(u32::MAX),
            add_tid: true,
            oob: Some(Oob::Empty),
            ..Descriptor::default()
        };
        let wanted = Descriptor { format: (self.generation() <= Gen::Gfx9).then(|| "32_float".to_owned()), ..wanted };
        let mut text = Text {
            out: String::new(),
            frame: self,
            stored,
            descriptor: resource(&wanted, 0, u64::MAX, self.target())?,
            scratch: Scratch::beside(self.kept()),
        };
        text.prologue();
        match self.counted {
            Some(_) => text.counted(),
            None => text.program(),
        }
        text.epilogue();
        Ok(text.out)
    }
}

/// The assembly while it is written.
pub(super) struct Text<'f> {
    pub(super) out: String,
    pub(super) frame: &'f Frame<'f>,
    stored: u128,
    descriptor: [u32; 4],
    scratch: Scratch,
}

/// A line of assembly.
macro_rules! line {
    ($text:expr, $($format:tt)*) => {{
        let _ = writeln!($text.out, $($format)*);
    }};
}

pub(super) use line;

impl Text<'_> {
    pub(super) fn reserved(&self) -> Reserved {
        self.frame.needs.reserved
    }

    pub(super) fn lines(&mut self, lines: &[&str]) {
        for text in lines {
            line!(self, "{text}");
        }
    }

    pub(super) fn wait(&mut self) {
        self.lines(self.frame.dialect().wait);
    }

    /// What pipelines of older generations want between scalar writes and their vector readers.
    pub(super) fn settle(&mut self) {
        line!(self, "s_nop 7");
    }

    /// An offset of a scalar load, which gfx6 and gfx7 count in words.
    fn at(&self, word: u32) -> u32 {
        if self.frame.generation() <= Gen::Gfx7 { word } else { word * 4 }
    }

    /// Loads words of the block to scalar registers.
    pub(super) fn load(&mut self, words: u32, to: &str, word: u32) {
        let width = match words {
            1 => "",
            2 => "x2",
            _ => "x4",
        };
        let Reserved { pair, .. } = self.reserved();
        line!(self, "s_load_dword{width} {to}, s[{pair}:{}], {:#x}", pair + 1, self.at(word));
    }

    /// The descriptor of memory at the address in a pair, which it may overlap.
    pub(super) fn describe(&mut self, to: u32, low: &str, high: &str) {
        let [_, word1, word2, word3] = self.descriptor;
        line!(self, "s_mov_b32 s{to}, {low}");
        line!(self, "s_and_b32 s{}, {high}, 0xffff", to + 1);
        line!(self, "s_or_b32 s{0}, s{0}, {word1:#x}", to + 1);
        line!(self, "s_mov_b32 s{}, {word2:#x}", to + 2);
        line!(self, "s_mov_b32 s{}, {word3:#x}", to + 3);
    }

    /// A row of the block at a word: `load` or `store` of a vector register. Rows come by rising words, so that the scalar offset
    /// grows along.
    fn row(&mut self, action: &str, register: u32, resource: u32, base: &mut Option<u32>, word: u32) {
        let bytes = word * 4;
        let offset = self.reserved().offset;
        // On gfx6 and gfx7 an offset of the instruction's must lie within the stride, and the scalar one need not.
        let reach = if self.frame.generation() <= Gen::Gfx7 { 1 } else { OFFSETS };
        if bytes - base.unwrap_or(0) >= reach {
            line!(self, "s_mov_b32 s{offset}, {bytes:#x}");
            *base = Some(bytes);
        }
        let (name, rest) = match base {
            Some(base) => (format!("s{offset}"), bytes - *base),
            None => (self.frame.dialect().no_offset.to_owned(), bytes),
        };
        line!(self, "buffer_{action}_dword v{register}, off, s[{resource}:{}], {name} offset:{rest}", resource + 3);
    }

    pub(super) fn full_exec(&mut self) {
        line!(self, "s_mov_b32 exec_lo, -1");
        line!(self, "s_mov_b32 exec_hi, -1");
    }

    /// Only the first lane is active.
    pub(super) fn one_lane(&mut self) {
        line!(self, "s_mov_b32 exec_lo, 1");
        line!(self, "s_mov_b32 exec_hi, 0");
    }

    /// Puts SCC, MODE and EXEC of the program aside, EXEC in a pair, and has all lanes active in a plain mode.
    pub(super) fn put_aside(&mut self, exec: u32) {
        let Reserved { scc, mode, .. } = self.reserved();
        line!(self, "s_cselect_b32 s{scc}, 1, 0");
        line!(self, "s_getreg_b32 s{mode}, hwreg(HW_REG_MODE)");
        line!(self, "s_setreg_imm32_b32 hwreg(HW_REG_MODE), {PLAIN_MODE:#x}");
        line!(self, "s_mov_b32 s{exec}, exec_lo");
        line!(self, "s_mov_b32 s{}, exec_hi", exec + 1);
        self.full_exec();
        self.settle();
        self.wait();
    }

    /// A word of the group, at a descriptor, changed by the one lane that is active; what it was comes to `to`. Where it lies is a constant where gfx6
    /// and gfx7 take no offset of the instruction's, and such an offset where gfx12 takes no constant.
    pub(super) fn change(&mut self, group: u32, action: &str, word: u32, with: &str, to: &str) {
        let returns = self.frame.dialect().returns;
        let at = match self.frame.generation() {
            Gen::Gfx12 => format!("null offset:{}", 4 * word),
            _ => (4 * word).to_string(),
        };
        line!(self, "v_mov_b32 v0, {with}");
        self.settle();
        line!(self, "buffer_atomic_{action} v0, off, s[{group}:{}], {at} {returns}", group + 3);
        self.wait();
        line!(self, "v_readfirstlane_b32 {to}, v0");
        self.settle();
    }

    /// Four times the lane's number.
    fn lane_bytes(&mut self, to: u32) {
        line!(self, "v_mbcnt_lo_u32_b32 v{to}, -1, 0");
        if self.frame.layout.lanes == 64 {
            line!(self, "v_mbcnt_hi_u32_b32 v{to}, -1, v{to}");
        }
        line!(self, "v_lshlrev_b32 v{to}, 2, v{to}");
    }

    fn clock(&mut self) {
        let pair = self.scratch.pair;
        for text in self.frame.dialect().clock {
            let text = text.replace("{lo}", &pair.to_string()).replace("{hi}", &(pair + 1).to_string());
            line!(self, "{text}");
        }
        self.wait();
    }

    fn prologue(&mut self) {
        let Frame { users, layout, waves, lds, needs, .. } = *self.frame;
        let generation = self.frame.generation();
        let Reserved { block, pair, end, scc, mode, .. } = self.reserved();
        // What was given, away from all registers that are written below.
        let group = if generation >= Gen::Gfx12 { "ttmp9".to_owned() } else { format!("s{}", users.group) };
        line!(self, "s_mov_b32 vcc_lo, s{}", users.blocks);
        line!(self, "s_mov_b32 vcc_hi, s{}", users.blocks + 1);
        line!(self, "s_mov_b32 m0, {group}");
        line!(self, "v_readfirstlane_b32 s{end}, v0");
        self.settle();
        if generation >= Gen::Gfx11 {
            // Three numbers share the register.
            line!(self, "s_and_b32 s{end}, s{end}, 0x3ff");
        }
        line!(self, "s_lshr_b32 s{end}, s{end}, {}", layout.lanes.ilog2());
        line!(self, "s_mul_i32 s{scc}, m0, {waves:#x}");
        line!(self, "s_add_u32 s{scc}, s{scc}, s{end}");
        line!(self, "s_mul_i32 s{scc}, s{scc}, {:#x}", layout.words() * 4);
        line!(self, "s_add_u32 s{pair}, vcc_lo, s{scc}");
        line!(self, "s_addc_u32 s{}, vcc_hi, 0", pair + 1);
        self.describe(block, &format!("s{pair}"), &format!("s{}", pair + 1));
        self.load(1, &format!("s{scc}"), head::PRESENT);
        self.wait();
        line!(self, "s_cmp_lg_u32 s{scc}, 0");
        line!(self, "s_cbranch_scc1 present");
        line!(self, "s_endpgm");
        line!(self, "present:");
        self.full_exec();
        self.settle();
        if lds > 0 {
            self.fill_lds();
        }
        let mut base = None;
        for n in 1..layout.vgprs {
            self.row("load", n, block, &mut base, VECTORS + n * layout.lanes);
        }
        self.wait();
        self.clock();
        self.one_lane();
        for n in 0..2 {
            line!(self, "v_mov_b32 v0, s{}", self.scratch.pair + n);
            self.row("store", 0, block, &mut None, head::BEGAN + n);
            self.wait();
        }
        self.full_exec();
        self.settle();
        self.row("load", 0, block, &mut None, VECTORS);
        self.wait();
        self.scalars();
        if needs.flat_scratch {
            self.flat_scratch();
        }
        self.load(2, "vcc", slot::EXEC as u32);
        self.wait();
        line!(self, "s_mov_b32 exec_lo, vcc_lo");
        line!(self, "s_mov_b32 exec_hi, vcc_hi");
        self.load(1, "vcc_lo", regs::m0_code(generation).into());
        self.load(1, "vcc_hi", head::TRAPSTS);
        self.wait();
        line!(self, "s_mov_b32 m0, vcc_lo");
        if self.frame.trapsts {
            line!(self, "s_setreg_b32 hwreg(HW_REG_TRAPSTS), vcc_hi");
        }
        // VCC waits for the last moment, in what the epilogue needs only later.
        self.load(1, &format!("s{end}"), slot::VCC as u32);
        self.load(1, &format!("s{scc}"), slot::VCC as u32 + 1);
        self.load(1, &format!("s{mode}"), head::MODE);
        self.load(2, "vcc", head::SCC);
        self.wait();
        if let Some(counted) = self.frame.counted {
            self.begin_counting(counted);
        }
        for n in 1..self.frame.entries.len() {
            line!(self, "s_cmp_eq_u32 vcc_hi, {n}");
            line!(self, "s_cbranch_scc1 begin{n}");
        }
        for (n, entry) in self.frame.entries.iter().enumerate() {
            line!(self, "begin{n}:");
            line!(self, "s_cmp_lg_u32 vcc_lo, 0");
            line!(self, "s_mov_b32 vcc_lo, s{end}");
            line!(self, "s_mov_b32 vcc_hi, s{scc}");
            line!(self, "s_setreg_b32 hwreg(HW_REG_MODE), s{mode}");
            self.settle();
            match self.frame.counted {
                Some(_) => line!(self, "s_branch at{entry}"),
                None => line!(self, "s_branch program+{}", entry * 4),
            }
        }
    }

    /// The first wave of a group fills LDS, and the others wait for it.
    fn fill_lds(&mut self) {
        let Frame { layout, waves, lds, .. } = *self.frame;
        let Reserved { end, .. } = self.reserved();
        line!(self, "s_cmp_lg_u32 s{end}, 0");
        line!(self, "s_cbranch_scc1 filled");
        self.load(2, "vcc", head::LDS);
        self.wait();
        let other = self.scratch.other;
        self.describe(other, "vcc_lo", "vcc_hi");
        line!(self, "s_mov_b32 m0, -1");
        self.lane_bytes(1);
        self.settle();
        let row = layout.lanes * 4;
        let mut base = None;
        for bytes in (0..lds).step_by(row as usize) {
            self.row("load", 0, other, &mut base, bytes / 4);
            self.wait();
            line!(self, "ds_write_b32 v1, v0 offset:{bytes}");
            self.wait();
        }
        line!(self, "filled:");
        if waves > 1 {
            self.lines(self.frame.dialect().barrier);
        }
    }

    /// The registers of the program, four at a time where all four are its own.
    fn scalars(&mut self) {
        let sgprs = u32::from(regs::sgpr_count(self.frame.generation()));
        let mine = |n: u32| n < sgprs && self.stored >> n & 1 == 1;
        let (quads, ones): (Vec<u32>, Vec<u32>) = (0..sgprs).step_by(4).partition(|n| (*n..n + 4).all(mine));
        let ones: Vec<u32> = ones.into_iter().flat_map(|n| n..n + 4).filter(|n| mine(*n)).collect();
        for n in quads {
            self.load(4, &format!("s[{n}:{}]", n + 3), n);
        }
        for n in ones {
            self.load(1, &format!("s{n}"), n);
        }
        self.wait();
    }

    /// FLAT_SCRATCH, which is a pair of registers up to gfx9, and on gfx10 of the hardware's.
    fn flat_scratch(&mut self) {
        let pair = flat(self.frame.generation());
        if pair != 0 {
            self.load(2, "vcc", pair.trailing_zeros());
            self.wait();
            line!(self, "s_mov_b32 flat_scratch_lo, vcc_lo");
            line!(self, "s_mov_b32 flat_scratch_hi, vcc_hi");
        } else if self.frame.generation() == Gen::Gfx10 {
            self.load(2, "vcc", head::FLAT_SCRATCH);
            self.wait();
            line!(self, "s_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), vcc_lo");
            line!(self, "s_setreg_b32 hwreg(HW_REG_FLAT_SCR_HI), vcc_hi");
        }
    }

    /// The words of the program, unchanged but for its ends.
    fn program(&mut self) {
        let Frame { program, needs, .. } = *self.frame;
        line!(self, "program:");
        for (at, word) in (0..).zip(&program.words) {
            match needs.ends.iter().position(|(end, _)| *end == at) {
                Some(n) => line!(self, "s_branch end{n}"),
                None => line!(self, ".long {word:#010x}"),
            }
        }
        let Reserved { end, .. } = self.reserved();
        for (n, (_, at)) in needs.ends.iter().enumerate() {
            line!(self, "end{n}:");
            line!(self, "s_mov_b32 s{end}, {at:#x}");
            line!(self, "s_branch leave");
        }
        if needs.ends.is_empty() {
            // It never ends; the watchdog will.
            line!(self, "s_mov_b32 s{end}, {NOWHERE:#x}");
        }
    }

    fn epilogue(&mut self) {
        let Frame { layout, waves, lds, .. } = *self.frame;
        let generation = self.frame.generation();
        let Reserved { block, pair, end, scc, mode, .. } = self.reserved();
        line!(self, "leave:");
        self.put_aside(pair);
        self.row("store", 0, block, &mut None, VECTORS);
        self.wait();
        let m0 = u32::from(regs::m0_code(generation));
        for first in (0..SCALARS).step_by(layout.lanes as usize) {
            let codes = (first..first + layout.lanes).filter(|code| self.stored >> code & 1 == 1);
            for code in codes {
                let name = match code as usize {
                    slot::VCC => "vcc_lo".to_owned(),
                    n if n == slot::VCC + 1 => "vcc_hi".to_owned(),
                    slot::EXEC => format!("s{pair}"),
                    n if n == slot::EXEC + 1 => format!("s{}", pair + 1),
                    n if n == m0 as usize => "m0".to_owned(),
                    n => format!("s{n}"),
                };
                line!(self, "v_writelane_b32 v0, {name}, {}", code - first);
            }
            self.row("store", 0, block, &mut None, first);
            self.wait();
        }
        // From here on all scalar registers but the descriptor are free.
        self.clock();
        line!(self, "s_mov_b32 vcc_lo, s{block}");
        line!(self, "s_and_b32 vcc_hi, s{}, 0xffff", block + 1);
        if generation >= Gen::Gfx9 {
            // Addresses in descriptors have no upper bits.
            line!(self, "s_bfe_i64 vcc, vcc, 0x300000");
        }
        line!(self, "s_mov_b32 s{pair}, vcc_lo");
        line!(self, "s_mov_b32 s{}, vcc_hi", pair + 1);
        self.row("load", 0, block, &mut None, SCALARS);
        self.wait();
        let trapsts = if generation >= Gen::Gfx12 { "HW_REG_EXCP_FLAG_USER" } else { "HW_REG_TRAPSTS" };
        line!(self, "s_getreg_b32 vcc_lo, hwreg({trapsts})");
        let began = self.scratch.pair;
        for (register, word) in [
            (format!("s{scc}"), head::SCC),
            (format!("s{mode}"), head::MODE),
            ("vcc_lo".to_owned(), head::TRAPSTS),
            (format!("s{end}"), head::END),
            (format!("s{began}"), head::ENDED),
            (format!("s{}", began + 1), head::ENDED + 1),
        ] {
            line!(self, "v_writelane_b32 v0, {register}, {}", word - SCALARS);
        }
        debug_assert!(head::ENDED + 2 - SCALARS <= layout.lanes.min(HEAD));
        self.row("store", 0, block, &mut None, SCALARS);
        let mut base = None;
        for n in 1..layout.vgprs {
            self.row("store", n, block, &mut base, VECTORS + n * layout.lanes);
        }
        self.wait();
        if let Some(meeting) = self.frame.meeting() {
            self.tell(meeting);
        }
        if lds > 0 {
            self.store_lds(waves, lds);
        }
        line!(self, "done:");
        line!(self, "s_endpgm");
    }

    /// The wave that is done last stores LDS.
    fn store_lds(&mut self, waves: u32, lds: u32) {
        let Scratch { other, pair } = self.scratch;
        if waves > 1 {
            self.load(2, "vcc", head::COUNTER);
            self.load(1, &format!("s{pair}"), head::OTHERS);
            self.wait();
            self.describe(other, "vcc_lo", "vcc_hi");
            self.one_lane();
            self.change(other, "add", group::DONE, "1", "vcc_lo");
            line!(self, "s_cmp_lg_u32 vcc_lo, s{pair}");
            line!(self, "s_cbranch_scc1 done");
            self.full_exec();
        }
        self.load(2, "vcc", head::LDS);
        self.wait();
        self.describe(other, "vcc_lo", "vcc_hi");
        line!(self, "s_mov_b32 m0, -1");
        self.lane_bytes(1);
        self.settle();
        let mut base = None;
        for bytes in (0..lds).step_by(self.frame.layout.lanes as usize * 4) {
            line!(self, "ds_read_b32 v0, v1 offset:{bytes}");
            self.wait();
            self.row("store", 0, other, &mut base, bytes / 4);
            self.wait();
        }
    }
}
