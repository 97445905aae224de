//! What a case changed: every place that is not as it was, with a digest of what is there now.
//!
//! Recordings keep this of a device. It is small, since an instruction changes few places; it names the place that differs; and it depends on nothing but
//! values: not on where in its program an instruction stood, on the addresses that its memory got, or on how something is said.

use super::digest::Digest;
use super::single::Left;
use crate::case::Export;
use crate::engine::{Memory, Outcome, Trap, TrapKind, WaveState};
use std::collections::BTreeMap;

/// Places by name: `v5`, `s3`, `vcc`, `pc`, `memory`, `trap`.
pub type Effects = BTreeMap<String, u32>;

/// The low half of a digest is enough to tell one value from another.
fn of_words(words: impl IntoIterator<Item = u64>) -> u32 {
    Digest::of_words(words) as u32
}

fn of_bytes(bytes: &[u8]) -> u32 {
    Digest::of_bytes(bytes) as u32
}

/// The registers of a wave as words, by name.
fn places(wave: &WaveState) -> impl Iterator<Item = (String, Vec<u64>)> + use<'_> {
    let whole = if wave.wave_size == 32 { u64::from(u32::MAX) } else { u64::MAX };
    let named = [
        ("exec", wave.exec & whole),
        ("vcc", wave.vcc),
        ("scc", wave.scc.into()),
        ("m0", wave.m0.into()),
        ("mode", wave.mode.into()),
        ("status", wave.status.into()),
    ];
    let lanes = wave.wave_size as usize;
    let named = named.map(|(name, word)| (name.to_owned(), vec![word])).into_iter();
    let scalar = [("s", &wave.sgprs[..]), ("ttmp", &wave.ttmps[..])].into_iter().flat_map(|(file, words)| {
        words.iter().enumerate().map(move |(n, word)| (format!("{file}{n}"), vec![u64::from(*word)]))
    });
    let vector = [("v", &wave.vgprs), ("a", &wave.agprs)].into_iter().flat_map(move |(file, registers)| {
        let words = move |register: &[u32; 64]| register[..lanes].iter().map(|word| u64::from(*word)).collect();
        registers.iter().enumerate().map(move |(n, register)| (format!("{file}{n}"), words(register)))
    });
    named.chain(scalar).chain(vector)
}

/// A trap: its kind by a number that stays its own, and its lane. The address and the words that say it depend on other things.
fn of_trap(trap: &Trap) -> u32 {
    let kind = match &trap.kind {
        TrapKind::Unsupported { .. } => 0,
        TrapKind::Budget { .. } | TrapKind::Watchdog(_) => 1,
        TrapKind::BadAddress { .. } => 2,
        TrapKind::Misaligned { .. } => 3,
        TrapKind::IllegalInstruction(_) => 4,
        TrapKind::BadRegister(_) => 5,
        TrapKind::BadPc => 6,
        TrapKind::Software(number) => 7 | u64::from(*number) << 8,
        TrapKind::Exception(bits) => 8 | u64::from(*bits) << 8,
        TrapKind::Halt => 9,
        TrapKind::Deadlock { .. } => 10,
    };
    of_words([kind, trap.lane.map_or(u64::MAX, u64::from)])
}

/// What an instruction changed that began in the program at a byte and has so many.
#[must_use]
pub fn of_single(before: &Left, after: &Left, (start, len): (u64, u64)) -> Effects {
    let mut all = Effects::new();
    if let Some(trap) = &after.trap {
        all.insert("trap".to_owned(), of_trap(trap));
    }
    match (&before.wave, &after.wave) {
        (Some(before), Some(after)) => {
            // An instruction that changes nothing else goes on behind itself.
            let went = after.pc.wrapping_sub(start);
            if went != len {
                all.insert("pc".to_owned(), went as u32);
            }
            for ((name, old), (_, new)) in places(before).zip(places(after)) {
                if old != new {
                    all.insert(name, of_words(new));
                }
            }
        }
        _ => _ = all.insert("no wave".to_owned(), 0),
    }
    all.extend(of_exports(&after.exports));
    for (old, new) in before.memory.iter().zip(&after.memory).filter(|(old, new)| old.bytes != new.bytes) {
        debug_assert_eq!(old.name, new.name);
        all.insert(new.name.clone(), of_bytes(&new.bytes));
    }
    all
}

/// What a whole case left: registers by name over all its waves, buffers, LDS, messages. Of one that trapped only the trap: how far other waves have come
/// by then is chance.
#[must_use]
pub fn of_outcome(outcome: &Outcome) -> Effects {
    if let Some(trap) = &outcome.trap {
        return Effects::from([("trap".to_owned(), of_trap(trap))]);
    }
    let mut digests: BTreeMap<String, Digest> = BTreeMap::new();
    for wave in &outcome.waves {
        for (name, words) in places(wave).chain([("pc".to_owned(), vec![wave.pc])]) {
            let digest = digests.entry(name).or_default();
            words.into_iter().for_each(|word| digest.word(word));
        }
    }
    let mut all: Effects = digests.into_iter().map(|(name, digest)| (name, digest.value() as u32)).collect();
    for (kind, memories) in [("buffer", &outcome.buffers), ("lds", &outcome.lds)] {
        for (n, Memory { name, bytes }) in memories.iter().enumerate() {
            all.insert(
                format!("{kind} {}", if name.is_empty() { n.to_string() } else { name.replace(' ', "-") }),
                of_bytes(bytes),
            );
        }
    }
    if !outcome.messages.is_empty() {
        let words = outcome.messages.iter().flat_map(|m| [u64::from(m.message), m.m0.into(), m.pc]);
        all.insert("messages".to_owned(), of_words(words));
    }
    all.extend(of_exports(&outcome.exports));
    all
}

/// Exports, by their numbers.
fn of_exports(exports: &[Export]) -> impl Iterator<Item = (String, u32)> + use<'_> {
    exports.iter().enumerate().map(|(n, export)| {
        let flags = [export.half, export.done, export.valid].map(u64::from);
        let head = [u64::from(export.target), export.enabled.into(), export.exec];
        let row = [export.row.map_or(u64::MAX, u64::from)];
        let lanes = export.lanes.iter().flatten().map(|word| u64::from(*word));
        (format!("export-{n}"), of_words(head.into_iter().chain(flags).chain(row).chain(lanes)))
    })
}

/// The places in which two effects are not alike.
#[must_use]
pub fn apart<'e>(a: &'e Effects, b: &'e Effects) -> Vec<&'e str> {
    let one = a.iter().filter(|(name, digest)| b.get(*name) != Some(digest)).map(|(name, _)| name.as_str());
    let other = b.keys().filter(|name| !a.contains_key(*name)).map(String::as_str);
    one.chain(other).collect()
}
