//! The names of rows say what they do, in the two spellings that AMD has used: the column must say the same.
//!
//! This is where names are read, and nowhere else: a row whose column was copied from the wrong line is noticed here.

use super::atomic::{Atomic, Op, Returns, Shape, Width};
use super::{Across, Condition, Control, Does, Element, Half, Idle, Interpolate, Item, Lanes, Product, Way};
use crate::isa::Gen;
use crate::isa::gcn;
use crate::isa::operand::{Class, Part};
use crate::isa::row::{__, Family, Inst, Traits};

/// Families whose atomics return by policy.
const MEMORY: [&str; 6] =
    ["buffer_atomic_", "flat_atomic_", "global_atomic_", "image_atomic_", "s_atomic_", "s_buffer_atomic_"];

/// The last part of a name: class, width.
#[rustfmt::skip]
const TYPES: &[(&str, char, Width)] = &[
    ("u32",  'u', Width::W32), ("u64", 'u', Width::W64), ("uint", 'u', Width::W32),
    ("i32",  'i', Width::W32), ("i64", 'i', Width::W64), ("int",  'i', Width::W32),
    ("b32",  'b', Width::W32), ("b64", 'b', Width::W64),
    ("f32",  'f', Width::W32), ("f64", 'f', Width::W64), ("flt",  'f', Width::W32),
    ("f16",  'h', Width::W32), ("bf16", 'e', Width::W32), ("x2",  '-', Width::W64),
];

/// The stem and the classes it goes with. `-`: a memory atomic without a type.
#[rustfmt::skip]
const STEMS: &[(&str, &str, Op)] = &[
    ("swap",      "-b", Op::Swap),     ("wrxchg",   "b",  Op::Swap),     ("storexchg", "b", Op::Swap),
    ("cmpswap",   "-b", Op::CmpSwap),  ("cmpst",    "b",  Op::CmpSwap),  ("cmpstore",  "b", Op::CmpSwap),
    ("fcmpswap",  "-",  Op::FCmpSwap), ("cmpswap",  "f",  Op::FCmpSwap), ("cmpst",     "f", Op::FCmpSwap), ("cmpstore", "f", Op::FCmpSwap),
    ("add",       "-u", Op::Add),      ("add",      "f",  Op::FAdd),
    ("sub",       "-u", Op::Sub),      ("rsub",     "-u", Op::RSub),     ("subrev",    "u", Op::RSub),
    ("smin",      "-",  Op::SMin),     ("min",      "i",  Op::SMin),     ("umin",      "-", Op::UMin),     ("min",      "u", Op::UMin),
    ("smax",      "-",  Op::SMax),     ("max",      "i",  Op::SMax),     ("umax",      "-", Op::UMax),     ("max",      "u", Op::UMax),
    ("and",       "-b", Op::And),      ("or",       "-b", Op::Or),       ("xor",      "-b", Op::Xor),
    ("inc",       "-u", Op::Inc),      ("dec",      "-u", Op::Dec),
    ("csub",      "-u", Op::SubClamp), ("sub_clamp", "u", Op::SubClamp), ("cond_sub",  "u", Op::CondSub),
    ("wrap",      "b",  Op::Wrap),     ("mskor",    "b",  Op::MskOr),    ("condxchg32", "b", Op::CondXchg),
    ("fmin",      "-",  Op::FMin),     ("min",      "f",  Op::FMin),     ("min_num",   "f", Op::FMinNum),
    ("fmax",      "-",  Op::FMax),     ("max",      "f",  Op::FMax),     ("max_num",   "f", Op::FMaxNum),
    ("ordered_add", "b", Op::OrderedAdd),
    ("pk_add",    "h",  Op::PkAddF16), ("pk_add",   "e",  Op::PkAddBf16),
];

fn find(stem: &str, class: char) -> Option<Op> {
    STEMS.iter().find(|(name, classes, _)| *name == stem && classes.contains(class)).map(|&(_, _, op)| op)
}

/// Splits the type off. Without one the class is `-`.
fn split(rest: &str) -> (&str, char, Width) {
    let with_type = rest.rsplit_once('_').and_then(|(stem, last)| {
        TYPES.iter().find(|(name, _, _)| *name == last).map(|&(_, class, width)| (stem, class, width))
    });
    with_type.unwrap_or((rest, '-', Width::W32))
}

