//! `wavediff explain`: an instruction by its name, or by its bits.

use crate::common::{self, AnyArch, Mode, Paint, usage};
use crate::disasm::read_words;
use crate::r600::text as r600;
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;
use wavediff::asm::near::{near_miss, where_it_exists};
use wavediff::disasm::decode;
use wavediff::disasm::explain::{describe, describe_operand, explain, modifier_name, operand_name, takes_literal};
use wavediff::isa::form::{Form, Table};
use wavediff::isa::format::Span;
use wavediff::isa::operand::Class;
use wavediff::isa::row::{Family, Inst};
use wavediff::isa::words::{formula_on, words};
use wavediff::isa::{ARCHS, Arch, Gen, Target, Variants, gcn};
use wavediff::program::Program;
use wavediff::program::coverage::{self, rows_of};
use wavediff::program::uses::Set;
use wavediff::timing::Issue;

/// Explain an instruction by its name, or its bits field by field
#[derive(clap::Args)]
#[command(after_help = "Examples:
  wavediff explain v_add_f32                          where it exists, its opcodes and operands, what it computes
  wavediff explain ds_bpermute_b32                    what it does, in words
  wavediff explain v_add_f32 --arch gfx1100           its forms there too, with their fields
  wavediff explain --arch gfx1100 --hex 01050006      every field of these four bytes
  wavediff explain --arch gfx900 --hex 'f9041006 01060606' --json
  wavediff explain --arch r600 --clause alu --hex '00000080 00406211'
  wavediff explain --choices                          what the manuals leave open, and what is done here")]
