//! Assembling, disassembling, decoding: lines and instructions a second, on one core. And whole listings, with proofs, on one core and on two.
//!
//! The input is every line of the llvm-mc vectors of one processor that assembles to itself: all encodings in the mix of LLVM's own tests,
//! which is harder than compiler output (long operand lists, every modifier). That of the listings is 160,000 instructions of gfx600: once
//! those lines, over and over with other registers, and once random instructions made from the tables, which is harder still.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::in_turn;
use wavediff::asm::Assembler;
use wavediff::asm::expr::NoSymbols;
use wavediff::disasm;
use wavediff::disasm::listing::{Listing, Source};
use wavediff::disasm::stream::Survey;
use wavediff::isa::form::{Kind, Table};
use wavediff::isa::{Arch, Target};
use wavediff::laws::{Chance, Density, Laws, instructions};

#[path = "support/mod.rs"]
mod support;
#[path = "../tests/support/vectors.rs"]
mod vectors;

fn benches(c: &mut Criterion) {
    for gpu in ["gfx600", "gfx900", "gfx1100", "gfx1200"] {
        let Some(arch) = Arch::find(gpu) else { continue };
        let target = Target::new(arch);
        let assembler = Assembler::new(target);
        let lines: Vec<String> = vectors::lines(gpu);
        let lines: Vec<&str> =
            lines.iter().map(String::as_str).filter(|l| assembler.encode(l, &NoSymbols).is_ok()).collect();
        let code: Vec<Vec<u32>> = lines
            .iter()
            .filter_map(|l| assembler.encode(l, &NoSymbols).ok())
            .map(|e| e.words[..usize::from(e.len)].to_vec())
            .collect();
        let flat: Vec<u32> = code.iter().flatten().copied().collect();
        let table = Table::of(target);
        let mut group = c.benchmark_group(gpu);
        group.throughput(Throughput::Elements(lines.len() as u64));
        group.bench_function("assemble", |b| {
            b.iter(|| {
                for line in &lines {
                    let _ = black_box(assembler.encode(black_box(line), &NoSymbols));
                }
            });
        });
        group.bench_function("decode", |b| {
            b.iter(|| {
                let mut rest: &[u32] = black_box(&flat);
                let mut n = 0u64;
                while !rest.is_empty() {
                    let len = match disasm::decode(table, rest) {
                        Ok(d) => {
                            n += u64::from(d.len);
                            usize::from(d.len)
                        }
                        Err(_) => 1,
                    };
                    rest = &rest[len.min(rest.len())..];
                }
                n
            });
        });
        group.bench_function("disassemble", |b| {
            b.iter_batched_ref(
                || Vec::with_capacity(flat.len() * 40),
                |out: &mut Vec<u8>| {
                    let mut rest: &[u32] = black_box(&flat);
                    while !rest.is_empty() {
                        let len = match disasm::decode(table, rest) {
                            Ok(d) => {
                                disasm::print(table, &d, rest, out);
                                out.push(b'\n');
                                usize::from(d.len)
                            }
                            Err(_) => 1,
                        };
                        rest = &rest[len.min(rest.len())..];
                    }
                },
                BatchSize::LargeInput,
            );
        });
        group.finish();
    }
}

/// How long the listings are.
const LISTED: usize = 160_000;

/// Instructions whose text says all of them, one after the other.
fn program(laws: &Laws, mut next: impl FnMut(&mut Chance) -> Vec<u32>) -> Vec<u8> {
    let mut chance = Chance::new(160);
    let (mut bytes, mut count) = (Vec::new(), 0);
    while count < LISTED {
        let words = next(&mut chance);
        let Ok((text, len)) = laws.text(&words) else { continue };
        let words = &words[..usize::from(len)];
        if laws.words(&text).is_ok_and(|again| again == words) {
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            count += 1;
        }
    }
    bytes
}

/// Random lines of LLVM's tests, half of their registers others.
fn lines_again(laws: &Laws, gpu: &str) -> Vec<u8> {
    let code: Vec<Vec<u32>> = vectors::lines(gpu).iter().filter_map(|line| laws.words(line).ok()).collect();
    program(laws, |chance| {
        let mut words = code[chance.below(code.len())].clone();
        if let Ok(decoded) = disasm::decode(laws.table, &words) {
            for slot in decoded.form.slots.iter().filter(|s| matches!(s.kind, Kind::Vgpr | Kind::Source)) {
                if chance.below(2) == 0 && (slot.kind == Kind::Vgpr || slot.span.get(&words) >= 256) {
                    slot.span.set(&mut words, 256 + chance.below(256) as u32);
                }
            }
        }
        words
    })
}

