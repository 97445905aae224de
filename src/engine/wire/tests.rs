//! What is sent arrives, and nothing else is taken for an answer.

use super::*;
use crate::disasm;
use crate::disasm::Held;
use crate::isa::form::Table;
use crate::isa::{ARCHS, Target};
use proptest::collection::vec;
use proptest::prelude::*;

fn lanes() -> impl Strategy<Value = [u32; 64]> {
    (any::<u32>(), any::<u32>(), 0u32..6).prop_map(|(a, b, kind)| {
        std::array::from_fn(|lane| match (kind, lane) {
            (0, _) | (1, 32..) | (3, 32..) => 0,
            (1 | 2, _) => a,
            // One lane is another.
            (5, _) => {
                if lane as u32 == b % 64 {
                    b
                } else {
                    a
                }
            }
            _ => a.wrapping_mul(lane as u32 + 1) ^ b,
        })
    })
}

fn memory() -> impl Strategy<Value = Memory> {
    (".*", vec(any::<u8>(), 0..40)).prop_map(|(name, bytes)| Memory { name, bytes })
}

prop_compose! {
    fn wave()(
        place in any::<([u32; 3], u32, u32)>(),
        sgprs in vec(any::<u32>(), 0..5),
        vgprs in vec(lanes(), 0..5),
        agprs in vec(lanes(), 0..3),
        masks in any::<(u64, u64, bool, u64)>(),
        registers in any::<(u32, u32, u32, u32)>(),
        ttmps in any::<[u32; 16]>(),
    ) -> WaveState {
        let (group, index, wave_size) = place;
        let (vcc, exec, scc, pc) = masks;
        let (m0, mode, status, trapsts) = registers;
        WaveState { group, index, wave_size, sgprs, vgprs, agprs, vcc, exec, scc, m0, mode, status, trapsts, ttmps, pc }
    }
}

fn access() -> impl Strategy<Value = Access> {
    prop_oneof![Just(Access::Load), Just(Access::Store), Just(Access::Atomic), Just(Access::Fetch)]
}

fn held() -> impl Strategy<Value = Held> {
    (prop::sample::select(vec!["", "SIMM16", "DPP_CTRL"]), any::<u8>(), any::<u32>())
        .prop_map(|(name, bit, value)| Held { name, bit, value })
}

fn reason() -> impl Strategy<Value = Reason> {
    prop_oneof![
        Just(Reason::NoEncoding),
        any::<u32>().prop_map(|opcode| Reason::NoOpcode { format: "VOP3", opcode }),
        Just(Reason::NoForm("v_add_f32")),
        held().prop_map(|held| Reason::Reserved { row: "s_endpgm", held }),
        held().prop_map(|held| Reason::BadField { row: "ds_swizzle_b32", held }),
        Just(Reason::Truncated),
    ]
}

fn kind() -> impl Strategy<Value = TrapKind> {
    prop_oneof![
        (access(), any::<u32>()).prop_map(|(access, bytes)| TrapKind::BadAddress { access, bytes }),
        (access(), any::<u32>()).prop_map(|(access, align)| TrapKind::Misaligned { access, align }),
        reason().prop_map(TrapKind::IllegalInstruction),
        ".*".prop_map(TrapKind::BadRegister),
        Just(TrapKind::BadPc),
        any::<u64>().prop_map(|limit| TrapKind::Budget { limit }),
        any::<Duration>().prop_map(TrapKind::Watchdog),
        any::<u8>().prop_map(TrapKind::Software),
        any::<u32>().prop_map(TrapKind::Exception),
        Just(TrapKind::Halt),
        any::<(u32, u32)>().prop_map(|(waiting, waves)| TrapKind::Deadlock { waiting, waves }),
        ".*".prop_map(|needs| TrapKind::Unsupported { needs }),
    ]
}

prop_compose! {
    fn trap()(
        kind in kind(),
        place in any::<([u32; 3], u32, u64)>(),
        instruction in ".*",
        lane in any::<Option<u32>>(),
        address in any::<Option<u64>>(),
    ) -> Trap {
        let (group, wave, pc) = place;
        Trap { kind, group, wave, pc, instruction, lane, address }
    }
}

prop_compose! {
    fn observed()(
        files in vec(proptest::collection::btree_set(0u32..256, 0..4), 4),
        singles in 0u8..64,
        lanes in 0u32..=64,
        rows in vec(any::<u32>(), 0..20),
        there in vec(any::<u64>(), 0..3),
        lds in vec(any::<u8>(), 0..20),
        sizes in any::<(u32, u64)>(),
    ) -> Observed {
        let registers = std::array::from_fn(|n| files[n].iter().copied().collect());
        Observed { columns: Columns { registers, singles, lanes, lds: sizes.0 }, rows, there, lds, groups: sizes.1 }
    }
}

