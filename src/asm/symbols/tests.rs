//! The printers and readers against LLVM, and against each other.

use super::*;
use crate::asm::expr::NoSymbols;
use crate::isa::arch::{ARCHS, Arch, Gen, Variants};
use crate::isa::symbols as print;
use crate::isa::symbols::cpol::{Access, Use};

struct Names;

impl Scope for Names {
    fn lookup(&self, name: &str) -> Option<i64> {
        [("one", 1), ("two", 2), ("big", 70_000)].into_iter().find(|n| n.0 == name).map(|n| n.1)
    }
}

type Print = fn(u32, &Target, &mut Vec<u8>);
type Parse = fn(&mut Cursor<'_>, &dyn Scope, &Target) -> AsmResult<u32>;

/// What each construct is called in the tables below.
#[rustfmt::skip]
const KINDS: &[(&str, Print, Parse)] = &[
    ("hwreg",       print::hwreg::print,       hwreg::parse),
    ("sendmsg",     print::sendmsg::print,     sendmsg::parse),
    ("waitcnt",     print::waitcnt::print,     waitcnt::parse),
    ("delay_alu",   print::delay_alu::print,   delay_alu::parse),
    ("depctr",      print::depctr::print,      depctr::parse),
    ("gpr_idx",     print::gpr_idx::print,     gpr_idx::parse),
    ("export",      print::export::print,      export::parse),
    ("swizzle",     print::swizzle::print,     swizzle::parse),
    ("format",      print::format::print,      format::parse),
    ("dim",         print::dim::print,         dim::parse),
    ("dpp",         print::dpp::print,         dpp::parse),
    ("dpp8",        print::dpp::print8,        dpp::parse8),
    ("sel",         print::sdwa::print_sel,    sdwa::parse_sel),
    ("unused",      print::sdwa::print_unused, sdwa::parse_unused),
    ("slot",        print::interp::print_slot, interp::parse_slot),
    ("attr",        print::interp::print_attr, interp::parse_attr),
    ("legacy",      print::format::print,      format::parse_legacy),
];

fn kind(name: &str) -> (Print, Parse) {
    let found = KINDS.iter().find(|k| k.0 == name).map(|k| (k.1, k.2));
    found.unwrap_or_else(|| panic!("{name}"))
}

fn target(name: &str) -> Target {
    Target::new(Arch::find(name).unwrap_or_else(|| panic!("{name}")))
}

fn text(print: Print, value: u32, target: &Target) -> String {
    let mut out = Vec::new();
    print(value, target, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

fn read(parse: Parse, text: &str, target: &Target) -> AsmResult<u32> {
    let mut cur = Cursor::new(text);
    let value = parse(&mut cur, &Names, target)?;
    if cur.at_end() { Ok(value) } else { Err(AsmError::expected(cur.pos(), "the end")) }
}

const LOAD: Use = Use { access: Access::Load, returns: false, scalar: false, image: false };
const STORE: Use = Use { access: Access::Store, ..LOAD };
const ATOMIC: Use = Use { access: Access::Atomic, ..LOAD };

/// The FNV-1a hash of LLVM 19's text (`llvm-mc-19`, assembling numbers or disassembling words), one line a value, from 0
/// (of `swizzle` from 1) to the largest of the field; `-` where LLVM prints nothing.
#[rustfmt::skip]
const LLVM: &[(&str, &str, u64)] = &[
    ("gfx600", "hwreg", 0xd966dc513c6abbab),
    ("gfx700", "hwreg", 0xd966dc513c6abbab),
    ("gfx803", "hwreg", 0xd966dc513c6abbab),
    ("gfx900", "hwreg", 0x6b2f20f62b443859),
    ("gfx90a", "hwreg", 0x6b2f20f62b443859),
    ("gfx940", "hwreg", 0xc11c18f693aa4089),
    ("gfx1010", "hwreg", 0x9a77c360045b1675),
    ("gfx1013", "hwreg", 0x9a77c360045b1675),
    ("gfx1030", "hwreg", 0xcf38cf12bf6a7fef),
    ("gfx1100", "hwreg", 0x050c6124b35bfbc1),
    ("gfx1150", "hwreg", 0x050c6124b35bfbc1),
    ("gfx1200", "hwreg", 0x02cb7ccaa0be6e55),
    ("gfx600", "sendmsg", 0x1aa7dcad63d800e1),
    ("gfx803", "sendmsg", 0xca32912db058d345),
    ("gfx900", "sendmsg", 0xe93a084c53e1eef1),
    ("gfx940", "sendmsg", 0xe93a084c53e1eef1),
    ("gfx1010", "sendmsg", 0x3cc3d0b9345139a5),
    ("gfx1030", "sendmsg", 0x3cc3d0b9345139a5),
    ("gfx1100", "sendmsg", 0xf5092a7d06bba189),
    ("gfx1200", "sendmsg", 0x0cb5577f49a57ac5),
    ("gfx600", "waitcnt", 0xc0a132ac8d62f765),
    ("gfx700", "waitcnt", 0xc0a132ac8d62f765),
    ("gfx803", "waitcnt", 0xc0a132ac8d62f765),
    ("gfx900", "waitcnt", 0xe5c1babd0ef60e45),
    ("gfx90a", "waitcnt", 0xe5c1babd0ef60e45),
    ("gfx1010", "waitcnt", 0xc7c7d095228173b9),
    ("gfx1030", "waitcnt", 0xc7c7d095228173b9),
    ("gfx1100", "waitcnt", 0x2b7a512a6a891a9d),
    ("gfx1150", "waitcnt", 0x2b7a512a6a891a9d),
    ("gfx1100", "delay_alu", 0xfcc0abb1df3f4925),
    ("gfx1200", "delay_alu", 0xfcc0abb1df3f4925),
    ("gfx1010", "depctr", 0x3fed01bec93110c1),
    ("gfx1013", "depctr", 0x3fed01bec93110c1),
    ("gfx1030", "depctr", 0x6ecf62f6099970f5),
    ("gfx1100", "depctr", 0x6ecf62f6099970f5),
    ("gfx1150", "depctr", 0x6ecf62f6099970f5),
    ("gfx1200", "depctr", 0x6ecf62f6099970f5),
    ("gfx600", "swizzle", 0x7b056b5be97f447e),
    ("gfx900", "swizzle", 0x7b056b5be97f447e),
    ("gfx1100", "swizzle", 0x7b056b5be97f447e),
    ("gfx803", "export", 0x54720198f61d8688),
    ("gfx900", "export", 0x54720198f61d8688),
    ("gfx1010", "export", 0xed20501342590347),
    ("gfx1030", "export", 0xed20501342590347),
    ("gfx1100", "export", 0x9b0058d6782dd603),
    ("gfx1200", "export", 0x9b0058d6782dd603),
    ("gfx803", "dpp", 0xf4e9b694c5647587),
    ("gfx900", "dpp", 0xf4e9b694c5647587),
    ("gfx90a", "dpp", 0xbeee33539a9eb707),
    ("gfx940", "dpp", 0xbeee33539a9eb707),
    ("gfx1010", "dpp", 0xcbe4e48ba965aa65),
    ("gfx1100", "dpp", 0xcbe4e48ba965aa65),
    ("gfx1200", "dpp", 0xcbe4e48ba965aa65),
    ("gfx600", "format", 0x5ce1a259f54ecd44),
    ("gfx700", "format", 0x5ce1a259f54ecd44),
    ("gfx803", "format", 0x3960b4647e21bbe0),
    ("gfx900", "format", 0x3960b4647e21bbe0),
    ("gfx940", "format", 0x3960b4647e21bbe0),
    ("gfx1010", "format", 0x1ae3498a4d163ed8),
    ("gfx1030", "format", 0x1ae3498a4d163ed8),
    ("gfx1100", "format", 0x3a79b4d92bf5e0af),
    ("gfx1200", "format", 0x3a79b4d92bf5e0af),
    ("gfx1200", "cpol_load", 0x1d8814746b38ca92),
    ("gfx1200", "cpol_store", 0x64aafb76eeb0177f),
    ("gfx1200", "cpol_atomic", 0x6d27ee02a2dfbd71),
];

#[test]
fn every_value_is_printed_as_by_llvm() {
    let cpol = |usage: Use| move |v: u32, t: &Target, out: &mut Vec<u8>| print::cpol::print(v, usage, t, out);
    for &(arch, name, expected) in LLVM {
        let target = target(arch);
        let (first, last) = match name {
            "export" => (0, 63),
            "dpp" => (0, 511),
            "format" => (0, 127),
            "swizzle" => (1, 0xffff),
            _ if name.starts_with("cpol") => (0, 31),
            _ => (0, 0xffff),
        };
        let mut out = Vec::new();
        for value in first..=last {
            match name {
                "cpol_load" => cpol(LOAD)(value, &target, &mut out),
                "cpol_store" => cpol(STORE)(value, &target, &mut out),
                "cpol_atomic" => cpol(ATOMIC)(value, &target, &mut out),
                "format" if value == print::format::default(&target) => out.push(b'-'),
                _ => kind(name).0(value, &target, &mut out),
            }
            out.push(b'\n');
        }
        let hash = out.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, &c| (h ^ u64::from(c)).wrapping_mul(0x100_0000_01b3));
        assert_eq!(hash, expected, "{name} on {arch}");
    }
}

/// `parse(print(v))` is `v`, but for what a text cannot say: then it is what the closure makes of `v`, or an error.
fn law(name: &str, max: u32, expected: impl Fn(u32, &Target) -> Option<u32>) {
    let (print, parse) = kind(name);
    let mut variants = Variants::empty();
    for target in ARCHS.iter().map(Target::new) {
        if variants.contains(target.arch.variant) {
            continue;
        }
        variants |= target.arch.variant;
        for value in 0..=max {
            let text = text(print, value, &target);
            let got = read(parse, &text, &target).ok();
            assert_eq!(got, expected(value, &target), "{text} for {value:#x} on {}", target.arch.name);
        }
    }
}

#[test]
fn what_is_printed_is_read_back() {
    law("hwreg", 0xffff, |v, _| Some(v));
    law("sendmsg", 0xffff, |v, t| {
        let named = text(print::sendmsg::print, v, t).contains("MSG_");
        let bits = if t.generation() >= Gen::Gfx11 { 0xff } else { 0x37f };
        Some(if named { v & bits } else { v })
    });
    law("depctr", 0xffff, |v, _| Some(v));
    law("waitcnt", 0xffff, |v, t| Some(v & print::waitcnt::mask(t)));
    law("delay_alu", 0xffff, |v, _| {
        let reserved = v & 15 > 11 || v >> 4 & 7 > 5 || v >> 7 & 15 > 11;
        (!reserved).then_some(v & 0x7ff)
    });
    law("gpr_idx", 0xff, |v, _| (v < 16).then_some(v));
    law("export", 63, |v, t| (!text(print::export::print, v, t).starts_with("invalid")).then_some(v));
    law("format", 127, |v, _| Some(v));
    law("dim", 7, |v, _| Some(v));
    law("dpp", 0x1ff, |v, t| (print::dpp::is_valid(v, t) && t.generation() >= Gen::Gfx8).then_some(v));
    law("dpp8", 0xffff, |v, _| Some(v));
    law("sel", 7, |v, _| (v < 7).then_some(v));
    law("unused", 3, |v, _| (v < 3).then_some(v));
    law("slot", 3, |v, _| (v < 3).then_some(v));
    law("attr", 0xff, |v, _| (v >> 2 <= 32).then_some(v));
    // Of the masks of a swizzle, a bit that is ORed need not be kept by the AND, and one that is not kept is 0 or 1.
    law("swizzle", 0xffff, |v, _| {
        if v & 0x8000 != 0 {
            return Some(v);
        }
        let (and, or, xor) = (v & 31, v >> 5 & 31, v >> 10 & 31);
        let (kept, set) = (and & !or, (or ^ xor) & !(and & !or));
        Some(print::swizzle::bitmask(kept, set, xor & kept))
    });
}

/// From LLVM 19: processor, construct, text, value.
#[rustfmt::skip]
const ACCEPTED: &[(&str, &str, &str, u32)] = &[
    ("gfx900",  "waitcnt", "vmcnt_sat(64) expcnt_sat(-1)", 0xcf7f),
    ("gfx900",  "waitcnt", "vmcnt(1)expcnt(2)", 0x0f21),
    ("gfx900",  "waitcnt", "vmcnt (1) , expcnt( two ) & lgkmcnt(1)", 0x0121),
    ("gfx900",  "waitcnt", "vmcnt(1) vmcnt(2)", 0x0f72),
    ("gfx900",  "waitcnt", "-1", 0xffff),
    ("gfx600",  "waitcnt", "vmcnt_sat(16)", 0x0f7f),
    ("gfx1100", "waitcnt", "vmcnt(1)", 0x07f7),
    ("gfx900",  "hwreg", "{}", 0xf800),
    ("gfx900",  "hwreg", "{id: 3, size: 4}", 0x1803),
    ("gfx900",  "hwreg", "{size: 32, id: 51}", 0xf833),
    ("gfx900",  "hwreg", "hwreg (one)", 0xf801),
    ("gfx900",  "hwreg", "hwreg(HW_REG_MODE, 5, 7)", 0x3141),
    ("gfx1010", "hwreg", "hwreg(HW_REG_HW_ID)", 0xf817),
    ("gfx600",  "hwreg", "0xc1d1", 0xc1d1),
    ("gfx900",  "sendmsg", "sendmsg(1,0,0)", 1),
    ("gfx900",  "sendmsg", "sendmsg(2,GS_OP_EMIT,1)", 0x122),
    ("gfx900",  "sendmsg", "sendmsg(3)", 3),
    ("gfx900",  "sendmsg", "sendmsg(MSG_SYSMSG, 1)", 0x1f),
    ("gfx900",  "sendmsg", "0x700", 0x700),
    ("gfx1100", "sendmsg", "sendmsg(MSG_RTN_GET_TMA)", 130),
    ("gfx1100", "sendmsg", "sendmsg(15, 6, 0)", 111),
    ("gfx900",  "gpr_idx", "gpr_idx ( SRC0 , DST )", 9),
    ("gfx900",  "gpr_idx", "gpr_idx()", 0),
    ("gfx900",  "gpr_idx", "3", 3),
    ("gfx900",  "attr", "attr032.x", 128),
    ("gfx1100", "delay_alu", "instid0(NO_DEP)", 0),
    ("gfx1100", "delay_alu", "instid0(VALU_DEP_1) | instid0(VALU_DEP_2)", 3),
    ("gfx1100", "depctr", "depctr_hold_cnt(0)", 0xff1f),
    ("gfx1030", "depctr", "depctr_hold_cnt(0) & depctr_va_vdst(1), depctr_vm_vsrc(0)", 0x1f03),
    ("gfx1100", "depctr", "-1", 0xffff),
    ("gfx1010", "depctr", "depctr_va_vcc(0)", 0xff1d),
    ("gfx900",  "legacy", "dfmt:15, nfmt:2", 0x2f),
    ("gfx900",  "legacy", "nfmt:2 dfmt:1", 0x21),
    ("gfx900",  "legacy", "nfmt:7", 0x71),
    ("gfx900",  "format", "[BUF_NUM_FORMAT_UINT, BUF_DATA_FORMAT_32]", 0x44),
    ("gfx900",  "format", "[BUF_DATA_FORMAT_8]", 1),
    ("gfx600",  "format", "[BUF_NUM_FORMAT_SNORM_OGL]", 0x61),
    ("gfx1100", "format", "[BUF_DATA_FORMAT_16]", 7),
    ("gfx1100", "format", "[BUF_FMT_32_32_32_32_FLOAT]", 63),
    ("gfx1010", "format", "[BUF_FMT_32_32_32_32_FLOAT]", 77),
    ("gfx1100", "format", "100", 100),
    ("gfx1100", "dim", "1D", 0),
    ("gfx1100", "dim", "SQ_RSRC_IMG_2D_MSAA_ARRAY", 7),
    ("gfx900",  "dpp", "row_bcast:31", 0x143),
    ("gfx900",  "dpp", "wave_ror:one", 0x13c),
    ("gfx90a",  "dpp", "row_newbcast:0", 0x150),
    ("gfx1100", "dpp", "row_share:15", 0x15f),
    ("gfx1100", "dpp", "quad_perm: [ 3, two, 1, 0 ]", 0x1b),
    ("gfx1100", "dpp8", "[7,6,5,4,3,2,1,0]", 0x53977),
    ("gfx900",  "swizzle", "swizzle(BITMASK_PERM, \"01pip\")", 0x907),
    ("gfx900",  "swizzle", "swizzle(SWAP,16)", 0x401f),
    ("gfx900",  "swizzle", "swizzle(REVERSE,32)", 0x7c1f),
    ("gfx900",  "swizzle", "swizzle(BROADCAST,8,7)", 0xf8),
    ("gfx900",  "swizzle", "swizzle(QUAD_PERM,0,1,2,3)", 0x80e4),
    ("gfx900",  "swizzle", "0xffff", 0xffff),
    ("gfx1100", "export", "pos4", 16),
];

#[test]
fn texts_that_llvm_takes() {
    for &(arch, name, text, value) in ACCEPTED {
        assert_eq!(read(kind(name).1, text, &target(arch)), Ok(value), "{name} {text} on {arch}");
    }
}

/// From LLVM 19: what it refuses. (`s_waitcnt` and `s_delay_alu` of more than 16 bits it truncates; here they are refused.)
#[rustfmt::skip]
const REFUSED: &[(&str, &str, &[&str])] = &[
    ("gfx900", "waitcnt", &["vmcnt(64)", "expcnt(8)", "lgkmcnt(16)", "vmcnt(0) & expcnt(0) & x", "vmcnt(0) &", "vmcnt(0),",
        "vmcnt(0xFFFFFFFFFFFF0000)", "vmcnt(-1)", "vmcnt()", "vmcnt(0", "foo(0)", "vmcnt_sat_sat(0)", "vmcnt(0) & &expcnt(0)",
        "big", ""]),
    ("gfx600", "waitcnt", &["vmcnt(16)"]),
    ("gfx900", "hwreg", &["hwreg(-1)", "hwreg(64)", "hwreg(HW_REG_XNACK_MASK)", "{id: 3,}", "{id: 3 size: 4}", "{foo: 1}",
        "{id: 3, id: 3}", "{id: 64}", "{id", "{id: 3", "hwreg(3,0,33)", "hwreg(3,32,1)", "hwreg(3,0,0)", "hwreg(3,0)",
        "hwreg(HW_REG_WRONG)", "hwreg(", "hwreg()", "-1", "65536", "typo(0x40)", "hwreg(HW_REG_XCC_ID)"]),
    ("gfx1200", "hwreg", &["hwreg(HW_REG_TRAPSTS)", "hwreg(HW_REG_HW_ID)"]),
    ("gfx600", "hwreg", &["hwreg(HW_REG_SH_MEM_BASES)"]),
    ("gfx900", "sendmsg", &["sendmsg(MSG_GS)", "sendmsg(MSG_GS, GS_OP_CUT, 4)", "sendmsg(MSG_GS, 0)", "sendmsg(MSG_INTERRUPT, 0)",
        "sendmsg(MSG_SYSMSG, 5)", "sendmsg(MSG_SYSMSG, SYSMSG_OP_ECC_ERR_INTERRUPT, 0)", "sendmsg(2, 2, -1)", "sendmsg(2, 2, 4)",
        "sendmsg(15, -1)", "sendmsg(MSG_SYSMSG, SYSMSG_OP_HOST_TRAP_ACK)", "sendmsg(MSG_RTN_SAVE_WAVE)", "sendmsg(16)",
        "sendmsg(MSG_INTERRUPTX)", "sendmsg(1, 8)", "sendmsg(", "sendmsg()", "65536", "-1", "sendmsg(MSG_GS_DONE, GS_OP_NOP, 0)",
        "sendmsg(MSG_HS_TESSFACTOR)", "sendmsg(-1)"]),
    ("gfx600", "sendmsg", &["sendmsg(MSG_EARLY_PRIM_DEALLOC)", "sendmsg(MSG_GS_ALLOC_REQ)"]),
    ("gfx1100", "sendmsg", &["sendmsg(MSG_GS, GS_OP_CUT, 1)", "sendmsg(256)", "sendmsg(MSG_RTN_GET_TMA,1)"]),
    ("gfx900", "gpr_idx", &["gpr_idx(SRC0,,)", "gpr_idx(DST", "gpr_idx(DST,DST)", "16", "-1", "gpr_idx(DST,)", "s1", "gpr_idx(x)"]),
    ("gfx900", "attr", &["attr33.x", "attr.x", "attrA.x", "attr0", "attrq", "attr0.q", "attr256.x", "x0.x", "attr99999999999999999999.x"]),
    ("gfx900", "slot", &["p1", "p11", "0", ""]),
    ("gfx1100", "delay_alu", &["instid0(VALU_DEP_1) | SALU_CYCLE_1)", "instid0(3)", "instid0()", "instid2(NO_DEP)",
        "instskip(VALU_DEP_1)", "instid0(VALU_DEP_1) |", "instid0(VALU_DEP_9)", "instid0(VALU_DEP_1) instid1(VALU_DEP_1)"]),
    ("gfx1100", "depctr", &["0x12345", "-32769", "depctr_va_vcc(-1)", "depctr_va_vcc(2)", "depctr_va_ssrc(0) depctr_va_ssrc(0)",
        "depctr_vm_vsrc(0) &", "depctr_vm_vsrc(0) & &", "depctr_vm_vsrc(0) & 0depctr_va_vcc(0)", "depctr_foo(0)", "vmcnt(0)"]),
    ("gfx1010", "depctr", &["depctr_hold_cnt(0)"]),
    ("gfx1100", "export", &["mrt8", "mrt00", "mrt", "mrt+0", "param0", "null", "posX", "pos5", "pos-1", "invalid_target_10",
        "dual_src_blend2", "mrtz0", "0", ""]),
    ("gfx900", "export", &["pos4", "prim", "dual_src_blend0", "param32"]),
    ("gfx900", "swizzle", &["swizzle(SWAP,17)", "swizzle(SWAP,3)", "swizzle(REVERSE,3)", "swizzle(REVERSE,1)", "swizzle(BROADCAST,2,2)",
        "swizzle(BROADCAST,1,0)", "swizzle(QUAD_PERM,0,1,2)", "swizzle(QUAD_PERM,0,1,2,4)", "swizzle(QUAD_PERM,0,1,2,3,0)",
        "swizzle(BITMASK_PERM,\"01pi\")", "swizzle(BITMASK_PERM,\"01pipp\")", "swizzle(BITMASK_PERM,\"01pix\")",
        "swizzle(BITMASK_PERM,01pip)", "swizzle(XXX,1)", "swizzle", "swizzle(", "0x10000", "-1", "swizzle(BITMASK_PERM,\"01pip"]),
    ("gfx1100", "dim", &["SQ_RSRC_IMG_1DD", "1 D", "SQ_RSRC_IMG_ 1D", "1d", "0", "", "SQ_RSRC_IMG_"]),
    ("gfx1100", "dpp", &["row_bcast:15", "wave_shl:1", "row_newbcast:1", "row_shl:0", "row_shl:16", "row_shl", "row_share:16",
        "quad_perm:[0,1,2]", "quad_perm:[0,1,2,4]", "quad_perm:[3,-1,1,3]", "quad_perm:[0,1,2,3,0]", "row_mirror:1", "row_foo:1"]),
    ("gfx900", "dpp", &["row_bcast:16", "wave_shl:2", "row_newbcast:1", "row_share:1", "row_xmask:1"]),
    ("gfx600", "dpp", &["quad_perm:[0,1,2,3]", "row_shl:1"]),
    ("gfx1100", "dpp8", &["[0,1,2,3,4,5,6]", "[0,1,2,3,4,5,6,8]", "0"]),
    ("gfx900", "sel", &["BYTE_4", "0", "byte_0"]),
    ("gfx900", "unused", &["UNUSED_PADX", "0"]),
    ("gfx1100", "format", &["[BUF_DATA_FORMAT_32]", "128", "-1", "[BUF_FMT_10_11_11_SSCALED]", "[BUF_FMT_10_10_10_2_SSCALED]",
        "[BUF_DATA_FORMAT_8_8, BUF_NUM_FORMAT_FLOAT]", "[BUF_NUM_FORMAT_UINT", "BUF_NUM_FORMAT_UINT]", "[]", "[BUF_FMT_]",
        "[BUF_DATA_FORMAT_32,BUF_DATA_FORMAT_8]", "[BUF_NUM_FORMAT_UINT,BUF_NUM_FORMAT_UINT]", "[BUF_NUM_FORMAT_]",
        "[BUF_NUM_FORMAT_RESERVED_6]", "[BUF_FMT_INVALID_UNORM]", "[BUF_FMT_8]"]),
    ("gfx1100", "legacy", &["dfmt:1"]),
    ("gfx900", "format", &["[BUF_FMT_8_UNORM]", "[BUF_NUM_FORMAT_SNORM_OGL]", "128"]),
    ("gfx900", "legacy", &["dfmt:16", "nfmt:8", "dfmt:-1", "dfmt:1 dfmt:1", "dfmt:1,,nfmt:1", "dfmt", ""]),
];

#[test]
fn texts_that_llvm_refuses() {
    for &(arch, name, texts) in REFUSED {
        for text in texts {
            let got = read(kind(name).1, text, &target(arch));
            assert!(got.is_err(), "{name} {text} on {arch}: {got:?}");
        }
    }
}

#[test]
fn errors_say_what_was_meant() {
    let message = |name: &str, text: &str, arch: &str| match read(kind(name).1, text, &target(arch)) {
        Err(error) => format!("{error} at {:?}", error.span),
        Ok(value) => panic!("{value}"),
    };
    assert_eq!(
        message("hwreg", "hwreg(HW_REG_MOED)", "gfx900"),
        "unknown hardware register `HW_REG_MOED` (did you mean `HW_REG_MODE`?) at 6..17"
    );
    assert_eq!(
        message("hwreg", "hwreg(HW_REG_XCC_ID)", "gfx900"),
        "unknown hardware register `HW_REG_XCC_ID` (exists on gfx940) at 6..19"
    );
    assert_eq!(
        message("sendmsg", "sendmsg(MSG_RTN_GET_TMA)", "gfx1030"),
        "unknown message `MSG_RTN_GET_TMA` (exists on gfx11 and later) at 8..23"
    );
    assert_eq!(
        message("format", "[BUF_FMT_10_11_11_SINT]", "gfx1100"),
        "unknown format `BUF_FMT_10_11_11_SINT` (exists on gfx10) at 1..22"
    );
    assert_eq!(
        message("dpp", "row_share:1", "gfx900"),
        "unknown lane control `row_share` (exists on gfx10 and later) at 0..9"
    );
    assert_eq!(message("export", "null", "gfx1100"), "unknown export target `null` (exists up to gfx10) at 0..4");
}

/// Reads words, `th:` and `scope:` as an instruction's parser would.
fn policy(text: &str, usage: Use, target: &Target) -> AsmResult<u32> {
    let mut cur = Cursor::new(text);
    let mut policy = cpol::Policy::default();
    while !cur.at_end() {
        if cur.eat_str("th:") {
            policy.hint(&mut cur, target)?;
        } else if cur.eat_str("scope:") {
            policy.scope(&mut cur, target)?;
        } else if !policy.word(&mut cur, usage, target)? {
            return Err(AsmError::expected(cur.pos(), "a cache policy"));
        }
    }
    policy.finish(usage, 0..text.len(), target)
}

#[test]
fn printed_policies_are_read_back() {
    for target in ARCHS.iter().map(Target::new) {
        let atomic_that_returns = Use { returns: true, ..ATOMIC };
        let scalar = Use { scalar: true, ..LOAD };
        for usage in [LOAD, STORE, ATOMIC, atomic_that_returns, scalar] {
            let mut taken = 0;
            for value in 0..32 {
                let mut out = Vec::new();
                print::cpol::print(value, usage, &target, &mut out);
                let text = String::from_utf8(out).unwrap_or_default();
                if let Ok(got) = policy(&text, usage, &target) {
                    // A word which does not exist is not printed; the two bits of cascades that return are not told apart.
                    let same = got == value || text.contains("CASCADE") || got == value & got;
                    assert!(same, "{text} on {}: {got} {value}", target.arch.name);
                    taken += 1;
                }
            }
            assert!(taken > 0 || target.generation() == Gen::Gfx12, "{usage:?} on {}", target.arch.name);
        }
    }
}

/// From LLVM 19.
#[test]
fn policies() {
    let scalar = Use { scalar: true, ..LOAD };
    let returns = Use { returns: true, ..ATOMIC };
    let accepted: &[(&str, Use, &str, u32)] = &[
        ("gfx90a", LOAD, "glc slc scc", 19),
        ("gfx940", scalar, "glc", 1),
        ("gfx940", LOAD, "sc1 nt", 18),
        ("gfx1030", LOAD, "dlc noglc", 4),
        ("gfx600", scalar, "noglc", 0),
        ("gfx900", returns, "glc", 1),
        ("gfx1200", LOAD, "th:TH_LOAD_RT", 0),
        ("gfx1200", LOAD, "th:TH_STORE_RT", 0),
        ("gfx1200", LOAD, "th:TH_DEFAULT scope:SCOPE_SYS", 24),
        ("gfx1200", LOAD, "scope:SCOPE_SE th:TH_LOAD_NT_RT", 12),
        ("gfx1200", LOAD, "th:TH_LOAD_BYPASS scope:SCOPE_SYS", 27),
        ("gfx1200", ATOMIC, "th:TH_ATOMIC_CASCADE_RT scope:SCOPE_SE", 12),
        ("gfx1200", returns, "th:TH_ATOMIC_NT_RETURN", 3),
    ];
    for &(arch, usage, text, value) in accepted {
        assert_eq!(policy(text, usage, &target(arch)), Ok(value), "{text} on {arch}");
    }
    let refused: &[(&str, Use, &str)] = &[
        ("gfx90a", scalar, "scc"),
        ("gfx90a", scalar, "slc"),
        ("gfx90a", LOAD, "glc glc"),
        ("gfx90a", LOAD, "glc noglc"),
        ("gfx90a", LOAD, "nodlc"),
        ("gfx940", scalar, "sc0"),
        ("gfx940", LOAD, "glc"),
        ("gfx600", LOAD, "dlc"),
        ("gfx600", scalar, "glc"),
        ("gfx900", returns, "slc"),
        ("gfx900", ATOMIC, "glc"),
        ("gfx1100", LOAD, "th:TH_LOAD_NT"),
        ("gfx1200", LOAD, "glc"),
        ("gfx1200", LOAD, "th:TH_STORE_NT"),
        ("gfx1200", STORE, "th:TH_LOAD_NT"),
        ("gfx1200", STORE, "th:TH_STORE_LU"),
        ("gfx1200", LOAD, "th:TH_LOAD_RT_WB"),
        ("gfx1200", LOAD, "th:TH_LOAD_NT_WB"),
        ("gfx1200", LOAD, "th:TH_LOAD_BYPASS"),
        ("gfx1200", LOAD, "th:TH_LOAD_LU scope:SCOPE_SYS"),
        ("gfx1200", scalar, "th:TH_LOAD_NT_HT"),
        ("gfx1200", ATOMIC, "th:TH_ATOMIC_BYPASS scope:SCOPE_SYS"),
        ("gfx1200", returns, "th:TH_ATOMIC_NT_RETURN scope:SCOPE_SYS"),
        ("gfx1200", returns, "th:TH_ATOMIC_NT"),
        ("gfx1200", returns, ""),
        ("gfx1200", LOAD, "scope:0"),
        ("gfx1200", LOAD, "scope:SCOPE_XX"),
    ];
    for &(arch, usage, text) in refused {
        assert!(policy(text, usage, &target(arch)).is_err(), "{text} on {arch}");
    }
}

#[test]
fn no_text_makes_a_reader_panic() {
    // Every prefix and every one-byte damage of the texts above.
    let texts = ACCEPTED.iter().map(|a| a.2).chain(REFUSED.iter().flat_map(|r| r.2.iter().copied()));
    let targets: Vec<Target> = ["gfx600", "gfx900", "gfx1010", "gfx1200"].into_iter().map(target).collect();
    for text in texts {
        for cut in 0..=text.len() {
            for damage in ["", "(", ",", "-", "0", "\"", ":", "é", "x."] {
                let damaged = format!("{}{damage}{}", &text[..cut], text.get(cut + 1..).unwrap_or(""));
                for &(_, _, parse) in KINDS {
                    for target in &targets {
                        let _ = parse(&mut Cursor::new(&damaged), &NoSymbols, target);
                    }
                }
            }
        }
    }
}
