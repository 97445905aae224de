//! Running one instruction over many operands, on the emulator and in the reference.

use super::expect::{Case, once};
use super::state::{State, scrambled};
use super::text::{At, Text, guide_name, packed, scalar_family, variants};
use crate::pseudocode::Reference;
use crate::pseudocode::edges::{arranged, edges, operand_edges};
use crate::pseudocode::exact::{F16, F32, Rounding};
use crate::pseudocode::float::Mode;
use crate::pseudocode::types::Operand;
use crate::pseudocode::value::Ty;
use std::collections::BTreeMap;
use wavediff::asm::{Assembler, expr::NoSymbols};
use wavediff::emu::group::Group;
use wavediff::emu::plan::Plan;
use wavediff::emu::wave::{Wave, slot};
use wavediff::isa::does::{Control, Does};
use wavediff::isa::form::{Form, Table, Variant};
use wavediff::isa::row::{Family, Inst, Traits};
use wavediff::isa::traps::status;
use wavediff::isa::{Arch, Gen, Target};
use wavediff::memory::guest::Memory;
use wavediff::memory::lds::Lds;
use wavediff::program::{Program, STOP};

/// A processor with a wave size.
pub struct Machine {
    pub target: Target,
    pub lanes: u32,
}

pub fn machine(name: &str, lanes: u32) -> Machine {
    let target = Target::new(Arch::find(name).expect("a processor"));
    let target = if target.arch.has_wave32() { target.wave(lanes).expect("a width it has") } else { target };
    Machine { target, lanes }
}

/// What came of a row.
#[derive(Default)]
pub struct Tally {
    /// Lanes compared.
    pub compared: usize,
    /// Why lanes could not be.
    pub unknown: BTreeMap<String, usize>,
    pub differences: Vec<String>,
}

/// Where the instruction stands among `s_nop`s.
const AT: usize = 16;
const BASE: u64 = 0x1000;

/// The bits of MODE.
pub fn mode_bits(mode: &Mode, generation: Gen) -> u32 {
    let round = |r: Rounding| match r {
        Rounding::Nearest => 0,
        Rounding::Up => 1,
        Rounding::Down => 2,
        Rounding::Zero => 3,
    };
    let denormals = |input: bool, output: bool| u32::from(input) | u32::from(output) << 1;
    let floats = round(mode.round32)
        | round(mode.round64) << 2
        | denormals(mode.denorm32_in, mode.denorm32_out) << 4
        | denormals(mode.denorm64_in, mode.denorm64_out) << 6;
    if generation >= Gen::Gfx12 {
        return floats;
    }
    floats | u32::from(mode.dx10_clamp) << 8 | u32::from(mode.ieee) << 9 | u32::from(mode.fp16_ovfl) << 23
}

/// Every rounding with every denormal setting and IEEE on and off; the fields of f16 and f64 hold other values than those of f32.
pub fn modes() -> Vec<Mode> {
    const ROUNDINGS: [Rounding; 4] = [Rounding::Nearest, Rounding::Up, Rounding::Down, Rounding::Zero];
    (0..32)
        .map(|n: usize| Mode {
            round32: ROUNDINGS[n & 3],
            round64: ROUNDINGS[(n + n / 8) & 3],
            denorm32_in: n & 4 != 0,
            denorm32_out: n & 8 != 0,
            denorm64_in: n & 8 == 0,
            denorm64_out: (n & 4 == 0) != (n & 16 == 0),
            ieee: n & 16 != 0,
            dx10_clamp: !n.is_multiple_of(3),
            fp16_ovfl: n % 5 == 4,
        })
        .collect()
}

/// Whether a row computes with floats, so that MODE matters.
pub fn is_float(row: &Inst) -> bool {
    row.dst.ty.is_float() || row.src.iter().any(|o| o.ty.is_float())
}

/// The forms of a row that are tried.
fn forms(machine: &Machine, row: &'static Inst) -> impl Iterator<Item = &'static Form> {
    Table::of(machine.target).forms.iter().filter(move |f| std::ptr::eq(f.row, row) && f.variant == Variant::Base)
}

pub struct Bench<'a> {
    pub reference: &'a Reference,
    pub machine: &'a Machine,
    /// Also other modes than the usual one.
    pub all_modes: bool,
}

