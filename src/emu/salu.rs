//! Scalar instructions at run time: those that compute, and those that direct the wave.

use super::alg::{Exact, Fast};
use super::group::{Group, Sent, leave, trap};
use super::plan::{Run, Step};
use super::traps;
use super::wave::{Wave, slot};
use crate::engine::dispatch::{MAX_MESSAGES, too_many_messages};
use crate::engine::{Stop, TrapKind};
use crate::fault::planted;
use crate::isa::does::{Condition, Control, Does};
use crate::isa::sem::{self, Alg, Class, Meaning, Results, Shape, Signature, Sources, Visitor};
use crate::isa::symbols::hwreg::mode::{GPR_INDEX, VSKIP};
use crate::isa::symbols::sendmsg;
use crate::isa::{Gen, regs, symbols};
use crate::program::barrier::Barrier;
use crate::program::{self, FORKS, STOP};
use std::sync::OnceLock;

/// A meaning as a step's function.
struct Scalar {
    /// Its name.
    name: &'static str,
    /// The function.
    run: Run,
    /// The function where the result is the new EXEC, and the destination gets the old one, or the new one.
    with_exec: [Run; 2],
}

/// The functions of a meaning.
fn of(meaning: &Signature) -> Option<&'static Scalar> {
    static TABLE: OnceLock<Vec<Scalar>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = Builder(Vec::new());
        sem::scalar(&mut table);
        if cfg!(debug_assertions) {
            sem::wrong::scalar(&mut table);
        }
        table.0
    });
    match crate::fault::meaning(meaning.name) {
        name if name == meaning.name => table.get(meaning.number),
        wrong => table.iter().find(|scalar| scalar.name == wrong),
    }
}

impl Scalar {
    /// The function for a row.
    pub(super) fn run_for(&self, does: Does) -> Run {
        match does {
            Does::CombinesExec { saves: true } => self.with_exec[0],
            Does::CombinesExec { saves: false } => self.with_exec[1],
            _ => self.run,
        }
    }
}

struct Builder(Vec<Scalar>);

impl Visitor for Builder {
    fn visit<M: Meaning>(&mut self, name: &'static str) {
        let with_exec: [Run; 2] = [exec_with::<M, true>, exec_with::<M, false>];
        self.0.push(Scalar { name, run: compute::<M>, with_exec });
    }
}

/// The sources of a step.
struct Operands<'a> {
    wave: &'a Wave,
    step: &'a Step,
}

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Sources<A> for Operands<'_> {
    #[inline(always)]
    fn word(&self, n: usize) -> u32 {
        self.wave.s[self.step.src[n] as usize]
    }
    #[inline(always)]
    fn pair(&self, n: usize) -> u64 {
        self.wave.pair(self.step.src[n] as usize)
    }
    #[inline(always)]
    fn quad(&self, _: usize) -> [u32; 4] {
        [0; 4]
    }
    #[inline(always)]
    fn bit(&self, _: usize) -> bool {
        self.wave.scc
    }
}

/// Where the results of a step go.
struct Registers<'a> {
    wave: &'a mut Wave,
    dst: usize,
}

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Results<A> for Registers<'_> {
    #[inline(always)]
    fn word(&mut self, v: u32) {
        self.wave.s[self.dst] = v;
    }
    #[inline(always)]
    fn pair(&mut self, v: u64) {
        self.wave.set_pair(self.dst, v);
    }
    #[inline(always)]
    fn quad(&mut self, _: [u32; 4]) {}
    #[inline(always)]
    fn bit(&mut self, v: bool) {
        self.wave.scc = v;
    }
}

/// An instruction that computes.
fn compute<M: Meaning>(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    if M::FLOAT {
        let env = wave.env.clone();
        let args = M::Args::read::<Exact<'_>>(&Operands { wave, step }, 0);
        let result = M::eval(&Exact::new(&env, 0), args);
        M::Ret::write::<Exact<'_>>(result, &mut Registers { wave, dst: step.dst as usize });
        wave.env.raised.set(env.raised.get());
    } else {
        let args = M::Args::read::<Fast<false>>(&Operands { wave, step }, 0);
        let result = M::eval(&Fast::<false>::new(0), args);
        M::Ret::write::<Fast<false>>(result, &mut Registers { wave, dst: step.dst as usize });
    }
    step.next
}

