//! Groups whose results change places with registers leave what groups leave whose results are copied.
//!
//! With a mistake planted, the emulator takes no short way: results are kept and copied. The one that is planted here is of layers, which
//! no program of the ALU has. Clauses are random, and exchange the same few registers in all orders.

use super::words;
use wavediff::r600::Machine;
use wavediff::r600::emu::mistakes::Mistake;
use wavediff::r600::emu::{Setup, Stage, run};

/// Numbers that are the same in every run, the index that the operands of a program have, and whether it has predicates.
struct Random(u64, &'static str, bool);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 40) as u32) % end
    }

    fn of<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len() as u32) as usize]
    }

    fn source(&mut self, signs: bool) -> String {
        let from = match self.below(8) {
            0 => "PS".to_owned(),
            1 | 2 => format!("PV.{}", self.of(&["x", "y", "z", "w"])),
            3 => self
                .of(&["1.0", "0", "0.5", "2.5", "C[1].y", "KC0[2].z", "index"])
                .replace("index", &format!("R[1+{}].x", self.1)),
            _ => format!("R{}.{}", self.below(2), self.of(&["x", "y", "z", "w"])),
        };
        match self.below(if signs { 6 } else { 1 }) {
            1 => format!("-{from}"),
            2 => format!("|{from}|"),
            3 => format!("-|{from}|"),
            _ => from,
        }
    }

    fn slot(&mut self, letter: &str) -> String {
        let element = if letter == "t" { self.of(&["x", "y", "z", "w"]) } else { letter };
        let written = format!("R{}.{element}", self.below(2));
        let masked = format!("__.{element}");
        let to = if self.below(4) == 0 { &masked } else { &written };
        let when = if self.2 { self.of(&["", "", "", "", " PRED_ONE", " PRED_ZERO"]) } else { "" };
        let op = match self.below(8) {
            0 => {
                return format!(
                    "{letter}: MULADD {written}, {}, {}, {}{when}",
                    self.source(false),
                    self.source(false),
                    self.source(false)
                );
            }
            1 if self.2 => {
                return format!(
                    "{letter}: PRED_SETGT {masked}, {}, {} UPDATE_PRED",
                    self.source(true),
                    self.source(true)
                );
            }
            2 => return format!("{letter}: MOV {to}, {}{when}", self.source(true)),
            3 => "ADD*2",
            4 => "MAX",
            5 => "MUL/2",
            _ => "ADD",
        };
        let clamp = self.of(&["", " CLAMP"]);
        format!("{letter}: {op} {to}, {}, {}{when}{clamp}", self.source(true), self.source(true))
    }

    fn group(&mut self) -> String {
        if self.below(6) == 0 {
            let dots = ["x", "y", "z", "w"].map(|slot| {
                let to = if self.below(2) == 0 { format!("R{}.{slot}", self.below(2)) } else { format!("__.{slot}") };
                format!("{slot}: DOT4 {to}, {}, {}\n", self.source(true), self.source(true))
            });
            return dots.concat();
        }
        let mut taken = Vec::new();
        for slot in ["x", "y", "z", "w", "t"] {
            // What goes to t finds the slot of its element taken.
            if slot == "t" && taken.len() < 4 || slot != "t" && self.below(6) == 0 {
                continue;
            }
            taken.push(self.slot(slot) + "\n");
        }
        if taken.is_empty() { "x: NOP ____\n".to_owned() } else { taken.concat() }
    }
}

#[test]
fn exchanged_results_are_those_that_copies_leave() {
    let mut random = Random(1, "aL", false);
    let (mut ran, mut wrong) = (0, Vec::new());
    for n in 0..600 {
        random.1 = random.of(&["aL", "AR.x"]);
        random.2 = n % 4 == 0;
        let groups: String = (0..8).map(|n| format!("{n} {}", random.group())).collect();
        let text = format!(
            ".unchecked\nALU: KCACHE0(CB0:0-15)\n0 x: MOVA_INT __.x, R0.w\n{groups}EXPORT_DONE: PIX0, R0.xyzw EOP\n"
        );
        let words = words(Machine::R600, "groups", &text);
        let mut setup = Setup::new(Machine::R600, Stage::Ps, if n % 2 == 0 { 64 } else { 12 });
        setup.valid = if n % 3 == 0 { 0x0f0f_00ff_0ff0_f0f3 } else { u64::MAX };
        setup.file = vec![[0x3f80_0000, 0x4000_0000, 0, 0]; 2];
        setup.banks.insert(0, vec![0x3fc0_0000; 64]);
        for gpr in 0..5u32 {
            let lanes =
                (0..64u32).map(|lane| [0, 1, 2, 3].map(|n| ((lane as f32 - 20.0) / (1 + gpr + n) as f32).to_bits()));
            setup.gprs.insert(gpr, lanes.map(|[x, y, z, _]| [x, y, z, n % 2]).collect());
        }
        let short = run(&words, &setup);
        setup.mistake = Some(Mistake::FirstLayer);
        let long = run(&words, &setup);
        ran += u32::from(long.is_ok());
        // Lanes that do not execute, and are none, read nothing of PV and PS.
        if short != long {
            wrong.push(text);
        }
    }
    assert!(ran > 500, "{ran} programs run");
    assert!(wrong.is_empty(), "{} of {ran}; the first:\n{}", wrong.len(), wrong[0]);
}
