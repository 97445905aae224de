//! A program made ready: each instruction with its fields read, operations with their kernels.
//!
//! What is wrong with an instruction is said when it is executed, not before: behind the end of a program there may be anything.

use super::alu::{self, Clause, Effect, Group, Index, Lines, Op, Place, SLOTS, TRANS};
use super::flow::Mode;
use super::kernel::{Kernel, MAX_SOURCES};
use super::mistakes::Mistake;
use super::vertex::Element;
use super::{Fault, Setup};
use crate::isa::r600::Chip;
use crate::isa::r600::does::{Around, Axis, Does, Lod, Loop, Query, Space};
use crate::isa::r600::format::{SEMANTIC_ID, alu_op2, cf, cf_alu, export_buf, export_swiz, tex, vtx};
use crate::r600::program::{Body, Inst, Program, Slot, Source, sel};
use crate::r600::{Machine, sem};

/// What a condition test asks besides the state of the pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cond {
    /// Nothing.
    Active,
    /// Nobody passes.
    Never,
    /// The boolean constant is one.
    Bool(u32),
    /// The boolean constant is zero.
    NotBool(u32),
}

/// An instruction of control flow.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its place.
    pub at: u32,
    /// What it is.
    pub action: Action,
    /// Which pixels it starts from.
    pub mode: Mode,
    /// Whether the program ends with it.
    pub ends: bool,
}

/// The fields of branches and loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch {
    /// Where it may lead.
    pub to: u32,
    /// Entries that it may pop.
    pub pops: u32,
    /// What it asks.
    pub cond: Cond,
    /// The number of the constant.
    pub constant: u32,
    /// What a call adds to the depth.
    pub deeper: u32,
}

/// What an instruction of control flow does.
#[derive(Clone, Debug)]
pub enum Action {
    /// Nothing.
    Nop,
    /// A clause of groups.
    Alu(Around, Result<Clause, Fault>),
    /// A clause of fetches.
    Fetch(Vec<Fetch>),
    /// Begins a loop.
    LoopStart(Loop, Branch),
    /// Ends one.
    LoopEnd(Branch),
    /// Pixels leave the iteration, or the loop.
    Leave(bool, Branch),
    /// Pushes, if a pixel passes; or always.
    Push(bool, Branch),
    /// Pops.
    Pop(Branch),
    /// Jumps.
    Jump(Branch),
    /// Turns over.
    Else(Branch),
    /// Calls.
    Call(Branch),
    /// Calls the fetch program.
    CallFetch(Branch),
    /// Returns.
    Return(Branch),
    /// Kills.
    Kill(Branch),
    /// A vertex, the end of a strip.
    Emit(bool, bool),
    /// An export.
    Export(Export),
    /// A buffer written or read.
    Memory(Memory),
    /// What cannot be executed.
    Bad(Fault),
}

impl Action {
    /// Where it may lead, of those that may lead elsewhere than to the next instruction.
    #[must_use]
    pub fn branch(&self) -> Option<&Branch> {
        match self {
            Action::LoopStart(_, branch) | Action::Leave(_, branch) | Action::Push(_, branch) => Some(branch),
            Action::LoopEnd(branch) | Action::Jump(branch) | Action::Else(branch) | Action::Call(branch) => {
                Some(branch)
            }
            Action::CallFetch(branch) | Action::Return(branch) | Action::Kill(branch) => Some(branch),
            _ => None,
        }
    }
}

/// What a select of a vector gives: an element, a constant, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Select {
    /// An element.
    Element(u32),
    /// Zero.
    Zero,
    /// One.
    One,
    /// It is left alone.
    Masked,
}

impl Select {
    fn new(code: u32) -> Result<Select, Fault> {
        match code {
            0..=3 => Ok(Select::Element(code)),
            4 => Ok(Select::Zero),
            5 => Ok(Select::One),
            7 => Ok(Select::Masked),
            _ => Err(Fault::Reserved { field: "select", value: code }),
        }
    }
}

/// An export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Export {
    /// Pixels, positions, parameters.
    pub kind: u32,
    /// The first target.
    pub base: u32,
    /// The first register.
    pub gpr: u32,
    /// The loop index is added to it.
    pub indexed: bool,
    /// How many.
    pub count: u32,
    /// What is written to the elements.
    pub selects: [Select; 4],
}

