//! Case files: the format, what a case starts with, and what is found in an outcome.

#[path = "case/terms.rs"]
mod terms;
use proptest::prelude::*;
use terms::{id, math};
use wavediff::asm::source::NoFiles;
use wavediff::case::check::verdict;
use wavediff::case::isa::{Entry, Isa, Select};
use wavediff::case::mode::{Field, Mode};
use wavediff::case::random::Class;
use wavediff::case::value::{Descriptor, File, Lit, Oob, Place, Value};
use wavediff::case::{Body, Buffer, Case, CaseError, Expect, Init, Mismatch, Rule, TrapHandler, What};
use wavediff::disasm::Reason;
use wavediff::engine::{Access, Engine, EngineError, Memory, Outcome, Status, Support};
use wavediff::engine::{Trap, TrapKind, Unsupported, WaveState};
use wavediff::isa::types::Ty;
use wavediff::isa::{ARCHS, Arch, Target};

fn target(name: &str) -> Target {
    Target::new(Arch::find(name).expect("a processor"))
}

fn case(text: &str) -> Case {
    match Case::parse(text, "test.s") {
        Ok(case) => {
            let again = Case::parse(&case.to_string(), "test.s").expect("what is printed parses");
            assert_eq!(again, case, "{case}");
            case
        }
        Err(error) => panic!("{error}"),
    }
}

fn error(text: &str) -> String {
    Case::parse(text, "test.s").expect_err("an error").to_string()
}

/// An engine which knows one instruction: it doubles v0 into v1, and traps where the program is longer.
struct Doubler;

impl Engine for Doubler {
    fn name(&self) -> &str {
        "doubler"
    }

    fn supports(&self, case: &Case, target: Target) -> Support {
        match case.program(target) {
            Ok(program) if program.text.len() <= 8 => Support::Exact,
            _ => Support::No(vec![Unsupported { instruction: "s_nop 0".into(), needs: "a real engine".into() }]),
        }
    }

    fn run(&self, case: &Case, target: Target) -> Result<Outcome, EngineError> {
        let program = case.program(target)?;
        let initial = case.initial(target)?;
        let mut outcome = Outcome::default();
        for wave in &initial.waves {
            let mut state = initial.wave(wave.number, program.sgprs, program.vgprs);
            for lane in (0..64).filter(|lane| state.exec >> lane & 1 != 0) {
                state.vgprs[1][lane] = (2.0 * f32::from_bits(state.vgprs[0][lane])).to_bits();
            }
            outcome.waves.push(state);
        }
        outcome.buffers =
            initial.buffers.iter().map(|b| Memory { name: b.name.clone(), bytes: b.bytes.clone() }).collect();
        outcome.lds = vec![Memory { name: "lds".into(), bytes: initial.lds(0) }];
        if program.text.len() > 8 {
            outcome.trap = Some(Trap {
                kind: TrapKind::IllegalInstruction(Reason::NoEncoding),
                group: [0; 3],
                wave: 0,
                pc: 4,
                instruction: "0xffffffff".into(),
                lane: None,
                address: None,
            });
        }
        Ok(outcome)
    }
}

fn mismatches(text: &str) -> Vec<String> {
    let case = case(text);
    let target = case.targets()[0];
    let outcome = Doubler.run(&case, target).expect("an outcome");
    let found = case.check(target, &outcome).expect("a comparison");
    found.iter().map(ToString::to_string).collect()
}

const ADD: &str = "v_add_f32 v1, v0, v0\n";

#[test]
fn the_smallest_case() {
    let text = format!("; isa: gfx1100\n; v0 = 1.5\n; expect: v1 = 3.0\n{ADD}");
    let case = case(&text);
    assert_eq!(case.targets(), [target("gfx1100")]);
    let program = case.program(target("gfx1100")).expect("a program");
    assert_eq!(program.words(), [0x0602_0100, 0xbfb0_0000]);
    assert_eq!((program.sgprs, program.vgprs, program.entry), (0, 2, 0));
    assert_eq!(case.to_string(), text);
    assert_eq!(mismatches(&text), [""; 0]);
    assert_eq!(Doubler.supports(&case, target("gfx1100")), Support::Exact);
}

