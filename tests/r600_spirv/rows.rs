//! Programs in which every instruction of the ALU stands, several in each, and values for them.

use super::ready;
use wavediff::isa::r600::does::Does;
use wavediff::isa::r600::{Class, Place, Row, Units};
use wavediff::r600::Machine;
use wavediff::r600::emu::{Setup, Stage};

/// A program.
pub struct Program {
    /// The instructions in it.
    pub rows: Vec<&'static str>,
    /// The words.
    pub words: Vec<u32>,
}

/// Instructions in a program.
const ROWS: usize = 12;
/// The first register that is written.
const FIRST: u32 = 10;

/// The programs of a machine, of those instructions that are wanted.
pub fn programs(machine: Machine, mut wanted: impl FnMut(&'static str) -> bool) -> Vec<Program> {
    let mut names: Vec<&'static str> = machine.names(Place::Alu).collect();
    if machine.name().ends_with("-manual") {
        // The others are those of the chip.
        names.retain(|name| Machine::R600.named(Place::Alu, name).is_none());
    }
    names.retain(|name| wanted(name));
    names.chunks(ROWS).map(|rows| program(machine, rows)).collect()
}

fn program(machine: Machine, rows: &[&'static str]) -> Program {
    let mut text = String::from(".unchecked\n");
    for (n, name) in rows.iter().enumerate() {
        let row = machine.named(Place::Alu, name).expect("an instruction");
        text += &groups(machine, row, FIRST + 4 * n as u32);
    }
    text += "NOP EOP\n";
    Program { rows: rows.to_vec(), words: ready::words(machine, &format!("{rows:?}"), &text) }
}

/// An instruction without modifiers, with those of its sources, and with those of its result; and what comes of its bit.
fn groups(machine: Machine, row: &Row, to: u32) -> String {
    let sources = |signs: [&str; 3]| {
        let one = |n: usize| {
            let bars = if signs[n].ends_with('|') { "|" } else { "" };
            format!(", {}R{n}.ELEM{bars}", signs[n])
        };
        (0..usize::from(row.sources)).map(one).collect::<String>()
    };
    let plain = ["", "", ""];
    let signed = if row.class == Class::Op3 { ["-", "", "-"] } else { ["-", "|", ""] };
    let both = if row.class == Class::Op3 { ["", "-", ""] } else { ["-|", "-", ""] };
    let two = row.class == Class::Op2;
    let forms = [
        (row.name.to_owned(), plain, ""),
        (if two { format!("{}*2", row.name) } else { row.name.to_owned() }, signed, ""),
        (if two { format!("{}/2", row.name) } else { row.name.to_owned() }, both, " CLAMP"),
    ];
    let mut text = String::new();
    for (n, (name, signs, behind)) in forms.iter().enumerate() {
        let (gpr, element) = (to + n as u32 % 2, ["x", "y", "z"][n]);
        let one = |slot: &str, element: &str| {
            format!("{slot}: {name} R{gpr}.{element}{}{behind}\n", sources(*signs).replace("ELEM", element))
        };
        match (row.units(machine.chip), row.does) {
            (Units::Reduction, _) => {
                text += "ALU:\n";
                for (n, element) in ["x", "y", "z", "w"].iter().enumerate() {
                    let number = if n == 0 { "0 " } else { "" };
                    text += &format!("{number}{}", one(element, element));
                }
            }
            (_, Does::MoveAddress(_)) => {
                text += &format!("ALU:\n0 x: {name} ____{}\n", sources(*signs).replace("ELEM", "x"));
                text += &format!("1 {element}: MOV R{gpr}.{element}, R[4+AR.x].x\n");
            }
            (_, does) if does.sets_predicate() => {
                text += &format!(
                    "ALU_PUSH_BEFORE:\n0 {}",
                    one(element, element).replace('\n', " UPDATE_EXEC_MASK UPDATE_PRED\n")
                );
                text += &format!("1 {element}: MOV R{}.{element}, 1.0 PRED_ONE\n", to + 2);
                text += &format!("ALU:\n0 {element}: MOV R{}.{element}, 1.0\n", to + 3);
                text += "POP POP_CNT(1)\n";
            }
            (Units::Trans, _) => text += &format!("ALU:\n0 {}", one("t", element)),
            _ => text += &format!("ALU:\n0 {}", one(element, element)),
        }
    }
    text
}

/// Floats and integers at the edges of what they are.
const EDGES: [u32; 28] = [
    0,
    0x8000_0000,
    1,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x8080_0000,
    0x3f00_0000,
    0xbf00_0000,
    0x3f7f_ffff,
    0x3f80_0000,
    0xbf80_0000,
    0x3fc0_0000,
    0x4000_0000,
    0xc020_0000,
    0x4b00_0001,
    0x4b80_0000,
    0x4effffff,
    0x4f00_0000,
    0xcf00_0000,
    0x4f80_0000,
    0x7f7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x7f80_0001,
    0xffff_ffff,
    31,
];

/// What the programs find: all pairs of edges with a third one, then values at random.
pub fn setups(machine: Machine) -> Vec<Setup> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as u32
    };
    let mut triples: Vec<[u32; 3]> = Vec::new();
    for a in EDGES {
        triples.extend(EDGES.map(|b| [a, b, EDGES[next() as usize % EDGES.len()]]));
    }
    for n in 0..1024 {
        // Floats near one, any bits, and small integers.
        triples.push(std::array::from_fn(|_| match n % 3 {
            0 => (next() & 0x83ff_ffff) | 0x3e00_0000,
            1 => next(),
            _ => next() % 600,
        }));
    }
    let vectors: Vec<&[[u32; 3]]> = triples.chunks(4).collect();
    let setups = vectors.chunks(64).map(|lanes| {
        let mut setup = Setup::new(machine, Stage::Ps, lanes.len() as u32);
        for n in 0..3 {
            let vector = |four: &&[[u32; 3]]| std::array::from_fn(|element| four[element % four.len()][n]);
            setup.gprs.insert(n as u32, lanes.iter().map(vector).collect());
        }
        // What the address register leads to.
        for gpr in 4..FIRST {
            setup.gprs.insert(gpr, (0..lanes.len() as u32).map(|lane| [64 * gpr + lane; 4]).collect());
        }
        setup
    });
    setups.collect()
}
