//! Code objects and descriptors against what LLVM makes of the same input (`golden/oracle/object`).

use std::path::PathBuf;
use wavediff::asm::expr::Expr;
use wavediff::asm::module::Module;
use wavediff::asm::module::{self, KernelField, Location, RelocationTarget, SectionFlags, SectionKind};
use wavediff::isa::{Arch, Target};
use wavediff::object::descriptor::{DescriptorBuilder, DescriptorError, KernelDescriptor};
use wavediff::object::metadata::Metadata;
use wavediff::object::reader::{self, CodeObject, SymbolKind, SymbolPlace};
use wavediff::object::target_id::{Setting, TargetId};
use wavediff::object::{ObjectError, writer};

fn golden(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/oracle/object").join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn golden_text(name: &str) -> String {
    String::from_utf8(golden(name)).expect("text")
}

/// `gfx906 -xnack,-sramecc`: the processor, its waves and its settings.
fn target(arch: &str, features: &str) -> (Target, TargetId) {
    let arch = Arch::find(arch).expect(arch);
    let (mut target, mut id) = (Target::new(arch), TargetId::new(arch));
    for feature in features.split(',').filter(|f| *f != "-") {
        match feature {
            "+xnack" => id.xnack = Setting::On,
            "-xnack" => id.xnack = Setting::Off,
            "-sramecc" => id.sramecc = Setting::Off,
            _ => target = target.with_mattr(feature).expect(feature),
        }
    }
    (target, id)
}

fn build(target: &Target, id: TargetId, fields: &[(&str, i64)]) -> Result<[u8; 64], DescriptorError> {
    let mut builder = DescriptorBuilder::new(target).target_id(id);
    for (name, value) in fields {
        builder.set(name, *value)?;
    }
    builder.finish()
}

/// Whether LLVM's message means this error.
fn same_error(error: &DescriptorError, message: &str) -> bool {
    use DescriptorError as E;
    match error {
        E::Unknown { .. } => message.contains("unknown"),
        E::Repeated { .. } => message.contains("repeated"),
        E::Range { .. } | E::Registers { .. } => message.contains("value out of range"),
        E::Needs { .. } => message.contains("directive requires") || message.contains("support"),
        E::Required { .. } => message.contains("is required"),
        E::Xnack { .. } => message.contains("does not match target id"),
        E::UserSgprCount { .. } => message.contains("smaller than"),
        E::TooManyUserSgprs { .. } => message.contains("too many user SGPRs"),
        E::PreloadRange { .. } => message.contains("Kernarg preload"),
        E::AccumOffset { .. } => message.contains("accum_offset should be"),
        E::AccumOffsetRange { .. } => message.contains("accum_offset exceeds"),
        E::SharedVgprsWave32 => message.contains("wavefront size 32"),
        E::SharedVgprs { .. } => message.contains("cannot exceed 63"),
    }
}

#[test]
fn descriptors_are_llvms() {
    let text = golden_text("descriptors.txt");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for line in text.lines().filter(|l| !l.starts_with(';')) {
        count += 1;
        let [who, what, outcome] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let (arch, features) = who.split_once(' ').expect(who);
        let (target, id) = target(arch, features);
        let fields: Vec<(&str, i64)> = what
            .split(' ')
            .map(|f| f.split_once('=').expect(f))
            .map(|(name, value)| (name, value.parse().expect(value)))
            .collect();
        let built = build(&target, id, &fields);
        let hex = built.as_ref().map(|b| b.iter().map(|b| format!("{b:02x}")).collect::<String>());
        let agree = match (&hex, outcome.strip_prefix("error: ")) {
            (Ok(hex), None) => hex == outcome,
            (Err(error), Some(message)) => same_error(error, message),
            _ => false,
        };
        if !agree {
            wrong.push(format!("{line}\n  got {hex:?}"));
        }
        // What was built can be read, printed, and built again.
        if let Ok(bytes) = built {
            let descriptor = KernelDescriptor::parse(&bytes, target.arch);
            let printed = descriptor.directives(id.xnack.on_or_any());
            let printed: Vec<_> = printed.into_iter().map(|(name, value)| (name, value.into())).collect();
            assert_eq!(build(&target, id, &printed), Ok(bytes), "{line}\n{printed:?}");
        }
    }
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
}

