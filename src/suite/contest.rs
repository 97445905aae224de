//! Bytes that several lanes of one store write: nothing says which lane is the last.
//!
//! A device may let any of them win, byte by byte where accesses overlap in part. So a difference in memory is none if the byte has a value that
//! one of these lanes writes, which the emulator tells by running every lane alone.

use super::single::{Left, Ready};
use super::stage::{Inverted, Place, Variant};
use crate::emu::engine::Emulator;
use crate::engine::EngineError;
use crate::isa::does::Does;
use crate::program::{Flags, Step};

/// Whether what an engine left differs from what is expected in nothing but bytes that several lanes of a store write, each with a value of one of them.
///
/// # Errors
/// The emulator fails.
pub fn contested(ready: &Ready<'_>, place: Place, expected: &Left, got: &Left) -> Result<bool, EngineError> {
    let step = &ready.program.steps[ready.starts[place.single as usize] as usize];
    let stores = step.memory.as_ref().is_some_and(|access| access.atomic.is_none());
    if !stores
        || (&expected.wave, &expected.trap) != (&got.wave, &got.trap)
        || expected.memory.len() != got.memory.len()
    {
        return Ok(false);
    }
    // From memories that are each other's complements: what is equal behind them is what the lane wrote.
    let alone = |only: u64, inverted: Inverted| {
        ready.run_so(&Emulator::default(), &[place], Variant { only, inverted }).map(|mut left| left.pop())
    };
    let mut lanes = Vec::new();
    for lane in 0..ready.batch.lanes {
        lanes.extend(alone(1 << lane, Inverted::default())?.zip(alone(1 << lane, written_by(step))?));
    }
    for (n, (a, b)) in expected.memory.iter().zip(&got.memory).enumerate() {
        for (at, (a, b)) in a.bytes.iter().zip(&b.bytes).enumerate() {
            if a == b {
                continue;
            }
            let byte = |left: &Left| left.memory.get(n).and_then(|memory| memory.bytes.get(at)).copied();
            let written = |(one, other): &(Left, Left)| byte(one).filter(|v| Some(*v) == byte(other));
            let written: Vec<u8> = lanes.iter().filter_map(written).collect();
            if written.len() < 2 || !written.contains(b) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The memories that a step writes, or may write: of one that moves words from one to the other, not the one that they come from.
fn written_by(step: &Step) -> Inverted {
    let moves = step.memory.as_ref().is_some_and(|access| access.flags.contains(Flags::LDS));
    let loads = step.row.is_some_and(|row| matches!(row.does, Does::Load(_)));
    match (moves, loads) {
        (false, _) => Inverted { guest: true, lds: true },
        (true, true) => Inverted { guest: false, lds: true },
        (true, false) => Inverted { guest: true, lds: false },
    }
}