fn atomic(name: &str) -> Option<Atomic> {
    if let Some(rest) = MEMORY.iter().find_map(|family| name.strip_prefix(family)) {
        let (stem, class, width) = split(rest);
        let op = find(stem, class)?;
        // The hardware returns whether asked or not, so that encodings must ask.
        let returns = if matches!(stem, "csub" | "ordered_add") { Returns::Always } else { Returns::Policy };
        return Some(Atomic { op, width, returns, shape: Shape::One, compare_first: false });
    }
    let rest = name.strip_prefix("ds_")?;
    let once =
        |op| Atomic { op, width: Width::W32, returns: Returns::Always, shape: Shape::Wave, compare_first: false };
    match rest {
        "append" => return Some(once(Op::Add)),
        "consume" => return Some(once(Op::Sub)),
        "write_src2_b32" | "write_src2_b64" => {
            let (_, _, width) = split(rest);
            let (op, returns, shape) = (Op::Swap, Returns::Never, Shape::Source);
            return Some(Atomic { op, width, returns, shape, compare_first: false });
        }
        _ => {}
    }
    let (stem, class, width) = split(rest);
    if class == '-' {
        return None;
    }
    let (stem, returns, shape) = match (stem.strip_suffix("_rtn"), stem.strip_suffix("_src2")) {
        (Some(stem), _) => (stem, Returns::Always, Shape::One),
        (None, Some(stem)) => (stem, Returns::Never, Shape::Source),
        (None, None) => (stem, Returns::Never, Shape::One),
    };
    let (stem, shape) = match stem {
        "wrxchg2" | "storexchg_2addr" => ("wrxchg", Shape::Two { stride64: false }),
        "wrxchg2st64" | "storexchg_2addr_stride64" => ("wrxchg", Shape::Two { stride64: true }),
        _ => (stem, shape),
    };
    let compare_first = stem == "cmpst";
    Some(Atomic { op: find(stem, class)?, width, returns, shape, compare_first })
}

/// Atomics that are not modelled. All must exist.
const NOT_MODELLED: &[&str] = &[];

/// DS instructions that only load, only store or only move between lanes.
fn is_no_atomic(name: &str) -> bool {
    let rest = name.strip_prefix("ds_").expect("a DS name");
    let moves = ["nop", "swizzle_b32", "permute_b32", "bpermute_b32", "bpermute_fi_b32"].contains(&rest);
    let loads = rest.starts_with("read") || rest.starts_with("load_");
    let stores = (rest.starts_with("write") && !rest.contains("src2")) || rest.starts_with("store_");
    moves || loads || stores || rest.starts_with("bvh_stack")
}

/// Registers of the data operands of a row.
fn data_registers(row: &Inst) -> Vec<u32> {
    let data = |c| matches!(c, Class::Part(Part::Data | Part::Data1 | Part::Sdata));
    row.src.iter().filter(|o| data(o.class)).map(|o| o.ty.dwords().into()).collect()
}

/// What is moved, from a name: `buffer_load_ubyte_d16_hi`, `ds_read_b64`, `s_load_dwordx8`.
fn item(name: &str) -> (Item, Half) {
    let mut item = Item::Words(1);
    let mut half = Half::Whole;
    for part in name.split('_') {
        match part {
            "ubyte" | "u8" | "byte" | "b8" => item = Item::U8,
            "sbyte" | "i8" => item = Item::I8,
            "ushort" | "u16" | "short" | "b16" => item = Item::U16,
            "sshort" | "i16" => item = Item::I16,
            "dwordx2" | "b64" => item = Item::Words(2),
            "dwordx3" | "b96" => item = Item::Words(3),
            "dwordx4" | "b128" => item = Item::Words(4),
            "dwordx8" | "b256" => item = Item::Words(8),
            "dwordx16" | "b512" => item = Item::Words(16),
            "block" => item = Item::Words(32),
            "d16" => half = Half::Low,
            "hi" => half = Half::High,
            _ => {}
        }
    }
    (item, half)
}

