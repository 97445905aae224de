//! The rows against the opcode lists of the manuals, which lie outside the project in `../shared`.
//!
//! Every instruction of a list is a row with that opcode, and the assembler takes the manual's name; every row of a listed encoding is in
//! the list. What differs is in [`EXCEPTIONS`], each with its reason; an exception that nothing needs is a failure.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use wavediff::isa::form::{Form, Table, Variant};
use wavediff::isa::{Arch, Target};

/// What one side has and the other has not, and why.
struct Exception {
    list: &'static str,
    encoding: &'static str,
    opcode: u32,
    /// The name in the list; empty where only the rows have the opcode.
    listed: &'static str,
    reason: &'static str,
}

const fn x(
    list: &'static str,
    encoding: &'static str,
    opcode: u32,
    listed: &'static str,
    reason: &'static str,
) -> Exception {
    Exception { list, encoding, opcode, listed, reason }
}

const LLVM_HAS: &str = "the document lacks it; llvm-mc 19 has it";

#[rustfmt::skip]
const EXCEPTIONS: &[Exception] = &[
    x("southern_islands", "DS", 140, "ds_write_src2_b32", "the manual prints 140; LLVM and CLRX say 141, where DS_READ and DS_WRITE pairs put it (SI_NOTES 1)"),
    x("southern_islands", "DS", 141, "", "see 140"),
    x("southern_islands", "DS", 204, "ds_write_src2_b64", "the manual prints 204; LLVM and CLRX say 205 (SI_NOTES 1)"),
    x("southern_islands", "DS", 205, "", "see 204"),
    x("southern_islands", "EXP", 0, "export", "the manual writes EXPORT; LLVM's text up to gfx11 is `exp`"),
    x("southern_islands", "MUBUF", 15, "", LLVM_HAS),
    x("southern_islands", "MUBUF", 31, "", LLVM_HAS),
    x("southern_islands", "SOPP", 11, "", LLVM_HAS),
    x("southern_islands", "SOPP", 23, "", LLVM_HAS),
    x("southern_islands", "SOPP", 24, "", LLVM_HAS),
    x("southern_islands", "SOPP", 25, "", LLVM_HAS),
    x("southern_islands", "SOPP", 26, "", LLVM_HAS),
    x("rdna3", "DS", 24, "", LLVM_HAS),
    x("rdna3", "DS", 25, "", LLVM_HAS),
    x("rdna3", "DS", 26, "", LLVM_HAS),
    x("rdna3", "DS", 27, "", LLVM_HAS),
    x("rdna3", "DS", 28, "", LLVM_HAS),
    x("rdna3", "DS", 29, "", LLVM_HAS),
    x("rdna3", "SMEM", 34, "", LLVM_HAS),
    x("rdna3", "SMEM", 35, "", LLVM_HAS),
    x("rdna3", "SOPK", 22, "", LLVM_HAS),
    x("rdna3", "SOPK", 23, "", LLVM_HAS),
    x("rdna3", "SOPP", 8, "", LLVM_HAS),
    x("rdna3", "SOPP", 58, "", LLVM_HAS),
    x("rdna3", "SOPP", 59, "", LLVM_HAS),
    x("rdna4", "SOP1", 87, "", LLVM_HAS),
    x("rdna4", "SOPP", 19, "", LLVM_HAS),
    x("rdna4", "VFLAT", 40, "global_load_addtid_b32", "the table numbers it with FLAT; its segment is that of VGLOBAL, where the rows have it"),
    x("rdna4", "VFLAT", 41, "global_store_addtid_b32", "the table numbers it with FLAT; its segment is that of VGLOBAL, where the rows have it"),
];

/// The folder of facts beside the project, if it is there.
fn shared(file: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared").join(file);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(_) => {
            println!("skipped: {} is not there", path.display());
            None
        }
    }
}

/// What the assembler of a processor has at one encoding and opcode: the names it takes.
type Inventory = BTreeMap<(String, u32), BTreeSet<String>>;

fn table(arch: &str) -> &'static Table {
    let target = Target::new(Arch::find(arch).expect("a processor"));
    Table::of(target)
}

/// Every name under which the assembler takes this very form.
fn names(table: &Table, form: &Form) -> BTreeSet<String> {
    let arch = table.target.arch;
    let mut names = BTreeSet::from([form.row.name_in(arch.generation).to_owned()]);
    names.extend(form.row.aliases.iter().filter(|(on, _)| on.contains(arch.variant)).map(|(_, n)| (*n).to_owned()));
    names
}

fn inventory(arch: &str) -> Inventory {
    let table = table(arch);
    let mut all = Inventory::new();
    for form in &table.forms {
        if form.variant != Variant::Base {
            continue;
        }
        let op = if form.format.op.width == 0 { 0 } else { form.format.op.get(&form.base) };
        if form.format.name == "VOPD" {
            let [x, y] = [op >> 5, op & 31];
            let second = form.slots.iter().find_map(|s| match s.kind {
                wavediff::isa::form::Kind::Dual(name) => Some(name),
                _ => None,
            });
            all.entry(("VOPD(X)".to_owned(), x)).or_default().insert(form.name.to_owned());
            all.entry(("VOPD(Y)".to_owned(), y)).or_default().extend(second.map(str::to_owned));
            continue;
        }
        all.entry((form.format.name.to_owned(), op)).or_default().extend(names(table, form));
    }
    all
}