pub struct Args {
    /// Name of an instruction, with or without _e32, _e64, _dpp, _sdwa
    name: Option<String>,
    /// Processor (gfx1100, r600) or product (navi31)
    #[arg(long, value_parser = common::any_arch)]
    arch: Option<AnyArch>,
    #[command(flatten)]
    mode: Mode,
    /// Bytes of one instruction in the order of memory
    #[arg(long, value_name = "BYTES", conflicts_with = "name", requires = "arch")]
    hex: Option<String>,
    /// What the bytes are on R600 and R700, whose words do not say it; words are numbers of eight digits there
    #[arg(long, value_name = "KIND", requires = "hex")]
    clause: Option<r600::Clause>,
    /// List what the manuals leave open, and what is done here
    #[arg(long, conflicts_with_all = ["name", "hex"])]
    choices: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.choices {
        common::write(None, choices(args.json).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(AnyArch::R600(machine)) = args.arch {
        if args.json {
            return usage("there is no JSON for R600 and R700 yet");
        }
        let text = match (&args.hex, &args.name) {
            (Some(hex), _) => r600::explain_words(machine, args.clause, hex)?,
            (None, Some(name)) => r600::explain_name(machine, name)?,
            (None, None) => return usage("give the name of an instruction, or --hex"),
        };
        common::print(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let target = args.arch.and_then(AnyArch::gcn).map(|arch| args.mode.target(arch)).transpose()?;
    let text = match (&args.hex, &args.name, target) {
        (Some(hex), _, Some(target)) => bits(hex, target, args.json)?,
        (None, Some(name), target) => named(name, target, args.json)?,
        _ => return usage("give the name of an instruction, or --arch and --hex"),
    };
    common::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// What is open, and what is done.
fn choices(as_json: bool) -> String {
    let all = wavediff::emu::choices::CHOICES.iter().chain(wavediff::memory::choices::CHOICES);
    let all = all.chain(wavediff::memory::image::choices::CHOICES).chain(wavediff::memory::image::format::CHOICES);
    let all = all.chain(wavediff::memory::rays::choices::CHOICES).chain(wavediff::r600::emu::choices::CHOICES);
    if as_json {
        let all: Vec<Value> = all.map(|c| json!({"topic": c.topic, "choice": c.choice, "why": c.why})).collect();
        return format!("{}\n", Value::from(all));
    }
    all.fold(String::new(), |text, c| text + &format!("{}\n    {}\n    because: {}\n", c.topic, c.choice, c.why))
}

/// The bits of a span as manuals write them: `31:25`.
fn bits_of(span: Span) -> String {
    let run = |lo: u8, width: u8| {
        if width == 1 { lo.to_string() } else { format!("{}:{lo}", lo + width - 1) }
    };
    match span.width2 {
        0 => run(span.lo, span.width),
        width2 => format!("{},{}", run(span.lo2, width2), run(span.lo, span.width)),
    }
}

fn bits(hex: &str, target: Target, as_json: bool) -> Result<String> {
    let mut words = [0; 8];
    let count = read_words(hex.as_bytes(), &mut words).map_err(anyhow::Error::msg)?;
    if count == 0 {
        return usage("--hex has no bytes; write them in the order of memory, as 01050006");
    }
    let explained = match explain(Table::of(target), &words[..count.min(words.len())]) {
        Ok(explained) => explained,
        Err(reason) => bail!("0x{:08x} is no instruction of {}: {reason}", words[0], target.arch.name),
    };
    if explained.len < count {
        bail!(
            "`{}` has {} bytes, and {} are left over; explain one instruction at a time",
            explained.text,
            4 * explained.len,
            4 * (count - explained.len)
        );
    }
    // Both halves of a dual instruction.
    let form = decode(Table::of(target), &words[..explained.len]).map(|decoded| decoded.form).ok();
    let rows: Vec<&Inst> = form.map(|form| rows_of(form, target.generation()).collect()).unwrap_or_default();
    // What nobody executes has no uses that anybody knows.
    let program = Program::new(target, &words, 0);
    let step = program.steps.first().filter(|step| step.executes);
    let uses = step.map(|step| program.uses(step));
    // Of a unit alone nobody learns much: it is told where it is known how long it is kept.
    let issue = program.steps.first().and_then(|step| Issue::of(&program, step));
    let issue = issue.and_then(|issue| Some((issue.unit.name(), issue.clocks?)));
    let names = |set: Set| set.names(&target);
    let computes: Vec<String> = rows.iter().filter_map(|row| said(row, target.arch)).collect();
    if as_json {
        let fields: Vec<Value> = explained
            .fields
            .iter()
            .map(|f| json!({ "name": f.name, "bits": bits_of(f.span), "value": f.value, "role": f.role, "text": f.text }))
            .collect();
        let words: Vec<String> = words[..count].iter().map(|w| format!("{w:08x}")).collect();
        let all = json!({
            "arch": target.arch.name, "text": explained.text, "instruction": explained.name,
            "format": explained.format, "words": words, "fields": fields, "computes": computes,
            "reads": uses.map(|uses| names(uses.reads)), "writes": uses.map(|uses| names(uses.writes)),
            "unit": issue.map(|(unit, _)| unit), "clocks": issue.map(|(_, clocks)| clocks),
        });
        return Ok(format!("{all:#}\n"));
    }
    let paint = Paint::stdout();
    let list: Vec<String> = words[..count].iter().map(|w| format!("{w:08X}")).collect();
    let mut out =
        format!("{}\n{} of {}: {}\n", paint.bold(&explained.text), explained.format, target.arch.name, list.join(" "));
    computes.iter().for_each(|text| out.push_str(&format!("computes: {text}\n")));
    if let Some(uses) = uses {
        let moved = if uses.moved { ", and registers that M0 or a mode says at run time" } else { "" };
        for (what, set) in
            [("reads", uses.reads), ("writes", uses.writes)].into_iter().filter(|(_, set)| *set != Set::default())
        {
            out.push_str(&format!("{what}: {}{moved}\n", names(set).join(" ")));
        }
    }
    if let Some((unit, clocks)) = issue {
        let s = if clocks == 1 { "" } else { "s" };
        out.push_str(&format!("issue: {unit}, {clocks} clock{s}\n"));
    }
    out.push('\n');
    let mut rows = vec![["bits".to_owned(), "field".into(), "value".into(), "text".into(), "what it is".into()]];
    for f in &explained.fields {
        rows.push([bits_of(f.span), f.name.clone(), format!("{:#x}", f.value), f.text.clone(), f.role.clone()]);
    }
    push_table(&mut out, &rows);
    Ok(out)
}

/// Columns of text, as wide as they need.
pub fn push_table<const N: usize>(out: &mut String, rows: &[[String; N]]) {
    let widths: Vec<usize> = (0..N).map(|i| rows.iter().map(|r| r[i].chars().count()).max().unwrap_or(0)).collect();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:width$}  ");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// Where a row exists.
fn variants(row: &Inst) -> Variants {
    ARCHS.iter().filter(|a| row.opcode(a).is_some()).fold(Variants::empty(), |set, a| set | a.variant)
}

fn is_called(row: &Inst, name: &str) -> bool {
    row.name == name || row.renamed.iter().any(|r| r.1 == name) || row.aliases.iter().any(|a| a.1 == name)
}

fn named(written: &str, target: Option<Target>, as_json: bool) -> Result<String> {
    let name = written.to_ascii_lowercase();
    let find = |name: &str| gcn::rows().filter(|row| is_called(row, name)).collect::<Vec<_>>();
    let mut rows = find(&name);
    if rows.is_empty() {
        let stem = ["_e64_dpp", "_e32", "_e64", "_dpp8", "_dpp", "_sdwa"].iter().find_map(|s| name.strip_suffix(s));
        rows = stem.map(find).unwrap_or_default();
    }
    if rows.is_empty() {
        let names = gcn::rows().flat_map(|row| std::iter::once(row.name).chain(row.renamed.iter().map(|r| r.1)));
        match near_miss(&name, names) {
            Some(near) => bail!("no processor has an instruction `{written}`; did you mean `{near}`?"),
            None => {
                bail!("no processor has an instruction `{written}`; `wavediff isa --arch gfx1100` lists those of one")
            }
        }
    }
    if let Some(target) = target {
        let here: Vec<&Inst> = rows.iter().copied().filter(|row| row.opcode(target.arch).is_some()).collect();
        if here.is_empty() {
            let on = rows.iter().fold(Variants::empty(), |set, row| set | variants(row));
            bail!("{} has no `{name}`: it {}", target.arch.name, where_it_exists(on));
        }
        rows = here;
    }
    if as_json {
        let list: Vec<Value> = rows.iter().map(|row| row_json(row, target)).collect();
        return Ok(format!("{:#}\n", Value::Array(list)));
    }
    let mut out = String::new();
    for (i, row) in rows.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        row_text(row, target, &mut out);
    }
    Ok(out)
}

/// The part of the manuals that describes a family.
pub fn manual(family: Family) -> &'static str {
    match family {
        Family::Sop1 => "SOP1 instructions",
        Family::Sop2 => "SOP2 instructions",
        Family::Sopk => "SOPK instructions",
        Family::Sopc => "SOPC instructions",
        Family::Sopp => "SOPP instructions",
        Family::Smem => "SMEM instructions (SMRD on gfx6 and gfx7)",
        Family::Vop1 => "VOP1 instructions",
        Family::Vop2 => "VOP2 instructions",
        Family::Vopc => "VOPC instructions",
        Family::Vop3 | Family::Vop3Interp => "VOP3 instructions (VOP3A and VOP3B)",
        Family::Vop3p => "VOP3P instructions",
        Family::Mai => "VOP3P-MAI instructions (matrix cores)",
        Family::Vinterp => "VINTERP instructions",
        Family::Vopd => "VOPD instructions (dual issue)",
        Family::Vintrp => "VINTRP instructions",
        Family::Ldsdir => "LDSDIR instructions (VDSDIR on gfx12)",
        Family::Ds => "DS instructions (LDS and GDS)",
        Family::Mubuf => "MUBUF instructions (VBUFFER on gfx12)",
        Family::Mtbuf => "MTBUF instructions (VBUFFER on gfx12)",
        Family::Mimg => "MIMG instructions (VIMAGE and VSAMPLE on gfx12)",
        Family::Flat => "FLAT instructions",
        Family::Global => "GLOBAL instructions",
        Family::Scratch => "SCRATCH instructions",
        Family::Exp => "EXP instructions",
    }
}

/// The opcodes by generation: those that have it.
fn opcodes(row: &Inst) -> Vec<(Gen, &'static str, u16)> {
    let has = |g: Gen| ARCHS.iter().any(|a| a.generation == g && row.opcode(a).is_some());
    Gen::ALL.into_iter().filter(|g| has(*g)).map(|g| (g, row.name_in(g), row.code[g as usize])).collect()
}

/// What a row computes or does, by generation, as far as they differ.
fn computes(row: &Inst, target: Option<Target>) -> Vec<(Vec<Gen>, String)> {
    let mut all: Vec<(Vec<Gen>, String)> = Vec::new();
    for (generation, ..) in opcodes(row) {
        if target.is_some_and(|target| target.generation() != generation) {
            continue;
        }
        let has = |arch: &&Arch| arch.generation == generation && row.opcode(arch).is_some();
        let Some(arch) = target.map(|target| target.arch).or_else(|| ARCHS.iter().find(has)) else { continue };
        let Some(text) = said(row, arch) else { continue };
        match all.iter_mut().find(|(_, other)| *other == text) {
            Some((generations, _)) => generations.push(generation),
            None => all.push((vec![generation], text)),
        }
    }
    all
}

/// What a row computes on a processor: the formula as `bisect` prints it, or words.
pub fn said(row: &Inst, arch: &Arch) -> Option<String> {
    let formula = formula_on(row, arch).map(|formula| match &formula.sources[..] {
        [] => formula.text,
        sources => format!("{} of {}", formula.text, sources.join(", ")),
    });
    formula.or_else(|| words(row))
}

/// How exact the results are, by generation, where the manuals allow them not to be.
fn precisions(row: &Inst, target: Option<Target>) -> Vec<(Vec<Gen>, String)> {
    let mut all: Vec<(Vec<Gen>, String)> = Vec::new();
    for (generation, ..) in opcodes(row) {
        let Some(text) = coverage::precision(row, generation) else { continue };
        if target.is_some_and(|target| target.generation() != generation) {
            continue;
        }
        match all.iter_mut().find(|(_, other)| *other == text) {
            Some((generations, _)) => generations.push(generation),
            None => all.push((vec![generation], text)),
        }
    }
    all
}

fn forms<'t>(row: &Inst, table: &'t Table) -> Vec<&'t Form> {
    table.forms.iter().filter(|f| std::ptr::eq(f.row, row)).collect()
}

fn format_name(table: &Table, form: &Form) -> String {
    let second = form.second_format(&table.target).map(|f| format!("+{}", f.name)).unwrap_or_default();
    format!("{}{second}", form.format.name)
}

fn row_text(row: &Inst, target: Option<Target>, out: &mut String) {
    let paint = Paint::stdout();
    let name = target.map_or(row.name, |t| row.name_in(t.generation()));
    let _ = writeln!(out, "{}  {}", paint.bold(name), where_it_exists(variants(row)));
    let _ = writeln!(out, "manual: {}", manual(row.family));
    for (from, alias) in row.aliases {
        let _ = writeln!(out, "also written {alias} ({})", where_it_exists(*from));
    }
    out.push_str("opcodes:");
    let mut last = row.name;
    for (generation, name, code) in opcodes(row) {
        let _ = write!(out, "  {} {code:#04x}", generation.name());
        if name != last {
            let _ = write!(out, " as {name}");
            last = name;
        }
    }
    out.push('\n');
    if row.dst.class != Class::None {
        let _ = writeln!(out, "result:  {}", describe_operand(&row.dst));
    }
    for (i, operand) in row.src.iter().enumerate() {
        let _ = writeln!(out, "source {i}: {}", describe_operand(operand));
    }
    if !row.traits.is_empty() {
        let names: Vec<String> = row.traits.iter_names().map(|n| n.0.to_lowercase()).collect();
        let _ = writeln!(out, "special: {}", names.join(", "));
    }
    let computes = computes(row, target);
    for (generations, text) in &computes {
        let names: Vec<&str> = generations.iter().map(|g| g.name()).collect();
        let on = if computes.len() == 1 { String::new() } else { format!(" on {}", names.join(", ")) };
        let _ = writeln!(out, "computes{on}: {text}");
    }
    for (generations, text) in precisions(row, target) {
        let names: Vec<&str> = generations.iter().map(|g| g.name()).collect();
        let _ = writeln!(out, "precision on {}: {text}", names.join(", "));
    }
    let Some(target) = target else {
        let _ = writeln!(out, "(--arch shows the forms on a processor)");
        return;
    };
    let table = Table::of(target);
    let forms = forms(row, table);
    const SHOWN: usize = 12;
    for form in forms.iter().take(SHOWN) {
        let opcode = if form.format.op.width == 0 {
            String::new()
        } else {
            format!(" opcode {:#x}", form.format.op.get(&form.base))
        };
        let literal = if takes_literal(form) { ", takes a literal" } else { "" };
        let _ = writeln!(
            out,
            "\n{}  {}{opcode}, {} bytes{literal}",
            paint.bold(form.name),
            format_name(table, form),
            4 * form.words
        );
        let mut rows = Vec::new();
        for (i, slot) in form.slots.iter().enumerate() {
            let bits = if slot.span.width == 0 { "-".to_owned() } else { bits_of(slot.span) };
            rows.push(["  operand".to_owned(), operand_name(form, i), bits, describe(slot)]);
        }
        for m in &form.mods {
            rows.push(["  modifier".to_owned(), modifier_name(m.id), bits_of(m.span), String::new()]);
        }
        push_table(out, &rows);
    }
    if forms.len() > SHOWN {
        let _ = writeln!(out, "\n... and {} more forms; --json has them all", forms.len() - SHOWN);
    }
}

fn row_json(row: &Inst, target: Option<Target>) -> Value {
    let opcodes: serde_json::Map<String, Value> = opcodes(row)
        .into_iter()
        .map(|(g, name, code)| (g.name().to_owned(), json!({ "name": name, "opcode": code })))
        .collect();
    let operand = |o| describe_operand(o);
    let precision: serde_json::Map<String, Value> = precisions(row, target)
        .into_iter()
        .flat_map(|(generations, text)| generations.into_iter().map(move |g| (g.name().to_owned(), json!(text))))
        .collect();
    let computes: serde_json::Map<String, Value> = computes(row, target)
        .into_iter()
        .flat_map(|(generations, text)| generations.into_iter().map(move |g| (g.name().to_owned(), json!(text))))
        .collect();
    let mut all = json!({
        "name": row.name,
        "computes": computes,
        "exists": where_it_exists(variants(row)),
        "family": format!("{:?}", row.family),
        "manual": manual(row.family),
        "opcodes": opcodes,
        "aliases": row.aliases.iter().map(|a| a.1).collect::<Vec<_>>(),
        "result": (row.dst.class != Class::None).then(|| operand(&row.dst)),
        "sources": row.src.iter().map(operand).collect::<Vec<_>>(),
        "special": row.traits.iter_names().map(|n| n.0.to_lowercase()).collect::<Vec<_>>(),
        "precision": precision,
    });
    if let Some(target) = target {
        let table = Table::of(target);
        let forms: Vec<Value> = forms(row, table)
            .into_iter()
            .map(|form| {
                let operands: Vec<Value> = form
                    .slots
                    .iter()
                    .enumerate()
                    .map(|(i, slot)| json!({ "name": operand_name(form, i), "bits": (slot.span.width > 0).then(|| bits_of(slot.span)), "takes": describe(slot) }))
                    .collect();
                let modifiers: Vec<Value> =
                    form.mods.iter().map(|m| json!({ "name": modifier_name(m.id), "bits": bits_of(m.span) })).collect();
                json!({
                    "name": form.name, "format": format_name(table, form), "bytes": 4 * form.words,
                    "opcode": (form.format.op.width > 0).then(|| form.format.op.get(&form.base)),
                    "literal": takes_literal(form), "operands": operands, "modifiers": modifiers,
                })
            })
            .collect();
        all["arch"] = target.arch.name.into();
        all["forms"] = forms.into();
    }
    all
}