/// How an access goes, from a name.
fn way(name: &str) -> Way {
    let double = name.contains("2_b") || name.contains("2addr_b");
    match () {
        () if name.contains("st64") || name.contains("stride64") => Way::Two { stride: 64 },
        () if name.starts_with("ds_") && double => Way::Two { stride: 1 },
        () if name.contains("addtid") => Way::LaneNumber,
        () if name.ends_with("_block") => Way::Block,
        () if name.contains("_load_tr_") => Way::Transposed,
        () if name.contains("format_") => Way::Formatted,
        () => Way::Plain,
    }
}

/// The rows of memory, each with the names it has, and from which generation on.
fn named() -> Vec<(&'static Inst, &'static str, Gen)> {
    use Family::{Ds, Flat, Global, Mimg, Mtbuf, Mubuf, Scratch, Smem};
    let of_memory = |row: &&Inst| {
        matches!(row.family, Smem | Ds | Mubuf | Mtbuf | Flat | Global | Scratch)
            || row.family == Mimg && row.traits.contains(Traits::ATOMIC)
    };
    let mut all = Vec::new();
    for row in gcn::rows().filter(of_memory) {
        for generation in Gen::ALL {
            if row.code[generation as usize] != __ {
                all.push((row, row.name_in(generation), generation));
            }
        }
    }
    all
}

#[test]
fn loads_and_stores_are_what_their_names_say() {
    let mut count = 0;
    for (row, name, _) in named() {
        let load = ["_load_", "ds_read"].iter().any(|word| name.contains(word)) || name.starts_with("ds_load");
        let store = (["_store_", "ds_write"].iter().any(|word| name.contains(word)) || name.starts_with("ds_store"))
            && !name.contains("xchg")
            && !name.contains("src2");
        match row.does {
            Does::Load(moved) | Does::Store(moved) => {
                assert_eq!(matches!(row.does, Does::Load(_)), load, "{name}");
                assert_eq!(matches!(row.does, Does::Store(_)), store, "{name}");
                let (mut item, half) = item(name);
                if let Some((_, components)) = name.split_once("format_") {
                    item = Item::Words(components.rsplit('_').next().map_or(0, |last| last.len() as u8));
                }
                assert_eq!((moved.item, moved.half), (item, half), "{name}");
                assert_eq!(moved.way, way(name), "{name}");
                count += 1;
            }
            Does::Lanes(_) => assert!(name.contains("permute") || name.contains("swizzle"), "{name}"),
            _ => assert!(!load && !store, "{name}: {:?}", row.does),
        }
    }
    assert!(count > 700, "{count}");
}

#[test]
fn texels_are_what_their_names_say() {
    use super::{Conversion, Texels};
    use crate::isa::row::Family::Mimg;
    let mut count = 0;
    let images = gcn::rows().filter(|row| row.family == Mimg);
    for row in images.filter(|row| !row.traits.intersects(Traits::ATOMIC | Traits::BVH)) {
        let name = row.name;
        let has = |word: &str| name.contains(word);
        let conversion = match (has("_pck"), has("_sgn")) {
            (false, _) => Conversion::Format,
            (true, signed) => Conversion::Raw { signed },
        };
        let said = match () {
            () if has("msaa_load") => Texels::LoadSamples,
            () if has("_load") => Texels::Load(conversion),
            () if has("_store") => Texels::Store(conversion),
            () if has("resinfo") => Texels::Describe,
            () if has("get_lod") => Texels::Level,
            () if has("gather4h") => Texels::GatherRow,
            () if has("gather4") => Texels::Gather,
            () => Texels::Sample,
        };
        assert_eq!(row.does, Does::Texels(said), "{name}");
        let zero = crate::isa::image::Shape::of(row).address.contains(crate::isa::image::Address::ZERO);
        assert_eq!(zero, has("_lz"), "{name}");
        count += 1;
    }
    assert!(count > 80, "{count}");
}

#[test]
fn rays_and_stacks_are_what_their_names_say() {
    use super::{Ray, Stack};
    let mut count = 0;
    for row in gcn::rows().filter(|row| row.name.contains("_bvh") && !row.name.contains("_wait_")) {
        let has = |word: &str| row.name.contains(word);
        // The stack of gfx11 has no numbers in its name.
        let number = |word: &str| row.name.split(word).nth(1).and_then(|rest| rest[..1].parse().ok());
        let said = match () {
            () if has("_stack_") => {
                Does::Stack(Stack { pushes: number("_push").unwrap_or(4), pops: number("_pop").unwrap_or(1) })
            }
            () if has("_dual_") => Does::Ray(Ray::Two),
            () if has("_bvh8_") => Does::Ray(Ray::Eight),
            () => Does::Ray(Ray::One),
        };
        assert_eq!(row.does, said, "{}", row.name);
        assert_eq!(row.traits.contains(Traits::BVH), has("_intersect_ray"), "{}", row.name);
        count += 1;
    }
    assert_eq!(count, 8);
}

