//! What the text of an instruction names: registers with their values, read from the text itself, which cannot disagree with what a reader sees.

use super::record::{Index, Item, Shown};
use crate::emu::group::Group;
use crate::emu::plan::Step;
use crate::emu::wave::Wave;
use crate::isa::does::{Condition, Control, Does, Way};
use crate::isa::operand::{self, Class, Opnd};
use crate::isa::regs::Names;
use crate::isa::row::{Family, Inst, Traits};
use crate::isa::sem::find;
use crate::isa::types::Ty;
use crate::memory::atomic::Width;
use crate::program::Flags;
use crate::program::named::{Named, named, operands, vector_name};

/// How many operands in front are only written.
fn written(row: &Inst, step: &Step) -> usize {
    if let Some(access) = step.memory.as_deref() {
        // What an atomic returns, it is asked for; then its register stands in front. What goes to LDS has none.
        let returns = access.atomic.is_none() || access.flags.contains(Flags::RETURNS);
        return usize::from(row.dst.class != Class::None && returns && !access.flags.contains(Flags::LDS));
    }
    if row.dst.class == Class::None {
        return 0;
    }
    1 + row.src.iter().take_while(|source| source.class == Class::MaskOut).count()
}

/// How many operands in front are written, whether they are read as well or not.
fn results(row: &Inst, step: &Step) -> usize {
    let access = step.memory.as_deref();
    // The data of a buffer or scalar atomic is its result too.
    let both = access.is_some_and(|a| a.atomic.is_some() && a.flags.contains(Flags::RETURNS));
    if both { 1 } else { written(row, step) }
}

/// In which type an instruction looks at an operand, if its row says one.
fn shown(row: &Inst, operand: &Opnd) -> Option<Shown> {
    let named = |ty: &str| row.name.split('_').any(|part| part == ty);
    if matches!(operand.class, Class::Part(_) | Class::MaskIn | Class::MaskOut | Class::Matrix | Class::MatrixOrInline)
        || row.traits.contains(Traits::MIX)
    {
        return None;
    }
    let one = |ty| Some(Shown::One(ty));
    match operand.ty {
        operand::Ty::F32 => one(Ty::F32),
        operand::Ty::F64 => one(Ty::F64),
        operand::Ty::F16 => one(Ty::F16),
        operand::Ty::Bf16 => one(Ty::Bf16),
        operand::Ty::PF16 | operand::Ty::BothF16 => Some(Shown::Two(Ty::F16)),
        operand::Ty::PBf16 | operand::Ty::BothBf16 => Some(Shown::Two(Ty::Bf16)),
        operand::Ty::DF32 => one(Ty::F32),
        operand::Ty::B32 if named("i32") => one(Ty::I32),
        operand::Ty::B32 if named("u32") => one(Ty::U32),
        operand::Ty::B64 if named("i64") => one(Ty::I64),
        operand::Ty::B64 if named("u64") => one(Ty::U64),
        _ => None,
    }
}

/// The types of the operands of a text, of which there are so many. Selected parts of registers have none: which part it is stands in modifiers.
fn types(row: &Inst, text: &str, count: usize) -> Vec<Option<Shown>> {
    let sources = row.src.iter().filter(|source| !matches!(source.class, Class::Tied | Class::None));
    let sources: Vec<Option<Shown>> = sources.map(|source| shown(row, source)).collect();
    let selects = ["op_sel", "_sel:"].iter().any(|word| text.contains(word));
    if selects || text.contains(" :: ") {
        return vec![None; count];
    }
    if count == sources.len() {
        return sources;
    }
    // A packed result is a word in the rows; it is of the type of its sources.
    let packed =
        || sources.first().copied().flatten().filter(|ty| matches!(ty, Shown::Two(_)) && row.family == Family::Vop3p);
    let mut all = vec![shown(row, &row.dst).or_else(packed)];
    all.extend(sources);
    if all.len() == count { all } else { vec![None; count] }
}

