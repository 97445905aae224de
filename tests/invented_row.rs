//! A row of memory in another width is a line, and nothing else.
//!
//! These rows are invented: gfx9 has no scalar load of three words and no scalar store of eight. Each is the line of a neighbour
//! with another name, opcode and data. Assembler, disassembler, emulator, translation, and the words of `explain` have them.

use wavediff::asm::Assembler;
use wavediff::asm::expr::NoSymbols;
use wavediff::disasm;
use wavediff::emu::group::{self, Group};
use wavediff::emu::plan::Plan;
use wavediff::emu::wave::Wave;
use wavediff::engine::Stop;
use wavediff::engine::dispatch::Limits;
use wavediff::isa::does::names::{LOAD_WORDS, STORE_WORDS};
use wavediff::isa::operand::names::{NO, part};
use wavediff::isa::operand::{Opnd, Part};
use wavediff::isa::row::{__, Inst, smem};
use wavediff::isa::table::Table;
use wavediff::isa::words::words;
use wavediff::isa::{Arch, Target};
use wavediff::memory::guest::Memory;
use wavediff::memory::lds::Lds;
use wavediff::program::Program;
use wavediff::spirv::lanes::Model;
use wavediff::spirv::lower::{Options, translate};

const D3: Opnd = part(Part::Sdata, 3);
const D8: Opnd = part(Part::Sdata, 8);
const PAIR: Opnd = part(Part::Sbase, 2);
const OFFSET: Opnd = part(Part::Offset, 1);

#[rustfmt::skip]
static ROWS: [Inst; 2] = [
    smem("s_load_dwordx3",   [__, __, __, 0x00d, __, __, __], D3, &[PAIR, OFFSET],     LOAD_WORDS),
    smem("s_store_dwordx8",  [__, __, __, 0x013, __, __, __], NO, &[D8, PAIR, OFFSET], STORE_WORDS),
];

const DATA: u64 = 0x10_0000;

#[test]
fn a_row_of_another_width_is_one_line() {
    let target = Target::new(Arch::find("gfx900").expect("a processor"));
    let table = Table::with_rows(target, &ROWS);
    let assembler = Assembler::of(table);
    let lines = ["s_load_dwordx3 s[4:6], s[0:1], 0x8", "s_store_dwordx8 s[4:11], s[0:1], 0x20", "s_endpgm"];
    let mut code = Vec::new();
    for line in lines {
        let encoded = assembler.encode(line, &NoSymbols).expect("a row");
        let own = &encoded.words[..usize::from(encoded.len)];
        let mut text = Vec::new();
        disasm::print(table, &disasm::decode(table, own).expect("an instruction"), own, &mut text);
        assert_eq!(String::from_utf8_lossy(&text), line);
        code.extend_from_slice(own);
    }

    let program = Program::of(table, &code, 0x1000);
    let plan = Plan::new(&program);
    let mut memory = Memory::new();
    let bytes: Vec<u8> = (0..16u32).flat_map(|n| (0x100 + n).to_le_bytes()).collect();
    memory.map_bytes("data", DATA, &bytes, true).expect("a region");
    let mut wave = Wave::new(&plan, 64);
    wave.set_pair(0, DATA);
    wave.s[4..12].copy_from_slice(&[0, 0, 0, 7, 8, 9, 10, 11]);
    let mut group = Group::of_one(&plan, &memory, Lds::new(0));
    group::wave(&mut wave, &mut group, Limits::default());
    assert_eq!(wave.stop, Some(Stop::End));
    // Words 2, 3 and 4 of memory and no other.
    assert_eq!(wave.s[4..12], [0x102, 0x103, 0x104, 7, 8, 9, 10, 11]);
    let mut left = [0; 64];
    memory.read_bytes(DATA, &mut left).expect("mapped");
    let stored: Vec<u32> = left[32..].chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    assert_eq!(stored, wave.s[4..12]);

    let uses = program.uses(&program.steps[0]);
    assert_eq!(uses.writes.scalars().collect::<Vec<_>>(), [4, 5, 6]);
    for model in Model::ALL {
        assert_eq!(translate(&program, &Options::new(target, model, 64)).missing, []);
    }
    let said = words(&ROWS[0]).expect("words");
    assert!(said.contains("loads 96 bits"), "{said}");
}
