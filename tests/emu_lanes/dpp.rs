//! DPP: every control, with row masks, bank masks, `bound_ctrl`, `fi` and EXEC, against ALU_FACTS
//! 13 and PITFALLS 8.
//!
//! The rule: a control names a source lane for each lane, or none. The value is that lane's, if
//! there is one and it is active, or `fi` fetches it. Else it is 0 with `bound_ctrl`, and without
//! the lane is not written. Masks keep lanes from being written.

use super::machine::{Machine, machines, mark, ramp};
use wavediff::emu::wave::slot;

/// The lane that a lane reads; `None` is beyond the row or the wave.
#[derive(Clone)]
enum Control {
    Quad([u32; 4]),
    /// Within rows of 16: up or down, out of range at the ends.
    RowShl(u32),
    RowShr(u32),
    RowRor(u32),
    /// Across the wave, by one.
    WaveShl,
    WaveRol,
    WaveShr,
    WaveRor,
    Mirror,
    HalfMirror,
    /// The last lane of the row before; lane 31 for the upper half.
    Bcast15,
    Bcast31,
    /// One lane of the own row: `row_share`, and `row_newbcast` of gfx90a.
    Share(&'static str, u32),
    Xmask(u32),
}

impl Control {
    fn text(&self) -> String {
        match self {
            Control::Quad([a, b, c, d]) => format!("quad_perm:[{a},{b},{c},{d}]"),
            Control::RowShl(n) => format!("row_shl:{n}"),
            Control::RowShr(n) => format!("row_shr:{n}"),
            Control::RowRor(n) => format!("row_ror:{n}"),
            Control::WaveShl => "wave_shl:1".into(),
            Control::WaveRol => "wave_rol:1".into(),
            Control::WaveShr => "wave_shr:1".into(),
            Control::WaveRor => "wave_ror:1".into(),
            Control::Mirror => "row_mirror".into(),
            Control::HalfMirror => "row_half_mirror".into(),
            Control::Bcast15 => "row_bcast:15".into(),
            Control::Bcast31 => "row_bcast:31".into(),
            Control::Share(name, n) => format!("{name}:{n}"),
            Control::Xmask(n) => format!("row_xmask:{n}"),
        }
    }