/// One line of a list.
struct Listed {
    encoding: String,
    opcode: u32,
    name: String,
}

fn read(text: &str) -> Vec<Listed> {
    let mut all = Vec::new();
    for line in text.lines().skip(1).filter(|l| !l.is_empty()) {
        let mut columns = line.splitn(4, ',');
        let [Some(encoding), Some(opcode), Some(name)] = [columns.next(), columns.next(), columns.next()] else {
            panic!("not a line of an opcode list: {line}");
        };
        if name == "(reserved)" {
            continue;
        }
        // Exports have no opcode.
        let opcode = if opcode.is_empty() { 0 } else { opcode.parse().expect("a decimal opcode") };
        all.push(Listed { encoding: encoding.to_owned(), opcode, name: name.to_ascii_lowercase() });
    }
    all
}

/// Compares, both ways, and reports what no exception explains, and the exceptions that explain nothing.
fn compare(list: &str, listed: &[Listed], rows: &Inventory, formats: impl Fn(&str) -> &'static [&'static str]) {
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    let mut excuse = |encoding: &str, opcode: u32, name: &str| {
        let at = EXCEPTIONS
            .iter()
            .position(|e| e.list == list && e.encoding == encoding && e.opcode == opcode && e.listed == name);
        used.extend(at);
        at.is_some()
    };
    let mut seen = BTreeSet::new();
    let mut encodings = BTreeSet::new();
    for l in listed {
        let ours: Vec<_> =
            formats(&l.encoding).iter().filter_map(|f| rows.get_key_value(&((*f).to_owned(), l.opcode))).collect();
        encodings.extend(formats(&l.encoding).iter().copied());
        seen.extend(ours.iter().map(|(key, _)| (*key).clone()));
        if ours.iter().any(|(_, names)| names.contains(&l.name)) || excuse(&l.encoding, l.opcode, &l.name) {
            continue;
        }
        wrong.push(format!("{} {} is {} in the list, {ours:?} in the rows", l.encoding, l.opcode, l.name));
    }
    for (key, names) in rows {
        let (encoding, opcode) = key;
        if encodings.contains(encoding.as_str()) && !seen.contains(key) && !excuse(encoding, *opcode, "") {
            wrong.push(format!("{encoding} {opcode} is {names:?} in the rows, and not in the list"));
        }
    }
    for (i, e) in EXCEPTIONS.iter().enumerate().filter(|(_, e)| e.list == list) {
        assert!(!e.reason.is_empty());
        if !used.contains(&i) {
            wrong.push(format!("unused exception: {list} {} {} {}", e.encoding, e.opcode, e.listed));
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

fn southern_islands_formats(encoding: &str) -> &'static [&'static str] {
    match encoding {
        "SOP2" => &["SOP2"],
        "SOPK" => &["SOPK"],
        "SOP1" => &["SOP1"],
        "SOPC" => &["SOPC"],
        "SOPP" => &["SOPP"],
        "SMRD" => &["SMRD"],
        "VOP2" => &["VOP2"],
        "VOP1" => &["VOP1"],
        "VOPC" => &["VOPC"],
        "VOP3a" => &["VOP3"],
        "VOP3b" => &["VOP3B"],
        "VINTRP" => &["VINTRP"],
        "DS" => &["DS"],
        "MUBUF" => &["MUBUF"],
        "MTBUF" => &["MTBUF"],
        "MIMG" => &["MIMG"],
        "EXP" => &["EXP"],
        _ => panic!("no encoding of the list: {encoding}"),
    }
}

#[test]
fn southern_islands() {
    let Some(text) = shared("isa/southern-islands/southern_islands_opcodes.csv") else { return };
    let listed = read(&text);
    assert_eq!(listed.len(), 811);
    // The VOP3 opcodes have a list of their own; this one names only those without a shorter form.
    let mut rows = inventory("gfx600");
    rows.retain(|(encoding, opcode), _| !encoding.starts_with("VOP3") || *opcode >= 320 && !(384..).contains(opcode));
    compare("southern_islands", &listed, &rows, southern_islands_formats);
}

#[test]
fn southern_islands_vop3() {
    let Some(text) = shared("isa/southern-islands/southern_islands_vop3_map.csv") else { return };
    let listed = read(&text);
    assert_eq!(listed.len(), 356);
    compare("southern_islands_vop3", &listed, &inventory("gfx600"), southern_islands_formats);
}

#[test]
fn vop2_of_three_generations() {
    let Some(text) = shared("isa/southern-islands/gcn_vop2_opcodes.csv") else { return };
    for (column, archs) in [(1, ["gfx600", "gfx700"].as_slice()), (2, &["gfx803"])] {
        let mut listed = Vec::new();
        for line in text.lines().skip(1) {
            let columns: Vec<&str> = line.split(',').collect();
            if !columns[column].is_empty() {
                listed.push(Listed {
                    encoding: "VOP2".to_owned(),
                    opcode: columns[0].parse().expect("a decimal opcode"),
                    name: columns[column].to_ascii_lowercase(),
                });
            }
        }
        assert_eq!(listed.len(), [50, 52][column - 1]);
        for arch in archs {
            let list: &'static str = if column == 1 { "vop2_gcn10" } else { "vop2_gcn12" };
            compare(list, &listed, &inventory(arch), southern_islands_formats);
        }
    }
}

fn rdna3_formats(encoding: &str) -> &'static [&'static str] {
    match encoding {
        "SOP2" => &["SOP2"],
        "SOPK" => &["SOPK"],
        "SOP1" => &["SOP1"],
        "SOPC" => &["SOPC"],
        "SOPP" => &["SOPP"],
        "SMEM" => &["SMEM"],
        "VOP2" => &["VOP2"],
        "VOP1" => &["VOP1"],
        "VOPC" => &["VOPC"],
        "VOP3" => &["VOP3"],
        "VOP3SD" => &["VOP3B"],
        "VOP3P" => &["VOP3P"],
        "VOPD(X)" => &["VOPD(X)"],
        "VOPD(Y)" => &["VOPD(Y)"],
        "VINTERP" => &["VINTERP"],
        "LDSDIR" => &["LDSDIR"],
        "DS" => &["DS"],
        "MUBUF" => &["MUBUF"],
        "MTBUF" => &["MTBUF"],
        "MIMG" => &["MIMG"],
        "FLAT" => &["FLAT"],
        "GLOBAL" => &["GLOBAL"],
        "SCRATCH" => &["SCRATCH"],
        "EXP" => &["EXP"],
        _ => panic!("no encoding of the list: {encoding}"),
    }
}

#[test]
fn rdna3() {
    let Some(text) = shared("isa/rdna3/rdna3_opcodes.csv") else { return };
    let listed = read(&text);
    assert_eq!(listed.len(), 1482);
    compare("rdna3", &listed, &inventory("gfx1100"), rdna3_formats);
}

/// The opcodes of gfx12 come as JSON: `"opcodes": {"SOP2Op": {"S_ADD_CO_U32": 0, ...}, ...}`.
#[test]
fn rdna4() {
    let Some(text) = shared("isa/rdna4/isa_tables.json") else { return };
    let listed = read_rdna4(&text);
    assert!(listed.len() > 1500, "{}", listed.len());
    compare("rdna4", &listed, &inventory("gfx1200"), |encoding| match encoding {
        "VOP3SD" => &["VOP3B"],
        "DS" => &["VDS"],
        "VOPD" => &["VOPD(Y)"],
        other => {
            let all: &'static [&'static [&'static str]] = &[
                &["SOP2"],
                &["SOPK"],
                &["SOP1"],
                &["SOPC"],
                &["SOPP"],
                &["SMEM"],
                &["VOP2"],
                &["VOP1"],
                &["VOPC"],
                &["VOP3"],
                &["VOP3P"],
                &["VINTERP"],
                &["VDSDIR"],
                &["VBUFFER"],
                &["VIMAGE"],
                &["VSAMPLE"],
                &["VFLAT"],
                &["VGLOBAL"],
                &["VSCRATCH"],
                &["VEXPORT"],
            ];
            all.iter().find(|f| f[0] == other).unwrap_or_else(|| panic!("no encoding: {other}"))
        }
    });
}

/// Reads the part of the JSON this test needs: objects of names and numbers, two levels deep.
fn read_rdna4(text: &str) -> Vec<Listed> {
    let start = text.find("\"opcodes\"").expect("opcodes");
    let mut all = Vec::new();
    let mut encoding = String::new();
    let mut depth = 0;
    let mut rest = &text[start + "\"opcodes\"".len()..];
    let mut key = String::new();
    while let Some(c) = rest.chars().next() {
        match c {
            '{' => {
                depth += 1;
                encoding = key.trim_end_matches("Op").to_owned();
                rest = &rest[1..];
            }
            '}' => {
                depth -= 1;
                rest = &rest[1..];
                if depth == 0 {
                    break;
                }
            }
            '"' => {
                let end = rest[1..].find('"').expect("a closing quote") + 1;
                key = rest[1..end].to_owned();
                rest = &rest[end + 1..];
            }
            '0'..='9' => {
                let end = rest.find(|c: char| !c.is_ascii_digit()).expect("an end");
                let name = key.trim_end_matches("_E32").trim_end_matches("_E64").to_ascii_lowercase();
                let opcode = rest[..end].parse().expect("a number");
                all.push(Listed { encoding: encoding.clone(), opcode, name });
                rest = &rest[end..];
            }
            _ => rest = &rest[c.len_utf8()..],
        }
    }
    all
}
