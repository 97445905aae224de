//! Branches and loops around an instruction that decides: nested, always forward or counted down, EXEC as it was behind them.

use super::code::{EXEC, LITERAL, VCC, Writer, int};
use super::draw::{self, Drawn};
use super::pool::SAVED;
use crate::isa::form::Form;
use crate::laws::Chance;

/// How deep conditions and loops are nested.
const DEPTH: u32 = 2;
/// The first counter, behind the saved masks.
const COUNTERS: u32 = SAVED + 2 * (DEPTH + 1);
/// What bodies are made of: cheap, and of every operand.
const BODIES: &[&str] = &[
    "v_xor_b32",
    "v_and_b32",
    "v_lshlrev_b32",
    "v_max_u32",
    "v_cndmask_b32",
    "v_add_f32",
    "s_add_u32",
    "s_xor_b32",
    "s_cselect_b32",
    "s_lshl_b32",
    "s_bfe_u32",
    "s_andn2_b64",
];

/// What is needed to write a program with branches.
pub(super) struct Control<'a> {
    writer: Writer,
    chance: &'a mut Chance,
    bodies: &'a [&'static Form],
}

/// The forms that bodies are made of.
pub(super) fn bodies(writer: Writer) -> Vec<&'static Form> {
    writer.table.forms.iter().filter(|form| BODIES.contains(&form.row.name)).collect()
}

impl<'a> Control<'a> {
    pub fn new(writer: Writer, bodies: &'a [&'static Form], chance: &'a mut Chance) -> Control<'a> {
        Control { writer, chance, bodies }
    }

    /// A program around an instruction whose result decides: SCC of a scalar compare, VCC of one of lanes.
    pub fn around(&mut self, decides: &Drawn, scalar: bool) -> Vec<u32> {
        self.decided(&decides.words, scalar, 0)
    }

    /// Some instructions, and conditions and loops deeper down.
    fn body(&mut self, depth: u32) -> Vec<u32> {
        let mut words = Vec::new();
        for _ in 0..1 + self.chance.below(2) {
            if depth < DEPTH && self.chance.below(3) == 0 {
                words.extend(self.nested(depth));
            } else {
                words.extend(self.simple());
            }
        }
        words
    }

    fn simple(&mut self) -> Vec<u32> {
        for _ in 0..8 {
            let form = self.bodies[self.chance.below(self.bodies.len())];
            if let Some(drawn) = draw::draw(self.writer.table, form, None, self.chance) {
                return drawn.words;
            }
        }
        vec![self.writer.sopp("s_nop", 0)]
    }

    /// A condition or a loop of its own.
    fn nested(&mut self, depth: u32) -> Vec<u32> {
        let w = self.writer;
        match self.chance.below(3) {
            0 => self.counted(depth),
            1 => {
                let compare = w.sopc("s_cmp_lt_i32", self.chance.below(32) as u32, self.chance.below(32) as u32);
                self.decided(&[compare], true, depth)
            }
            _ => {
                let compare = w.vopc("v_cmp_lt_u32", 256 + self.chance.below(24) as u32, self.chance.below(24) as u32);
                self.decided(&[compare], false, depth)
            }
        }
    }

    /// What happens where an instruction decides so.
    fn decided(&mut self, decides: &[u32], scalar: bool, depth: u32) -> Vec<u32> {
        let w = self.writer;
        let mut words = decides.to_vec();
        let body = self.body(depth + 1);
        if scalar {
            let branch = ["s_cbranch_scc0", "s_cbranch_scc1"][self.chance.below(2)];
            words.extend(self.skipped(branch, body));
            return words;
        }
        match self.chance.below(4) {
            0 => {
                let branch = ["s_cbranch_vccz", "s_cbranch_vccnz"][self.chance.below(2)];
                words.extend(self.skipped(branch, body));
            }
            1 => words.extend(self.divergent_loop(depth, body)),
            _ => {
                // Lanes where it holds, then perhaps the others, then all again.
                let saved = SAVED + 2 * depth;
                words.push(w.mask1("s_and_saveexec", saved, VCC));
                words.extend(self.unless_empty(body));
                if self.chance.below(2) == 0 {
                    let other = self.body(depth + 1);
                    words.push(w.mask2("s_andn2", EXEC, saved, VCC));
                    words.extend(self.unless_empty(other));
                }
                words.push(w.mask1("s_mov", EXEC, saved));
            }
        }
        words
    }

    /// A body that is passed where a branch says so, perhaps with another one for then.
    fn skipped(&mut self, branch: &str, body: Vec<u32>) -> Vec<u32> {
        let w = self.writer;
        let other = if self.chance.below(2) == 0 { self.simple() } else { Vec::new() };
        let around = u32::from(!other.is_empty());
        let mut words = vec![w.sopp(branch, body.len() as u32 + around)];
        words.extend(body);
        if !other.is_empty() {
            words.push(w.sopp("s_branch", other.len() as u32));
            words.extend(other);
        }
        words
    }

    fn unless_empty(&mut self, body: Vec<u32>) -> Vec<u32> {
        if self.chance.below(2) == 0 {
            return body;
        }
        let mut words = vec![self.writer.sopp("s_cbranch_execz", body.len() as u32)];
        words.extend(body);
        words
    }

    /// A loop that counts down.
    fn counted(&mut self, depth: u32) -> Vec<u32> {
        let w = self.writer;
        let counter = COUNTERS + depth;
        let body = self.body(depth + 1);
        let mut words = vec![w.sop1("s_mov_b32", counter, int(1 + self.chance.below(4) as u32))];
        words.extend(self.again(counter, body, Vec::new()));
        words
    }

    /// A loop that lanes leave one after the other, and that ends when there are none, or by its count.
    fn divergent_loop(&mut self, depth: u32, body: Vec<u32>) -> Vec<u32> {
        let w = self.writer;
        let (saved, counter) = (SAVED + 2 * depth, COUNTERS + depth);
        let mut words =
            vec![w.mask1("s_mov", saved, EXEC), w.sop1("s_mov_b32", counter, int(1 + self.chance.below(4) as u32))];
        let compare = w.vopc("v_cmp_ge_i32", 256 + self.chance.below(24) as u32, self.chance.below(24) as u32);
        words.extend(self.again(counter, body, vec![compare, w.mask2("s_and", EXEC, EXEC, VCC)]));
        words.push(w.mask1("s_mov", EXEC, saved));
        words
    }

    /// The rounds of a loop. Behind `narrow`, which takes lanes away, it is left where none are left.
    fn again(&mut self, counter: u32, body: Vec<u32>, narrow: Vec<u32>) -> Vec<u32> {
        const BACK: u32 = 4;
        let w = self.writer;
        let mut words = body;
        if !narrow.is_empty() {
            words.extend(narrow);
            words.push(w.sopp("s_cbranch_execz", 4));
        }
        let length = words.len() as u32 + BACK;
        words.extend([w.sop2("s_sub_u32", counter, counter, LITERAL), 1, w.sopc("s_cmp_lg_u32", counter, int(0))]);
        words.push(w.sopp("s_cbranch_scc1", length.wrapping_neg()));
        words
    }
}
