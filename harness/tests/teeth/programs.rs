//! Programs of rows as case files: random instructions in front of registers full of edge values.

use crate::selections::{Selection, What};
use libtest_mimic::Failed;
use std::path::{Path, PathBuf};
use wavediff::case::Case;
use wavediff::disasm;
use wavediff::isa::form::{Form, Table};
use wavediff::isa::{Arch, Gen, Target};
use wavediff::laws::{Chance, Density, instructions};
use wavediff::program::Program;
use wavediff::spirv::engine::{SEVERAL, missing};

/// Files of a selection: the same instructions with other registers and modes.
const FILES: u64 = 6;
/// Instructions of a program.
const TOGETHER: usize = 24;

/// Writes the programs of a selection of rows.
pub fn write(selection: &Selection, folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let target = Arch::find(selection.arch).map(Target::new).and_then(|t| t.wave(selection.lanes));
    let target = target.ok_or("a processor with such waves")?;
    let texts = texts(selection, target);
    if texts.is_empty() {
        return Err("no instruction".into());
    }
    let mut files = Vec::new();
    for (n, some) in texts.chunks(TOGETHER).enumerate() {
        for seed in 0..FILES {
            let path = folder.join(format!("rows-{n}-{seed}.s"));
            std::fs::write(&path, readable(target, some, seed))?;
            files.push(path);
        }
    }
    Ok(files)
}

/// The instructions of a selection.
fn texts(selection: &Selection, target: Target) -> Vec<String> {
    let What::Rows { names, variant, format, mixed, most } = selection.what else { return Vec::new() };
    let table = Table::of(target);
    let wanted = |form: &&Form| {
        names.contains(&form.row.name)
            && variant.is_none_or(|v| form.variant == v)
            && format.is_none_or(|f| form.format.name == f)
    };
    let mut all = Vec::new();
    for form in table.forms.iter().filter(wanted) {
        let mut drawn = Vec::new();
        instructions(form, Density { full: false, mixed: mixed * 8, seed: 7 }, &mut |words| {
            if let Ok(decoded) = disasm::decode(table, words)
                && std::ptr::eq(decoded.form, form)
            {
                drawn.push(words[..usize::from(decoded.len)].to_vec());
            }
        });
        let plain = drawn.first().cloned();
        let rest = drawn.into_iter().skip(1).rev().take(mixed);
        for words in plain.into_iter().chain(rest) {
            let program = Program::new(target, &words, 0);
            let fits = program.steps[0].executes && !program.steps[0].breaks_flow();
            if fits && missing(&program, selection.model, selection.lanes, SEVERAL).is_empty() {
                all.push(program.text(0));
            }
        }
    }
    all.truncate(most);
    all
}

/// A case of what assembles: some words have no text of their own. Halves of registers are named as such, or left out where no row takes them.
fn readable(target: Target, texts: &[String], seed: u64) -> String {
    let halves = texts.iter().any(|text| [".l", ".h"].iter().any(|half| text.contains(half)));
    let sound = |texts: Vec<String>, halves: bool| -> Vec<String> {
        let assembles = |text: &String| {
            let alone = case(target, std::slice::from_ref(text), seed, halves);
            Case::parse(&alone, "rows.s").is_ok_and(|case| case.program(target).is_ok())
        };
        texts.into_iter().filter(assembles).collect()
    };
    let named = sound(texts.to_vec(), halves);
    if !halves || !named.is_empty() {
        return case(target, &named, seed, halves);
    }
    let whole = texts.iter().filter(|text| !text.contains(".h")).map(|text| text.replace(".l", "")).collect();
    case(target, &sound(whole, false), seed, false)
}

/// A case: eight waves, every register with another value, EXEC anew in front of each instruction.
fn case(target: Target, texts: &[String], seed: u64, halves: bool) -> String {
    const WAVES: u32 = 8;
    let mut chance = Chance::new(seed + 1);
    let mut mode = chance.next_u64() as u32 & 0xff;
    let generation = target.generation();
    if generation < Gen::Gfx12 {
        mode |= (chance.next_u64() as u32 & 3) << 8;
    }
    if generation >= Gen::Gfx9 {
        mode |= (chance.next_u64() as u32 & 1) << 23;
    }
    let lanes = wavediff::case::wave_size(target);
    let mut text = format!("; isa: {}\n", target.arch.name);
    if target.arch.has_wave32() {
        text.push_str(&format!("; wave: {lanes}\n"));
    }
    if halves {
        text.push_str("; mattr: +real-true16\n");
    }
    text.push_str(&format!("; grid: {}\n; group: {lanes}\n; mode: {mode:#x}\n", WAVES * lanes));
    let ty = if seed.is_multiple_of(2) { "" } else { "_f32" };
    text.push_str(&format!("; v[0:255] = random{ty}({seed}, edge)\n; s[0:99] = random({}, edge)\n", seed + 100));
    text.push_str(&format!("; vcc = random_u64({seed}, edge)\n; scc = {}\n; m0 = {}\n", seed & 1, seed % 8));
    for instruction in texts {
        for half in ["exec_lo", "exec_hi"] {
            let masks = [u32::MAX, u32::MAX, 0xaaaa_5555, 1, 0, chance.next_u64() as u32];
            let mask = masks[chance.below(masks.len())];
            if lanes == 64 || half == "exec_lo" {
                text.push_str(&format!("s_mov_b32 {half}, {mask:#x}\n"));
            }
        }
        text.push_str(&format!("{instruction}\n"));
    }
    text
}
