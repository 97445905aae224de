//! Random code objects: a well-made one around a random program, then damaged here and there. It is refused, or it is launched and
//! its kernels run to an outcome.

use super::bytes::Bytes;
use super::programs::{BUDGET, target, words};
use crate::asm::Assembler;
use crate::asm::source::{NoFiles, assemble_with};
use crate::emu::engine::Emulator;
use crate::engine::{EngineError, Stats};
use crate::engine::{KernelError, KernelOutcome, Options};
use crate::isa::Target;
use crate::launch::{self, Buffer, Dispatch, Fill, Loaded, Mapping, Scalar, Value};
use crate::object::{write, write_shared};
use std::fmt::Write as _;

/// What damage may claim and is still worth a run: more would only fill memory.
const MAX_BYTES: u64 = 1 << 20;

/// Directives of a kernel with the values worth trying. A processor that lacks one says so.
#[rustfmt::skip]
const DIRECTIVES: &[(&str, &[u32])] = &[
    ("user_sgpr_kernarg_segment_ptr", &[1]), ("user_sgpr_dispatch_ptr", &[1]), ("user_sgpr_queue_ptr", &[1]),
    ("user_sgpr_dispatch_id", &[1]), ("user_sgpr_private_segment_size", &[1]), ("user_sgpr_flat_scratch_init", &[1]),
    ("system_sgpr_workgroup_id_y", &[1]), ("system_sgpr_workgroup_info", &[1]), ("system_vgpr_workitem_id", &[1, 2]),
    ("private_segment_fixed_size", &[4, 60, 1024]), ("group_segment_fixed_size", &[4, 1000, 65536]), ("ieee_mode", &[0]),
    ("float_denorm_mode_32", &[0, 3]), ("float_round_mode_32", &[1, 3]), ("uses_dynamic_stack", &[1]), ("workgroup_processor_mode", &[0]),
];

const METADATA: &str = ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    \
    .kernarg_segment_size: 280\n    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 0\n    \
    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n    .sgpr_count: 16\n    .vgpr_count: 4\n    \
    .max_flat_workgroup_size: 256\n    .args:\n      \
    - { .name: p, .size: 8, .offset: 0, .value_kind: global_buffer }\n      \
    - { .size: 4, .offset: 8, .value_kind: by_value }\n      \
    - { .size: 8, .offset: 16, .value_kind: hidden_global_offset_x }\n      \
    - { .size: 4, .offset: 24, .value_kind: dynamic_shared_pointer }\n...\n.end_amdgpu_metadata\n";

/// Bytes of a fuzzer: a code object and its launch. It is refused, or its kernels run, twice to the same outcome.
///
/// # Panics
/// Where two runs differ.
pub fn launch_elf(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let Some(mut file) = well_made(&mut bytes) else { return };
    damage(&mut file, &mut bytes);
    let Ok(loaded) = Loaded::load(&file) else { return };
    if size(loaded.mappings()) > MAX_BYTES {
        return;
    }
    let group = bytes.one(&[[64, 1, 1], [33, 2, 1], [1, 1, 1], [5, 3, 3]]);
    let grid = bytes.one(&[[64, 1, 1], [70, 2, 1], [1, 1, 3]]);
    let args = arguments(&mut bytes);
    let fill = bytes.one(&[Fill::Marked, Fill::Zero, Fill::Noise(1)]);
    let dynamic_lds = bytes.one(&[0, 0, 0, 16, u32::MAX]);
    let options =
        launch::Options { fill, dynamic_lds, max_scratch: MAX_BYTES, group_slots: 2, ..launch::Options::default() };
    for kernel in loaded.kernels().iter().take(2) {
        let run = |stats| {
            let mut dispatch = Dispatch::with_options(&loaded, &kernel.name, grid, group, &args, &options).ok()?;
            if size(dispatch.mappings()) > 4 * MAX_BYTES {
                return None;
            }
            run(&loaded, &mut dispatch, stats)
        };
        assert!(run(false) == run(true), "two runs of `{}` differ", kernel.name);
    }
}

