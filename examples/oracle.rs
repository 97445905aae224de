//! Makes the inputs of `golden/oracle/make.sh`: lines of assembly for one processor and mode, generated from the rows.
//! `cargo run --release --example oracle -- gfx1100 +wavefrontsize64 FRACTION`: one line in FRACTION, chosen by its hash, besides the
//! first line of every form. Each line is a format and an instruction, with a tab between.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io::Write;
use wavediff::isa::row::Traits;
use wavediff::isa::{Arch, Target};
use wavediff::laws::{Density, Laws, lines};

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arch = Arch::find(&args[0]).expect("a processor");
    let target = Target::new(arch).with_mattr(args.get(1).map_or("", String::as_str)).expect("features");
    let fraction: u64 = args.get(2).map_or(1, |f| f.parse().expect("a number"));
    let laws = Laws::of(target);
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let (mut seen, mut forms) = (HashSet::new(), HashSet::new());
    let mut result = Ok(());
    let density = Density { full: false, mixed: 12, seed: 19 };
    lines(&laws, density, &mut |form, _, text| {
        let traits = laws.table.forms[form].row.traits;
        // llvm-mc does not know these.
        if traits.contains(Traits::MANUAL) || traits.contains(Traits::MANUAL_E64) && text.contains("_e64") {
            return;
        }
        let kept = forms.insert(form) || hasher.hash_one(text) % fraction == 0;
        if kept && seen.insert(text.to_owned()) && result.is_ok() {
            result = writeln!(out, "{}\t{text}", laws.table.forms[form].format.name);
        }
    });
    result
}
