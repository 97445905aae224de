//! Every row that computes has a meaning, on every processor; what the meaning asks for is what the row gives.

use std::collections::{BTreeMap, BTreeSet};
use wavediff::isa::arch::ARCHS;
use wavediff::isa::operand::{Class as Place, Opnd};
use wavediff::isa::row::{Family, Inst, Traits};
use wavediff::isa::sem::{self, Class, Meaning, Shape, Visitor, find};
use wavediff::isa::{Arch, gcn};

/// What a meaning asks for and gives.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Found {
    args: &'static [Class],
    ret: &'static [Class],
}

#[derive(Default)]
struct Names {
    found: BTreeMap<&'static str, Found>,
    twice: Vec<&'static str>,
}

impl Visitor for Names {
    fn visit<M: Meaning>(&mut self, name: &'static str) {
        if self.found.insert(name, Found { args: M::Args::CLASSES, ret: M::Ret::CLASSES }).is_some() {
            self.twice.push(name);
        }
    }
}

fn meanings() -> Names {
    let mut names = Names::default();
    sem::vector(&mut names);
    sem::scalar(&mut names);
    names
}

/// The families whose rows compute.
fn computes(family: Family) -> bool {
    use Family::*;
    matches!(family, Sop1 | Sop2 | Sopk | Sopc | Vop1 | Vop2 | Vop3 | Vopc | Vop3p | Vopd)
}

const CONTROL: &str = "changes the program counter";
const WAVE: &str = "state of the wave or of the chip, not a value";
const LANES: &str = "moves between lanes";
const INDEX: &str = "names its registers by m0";
const TWO: &str = "writes two registers";
const NOTHING: &str = "does nothing that can be seen";
const MATRIX: &str = "a product of matrices, over all lanes";

/// Rows without a meaning, and why. A star stands for any end.
#[rustfmt::skip]
const SPECIAL: &[(&str, &str)] = &[
    ("s_getpc_b64", CONTROL),
    ("s_setpc_b64", CONTROL),
    ("s_swappc_b64", CONTROL),
    ("s_rfe_b64", CONTROL),
    ("s_rfe_restore_b64", CONTROL),
    ("s_call_b64", CONTROL),
    ("s_cbranch_*", CONTROL),
    ("s_subvector_loop_*", CONTROL),
    ("s_movrel*", INDEX),
    ("s_set_gpr_idx_*", WAVE),
    ("s_setvskip", WAVE),
    ("s_getreg_b32", WAVE),
    ("s_setreg_*", WAVE),
    ("s_waitcnt_*", WAVE),
    ("s_sendmsg_rtn_*", WAVE),
    ("s_barrier_*", WAVE),
    ("s_get_barrier_state", WAVE),
    ("s_wakeup_barrier", WAVE),
    ("s_alloc_vgpr", WAVE),
    ("s_version", NOTHING),
    ("s_sleep_var", NOTHING),
    ("v_nop", NOTHING),
    ("v_clrexcp", NOTHING),
    ("v_pipeflush", NOTHING),
    ("v_readfirstlane_b32", LANES),
    ("v_readlane_b32", LANES),
    ("v_writelane_b32", LANES),
    ("v_permlane*", LANES),
    ("v_movrel*", INDEX),
    ("v_swap*", TWO),
    ("v_accvgpr_mov_b32", "between accumulation registers"),
    ("v_wmma_*", MATRIX),
    ("v_swmmac_*", MATRIX),
];

