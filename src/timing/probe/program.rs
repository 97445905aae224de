//! The program around a body: the clock, the wait for the last result, the rounds; and the header that makes a case of it.

use super::chain::Done;
use super::operands::{Bank, SCALARS, SCALARS_END};
use super::{Probe, chain};
use crate::case::value::File;
use crate::case::{Outcome, wave_size};
use crate::isa::{Gen, Target};

/// The scalar register that the program leaves its clocks in.
pub const CLOCKS: u32 = 4;

/// Rounds, the first of which brings the code to the caches.
pub const ROUNDS: u16 = 4;

/// How generations read the clock.
struct Clock {
    from: Gen,
    /// The reading into `{at}`, a pair of scalar registers.
    reads: &'static [&'static str],
    /// What is left of a difference: the clock may have fewer bits than a register.
    difference: &'static [&'static str],
}

/// The last row of an older or the same generation counts.
#[rustfmt::skip]
const READINGS: &[Clock] = &[
    Clock { from: Gen::Gfx6,  reads: &["s_memtime s[{lo}:{hi}]", "s_waitcnt lgkmcnt(0)"],                   difference: &[] },
    Clock { from: Gen::Gfx11, reads: &["s_getreg_b32 s{lo}, hwreg(HW_REG_SHADER_CYCLES, 0, 20)"], difference: &["s_and_b32 s7, s7, 0xfffff"] },
    Clock { from: Gen::Gfx12, reads: &["s_getreg_b32 s{lo}, hwreg(HW_REG_SHADER_CYCLES_LO)"],    difference: &[] },
];

/// Scalar registers below [`SCALARS`]: two pairs for the clock, the least difference, the rounds that are left, the last result, and a
/// difference.
const BEGIN: u32 = 0;
const END: u32 = 2;

/// The text of a reading into a pair.
fn reading(clock: &Clock, lo: u32) -> impl Iterator<Item = String> + '_ {
    clock.reads.iter().map(move |line| line.replace("{lo}", &lo.to_string()).replace("{hi}", &(lo + 1).to_string()))
}

/// A scalar instruction that waits for what is written last.
fn drain(body: &chain::Body, n: u32) -> Vec<String> {
    let first_lane = |from: &str| vec![format!("v_readfirstlane_b32 s6, {from}"), "s_mov_b32 s7, s6".to_owned()];
    match body.done {
        Done::Register(register) => {
            let last = register.of(n.saturating_sub(1)).word();
            match register.bank {
                Bank::Vector => first_lane(&last.to_string()),
                Bank::Accumulation => {
                    let mut lines = vec![format!("v_accvgpr_read_b32 v0, {last}")];
                    lines.extend(first_lane("v0"));
                    lines
                }
                Bank::Scalar => vec![format!("s_mov_b32 s7, {last}")],
            }
        }
        Done::Vcc => vec!["s_mov_b32 s7, vcc_lo".to_owned()],
        Done::Exec => vec!["s_mov_b32 s7, exec_lo".to_owned()],
        Done::Scc => vec!["s_cselect_b32 s7, s8, s9".to_owned()],
        Done::Nothing => first_lane("v0"),
    }
}

/// The lanes that were on at the start.
fn all_lanes(target: Target) -> String {
    if wave_size(target) == 32 { "s_mov_b32 exec_lo, -1" } else { "s_mov_b64 exec, -1" }.to_owned()
}

/// What a program measures, and what that needs around it.
pub(super) struct Frame {
    pub target: Target,
    /// Lines of the header of the case.
    pub header: Vec<String>,
    /// What each round does before the clock runs.
    pub ahead: Vec<String>,
    /// What it does while the clock runs, and how that is waited for.
    pub body: Vec<String>,
    pub drain: Vec<String>,
    /// What it does behind that.
    pub restore: Vec<String>,
}

/// The program of a probe, as the text of a case.
pub(super) fn source(probe: &Probe, n: u32, rounds: u16) -> String {
    let (target, body) = (probe.target, &probe.body);
    let (vectors, accumulation) = body.ends();
    let mut header = vec![format!("; s[{SCALARS}:{}] = 1.0", SCALARS_END + 1), format!("; v[0:{}] = 1.0", vectors - 1)];
    if accumulation > 0 {
        header.push(format!("; a[0:{}] = 1.0", accumulation - 1));
    }
    let restore = if body.exec { vec![all_lanes(target)] } else { Vec::new() };
    let (drain, body) = (drain(body, n), probe.copies(n));
    text(&Frame { target, header, ahead: Vec::new(), body, drain, restore }, rounds)
}

/// The text of a case: its header and its program.
pub(super) fn text(frame: &Frame, rounds: u16) -> String {
    let target = frame.target;
    let generation = target.generation();
    let clock = READINGS.iter().rev().find(|clock| clock.from <= generation).unwrap_or(&READINGS[0]);
    let mut lines = vec![format!("; isa: {}", target.arch.name), format!("; wave: {}", wave_size(target))];
    lines.extend_from_slice(&frame.header);
    let mattr = target.features.mattr();
    if !mattr.is_empty() {
        lines.push(format!("; mattr: {mattr}"));
    }
    lines.push(format!("; observe: s{CLOCKS}"));
    lines.push(format!("s_mov_b32 s{CLOCKS}, -1"));
    lines.push(format!("s_movk_i32 s5, {rounds}"));
    lines.push("round:".to_owned());
    lines.extend_from_slice(&frame.ahead);
    lines.extend(reading(clock, BEGIN));
    lines.extend_from_slice(&frame.body);
    lines.extend_from_slice(&frame.drain);
    lines.extend(reading(clock, END));
    lines.extend_from_slice(&frame.restore);
    lines.push(format!("s_sub_u32 s7, s{END}, s{BEGIN}"));
    lines.extend(clock.difference.iter().map(|line| (*line).to_owned()));
    lines.push(format!("s_min_u32 s{CLOCKS}, s{CLOCKS}, s7"));
    lines.push("s_sub_u32 s5, s5, 1".to_owned());
    lines.push("s_cmp_lg_u32 s5, 0".to_owned());
    lines.push("s_cbranch_scc1 round".to_owned());
    lines.push(String::new());
    lines.join("\n")
}

/// The clocks that a run of a measuring program took; nothing where it trapped, or did not keep [`CLOCKS`].
#[must_use]
pub fn clocks(outcome: &Outcome) -> Option<u64> {
    let left = match &outcome.observed {
        Some(observed) if observed.has(0) => observed.register(0, File::Scalar, CLOCKS, 0)?,
        _ => outcome.waves.first()?.sgpr(CLOCKS)?,
    };
    (outcome.trap.is_none() && left != u32::MAX).then_some(left.into())
}