#[test]
fn mismatches_name_everything() {
    let text = format!("; isa: gfx1100\n; grid: 2\n; v0 = 1.5\n; expect: v1 = f32 [3.0, 0x40400001]\n{ADD}");
    assert_eq!(
        mismatches(&text),
        ["v1 lane 1: expected f32 0x40400001 (3.0000002), got 0x40400000 (3.0), 1 ulp apart"]
    );
    assert_eq!(mismatches(&text.replace("1]", "1], ulp(1)")), [""; 0]);
    let text = format!("; isa: gfx6\n; v0 = -1\n; exec = 3\n; expect: v1 = f32 [nan, nan], nan_any\n{ADD}");
    assert_eq!(mismatches(&text), [""; 0]);
    let text = "; isa: gfx900\n; s[0:3] = [1, u64 2, f32 3.0]\n; expect: s[0:3] = [1, _, 0, 5]\n; expect: s200 = 1\n";
    assert!(error(text).contains("there is no such register"), "{}", error(text));
    let text = text.replace("; expect: s200 = 1\n", "; expect: exec = -1\n; expect: s90 = 4\n; expect: mode = 0x3f0\n");
    assert_eq!(
        mismatches(&format!("{text}{ADD}")),
        [
            "s3: expected u32 0x00000005 (5), got 0x40400000 (1077936128)",
            "s90: expected u32 0x00000004 (4), got 0x00000000 (0)"
        ]
    );
}

#[test]
fn expectations_by_processor() {
    let text = "; isa: gfx9..gfx11\n; expect: v1 = 0\n; expect[gfx10]: v1 = 1\n; expect[gfx11, wave64]: v1 = 2\nv_add_f32 v1, v0, v0\n";
    let case = case(text);
    let found = |target: Target| {
        let outcome = Doubler.run(&case, target).expect("an outcome");
        case.check(target, &outcome).expect("a comparison").len()
    };
    assert_eq!(found(target("gfx900")), 0);
    assert_eq!(found(target("gfx1030")), 32);
    assert_eq!(found(target("gfx1100")), 0);
    assert_eq!(found(target("gfx1100").wave(64).expect("wave64")), 64);
    assert!(matches!(case.check(target("gfx803"), &Outcome::default()), Err(CaseError::NotFor { .. })));
}

#[test]
fn traps_are_expected_or_not() {
    let body = "v_add_f32 v1, v0, v0\nbad:\n.long 0xffffffff\n";
    let run = |expect: &str| mismatches(&format!("; isa: gfx1100\n{expect}{body}"));
    assert_eq!(run("; expect: trap illegal_instruction at bad\n"), [""; 0]);
    assert_eq!(run("; expect: trap illegal_instruction\n; expect: v1 = 0.0\n"), [""; 0]);
    assert_eq!(
        run("; expect: v1 = 1.0\n"),
        ["unexpected trap: illegal instruction: no encoding of this processor starts with these bits at 0x0004 \
         `0xffffffff`, group (0, 0, 0) wave 0"]
    );
    assert!(run("; expect: trap s_trap 2\n")[0].starts_with("expected trap s_trap 2, got illegal instruction"));
    let case = case(&format!("; expect: trap budget at nowhere\n{body}"));
    let outcome = Doubler.run(&case, target("gfx1100")).expect("an outcome");
    assert!(matches!(case.check(target("gfx1100"), &outcome), Err(CaseError::Label { .. })));
    let nothing = case_of_trap("halt").check(target("gfx1100"), &Outcome::default()).expect("a comparison");
    assert_eq!(nothing, [Mismatch::Trap { expected: Some("halt".into()), got: None }]);
    assert_eq!(verdict(&nothing), Status::Fail);
}

fn case_of_trap(kind: &str) -> Case {
    case(&format!("; expect: trap {kind}\ns_nop 0\n"))
}