/// The module that an object was written from, as far as it shows: kernels as directives, metadata as text.
fn to_module(object: &CodeObject) -> Module {
    let metadata = object.metadata.as_ref().map(Metadata::to_yaml);
    let kept: Vec<usize> = (0..object.sections.len())
        .filter(|&s| {
            !matches!(object.sections[s].kind, 2..=4) && (metadata.is_none() || object.sections[s].name != ".note")
        })
        .collect();
    let new_section = |old: usize| kept.iter().position(|&s| s == old).expect("a kept section");
    let mut symbols = Vec::new();
    let mut new_symbol = Vec::new();
    for symbol in &object.symbols {
        if symbol.kind == SymbolKind::Section {
            let SymbolPlace::Section(section) = symbol.place else { panic!("{symbol:?}") };
            new_symbol.push(RelocationTarget::Section(new_section(section)));
            continue;
        }
        new_symbol.push(RelocationTarget::Symbol(symbols.len()));
        symbols.push(module::Symbol {
            name: symbol.name.clone(),
            place: match symbol.place {
                SymbolPlace::Undefined => module::SymbolPlace::Undefined,
                SymbolPlace::Section(section) => {
                    module::SymbolPlace::Section { section: new_section(section), offset: symbol.value }
                }
                SymbolPlace::Absolute => module::SymbolPlace::Absolute(symbol.value as i64),
                SymbolPlace::Common => module::SymbolPlace::Common { align: symbol.value },
                SymbolPlace::Lds => module::SymbolPlace::Lds { align: symbol.value },
            },
            size: symbol.size,
            binding: match symbol.binding {
                0 => module::Binding::Local,
                1 => module::Binding::Global,
                _ => module::Binding::Weak,
            },
            kind: match symbol.kind {
                SymbolKind::Object => module::SymbolKind::Object,
                SymbolKind::Function => module::SymbolKind::Function,
                _ => module::SymbolKind::NoType,
            },
            visibility: match symbol.visibility {
                0 => module::Visibility::Default,
                1 => module::Visibility::Internal,
                2 => module::Visibility::Hidden,
                _ => module::Visibility::Protected,
            },
            temporary: false,
        });
    }
    let mut sections: Vec<module::Section> = kept
        .iter()
        .map(|&s| &object.sections[s])
        .map(|s| module::Section {
            name: s.name.clone(),
            kind: match s.kind {
                1 => SectionKind::ProgBits,
                7 => SectionKind::Note,
                8 => SectionKind::NoBits,
                other => SectionKind::Other(other),
            },
            flags: SectionFlags::from_bits_retain(s.flags),
            align: s.align,
            entry_size: s.entry_size,
            bytes: if s.kind == 8 { vec![0; s.size as usize] } else { s.bytes.to_vec() },
            relocations: Vec::new(),
        })
        .collect();
    let kinds = {
        use module::RelocationKind as K;
        [
            K::Abs32Lo,
            K::Abs32Hi,
            K::Abs64,
            K::Rel32,
            K::Rel64,
            K::Abs32,
            K::GotPcRel32Lo,
            K::GotPcRel32Hi,
            K::Rel32Lo,
            K::Rel32Hi,
            K::Rel16,
        ]
    };
    for r in &object.relocations {
        sections[new_section(r.section.expect("a section"))].relocations.push(module::Relocation {
            offset: r.offset,
            kind: *kinds.iter().find(|k| **k as u32 == r.kind).expect("a known relocation"),
            symbol: r.symbol.map_or(RelocationTarget::None, |at| new_symbol[at].clone()),
            addend: r.addend,
        });
    }
    let mut kernels = Vec::new();
    for kernel in object.kernels() {
        let descriptor = kernel.descriptor.expect("a descriptor");
        let (section, offset) = (new_section(kernel.at.0), kernel.at.1);
        sections[section].bytes[offset as usize..offset as usize + 64].fill(0);
        sections[section].relocations.retain(|r| r.offset != offset + 16);
        let fields = descriptor.directives(object.id.xnack.on_or_any());
        let field = |(name, value): (&str, u32)| KernelField {
            directive: format!(".amdhsa_{name}"),
            value: Expr::Int(value.into()),
            location: Location::default(),
        };
        kernels.push(module::KernelBlock {
            name: kernel.name,
            fields: fields.into_iter().map(field).collect(),
            section,
            offset,
            location: Location::default(),
        });
    }
    Module {
        target: object.target(),
        sections,
        symbols,
        kernels,
        metadata,
        amdgcn_target: Some(format!("amdgcn-amd-amdhsa--{}", object.id)),
        code_object_version: Some(object.version.into()),
    }
}

