//! `wavediff sweep`: every first word through decoder, printer, parser and encoder.

use crate::common::{self, Mode, Paint, cores, usage};
use crate::shard::Shard;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use wavediff::asm::expr::NoSymbols;
use wavediff::asm::{Assembler, Problem};
use wavediff::disasm::{Reason, decode, print};
use wavediff::isa::form::Table;
use wavediff::isa::{Arch, Target};

/// Decode, print, parse and encode every 32-bit first word, and check the laws
#[derive(clap::Args)]
#[command(
    after_help = "The laws: nothing panics; what is printed parses, unless an operand rule of the hardware forbids it; and
encode(parse(print(x))) == x. Words behind the first are the patterns 0, ffffffff and 01020304 in turn, or --second.
A shard K/N takes every Nth word from the Kth on, so that each is a sample of the whole: take an odd N.
Exit code 1: a law fails.

Examples:
  wavediff sweep --arch gfx1100                    all 4,294,967,296 words: some minutes
  wavediff sweep --arch gfx900 --shard 1/1001      a sample of a thousandth: a second
  wavediff sweep --arch gfx1200 --shard 3/101 --second 05060708 --json"
)]
pub struct Args {
    /// Processor (gfx1100) or product (navi31)
    #[arg(long, value_parser = common::arch)]
    arch: &'static Arch,
    #[command(flatten)]
    mode: Mode,
    /// Only a part: K from 1 to N
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    shard: Shard,
    /// The words behind the first, in hexadecimal, instead of the usual patterns; may be given several times
    #[arg(long, value_name = "WORD", value_parser = word)]
    second: Vec<u32>,
    /// How many failures of each law to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    show: usize,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

fn word(text: &str) -> Result<u32, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    u32::from_str_radix(digits, 16).map_err(|_| "write up to eight hexadecimal digits".to_owned())
}

/// The words behind the first, if nothing else is asked for.
const PATTERNS: [u32; 3] = [0, 0xffff_ffff, 0x0102_0304];
/// Words which are tested between two looks at the clock.
const PIECE: u64 = 1 << 16;

/// The laws, by number.
const LAWS: [&str; 3] = ["nothing panics", "what is printed parses", "encode(parse(print(x))) == x"];

#[derive(Default)]
struct Tally {
    /// Encodings tested.
    tested: u64,
    valid: u64,
    invalid: BTreeMap<&'static str, u64>,
    /// Instructions that the decoder takes and an operand rule of the assembler refuses.
    refused: BTreeMap<String, (u64, Vec<u32>)>,
    failures: [u64; 3],
    shown: [BTreeMap<u64, Failure>; 3],
}

#[derive(Clone)]
struct Failure {
    words: Vec<u32>,
    text: String,
    what: String,
}

impl Tally {
    fn fail(&mut self, law: usize, most: usize, failure: impl FnOnce() -> Failure, at: u64) {
        self.failures[law] += 1;
        let shown = &mut self.shown[law];
        if shown.len() < most || shown.last_key_value().is_some_and(|(last, _)| at < *last) {
            shown.insert(at, failure());
            if shown.len() > most {
                shown.pop_last();
            }
        }
    }

