//! `wavediff isa`: the instructions of a processor as a list, or what two processors have not in common.

use crate::common::{self, AnyArch, usage};
use crate::coverage;
use crate::engines::{self, Lanes, Name};
use crate::explain::push_table;
use anyhow::Result;
use clap::ValueEnum;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::ExitCode;
use wavediff::isa::form::{Table, Variant};
use wavediff::isa::r600::{Machine, Place, ROWS};
use wavediff::isa::row::Family;
use wavediff::isa::{ARCHS, Arch, Target, gcn};

/// List instructions, processors, or what changed between two of them
#[derive(clap::Args)]
#[command(
    after_help = "A list has a row for every instruction in every encoding of its own (VOP2 and VOP3 are two), sorted by encoding and
opcode. SDWA and DPP forms share the opcode of their base encoding; --all lists them as VOP2+SDWA and so on. Dual
instructions are listed by half. Without --arch it is the list of processors.

Examples:
  wavediff isa                                       the processors
  wavediff isa --arch gfx600 --format csv            encoding,opcode,mnemonic
  wavediff isa --arch gfx1100 --format json --all
  wavediff isa --arch gfx1100 --coverage             what the emulator executes, approximates, lacks; --format csv for all rows
  wavediff isa --arch gfx1100 --coverage --engine vulkan      what has a translation to SPIR-V
  wavediff isa --arch rv770                          R700, by class
  wavediff isa --arch gfx600 --diff gfx803           removed, added, renamed, renumbered from gfx600 to gfx803"
)]
pub struct Args {
    /// Processor (gfx1100, r600) or product (navi31)
    #[arg(long, value_parser = common::any_arch)]
    arch: Option<AnyArch>,
    /// Another processor: what is different there
    #[arg(long, value_name = "ARCH", value_parser = common::arch, requires = "arch")]
    diff: Option<&'static Arch>,
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// The same as --format json
    #[arg(long)]
    json: bool,
    /// SDWA and DPP forms too; with --coverage, the rows that are executed to the bit
    #[arg(long, requires = "arch", conflicts_with = "diff")]
    all: bool,
    /// Which rows an engine executes, and how well
    #[arg(long, requires = "arch", conflicts_with = "diff")]
    coverage: bool,
    /// Whose coverage: emu, or vulkan, for what has a translation to SPIR-V
    #[arg(long, value_parser = engines::name, default_value = "emu", requires = "coverage")]
    engine: Name,
    /// How the lanes of a wave are laid over a Vulkan device
    #[arg(long, value_enum, default_value_t, requires = "coverage")]
    lanes: Lanes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Csv,
    Json,
    Table,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let format = if args.json { Format::Json } else { args.format };
    if let Some(AnyArch::R600(machine)) = args.arch {
        if args.coverage || args.diff.is_some() || args.all {
            return usage("for R600 and R700 there is the list alone");
        }
        let names = ["encoding", "opcode", "mnemonic", "units", "sources", "does"];
        common::print(&write_rows(&names, &vliw(machine), format))?;
        return Ok(ExitCode::SUCCESS);
    }
    let arch = args.arch.and_then(AnyArch::gcn);
    if let (Some(arch), true) = (arch, args.coverage) {
        common::write(None, coverage::show(arch, &args.engine, args.lanes, format, args.all).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = match (arch, args.diff) {
        (None, _) => write_rows(&["processor", "generation", "elf_mach", "products"], &processors(), format),
        (Some(arch), None) => write_rows(&["encoding", "opcode", "mnemonic"], &list(arch, args.all), format),
        (Some(arch), Some(other)) if arch == other => return usage("--arch and --diff name the same processor"),
        (Some(arch), Some(other)) => write_rows(
            &["change", "encoding", "mnemonic", "opcode", "new_mnemonic", "new_opcode"],
            &diff(arch, other),
            format,
        ),
    };
    common::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// A cell of a list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    None,
    Number(u32),
    Text(String),
}

impl Cell {
    fn text(&self) -> String {
        match self {
            Cell::None => String::new(),
            Cell::Number(n) => n.to_string(),
            Cell::Text(text) => text.clone(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::None => Value::Null,
            Cell::Number(n) => json!(n),
            Cell::Text(text) => json!(text),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<u16> for Cell {
    fn from(n: u16) -> Cell {
        Cell::Number(n.into())
    }
}

fn write_rows<const N: usize>(names: &[&str; N], rows: &[[Cell; N]], format: Format) -> String {
    let mut out = String::new();
    match format {
        Format::Csv => {
            let _ = writeln!(out, "{}", names.join(","));
            for row in rows {
                let cells: Vec<String> = row.iter().map(Cell::text).collect();
                let _ = writeln!(out, "{}", cells.join(","));
            }
        }
        Format::Json => {
            let object = |row: &[Cell; N]| -> Value {
                names
                    .iter()
                    .zip(row)
                    .map(|(name, cell)| ((*name).to_owned(), cell.json()))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            };
            let list: Vec<Value> = rows.iter().map(object).collect();
            let _ = writeln!(out, "{:#}", Value::Array(list));
        }
        Format::Table => {
            let mut table = vec![std::array::from_fn::<String, N, _>(|i| names[i].to_owned())];
            table.extend(rows.iter().map(|row| std::array::from_fn(|i| row[i].text())));
            push_table(&mut out, &table);
        }
    }
    out
}

fn processors() -> Vec<[Cell; 4]> {
    let hex = |n: u8| Cell::Text(format!("{n:#04x}"));
    ARCHS
        .iter()
        .map(|a| [a.name.into(), a.generation.name().into(), hex(a.elf_mach), a.also.join(" ").into()])
        .collect()
}

/// Every instruction in every encoding.
/// The instructions of R600 or R700, by class and opcode.
fn vliw(machine: Machine) -> Vec<[Cell; 6]> {
    let mut rows: Vec<_> = ROWS.iter().filter_map(|row| Some((row.class as u8, row.code(machine)?, row))).collect();
    rows.sort_by_key(|(class, code, _)| (*class, *code));
    let cells = rows.into_iter().map(|(_, code, row)| {
        let alu = row.class.place() == Place::Alu;
        let (units, sources) = match alu {
            true => (format!("{:?}", row.units(machine.chip)).to_lowercase().into(), Cell::Number(row.sources.into())),
            false => (Cell::None, Cell::None),
        };
        let class = format!("{:?}", row.class).to_uppercase();
        [class.into(), Cell::Number(code), row.name.into(), units, sources, format!("{:?}", row.does).into()]
    });
    cells.collect()
}

fn list(arch: &'static Arch, all: bool) -> Vec<[Cell; 3]> {
    let table = Table::of(Target::new(arch));
    let mut rows = BTreeSet::new();
    for form in table.forms.iter().filter(|f| f.row.family != Family::Vopd && (all || f.variant == Variant::Base)) {
        let mut encoding = form.format.name.to_owned();
        if let Some(second) = form.second_format(&table.target) {
            let _ = write!(encoding, "+{}", second.name);
        }
        let opcode = if form.format.op.width == 0 { 0 } else { form.format.op.get(&form.base) };
        rows.insert([encoding.into(), Cell::Number(opcode), form.row.name_in(arch.generation).into()]);
    }
    // The two halves of dual instructions have one list of opcodes.
    for row in gcn::rows().filter(|row| row.family == Family::Vopd) {
        if let Some(opcode) = row.opcode(arch) {
            rows.insert(["VOPD".into(), opcode.into(), row.name_in(arch.generation).into()]);
        }
    }
    rows.into_iter().collect()
}

/// What is different on `b`.
fn diff(a: &'static Arch, b: &'static Arch) -> Vec<[Cell; 6]> {
    type Half = Option<(&'static str, u16)>;
    // A row is one instruction. Where a name is divided among rows, it is still one instruction.
    let mut all: BTreeMap<(String, &'static str), (Half, Half)> = BTreeMap::new();
    for row in gcn::rows() {
        let here = |arch: &'static Arch| row.opcode(arch).map(|code| (row.name_in(arch.generation), code));
        let entry = all.entry((format!("{:?}", row.family).to_uppercase(), row.name)).or_default();
        entry.0 = entry.0.or(here(a));
        entry.1 = entry.1.or(here(b));
    }
    let mut rows = Vec::new();
    for ((family, _), halves) in all {
        let family = Cell::from(family);
        match halves {
            (Some((name, code)), None) => {
                rows.push(["removed".into(), family, name.into(), code.into(), Cell::None, Cell::None])
            }
            (None, Some((name, code))) => {
                rows.push(["added".into(), family, Cell::None, Cell::None, name.into(), code.into()])
            }
            (Some((old, from)), Some((new, to))) if old != new => {
                rows.push(["renamed".into(), family, old.into(), from.into(), new.into(), to.into()]);
            }
            (Some((name, from)), Some((_, to))) if from != to => {
                rows.push(["renumbered".into(), family, name.into(), from.into(), name.into(), to.into()]);
            }
            _ => {}
        }
    }
    rows.sort();
    rows
}