/// A buffer written or read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Which.
    pub space: Space,
    /// Whether it is read.
    pub reads: bool,
    /// The register whose first element is added to the address.
    pub index_gpr: Option<u32>,
    /// The address: in elements of scratch and reduction buffers, in words of streams and rings.
    pub base: u32,
    /// How many of these there are from there on.
    pub size: u32,
    /// The first register.
    pub gpr: u32,
    /// The loop index is added to it.
    pub indexed: bool,
    /// The loop index is added to the address.
    pub moves: bool,
    /// How many.
    pub count: u32,
    /// Words of an element.
    pub words: u32,
    /// The words that are written.
    pub mask: u32,
}

/// A register of a fetch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Register {
    /// Its number.
    pub gpr: u32,
    /// The loop index is added to it.
    pub indexed: bool,
}

/// A fetch.
#[derive(Clone, Debug)]
pub struct Fetch {
    /// What it does.
    pub kind: FetchKind,
    /// FETCH_WHOLE_QUAD.
    pub whole_quad: bool,
    /// What it is fetched for.
    pub src: Register,
    /// Where it goes.
    pub dst: Register,
    /// What is written to the elements.
    pub selects: [Select; 4],
    /// What is bound there.
    pub resource: u32,
}

/// What a fetch does.
#[derive(Clone, Debug)]
pub enum FetchKind {
    /// Vertex data.
    Vertex {
        /// The element with the index.
        element: u32,
        /// Which offset is added to the index: of vertices, of instances, none.
        offset: u32,
        /// The format; none if it is that of the resource.
        format: Option<Element>,
        /// Behind the begin of the record, in bytes.
        bytes: u32,
        /// The records have no stride.
        no_stride: bool,
        /// The destination is looked up by this number.
        semantic: Option<u32>,
    },
    /// A texel by whole coordinates.
    Load(Texture),
    /// A texel by coordinates.
    Sample {
        /// The coordinates.
        texture: Texture,
        /// It is compared.
        compare: bool,
        /// With which level.
        lod: Lod,
    },
    /// Sizes.
    Size,
    /// Slopes of the source along an axis.
    Slopes(Axis, [Select; 4]),
    /// Gradients for samples; with one level they have no effect.
    SetGradients,
    /// What cannot be executed.
    Bad(Fault),
}

/// The fields of a texture fetch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Texture {
    /// The coordinates.
    pub coordinates: [Select; 4],
    /// Which of them count sizes.
    pub normal: [bool; 4],
    /// In half texels.
    pub offsets: [i32; 3],
}

/// All instructions of control flow, by place.
#[derive(Clone, Debug)]
pub struct Plan {
    steps: Vec<Step>,
}

impl Plan {
    /// Makes a program ready.
    #[must_use]
    pub fn new(machine: Machine, words: &[u32], setup: &Setup) -> Plan {
        let program = Program::decode(machine, words);
        let steps = program.flow.iter().map(|flow| {
            let inst = &flow.inst;
            let clause = flow.clause.and_then(|n| program.clauses.get(n));
            let action = action(machine, inst, clause.map(|clause| (clause.extent.at, &clause.body)), setup);
            let whole_quad = inst.is(cf::WHOLE_QUAD_MODE);
            let alu = matches!(inst.does(), Some(Does::AluClause(_)));
            let mode = Mode::new(whole_quad, !alu && inst.is(cf::VALID_PIXEL_MODE));
            Step { at: flow.at, action: action.unwrap_or_else(Action::Bad), mode, ends: inst.ends_program() }
        });
        Plan { steps: steps.collect() }
    }

    /// The most constants that a clause reads.
    pub(super) fn constants(&self) -> usize {
        let of = |step: &Step| match &step.action {
            Action::Alu(_, Ok(clause)) => clause.ready.constants.len(),
            _ => 0,
        };
        self.steps.iter().map(of).max().unwrap_or(0)
    }

    /// The instruction at a place.
    #[must_use]
    pub fn at(&self, at: u32) -> Option<(usize, &Step)> {
        let n = self.steps.binary_search_by_key(&at, |step| step.at).ok()?;
        Some((n, &self.steps[n]))
    }