fn matches(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

const SIXTEEN: &str = "computes with 16 bits; the text has a whole register";
const THIRTY_TWO: &str = "the text has a half, the instruction a whole register";
const WIDENED: &str = "each source is f32 or a widened f16";
const SELECTED: &str = "a word of the pair, which op_sel selects";

/// Sources that a meaning takes otherwise than the row's types say, and why.
#[rustfmt::skip]
const SOURCES: &[(&str, &str)] = &[
    ("s_ceil_f16", SIXTEEN),
    ("s_floor_f16", SIXTEEN),
    ("s_trunc_f16", SIXTEEN),
    ("s_rndne_f16", SIXTEEN),
    ("s_cvt_f32_f16", SIXTEEN),
    ("s_fmac_f16", SIXTEEN),
    ("v_fma_mix_f32", WIDENED),
    ("v_fma_mixlo_f16", WIDENED),
    ("v_fma_mixhi_f16", WIDENED),
    ("v_mad_mix_f32", WIDENED),
    ("v_mad_mixlo_f16", WIDENED),
    ("v_mad_mixhi_f16", WIDENED),
    ("v_pk_mov_b32", SELECTED),
];

/// Results of a meaning that the row's destination type does not say, and why.
#[rustfmt::skip]
const RESULTS: &[(&str, &str)] = &[
    ("v_sad_u16", THIRTY_TWO),
    ("v_pack_b32_f16", THIRTY_TWO),
    ("v_dot2_bf16_bf16", SIXTEEN),
    ("v_fma_mixlo_f16", SIXTEEN),
    ("v_fma_mixhi_f16", SIXTEEN),
    ("v_mad_mixlo_f16", SIXTEEN),
    ("v_mad_mixhi_f16", SIXTEEN),
    ("v_cvt_pk_fp8_f32", SIXTEEN),
    ("v_cvt_pk_bf8_f32", SIXTEEN),
    ("v_s_exp_f16", SIXTEEN),
    ("v_s_log_f16", SIXTEEN),
    ("v_s_rcp_f16", SIXTEEN),
    ("v_s_rsq_f16", SIXTEEN),
    ("v_s_sqrt_f16", SIXTEEN),
];

/// Rows of the families that compute with the processors that have them.
fn cases() -> impl Iterator<Item = (&'static Inst, &'static Arch)> {
    gcn::rows()
        .filter(|row| computes(row.family))
        .flat_map(|row| ARCHS.iter().filter(|arch| row.opcode(arch).is_some()).map(move |arch| (row, arch)))
}

/// Calls `f` with every use of every row and the name of its meaning.
fn each_use(names: &Names, mut f: impl FnMut(&'static Inst, &'static Arch, &'static str, &Found)) {
    for (row, arch) in cases() {
        for word in find::uses(row) {
            for clamp in [false, true] {
                if clamp && !row.traits.contains(Traits::CLAMP) {
                    continue;
                }
                let hit = find::candidates(row, arch, word, clamp).find_map(|key| names.found.get_key_value(&*key));
                if let Some((name, found)) = hit {
                    f(row, arch, name, found);
                }
            }
        }
    }
}

#[test]
fn no_name_stands_twice() {
    assert_eq!(meanings().twice, [""; 0]);
}

#[test]
fn every_row_has_a_meaning() {
    let names = meanings();
    let mut missing = BTreeSet::new();
    let mut needed = BTreeSet::new();
    let mut both = BTreeSet::new();
    for (row, arch) in cases() {
        let special = SPECIAL.iter().find(|(pattern, _)| matches(pattern, row.name));
        for word in find::uses(row) {
            for clamp in [false, true] {
                let found = find::candidates(row, arch, word, clamp).any(|key| names.found.contains_key(&*key));
                match (found, special) {
                    (false, None) => _ = missing.insert((row.name, *word)),
                    (false, Some((pattern, _))) => _ = needed.insert(*pattern),
                    (true, Some(_)) => _ = both.insert(row.name),
                    (true, None) => {}
                }
            }
        }
    }
    assert!(missing.is_empty(), "rows without a meaning: {missing:#?}");
    assert!(both.is_empty(), "special rows with a meaning: {both:#?}");
    let idle: Vec<_> = SPECIAL.iter().filter(|(pattern, _)| !needed.contains(pattern)).collect();
    assert!(idle.is_empty(), "special names no row needs: {idle:?}");
}

#[test]
fn every_meaning_has_a_row() {
    let names = meanings();
    let mut used = BTreeSet::new();
    each_use(&names, |_, _, name, _| {
        used.insert(name);
    });
    let idle: Vec<_> = names.found.keys().filter(|name| !used.contains(*name)).collect();
    assert!(idle.is_empty(), "meanings of no row: {idle:#?}");
}

const CHOSEN: &str = "one of the sources";
const BITS: &str = "bits, not numbers";
const LOW: &str = "the low half of the product is what is asked for; what silicon does with the bit is not known";

/// Rows that take the clamp bit and whose integer result cannot exceed what holds it, or is cut by definition.
#[rustfmt::skip]
const NEVER_SATURATE: &[(&str, &str)] = &[
    ("v_min3_i16", CHOSEN),
    ("v_max3_i16", CHOSEN),
    ("v_med3_i16", CHOSEN),
    ("v_min3_u16", CHOSEN),
    ("v_max3_u16", CHOSEN),
    ("v_med3_u16", CHOSEN),
    ("v_pk_min_i16", CHOSEN),
    ("v_pk_max_i16", CHOSEN),
    ("v_pk_min_u16", CHOSEN),
    ("v_pk_max_u16", CHOSEN),
    ("v_pk_lshlrev_b16", BITS),
    ("v_pk_lshrrev_b16", BITS),
    ("v_pk_ashrrev_i16", BITS),
    ("v_pk_mov_b32", BITS),
    ("v_pk_mul_lo_u16", LOW),
];

#[test]
fn what_can_saturate_does() {
    let names = meanings();
    let mut missing = BTreeSet::new();
    let mut needed = BTreeSet::new();
    for (row, arch) in cases().filter(|(row, _)| row.traits.contains(Traits::CLAMP)) {
        for word in find::uses(row) {
            let mut keys = find::candidates(row, arch, word, true);
            let Some((name, found)) = keys.find_map(|key| names.found.get_key_value(&*key)) else { continue };
            if name.contains(" clamp") || found.ret[0].is_float() {
            } else if let Some((listed, _)) = NEVER_SATURATE.iter().find(|(listed, _)| *listed == row.name) {
                needed.insert(*listed);
            } else {
                missing.insert(row.name);
            }
        }
    }
    assert!(missing.is_empty(), "rows that could saturate: {missing:#?}");
    let idle: Vec<_> = NEVER_SATURATE.iter().filter(|(name, _)| !needed.contains(name)).collect();
    assert!(idle.is_empty(), "names no row needs: {idle:?}");
}

/// Registers, and whether only a half: as a row says it, and as a meaning does. A bit has no registers.
type Width = (usize, bool);

fn of_operand(row: &Inst, o: &Opnd) -> Width {
    match (find::packing(row), o.class) {
        (_, Place::Simm16 | Place::Uimm16) => (1, false),
        (_, Place::MaskIn) => (0, false),
        (find::Packing::Halves, _) => (1, true),
        (find::Packing::Words, _) => (1, false),
        (find::Packing::Whole | find::Packing::Moved, _) => (usize::from(o.ty.dwords()), o.ty.is_16()),
    }
}

fn of_class(c: &Class) -> Width {
    (c.dwords(), c.is_16())
}

fn expected_sources(row: &Inst) -> Vec<Width> {
    let listed = row.src.iter().filter(|o| !matches!(o.class, Place::MaskOut | Place::Tied));
    let mut all: Vec<Width> = listed.map(|o| of_operand(row, o)).collect();
    if find::reads_exec(row) {
        all.push(all[0]);
    }
    if find::reads_dst(row) {
        all.push(of_operand(row, &row.dst));
    }
    if find::bit(row).is_some() {
        all.push((0, false));
    }
    all
}

/// Whether a meaning gives a bit besides its value, where the row can tell; nothing tells which scalar instructions write SCC.
fn expected_bit(row: &Inst) -> Option<bool> {
    match row.family {
        Family::Sop1 | Family::Sop2 | Family::Sopk => None,
        _ => Some(row.src.iter().any(|o| o.class == Place::MaskOut)),
    }
}

fn check(what: &str, exceptions: &[(&'static str, &str)], mut differs: impl FnMut(&'static Inst, &Found) -> bool) {
    let mut wrong = BTreeSet::new();
    let mut needed = BTreeSet::new();
    each_use(&meanings(), |row, _, name, found| {
        if !differs(row, found) {
        } else if exceptions.iter().any(|(exception, _)| *exception == row.name) {
            needed.insert(row.name);
        } else {
            wrong.insert((name, format!("{found:?} {:?} {:?}", row.dst, row.src)));
        }
    });
    assert!(wrong.is_empty(), "{what} that do not fit: {wrong:#?}");
    let idle: Vec<_> = exceptions.iter().filter(|(name, _)| !needed.contains(name)).collect();
    assert!(idle.is_empty(), "exceptions nothing needs: {idle:?}");
}

#[test]
fn sources_fit() {
    check("sources", SOURCES, |row, found| found.args.iter().map(of_class).ne(expected_sources(row)));
}

#[test]
fn results_fit() {
    check("results", RESULTS, |row, found| {
        if matches!(row.dst.class, Place::None) {
            return found.ret != [Class::Bit];
        }
        let (value, rest) = found.ret.split_first().expect("a result");
        let bit = match rest {
            [] => false,
            [Class::Bit] => true,
            _ => return true,
        };
        of_class(value) != of_operand(row, &row.dst) || expected_bit(row).is_some_and(|expected| expected != bit)
    });
}

#[test]
fn lists_of_names_are_rows() {
    use sem::{convert, packed, scalar};
    let rows: BTreeSet<_> = gcn::rows().map(|row| row.name).collect();
    let packed = packed::PACKED.iter().chain(packed::PACKED32).map(|(name, _)| name);
    let lists = [scalar::READS_DST, scalar::READS_SCC, convert::READS_DST, packed::READS_DST];
    for name in lists.into_iter().flatten().chain(packed) {
        assert!(rows.contains(name), "{name} is no row");
    }
}