#[test]
fn trap_names_are_those_of_traps() {
    let all = [
        TrapKind::BadAddress { access: Access::Load, bytes: 4 },
        TrapKind::Misaligned { access: Access::Store, align: 4 },
        TrapKind::IllegalInstruction(Reason::NoEncoding),
        TrapKind::BadRegister("s200".into()),
        TrapKind::BadPc,
        TrapKind::Budget { limit: 1 },
        TrapKind::Watchdog(std::time::Duration::from_secs(1)),
        TrapKind::Software(2),
        TrapKind::Exception(1),
        TrapKind::Halt,
        TrapKind::Deadlock { waiting: 1, waves: 2 },
        TrapKind::Unsupported { needs: "images".into() },
    ];
    assert_eq!(all.each_ref().map(TrapKind::name), TrapKind::NAMES);
    for kind in &all {
        let what = case_of_trap(kind.name()).expect.remove(0).what;
        assert!(what.is_trap(kind));
        assert!(all.iter().filter(|other| what.is_trap(other)).count() == 1);
    }
}

#[test]
fn patterns_at_the_start() {
    let case = case(
        "; isa: gfx1100, gfx900\n; grid: 40, 2\n; group: 20, 2\n; v0 = local.x\n; v1 = local.y\n; v2 = packed\n; v3 = item\n\
         ; v[4:5] = f64 1.0\n; v[6:7] = random(3)\n; v8 = pack(1.0, f16 -2.0)\n; s0 = group.x\n; s[1:2] = [u64 0x100000002]\n\
         ; vcc = [1, 2]\n; exec = -1\n; m0 = wave\n; scc = 1\n; v9 = global.x\n; v[10:12] = edges(u8)\n; s[8:9] = ramp(4, -1)\n\
         ; mode: denorm32=flush\n; v13 = f32 ramp(1, 0.5)\n; ttmp9 = group.x\n; a0 = 7\ns_nop 0\n",
    );
    let initial = case.initial(target("gfx1100")).expect("a start");
    assert_eq!((initial.waves.len(), initial.wave_size), (4, 32));
    // Lane 5 of the second wave of the second group is work-item 37 of 20 by 2.
    let v = |n| initial.vgpr(n, 5, 3);
    assert_eq!([v(0), v(1), v(2), v(3), v(9)], [17, 1, 17 | 1 << 10, 101, 37]);
    assert_eq!([v(4), v(5), v(8)], [0, 0x3ff0_0000, 0xc000_3c00]);
    assert_ne!(v(6), v(7));
    assert_eq!(v(10), 0xff);
    assert_eq!(v(13), (1.0f32 + 0.5 * 101.0).to_bits());
    assert_eq!([initial.sgpr(0, 3), initial.sgpr(1, 3), initial.sgpr(2, 3), initial.sgpr(3, 3)], [1, 2, 1, 0]);
    assert_eq!([initial.sgpr(8, 0), initial.sgpr(9, 0)], [4, 3]);
    assert_eq!([initial.vcc(0), initial.vcc(1), initial.vcc(2)], [1, 2, 0]);
    assert_eq!((initial.exec(0), initial.m0(2), initial.scc(0), initial.mode), (0xffff_ffff, 2, true, 0x3c0));
    assert_eq!((initial.agpr(0, 1, 1), initial.ttmp(9, 2)), (7, 1));
    let initial = case.initial(target("gfx900")).expect("a start");
    assert_eq!((initial.waves.len(), initial.exec(0)), (2, u64::MAX));
    let state: WaveState = initial.wave(1, 4, 4);
    assert_eq!((state.sgprs.len(), state.vgprs.len(), state.vgprs[3][39]), (10, 14, 103));
}

#[test]
fn lanes_without_a_work_item_are_off() {
    let case = case("; isa: gfx1100\n; grid: 40\n; group: 32\ns_nop 0\n");
    let initial = case.initial(target("gfx1100")).expect("a start");
    assert_eq!([initial.exec(0), initial.exec(1), initial.exec(2)], [0xffff_ffff, 0xff, 0]);
    assert_eq!(initial.waves.get(1).map(|w| w.lanes(32)), Some(8));
}