    /// All of them, by place.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The instruction of a number, if it stands at that place.
    #[must_use]
    pub fn nth(&self, n: usize, at: u32) -> Option<&Step> {
        self.steps.get(n).filter(|step| step.at == at)
    }
}

fn action(machine: Machine, inst: &Inst<2>, clause: Option<(u32, &Body)>, setup: &Setup) -> Result<Action, Fault> {
    let branch = || branch(inst);
    Ok(match inst.does().ok_or(Fault::NoInstruction { words: inst.words })? {
        Does::Idle => Action::Nop,
        Does::Fetches => match clause {
            Some((_, Body::Fetch(fetches))) => Action::Fetch(fetches.iter().map(fetch).collect()),
            _ => return Err(Fault::NoClause),
        },
        Does::AluClause(around) => match clause {
            Some((at, Body::Alu(groups))) => Action::Alu(around, alu_clause(machine, inst, at, groups, setup)),
            _ => return Err(Fault::NoClause),
        },
        Does::LoopStart(kind) => Action::LoopStart(kind, branch()?),
        Does::LoopEnd => Action::LoopEnd(branch()?),
        Does::LoopContinue => Action::Leave(false, branch()?),
        Does::LoopBreak => Action::Leave(true, branch()?),
        Does::Push => Action::Push(false, branch()?),
        Does::PushElse => Action::Push(true, branch()?),
        Does::Pop => Action::Pop(branch()?),
        Does::Jump => Action::Jump(branch()?),
        Does::Else => Action::Else(branch()?),
        Does::Call => Action::Call(branch()?),
        Does::CallFetch => Action::CallFetch(branch()?),
        Does::Return => Action::Return(branch()?),
        Does::KillPixels => Action::Kill(branch()?),
        Does::Emit { vertex, cut } => Action::Emit(vertex, cut),
        Does::Exports { .. } => Action::Export(export(inst)?),
        Does::Store(space) => Action::Memory(memory(space, inst)?),
        _ => return Err(Fault::NoInstruction { words: inst.words }),
    })
}

fn branch(inst: &Inst<2>) -> Result<Branch, Fault> {
    let constant = inst.get(cf::CF_CONST);
    let cond = match inst.get(cf::COND) {
        0 => Cond::Active,
        1 => Cond::Never,
        2 => Cond::Bool(constant),
        _ => Cond::NotBool(constant),
    };
    let (to, pops, deeper) = (inst.get(cf::ADDR), inst.get(cf::POP_COUNT), inst.get(cf::CALL_COUNT));
    Ok(Branch { to, pops, cond, constant, deeper })
}

fn export(inst: &Inst<2>) -> Result<Export, Fault> {
    let selects = [export_swiz::SEL_X, export_swiz::SEL_Y, export_swiz::SEL_Z, export_swiz::SEL_W];
    let mut all = [Select::Masked; 4];
    for (to, field) in all.iter_mut().zip(selects) {
        *to = Select::new(inst.get(field))?;
    }
    Ok(Export {
        kind: inst.get(export_swiz::TYPE),
        base: inst.get(export_swiz::ARRAY_BASE),
        gpr: inst.get(export_swiz::RW_GPR),
        indexed: inst.is(export_swiz::RW_REL),
        count: inst.get(export_swiz::BURST_COUNT) + 1,
        selects: all,
    })
}

fn memory(space: Space, inst: &Inst<2>) -> Result<Memory, Fault> {
    let kind = inst.get(export_buf::TYPE);
    let reads = kind >= 2;
    if reads && !matches!(space, Space::Scratch | Space::Reduction) {
        return Err(Fault::Unsupported { what: "reading a stream or a ring" });
    }
    Ok(Memory {
        space,
        reads,
        index_gpr: (kind & 1 != 0).then(|| inst.get(export_buf::INDEX_GPR)),
        base: inst.get(export_buf::ARRAY_BASE),
        size: inst.get(export_buf::ARRAY_SIZE) + 1,
        gpr: inst.get(export_buf::RW_GPR),
        indexed: inst.is(export_buf::RW_REL),
        moves: inst.is(export_buf::ELEM_LOOP),
        count: inst.get(export_buf::BURST_COUNT) + 1,
        words: inst.get(export_buf::ELEM_SIZE) + 1,
        mask: inst.get(export_buf::COMP_MASK),
    })
}