    fn source(&self, lane: u32, lanes: u32) -> Option<u32> {
        let (row, i) = (lane / 16 * 16, lane % 16);
        match *self {
            Control::Quad(quad) => Some(lane / 4 * 4 + quad[lane as usize % 4]),
            Control::RowShl(n) => (i + n < 16).then_some(lane + n),
            Control::RowShr(n) => (i >= n).then(|| lane - n),
            Control::RowRor(n) => Some(row + (i + 16 - n) % 16),
            Control::WaveShl => (lane + 1 < lanes).then_some(lane + 1),
            Control::WaveRol => Some((lane + 1) % lanes),
            Control::WaveShr => lane.checked_sub(1),
            Control::WaveRor => Some((lane + lanes - 1) % lanes),
            Control::Mirror => Some(row + 15 - i),
            Control::HalfMirror => Some(lane / 8 * 8 + 7 - lane % 8),
            Control::Bcast15 => row.checked_sub(1),
            Control::Bcast31 => (lane >= 32).then_some(31),
            Control::Share(_, n) => Some(row + n),
            Control::Xmask(n) => Some(row + (i ^ n)),
        }
    }
}

/// The controls of a processor.
fn controls(name: &str) -> Vec<Control> {
    use Control::*;
    let mut all = vec![Quad([3, 2, 1, 0]), Quad([0, 0, 2, 2]), Quad([1, 3, 0, 2]), Mirror, HalfMirror];
    all.extend([1, 2, 7, 15].into_iter().flat_map(|n| [RowShl(n), RowShr(n), RowRor(n)]));
    match name {
        "gfx803" | "gfx900" | "gfx908" => all.extend([WaveShl, WaveRol, WaveShr, WaveRor, Bcast15, Bcast31]),
        "gfx90a" | "gfx942" => {
            all.extend([WaveShl, WaveRol, WaveShr, WaveRor, Bcast15, Bcast31]);
            all.extend([0, 5, 15].map(|n| Share("row_newbcast", n)));
        }
        _ => {
            all.extend([0, 5, 15].map(|n| Share("row_share", n)));
            all.extend([1, 6, 15].map(Xmask));
        }
    }
    all
}

const NAMES: [&str; 8] = ["gfx803", "gfx900", "gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1200"];

/// Whether a processor knows `fi`.
fn has_fetch(name: &str) -> bool {
    name.starts_with("gfx1")
}

/// Row masks and bank masks.
const MASKS: [(u32, u32); 6] = [(15, 15), (10, 15), (15, 6), (5, 9), (0, 15), (15, 0)];

const EXEC: [u64; 5] = [u64::MAX, 0xaaaa_aaaa_aaaa_aaaa, 0x00ff_f00f_1234_7ffe, 1 << 16 | 1 << 15 | 1, 0];

/// A control with its masks and flags.
struct Dpp {
    control: Control,
    rows: u32,
    banks: u32,
    bound: bool,
    fetch: bool,
}

/// What becomes of a lane.
#[derive(Clone, Copy, PartialEq)]
enum Lane {
    Kept,
    Zero,
    From(u32),
}

impl Dpp {
    fn text(&self, name: &str) -> String {
        let bound = match (self.bound, name) {
            (false, _) => "",
            (true, "gfx1100" | "gfx1200") => " bound_ctrl:1",
            // The old way to write a set bit.
            (true, _) => " bound_ctrl:0",
        };
        let fetch = if self.fetch { " fi:1" } else { "" };
        format!("{} row_mask:{:#x} bank_mask:{:#x}{bound}{fetch}", self.control.text(), self.rows, self.banks)
    }

