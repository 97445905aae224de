//! Programs at random: control flow that leads anywhere within the program, small clauses, and now and then words that are nothing.

use wavediff::isa::r600::does::{Does, Query, Space};
use wavediff::isa::r600::format::{alu_op3, cf_alu, export_buf, export_swiz, tex, vtx};
use wavediff::isa::r600::{Class, Place, ROWS, Row, Units};
use wavediff::memory::format::{Format, Kind, LAYOUTS};
use wavediff::r600::Machine;
use wavediff::r600::emu::image::{Compare, Image, Shape};
use wavediff::r600::emu::vertex::{Buffer, Element};
use wavediff::r600::emu::{LoopConstant, Resource, Setup, Stage};

/// Numbers at random.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as u32
    }

    fn below(&mut self, n: u32) -> u32 {
        self.next() % n
    }

    /// Once in so many times.
    fn once_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }
}

/// So many programs, with what they find.
pub fn programs(count: u64) -> impl Iterator<Item = (Vec<u32>, Setup)> {
    (1..=count).map(|n| {
        let mut dice = Dice(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (0..8).for_each(|_| {
            dice.next();
        });
        let machine = if dice.once_in(2) { Machine::R600 } else { Machine::RV770 };
        let setup = setup(&mut dice, machine);
        (program(&mut dice, machine, setup.stage), setup)
    })
}

fn setup(dice: &mut Dice, machine: Machine) -> Setup {
    let stage = dice.of(&[Stage::Ps, Stage::Ps, Stage::Vs, Stage::Gs, Stage::Es, Stage::Fs]);
    let lanes = dice.of(&[1, 4, 7, 16, 31, 33, 64]);
    let mut setup = Setup::new(machine, stage, lanes);
    setup.valid = if dice.once_in(2) { u64::MAX } else { u64::from(dice.next()) << 17 | u64::from(dice.next()) };
    setup.budget = 200;
    setup.ngpr = dice.of(&[4, 12, 124]);
    setup.nstack = dice.of(&[None, None, Some(1), Some(3)]);
    setup.bools = dice.next();
    setup.scratch = 3;
    setup.reduction = 3;
    setup.fetch = if dice.once_in(2) { Vec::new() } else { program(dice, machine, Stage::Fs) };
    for gpr in 0..8 {
        setup.gprs.insert(gpr, (0..lanes).map(|_| std::array::from_fn(|_| value(dice))).collect());
    }
    for n in 0..8 {
        let (count, first) = (dice.below(4), dice.below(20) as i32 - 4);
        setup.loops.insert(n, LoopConstant { count, first, step: dice.below(5) as i32 - 2 });
    }
    for bank in 0..3 {
        setup.banks.insert(bank, (0..70 + bank).map(|_| value(dice)).collect());
    }
    setup.file = (0..250).map(|_| std::array::from_fn(|_| value(dice))).collect();
    setup.semantics.extend((0..8).map(|n| (n, 7 - n)));
    setup.vertex_offset = dice.below(3);
    let bytes = |dice: &mut Dice, count: u32| (0..count).map(|_| dice.next() as u8).collect::<Vec<u8>>();
    for number in 0..2 {
        let format = Some(Element { data: 26, number: 1, ..Element::default() });
        let buffer = Buffer { bytes: bytes(dice, 90), stride: 3 + 4 * number, format };
        setup.resources.insert(number, Resource::Buffer(buffer));
    }
    for (number, shape, size) in
        [(2, Shape::D2, [3, 4, 1]), (3, Shape::D2Array, [2, 3, 2]), (4, Shape::Cube, [2, 2, 6])]
    {
        let format = Format { layout: &LAYOUTS[10], kind: Kind::Unorm, unsigned_alpha: false };
        let image = Image {
            shape,
            size,
            format,
            missing: [0; 4],
            bytes: bytes(dice, 4 * size.iter().product::<u32>()),
            repeat: dice.once_in(2),
            compare: dice.of(&[Compare::Less, Compare::GreaterEqual, Compare::Never]),
        };
        setup.resources.insert(number, Resource::Image(image));
    }
    setup
}

/// A small integer, a small float, or anything.
fn value(dice: &mut Dice) -> u32 {
    match dice.below(4) {
        0 => dice.below(6),
        1 => (dice.below(9) as f32 / 2.0 - 1.0).to_bits(),
        2 => 0,
        _ => dice.next(),
    }
}

fn rows(machine: Machine, class: Class) -> Vec<(&'static Row, u32)> {
    ROWS.iter().filter(|row| row.class == class).filter_map(|row| Some((row, row.code(machine)?))).collect()
}

/// Words: control flow, the subroutines that it calls, and the clauses behind that.
fn program(dice: &mut Dice, machine: Machine, stage: Stage) -> Vec<u32> {
    let mut flow = Flow { machine, stage, words: Vec::new(), begins: Vec::new(), calls: Vec::new(), pairs: Vec::new() };
    flow.sequence(dice, 2);
    flow.put("NOP", &[("END_OF_PROGRAM", u32::from(stage != Stage::Fs))]);
    flow.put("RETURN", &[]);
    for call in std::mem::take(&mut flow.calls) {
        flow.lead(call);
        flow.sequence(dice, 1);
        flow.put("RETURN", &[]);
    }
    // What calls in subroutines lead to is the first word.
    let first = flow.words.len().next_multiple_of(2) as u32;
    flow.words.resize(first as usize, [0, 0]);
    for at in &flow.begins {
        flow.words[*at][0] += first;
    }
    if dice.once_in(4) {
        let at = dice.below(first) as usize;
        flow.words[at][dice.below(2) as usize] ^= 1 << dice.below(32);
    }
    flow.words.into_iter().chain(flow.pairs).flatten().collect()
}

/// A program in the making.
struct Flow {
    machine: Machine,
    stage: Stage,
    /// Control flow.
    words: Vec<[u32; 2]>,
    /// Instructions that begin a clause, whose address counts from the first clause on.
    begins: Vec<usize>,
    /// Calls that lead nowhere yet.
    calls: Vec<usize>,
    /// Clauses.
    pairs: Vec<[u32; 2]>,
}

impl Flow {
    /// An instruction of control flow: its place.
    fn put(&mut self, name: &str, fields: &[(&str, u32)]) -> usize {
        let row = self.machine.named(Place::Flow, name).expect("an instruction");
        let code = row.code(self.machine).expect("an opcode");
        let all = [&[("CF_INST", code)], fields].concat();
        self.words.push(self.machine.cf().pack(&all).expect("fields"));
        self.words.len() - 1
    }

    /// Leads an instruction to where the next one will stand.
    fn lead(&mut self, from: usize) {
        self.words[from][0] = self.words.len() as u32;
    }

    /// Instructions, with branches and loops in each other.
    fn sequence(&mut self, dice: &mut Dice, depth: u32) {
        for _ in 0..1 + dice.below(3) {
            match dice.below(14) {
                0..=3 => self.alu(dice, "ALU"),
                4 => self.fetches(dice),
                5 | 6 => self.export(dice),
                7 | 8 if depth > 0 => self.branch(dice, depth),
                9 | 10 if depth > 0 => self.around(dice, depth),
                11 => {
                    let fields = [("CALL_COUNT", dice.of(&[1, 1, 20, 31])), condition(dice)];
                    let call = self.put("CALL", &[&fields[..], &modes(dice)].concat());
                    self.calls.push(call);
                }
                12 if matches!(self.stage, Stage::Vs | Stage::Es) => {
                    self.put("CALL_FS", &[("CALL_COUNT", 1)]);
                }
                13 if self.stage == Stage::Ps => {
                    let at = self.words.len() as u32 + 1;
                    self.put("KILL", &[("ADDR", at), condition(dice)]);
                }
                _ => self.alu(dice, "ALU"),
            }
        }
    }

    /// What some pixels execute, and what the others do.
    fn branch(&mut self, dice: &mut Dice, depth: u32) {
        if dice.once_in(3) {
            // By a boolean: nothing is pushed where it does not hold.
            let push = self.put("PUSH", &[condition(dice)]);
            self.sequence(dice, depth - 1);
            self.put("POP", &[("POP_COUNT", 1)]);
            self.lead(push);
            return;
        }
        self.alu(dice, "ALU_PUSH_BEFORE");
        let jump = self.put("JUMP", &modes(dice));
        self.sequence(dice, depth - 1);
        self.lead(jump);
        let other = self.put("ELSE", &[("POP_COUNT", 1)]);
        self.sequence(dice, depth - 1);
        match dice.below(3) {
            0 => self.alu(dice, "ALU_POP_AFTER"),
            _ => {
                self.put("POP", &[("POP_COUNT", 1)]);
            }
        }
        self.lead(other);
    }

    /// A loop, with ways out of it.
    fn around(&mut self, dice: &mut Dice, depth: u32) {
        let start = dice.of(&["LOOP_START", "LOOP_START", "LOOP_START_NO_AL", "LOOP_START_DX10"]);
        let constant = ("CF_CONST", dice.below(8));
        let begin = self.put(start, &[&[constant][..], &modes(dice)].concat());
        self.sequence(dice, depth - 1);
        let mut out = Vec::new();
        match dice.below(4) {
            0 => self.alu(dice, "ALU_BREAK"),
            1 => self.alu(dice, "ALU_CONTINUE"),
            _ => {}
        }
        if dice.once_in(2) {
            self.alu(dice, "ALU_PUSH_BEFORE");
            let name = dice.of(&["LOOP_BREAK", "LOOP_CONTINUE"]);
            out.push(self.put(name, &modes(dice)));
            self.put("POP", &[("POP_COUNT", 1)]);
        }
        self.sequence(dice, depth - 1);
        out.into_iter().for_each(|at| self.lead(at));
        let end = self.put("LOOP_END", &[]);
        self.words[end][0] = begin as u32 + 1;
        self.lead(begin);
    }
}

/// What a condition asks: mostly nothing.
fn condition(dice: &mut Dice) -> (&'static str, u32) {
    ("COND", dice.of(&[0, 0, 0, 1, 2, 3]))
}

/// Of which pixels: mostly those that are active.
fn modes(dice: &mut Dice) -> [(&'static str, u32); 2] {
    [("VALID_PIXEL_MODE", u32::from(dice.once_in(6))), ("WHOLE_QUAD_MODE", u32::from(dice.once_in(6)))]
}

impl Flow {
    /// The next clause, of instructions of so many pairs: its address.
    fn begin(&mut self) -> u32 {
        self.begins.push(self.words.len());
        self.pairs.len() as u32
    }

    /// A clause of groups.
    fn alu(&mut self, dice: &mut Dice, name: &str) {
        let code = self.machine.named(Place::Flow, name).and_then(|row| row.code(self.machine)).expect("an opcode");
        let at = self.begin();
        for _ in 0..1 + dice.below(2) {
            group(dice, self.machine, &mut self.pairs);
        }
        let fields = [
            ("CF_INST", code),
            ("ADDR", at),
            ("COUNT", self.pairs.len() as u32 - at - 1),
            ("KCACHE_BANK0", dice.below(3)),
            ("KCACHE_MODE0", dice.of(&[1, 1, 2, 2, 3, 3])),
            ("KCACHE_ADDR0", dice.below(2)),
            ("KCACHE_BANK1", dice.below(3)),
            ("KCACHE_MODE1", dice.of(&[1, 2, 3])),
            ("WHOLE_QUAD_MODE", u32::from(dice.once_in(6))),
        ];
        self.words.push(cf_alu::FORMAT.pack(&fields).expect("fields"));
    }

    /// A clause of fetches.
    fn fetches(&mut self, dice: &mut Dice) {
        // It stands at an even place.
        if !self.pairs.len().is_multiple_of(2) {
            self.pairs.push([0, 0]);
        }
        let name = dice.of(&["TEX", "VTX"]);
        let code = self.machine.named(Place::Flow, name).and_then(|row| row.code(self.machine)).expect("an opcode");
        let (at, count) = (self.begin(), 1 + dice.below(2));
        for _ in 0..count {
            let textures = name == "TEX" && !dice.once_in(4);
            let words = if textures { texture(dice, self.machine) } else { vertex(dice, self.machine) };
            self.pairs.extend([[words[0], words[1]], [words[2], words[3]]]);
        }
        let fields = [("CF_INST", code), ("ADDR", at), ("COUNT", count - 1)];
        self.words.push(self.machine.cf().pack(&[&fields[..], &modes(dice)].concat()).expect("fields"));
    }

    /// An export, as far as the stage has any, or a buffer.
    fn export(&mut self, dice: &mut Dice) {
        if self.stage == Stage::Gs && dice.once_in(2) {
            let name = dice.of(&["EMIT_VERTEX", "EMIT_CUT_VERTEX", "CUT_VERTEX"]);
            self.put(name, &modes(dice));
            return;
        }
        let exports = matches!(self.stage, Stage::Ps | Stage::Vs);
        let all = rows(self.machine, Class::Export);
        let fits = |row: &&(&Row, u32)| exports && !dice.once_in(2) || matches!(row.0.does, Does::Store(_));
        let some: Vec<_> = all.iter().filter(fits).copied().collect();
        let row = dice.of(&some);
        self.words.push(export(dice, row));
    }
}

/// A group: a reduction, or one to three instructions.
fn group(dice: &mut Dice, machine: Machine, pairs: &mut Vec<[u32; 2]>) {
    let mut all = [Class::Op2, Class::Op3].map(|class| rows(machine, class)).concat();
    // Functions are long.
    if !dice.once_in(12) {
        all.retain(|(row, _)| row.units(machine.chip) != Units::Trans);
    }
    let (row, code) = dice.of(&all);
    if row.units(machine.chip) == Units::Reduction {
        pairs.extend((0..4).map(|element| operation(dice, machine, (row, code), element, element == 3)));
        return;
    }
    let mut left = dice.below(3);
    let mut one = (row, code);
    loop {
        // Now and then two want the same unit.
        let element = if dice.once_in(40) { dice.below(4) } else { left };
        pairs.push(operation(dice, machine, one, element, left == 0));
        if left == 0 {
            return;
        }
        left -= 1;
        one =
            dice.of(&all.iter().copied().filter(|(row, _)| row.units(machine.chip) == Units::Any).collect::<Vec<_>>());
    }
}

fn operation(dice: &mut Dice, machine: Machine, (row, code): (&Row, u32), element: u32, last: bool) -> [u32; 2] {
    let mut fields = vec![
        ("ALU_INST", code),
        ("DST_GPR", dice.of(&[0, 1, 2, 3, 5, 11, 60, 125])),
        ("DST_ELEM", element),
        ("DST_REL", u32::from(dice.once_in(8))),
        ("INDEX_MODE", dice.of(&[0, 0, 4])),
        ("PRED_SEL", dice.of(&[0, 0, 0, 2, 3])),
        ("LAST", u32::from(last)),
        ("CLAMP", u32::from(dice.once_in(4))),
    ];
    for (sel, rel, elem, neg) in [
        ("SRC0_SEL", "SRC0_REL", "SRC0_ELEM", "SRC0_NEG"),
        ("SRC1_SEL", "SRC1_REL", "SRC1_ELEM", "SRC1_NEG"),
        ("SRC2_SEL", "SRC2_REL", "SRC2_ELEM", "SRC2_NEG"),
    ] {
        if sel == "SRC2_SEL" && row.class == Class::Op2 {
            continue;
        }
        let from = match dice.below(10) {
            0..=4 => dice.below(8),
            5 => 128 + dice.below(64),
            6 => dice.of(&[248, 249, 250, 251, 252]),
            7 => dice.of(&[254, 255]),
            8 => 256 + dice.below(256),
            _ => dice.of(&[0, 11, 100, 126]),
        };
        // An address and a constant of the cache do not go together.
        let relative = dice.once_in(6) && !(128..192).contains(&from) || dice.once_in(300);
        fields.extend([
            (sel, from),
            (rel, u32::from(relative)),
            (elem, dice.below(4)),
            (neg, u32::from(dice.once_in(3))),
        ]);
    }
    if row.class == Class::Op3 {
        return alu_op3::FORMAT.pack(&fields).expect("fields");
    }
    fields.extend([
        ("SRC0_ABS", u32::from(dice.once_in(4))),
        ("WRITE_MASK", u32::from(!dice.once_in(5))),
        ("OMOD", dice.of(&[0, 0, 1, 2, 3])),
        ("UPDATE_PRED", dice.below(2)),
        ("UPDATE_EXECUTE_MASK", dice.below(2)),
    ]);
    machine.op2().pack(&fields).expect("fields")
}

fn texture(dice: &mut Dice, machine: Machine) -> [u32; 4] {
    // Most of what is asked of textures is not emulated.
    let all = rows(machine, Class::Tex);
    let known: Vec<_> = all
        .into_iter()
        .filter(|(row, _)| match row.does {
            Does::Get(query) => matches!(query, Query::Size | Query::GradientsH | Query::GradientsV),
            _ => true,
        })
        .collect();
    let (_, code) = dice.of(&known);
    let mut fields = vec![
        ("TEX_INST", code),
        ("FETCH_WHOLE_QUAD", u32::from(dice.once_in(5))),
        ("RESOURCE_ID", if dice.once_in(60) { 9 } else { 2 + dice.below(3) }),
        ("SRC_GPR", dice.below(6)),
        ("SRC_REL", u32::from(dice.once_in(6))),
        ("DST_GPR", dice.below(6)),
        ("DST_REL", u32::from(dice.once_in(6))),
    ];
    for name in ["SRC_SEL_X", "SRC_SEL_Y", "SRC_SEL_Z", "SRC_SEL_W", "DST_SEL_X", "DST_SEL_Y", "DST_SEL_Z", "DST_SEL_W"]
    {
        fields.push((name, dice.of(&[0, 1, 2, 3, 0, 1, 2, 3, 4, 5])));
    }
    for name in ["COORD_TYPE_X", "COORD_TYPE_Y", "OFFSET_X", "OFFSET_Y"] {
        fields.push((name, dice.below(2)));
    }
    tex::FORMAT.pack(&fields).expect("fields")
}

fn vertex(dice: &mut Dice, machine: Machine) -> [u32; 4] {
    let (_, code) = dice.of(&rows(machine, Class::Vtx));
    let mut fields = vec![
        ("VTX_INST", code),
        ("FETCH_TYPE", dice.of(&[0, 0, 1, 2])),
        ("FETCH_WHOLE_QUAD", u32::from(dice.once_in(5))),
        ("BUFFER_ID", if dice.once_in(60) { 9 } else { dice.below(2) }),
        ("SRC_GPR", dice.below(6)),
        ("SRC_SEL_X", dice.below(4)),
        ("DST_GPR", dice.below(6)),
        ("USE_CONST_FIELDS", dice.below(2)),
        ("DATA_FORMAT", dice.of(&[1, 5, 6, 7, 8, 10, 11, 13, 14, 15, 16, 25, 26, 29, 31, 32, 34, 35, 44, 45, 46, 47])),
        ("NUM_FORMAT_ALL", dice.below(3)),
        ("FORMAT_COMP_ALL", dice.below(2)),
        ("SRF_MODE_ALL", dice.below(2)),
        ("OFFSET", dice.below(6)),
        ("ENDIAN_SWAP", dice.below(3)),
        ("CONST_BUF_NO_STRIDE", u32::from(dice.once_in(6))),
    ];
    for name in ["DST_SEL_X", "DST_SEL_Y", "DST_SEL_Z", "DST_SEL_W"] {
        fields.push((name, dice.of(&[0, 1, 2, 3, 4, 5, 7])));
    }
    vtx::FORMAT.pack(&fields).expect("fields")
}

fn export(dice: &mut Dice, (row, code): (&Row, u32)) -> [u32; 2] {
    let store = matches!(row.does, Does::Store(_));
    let scratch = matches!(row.does, Does::Store(Space::Scratch | Space::Reduction));
    let mut fields = vec![
        ("CF_INST", code),
        ("ARRAY_BASE", dice.below(3)),
        ("TYPE", if scratch || !store { dice.below(3) } else { dice.below(2) }),
        ("RW_GPR", dice.below(6)),
        ("RW_REL", u32::from(dice.once_in(5))),
        ("INDEX_GPR", dice.below(6)),
        ("ELEM_SIZE", if scratch { 3 } else { dice.of(&[3, 0]) }),
        ("BURST_COUNT", dice.of(&[0, 0, 1, 2])),
        ("VALID_PIXEL_MODE", u32::from(dice.once_in(4))),
    ];
    if store {
        fields.extend([("ARRAY_SIZE", dice.below(5)), ("COMP_MASK", dice.below(16)), ("ELEM_LOOP", dice.below(2))]);
        return export_buf::FORMAT.pack(&fields).expect("fields");
    }
    for name in ["SEL_X", "SEL_Y", "SEL_Z", "SEL_W"] {
        fields.push((name, dice.of(&[0, 1, 2, 3, 4, 5, 7])));
    }
    export_swiz::FORMAT.pack(&fields).expect("fields")
}