/// Combines a mask with EXEC; the destination gets the old EXEC (`saveexec`) or the new one (`wrexec`).
fn exec_with<M: Meaning, const SAVE: bool>(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let wide = M::Args::CLASSES.first() == Some(&Class::U64);
    let dst = step.dst as usize;
    let old = wave.pair(slot::EXEC);
    let operands = WithExec { wave, src: step.src[0] as usize };
    let args = M::Args::read::<Fast<false>>(&operands, 0);
    let mut new = Pair(0);
    M::Ret::write::<Fast<false>>(M::eval(&Fast::<false>::new(0), args), &mut new);
    let to = if SAVE && !planted!(SaveexecNew) || !SAVE && planted!(WrexecOld) { old } else { new.0 };
    if wide {
        wave.set_pair(dst, to);
        wave.set_pair(slot::EXEC, new.0);
    } else {
        wave.s[dst] = to as u32;
        wave.s[slot::EXEC] = new.0 as u32;
    }
    wave.scc = if planted!(SaveexecSccOld) { old != 0 } else { new.0 != 0 };
    step.next
}

/// A source, and EXEC behind it.
struct WithExec<'a> {
    wave: &'a Wave,
    src: usize,
}

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Sources<A> for WithExec<'_> {
    fn word(&self, n: usize) -> u32 {
        self.wave.s[if n == 0 { self.src } else { slot::EXEC }]
    }
    fn pair(&self, n: usize) -> u64 {
        self.wave.pair(if n == 0 { self.src } else { slot::EXEC })
    }
    fn quad(&self, _: usize) -> [u32; 4] {
        [0; 4]
    }
    fn bit(&self, _: usize) -> bool {
        self.wave.scc
    }
}

/// A result of one or two words.
struct Pair(u64);

impl<A: Alg<W = u32, D = u64, Q = [u32; 4], C = bool>> Results<A> for Pair {
    fn word(&mut self, v: u32) {
        self.0 = u64::from(v);
    }
    fn pair(&mut self, v: u64) {
        self.0 = v;
    }
    fn quad(&mut self, _: [u32; 4]) {}
    fn bit(&mut self, _: bool) {}
}

/// The function of a scalar instruction: that of its meaning, or what directs the wave.
pub(super) fn run(step: &program::Step) -> Option<Run> {
    match step.meaning {
        Some(meaning) => Some(of(meaning)?.run_for(step.does()?)),
        None => control(step.does()?),
    }
}

fn control(does: Does) -> Option<Run> {
    Some(match does {
        Does::Idle(_) => nothing,
        Does::Control(control) => match control {
            Control::End => end,
            Control::Halt => traps::halt,
            Control::Trap => traps::requested,
            Control::TrapReturn => traps::leave,
            Control::CodeEnd => super::group::illegal,
            Control::Branch(Condition::Always) => branch,
            Control::Branch(Condition::Scc(false)) => branch_scc0,
            Control::Branch(Condition::Scc(true)) => branch_scc1,
            Control::Branch(Condition::VccZero(true)) => branch_vccz,
            Control::Branch(Condition::VccZero(false)) => branch_vccnz,
            Control::Branch(Condition::ExecZero(true)) => branch_execz,
            Control::Branch(Condition::ExecZero(false)) => branch_execnz,
            // There is no debugger, whose conditions are false.
            Control::Branch(Condition::Debugger) => nothing,
            Control::BarrierSignal { asks_first: false } => barrier_signal::<false>,
            Control::BarrierSignal { asks_first: true } => barrier_signal::<true>,
            Control::BarrierState => barrier_state,
            Control::Barrier => barrier,
            Control::BarrierLeave => barrier_leave,
            Control::Send => send,
            Control::SendAndHalt => send_and_halt,
            Control::SendReturn { wide: false } => send_return::<false>,
            Control::SendReturn { wide: true } => send_return::<true>,
            Control::GetPc => getpc,
            Control::SetPc => setpc,
            Control::SwapPc => swappc,
            Control::Call => call,
            Control::MoveRelativeSource { words: 2 } => movrels::<2>,
            Control::MoveRelativeSource { .. } => movrels::<1>,
            Control::MoveRelativeDestination { words: 2 } => movreld::<2>,
            Control::MoveRelativeDestination { .. } => movreld::<1>,
            Control::MoveRelativeBoth => movrelsd_2,
            Control::GetReg => getreg,
            Control::SetReg => setreg,
            Control::RoundMode => round_mode,
            Control::DenormMode => denorm_mode,
            Control::ForkToRegister => fork_to_register,
            Control::ForkToLabel => fork_to_label,
            Control::Join => join,
            Control::SubvectorBegin => subvector_begin,
            Control::SubvectorEnd => subvector_end,
            Control::SetVskip => setvskip,
            Control::GprIndexOn => gpr_idx_on,
            Control::GprIndexOff => gpr_idx_off,
            Control::GprIndex => gpr_idx_idx,
            Control::GprIndexMode => gpr_idx_mode,
        },
        _ => return None,
    })
}

