//! Small programs from parts: words through the rows and formats, with clauses laid out behind control flow.

use wavediff::isa::r600::Class;
use wavediff::isa::r600::format::{alu_op3, tex, vtx};
use wavediff::r600::Machine;
use wavediff::r600::program::sel;

/// A program that grows.
pub struct Code {
    machine: Machine,
    flow: Vec<([u32; 2], Option<usize>)>,
    clauses: Vec<Vec<u32>>,
}

/// An operation: its name with modifiers, its destination, its sources.
pub type Op<'a> = (&'a str, &'a str, &'a [&'a str]);

impl Code {
    pub fn new(machine: Machine) -> Code {
        Code { machine, flow: Vec::new(), clauses: Vec::new() }
    }

    fn add(&mut self, name: &str, fields: &[(&str, u32)], clause: Option<Vec<u32>>) -> &mut Code {
        let row = self.machine.named(name, Class::FLOW).unwrap_or_else(|| panic!("{name}"));
        let format = match row.class {
            Class::CfAlu => &wavediff::isa::r600::format::cf_alu::FORMAT,
            Class::Export if name.starts_with("MEM") => &wavediff::isa::r600::format::export_buf::FORMAT,
            Class::Export => &wavediff::isa::r600::format::export_swiz::FORMAT,
            _ => self.machine.cf(),
        };
        let mut all = vec![("CF_INST", row.code(self.machine).expect("an opcode"))];
        all.extend_from_slice(fields);
        let words = format.pack::<2>(&all).unwrap_or_else(|| panic!("a field of {name}"));
        let clause = clause.map(|words| {
            self.clauses.push(words);
            self.clauses.len() - 1
        });
        self.flow.push((words, clause));
        self
    }

    /// An instruction of control flow.
    pub fn flow(&mut self, name: &str, fields: &[(&str, u32)]) -> &mut Code {
        self.add(name, fields, None)
    }

    /// A clause of groups, of which each ends with its last operation.
    pub fn alu(&mut self, name: &str, fields: &[(&str, u32)], groups: &[&[Op<'_>]]) -> &mut Code {
        let mut words = Vec::new();
        for group in groups {
            let mut literals = Vec::new();
            for (n, op) in group.iter().enumerate() {
                words.extend(self.op(op, n + 1 == group.len(), &mut literals));
            }
            if literals.len() % 2 == 1 {
                literals.push(0);
            }
            words.append(&mut literals);
        }
        let mut all = vec![("COUNT", words.len() as u32 / 2 - 1)];
        all.extend_from_slice(fields);
        self.add(name, &all, Some(words))
    }

    /// A clause of one fetch.
    pub fn fetch(&mut self, name: &str, fields: &[(&str, u32)]) -> &mut Code {
        let row = self.machine.named(name, Class::FETCH).expect("a fetch");
        let vertex = row.class == Class::Vtx;
        let (format, opcode) = if vertex { (&vtx::FORMAT, "VTX_INST") } else { (&tex::FORMAT, "TEX_INST") };
        let mut all = vec![(opcode, row.code(self.machine).expect("an opcode"))];
        all.extend([("DST_SEL_Y", 1), ("DST_SEL_Z", 2), ("DST_SEL_W", 3)]);
        if !vertex {
            all.extend([("SRC_SEL_Y", 1), ("SRC_SEL_Z", 2), ("SRC_SEL_W", 3)]);
        }
        all.extend_from_slice(fields);
        let words = format.pack::<4>(&all).expect("fields");
        self.add(if vertex { "VTX" } else { "TEX" }, &[], Some(words.to_vec()))
    }

    /// Exports a register as pixel 0, and ends.
    pub fn end(&mut self, gpr: u32) -> Vec<u32> {
        self.export("EXPORT_DONE", gpr, &[("END_OF_PROGRAM", 1)]).words()
    }

    /// Exports a register.
    pub fn export(&mut self, name: &str, gpr: u32, fields: &[(&str, u32)]) -> &mut Code {
        let mut all = vec![("RW_GPR", gpr), ("SEL_Y", 1), ("SEL_Z", 2), ("SEL_W", 3)];
        all.extend_from_slice(fields);
        self.flow(name, &all)
    }

    /// The words.
    pub fn words(&self) -> Vec<u32> {
        let mut words: Vec<u32> = vec![0; self.flow.len().next_multiple_of(2) * 2];
        let mut at = Vec::new();
        for clause in &self.clauses {
            words.resize(words.len().next_multiple_of(4), 0);
            at.push(words.len() as u32 / 2);
            words.extend(clause);
        }
        for (n, (inst, clause)) in self.flow.iter().enumerate() {
            words[2 * n] = inst[0] | clause.map_or(0, |clause| at[clause]);
            words[2 * n + 1] = inst[1];
        }
        words
    }

    fn op(&self, (name, dst, sources): &Op<'_>, last: bool, literals: &mut Vec<u32>) -> [u32; 2] {
        let mut parts = name.split(' ');
        let row = self.machine.named(parts.next().expect("a name"), Class::ALU).unwrap_or_else(|| panic!("{name}"));
        let op3 = row.class == Class::Op3;
        let format = if op3 { &alu_op3::FORMAT } else { self.machine.op2() };
        let mut fields = vec![("ALU_INST", row.code(self.machine).expect("an opcode")), ("LAST", u32::from(last))];
        for part in parts {
            fields.push(match part {
                "*2" => ("OMOD", 1),
                "*4" => ("OMOD", 2),
                "/2" => ("OMOD", 3),
                "sat" => ("CLAMP", 1),
                "pred" => ("UPDATE_PRED", 1),
                "exec" => ("UPDATE_EXECUTE_MASK", 1),
                "if0" => ("PRED_SEL", 2),
                "if1" => ("PRED_SEL", 3),
                "AR.y" => ("INDEX_MODE", 1),
                "AR.z" => ("INDEX_MODE", 2),
                "AR.w" => ("INDEX_MODE", 3),
                "aL" => ("INDEX_MODE", 4),
                other => panic!("{other}"),
            });
        }
        let (masked, dst) = dst.strip_prefix('_').map_or((false, *dst), |dst| (true, dst));
        let (sel, elem, rel, ..) = operand(dst, literals);
        fields.extend([("DST_GPR", sel), ("DST_ELEM", elem), ("DST_REL", rel)]);
        if !op3 {
            fields.push(("WRITE_MASK", u32::from(!masked)));
        }
        let names = [
            ["SRC0_SEL", "SRC0_ELEM", "SRC0_REL", "SRC0_NEG", "SRC0_ABS"],
            ["SRC1_SEL", "SRC1_ELEM", "SRC1_REL", "SRC1_NEG", "SRC1_ABS"],
            ["SRC2_SEL", "SRC2_ELEM", "SRC2_REL", "SRC2_NEG", ""],
        ];
        for (source, names) in sources.iter().zip(names) {
            let (sel, elem, rel, neg, abs) = operand(source, literals);
            for (name, value) in names.into_iter().zip([sel, elem, rel, neg, abs]) {
                if value != 0 {
                    fields.push((name, value));
                }
            }
        }
        format.pack::<2>(&fields).unwrap_or_else(|| panic!("a field of {name}"))
    }
}

/// `R3.y`, `R[3].y` (indexed), `C4.x`, `C[4].x`, `K0[5].z`, `PV.w`, `PS`, or a number: select, element, relative, negated, absolute.
fn operand(text: &str, literals: &mut Vec<u32>) -> (u32, u32, u32, u32, u32) {
    let (neg, text) = text.strip_prefix('-').filter(|t| !t.starts_with(|c: char| c.is_ascii_digit())).map_or((0, text), |t| (1, t));
    let (abs, text) = text.strip_prefix('|').map_or((0, text), |t| (1, t.trim_end_matches('|')));
    let element = |text: &str| text.chars().last().and_then(|c| "xyzw".find(c)).unwrap_or(0) as u32;
    let number = |text: &str| -> u32 {
        text.chars().filter(char::is_ascii_digit).collect::<String>().parse().expect("a number")
    };
    let rel = u32::from(text.contains('['));
    let (sel, elem, rel) = if let Some(rest) = text.strip_prefix('R') {
        (number(rest), element(text), rel)
    } else if let Some(rest) = text.strip_prefix("K0") {
        (sel::KCACHE0 + number(rest), element(text), u32::from(rest.contains('+')))
    } else if let Some(rest) = text.strip_prefix("K1") {
        (sel::KCACHE1 + number(rest), element(text), u32::from(rest.contains('+')))
    } else if let Some(rest) = text.strip_prefix('C') {
        (sel::CFILE + number(rest), element(text), rel)
    } else if text.starts_with("PV") {
        (sel::PV, element(text), 0)
    } else if text == "PS" {
        (sel::PS, 0, 0)
    } else {
        let bits = match text.parse::<i32>() {
            Ok(integer) => integer as u32,
            Err(_) => match text.strip_prefix("0x") {
                Some(hex) => u32::from_str_radix(hex, 16).expect("a number"),
                None => text.parse::<f32>().expect("a number").to_bits(),
            },
        };
        let at = literals.iter().position(|l| *l == bits).unwrap_or_else(|| {
            literals.push(bits);
            literals.len() - 1
        });
        (sel::LITERAL, at as u32, 0)
    };
    (sel, elem, rel, neg, abs)
}