    fn add(&mut self, other: Tally, most: usize) {
        self.tested += other.tested;
        self.valid += other.valid;
        for (reason, n) in other.invalid {
            *self.invalid.entry(reason).or_default() += n;
        }
        for (rule, (n, words)) in other.refused {
            let entry = self.refused.entry(rule).or_insert_with(|| (0, words.clone()));
            entry.0 += n;
            entry.1 = words.min(std::mem::take(&mut entry.1));
        }
        for law in 0..LAWS.len() {
            self.failures[law] += other.failures[law];
            self.shown[law].extend(other.shown[law].clone());
            while self.shown[law].len() > most {
                self.shown[law].pop_last();
            }
        }
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let target = args.mode.target(args.arch)?;
    let seconds = if args.second.is_empty() { PATTERNS.to_vec() } else { args.second.clone() };
    let (first, step) = (u64::from(args.shard.number) - 1, u64::from(args.shard.of));
    let total = ((1u64 << 32) - first).div_ceil(step);
    if total == 0 {
        return usage("this shard is empty; take a smaller N");
    }
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent}% of {human_len} words, {per_sec}, {eta} left") {
        bar.set_style(style);
    }
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    // A panic is a failure of the first law: it is counted, and told once, at the end.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut all = Tally::default();
    std::thread::scope(|scope| {
        let worker = || {
            let mut tester = Tester::new(target, args.show);
            while !stop.load(Ordering::Relaxed) {
                let from = next.fetch_add(PIECE, Ordering::Relaxed);
                if from >= total {
                    break;
                }
                let to = (from + PIECE).min(total);
                tester.piece((from..to).map(|i| (first + i * step) as u32), &seconds);
                bar.inc(to - from);
            }
            tester.tally
        };
        let threads: Vec<_> = (0..cores()).map(|_| scope.spawn(worker)).collect();
        for thread in threads {
            match thread.join() {
                Ok(tally) => all.add(tally, args.show),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    std::panic::set_hook(hook);
    bar.finish_and_clear();
    let text = if args.json { to_json(&all, target, total) } else { to_text(&all, target, total) };
    common::print(&text)?;
    Ok(if all.failures == [0; 3] { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

struct Tester {
    table: &'static Table,
    assembler: Assembler,
    text: Vec<u8>,
    tally: Tally,
    show: usize,
}

impl Tester {
    fn new(target: Target, show: usize) -> Tester {
        let assembler = Assembler::new(target);
        Tester { table: Table::of(target), assembler, text: Vec::new(), tally: Tally::default(), show }
    }

    /// Tests first words. A panic costs the word that made it, and the scratch of the assembler.
    fn piece(&mut self, words: impl Iterator<Item = u32>, seconds: &[u32]) {
        let mut words = words;
        let at = Cell::new((0, 0));
        loop {
            let whole = catch_unwind(AssertUnwindSafe(|| {
                for first in words.by_ref() {
                    for &second in seconds {
                        at.set((first, second));
                        if !self.one(first, second) {
                            break;
                        }
                    }
                }
            }));
            if whole.is_ok() {
                return;
            }
            let (first, second) = at.get();
            let failure = || Failure { words: vec![first, second], text: String::new(), what: "panic".to_owned() };
            self.tally.fail(0, self.show, failure, key(first, second));
            self.assembler = Assembler::new(self.table.target);
        }
    }

    /// Tests one encoding. Says whether other second words may make a difference.
    fn one(&mut self, first: u32, second: u32) -> bool {
        let words = [first, second, second, second, second, second];
        self.tally.tested += 1;
        let decoded = match decode(self.table, &words) {
            Ok(decoded) => decoded,
            Err(reason) => {
                let name = match reason {
                    Reason::NoEncoding => "no encoding",
                    Reason::NoOpcode { .. } => "no opcode",
                    Reason::NoForm(_) => "no such form",
                    Reason::Reserved { .. } => "reserved bits",
                    Reason::BadField { .. } => "reserved value",
                    Reason::Truncated => "truncated",
                };
                *self.tally.invalid.entry(name).or_default() += 1;
                return reason != Reason::NoEncoding;
            }
        };
        self.tally.valid += 1;
        let len = usize::from(decoded.len);
        self.text.clear();
        print(self.table, &decoded, &words, &mut self.text);
        let text = String::from_utf8_lossy(&self.text);
        let failure = |what: String| Failure { words: words[..len].to_vec(), text: text.clone().into_owned(), what };
        let at = key(first, second);
        match self.assembler.encode(&text, &NoSymbols) {
            Ok(e) if e.fixup.is_none() && e.words[..usize::from(e.len)] == words[..len] => {}
            Ok(e) => {
                let got = || failure(format!("assembles to {}", hex(&e.words[..usize::from(e.len)])));
                self.tally.fail(2, self.show, got, at);
            }
            Err(error) => match error.problem {
                Problem::Rule(rule) => {
                    if let Some(entry) = self.tally.refused.get_mut(rule) {
                        entry.0 += 1;
                    } else {
                        self.tally.refused.insert(rule.to_owned(), (1, words[..len].to_vec()));
                    }
                }
                problem => self.tally.fail(1, self.show, || failure(problem.to_string()), at),
            },
        }
        len > 1
    }
}

fn key(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

fn hex(words: &[u32]) -> String {
    words.iter().map(|w| format!("{w:08x}")).collect::<Vec<_>>().join(" ")
}

fn to_text(all: &Tally, target: Target, total: u64) -> String {
    let paint = Paint::stdout();
    let mut out = String::new();
    let _ = writeln!(out, "{}: {total} first words, {} encodings tested", target.arch.name, all.tested);
    let _ = writeln!(out, "{:>12}  instructions", all.valid);
    for (reason, n) in &all.invalid {
        let _ = writeln!(out, "{n:>12}  {reason}");
    }
    for (rule, (n, words)) in &all.refused {
        let _ = writeln!(out, "{n:>12}  instructions that an operand rule refuses: {rule}, as {}", hex(words));
    }
    for (law, name) in LAWS.iter().enumerate() {
        let n = all.failures[law];
        if n == 0 {
            let _ = writeln!(out, "law holds: {name}");
            continue;
        }
        let _ = writeln!(out, "{}: {name}: {n} failures; the first of them:", paint.red("law fails"));
        for f in all.shown[law].values() {
            let _ = writeln!(out, "    {}  {}  ({})", hex(&f.words), f.text, f.what);
        }
    }
    out
}

fn to_json(all: &Tally, target: Target, total: u64) -> String {
    let failure = |f: &Failure| json!({ "words": hex(&f.words), "text": f.text, "what": f.what });
    let laws: Vec<Value> = (0..LAWS.len())
        .map(|law| {
            let shown: Vec<Value> = all.shown[law].values().map(failure).collect();
            json!({ "law": LAWS[law], "failures": all.failures[law], "first": shown })
        })
        .collect();
    let refused: serde_json::Map<String, Value> = all
        .refused
        .iter()
        .map(|(rule, (n, words))| (rule.clone(), json!({ "count": n, "example": hex(words) })))
        .collect();
    let all = json!({
        "arch": target.arch.name, "first_words": total, "tested": all.tested, "valid": all.valid,
        "invalid": all.invalid, "refused": refused, "laws": laws,
    });
    format!("{all:#}\n")
}