const OBJECTS: [&str; 10] =
    ["gfx600", "gfx700", "gfx803", "gfx906", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1100", "gfx1200"];

#[test]
fn objects_are_llvms_byte_for_byte() {
    for name in OBJECTS {
        let file = golden(&format!("{name}.o"));
        let object = CodeObject::parse(&file).expect(name);
        assert_eq!(object.arch().name, name);
        let written = writer::write(&to_module(&object)).expect(name);
        let again = CodeObject::parse(&written).expect(name);
        for (new, old) in again.sections.iter().zip(&object.sections) {
            assert_eq!(new, old, "{name}");
        }
        assert_eq!(again, object, "{name}");
        assert!(written == file, "{name}: the layout differs");
    }
}

#[test]
fn reading_an_object() {
    let file = golden("gfx906.o");
    let object = CodeObject::parse(&file).expect("an object");
    assert_eq!(object.version, 4);
    assert_eq!(object.id.to_string(), "gfx906:sramecc+:xnack-");
    assert!(object.target().wave64());
    let kernels = object.kernels();
    assert_eq!(kernels.iter().map(|k| k.name.as_str()).collect::<Vec<_>>(), ["second", "first"]);
    // `second` is local: its descriptor's relocation names the section.
    let code = object.code().next().expect("code").0;
    assert_eq!(kernels[0].entry, Some((code, 0x100)));
    assert_eq!(kernels[1].entry, Some((code, 0)));
    assert_eq!(object.symbol("shared").expect("LDS").place, SymbolPlace::Lds);
}

#[test]
fn metadata_is_llvms() {
    for name in ["gfx906", "gfx1100"] {
        let source = golden_text(&format!("{name}.s"));
        let yaml = source.split(".amdgpu_metadata\n").nth(1).expect("metadata");
        let yaml = &yaml[..yaml.find("\t.end_amdgpu_metadata").expect("its end")];
        let metadata = Metadata::from_yaml(yaml).expect("YAML");
        assert_eq!(metadata.verify(), Ok(()));
        let file = golden(&format!("{name}.o"));
        let object = CodeObject::parse(&file).expect("an object");
        assert_eq!(object.notes[0].desc, metadata.to_msgpack());
        assert_eq!(metadata.to_yaml(), golden_text(&format!("{name}.yaml")));
        let kernel = metadata.kernel("first.kd").expect("first");
        assert_eq!((kernel.sgpr_count, kernel.reqd_workgroup_size), (20, Some([64, 1, 1])));
        assert_eq!(kernel.args[1].name.as_deref(), Some("y"));
        assert!(kernel.args[2].is_hidden());
    }
}

#[test]
fn linked_objects_have_their_kernels() {
    // Entry addresses: llvm-readelf -s.
    for (file, id, version, wave32, entries) in [
        ("clang-gfx700-v4.so", "gfx700", 4, false, [0x1900, 0x1a00]),
        ("clang-gfx1030-v5.so", "gfx1030", 5, true, [0x1900, 0x1a00]),
        ("clang-gfx90a-v6.so", "gfx90a:xnack+", 6, false, [0x1900, 0x1a00]),
    ] {
        let bytes = golden(file);
        let object = CodeObject::parse(&bytes).expect(file);
        assert_eq!((object.id.to_string().as_str(), object.version, object.linked), (id, version, true), "{file}");
        assert_eq!(object.target().wave32(), wave32, "{file}");
        let kernels = object.kernels();
        assert_eq!(kernels.iter().map(|k| k.name.as_str()).collect::<Vec<_>>(), ["scale", "pick"], "{file}");
        for (kernel, address) in kernels.iter().zip(entries) {
            assert_eq!(kernel.entry, object.locate(address), "{file}: {}", kernel.name);
            assert!(object.sections[kernel.entry.expect("an entry").0].is_executable());
        }
        let metadata = object.metadata.as_ref().expect("metadata");
        assert_eq!(metadata.verify(), Ok(()));
        let scale = metadata.kernel("scale.kd").expect("scale");
        assert_eq!(scale.args[2].value_kind, "dynamic_shared_pointer");
        assert_eq!(metadata.kernel("pick.kd").expect("pick").reqd_workgroup_size, Some([64, 2, 1]));

        // The same without section headers: only what a loader sees.
        let mut bare = bytes.clone();
        bare[40..48].fill(0);
        bare[60..64].fill(0);
        let bare = CodeObject::parse(&bare).expect(file);
        let bare_kernels = bare.kernels();
        assert_eq!(bare_kernels.len(), 2, "{file}");
        for (bare_kernel, kernel) in bare_kernels.iter().zip(&kernels) {
            assert_eq!(bare_kernel.descriptor, kernel.descriptor);
            let (section, offset) = bare_kernel.entry.expect("an entry");
            let (full, full_offset) = kernel.entry.expect("an entry");
            let address = object.sections[full].address + full_offset;
            assert_eq!(bare.sections[section].address + offset, address);
        }
        assert_eq!(bare.metadata, object.metadata);
    }
}

/// What must hold in `link.s` once it is linked, wherever things are.
fn check_linked(file: &[u8]) {
    let object = CodeObject::parse(file).expect("an object");
    assert!(object.linked);
    let address = |name: &str| object.symbol(name).expect(name).value;
    let word = |address: u64| {
        let segment = object.segments.iter().find(|s| s.address <= address && address < s.address + s.size);
        let segment = segment.expect("a loaded address");
        let at = (address - segment.address) as usize;
        u64::from(u32::from_le_bytes(segment.bytes[at..at + 4].try_into().expect("four bytes")))
    };
    let long = |address: u64| word(address) | word(address + 4) << 32;
    let main = address("main");
    assert_eq!(main % 256, 0);
    assert_eq!(object.kernels()[0].entry, object.locate(main));
    assert_eq!(object.symbol("main.kd").expect("main.kd").value % 64, 0);
    // The program counter behind s_getpc_b64, plus the two literals.
    let near = (main + 4).wrapping_add(word(main + 8) | word(main + 16) << 32);
    assert_eq!((near, long(near)), (address("near"), 0x1122_3344_5566_7788));
    let slot = (main + 24).wrapping_add(word(main + 28) | word(main + 36) << 32);
    let mut found: Vec<(u64, u32, i64, Option<&str>)> = object
        .relocations
        .iter()
        .map(|r| (r.offset, r.kind, r.addend, r.symbol.map(|at| object.symbols[at].name.as_str())))
        .collect();
    // Linkers may name the symbol or give its address.
    for relocation in found.iter_mut().filter(|r| r.3 == Some("far")) {
        *relocation = (relocation.0, 13, address("far") as i64, None);
    }
    let (far, pointers) = (address("far") as i64, address("pointers"));
    let mut expected = vec![
        (slot, 13, far, None),
        (pointers, 13, far, None),
        (pointers + 8, 13, address("near") as i64 + 4, None),
        (pointers + 16, 3, 0, Some("elsewhere")),
    ];
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn linking_does_what_lld_does() {
    check_linked(&golden("link.so"));
    let file = golden("link.o");
    let module = to_module(&CodeObject::parse(&file).expect("an object"));
    let linked = wavediff::object::write_shared(&module).expect("a linked file");
    check_linked(&linked);
    // Without section headers a loader finds the same.
    let mut bare = linked.clone();
    bare[40..48].fill(0);
    bare[60..64].fill(0);
    let bare = CodeObject::parse(&bare).expect("an object");
    assert_eq!(bare.relocations.len(), 4);
    assert_eq!(bare.symbols.iter().filter(|s| s.name == "far" || s.name == "main.kd").count(), 2);
}

/// A tool that is not there: a skip, except where all must be there.
fn skip(tool: &str) {
    assert!(std::env::var_os("WAVEDIFF_REQUIRE_LLVM").is_none(), "{tool} is not installed");
    println!("skipped: {tool} is not installed");
}

#[test]
fn llvms_tools_accept_what_is_written() {
    let folder = std::env::temp_dir().join(format!("wavediff-object-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for name in ["gfx803", "gfx906", "gfx1200", "link"] {
        let file = golden(&format!("{name}.o"));
        let module = to_module(&CodeObject::parse(&file).expect(name));
        let linked = wavediff::object::write_shared(&module).ok();
        for bytes in [Some(writer::write(&module).expect(name)), linked].into_iter().flatten() {
            let path = folder.join(name);
            std::fs::write(&path, bytes).expect("a file");
            for command in [["llvm-readobj-19", "--all"], ["llvm-objdump-19", "-dr"]] {
                let Ok(done) = std::process::Command::new(command[0]).arg(command[1]).arg(&path).output() else {
                    skip(command[0]);
                    continue;
                };
                let errors = String::from_utf8_lossy(&done.stderr).into_owned();
                assert!(done.status.success() && errors.is_empty(), "{name}: {command:?}: {errors}");
            }
        }
    }
    std::fs::remove_dir_all(&folder).expect("a folder");
    for name in ["clang-gfx700-v4.so", "clang-gfx1030-v5.so", "clang-gfx90a-v6.so"] {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/oracle/object").join(name);
        let Ok(done) = std::process::Command::new("llvm-readelf-19").arg("--notes").arg(&path).output() else {
            skip("llvm-readelf-19");
            return;
        };
        let printed = String::from_utf8_lossy(&done.stdout).into_owned();
        let file = golden(name);
        let metadata = CodeObject::parse(&file).expect(name).metadata.expect("metadata");
        assert_eq!(metadata.to_yaml().trim_end(), printed[printed.find("---").expect("YAML")..].trim_end(), "{name}");
    }
}

#[test]
fn what_cannot_be_linked_is_named() {
    let file = golden("gfx906.o");
    let module = to_module(&CodeObject::parse(&file).expect("an object"));
    assert_eq!(wavediff::object::write_shared(&module), Err(ObjectError::Undefined { symbol: "outside".to_owned() }));
}

#[test]
fn modules_that_contradict_themselves_are_refused() {
    let file = golden("link.o");
    let good = to_module(&CodeObject::parse(&file).expect("an object"));
    let with = |change: fn(&mut Module)| {
        let mut module = good.clone();
        change(&mut module);
        let linked = wavediff::object::write_shared(&module).map(|file| file.len());
        (writer::write(&module).map(|file| file.len()), linked)
    };
    let both = |(written, linked): (Result<usize, ObjectError>, Result<usize, ObjectError>)| {
        assert_eq!(written, linked);
        written.expect_err("an error")
    };
    assert_eq!(both(with(|m| m.code_object_version = Some(7))), ObjectError::Version { version: 7 });
    assert!(matches!(both(with(|m| m.kernels[0].section = 99)), ObjectError::Index { what: "section", index: 99, .. }));
    assert!(matches!(both(with(|m| m.kernels[0].offset = u64::MAX)), ObjectError::Outside { what: "descriptor", .. }));
    assert!(matches!(both(with(|m| m.sections[0].align = 1 << 40)), ObjectError::Align { .. }));
    assert!(matches!(both(with(|m| m.sections[0].align = 3)), ObjectError::Align { .. }));
    let place = with(|m| m.symbols[0].place = module::SymbolPlace::Section { section: 99, offset: 0 });
    assert_eq!(both(place), ObjectError::Index { what: "section", index: 99, count: 4 });
    let target = with(|m| m.sections[0].relocations[0].symbol = RelocationTarget::Symbol(99));
    assert!(matches!(both(target), ObjectError::Index { what: "symbol", index: 99, .. }));
    let unresolved = with(|m| m.kernels[0].fields[0].value = Expr::Symbol("later".to_owned()));
    assert!(matches!(both(unresolved), ObjectError::Unresolved { .. }));
    let other = with(|m| m.amdgcn_target = Some("amdgcn-amd-amdhsa--gfx908".to_owned()));
    assert_eq!(both(other), ObjectError::OtherTarget { named: "gfx908", target: "gfx906" });
    let metadata = with(|m| m.metadata = Some("amdhsa.version: [1, 2]".to_owned()));
    assert!(both(metadata).to_string().contains("`amdhsa.kernels` is required"));
    assert!(with(|m| m.sections[0].relocations[0].offset = u64::MAX).1.is_err());
}

#[test]
fn user_sgprs_are_laid_out_in_the_order_of_the_hardware() {
    let (target, id) = target("gfx90a", "-");
    let fields = [
        ("next_free_vgpr", 8),
        ("next_free_sgpr", 8),
        ("accum_offset", 4),
        ("user_sgpr_kernarg_preload_length", 3),
        ("user_sgpr_private_segment_size", 1),
        ("user_sgpr_kernarg_segment_ptr", 1),
        ("user_sgpr_dispatch_ptr", 1),
    ];
    let bytes = build(&target, id, &fields).expect("a descriptor");
    let layout = KernelDescriptor::parse(&bytes, target.arch).user_sgpr_layout();
    let layout: Vec<_> = layout.into_iter().map(|sgprs| (sgprs.name, sgprs.first, sgprs.count)).collect();
    assert_eq!(
        layout,
        [
            ("user_sgpr_dispatch_ptr", 0, 2),
            ("user_sgpr_kernarg_segment_ptr", 2, 2),
            ("user_sgpr_private_segment_size", 4, 1),
            ("user_sgpr_kernarg_preload_length", 5, 3),
        ]
    );
}

#[test]
fn mesa_objects_have_headers_instead_of_descriptors() {
    let bytes = golden("clang-gfx803-mesa.o");
    let object = CodeObject::parse(&bytes).expect("an object");
    assert_eq!((object.os_abi, object.arch().name, &object.metadata), (66, "gfx803", &None));
    let kernels = object.kernels();
    let code = object.code().next().expect("code").0;
    assert_eq!(kernels.len(), 1);
    assert_eq!((kernels[0].name.as_str(), kernels[0].descriptor, kernels[0].entry), ("fill", None, Some((code, 256))));
}

#[test]
fn version_2_notes_are_read() {
    let text = b"---\nVersion:         [ 1, 0 ]\nKernels:\n  - Name:            k\n    SymbolName:      'k@kd'\n    Args:\n      \
        - Name:            a\n        Size:            4\n        Align:           4\n        ValueKind:       ByValue\n      \
        - Size:            8\n        Align:           8\n        ValueKind:       HiddenGlobalOffsetX\n        \
        AddrSpaceQual:   Global\n    CodeProps:\n      KernargSegmentSize: 16\n      WavefrontSize:   64\n...\n\0";
    let metadata = Metadata::from_v2(text).expect("YAML");
    let kernels = metadata.kernels();
    assert_eq!((kernels[0].symbol.as_str(), kernels[0].kernarg_segment_size), ("k@kd", 16));
    assert_eq!((kernels[0].args[1].offset, kernels[0].args[1].value_kind.as_str()), (8, "hidden_global_offset_x"));
    assert_eq!(kernels[0].args[0].value_kind, "by_value");
}

#[test]
fn other_files_are_refused() {
    let file = golden("gfx906.o");
    let with = |at: usize, byte: u8| {
        let mut file = file.clone();
        file[at] = byte;
        CodeObject::parse(&file).map(|object| object.version)
    };
    assert_eq!(CodeObject::parse(b"").map(|_| ()), Err(ObjectError::NotElf));
    assert!(matches!(CodeObject::parse(&file[..63]), Err(ObjectError::Outside { what: "header", .. })));
    assert_eq!(with(48, 0x09), Err(ObjectError::R600 { mach: 9 }));
    assert_eq!(with(48, 0x51), Err(ObjectError::Generic { mach: 0x51 }));
    assert_eq!(with(48, 0xee), Err(ObjectError::Machine { mach: 0xee }));
    assert_eq!(with(8, 9), Err(ObjectError::Version { version: 11 }));
    assert_eq!(with(8, 0), Ok(2));
    assert!(matches!(with(18, 62), Err(ObjectError::NotAmdGpu { what: "e_machine", value: 62 })));
    assert!(matches!(with(16, 2), Err(ObjectError::NotAmdGpu { what: "e_type", .. })));
}

#[test]
fn thousands_of_tables_over_the_same_bytes_are_refused() {
    let mut file = golden("gfx906.o")[..64].to_vec();
    let body = vec![0u8; 100_000];
    for (kind, offset) in [(4u32, 64u64), (2, 64), (3, 64)] {
        file.truncate(64);
        file.extend_from_slice(&body);
        let headers = file.len() as u64;
        for at in 0..2000u32 {
            let mut header = [0; 64];
            header[4..8].copy_from_slice(&kind.to_le_bytes());
            header[24..32].copy_from_slice(&offset.to_le_bytes());
            header[32..40].copy_from_slice(&(body.len() as u64).to_le_bytes());
            header[40..44].copy_from_slice(&1u32.to_le_bytes());
            header[44..48].copy_from_slice(&(at + 1).min(1999).to_le_bytes());
            file.extend_from_slice(&header);
        }
        file[40..48].copy_from_slice(&headers.to_le_bytes());
        file[60..64].copy_from_slice(&[0xd0, 7, 0, 0]);
        let outcome = CodeObject::parse(&file).map(|object| object.relocations.len());
        if kind == 4 {
            assert!(matches!(outcome, Err(ObjectError::TooMany { .. })), "{outcome:?}");
        }
    }
}

#[test]
fn flags_are_llvms() {
    let text = golden_text("flags.txt");
    let mut count = 0;
    for line in text.lines().filter(|l| !l.starts_with(';')) {
        let (name, flags) = line.split_once(' ').expect(line);
        let arch = Arch::find(name).expect(name);
        let flags = u32::from_str_radix(flags, 16).expect(flags);
        assert_eq!(TargetId::new(arch).elf_flags(5), flags, "{name}");
        assert_eq!(TargetId::from_elf_flags(arch, flags, 5), TargetId::new(arch), "{name}");
        count += 1;
    }
    assert_eq!(count, wavediff::isa::ARCHS.len());
}

/// Uses everything that a reader offers.
fn exhaust(bytes: &[u8]) {
    if let Ok(object) = CodeObject::parse(bytes) {
        for kernel in object.kernels() {
            let _ = kernel.entry.and_then(|at| object.bytes_at(at));
            let _ = kernel.descriptor.map(|d| (d.directives(true), d.vgprs(), d.sgprs(), d.accum_offset()));
        }
        let _ = (object.target(), object.code().count());
        for symbol in &object.symbols {
            let _ = object.place(symbol).and_then(|at| object.bytes_at(at));
        }
        if let Some(metadata) = &object.metadata {
            let _ = (metadata.kernels(), metadata.verify());
            // Text and MessagePack carry the same.
            let again = Metadata::from_yaml(&metadata.to_yaml()).map(|m| m.to_msgpack());
            let _ = again;
        }
        let _: &[reader::Note] = &object.notes;
    }
}

proptest::proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(0u8.., 0..300)) {
        exhaust(&bytes);
        let mut file = golden("gfx906.o")[..16].to_vec();
        file.extend_from_slice(&bytes);
        exhaust(&file);
        let _ = Metadata::from_msgpack(&bytes).map(|m| (m.to_yaml(), m.verify()));
        let _ = Metadata::from_yaml(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn damaged_files_are_read_or_refused(
        which in 0usize..3,
        damage in proptest::collection::vec((0usize..6000, 0u8..), 1..12),
        cut in proptest::option::of(0usize..6000),
    ) {
        let mut file = golden(["gfx942.o", "clang-gfx1030-v5.so", "clang-gfx803-mesa.o"][which]);
        for (at, byte) in damage {
            let len = file.len();
            // Half of the damage goes where it hurts: the headers at both ends.
            let at = if at % 2 == 0 { at % len } else if at % 4 == 1 { at % 300 } else { len - 1 - at % 900 };
            file[at] = byte;
        }
        file.truncate(cut.unwrap_or(file.len()));
        exhaust(&file);
    }

    #[test]
    fn text_that_looks_like_yaml_is_read_or_refused(text in "[-a:\\[\\]{} ,'\"#\n!0-9~\\\\x.]{0,80}") {
        let _ = Metadata::from_yaml(&text);
    }

    #[test]
    fn metadata_text_keeps_every_string(strings in proptest::collection::vec("\\PC{0,12}|[ -~\n\t]{0,12}", 0..6)) {
        use wavediff::object::msgpack::Value;
        let root = Value::Map([("k".to_owned(), Value::Array(strings.into_iter().map(Value::Str).collect()))].into());
        let metadata = Metadata { root };
        let again = Metadata::from_yaml(&metadata.to_yaml());
        proptest::prop_assert_eq!(again.as_ref(), Ok(&metadata), "{}", metadata.to_yaml());
        let again = Metadata::from_msgpack(&metadata.to_msgpack());
        proptest::prop_assert_eq!(again.as_ref(), Ok(&metadata));
    }
}