#[test]
fn memory_at_the_start() {
    let case = case(
        "; isa: gfx1100\n; buffer data[20] readonly = ramp(1, 1)\n; buffer args = [address(data + 8), u32 7, f16 1, 2, buffer(data, stride=4)]\n\
         ; s[4:7] = buffer(data, format=16_float, dst_sel=x001, oob=index)\n; s[0:1] = address(args)\n; lds = [u8 1, 2, 3]\n; buffer out[8]\n\
         ; expect: buffer data[4] = [2, 3]\n; expect: buffer out = 0\n; expect: lds = [u8 1, _, 4]\n; observe: buffer out, lds\nv_add_f32 v1, v0, v0\n",
    );
    let initial = case.initial(target("gfx1100")).expect("a start");
    let [data, args, out] = initial.buffers.as_slice() else { panic!("three buffers") };
    assert_eq!(data.bytes, [1u32, 2, 3, 4, 5].map(u32::to_le_bytes).concat());
    assert!(!data.writable && out.writable);
    assert_eq!(args.bytes[..8], (data.address + 8).to_le_bytes());
    assert_eq!(args.bytes[8..16], [7, 0, 0, 0, 0, 0x3c, 0, 0x40]);
    assert_eq!(args.bytes[16..20], (data.address as u32).to_le_bytes());
    assert_eq!(args.bytes.len(), 32);
    assert!(args.address >= data.address + 0x1_0000);
    assert_eq!([initial.sgpr(0, 0), initial.sgpr(1, 0)], [args.address as u32, (args.address >> 32) as u32]);
    assert_eq!(initial.sgpr(6, 0), 20);
    assert_eq!(initial.sgpr(7, 0), 0x1000_0000 | 13 << 12 | 4 | 1 << 9);
    assert_eq!((initial.lds_size, initial.lds(0)), (3, vec![1, 2, 3]));
    assert_eq!(case.observed(target("gfx1100")).len(), 3);
    let outcome = Doubler.run(&case, target("gfx1100")).expect("an outcome");
    let found = case.check(target("gfx1100"), &outcome).expect("a comparison");
    assert_eq!(
        found.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["lds[2]: expected u8 0x04 (4), got 0x03 (3)"]
    );
    let absent = case.check(target("gfx1100"), &Outcome::default()).expect("a comparison");
    assert_eq!(absent.len(), 3);
    assert!(case.initial_with(target("gfx1100"), &NoFiles, &mut |_, _| 0x1000).is_ok());
}

#[test]
fn files_fill_buffers() {
    let case = case("; buffer data = file \"no/such/file\"\ns_nop 0\n");
    assert!(matches!(case.initial(target("gfx1100")), Err(CaseError::File { .. })));
    let case = Case::parse("; buffer data[4] = file \"case.rs\"\ns_nop 0\n", "tests/case.s").expect("a case");
    assert_eq!(case.initial(target("gfx1100")).expect("a start").buffers[0].bytes, *b"//! ");
}

#[test]
fn errors_show_the_place() {
    assert_eq!(
        error("; isa: gfx1100\n;  v0 = 1.5.2\ns_nop 0\n"),
        "test.s:2:9: error: expected a number\n;  v0 = 1.5.2\n        ^"
    );
    assert_eq!(
        error("; isa: gfx1100\n; v0 = [1,\n;       2, edgse(f32)]\ns_nop 0\n"),
        "test.s:3:12: error: unknown value `edgse` (did you mean `edges`?)\n;       2, edgse(f32)]\n           ^~~~~"
    );
    let both = error("; isas: gfx1100\n; v0 = f64 1.0\ns_nop 0\n");
    assert!(both.contains("unknown key `isas` (did you mean `isa`?)"), "{both}");
    assert!(both.contains("test.s:2:8: error: the value is wider than a register"), "{both}");
}