#[test]
fn atomics_are_what_their_names_say() {
    let mut count = 0;
    for (row, name, generation) in named() {
        let told = match row.does {
            Does::Atomic(atomic) => Some(atomic.in_generation(generation)),
            _ => None,
        };
        let never = row.traits.contains(Traits::NO_RET);
        let said = atomic(name).map(|a| if never { Atomic { returns: Returns::Never, ..a } } else { a });
        // Images of gfx12 say `min_flt`, and `min_num_flt` as well.
        let said = said.map(|a| if row.family == Family::Mimg { a.in_generation(generation) } else { a });
        // `csub` returns whether asked or not, so that encodings must ask; gfx12 calls it `sub_clamp`, and the row is the same.
        let returns = told.filter(|_| row.name.ends_with("_csub")).map(|told| told.returns);
        let said = said.map(|a| Atomic { returns: returns.unwrap_or(a.returns), ..a });
        assert_eq!(told, said, "{name} of {generation:?}");
        count += u32::from(said.is_some());
    }
    assert!(count > 900, "{count}");
}

#[test]
fn other_names_of_an_atomic_are_of_the_same() {
    let by_number = |op| [Op::FMinNum, Op::FMaxNum].contains(&op);
    for (row, name, generation) in named() {
        let Does::Atomic(told) = row.does else { continue };
        let told = told.in_generation(generation);
        for (_, alias) in row.aliases {
            let said = atomic(alias).expect("an atomic");
            assert_eq!(Atomic { returns: told.returns, op: told.op, ..said }, told, "{name} {alias}");
            assert!(by_number(told.op) != by_number(said.op) || said.op == told.op, "{name} {alias}");
        }
    }
}

/// `v_wmma_f32_16x16x16_fp8_bf8`, `v_mfma_f32_32x32x4_2b_f16` or `v_mfma_f32_32x32x4f16`: the sums, the sizes, how many, the elements
/// of both matrices, or of one for both. Where a name does not say how many products there are, the registers of the result do.
#[test]
fn products_are_what_their_names_say() {
    let element = |name: &str| match name {
        "f64" => Element::F64,
        "f32" => Element::F32,
        "xf32" => Element::Xf32,
        "f16" => Element::F16,
        "bf16" => Element::Bf16,
        "fp8" => Element::Fp8,
        "bf8" => Element::Bf8,
        "i32" => Element::I32,
        "iu8" | "i8" => Element::I8,
        "iu4" => Element::I4,
        _ => panic!("{name}"),
    };
    let mut count = 0;
    for row in gcn::rows() {
        let kinds = [("v_wmma_", false), ("v_swmmac_", true), ("v_mfma_", false), ("v_smfmac_", true)];
        let found = kinds.iter().find_map(|(prefix, sparse)| Some((row.name.strip_prefix(prefix)?, *sparse)));
        let Some((rest, sparse)) = found else {
            assert!(!matches!(row.does, Does::Product(_)), "{}", row.name);
            continue;
        };
        // Before gfx940 the elements follow the sizes without a mark; what 1k says is in the sizes.
        let rest = rest.strip_suffix("_1k").unwrap_or(rest);
        let (sum, rest) = rest.split_once('_').expect(row.name);
        let parts: Vec<&str> = rest.split('_').collect();
        let mut sizes = parts[0].splitn(3, 'x');
        let size: u32 = sizes.next().and_then(|size| size.parse().ok()).expect(row.name);
        assert_eq!(sizes.next().and_then(|size| size.parse().ok()), Some(size), "{}", row.name);
        let last = sizes.next().expect(row.name);
        let (depth, mark) = last.split_at(last.find(|c: char| !c.is_ascii_digit()).unwrap_or(last.len()));
        let names: Vec<&str> = parts[1..].iter().copied().filter(|part| !part.ends_with('b')).collect();
        let (a, b) = match (mark, &names[..]) {
            ("", [both]) => (*both, *both),
            ("", [a, b]) => (*a, *b),
            (both, []) => (both, both),
            _ => panic!("{}", row.name),
        };
        let said = parts.iter().find_map(|part| part.strip_suffix('b')?.parse().ok());
        let words = if sum == "f64" { 2 } else { 1 };
        let cdna = row.family == Family::Mai;
        let blocks = u32::from(row.dst.ty.dwords()) * 64 / words / (size * size);
        let blocks = if cdna { blocks } else { 1 };
        assert!(said.is_none_or(|said: u32| said == blocks), "{}", row.name);
        let depth = depth.parse().expect(row.name);
        let product = Product { sum: element(sum), a: element(a), b: element(b), size, depth, blocks, sparse };
        assert_eq!(row.does, Does::Product(product), "{}", row.name);
        count += 1;
    }
    assert!(count > 100, "{count}");
}

