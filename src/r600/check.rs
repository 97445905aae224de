//! What a program must keep to, and what it wants of the hardware.
//!
//! A rule that all compilers keep is an error where it is broken; one that some of them break in practice is a warning, as are habits.
//! (Three groups of LLVM read more than the ports give; nine put two instructions into t; Mesa kills from four slots at once, which
//! the manual forbids, so that is no rule at all.)

use super::program::{Body, Clause, Flow, Group, Inst, Kind, Program, Slot, Source, sel};
use crate::asm::diagnostic::Severity;
use crate::isa::r600::does::{Around, Does};
use crate::isa::r600::format::{alu_op2, cf, tex};
use crate::isa::r600::{Chip, Class, Machine, Units};

/// Something that is wrong or strange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The pair of words that is meant.
    pub at: u32,
    /// How bad it is.
    pub severity: Severity,
    /// What it is.
    pub message: String,
}

/// In which cycle each of three sources of a vector unit is read, by bank swizzle.
const VECTOR_CYCLES: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 2, 0], [1, 0, 2], [2, 0, 1], [2, 1, 0]];
/// The same for t.
const SCALAR_CYCLES: [[u8; 3]; 4] = [[2, 1, 0], [1, 2, 2], [2, 1, 2], [2, 2, 1]];

/// Everything that is wrong or strange in a program.
#[must_use]
pub fn check(program: &Program) -> Vec<Finding> {
    let mut all = Findings { machine: program.machine, found: Vec::new() };
    for flow in &program.flow {
        all.flow(program, flow);
        if let Some(clause) = flow.clause.map(|clause| &program.clauses[clause]) {
            match &clause.body {
                Body::Alu(groups) => all.alu_clause(flow, clause, groups),
                Body::Fetch(fetches) => all.fetch_clause(flow, clause, fetches),
            }
        }
    }
    all.ends(program);
    all.found
}

struct Findings {
    machine: Machine,
    found: Vec<Finding>,
}

impl Findings {
    fn error(&mut self, at: u32, message: impl Into<String>) {
        self.found.push(Finding { at, severity: Severity::Error, message: message.into() });
    }

    fn warning(&mut self, at: u32, message: impl Into<String>) {
        self.found.push(Finding { at, severity: Severity::Warning, message: message.into() });
    }

    fn flow(&mut self, program: &Program, flow: &Flow) {
        let Some(row) = flow.inst.row else {
            return self
                .error(flow.at, format!("{} has no control-flow instruction of this opcode", self.machine.name()));
        };
        if let Some(extent) = flow.inst.begins(self.machine) {
            if flow.clause.is_none() {
                let message = format!(
                    "the clause of {} at {} to {} reaches out of the program of {} pairs, or into something else",
                    row.name,
                    extent.at,
                    extent.end() - 1,
                    program.words / 2
                );
                self.error(flow.at, message);
            } else if extent.kind == Kind::Fetch && extent.at % 2 != 0 {
                self.error(flow.at, format!("fetches lie at even places, but ADDR is {}", extent.at));
            }
        } else if super::print::has_target(row.does) {
            let target = flow.inst.get(cf::ADDR);
            // Behind the last instruction is where a jump at the end goes; compilers leave ADDR of POP to itself.
            let known = program.flow_at(target).is_some()
                || target.checked_sub(1).is_some_and(|at| program.flow_at(at).is_some());
            if !known {
                self.error(flow.at, format!("ADDR is {target}, where no control flow is"));
            }
        }
        if flow.inst.class == Class::Cf && flow.inst.get(cf::COND) != 0 && !may_be_conditional(row.does) {
            self.warning(flow.at, format!("{} has no condition", row.name));
        }
        if flow.inst.is(cf::WHOLE_QUAD_MODE) && flow.inst.class != Class::CfAlu && flow.inst.is(cf::VALID_PIXEL_MODE) {
            self.warning(flow.at, "WHOLE_QUAD and VALID_PIX exclude each other");
        }
    }

