use std::collections::BTreeMap;
use wavediff::isa::{Arch, Target};
use wavediff::laws::*;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arch = Arch::find(&args[0]).unwrap();
    let target = Target::new(arch).with_mattr(args.get(1).map_or("", String::as_str)).unwrap();
    let laws = Laws::of(target);
    let mut n = 0usize;
    let mut ok = 0usize;
    let mut classes: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    let t = std::time::Instant::now();
    for form in &laws.table.forms {
        let mut any = false;
        instructions(form, Density { full: false, mixed: 32, seed: 1 }, &mut |words| {
            n += 1;
            if let Ok(d) = wavediff::disasm::decode(laws.table, words) {
                any |= std::ptr::eq(d.form, form);
            }
            match laws.decode_print_parse(words) {
                Ok(b) => ok += usize::from(b),
                Err(e) => {
                    let key = match &e {
                        Broken::Refused { error, .. } => {
                            format!("refused {} : {:?}", form.format.name, error.problem.to_string().split('`').next())
                        }
                        Broken::Changed { words, again, .. } => {
                            format!("changed {} {}->{}", form.format.name, words.len(), again.len())
                        }
                        _ => "other".into(),
                    };
                    let c = classes.entry(key).or_default();
                    c.0 += 1;
                    if c.1.len() < 3 && (c.0 % 7 == 1) {
                        c.1.push(e.to_string());
                    }
                }
            }
        });
        if !any {
            println!("UNREACHED {} {:?} {}", form.name, form.variant, form.format.name);
        }
    }
    println!("{} {} forms {n} words {ok} ok {:?}", args[0], laws.table.forms.len(), t.elapsed());
    for (k, (n, ex)) in classes {
        println!("{n:7} {k}");
        for e in ex {
            println!("          {e}");
        }
    }
}