#[test]
fn wrong_headers() {
    for (text, want) in [
        ("; s[0:1] = address(dta)\n; buffer data[4]\n", "unknown buffer `dta` (did you mean `data`?)"),
        ("; v0 = file \"x\"\n", "a file can only fill memory"),
        ("; s0 = lane\n", "lanes have no part in this place"),
        ("; v0 = _\n", "only in expectations"),
        ("; v0 = [1, f64 2.0]\n", "the same width"),
        ("; scc = u64 1\n", "wider than 32 bits"),
        ("; v0 = u8 256\n", "does not fit the type"),
        ("; v0 = i16 -32769\n", "does not fit the type"),
        ("; v0 = u32 1.5\n", "a whole number is needed"),
        ("; v0 = f32 0x100000000\n", "these bits do not fit"),
        ("; v0 = random_f32(1, bit)\n", "no such class"),
        ("; expect: v0 = 1, ulp(2)\n", "only floats"),
        ("; group: 2000\n", "at most 1024"),
        ("; grid: 100000, 100000\n", "2^20 waves"),
        ("; isa: gfx9\n; wave: 32\n", "no processor of the isa list"),
        ("; isa: gfx12\n; mode: ieee=0\n", "no processor of the isa list"),
        ("; buffer a = 1\n", "needs a size"),
        ("; buffer a[4] = [1, 2]\n", "larger than the buffer"),
        ("; buffer a[4] behind\n", "no buffer before this one"),
        ("; mode: round32=near\n", "unknown value"),
        ("; s[0:3] = buffer(b, stride=9999999)\n; buffer b[4]\n", "must be in"),
        ("; isa: gfx1100\n; isa: gfx1100\n", "given before"),
        ("s_nop 0\n; expect: v0 = 1\n", "would be ignored"),
        ("; v0 = 1 2\n", "expected the end of the line"),
        ("; v0 = [1, 2\n", "`,` or `]`"),
        ("; v0 = [[1]]\n", "a list cannot stand"),
        ("; Adds two numbers.\n", "a remark begins with `;;`"),
        ("; adds = 1\n", "unknown place `adds`"),
    ] {
        let message = Case::parse(text, "test.s").err().map_or_else(String::new, |e| e.to_string());
        assert!(message.contains(want), "{text}{message}");
    }
}

#[test]
fn the_assembly_keeps_its_lines() {
    let case = case("; isa: gfx1100\n\n; v0 = 1\n\n  v_ad_f32 v0, v0, v0\n");
    let Err(CaseError::Text(errors)) = case.program(target("gfx1100")) else { panic!("an error") };
    assert_eq!((errors[0].line, errors[0].column), (5, 3));
    let program = |text: &str| Case::parse(text, "t").expect("a case").program(target("gfx1100")).expect("a program");
    assert_eq!(program("s_endpgm ; over\n\n").text.len(), 4);
    assert_eq!(program("s_nop 0\ns_branch 0").text.len(), 12);
    assert_eq!(program("; entry: go\ns_nop 0\ngo: s_nop 1\n").entry, 4);
    assert_eq!(program("; isa: gfx1100\n; mattr: +real-true16\nv_mov_b16 v0.h, v1.l\n").text.len(), 8);
    let missing = Case::parse("; entry: no\ns_nop 0\n", "t").expect("a case").program(target("gfx1100"));
    assert!(matches!(missing, Err(CaseError::Label { .. })));
    let handled = program("; trap_handler: go\ns_nop 0\n.p2align 8\ngo: s_nop 1\n");
    assert_eq!((handled.entry, handled.handler), (0, Some(256)));
    let error = |text: &str| Case::parse(text, "t").expect("a case").program(target("gfx1100")).expect_err("none");
    assert!(matches!(error("; trap_handler: no\ns_nop 0\n"), CaseError::Label { .. }));
    let unaligned = error("; trap_handler: go\ns_nop 0\ngo: s_nop 1\n").to_string();
    assert!(
        unaligned.contains("the trap handler `go` begins at 0x4: it must lie at a multiple of 256 bytes"),
        "{unaligned}"
    );
    let memory = "; trap_handler: go, data\n; buffer data[64] at 0x1000010\ngo: s_nop 1\n";
    let memory = Case::parse(memory, "t").expect("a case").initial(target("gfx1100")).expect_err("none").to_string();
    assert!(memory.contains("the memory of the trap handler begins at 0x1000010"), "{memory}");
    let unknown =
        Case::parse("; trap_handler: go, dta\n; buffer data[64]\ngo: s_nop 1\n", "t").expect_err("none").to_string();
    assert!(unknown.contains("dta"), "{unknown}");
}