    fn ends(&mut self, program: &Program) {
        if program.flow.is_empty() {
            return;
        }
        let returns = |flow: &Flow| flow.inst.ends_program() || flow.inst.does() == Some(Does::Return);
        if !program.flow.iter().any(returns) {
            let at = program.flow.last().map_or(0, |flow| flow.at);
            self.error(at, "the program does not end: no instruction has EOP, and none is RETURN");
        }
        let mut loops = Vec::new();
        for flow in &program.flow {
            match flow.inst.does() {
                Some(Does::LoopStart(_)) => loops.push(flow),
                Some(Does::LoopEnd) => {
                    if let Some(start) = loops.pop() {
                        let (into, out) = (flow.inst.get(cf::ADDR), start.inst.get(cf::ADDR));
                        if into != start.at + 1 {
                            self.warning(
                                flow.at,
                                format!("LOOP_END goes to {into}; the loop begins at {}", start.at + 1),
                            );
                        }
                        if out != flow.at + 1 {
                            self.warning(
                                start.at,
                                format!("the loop is left to {out}; it ends before {}", flow.at + 1),
                            );
                        }
                    } else {
                        self.error(flow.at, "LOOP_END ends no loop");
                    }
                }
                _ if !loops.is_empty() && flow.inst.ends_program() => self.error(flow.at, "EOP stands in a loop"),
                Some(Does::LoopBreak | Does::LoopContinue) if loops.is_empty() => {
                    self.error(flow.at, "this stands in no loop");
                }
                _ => {}
            }
        }
        if let Some(start) = loops.pop() {
            self.error(start.at, "the loop has no LOOP_END");
        }
    }

    fn fetch_clause(&mut self, flow: &Flow, clause: &Clause, fetches: &[Inst<4>]) {
        // TEX is 1; VTX and VTX_TC fetch vertices.
        let textures = flow.inst.row.is_some_and(|row| row.name == "TEX");
        for (n, fetch) in fetches.iter().enumerate() {
            let at = clause.extent.at + 2 * n as u32;
            match fetch.row {
                None => self.error(at, format!("{} has no fetch of this opcode", self.machine.name())),
                Some(row) if row.class == Class::Tex && !textures => {
                    self.error(at, format!("{} stands in a clause of TEX", row.name));
                }
                Some(row) if row.class == Class::Vtx && textures && self.machine.chip == Chip::R600 => {
                    self.error(at, format!("{} stands in a clause of VTX on R600", row.name));
                }
                Some(row) if row.class == Class::Tex && fetch.get(tex::SAMPLER_ID) > 17 => {
                    self.error(at, format!("{} names sampler {}: there are 18", row.name, fetch.get(tex::SAMPLER_ID)));
                }
                _ => {}
            }
        }
    }

    fn alu_clause(&mut self, flow: &Flow, clause: &Clause, groups: &[Group]) {
        let locks = super::print::KCACHES.map(|[mode, ..]| match flow.inst.get(mode) {
            0 => 0,
            1 => 16,
            _ => 32,
        });
        let mut at = clause.extent.at;
        let mut address = false;
        let (mut file, mut cache) = (false, false);
        for group in groups {
            let mut sets_address = false;
            let mut sets_predicate = 0;
            let mut kills = 0;
            let mut farthest = None;
            let mut reduces = false;
            for (n, inst) in group.insts().iter().enumerate() {
                let place = at + n as u32;
                let Some(row) = inst.row else {
                    self.error(place, format!("{} has no ALU instruction of this opcode", self.machine.name()));
                    continue;
                };
                match row.does {
                    Does::MoveAddress(_) => sets_address = true,
                    Does::Kill(..) => kills += 1,
                    does if does.sets_predicate() => sets_predicate += 1,
                    _ => {}
                }
                let mut indexed = inst.is(alu_op2::DST_REL);
                let reads = inst.reads();
                for n in 0..reads.count {
                    let source = reads.get(n);
                    indexed |= source.rel;
                    // Nothing is to be said of registers, results and numbers.
                    if (super::print::TEMPORARIES..sel::ZERO).contains(&source.sel) {
                        self.source(place, source, locks);
                        cache |= (sel::KCACHE0..192).contains(&source.sel);
                    }
                    file |= source.sel >= sel::CFILE;
                }
                if indexed && inst.get(alu_op2::INDEX_MODE) < 4 && !address {
                    self.error(place, "AR is read, but no group before it in this clause writes it");
                }
                let slot = group.slot(n);
                if slot.is_some() && slot < farthest {
                    self.warning(place, "the slots of a group stand in the order x, y, z, w, t");
                }
                farthest = farthest.max(slot);
                let units = row.units(self.machine.chip);
                reduces |= units == Units::Reduction;
                if slot.is_none() {
                    let why =
                        if units == Units::Trans { "only t can do it, and t is taken" } else { "its slots are taken" };
                    self.warning(place, format!("no slot is left for {}: {why}", row.name));
                }
            }
            address |= sets_address;
            if sets_predicate > 1 {
                self.error(at, "a group sets one predicate");
            }
            if sets_predicate > 0 && kills > 0 {
                self.error(at, "a group sets a predicate or kills, not both");
            }
            if reduces {
                self.reduction(at, group);
            }
            if !group.is_closed() {
                self.error(at, "the group has no last instruction");
            }
            if group.literal_words < group.literals_needed {
                self.error(at, "literals of the group are not in its clause");
            }
            if let Err(message) = read_ports(self.machine, group) {
                self.warning(at, message);
            }
            at += group.size();
        }
        if file && cache {
            self.error(flow.at, "a clause reads the constant file or constant caches, not both");
        }
    }