/// What the manuals' names say of control, as far as a part of a name does.
#[test]
fn control_is_what_names_say() {
    let branch = |condition| Does::Control(Control::Branch(condition));
    #[rustfmt::skip]
    let said = [
        ("s_cbranch_scc0", branch(Condition::Scc(false))),      ("s_cbranch_scc1", branch(Condition::Scc(true))),
        ("s_cbranch_vccz", branch(Condition::VccZero(true))),   ("s_cbranch_vccnz", branch(Condition::VccZero(false))),
        ("s_cbranch_execz", branch(Condition::ExecZero(true))), ("s_cbranch_execnz", branch(Condition::ExecZero(false))),
        ("s_cbranch_cdbg", branch(Condition::Debugger)),        ("s_endpgm", Does::Control(Control::End)),
        ("s_wait_", Does::Idle(Idle::Wait)),                    ("s_waitcnt", Does::Idle(Idle::Wait)),
        ("s_getreg", Does::Control(Control::GetReg)),           ("s_setreg", Does::Control(Control::SetReg)),
        ("v_accvgpr_", Does::Lanes(Lanes::Move)),               ("v_s_", Does::Lanes(Lanes::ScalarFunction)),
    ];
    for (prefix, does) in said {
        let rows: Vec<&Inst> = gcn::rows().filter(|row| row.name.starts_with(prefix)).collect();
        assert!(!rows.is_empty(), "{prefix}");
        rows.iter().for_each(|row| assert_eq!(row.does, does, "{}", row.name));
    }
    for row in gcn::rows().filter(|row| row.family == Family::Sop1) {
        let saves = row.name.contains("_saveexec_");
        let combines = saves || row.name.contains("_wrexec_");
        assert_eq!(row.does == Does::CombinesExec { saves }, combines, "{}", row.name);
    }
    for row in gcn::rows().filter(|row| row.name.starts_with("v_permlane")) {
        let (cross, by_lane) = (row.name.contains("lanex"), row.name.contains("_var_"));
        let said = if row.name.contains("64") { Lanes::Permute64 } else { Lanes::Permute16 { cross, by_lane } };
        assert_eq!(row.does, Does::Lanes(said), "{}", row.name);
    }
    for row in gcn::rows().filter(|row| row.family == Family::Vinterp) {
        let second = row.name.contains("_p2_");
        let (half, toward_zero) = (row.name.contains("f16"), row.name.contains("_rtz_"));
        let said = Lanes::Interpolate(Interpolate { second, half, toward_zero });
        assert_eq!(row.does, Does::Lanes(said), "{}", row.name);
    }
}

/// What groups do to each other has names of its own; the rows know which data there are and what comes back.
#[test]
fn across_is_what_names_say() {
    let said = [
        ("ds_gws_init", Across::Init),
        ("ds_gws_sema_v", Across::Release),
        ("ds_gws_sema_br", Across::ReleaseSome),
        ("ds_gws_sema_p", Across::Acquire),
        ("ds_gws_sema_release_all", Across::ReleaseAll),
        ("ds_gws_barrier", Across::Meet),
        ("ds_ordered_count", Across::Ordered),
        ("ds_add_gs_reg_rtn", Across::Register { subtracts: false }),
        ("ds_sub_gs_reg_rtn", Across::Register { subtracts: true }),
    ];
    let rows: Vec<&Inst> = gcn::rows().filter(|row| matches!(row.does, Does::Across(_))).collect();
    assert_eq!(rows.len(), said.len());
    for row in rows {
        let (_, across) = said.iter().find(|(name, _)| *name == row.name).expect("a name");
        assert_eq!(row.does, Does::Across(*across), "{}", row.name);
        let takes = row.src.iter().any(|source| matches!(source.class, Class::Part(_)));
        assert_eq!((across.takes_data(), across.returns()), (takes, row.dst.class != Class::None), "{}", row.name);
    }
}

