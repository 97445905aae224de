//! `scan`: what a program of R600 or R700 needs.

use crate::common::{self, AnyArch, usage};
use crate::explain::push_table;
use crate::input::Input;
use crate::run::case::complain;
use anyhow::{Result, bail};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::ExitCode;
use wavediff::isa::r600::{Class, Machine};
use wavediff::r600::check::stack_entries;
use wavediff::r600::{Body, Program, object, program::sel};

/// What a program needs.
#[derive(Default)]
struct Needs {
    /// How often each instruction stands there, by class and name.
    rows: BTreeMap<(u8, &'static str), (Class, usize)>,
    /// Words that are no instruction where one stands.
    none: usize,
    registers: BTreeSet<u32>,
    groups: usize,
    slots: usize,
    clauses: usize,
}

/// Says what a file needs: an object, a case, or raw words.
pub fn run(input: &Input, bytes: &[u8], as_json: bool) -> Result<ExitCode> {
    let Input { file, arch, .. } = input;
    let (machine, words) = if object::is_one(bytes) {
        let object = object::read(bytes)?;
        (object.machine, words_of(object.text))
    } else if super::is_case(bytes) {
        let Some(case) = super::read(file, bytes, input.reading)? else { return Ok(ExitCode::from(1)) };
        let Some(machine) = super::machines(&case, *arch)?.first().copied() else {
            bail!("the case is for no machine")
        };
        match case.words(machine) {
            Ok((words, _)) => (machine, words),
            Err(error) => return complain(&error).map(|()| ExitCode::from(1)),
        }
    } else {
        let Some(AnyArch::R600(machine)) = *arch else { return usage("give --arch r600 or --arch rv770") };
        if !bytes.len().is_multiple_of(4) {
            return usage(format!("`{file}` is {} bytes long, which are no whole words", bytes.len()));
        }
        (machine, words_of(bytes))
    };
    let program = Program::decode(machine, &words);
    let needs = needs(&program);
    let stack = stack_entries(&program);
    let text = if as_json { to_json(machine, &needs, stack) } else { table(file, machine, &needs, stack) };
    common::print(&text)?;
    Ok(ExitCode::from(u8::from(needs.none > 0)))
}

fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

fn needs(program: &Program) -> Needs {
    use wavediff::isa::r600::format::{alu_op2, tex};
    let mut needs = Needs::default();
    let count = |row: Option<&'static wavediff::isa::r600::Row>, needs: &mut Needs| match row {
        Some(row) => needs.rows.entry((row.class as u8, row.name)).or_insert((row.class, 0)).1 += 1,
        None => needs.none += 1,
    };
    for flow in &program.flow {
        count(flow.inst.row, &mut needs);
        let Some(clause) = flow.clause.and_then(|n| program.clauses.get(n)) else { continue };
        needs.clauses += 1;
        match &clause.body {
            Body::Alu(groups) => {
                for group in groups {
                    needs.groups += 1;
                    for inst in group.insts() {
                        needs.slots += 1;
                        count(inst.row, &mut needs);
                        let sources = inst.row.map_or(0, |row| usize::from(row.sources));
                        let read = (0..sources).map(|n| inst.source(n).sel).filter(|sel| *sel < sel::KCACHE0);
                        needs.registers.extend(read);
                        if inst.writes() {
                            needs.registers.insert(inst.get(alu_op2::DST_GPR));
                        }
                    }
                }
            }
            Body::Fetch(fetches) => {
                for fetch in fetches {
                    count(fetch.row, &mut needs);
                    needs.registers.extend([fetch.get(tex::SRC_GPR), fetch.get(tex::DST_GPR)]);
                }
            }
        }
    }
    needs
}

fn table(file: &str, machine: Machine, needs: &Needs, stack: u32) -> String {
    let mut out = String::new();
    let Needs { groups, slots, clauses, .. } = needs;
    let _ = writeln!(out, "{file}: {}, {clauses} clauses, {groups} groups of {slots} instructions", machine.name());
    if needs.none > 0 {
        let _ = writeln!(out, "{} instructions are none", needs.none);
    }
    let own = needs.registers.iter().filter(|n| **n < 124).max().map_or(0, |n| n + 1);
    let temporaries = needs.registers.iter().filter(|n| **n >= 124).count();
    let _ = writeln!(out, "names {own} registers and {temporaries} temporaries, a stack of {stack} entries\n");
    let rows: Vec<[String; 3]> = needs
        .rows
        .iter()
        .map(|((_, name), (class, count))| [format!("{class:?}").to_lowercase(), (*name).to_owned(), count.to_string()])
        .collect();
    push_table(&mut out, &rows);
    out
}

fn to_json(machine: Machine, needs: &Needs, stack: u32) -> String {
    let opcodes: Vec<_> = needs
        .rows
        .iter()
        .map(|((_, name), (class, count))| json!({"class": format!("{class:?}"), "name": name, "count": count}))
        .collect();
    let all = json!({
        "arch": machine.name(), "clauses": needs.clauses, "groups": needs.groups, "slots": needs.slots,
        "none": needs.none, "registers": needs.registers, "stack": stack, "opcodes": opcodes,
    });
    format!("{all}\n")
}