/// A clause with its groups.
fn alu_clause(
    machine: Machine,
    inst: &Inst<2>,
    at: u32,
    groups: &[crate::r600::Group],
    setup: &Setup,
) -> Result<Clause, Fault> {
    let lines = [
        Lines {
            bank: inst.get(cf_alu::KCACHE_BANK0),
            mode: inst.get(cf_alu::KCACHE_MODE0),
            line: inst.get(cf_alu::KCACHE_ADDR0),
        },
        Lines {
            bank: inst.get(cf_alu::KCACHE_BANK1),
            mode: inst.get(cf_alu::KCACHE_MODE1),
            line: inst.get(cf_alu::KCACHE_ADDR1),
        },
    ];
    let mut next = at;
    let mut all = Vec::with_capacity(groups.len());
    for one in groups {
        all.push(group(machine, one, next, setup)?);
        next += one.size();
    }
    Ok(Clause::new(all, lines, setup))
}

fn group(machine: Machine, group: &crate::r600::Group, at: u32, setup: &Setup) -> Result<Group, Fault> {
    let last_is_trans = setup.last_is_trans || setup.has(Mistake::LastIsTrans);
    if group.literal_words < group.literals_needed {
        return Err(Fault::NoLiterals);
    }
    let mut ops: Vec<Op> = Vec::with_capacity(SLOTS);
    let count = group.insts().len();
    for (n, inst) in group.insts().iter().enumerate() {
        let row = inst.row.ok_or(Fault::NoInstruction { words: inst.words })?;
        let mut slot = group.slot(n).ok_or(Fault::SlotTaken { name: row.name })? as usize;
        if last_is_trans && n + 1 == count && row.units(machine.chip) == crate::isa::r600::Units::Any {
            slot = Slot::T as usize;
        }
        if ops.iter().any(|op| op.slot == slot) {
            return Err(Fault::SlotTaken { name: row.name });
        }
        ops.push(op(machine, inst, row, slot, &group.literals, setup)?);
    }
    ops.sort_by_key(|op| op.slot);
    let vectors: Vec<&'static str> =
        ops.iter().filter(|op| op.slot < TRANS).filter_map(|op| op.kernel).map(|kernel| kernel.name).collect();
    let mut reduce = None;
    for inst in group.insts() {
        let Some(row) = inst.row else { continue };
        let reduces = matches!(row.does, Does::Dot4(_) | Does::Max4 | Does::Cube);
        if reduces && (vectors.len() != 4 || vectors.iter().any(|name| !is_of(name, row.name))) {
            return Err(Fault::NotFour { name: row.name });
        }
        if let Some(name) = sem::reduce(row.name) {
            reduce = Kernel::of(name);
        }
    }
    if vectors.iter().any(|name| is_of(name, "CUBE")) {
        // z, z, x, y in the slots x, y, z, w.
        let coordinates = [ops[2].src[0], ops[3].src[0], ops[0].src[0]];
        for op in &mut ops[..4] {
            op.src = coordinates;
            op.sources = 3;
        }
    }
    Ok(Group { ops, reduce, at })
}