fn size(mappings: &[Mapping]) -> u64 {
    mappings.iter().map(|mapping| mapping.bytes.len() as u64).sum()
}

/// What comes of a kernel; nothing if it is refused.
fn run(loaded: &Loaded, dispatch: &mut Dispatch, stats: bool) -> Option<KernelOutcome> {
    let emulator = Emulator { options: Options { budget: Some(BUDGET), stats, ..Options::default() } };
    match emulator.run_kernel(loaded, dispatch, None) {
        // Times and counts are not the program's.
        Ok(outcome) => Some(KernelOutcome { stats: Stats::default(), ..outcome }),
        Err(KernelError::Memory(_) | KernelError::Code { .. } | KernelError::Engine(EngineError::Unsupported(_))) => {
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// A code object as an assembler makes it; nothing where the processor lacks what was chosen.
fn well_made(bytes: &mut Bytes<'_>) -> Option<Vec<u8>> {
    let target = target(bytes);
    let text = source(target, bytes);
    let module = assemble_with("fuzz.s", &text, &Assembler::new(target), target, &NoFiles).module?;
    if bytes.once_in(4) { write(&module).ok() } else { write_shared(&module).ok() }
}

fn source(target: Target, bytes: &mut Bytes<'_>) -> String {
    let name = target.arch.name;
    let mut text = format!(
        ".amdgcn_target \"amdgcn-amd-amdhsa--{name}\"\n.amdhsa_code_object_version {}\n.text\n.globl k\n.p2align 8\n\
         .type k,@function\nk:\n",
        bytes.one(&[5, 4, 6])
    );
    // Writing to a string does not fail.
    for word in words(target, bytes) {
        let _ = writeln!(text, ".long {word:#010x}");
    }
    text.push_str("s_endpgm\n.section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel k\n");
    text.push_str(".amdhsa_next_free_vgpr 64\n.amdhsa_next_free_sgpr 96\n");
    if matches!(name, "gfx90a" | "gfx942") {
        text.push_str(".amdhsa_accum_offset 32\n");
    }
    for _ in 0..bytes.below(5) {
        let (directive, values) = bytes.one(DIRECTIVES);
        let _ = writeln!(text, ".amdhsa_{directive} {}", bytes.one(values));
    }
    text.push_str(".end_amdhsa_kernel\n");
    if bytes.once_in(2) {
        text.push_str(METADATA);
    }
    text
}

/// Changes a few places to what they should not be.
fn damage(file: &mut [u8], bytes: &mut Bytes<'_>) {
    for _ in 0..bytes.below(5) {
        let at = bytes.below(file.len());
        let value = match bytes.below(6) {
            0 => vec![bytes.byte()],
            1 => vec![file[at] ^ 1 << bytes.below(8)],
            2 => bytes.word().to_le_bytes().to_vec(),
            3 => vec![0xff; 8],
            4 => vec![0; 8],
            _ => (file.len() as u64).to_le_bytes().to_vec(),
        };
        // Numbers of a header lie at multiples of their size.
        let at = if value.len() > 1 { at / value.len() * value.len() } else { at };
        file[at..].iter_mut().zip(value).for_each(|(byte, value)| *byte = value);
    }
}

fn arguments(bytes: &mut Bytes<'_>) -> Vec<Value> {
    let one = |bytes: &mut Bytes<'_>| match bytes.below(5) {
        0 => Value::Scalar(Scalar::F64(f64::from_bits(bytes.double()))),
        1 => Value::Raw(vec![bytes.byte(); bytes.below(40)]),
        2 => Value::Lds(bytes.one(&[0, 16, 1000, u32::MAX])),
        3 => Value::u32(bytes.word()),
        _ => Value::Buffer(Buffer { bytes: vec![7; bytes.below(300)], writable: bytes.once_in(2), save: None }),
    };
    // Mostly what the metadata above asks for.
    let usual = vec![Value::buffer(vec![3; 256]), Value::u32(bytes.word()), Value::Lds(64)];
    if bytes.once_in(3) { (0..bytes.below(4)).map(|_| one(bytes)).collect() } else { usual }
}