/// Random instructions of all forms.
fn from_tables(laws: &Laws) -> Vec<u8> {
    let mut made = Vec::new();
    for form in &laws.table.forms {
        instructions(form, Density { full: false, mixed: 400, seed: 6 }, &mut |words| made.push(words.to_vec()));
    }
    program(laws, |chance| made[chance.below(made.len())].clone())
}

/// A listing as it was: each line is assembled again.
fn listed_by_assembling(laws: &Laws, assembler: &Assembler, bytes: &[u8]) -> Vec<u8> {
    let words: Vec<u32> = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let (mut out, mut text, mut at) = (Vec::new(), Vec::new(), 0);
    while let Ok(decoded) = disasm::decode(laws.table, &words[at..]) {
        let len = usize::from(decoded.len);
        text.clear();
        disasm::print(laws.table, &decoded, &words[at..], &mut text);
        let line = std::str::from_utf8(&text).unwrap_or_default();
        let again = assembler.encode(line, &NoSymbols);
        assert!(again.is_ok_and(|e| e.words[..usize::from(e.len)] == words[at..at + len]));
        out.push(b'\t');
        out.extend_from_slice(&text);
        out.resize(out.len() + 59usize.saturating_sub(text.len()), b' ');
        let _ = write!(out, "// {:012X}: ", 4 * at);
        for word in &words[at..at + len] {
            let _ = write!(out, "{word:08X} ");
        }
        out.push(b'\n');
        at += len;
    }
    out
}

/// A listing in pieces, on so many threads, of bytes in memory.
fn listed_in_pieces(target: Target, bytes: &[u8], threads: usize) -> usize {
    let mut survey = Survey::new(target);
    bytes.chunks(256 << 10).for_each(|chunk| survey.read(chunk));
    let pieces = survey.finish();
    let (next, written) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let (mut prover, mut out) = (pieces.prover(), Vec::new());
                loop {
                    let piece = next.fetch_add(1, Ordering::Relaxed);
                    if piece >= pieces.count() {
                        break;
                    }
                    let (start, _, end) = pieces.extent(piece);
                    out.clear();
                    pieces.print(piece, &bytes[start as usize..end as usize], &mut prover, &mut out);
                    written.fetch_add(black_box(&out).len(), Ordering::Relaxed);
                }
            });
        }
    });
    written.into_inner()
}

fn listings(c: &mut Criterion) {
    let Some(arch) = Arch::find("gfx600") else { return };
    let target = Target::new(arch);
    let laws = Laws::of(target);
    let assembler = Assembler::new(target);
    for (name, bytes) in [("lines", lines_again(&laws, "gfx600")), ("tables", from_tables(&laws))] {
        let mut group = c.benchmark_group(format!("listing of gfx600, {name}"));
        group.throughput(Throughput::Elements(LISTED as u64));
        group.bench_function("each line assembled", |b| {
            b.iter(|| listed_by_assembling(&laws, &assembler, black_box(&bytes)).len());
        });
        group.bench_function("each shape proved", |b| {
            b.iter(|| {
                let mut out = Vec::new();
                Listing::new(target, &Source { bytes: black_box(&bytes), ..Source::default() }).print(&mut out);
                out.len()
            });
        });
        for threads in [1, 2] {
            group.bench_function(format!("in pieces, threads: {threads}"), |b| {
                b.iter(|| listed_in_pieces(target, black_box(&bytes), threads));
            });
        }
        group.finish();
        let list = |threads| _ = black_box(listed_in_pieces(target, &bytes, threads));
        let [two, one] = in_turn(20, [&mut || list(2), &mut || list(1)]).map(|seconds| seconds * 1e3);
        println!("{LISTED} instructions of gfx600, {name}: {two:.0} ms on two cores, {one:.0} ms on one");
    }
}

criterion_group! {
    name = isa;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(3)).warm_up_time(std::time::Duration::from_secs(1));
    targets = benches, listings
}
criterion_main!(isa);