prop_compose! {
    fn export()(
        place in any::<([u32; 3], u32, u64)>(),
        what in any::<(u8, Option<u32>, u8, u64)>(),
        flags in any::<[bool; 3]>(),
        lanes in vec(any::<[u32; 4]>(), 0..65),
    ) -> Export {
        let ((group, wave, pc), (target, row, enabled, exec), [half, done, valid]) = (place, what, flags);
        Export { group, wave, pc, target, row, enabled, half, done, valid, exec, lanes }
    }
}

prop_compose! {
    fn outcome()(
        waves in vec(wave(), 0..3),
        observed in proptest::option::of(observed()),
        buffers in vec(memory(), 0..3),
        lds in vec(memory(), 0..3),
        exports in vec(export(), 0..3),
        messages in vec(any::<([u32; 3], u32, u64, u16, u32)>(), 0..3),
        trap in proptest::option::of(trap()),
        families in vec((0..FAMILIES.len(), any::<u64>()), 0..4),
        counts in any::<(u64, u64)>(),
        seconds in -1e300..1e300f64,
        ticks in any::<Option<u64>>(),
    ) -> Outcome {
        let message = |(group, wave, pc, message, m0)| Message { group, wave, pc, message, m0 };
        let families = families.into_iter().map(|(family, count)| (FAMILIES[family], count)).collect();
        let (wave_instructions, lane_operations) = counts;
        let paused = wave_instructions as u32;
        let stats = Stats { families, wave_instructions, lane_operations, paused, seconds, ticks };
        Outcome { waves, observed, buffers, lds, messages: messages.into_iter().map(message).collect(), exports, trap, stats }
    }
}

proptest! {
    #[test]
    fn outcomes_arrive(outcome in outcome()) {
        let bytes = encode(&Ok(outcome.clone()));
        let got = decode(&bytes).expect("an answer").expect("an outcome");
        prop_assert_eq!(got, outcome);
    }

    #[test]
    fn what_is_cut_or_goes_on_is_refused(outcome in outcome(), cut in any::<prop::sample::Index>(), more in any::<u8>()) {
        let mut bytes = encode(&Ok(outcome));
        prop_assert!(decode(&bytes[..cut.index(bytes.len())]).is_err());
        bytes.push(more);
        prop_assert!(decode(&bytes).is_err());
    }

    /// Whatever is changed, it is refused, or it is what another answer is written as.
    #[test]
    fn there_is_one_way_to_write_an_answer(
        outcome in outcome(), at in any::<prop::sample::Index>(), by in 1..=255u8,
    ) {
        let mut bytes = encode(&Ok(outcome));
        let at = at.index(bytes.len());
        bytes[at] ^= by;
        if let Ok(answer) = decode(&bytes) {
            prop_assert_eq!(encode(&answer), bytes);
        }
    }

    #[test]
    fn bytes_by_chance_do_no_harm(bytes in vec(any::<u8>(), 0..200)) {
        let with_version = [&VERSION.to_le_bytes()[..], &bytes].concat();
        for bytes in [bytes, with_version] {
            if let Ok(answer) = decode(&bytes) {
                prop_assert_eq!(encode(&answer), bytes);
            }
        }
    }
}

#[test]
fn errors_arrive() {
    let unsupported = || Unsupported { instruction: "image_load".to_owned(), needs: "images".to_owned() };
    for error in [
        unsupported().into(),
        EngineError::Absent { device: "vulkan:7".to_owned(), reason: "there are 2".to_owned() },
        EngineError::Timeout(Duration::from_millis(1500)),
        EngineError::Crash { device: "a".to_owned(), doing: "creating the pipeline", reason: "DEVICE_LOST".to_owned() },
    ] {
        let (status, text) = (error.status(), error.to_string());
        let got = decode(&encode(&Err(error))).expect("an answer").expect_err("an error");
        assert_eq!(got.status(), status);
        match got {
            EngineError::Crash { reason, .. } => assert_eq!(reason, "creating the pipeline: DEVICE_LOST"),
            got => assert_eq!(got.to_string(), text),
        }
    }
}

#[test]
fn another_version_is_refused() {
    let mut bytes = encode(&Ok(Outcome::default()));
    bytes[0] += 1;
    assert_eq!(decode(&bytes).expect_err("another version"), Broken::Version(VERSION + 1));
}

#[test]
fn families_have_their_numbers() {
    for (n, family) in (0..).zip(FAMILIES) {
        assert_eq!(family as u8, n);
    }
    assert!(gcn::rows().all(|row| FAMILIES.contains(&row.family)));
}

/// Every reason that decoding gives is one that can be read again.
#[test]
fn all_reasons_arrive() {
    let mut word = 0x1234_5677u32;
    for arch in ARCHS {
        let table = Table::of(Target::new(arch));
        for n in 0..4000u32 {
            word = word.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            let words = [word ^ word >> 15, n.wrapping_mul(0x9e37_79b9), 0];
            let Err(reason) = disasm::decode(table, &words) else { continue };
            let mut bytes = Vec::new();
            reason.put(&mut bytes);
            assert_eq!(Reason::get(&mut Reader::new(&bytes)), Ok(reason));
        }
    }
}
