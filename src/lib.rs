//! wavediff: the reference executor for AMD GPU machine code. This crate is everything about the machines.
//!
//! A case is assembly with what goes in and what is expected; an engine runs it and leaves an outcome:
//!
//! ```
//! use wavediff::case::Case;
//! use wavediff::emu::engine::Emulator;
//! use wavediff::engine::Engine;
//!
//! let text = "
//!     ; isa: gfx1100
//!     ; v0 = 1.5
//!     ; expect: v1 = 3.0
//!     v_add_f32 v1, v0, v0
//! ";
//! let case = Case::parse(text, "add.s")?;
//! let target = case.targets()[0];
//! let outcome = Emulator::default().run(&case, target)?;
//! let wave = outcome.wave([0, 0, 0], 0).expect("one wave in one group");
//! assert_eq!(wave.vgpr(1, 0).map(f32::from_bits), Some(3.0));
//! assert_eq!(case.check(target, &outcome)?, []);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The stages, in the order of a program's way through them:
//!
//! **[`isa`]: what the machines are.** Every instruction is one row of data, with an opcode a generation; formats hold all bit numbers. For one
//! processor the rows become forms, and all forms of a processor lie in one table.
//!
//! ```
//! use wavediff::isa::{Arch, Gen, gcn};
//! let arch = Arch::find("gfx1100").expect("a processor");
//! let row = gcn::rows().find(|row| row.name_in(Gen::Gfx11) == "v_add3_u32").expect("an instruction");
//! assert_eq!(row.opcode(arch), Some(0x255));
//! ```
//!
//! **[`asm`]: text to instructions to words.** One instruction at a time, or whole files with labels, sections, macros and kernel descriptors.
//!
//! ```
//! use wavediff::asm::{Assembler, expr::NoSymbols};
//! use wavediff::isa::{Arch, Target};
//! let target = Target::new(Arch::find("gfx1100").expect("a processor"));
//! let code = Assembler::new(target).encode("v_add_f32 v0, 1.0, v1", &NoSymbols)?;
//! assert_eq!(code.words[..usize::from(code.len)], [0x0600_02f2]);
//! # Ok::<(), wavediff::asm::AsmError>(())
//! ```
//!
//! **[`disasm`]: words to instructions to text.** The text is LLVM's, and assembles to the same words.
//!
//! ```
//! use wavediff::disasm;
//! use wavediff::isa::form::Table;
//! use wavediff::isa::{Arch, Target};
//! let table = Table::of(Target::new(Arch::find("gfx700").expect("a processor")));
//! let words = [0xd2e4_0001, 0x0602_0501];
//! let mut text = Vec::new();
//! let decoded = disasm::decode(table, &words)?;
//! disasm::print(table, &decoded, &words, &mut text);
//! assert_eq!(text, b"v_qsad_pk_u16_u8 v[1:2], v[1:2], v2, v[128:129]");
//! # Ok::<(), disasm::Reason>(())
//! ```
//!
//! **[`object`]: containers.** ELF code objects with kernel descriptors and metadata, read and written.
//!
//! **[`program`]: machine code taken apart.** Steps with their operands as places, what they read and write, and where they lead; all
//! that execute, translate or look at programs read it.
//!
//! ```
//! use wavediff::isa::{Arch, Target};
//! use wavediff::program::Program;
//! let target = Target::new(Arch::find("gfx900").expect("a processor"));
//! // v_add_u32_e32 v0, s3, v0; s_endpgm
//! let program = Program::new(target, &[0x6800_0003, 0xbf81_0000], 0);
//! let uses = program.uses(&program.steps[0]);
//! assert_eq!(uses.reads.names(&target), ["v0", "s3", "exec"]);
//! assert_eq!(uses.writes.names(&target), ["v0"]);
//! assert!(program.steps[1].exits().stops);
//! ```
//!
//! **[`timing`]: clocks.** Which unit an instruction goes to and how long it keeps it, where silicon was measured in public.
//!
//! **[`launch`] and [`engine`]: from a kernel or a case to waves.** What a runtime and a command processor do, and a dispatch that any
//! engine carries out: the emulator ([`emu`]), or a device with the translation ([`spirv`]).
//!
//! **[`bisect`] and [`reduce`]: differences.** The first executed instruction in which two engines differ, and the smallest case that shows it.
//!
//! **[`vulkan`]: devices.** SPIR-V and bytes go in, bytes and times come out; what a device can do is asked and measured first.

pub mod asm;
pub mod bisect;
pub mod case;
pub mod disasm;
mod each;
pub mod emu;
pub mod engine;
pub mod fault;
pub mod fuzz;
pub mod isa;
pub mod launch;
pub mod laws;
pub mod memory;
pub mod native;
pub mod object;
pub mod program;
pub mod r600;
pub mod reduce;
pub mod spirv;
pub mod suite;
pub mod timing;
pub mod vulkan;
