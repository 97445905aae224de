//! Development aid: runs a vectors file (TSV on stdin) through assembler and disassembler.
//! `zstdcat gfx1100.tsv.zst | cargo run --release --example vectors -- gfx1100 [FAMILY] [MAX]`
use std::collections::BTreeMap;
use std::io::Read;
use wavediff::asm::{Assembler, expr::NoSymbols};
use wavediff::disasm;
use wavediff::isa::form::Table;
use wavediff::isa::{Arch, Target};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let arch = Arch::find(&args[1]).unwrap();
    let family = args.get(2).filter(|f| !f.is_empty()).cloned();
    let max: usize = args.get(3).and_then(|m| m.parse().ok()).unwrap_or(15);
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut assemblers: BTreeMap<String, Assembler> = BTreeMap::new();
    let mut stats: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut shown: BTreeMap<(String, u8), usize> = BTreeMap::new();
    let mut out = Vec::new();
    for line in text.lines().skip(1) {
        let f: Vec<&str> = line.split('\t').collect();
        let reject = f.len() < 5;
        let (asm, mattr) = if reject { (f[0], f[1]) } else { (f[0], f[2]) };
        let fam = if reject { "reject".to_string() } else { f[4].to_string() };
        if family.as_ref().is_some_and(|w| !fam.starts_with(w)) {
            continue;
        }
        let a = assemblers
            .entry(mattr.to_string())
            .or_insert_with(|| Assembler::new(Target::new(arch).with_mattr(mattr).unwrap()));
        let got = a.encode(asm, &NoSymbols);
        let s = stats.entry(fam.clone()).or_default();
        s[0] += 1;
        if reject {
            if got.is_err() {
                s[1] += 1;
                s[2] += 1;
            } else {
                let n = shown.entry((fam.clone(), 0)).or_default();
                *n += 1;
                if *n <= max {
                    println!("ACCEPTED {asm}   [{mattr}] {}", f.get(2).unwrap_or(&""));
                }
            }
            continue;
        }
        let hex = match &got {
            Ok(e) => e.words[..usize::from(e.len)]
                .iter()
                .flat_map(|w| w.to_le_bytes())
                .map(|b| format!("{b:02x}"))
                .collect::<String>(),
            Err(e) => format!("{e}"),
        };
        if hex == f[1] {
            s[1] += 1;
        } else {
            let n = shown.entry((fam.clone(), 1)).or_default();
            *n += 1;
            if *n <= max {
                println!("ASM {asm}   [{mattr}]\n   want {}\n   got  {hex}", f[1]);
            }
        }
        let bytes: Vec<u8> =
            (0..f[1].len() / 2).map(|i| u8::from_str_radix(&f[1][2 * i..2 * i + 2], 16).unwrap()).collect();
        let words: Vec<u32> = bytes.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
        let table = Table::of(*a.target());
        out.clear();
        match disasm::decode(table, &words) {
            Ok(d) => disasm::print(table, &d, &words, &mut out),
            Err(e) => out.extend_from_slice(format!("error: {e}").as_bytes()),
        }
        let text = String::from_utf8_lossy(&out);
        if text == f[3] {
            s[2] += 1;
        } else {
            let n = shown.entry((fam, 2)).or_default();
            *n += 1;
            if *n <= max {
                println!("DIS {}   [{mattr}]\n   want {}\n   got  {text}", f[1], f[3]);
            }
        }
    }
    let mut all = [0; 3];
    for (k, v) in &stats {
        if v[1] != v[0] || v[2] != v[0] {
            println!("{k:14} {:7} asm {:7} dis {:7}", v[0], v[1], v[2]);
        }
        for i in 0..3 {
            all[i] += v[i];
        }
    }
    println!(
        "{:14} {:7} asm {:7} ({:.3}%) dis {:7} ({:.3}%)",
        args[1],
        all[0],
        all[1],
        100.0 * all[1] as f64 / all[0] as f64,
        all[2],
        100.0 * all[2] as f64 / all[0] as f64
    );
}