fn nothing(_: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    step.next
}

fn end(wave: &mut Wave, _: &Step, _: &mut Group<'_>) -> u32 {
    wave.stop = Some(Stop::End);
    STOP
}

fn jump(wave: &mut Wave, step: &Step, group: &Group<'_>, taken: bool) -> u32 {
    if !taken {
        return step.next;
    }
    if step.target as usize >= group.program.steps.len() {
        return leave(wave, branch_address(step, group));
    }
    if planted!(BranchFromItself) { step.target - 1 } else { step.target }
}

/// Where a branch leads, whether there is code or not.
fn branch_address(step: &Step, group: &Group<'_>) -> u64 {
    group.program.address_of(step.next).wrapping_add((i64::from(step.imm as i32) * 4) as u64)
}

fn branch(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    jump(wave, step, group, true)
}
fn branch_scc0(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    jump(wave, step, group, !wave.scc)
}
fn branch_scc1(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    jump(wave, step, group, wave.scc != planted!(BranchInverted))
}
fn branch_vccz(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let vcc = if planted!(VcczLowOnly) { u64::from(wave.s[slot::VCC]) } else { wave.mask_at(slot::VCC) };
    jump(wave, step, group, vcc == 0)
}
fn branch_vccnz(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    jump(wave, step, group, wave.mask_at(slot::VCC) != 0)
}
fn branch_execz(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let exec = if planted!(ExeczLowOnly) { u64::from(wave.s[slot::EXEC]) } else { wave.exec() };
    jump(wave, step, group, exec == 0)
}
fn branch_execnz(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let high = wave.lanes == 32 && wave.s[slot::EXEC + 1] != 0 && planted!(ExecnzLooksHigh);
    jump(wave, step, group, wave.exec() != 0 || high)
}

/// A group of one wave does not wait.
fn barrier(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    match Barrier::of_wait(group.program.target.generation(), step.imm) {
        Barrier::Group if group.waves > 1 && !planted!(BarrierPassed) => {}
        _ => return step.next,
    }
    wave.stop = Some(Stop::Barrier);
    STOP
}

/// A wave has come to the barrier. The trap handler's is not the program's.
fn barrier_signal<const FIRST: bool>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let number = Barrier::of_signal(step.imm);
    let live = group.live;
    let split = group.split.as_mut().filter(|_| number == Barrier::Group || planted!(BarrierNumberIgnored));
    let first = split.is_some_and(|split| split.signal(live));
    if FIRST {
        wave.scc = first != planted!(BarrierFirstInverted);
    }
    step.next
}

/// A wave by itself is in no group and has no barrier.
fn barrier_state(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    wave.s[step.dst as usize] = group.split.map_or(0, |split| split.state(Barrier::of_signal(step.imm), group.live));
    step.next
}

fn barrier_leave(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    wave.scc = planted!(BarrierLeaveSetsScc);
    step.next
}

fn send(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    // Nobody hears this one: it tells the hardware that the vector registers are free.
    const DEALLOC_VGPRS: u32 = 3;
    if group.program.target.generation() >= Gen::Gfx11 && step.imm & 0xff == DEALLOC_VGPRS {
        return step.next;
    }
    let m0 = if planted!(MessageWithoutM0) { 0 } else { wave.m0() };
    if group.messages.len() >= MAX_MESSAGES {
        return trap(wave, too_many_messages());
    }
    group.messages.push(Sent { wave: wave.index, message: step.imm, m0, at: step.at });
    if sendmsg::answers_in_exec(group.program.target.generation(), step.imm) && !planted!(DoorbellUnanswered) {
        // There is no queue: its doorbell has the number 0.
        wave.set_exec(0);
    }
    step.next
}

/// What is sent is heard also if nobody resumes the wave.
fn send_and_halt(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    match send(wave, step, group) {
        STOP => STOP,
        next => traps::halt_at(wave, next),
    }
}