impl Bench<'_> {
    /// Compares all forms of a row.
    pub fn row(&self, row: &'static Inst) -> Tally {
        let mut tally = Tally::default();
        for form in forms(self.machine, row) {
            for (n, modifiers) in variants(form).into_iter().enumerate() {
                // The text is that of RDNA3, where OMOD does nothing in the usual mode.
                if modifiers.omod != 0 && self.machine.target.generation() >= Gen::Gfx12 {
                    continue;
                }
                match Text::new(self.machine.target, form, modifiers) {
                    Ok(text) => self.text(form, &text, n == 0, &mut tally),
                    Err(why) => *tally.unknown.entry(why.to_owned()).or_default() += 1,
                }
            }
        }
        tally
    }

    fn text(&self, form: &Form, text: &Text, plain: bool, tally: &mut Tally) {
        let assembler = Assembler::new(self.machine.target);
        let words = |line: &str| {
            let encoded = assembler.encode(line, &NoSymbols).map_err(|e| format!("{e:?}"))?;
            Ok::<Vec<u32>, String>(encoded.words[..usize::from(encoded.len)].to_vec())
        };
        let instruction = match words(&text.line) {
            Ok(words) => words,
            Err(error) if error.contains("read whole registers") => return,
            Err(error) if error.contains("constant bus") && text.modifiers.scalar.is_some() => return,
            Err(error) => return tally.differences.push(format!("{}: {error}", text.line)),
        };
        let nop = words("s_nop 0").expect("a nop");
        let size = 4 * instruction.len() as i64;
        let mut code = nop.repeat(AT);
        code.extend(instruction);
        code.extend(nop.repeat(AT));
        let program = Program::new(self.machine.target, &code, BASE);
        let plan = Plan::new(&program);
        let mut wave = Wave::new(&plan, self.machine.lanes);
        let memory = Memory::new();
        let mut group = Group::of_one(&plan, &memory, Lds::new(64));
        let row = form.row;
        let name = guide_name(row);
        let alone = once(row, &name);
        let usual = Mode::default();
        let mut work: Vec<Mode> = Vec::new();
        let count = match (plain, alone, self.all_modes) {
            (true, true, _) => 400,
            (false, true, _) => 32,
            (true, false, true) => 48,
            (true, false, false) => 8,
            (false, false, _) => 4,
        };
        work.extend(std::iter::repeat_n(usual, count));
        if self.all_modes && is_float(row) {
            // Output modifiers work where IEEE is off and denormals are flushed.
            let omod = Mode { ieee: false, denorm64_out: false, ..usual };
            work.extend(if plain {
                [modes(), modes()].concat()
            } else {
                vec![omod, Mode { round32: Rounding::Up, dx10_clamp: false, ..omod }]
            });
        }
        let operands = self.reference.operands(&name).expect("a text that was looked up");
        let lists: [Vec<u64>; 3] = std::array::from_fn(|n| {
            let half = name.starts_with("V_FMA_MIX") && text.op_sel_hi >> n & 1 == 1;
            match operands.s[n] {
                _ if half => operand_edges(Operand { ty: Ty::F(F16), packed: true }),
                Some(operand) => operand_edges(operand),
                None if name.starts_with("V_WMMA") && !name.contains("_I32_") => {
                    let ty = if n == 2 { Ty::F(F32) } else { Ty::F(F16) };
                    operand_edges(Operand { ty, packed: n != 2 })
                }
                None => edges(Ty::U(32)),
            }
        });
        let widths: [u32; 3] = std::array::from_fn(|n| match operands.s[n] {
            Some(o) if o.packed => 32,
            Some(o) => o.ty.width(),
            None => 32,
        });
        for (batch, mode) in work.iter().enumerate() {
            let case = Case {
                reference: self.reference,
                target: self.machine.target,
                lanes: self.machine.lanes,
                row,
                name: &name,
                text,
                mode: *mode,
                size,
            };
            let before = self.operands(&case, batch as u64, &lists, widths, operands.reads_d0);
            let expected = case.run(&before);
            for (_, why) in &expected.unknown {
                *tally.unknown.entry(why.clone()).or_default() += 1;
            }
            tally.compared += expected.evaluated;
            before.load(&mut wave);
            wave.set_mode(mode_bits(mode, self.machine.target.generation()));
            // Where it is allowed.
            wave.keep_status(status::PRIV, row.does == Does::Control(Control::TrapReturn));
            wave.pc = AT as u32;
            let step = &plan.bound.steps[AT];
            let next = step.execute(&mut wave, &mut group);
            if next == STOP {
                tally.differences.push(format!("{}: {:?}", text.line, wave.stop));
                return;
            }
            let found = State::of(&wave, program.address_of(next) as i64);
            let different = case.differences(&before, &expected, &found);
            if let Some(first) = different.first()
                && tally.differences.len() < 6
            {
                let mode = if *mode == usual { String::new() } else { format!(" in {mode:?}") };
                tally.differences.push(format!("{}{mode}: {first} ({} differ)", text.line, different.len()));
            }
        }
    }

    /// A state with operands for each lane.
    fn operands(&self, case: &Case, batch: u64, lists: &[Vec<u64>; 3], widths: [u32; 3], reads_d0: bool) -> State {
        let (text, lanes) = (case.text, self.machine.lanes);
        let mut state = State::marked((BASE as usize + 4 * AT) as i64);
        let all = if lanes == 64 { u64::MAX } else { 0xffff_ffff };
        let exec = match batch % 8 {
            1 => 1,
            3 => 0x5555_5555_5555_5555,
            5 => 0xaaaa_aaaa_aaaa_aaaa,
            6 if batch % 16 == 6 => 0,
            _ => u64::MAX,
        } & all;
        (state.s[slot::EXEC], state.s[slot::EXEC + 1]) = (exec as u32, (exec >> 32) as u32);
        state.scc = batch / 2 % 2 == 1;
        for at in [slot::VCC, 40] {
            let mask = match batch % 4 {
                0 => scrambled(batch + at as u64),
                1 => 0,
                2 => u64::MAX,
                _ => 0x6666_9999_3333_cccc,
            };
            (state.s[at], state.s[at + 1]) = (mask as u32, (mask >> 32) as u32);
        }
        if case.row.traits.contains(Traits::READS_M0) || ["MOVREL", "SWAPREL"].iter().any(|m| case.name.contains(m)) {
            let two = case.name.contains("_2") || case.name.contains("SWAPREL");
            let by = (batch % 5) as u32;
            state.s[State::m0(case.target)] = if two { by | (4 - by) << 16 } else { by * 2 };
        }
        let mut random = batch * 64 + scrambled(text.line.len() as u64) % 1024 * 0x1_0000;
        let mut pick = |list: &[u64], width: u32| {
            random += 1;
            let r = scrambled(random);
            // Mostly edges, and now and then anything.
            match r >> 60 {
                0 => (r << 20 ^ scrambled(r)) & (u64::MAX >> (64 - width.clamp(1, 64))),
                _ => list[(r >> 20) as usize % list.len()],
            }
        };
        let put = |state: &mut State, at: At, lane: usize, value: u64, width: u32| {
            for n in 0..width.div_ceil(32).min(2) as usize {
                let mask = if width - 32 * n as u32 >= 32 { u32::MAX } else { (1 << (width % 32)) - 1 };
                let word = match at {
                    At::Vgpr(r) => &mut state.v[r + n][lane],
                    At::Sgpr(r) => &mut state.s[r + n],
                };
                *word = *word & !mask | (value >> (32 * n)) as u32 & mask;
            }
        };
        for lane in 0..lanes as usize {
            let mut values: [u64; 3] = std::array::from_fn(|n| pick(&lists[n], widths[n]));
            values = arranged(case.name, values);
            if ["S_SETPC", "S_SWAPPC", "S_RFE_B64"].iter().any(|name| case.name.starts_with(name)) {
                values[0] = BASE + batch % 16 * 4;
            }
            for (n, source) in text.sources.iter().enumerate().take(3) {
                let half = source.ty.is_16() && text.modifiers.op_sel >> n & 1 == 1;
                if matches!(source.at, At::Vgpr(_)) || lane == 0 {
                    let value = if half { values[n] << 16 | 0xbeef } else { values[n] };
                    put(&mut state, source.at, lane, value, if half || packed(source.ty) { 32 } else { widths[n] });
                }
                // Matrix operands have more registers.
                if source.ty.dwords() > 4
                    && let At::Vgpr(r) = source.at
                {
                    for more in 1..usize::from(source.ty.dwords()) {
                        state.v[r + more][lane] = pick(&lists[n], widths[n]) as u32;
                    }
                }
            }
            if case.name.starts_with("V_DIV_SCALE") {
                // The same bits, wherever the operands lie.
                let scaled = if values[0] == values[1] { 1 } else { 2 };
                self.same(&mut state, text, scaled, lane);
            }
            if let Some((at, ty)) = text.dst
                && reads_d0
                && (matches!(at, At::Vgpr(_)) || lane == 0)
            {
                let width = u32::from(ty.dwords()).min(2) * 32;
                let list = if lists[2].len() > 1 && operands_differ(text) { &lists[2] } else { &lists[0] };
                let value = pick(list, widths[0]);
                let value = if text.modifiers.op_sel & 8 != 0 { value << 16 | value & 0x1234 } else { value };
                put(&mut state, at, lane, value, width);
            }
        }
        state
    }

    /// Makes S0 the bits of another source in a lane.
    fn same(&self, state: &mut State, text: &Text, other: usize, lane: usize) {
        for n in 0..usize::from(text.sources[0].ty.dwords()) {
            let word = match text.sources[other].at {
                At::Vgpr(r) => state.v[r + n][lane],
                At::Sgpr(r) => state.s[r + n],
            };
            match text.sources[0].at {
                At::Vgpr(r) => state.v[r + n][lane] = word,
                At::Sgpr(r) if lane == 0 => state.s[r + n] = word,
                At::Sgpr(_) => {}
            }
        }
    }
}

/// Whether the accumulator has another type than the first source.
fn operands_differ(text: &Text) -> bool {
    text.sources.first().zip(text.dst).is_some_and(|(s, (_, d))| s.ty != d)
}

/// The rows that are compared on a machine, one for each name and family.
pub fn rows(machine: &Machine) -> Vec<&'static Inst> {
    use Family::*;
    let mut all: Vec<&'static Inst> = Vec::new();
    for form in &Table::of(machine.target).forms {
        let row = form.row;
        let unit = scalar_family(row) || matches!(row.family, Vop1 | Vop2 | Vopc | Vop3 | Vop3p | Vinterp);
        if unit && form.variant == Variant::Base && !all.iter().any(|r| std::ptr::eq(*r, row)) {
            all.push(row);
        }
    }
    all
}
