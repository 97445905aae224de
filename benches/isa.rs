//! Assembling, disassembling, decoding: lines and instructions a second, on one core.
//!
//! The input is every line of the llvm-mc vectors of one processor that assembles to itself: all encodings in the mix of LLVM's own tests,
//! which is harder than compiler output (long operand lists, every modifier).

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use wavediff::asm::Assembler;
use wavediff::asm::expr::NoSymbols;
use wavediff::disasm;
use wavediff::isa::form::Table;
use wavediff::isa::{Arch, Target};

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

criterion_group! {
    name = isa;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(3)).warm_up_time(std::time::Duration::from_secs(1));
    targets = benches
}
criterion_main!(isa);