/// Asks for a value: no driver answers here, so every answer is 0 but the clock, and what a trap handler is told.
fn send_return<const WIDE: bool>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    if group.messages.len() >= MAX_MESSAGES {
        return trap(wave, too_many_messages());
    }
    group.messages.push(Sent { wave: wave.index, message: step.imm, m0: wave.m0(), at: step.at });
    const REALTIME: u32 = 0x83;
    let told = group.program.told_by_message(step.imm);
    let answer = told.unwrap_or_else(|| if step.imm & 0xff == REALTIME { wave.clock() } else { 0 });
    if WIDE {
        wave.set_pair(step.dst as usize, answer)
    } else {
        wave.s[step.dst as usize] = answer as u32
    }
    step.next
}

fn getpc(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let pc = group.program.read_pc(if planted!(GetpcOfItself) { step.at } else { step.next });
    wave.set_pair(step.dst as usize, pc);
    step.next
}

pub(super) fn go(wave: &mut Wave, group: &Group<'_>, address: u64) -> u32 {
    match group.program.step_at(address) {
        STOP => leave(wave, address),
        at => at,
    }
}

fn setpc(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let to = wave.pair(step.src[0] as usize);
    go(wave, group, to)
}

fn swappc(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let to = wave.pair(step.src[0] as usize);
    let back = group.program.address_of(step.next);
    if !planted!(SwappcLosesReturn) {
        wave.set_pair(step.dst as usize, back);
    }
    go(wave, group, to)
}

fn call(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let back = group.program.address_of(if planted!(CallReturnsToItself) { step.at } else { step.next });
    wave.set_pair(step.dst as usize, back);
    jump(wave, step, group, true)
}

/// A scalar register `index` behind another; none where that is no numbered register.
fn relative(group: &Group<'_>, first: u32, index: u32, dwords: u32) -> Option<usize> {
    // A sum of 32 bits.
    let at = first.wrapping_add(index);
    let count = u64::from(regs::sgpr_count(group.program.target.generation()));
    (u64::from(at) + u64::from(dwords) <= count).then_some(at as usize)
}

fn movrels<const DWORDS: u32>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    // Out of range, the first register is read.
    let beyond = if planted!(MovrelsBeyond) { slot::ZERO } else { 0 };
    let from = relative(group, step.src[0], wave.m0(), DWORDS).unwrap_or(beyond);
    // Both may name the same registers: all are read before any is written.
    wave.s.copy_within(from..from + DWORDS as usize, step.dst as usize);
    step.next
}

fn movreld<const DWORDS: u32>(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    if let Some(to) = relative(group, step.dst, wave.m0(), DWORDS) {
        let from = step.src[0] as usize;
        wave.s.copy_within(from..from + DWORDS as usize, to);
    }
    step.next
}

fn movrelsd_2(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let m0 = wave.m0();
    let bits = if planted!(Movrelsd2EightBits) { 0xff } else { 0x3ff };
    let from = relative(group, step.src[0], m0 & bits, 1).unwrap_or(0);
    if let Some(to) = relative(group, step.dst, m0 >> 16 & bits, 1) {
        wave.s[to] = wave.s[from];
    }
    step.next
}

/// The field of a hardware register that SIMM16 names: number, first bit, width.
fn hwreg(simm: u32) -> (u32, u32, u32) {
    let (id, first, width) = symbols::hwreg::unpack(simm);
    (id, first, if planted!(HwregWidthOff) { width - 1 } else { width })
}

fn ones(width: u32) -> u32 {
    if width >= 32 { u32::MAX } else { (1 << width) - 1 }
}

fn getreg(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let (id, first, width) = hwreg(step.imm);
    let v = super::hwreg::read(wave, group, id);
    wave.s[step.dst as usize] = v >> if planted!(GetregUnshifted) { 0 } else { first } & ones(width);
    step.next
}

fn setreg(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    // The immediate is the register; the value is the other source.
    let simm = wave.s[step.src[0] as usize];
    let v = wave.s[step.src[1] as usize];
    let (id, first, width) = hwreg(simm);
    let mask = ones(width) << first;
    let old = super::hwreg::read(wave, group, id);
    let old = if planted!(SetregUnmasked) { 0 } else { old };
    super::hwreg::write(wave, group, id, old & !mask | v << first & mask);
    step.next
}

fn round_mode(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let bits = if planted!(RoundModeSingle) { 3 } else { 0xf };
    wave.set_mode(wave.env.mode & !bits | step.imm & bits);
    step.next
}