#[test]
fn suffixes_and_special_numbers() {
    let bits = |text: &str| {
        let case = Case::parse(&format!("; v[0:1] = {text}\ns_nop 0\n"), "t").expect("a case");
        let initial = case.initial(target("gfx1100")).expect("a start");
        (u64::from(initial.vgpr(1, 0, 0)) << 32) | u64::from(initial.vgpr(0, 0, 0))
    };
    assert_eq!(bits("1.5f64"), 1.5f64.to_bits());
    assert_eq!(bits("u64 0xffff_ffff_0000_0000"), 0xffff_ffff << 32);
    assert_eq!(bits("0x1_0000_0000"), 1 << 32);
    assert_eq!(bits("f64 -inf"), f64::NEG_INFINITY.to_bits());
    assert_eq!(bits("-0.0f64"), 1 << 63);
    assert_eq!(bits("i64 -2"), u64::MAX - 1);
    assert_eq!(bits("f64 snan"), 0x7ff0_0000_0000_0001);
    assert_eq!(bits("f64 1e-310"), 1e-310f64.to_bits());
    assert_eq!(bits("0b101u8"), bits("5"));
    assert_eq!(bits("1.5"), 0x3fc0_0000_3fc0_0000);
    assert_eq!(bits("-1"), u64::MAX);
}

fn literal(ty: Ty) -> impl Strategy<Value = Lit> {
    let special = prop::sample::select(wavediff::case::edges::edges(ty));
    prop_oneof![special, any::<u64>().prop_map(move |bits| bits & ty.mask())].prop_map(move |bits| Lit { ty, bits })
}

fn any_type() -> impl Strategy<Value = Ty> {
    prop::sample::select(Ty::ALL.as_slice())
}

fn scalar() -> impl Strategy<Value = Value> {
    let class = (any_type(), any::<u64>(), prop::sample::select(Class::ALL.as_slice()));
    let half = || {
        let types = prop::sample::select([Ty::U16, Ty::I16, Ty::F16, Ty::Bf16].as_slice());
        types.prop_flat_map(literal).prop_map(|lit| Box::new(Value::Lit(lit)))
    };
    prop_oneof![
        4 => any_type().prop_flat_map(literal).prop_map(Value::Lit),
        1 => any_type().prop_flat_map(|ty| (literal(ty), literal(ty))).prop_map(|(a, b)| Value::Ramp(a, b)),
        1 => class.prop_map(|(ty, seed, class)| Value::Random(ty, seed, if class.suits(ty) { class } else { Class::Any })),
        1 => (any_type(), 1u32..).prop_map(|(ty, step)| Value::Edges(ty, step)),
        1 => (half(), half()).prop_map(|(low, high)| Value::Pack(low, high)),
        1 => id().prop_map(Value::Id),
        1 => math().prop_map(|math| Value::Math(Box::new(math))),
        1 => (0u64..9).prop_map(|offset| Value::Address("data".into(), offset)),
        1 => descriptor().prop_map(|d| Value::Descriptor(Box::new(d))),
        1 => Just(Value::Any),
        1 => Just(Value::File(Ty::F32, "a b.bin".into())),
    ]
}

fn descriptor() -> impl Strategy<Value = Descriptor> {
    let oob = prop::sample::select([Oob::Structured, Oob::Index, Oob::Empty, Oob::Raw].as_slice());
    let numbers = (prop::option::of(0u32..1 << 18), prop::option::of(any::<u32>()));
    let powers = (prop::option::of(1u32..5), prop::option::of(3u32..7));
    (numbers, powers, any::<(bool, bool)>(), prop::option::of(oob), 0u64..3, any::<(bool, bool)>()).prop_map(
        |((stride, records), (element, index_stride), (swizzle, add_tid), oob, offset, (format, sel))| Descriptor {
            buffer: "data".into(),
            offset,
            stride,
            records,
            format: format.then(|| "16_16_float".into()),
            swizzle,
            element: element.map(|n| 1 << n),
            index_stride: index_stride.map(|n| 1 << n),
            add_tid,
            dst_sel: sel.then_some(*b"x01w"),
            oob,
        },
    )
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![3 => scalar(), 1 => prop::collection::vec(scalar(), 1..40).prop_map(Value::List)]
}