/// The values of what an operand names, in some lanes: one item for each vector register, one for a range of scalars.
fn items<'w>(
    wave: &'w Wave,
    named: &Named,
    operand: &str,
    lanes: u64,
    ty: Option<Shown>,
) -> impl Iterator<Item = Item> + use<'w> {
    let bare = operand.trim_end_matches('|');
    let ty = match ty {
        Some(Shown::One(ty)) if ty.bytes() == 2 && bare.ends_with(".h") => Some(Shown::Upper(ty)),
        ty => ty,
    };
    let Named { vector, first, count } = *named;
    let scalar = (!vector).then(|| {
        let values = wave.s.iter().skip(first).take(count).enumerate().map(|(n, word)| (n as u64, *word)).collect();
        let place = operand.trim_start_matches(['-', '|']).trim_end_matches('|').to_owned();
        Item { place, index: Index::Word, values, ty }
    });
    let vectors = if vector { first..first + count } else { 0..0 };
    let vectors = vectors.map(move |n| {
        let on = (0..wave.lanes as usize).filter(|lane| lanes >> lane & 1 == 1);
        Item {
            place: vector_name(n),
            index: Index::Lane,
            values: on.map(|lane| (lane as u64, wave.vgpr(n, lane))).collect(),
            ty,
        }
    });
    scalar.into_iter().chain(vectors)
}

/// The destinations that the text names, as they are now.
pub(super) fn destinations(wave: &Wave, step: &Step, group: &Group<'_>, text: &str, exec: u64) -> Vec<Item> {
    let target = group.program.target;
    let Ok(executed) = group.program.executed(step.at) else { return Vec::new() };
    let row = executed.decoded.form.row;
    let types = types(row, text, operands(text).count());
    let halves = text.split(" :: ").flat_map(|half| operands(half).take(results(row, step)).zip(&types));
    let found = halves.filter_map(|(operand, ty)| Some((named(operand, &target)?, operand, *ty)));
    let mut all: Vec<Item> = Vec::new();
    for (mut named, operand, ty) in found {
        let first = named.first;
        if let Some(atomic) = step.memory.as_deref().and_then(|access| access.atomic) {
            // The data of a comparison is wider than what comes back.
            named.count =
                named.count.min(if atomic.width == Width::W64 { 2 } else { 1 } * if is_two(step) { 2 } else { 1 });
        }
        for item in items(wave, &named, operand, exec, ty) {
            if item.index != Index::Word {
                all.push(item);
                continue;
            }
            // One by one, as the comparison has them.
            let names = Names::of(&target);
            let single = |(n, value): &(u64, u32)| Item {
                place: names.get((first as u64 + n) as u16, 1).as_str().to_owned(),
                index: Index::Word,
                values: vec![(0, *value)],
                ty: ty.filter(|ty| !matches!(ty, Shown::One(ty) if ty.bytes() == 8)),
            };
            all.extend(item.values.iter().map(single));
        }
        // Of a block only the registers that M0 names.
        if step.memory.as_deref().is_some_and(|access| access.way == Way::Block) {
            let m0 = wave.m0();
            let kept: Vec<String> = (0..32).filter(|n| m0 >> n & 1 != 0).map(|n| vector_name(first + n)).collect();
            all.retain(|item| kept.contains(&item.place));
        }
    }
    all
}

/// Whether an instruction has two addresses.
fn is_two(step: &Step) -> bool {
    step.memory.as_deref().is_some_and(|access| matches!(access.way, Way::Two { .. }))
}

/// What an instruction reads.
pub(super) fn reads(wave: &Wave, step: &Step, group: &Group<'_>, text: &str) -> Vec<Item> {
    let target = group.program.target;
    let Ok(executed) = group.program.executed(step.at) else { return Vec::new() };
    let row = executed.decoded.form.row;
    let types = types(row, text, operands(text).count());
    let mut all: Vec<Item> = Vec::new();
    let mut add = |item: Item| {
        if !all.iter().any(|known| known.place == item.place) {
            all.push(item);
        }
    };
    let exec = wave.exec();
    let skip = if find::reads_dst(row) { 0 } else { written(row, step) };
    for half in text.split(" :: ") {
        for (operand, ty) in operands(half).zip(&types).skip(skip) {
            if let Some(named) = named(operand, &target) {
                items(wave, &named, operand, exec, *ty).for_each(&mut add);
            }
        }
    }
    let mut implied = Vec::new();
    if row.traits.contains(Traits::READS_VCC) || find::bit(row) == Some(find::Bit::Vcc) {
        implied.push("vcc");
    }
    if row.traits.contains(Traits::READS_M0) {
        implied.push("m0");
    }
    for name in implied {
        if let Some(named) = named(name, &target) {
            items(wave, &named, name, exec, None).for_each(&mut add);
        }
    }
    if find::bit(row) == Some(find::Bit::Scc) || matches!(row.does, Does::Control(Control::Branch(Condition::Scc(_)))) {
        add(Item { place: "scc".to_owned(), index: Index::Word, values: vec![(0, wave.scc.into())], ty: None });
    }
    all
}