fn denorm_mode(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let bits = if planted!(DenormModeSingle) { 3 } else { 0xf };
    wave.set_mode(wave.env.mode & !(bits << 4) | (step.imm & bits) << 4);
    step.next
}

/// The mask and the target are registers.
fn fork_to_register(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let (mask, target) = (wave.pair(step.src[0] as usize), wave.pair(step.src[1] as usize));
    fork(wave, step, group, mask, target)
}

/// The mask is a register; the target is relative.
fn fork_to_label(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let mask = wave.pair(step.dst as usize);
    fork(wave, step, group, mask, branch_address(step, group))
}

/// Splits EXEC: the larger side is put on a stack in scalar registers, the smaller one runs first.
fn fork(wave: &mut Wave, step: &Step, group: &Group<'_>, mask: u64, target: u64) -> u32 {
    let exec = wave.exec();
    let (pass, fail) = (mask & exec, !mask & exec);
    let behind = group.program.address_of(step.next);
    // Also where nothing is active.
    if pass == exec {
        return go(wave, group, target);
    }
    if fail == exec {
        return step.next;
    }
    if wave.fork_depth >= FORKS {
        return trap(wave, TrapKind::BadRegister("the stack of forks is full".to_owned()));
    }
    let passes_later = (fail.count_ones() < pass.count_ones()) != planted!(ForkLargerFirst);
    let (deferred, at, now, next) =
        if passes_later { (pass, target, fail, behind) } else { (fail, behind, pass, target) };
    let entry = if planted!(ForkOverwrites) { 0 } else { 4 * wave.fork_depth as usize };
    wave.set_pair(entry, deferred);
    wave.set_pair(entry + 2, at);
    wave.fork_depth += 1;
    wave.set_exec(now);
    go(wave, group, next)
}

fn join(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    if wave.fork_depth == wave.s[step.src[0] as usize] || wave.fork_depth == 0 {
        return step.next;
    }
    wave.fork_depth -= 1;
    let entry = 4 * wave.fork_depth as usize;
    let (mask, to) = (wave.pair(entry), wave.pair(entry + 2));
    wave.set_exec(mask);
    go(wave, group, to)
}

/// The two halves of a wave of 64 lanes run a loop one after the other.
fn subvector_begin(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let s = step.src[0] as usize;
    let (low, high) = (wave.s[slot::EXEC], wave.s[slot::EXEC + 1]);
    if low == 0 && high == 0 {
        return jump(wave, step, group, true);
    }
    if low == 0 {
        wave.s[s] = 0;
    } else {
        if !planted!(SubvectorUnsaved) {
            wave.s[s] = high;
        }
        wave.s[slot::EXEC + 1] = 0;
    }
    step.next
}

fn subvector_end(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let s = step.src[0] as usize;
    if wave.s[slot::EXEC + 1] != 0 {
        wave.s[slot::EXEC] = wave.s[s];
    } else if wave.s[s] != 0 {
        wave.s[slot::EXEC + 1] = wave.s[s];
        wave.s[s] = wave.s[slot::EXEC];
        wave.s[slot::EXEC] = 0;
        return jump(wave, step, group, true);
    }
    step.next
}

fn setvskip(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    let set = wave.s[step.src[0] as usize] >> (wave.s[step.src[1] as usize] & 31) & 1;
    let set = if planted!(SetvskipInverted) { set ^ 1 } else { set };
    wave.set_mode(wave.env.mode & !(1 << VSKIP) | set << VSKIP);
    step.next
}

fn m0(group: &Group<'_>) -> usize {
    usize::from(regs::m0_code(group.program.target.generation()))
}

fn gpr_idx_on(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let index = wave.s[step.src[0] as usize] & 0xff;
    let at = m0(group);
    let roles = if planted!(IndexModeKept) { wave.s[at] >> 12 & 0xf } else { step.imm & 0xf };
    wave.s[at] = wave.s[at] & !0xf0ff | index | roles << 12;
    wave.set_mode(wave.env.mode | 1 << GPR_INDEX);
    step.next
}

fn gpr_idx_off(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    wave.set_mode(wave.env.mode & !(1 << GPR_INDEX));
    step.next
}

fn gpr_idx_idx(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let at = m0(group);
    wave.s[at] = wave.s[at] & !0xff | wave.s[step.src[0] as usize] & 0xff;
    step.next
}

fn gpr_idx_mode(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let at = m0(group);
    wave.s[at] = wave.s[at] & !0xf000 | (step.imm & 0xf) << 12;
    step.next
}