fn place() -> impl Strategy<Value = Place> {
    let file = prop::sample::select([File::Vector, File::Accumulation, File::Scalar, File::Trap].as_slice());
    prop_oneof![
        4 => (file, 0u32..8, 1u32..8).prop_map(|(file, first, count)| Place::Regs { file, first, count }),
        1 => prop::sample::select([Place::Vcc, Place::Exec, Place::Scc, Place::M0, Place::Trapsts].as_slice()),
        1 => (0u32..64).prop_map(Place::Lds),
        1 => (0u32..64).prop_map(|offset| Place::Buffer("data".into(), offset)),
    ]
}

fn select() -> impl Strategy<Value = Select> {
    let names = prop::sample::select(["gfx9", "gfx1100", "navi31", "gfx9..gfx1030", "..gfx8", "gfx10.."].as_slice());
    let entry = (names, any::<bool>()).prop_map(|(name, except)| Entry::parse(name, except, 0..1).expect("an entry"));
    let wave = prop::option::of(prop::sample::select([32, 64].as_slice()));
    (prop::collection::vec(entry, 0..3), wave).prop_map(|(entries, wave)| Select { isa: Isa { entries }, wave })
}

fn expectation() -> impl Strategy<Value = What> {
    let abs = prop::sample::select(vec![0u64, 1.0f64.to_bits(), 1e-6f64.to_bits()]);
    let rule = (0u64..3, abs, any::<bool>()).prop_map(|(ulp, abs, nan_any)| Rule { ulp, abs, nan_any });
    let values = (place(), value(), rule)
        .prop_filter("does not fit", |(place, value, _)| place.refuses(value, true).is_none())
        .prop_map(|(place, value, rule)| {
            let float = matches!(&value, Value::Lit(lit) if lit.ty.layout().is_some());
            What::Value { place, value, rule: if float { rule } else { Rule::default() } }
        });
    let kinds = prop::sample::select(TrapKind::NAMES.as_slice());
    let traps = (kinds, 0u8.., prop::option::of("[a-z][a-z0-9_]{0,5}")).prop_map(|(kind, n, at)| What::Trap {
        kind,
        number: (kind == "s_trap" && n > 9).then_some(n),
        at,
    });
    prop_oneof![4 => values, 1 => traps]
}

fn handler() -> impl Strategy<Value = Option<TrapHandler>> {
    let memory = prop::option::of(Just("data".to_owned()));
    prop::option::of(("[a-z]{1,4}", memory).prop_map(|(label, memory)| TrapHandler { label, memory }))
}

fn any_case() -> impl Strategy<Value = Case> {
    let inits = (select(), place(), value())
        .prop_filter("does not fit", |(_, place, value)| {
            place.refuses(value, false).is_none()
                && !matches!(
                    (place, value),
                    (Place::Buffer(..) | Place::Lds(1..), _) | (Place::Lds(_), Value::File(..))
                )
        })
        .prop_map(|(select, place, value)| Init { select, place, value });
    // Brackets that mean nobody are refused.
    let meant = |select: &Select| Case::default().targets().iter().any(|target| select.matches(*target));
    let expects = (select().prop_filter("means nobody", meant), expectation());
    let expects = expects.prop_map(|(select, what)| Expect { select, what });
    let field = (prop::sample::select(Field::ALL.as_slice()), 0u32..2);
    let mode = (prop::option::of(any::<u32>()), prop::option::of(field))
        .prop_map(|(whole, field)| Mode { whole, fields: field.into_iter().collect() });
    let sizes = || prop::option::of([1u32..9, 1u32..9, 1u32..9]);
    let text = || prop::option::of("[a-z:(\\[=,;][ -~]{0,20}[a-z]");
    (
        (text(), text(), prop::option::of("[a-z]{1,4}"), sizes(), sizes(), mode, handler()),
        (prop::option::of(0u32..4096), prop::option::of(any::<u64>()), prop::option::of(0u64..1000)),
        prop::collection::vec(inits, 0..5),
        prop::collection::vec(expects, 0..5),
        prop::collection::vec(place(), 0..4),
    )
        .prop_map(
            |(
                (source, remark, entry, grid, group, mode, trap_handler),
                (lds, budget, timeout),
                init,
                expect,
                observe,
            )| {
                let mut case = Case {
                    name: "test.s".into(),
                    remarks: remark.into_iter().collect(),
                    source,
                    entry,
                    trap_handler,
                    grid,
                    group,
                    mode,
                    lds,
                    budget,
                    timeout,
                    waves: Vec::new(),
                    buffers: vec![Buffer {
                        name: "data".into(),
                        size: Some(64),
                        writable: false,
                        behind: false,
                        at: None,
                        contents: None,
                    }],
                    expect,
                    body: Body { text: "s_nop 0\n\n  s_nop 1".into(), line: 7 },
                    ..Case::default()
                };
                // Two values for one register are refused; this is not what is tried here.
                for (n, mut one) in init.into_iter().enumerate() {
                    one.select.wave = None;
                    one.select.isa.entries.truncate(1);
                    one.select.isa.entries.extend((0..n).map(|_| Entry::parse("gfx7", false, 0..1).expect("an entry")));
                    case.init.push(one);
                }
                for place in observe {
                    if !case.observe.iter().any(|known| known.place == place) {
                        case.observe.push(place.into());
                    }
                }
                case
            },
        )
}