    fn source(&mut self, at: u32, source: Source, locks: [u32; 2]) {
        for (n, first) in [sel::KCACHE0, sel::KCACHE1].into_iter().enumerate() {
            if (first..first + 32).contains(&source.sel) && source.sel - first >= locks[n] {
                let have = if locks[n] == 0 { "locks none".to_owned() } else { format!("locks {}", locks[n]) };
                self.error(
                    at,
                    format!("KC{n}[{}] is read, but the clause {have} of them: see KCACHE{n}", source.sel - first),
                );
            }
        }
        if (192..sel::ZERO).contains(&source.sel) {
            self.error(at, format!("the select {} means nothing", source.sel));
        }
        if source.rel && (super::print::TEMPORARIES..128).contains(&source.sel) {
            self.warning(at, "clause temporaries have no index");
        }
    }

    /// A reduction takes all four vector units, which do the same.
    fn reduction(&mut self, at: u32, group: &Group) {
        let chip = self.machine.chip;
        let reduces = |inst: &Inst<2>| inst.row.is_some_and(|row| row.units(chip) == Units::Reduction);
        let Some(first) = group.insts().iter().find(|inst| reduces(inst)) else { return };
        let same = |inst: &Inst<2>| {
            inst.row == first.row
                && inst.is(alu_op2::CLAMP) == first.is(alu_op2::CLAMP)
                && inst.output_modifier(chip) == first.output_modifier(chip)
        };
        let vector = &Slot::ALL[..4];
        if !vector.iter().all(|slot| group.in_slot(*slot).is_some_and(same)) {
            let name = first.row.map_or("it", |row| row.name);
            self.error(at, format!("{name} takes the slots x, y, z and w, with the same modifiers"));
        }
    }
}

fn may_be_conditional(does: Does) -> bool {
    super::print::has_target(does) || matches!(does, Does::Return | Does::CallFetch)
}

/// What is read in the three cycles of a group.
#[derive(Clone)]
struct Ports {
    /// The register that is read for each element in each cycle, or [`FREE`].
    registers: [[u32; 4]; 3],
    /// Constants, as far as they take room, and how many they are.
    constants: [(u32, u32); 4],
    taken: usize,
}

/// No register.
const FREE: u32 = u32::MAX;

impl Ports {
    /// Nothing is read.
    const NONE: Ports = Ports { registers: [[FREE; 4]; 3], constants: [(0, 0); 4], taken: 0 };

    #[inline]
    fn register(&mut self, cycle: u8, source: Source) -> bool {
        let port = &mut self.registers[usize::from(cycle)][source.elem as usize & 3];
        let before = std::mem::replace(port, source.sel);
        before == FREE || before == source.sel
    }

    /// R600 reads four constants a group, R700 two pairs of neighbours.
    fn constant(&mut self, chip: Chip, source: Source) -> bool {
        let (room, wanted) = match chip {
            Chip::R600 => (4, (source.sel, source.elem)),
            Chip::R700 => (2, (source.sel, source.elem / 2)),
        };
        if self.constants[..self.taken].contains(&wanted) {
            return true;
        }
        if self.taken == room {
            return false;
        }
        self.constants[self.taken] = wanted;
        self.taken += 1;
        true
    }