    /// What an active lane gets.
    fn lane(&self, lane: u32, lanes: u32, exec: u64) -> Lane {
        if self.rows >> (lane / 16) & 1 == 0 || self.banks >> (lane % 16 / 4) & 1 == 0 {
            return Lane::Kept;
        }
        match self.control.source(lane, lanes) {
            Some(from) if self.fetch || exec >> from & 1 != 0 => Lane::From(from),
            _ if self.bound => Lane::Zero,
            _ => Lane::Kept,
        }
    }
}

/// Every control with all that goes with it.
fn each(machine: Machine, mut run: impl FnMut(Dpp, u64)) {
    for control in controls(machine.name) {
        for (rows, banks) in MASKS {
            for bound in [false, true] {
                for fetch in [false, true] {
                    if fetch && !has_fetch(machine.name) {
                        continue;
                    }
                    for exec in EXEC {
                        run(Dpp { control: control.clone(), rows, banks, bound, fetch }, exec);
                    }
                }
            }
        }
    }
}

#[test]
fn values_and_masks() {
    for machine in machines(&NAMES) {
        each(machine, |dpp, exec| {
            let line = format!("v_mov_b32_dpp v1, v2 {}", dpp.text(machine.name));
            let wave = machine.run(&[&line], |wave| {
                (1..4).for_each(|register| ramp(wave, register));
                wave.set_exec(exec);
            });
            for lane in 0..machine.lanes {
                let active = exec >> lane & 1 != 0;
                let what = if active { dpp.lane(lane, machine.lanes, exec) } else { Lane::Kept };
                let expected = match what {
                    Lane::Kept => mark(1, lane as usize),
                    Lane::Zero => 0,
                    Lane::From(from) => mark(2, from as usize),
                };
                assert_eq!(wave.vgpr(1, lane as usize), expected, "{machine:?}: {line}, exec {exec:#x}: lane {lane}");
            }
        });
    }
}

/// The other source is the lane's own; the destination may be a source.
#[test]
fn one_source_of_two() {
    for machine in machines(&NAMES) {
        each(machine, |dpp, exec| {
            let line = format!("v_xor_b32_dpp v1, v1, v3 {}", dpp.text(machine.name));
            let wave = machine.run(&[&line], |wave| {
                (1..4).for_each(|register| ramp(wave, register));
                wave.set_exec(exec);
            });
            for lane in 0..machine.lanes {
                let active = exec >> lane & 1 != 0;
                let own = mark(3, lane as usize);
                let expected = match if active { dpp.lane(lane, machine.lanes, exec) } else { Lane::Kept } {
                    Lane::Kept => mark(1, lane as usize),
                    Lane::Zero => own,
                    Lane::From(from) => mark(1, from as usize) ^ own,
                };
                assert_eq!(wave.vgpr(1, lane as usize), expected, "{machine:?}: {line}, exec {exec:#x}: lane {lane}");
            }
        });
    }
}

/// A mask that a compare writes has no bit where the lane is masked or inactive.
#[test]
fn compares() {
    for machine in machines(&["gfx1100", "gfx1200"]) {
        each(machine, |dpp, exec| {
            let line = format!(
                "v_cmp_lt_u32_dpp vcc{}, v2, v3 {}",
                if machine.lanes == 32 { "_lo" } else { "" },
                dpp.text(machine.name)
            );
            let wave = machine.run(&[&line], |wave| {
                for lane in 0..machine.lanes as usize {
                    wave.set_vgpr(2, lane, lane as u32 * 5 % 16 + 1);
                    wave.set_vgpr(3, lane, 8);
                }
                wave.set_pair(slot::VCC, 0x5555_5555_5555_5555);
                wave.set_exec(exec);
            });
            let bit = |lane: u32| {
                let active = exec >> lane & 1 != 0;
                match dpp.lane(lane, machine.lanes, exec) {
                    Lane::From(from) => active && from * 5 % 16 + 1 < 8,
                    // Nothing is not below 8 where it is not looked at.
                    Lane::Zero => active,
                    Lane::Kept => false,
                }
            };
            let expected = (0..machine.lanes).fold(0, |all, lane| all | u64::from(bit(lane)) << lane);
            assert_eq!(wave.mask_at(slot::VCC), expected, "{machine:?}: {line}, exec {exec:#x}");
        });
    }
}

/// No masks: every active lane is written. An inactive source is 0, unless it is fetched.
#[test]
fn dpp8() {
    let orders =
        [[7, 6, 5, 4, 3, 2, 1, 0], [0, 0, 0, 0, 7, 7, 7, 7], [1, 2, 3, 4, 5, 6, 7, 0], [5, 0, 2, 7, 1, 6, 3, 4]];
    for machine in machines(&["gfx1030", "gfx1100", "gfx1200"]) {
        for order in orders {
            for (fetch, exec) in EXEC.into_iter().flat_map(|exec| [(false, exec), (true, exec)]) {
                let list = order.map(|n| n.to_string()).join(",");
                let line = format!("v_mov_b32_dpp v1, v2 dpp8:[{list}]{}", if fetch { " fi:1" } else { "" });
                let wave = machine.run(&[&line], |wave| {
                    (1..4).for_each(|register| ramp(wave, register));
                    wave.set_exec(exec);
                });
                for lane in 0..machine.lanes as usize {
                    let from = lane / 8 * 8 + order[lane % 8];
                    let expected = match (exec >> lane & 1 != 0, fetch || exec >> from & 1 != 0) {
                        (false, _) => mark(1, lane),
                        (true, true) => mark(2, from),
                        (true, false) => 0,
                    };
                    assert_eq!(wave.vgpr(1, lane), expected, "{machine:?}: {line}, exec {exec:#x}: lane {lane}");
                }
            }
        }
    }
}