/// Runs everything that a case has; nothing of it may panic.
fn exercise(case: &Case) {
    for target in [target("gfx600"), target("gfx900"), target("gfx1100"), target("gfx1200")] {
        let _ = case.program_with(target, &NoFiles);
        let Ok(initial) = case.initial_with(target, &NoFiles, &mut |_, size| size) else { continue };
        let mut outcome = Outcome::default();
        for wave in initial.waves.iter().take(3) {
            outcome.waves.push(initial.wave(wave.number, 4, 4));
            outcome.lds.push(Memory { name: "lds".into(), bytes: initial.lds(wave.number) });
        }
        for found in initial.check(&outcome).unwrap_or_default() {
            let _ = found.to_string();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, max_local_rejects: 1 << 24, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_parses_to_the_same(case in any_case()) {
        let text = case.to_string();
        match Case::parse(&text, "test.s") {
            Ok(again) => {
                prop_assert_eq!(&again, &case, "{}", text);
                prop_assert_eq!(again.to_string(), text);
                exercise(&again);
            }
            Err(error) => prop_assert!(false, "{}\n{}", error, text),
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,80}(\n; ?\\PC{0,60}){0,4}") {
        if let Ok(case) = Case::parse(&text, "test.s") {
            exercise(&case);
        }
    }

    #[test]
    fn damaged_headers_do_not_panic(case in any_case(), cuts in prop::collection::vec((any::<prop::sample::Index>(), "[ -~\n]{0,3}"), 1..6)) {
        let mut text: Vec<char> = case.to_string().chars().collect();
        for (at, put) in cuts {
            if !text.is_empty() {
                let at = at.index(text.len());
                text.splice(at..(at + put.len()).min(text.len()), put.chars());
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(case) = Case::parse(&text, "test.s") {
            exercise(&case);
        }
    }
}

#[test]
fn every_target_has_a_start() {
    let case = case("; v0 = 1\ns_nop 0\n");
    assert_eq!(case.targets().len(), ARCHS.len());
    for target in case.targets() {
        assert_eq!(case.initial(target).expect("a start").vgpr(0, 0, 0), 1);
        assert!(case.program(target).is_ok());
    }
}

#[test]
fn the_examples_of_the_manual_are_cases() {
    let manual = include_str!("../docs/cases.md");
    let examples: Vec<&str> = manual.split("```asm\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() > 4);
    for text in examples {
        let case = case(text);
        for target in case.targets() {
            let initial = case.initial(target).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert!(!initial.waves.is_empty());
            if let Err(error) = case.program(target) {
                panic!("{} {error}", target.arch.name);
            }
        }
    }
}

#[test]
fn every_word_of_the_format_is_in_the_manual() {
    let manual = include_str!("../docs/cases.md");
    let words = TrapKind::NAMES.into_iter().chain(Class::ALL.map(Class::name)).chain(Ty::ALL.map(Ty::name));
    let fields = Field::ALL.into_iter().flat_map(|f| f.values().iter().copied().chain([f.name()]));
    for word in words.chain(fields) {
        assert!(manual.contains(word), "{word}");
    }
}