/// The rows know how many registers an instruction reads: another way to the widths and operands.
#[test]
fn every_row_is_an_atomic_or_listed() {
    let mut met = Vec::new();
    for row in gcn::rows() {
        let across = matches!(row.does, Does::Across(_));
        let wanted =
            row.traits.contains(Traits::ATOMIC) || row.family == Family::Ds && !is_no_atomic(row.name) && !across;
        let Does::Atomic(atomic) = row.does else {
            assert!(!wanted || NOT_MODELLED.contains(&row.name), "{}", row.name);
            met.push(row.name);
            continue;
        };
        assert!(wanted, "{}", row.name);
        let each = if atomic.width == Width::W64 { 2 } else { 1 };
        let places = if matches!(atomic.shape, Shape::Two { .. }) { 2 } else { 1 };
        let total: u32 = data_registers(row).iter().sum();
        assert_eq!(total, each * places * atomic.operands(), "{}", row.name);
        let no_return = row.traits.contains(Traits::NO_RET);
        assert_eq!(no_return, atomic.returns == Returns::Never && row.family != Family::Ds, "{}", row.name);
        if row.family == Family::Ds {
            assert_eq!(atomic.returns == Returns::Always, row.dst.class != Class::None, "{}", row.name);
        }
    }
    assert!(NOT_MODELLED.iter().all(|name| met.contains(name)));
}

#[test]
fn names_by_hand() {
    let of = |name| atomic(name).expect("an atomic");
    let plain = |op, width| Atomic { op, width, returns: Returns::Policy, shape: Shape::One, compare_first: false };
    assert_eq!(of("buffer_atomic_smin"), plain(Op::SMin, Width::W32));
    assert_eq!(of("flat_atomic_add_x2"), plain(Op::Add, Width::W64));
    assert_eq!(of("global_atomic_add_u64"), plain(Op::Add, Width::W64));
    assert_eq!(of("global_atomic_cmpswap_f32"), plain(Op::FCmpSwap, Width::W32));
    assert_eq!(of("buffer_atomic_min_num_f32"), plain(Op::FMinNum, Width::W32));
    assert_eq!(of("global_atomic_pk_add_bf16"), plain(Op::PkAddBf16, Width::W32));
    assert_eq!(of("s_buffer_atomic_umax_x2"), plain(Op::UMax, Width::W64));
    assert_eq!(of("buffer_atomic_csub").returns, Returns::Always);
    let ds = |op, width, returns, shape| Atomic { op, width, returns, shape, compare_first: false };
    assert_eq!(of("ds_add_rtn_u32"), ds(Op::Add, Width::W32, Returns::Always, Shape::One));
    assert_eq!(of("ds_min_i64"), ds(Op::SMin, Width::W64, Returns::Never, Shape::One));
    assert_eq!(of("ds_max_num_rtn_f64"), ds(Op::FMaxNum, Width::W64, Returns::Always, Shape::One));
    assert_eq!(of("ds_xor_src2_b64"), ds(Op::Xor, Width::W64, Returns::Never, Shape::Source));
    assert_eq!(of("ds_append"), ds(Op::Add, Width::W32, Returns::Always, Shape::Wave));
    let two = Shape::Two { stride64: true };
    assert_eq!(of("ds_wrxchg2st64_rtn_b64"), ds(Op::Swap, Width::W64, Returns::Always, two));
    assert_eq!(of("ds_storexchg_2addr_stride64_rtn_b64"), ds(Op::Swap, Width::W64, Returns::Always, two));
    for none in [
        "buffer_load_dword",
        "ds_read_b32",
        "ds_swizzle_b32",
        "ds_",
        "",
        "ds_add",
        "buffer_atomic_",
        "ds_f32",
        "image_sample",
    ] {
        assert_eq!(atomic(none), None, "{none}");
    }
}
