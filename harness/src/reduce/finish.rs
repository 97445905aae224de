//! A reduced case made ready for a folder: what it expects, and why it is there.

use super::Kind;
use crate::engines::Opened;
use wavediff::case::isa::Select;
use wavediff::case::value::{File, Lit, Place, Value};
use wavediff::case::{Case, Expect, Rule, What};
use wavediff::emu::engine::Emulator;
use wavediff::engine::Options;
use wavediff::engine::compare::{Difference, outcomes};
use wavediff::engine::stage::case::run_case;
use wavediff::engine::{Engine, EngineError, Outcome, TrapKind};
use wavediff::isa::Target;
use wavediff::isa::types::Ty;

/// Differences that are expected; more say nothing new.
const MOST: usize = 16;

/// The case with the emulator's values where the engines differ, and remarks.
pub fn finished(
    case: &Case,
    from: &Case,
    target: Target,
    [a, b]: [&Opened; 2],
    kind: &Kind,
) -> Result<Case, EngineError> {
    let own = Options::default();
    let options = Options { threads: own.threads, stats: own.stats, ..*a.options() };
    let right = Emulator { options }.run(case, target)?;
    // An engine that goes astray need not do so for long.
    let budget = (right.stats.wave_instructions * 4).max(1000);
    let run = |e: &Opened| run_case(e.runner(), &Options { budget: Some(budget), ..*e.options() }, case, target);
    let outcomes_of = [run(a)?, run(b)?];
    let differences = outcomes(case, target, &outcomes_of[0], &outcomes_of[1]);
    let mut done = case.clone();
    let astray = |o: &Outcome| o.trap.as_ref().is_some_and(|t| matches!(t.kind, TrapKind::Budget { .. }));
    if outcomes_of.iter().any(astray) {
        done.budget = Some(budget);
    }
    done.remarks = vec![format!("Reduced from {}: differs in {kind}.", from.name)];
    if let Some(first) = differences.first() {
        done.remarks.push(first.show(a.engine().name(), b.engine().name()));
    }
    done.source = Some("the emulator".to_owned());
    done.expect = expectations(target, &differences, &right);
    done.body.text = done.body.text.trim_end().to_owned();
    Ok(done)
}

fn expectations(target: Target, differences: &[Difference], right: &Outcome) -> Vec<Expect> {
    if let Some(trap) = &right.trap {
        let number = if let TrapKind::Software(n) = trap.kind { Some(n) } else { None };
        return vec![expect(What::Trap { kind: trap.kind.name(), number, at: None })];
    }
    let mut all: Vec<Expect> = Vec::new();
    let first = right.waves.first();
    for d in differences.iter().filter(|d| d.wave.is_none_or(|(group, wave)| group == [0; 3] && wave == 0)) {
        let value = |ty: Ty, bits: u64| Value::Lit(Lit { ty, bits });
        let single = match (&d.place[..], first) {
            ("vcc", Some(w)) => Some((Place::Vcc, value(Ty::U64, w.vcc))),
            ("exec", Some(w)) => Some((Place::Exec, value(Ty::U64, w.exec))),
            ("scc", Some(w)) => Some((Place::Scc, value(Ty::U32, w.scc.into()))),
            ("m0", Some(w)) => Some((Place::M0, value(Ty::U32, w.m0.into()))),
            ("mode", Some(w)) => Some((Place::Mode, value(Ty::U32, w.mode.into()))),
            (place, Some(w)) if d.wave.is_some() => register(place, w, target),
            (place, _) => memory(place, right),
        };
        let Some((place, value)) = single else { continue };
        let known = |e: &Expect| matches!(&e.what, What::Value { place: p, .. } if *p == place);
        if all.len() < MOST && !all.iter().any(known) {
            all.push(expect(What::Value { place, value, rule: Rule::default() }));
        }
    }
    all
}

fn expect(what: What) -> Expect {
    Expect { select: Select::default(), what }
}

/// A register as the emulator left it: all lanes of it.
fn register(place: &str, wave: &wavediff::engine::WaveState, target: Target) -> Option<(Place, Value)> {
    let number = |text: &str| text.parse::<u32>().ok();
    let lit = |bits: u32| Value::Lit(Lit { ty: Ty::U32, bits: bits.into() });
    let (file, n, value) = if let Some(n) = place.strip_prefix("ttmp").and_then(number) {
        (File::Trap, n, lit(wave.ttmps.get(n as usize).copied()?))
    } else if let Some(n) = place.strip_prefix('s').and_then(number) {
        (File::Scalar, n, lit(wave.sgpr(n)?))
    } else {
        let (file, registers) = match place.chars().next()? {
            'v' => (File::Vector, &wave.vgprs),
            'a' => (File::Accumulation, &wave.agprs),
            _ => return None,
        };
        let n = number(&place[1..])?;
        let lanes = &registers.get(n as usize)?[..wavediff::case::wave_size(target) as usize];
        let value = match lanes {
            [first, rest @ ..] if rest.iter().all(|v| v == first) => lit(*first),
            _ => {
                let used = lanes.iter().rposition(|v| *v != 0).map_or(1, |n| n + 1);
                Value::List(lanes[..used].iter().map(|bits| lit(*bits)).collect())
            }
        };
        (file, n, value)
    };
    // What a case cannot name, it cannot expect.
    (n < file.letters().1).then_some((Place::Regs { file, first: n, count: 1 }, value))
}

/// A word of a buffer or of LDS: `out[0x10]`.
fn memory(place: &str, right: &Outcome) -> Option<(Place, Value)> {
    let (name, offset) = place.strip_suffix(']')?.rsplit_once("[0x")?;
    let offset = u32::from_str_radix(offset, 16).ok()?;
    let of = |bytes: &[u8]| -> Option<Value> {
        let word =
            bytes.get(offset as usize..)?.iter().take(4).rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        Some(Value::List(vec![Value::Lit(Lit { ty: Ty::U32, bits: word })]))
    };
    if name == "lds" {
        return Some((Place::Lds(offset), of(&right.lds.first()?.bytes)?));
    }
    Some((Place::Buffer(name.to_owned(), offset), of(right.buffer(name)?)?))
}