    /// Takes what an instruction reads; whether there was room.
    fn take(&mut self, machine: Machine, inst: &Inst<2>, slot: Slot, swizzle: u32) -> Result<(), &'static str> {
        let reads = inst.reads();
        let mut constants = 0;
        for n in 0..reads.count {
            let source = reads.get(n);
            // Most are registers.
            if source.sel < sel::KCACHE0 {
                continue;
            }
            let read = is_constant(source.sel);
            constants += u8::from(read || (sel::ZERO..=sel::LITERAL).contains(&source.sel));
            if read && !self.constant(machine.chip, source) {
                return Err("more constants are read than a group can read");
            }
        }
        let cycles = if slot == Slot::T {
            if constants > 2 {
                return Err("t reads two constants of any kind");
            }
            SCALAR_CYCLES.get(swizzle as usize).copied()
        } else {
            VECTOR_CYCLES.get(swizzle as usize).copied()
        };
        let Some(cycles) = cycles else { return Err("there is no such bank swizzle") };
        let first = reads.get(0);
        for (n, cycle) in cycles.into_iter().enumerate().take(reads.count) {
            let source = reads.get(n);
            let again = slot != Slot::T && n == 1 && (source.sel, source.elem) == (first.sel, first.elem);
            if source.sel >= sel::KCACHE0 || again {
                continue;
            }
            if slot == Slot::T && cycle < constants {
                return Err("t reads its constants first: a register comes in a cycle behind them");
            }
            if !self.register(cycle, source) {
                return Err("two registers are read for one element in one cycle");
            }
        }
        Ok(())
    }
}

fn is_constant(sel: u32) -> bool {
    (sel::KCACHE0..192).contains(&sel) || sel >= sel::CFILE
}

/// Whether all sources of a group can be read.
fn read_ports(machine: Machine, group: &Group) -> Result<(), String> {
    let mut ports = Ports::NONE;
    for (n, inst) in group.insts().iter().enumerate() {
        let Some(slot) = group.slot(n) else { continue };
        ports.take(machine, inst, slot, inst.get(alu_op2::BANK_SWIZZLE)).map_err(|why| {
            let hint = if find_swizzles(machine, group).is_some() { "; other bank swizzles do" } else { "" };
            format!("slot {}: {why}{hint}", slot.letter())
        })?;
    }
    Ok(())
}

/// Bank swizzles with which a group reads all its sources, the first ones in the order of their numbers.
#[must_use]
pub fn find_swizzles(machine: Machine, group: &Group) -> Option<Vec<u32>> {
    let mut found = Vec::new();
    search(machine, group, &Ports::NONE, &mut found).then_some(found)
}

fn search(machine: Machine, group: &Group, ports: &Ports, found: &mut Vec<u32>) -> bool {
    let n = found.len();
    let Some(inst) = group.insts().get(n) else { return true };
    let slot = group.slot(n);
    let choices = if slot == Some(Slot::T) { SCALAR_CYCLES.len() } else { VECTOR_CYCLES.len() };
    for swizzle in 0..choices as u32 {
        let mut next = ports.clone();
        if slot.is_none_or(|slot| next.take(machine, inst, slot, swizzle).is_ok()) {
            found.push(swizzle);
            if search(machine, group, &next, found) {
                return true;
            }
            found.pop();
        }
    }
    false
}

/// How many entries of the stack a program takes at most: four quarters for a loop, one for a push, and two more once there is one.
#[must_use]
pub fn stack_entries(program: &Program) -> u32 {
    let (mut loops, mut pushes, mut most, mut calls) = (0u32, 0u32, 0, false);
    let mut any = false;
    for flow in &program.flow {
        let Some(does) = flow.inst.does() else { continue };
        match does {
            Does::LoopStart(_) => loops += 1,
            Does::LoopEnd => loops = loops.saturating_sub(1),
            Does::Push | Does::PushElse | Does::AluClause(Around::PushBefore | Around::ElseAfter) => {
                pushes += 1;
                any = true;
            }
            Does::Pop => pushes = pushes.saturating_sub(flow.inst.get(cf::POP_COUNT)),
            Does::CallFetch | Does::Call => calls = true,
            _ => {}
        }
        most = most.max(4 * loops + pushes + if any { 2 } else { 0 });
        match does {
            Does::AluClause(Around::PopAfter) => pushes = pushes.saturating_sub(1),
            Does::AluClause(Around::Pop2After) => pushes = pushes.saturating_sub(2),
            _ => {}
        }
    }
    most.div_ceil(4).max(u32::from(calls))
}