/// Whether a meaning belongs to an instruction.
fn is_of(meaning: &str, row: &str) -> bool {
    meaning.strip_prefix(row).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn op(
    machine: Machine,
    inst: &Inst<2>,
    row: &'static crate::isa::r600::Row,
    slot: usize,
    literals: &[u32; 4],
    setup: &Setup,
) -> Result<Op, Fault> {
    let kernel = match row.does {
        Does::Nop => None,
        Does::Sin | Does::Cos if machine.chip == Chip::R700 || setup.has(Mistake::RadiansAsTurns) => {
            Some(meaning(&format!("{} turns", row.name))?)
        }
        Does::Cube => Some(meaning(["CUBE x", "CUBE y", "CUBE z", "CUBE w"][slot & 3])?),
        _ => Some(meaning(row.name)?),
    };
    let index = match inst.get(alu_op2::INDEX_MODE) {
        n @ 0..=3 => Index::Address(n as u8),
        4 => Index::Loop,
        _ if !is_relative(inst) => Index::Loop,
        value => return Err(Fault::Reserved { field: "INDEX_MODE", value }),
    };
    let mut src = [alu::Source::NONE; MAX_SOURCES];
    let sources = usize::from(row.sources);
    for (n, to) in src.iter_mut().enumerate().take(sources) {
        let field = inst.source(n);
        let float = kernel.is_some_and(|kernel| kernel.args.get(n).is_some_and(|class| class.is_float()))
            || matches!(row.does, Does::Cube);
        *to = alu::Source {
            place: place(&field, index, literals, setup)?,
            abs: field.abs && float,
            neg: field.neg && float && !(field.abs && setup.has(Mistake::NegateFirst)),
        };
    }
    let when = match inst.get(alu_op2::PRED_SEL) {
        0 => None,
        2 => Some(false),
        3 => Some(true),
        value => return Err(Fault::Reserved { field: "PRED_SEL", value }),
    };
    let op2 = inst.class == crate::isa::r600::Class::Op2;
    if op2 && machine.chip == Chip::R600 && inst.is(alu_op2::FOG_MERGE) {
        return Err(Fault::Unsupported { what: "FOG_MERGE" });
    }
    let effect = match row.does {
        does if does.sets_predicate() => Effect::Predicate {
            predicate: inst.is(alu_op2::UPDATE_PRED),
            execute: inst.is(alu_op2::UPDATE_EXECUTE_MASK),
        },
        Does::Kill(..) => Effect::Kill,
        Does::MoveAddress(_) => Effect::Address,
        _ => Effect::None,
    };
    let dst = (inst.get(alu_op2::DST_GPR), inst.get(alu_op2::DST_ELEM));
    let index = inst.is(alu_op2::DST_REL).then_some(index);
    let write = inst.writes();
    let plain = effect == Effect::None && when.is_none() && index.is_none() && kernel.is_some();
    let simply = plain && write && setup.has_gpr(dst.0) && setup.mistake.is_none();
    Ok(Op {
        kernel,
        slot,
        src,
        sources,
        dst,
        index,
        write,
        simply: simply.then_some((dst.0 * 4 + dst.1) as usize),
        when,
        factor: inst.output_modifier(machine.chip),
        clamp: inst.is(alu_op2::CLAMP),
        effect,
    })
}

/// Whether a source or the destination has an index.
fn is_relative(inst: &Inst<2>) -> bool {
    inst.is(alu_op2::DST_REL) || (0..inst.source_fields()).any(|n| inst.source(n).rel)
}

fn meaning(name: &str) -> Result<&'static Kernel, Fault> {
    Kernel::of(name).ok_or(Fault::Unsupported { what: "an instruction without a meaning" })
}

fn place(source: &Source, index: Index, literals: &[u32; 4], setup: &Setup) -> Result<Place, Fault> {
    let element = source.elem;
    let index = source.rel.then_some(index);
    Ok(match source.sel {
        gpr @ 0..sel::KCACHE0 => match index {
            Some(index) => Place::Indexed { gpr, element, index },
            // One that the program does not have is register 0.
            None => Place::Gpr(if setup.has_gpr(gpr) { gpr as usize * 4 } else { 0 } + element as usize),
        },
        n @ sel::KCACHE0..192 => {
            if matches!(index, Some(Index::Address(_))) {
                return Err(Fault::Unsupported { what: "a constant of the cache relative to the address register" });
            }
            Place::Cache { set: u32::from(n >= sel::KCACHE1), number: (n - sel::KCACHE0) & 31, element, index }
        }
        sel::ZERO => Place::Value(0),
        sel::ONE => Place::Value(0x3f80_0000),
        sel::ONE_INT => Place::Value(1),
        sel::MINUS_ONE_INT => Place::Value(u32::MAX),
        sel::HALF => Place::Value(0x3f00_0000),
        sel::LITERAL => Place::Value(literals[element as usize & 3]),
        sel::PV => Place::Previous(element & 3),
        sel::PS => Place::Previous(TRANS as u32),
        n @ sel::CFILE.. => Place::File { number: n - sel::CFILE, element, index },
        value => return Err(Fault::Reserved { field: "SRC_SEL", value }),
    })
}

fn fetch(inst: &Inst<4>) -> Fetch {
    let selects = [tex::DST_SEL_X, tex::DST_SEL_Y, tex::DST_SEL_Z, tex::DST_SEL_W].map(|field| inst.get(field));
    let mut all = [Select::Masked; 4];
    let mut bad = None;
    for (to, code) in all.iter_mut().zip(selects) {
        match Select::new(code) {
            Ok(select) => *to = select,
            Err(fault) => bad = Some(fault),
        }
    }
    // The fields of both formats that lie in the same bits.
    let kind = bad.map_or_else(|| fetch_kind(inst), Err);
    let semantic = matches!(kind, Ok(FetchKind::Vertex { semantic: Some(_), .. }));
    Fetch {
        kind: kind.unwrap_or_else(FetchKind::Bad),
        whole_quad: inst.is(tex::FETCH_WHOLE_QUAD),
        src: Register { gpr: inst.get(tex::SRC_GPR), indexed: inst.is(tex::SRC_REL) },
        dst: Register { gpr: inst.get(tex::DST_GPR), indexed: inst.is(tex::DST_REL) && !semantic },
        selects: all,
        resource: inst.get(tex::RESOURCE_ID),
    }
}

fn fetch_kind(inst: &Inst<4>) -> Result<FetchKind, Fault> {
    let nothing = Fault::NoInstruction { words: [inst.words[0], inst.words[1]] };
    Ok(match inst.does().ok_or(nothing.clone())? {
        Does::VertexFetch { semantic } => FetchKind::Vertex {
            element: inst.get(vtx::SRC_SEL_X),
            offset: inst.get(vtx::FETCH_TYPE),
            format: (!inst.is(vtx::USE_CONST_FIELDS)).then(|| Element {
                data: inst.get(vtx::DATA_FORMAT),
                number: inst.get(vtx::NUM_FORMAT_ALL),
                signed: inst.is(vtx::FORMAT_COMP_ALL),
                no_zero: inst.is(vtx::SRF_MODE_ALL),
                swap: inst.get(vtx::ENDIAN_SWAP),
            }),
            bytes: inst.get(vtx::OFFSET),
            no_stride: inst.is(vtx::CONST_BUF_NO_STRIDE),
            semantic: semantic.then(|| inst.get(SEMANTIC_ID)),
        },
        Does::Load => FetchKind::Load(texture(inst)?),
        Does::Sample { compare, lod, .. } => FetchKind::Sample { texture: texture(inst)?, compare, lod },
        Does::Get(Query::Size) => FetchKind::Size,
        Does::Get(Query::GradientsH) => FetchKind::Slopes(Axis::H, texture(inst)?.coordinates),
        Does::Get(Query::GradientsV) => FetchKind::Slopes(Axis::V, texture(inst)?.coordinates),
        Does::Get(Query::BorderFraction) => FetchKind::Bad(Fault::Unsupported { what: "GET_BORDER_COLOR_FRAC" }),
        Does::Get(Query::Lod) => FetchKind::Bad(Fault::Unsupported { what: "GET_COMP_TEX_LOD" }),
        Does::Get(Query::LerpFactors) => FetchKind::Bad(Fault::Unsupported { what: "GET_LERP_FACTORS" }),
        Does::Get(Query::Weights) => FetchKind::Bad(Fault::Unsupported { what: "GET_WEIGHTS" }),
        Does::Get(Query::Address) => FetchKind::Bad(Fault::Unsupported { what: "PASS" }),
        Does::SetGradients(_) => FetchKind::SetGradients,
        _ => return Err(nothing),
    })
}

fn texture(inst: &Inst<4>) -> Result<Texture, Fault> {
    let mut coordinates = [Select::Masked; 4];
    for (to, field) in coordinates.iter_mut().zip([tex::SRC_SEL_X, tex::SRC_SEL_Y, tex::SRC_SEL_Z, tex::SRC_SEL_W]) {
        *to = Select::new(inst.get(field))?;
    }
    let normal = [tex::COORD_TYPE_X, tex::COORD_TYPE_Y, tex::COORD_TYPE_Z, tex::COORD_TYPE_W].map(|f| inst.is(f));
    let offsets = [tex::OFFSET_X, tex::OFFSET_Y, tex::OFFSET_Z].map(|f| (inst.get(f) << 27) as i32 >> 27);
    Ok(Texture { coordinates, normal, offsets })
}
