//! What an instruction does, for people: the formula of its meaning, or words where there is none, because it moves values between lanes, reads and writes
//! memory, or decides where the wave goes on.
//!
//! Of memory and matrices the words follow from the row: its family says which memory, and what it [does](super::does) how much and what becomes of
//! it. What is one of a kind stands in a table ([`TABLE`]).

mod image;

use super::Arch;
use super::does::atomic::{Atomic, Op, Returns, Shape, Width};
use super::does::{Across, Does, Element, Half, Item, Lanes, Moved, Parameter, Product, Stack, Way};
use super::memory::is_buffer;
use super::row::{Family, Inst, Traits};
use super::sem::find::{candidates, uses};
use super::sem::formula::{Formula, formula};

/// The formula of a row on a processor: what it means where nothing saturates; of several uses the first.
#[must_use]
pub fn formula_on(row: &Inst, arch: &Arch) -> Option<Formula> {
    let word = uses(row).first().copied().unwrap_or_default();
    candidates(row, arch, word, false).find_map(|key| formula(&key))
}

/// What a row does, in words; nothing where a formula says it, or nobody does.
#[must_use]
pub fn words(row: &Inst) -> Option<String> {
    if let Some((_, words)) = TABLE.iter().find(|(names, _)| names.contains(&row.name)) {
        return Some((*words).to_owned());
    }
    match row.does {
        Does::Product(product) => Some(matrix(product)),
        Does::Load(moved) => Some(load(row, moved)),
        Does::Store(moved) => Some(store(row, moved)),
        Does::Atomic(what) => Some(atomic(row, &what)),
        Does::Texels(texels) => Some(image::texels(row, texels)),
        Does::Lanes(Lanes::Parameter(what)) => Some(parameter(what).to_owned()),
        Does::Lanes(Lanes::Direct) => Some(DIRECT.to_owned()),
        Does::Exports => Some(EXPORT.to_owned()),
        Does::Across(across) => Some(self::across(across).to_owned()),
        Does::Ray(ray) => Some(image::ray(ray).to_owned()),
        Does::Stack(stack) => Some(nodes(stack)),
        _ => None,
    }
}

/// An export.
const EXPORT: &str = "sends the enabled elements of the active lanes to a target outside of the wave: colours, depth, positions, parameters, primitives";

/// A load of one value of LDS.
const DIRECT: &str = "all lanes of the quads of which one is active get the value in LDS at M0, whose upper half says of which type it is";

/// What is made of the parameters of a primitive.
fn parameter(what: Parameter) -> &'static str {
    match what {
        Parameter::First => {
            "the first half of an interpolation: P10 of the lane's primitive, which lies in LDS, times I, and P0 added"
        }
        Parameter::Second => {
            "the second half of an interpolation: P20 of the lane's primitive, which lies in LDS, times J, and the destination added"
        }
        Parameter::Move => "P10, P20 or P0 of the lane's primitive, which lie in LDS, as they are",
        Parameter::FirstOfHalves { register: false } => {
            "the first half of an interpolation of 16 bits, to 32: P10 of the lane's primitive times I, and P0 added, both in LDS"
        }
        Parameter::FirstOfHalves { register: true } => {
            "the first half of an interpolation of 16 bits, to 32: P10 of the lane's primitive, in LDS, times I, and a half of a register added"
        }
        Parameter::SecondOfHalves => {
            "the second half of an interpolation of 16 bits: P20 of the lane's primitive, in LDS, times J, and what the first half left added"
        }
        Parameter::Load => {
            "lanes 0 to 2 of each quad of which a lane is active get P0, P10 and P20 of its primitive from LDS, lane 3 a zero"
        }
    }
}

/// What waves of all groups do to each other.
fn across(across: Across) -> &'static str {
    match across {
        Across::Init => "sets the counter of a resource of the global wave sync from the first active lane",
        Across::Release => "adds 1 to the counter of a semaphore of the global wave sync, which lets one wave pass",
        Across::ReleaseSome => {
            "adds the value of the first active lane to the counter of a semaphore of the global wave sync, which lets so many waves pass"
        }
        Across::ReleaseAll => "lets all waves pass that wait at a semaphore of the global wave sync",
        Across::Acquire => {
            "waits until the counter of a semaphore of the global wave sync is not 0, and takes 1 from it"
        }
        Across::Meet => {
            "waits at a barrier of the global wave sync until one wave more than its counter says has come; the last one sets the counter for \
             the next time from its first active lane"
        }
        Across::Ordered => {
            "when it is the wave's turn, by the number in M0: adds the value of the first active lane to a count, or exchanges it; what was there \
             is the result"
        }
        Across::Register { subtracts: false } => {
            "atomic: adds the value of the first active lane to a register of the global data share; what was there is the result"
        }
        Across::Register { subtracts: true } => {
            "atomic: subtracts the value of the first active lane from a register of the global data share; what was there is the result"
        }
    }
}

/// What goes to a stack of nodes, and comes from it.
fn nodes(Stack { pushes, pops }: Stack) -> String {
    let pops = if pops == 1 { "the nearest one is returned, or one is popped" } else { "two are popped" };
    format!(
        "each active lane pushes up to {pushes} nodes, the farthest first, to its stack in LDS, and {pops}; of nodes around the one \
         visited last only those behind it are pushed; the register of the stack is written back"
    )
}

/// A product of matrices.
fn matrix(product: Product) -> String {
    let Product { sum, a, b, size, depth, blocks, sparse } = product;
    let sources = if a == b && !matches!(a, Element::Fp8 | Element::Bf8) {
        element(a).to_owned()
    } else {
        format!("{} and {}", element(a), element(b))
    };
    let sum = element(sum);
    let (products, plus) = match blocks {
        1 => ("the matrix product".to_owned(), "plus a matrix"),
        blocks => (format!("{blocks} matrix products"), "each plus a matrix"),
    };
    let kept = if sparse {
        "; of each four elements of a row of the first two are there, which ones the last operand says; the sums stand in the \
         destination"
    } else {
        ""
    };
    format!(
        "the wave as a whole: {products} of {size}x{depth} by {depth}x{size} elements of {sources}, {plus} of {sum}, whatever \
         EXEC says{kept}"
    )
}

fn element(element: Element) -> &'static str {
    match element {
        Element::F64 => "f64",
        Element::F32 => "f32",
        Element::Xf32 => "xf32",
        Element::F16 => "f16",
        Element::Bf16 => "bf16",
        Element::Fp8 => "fp8",
        Element::Bf8 => "bf8",
        Element::I32 => "i32",
        Element::I8 => "i8",
        Element::I4 => "i4",
    }
}

/// Which memory a family goes to.
fn place(row: &Inst) -> &'static str {
    match row.family {
        Family::Ds => "LDS, at its address and the offset",
        Family::Flat => "LDS, scratch or global memory, as the upper half of its address says",
        Family::Global => "global memory, at its address and the offset",
        Family::Scratch => "scratch memory of its own, at its address and the offset",
        Family::Smem if is_buffer(row) => "the buffer of a descriptor, at the offset",
        Family::Smem if row.traits.contains(Traits::SCRATCH) => "scratch memory, at a scalar address and the offset",
        Family::Smem => "memory, at a scalar address and the offset",
        Family::Mimg => "the texel at its coordinates",
        _ => "the buffer of a descriptor, at index and offset",
    }
}

/// What a lane moves.
fn item(item: Item) -> String {
    match item {
        Item::U8 | Item::I8 => "a byte".to_owned(),
        Item::U16 | Item::I16 => "16 bits".to_owned(),
        Item::Words(1) => "32 bits".to_owned(),
        Item::Words(n) => format!("{} bits", 32 * u32::from(n)),
    }
}

/// What becomes of a narrow value in its register.
fn extended(item: Item, half: Half) -> &'static str {
    match (item, half) {
        (Item::U8 | Item::I8, Half::Low) => ", extended to the lower half of the register; the other half stays",
        (Item::U8 | Item::I8, Half::High) => ", extended to the upper half of the register; the other half stays",
        (_, Half::Low) => ", to the lower half of the register; the other half stays",
        (_, Half::High) => ", to the upper half of the register; the other half stays",
        (Item::U8 | Item::U16, Half::Whole) => ", extended with zeroes",
        (Item::I8 | Item::I16, Half::Whole) => ", extended with the sign",
        (Item::Words(_), Half::Whole) => "",
    }
}

/// Who does it.
fn who(row: &Inst) -> &'static str {
    if row.family == Family::Smem { "the wave" } else { "each active lane" }
}

/// Whether there is an end, behind which nothing is.
fn is_bounded(row: &Inst) -> bool {
    matches!(row.family, Family::Mubuf | Family::Mtbuf) || is_buffer(row)
}

/// Components of a format: how many, how wide, and who says the format.
fn components(row: &Inst, moved: Moved) -> (String, &'static str, &'static str) {
    let count = moved.item.bytes() / 4;
    let count = if count == 1 { "one component".to_owned() } else { format!("{count} components") };
    let wide = if moved.half == Half::Whole { "32 bits each" } else { "16 bits each" };
    (count, wide, if row.family == Family::Mtbuf { "the instruction" } else { "the descriptor" })
}

/// What the offsets of two places count.
fn steps(stride: u32) -> &'static str {
    if stride == 64 { "64 elements" } else { "elements" }
}

/// What is said of addresses that count lanes.
const LANE_NUMBER: &str = "; the address counts 4 bytes a lane and needs no register";

fn load(row: &Inst, moved: Moved) -> String {
    let (who, place) = (who(row), place(row));
    let range = if is_bounded(row) { "; what is out of range is 0" } else { "" };
    let (size, extended) = (item(moved.item), extended(moved.item, moved.half));
    let to_lds = row.traits.contains(Traits::LDS);
    match moved.way {
        Way::Formatted => {
            let (components, wide, kinds) = components(row, moved);
            let to = if to_lds { "LDS" } else { "registers" };
            format!(
                "{who} loads {components} of an element from {place}, converted from the format of {kinds} to {wide}, into {to}{range}"
            )
        }
        Way::Two { stride } => format!(
            "{who} loads {size} from each of two places in LDS, at its address and two offsets that count {}",
            steps(stride)
        ),
        Way::Transposed => format!(
            "the wave as a whole: 32 lanes load eight elements each of {} from {place}, of columns of a matrix of 16 by 16, of whose rows lanes get theirs",
            if moved.item == Item::Words(2) { "a byte" } else { "16 bits" }
        ),
        Way::Block => format!("{who} loads up to 32 registers from {place}: those whose bits are set in M0"),
        Way::Plain | Way::LaneNumber if to_lds => {
            format!("{who} loads {size}{extended} from {place} into LDS, at M0 and 4 bytes a lane{range}")
        }
        Way::Plain => format!("{who} loads {size} from {place}{extended}{range}"),
        Way::LaneNumber => format!("{who} loads {size} from {place}{extended}{LANE_NUMBER}{range}"),
    }
}

fn store(row: &Inst, moved: Moved) -> String {
    let (who, place) = (who(row), place(row));
    let range = if is_bounded(row) { "; what is out of range is not stored" } else { "" };
    let size = item(moved.item);
    let part = if moved.half == Half::High { "the upper half of a register: " } else { "" };
    match moved.way {
        Way::Formatted => {
            let (components, wide, kinds) = components(row, moved);
            format!("{who} stores {components} of {wide}, converted to the format of {kinds}, to {place}{range}")
        }
        Way::Two { stride } => format!(
            "{who} stores {size} to each of two places in LDS, at its address and two offsets that count {}",
            steps(stride)
        ),
        Way::Block => format!("{who} stores up to 32 registers to {place}: those whose bits are set in M0"),
        Way::Plain if row.traits.contains(Traits::LDS) => {
            format!("{who} stores 32 bits of LDS, at M0 and 4 bytes a lane, to {place}{range}")
        }
        // There is no such store.
        Way::Plain | Way::Transposed => format!("{who} stores {part}{size} to {place}{range}"),
        Way::LaneNumber => format!("{who} stores {part}{size} to {place}{LANE_NUMBER}{range}"),
    }
}

/// What an operation leaves in memory, where `m` is what is there, `d` the data and `o` the other data.
fn operation(op: Op) -> &'static str {
    match op {
        Op::Swap => "d",
        Op::CmpSwap => "d if m = o, else m",
        Op::FCmpSwap => "d if m = o as floats, else m",
        Op::Add => "m + d",
        Op::Sub => "m - d",
        Op::RSub => "d - m",
        Op::SMin => "the lesser of m and d, signed",
        Op::UMin => "the lesser of m and d, unsigned",
        Op::SMax => "the greater of m and d, signed",
        Op::UMax => "the greater of m and d, unsigned",
        Op::And => "m & d",
        Op::Or => "m | d",
        Op::Xor => "m ^ d",
        Op::Inc => "0 if m >= d, else m + 1",
        Op::Dec => "d if m = 0 or m > d, else m - 1",
        Op::SubClamp => "m - d, not below 0",
        Op::CondSub => "m - d if m >= d, else m",
        Op::Wrap => "m - d if m >= d, else m + o",
        Op::MskOr => "m & ~d | o",
        Op::CondXchg => "each word of d without its sign bit where that is set, else that of m",
        Op::OrderedAdd => "if the low words are equal, low word + 1 (mod 4096) and the sum of the high words, else m",
        Op::FMin | Op::FMinNum => "the lesser of m and d as floats",
        Op::FMax | Op::FMaxNum => "the greater of m and d as floats",
        Op::FAdd => "m + d as floats, rounded to nearest even",
        Op::PkAddF16 => "m + d, two f16",
        Op::PkAddBf16 => "m + d, two bf16",
    }
}

fn atomic(row: &Inst, atomic: &Atomic) -> String {
    let who = who(row);
    let bits = if atomic.width == Width::W64 { 64 } else { 32 };
    let what = operation(atomic.op);
    let place = place(row);
    let returns = match atomic.returns {
        Returns::Never => "",
        Returns::Always => "; m is the result",
        Returns::Policy => "; m is the result, if the instruction asks for it",
    };
    let range = if is_bounded(row) { "; out of range nothing is done" } else { "" };
    match atomic.shape {
        Shape::One => format!("atomic: {who} replaces {bits} bits m of {place}, by {what}{returns}{range}"),
        Shape::Two { stride64 } => {
            let steps = steps(if stride64 { 64 } else { 1 });
            format!(
                "atomic: {who} replaces {bits} bits m in each of two places of LDS, at offsets that count {steps}, by {what}{returns}"
            )
        }
        Shape::Source => {
            format!(
                "atomic: {who} replaces {bits} bits m of LDS by {what}, where d is in LDS too, as many words further as the offset says"
            )
        }
        Shape::Wave => {
            let sign = if atomic.op == Op::Sub { "less" } else { "more" };
            format!(
                "atomic, once for the wave: a counter in LDS, at M0 and the offset, becomes {sign} by the number of active lanes; each gets what it was"
            )
        }
    }
}

/// Rows by their names in the oldest generation, and what they do.
#[rustfmt::skip]
pub static TABLE: &[(&[&str], &str)] = &[
    // Lanes.
    (&["v_readfirstlane_b32"], "the value of the lowest active lane, to a scalar register; of lane 0 where none is active"),
    (&["v_readlane_b32"], "the value of the lane that the second source names, active or not, to a scalar register"),
    (&["v_writelane_b32"], "a scalar into the lane that the second source names, active or not; the other lanes stay"),
    (&["v_permlane16_b32", "v_permlane16_var_b32"], "each lane gets the value of a lane of its row of 16, which four bits for it in the selector name"),
    (&["v_permlanex16_b32", "v_permlanex16_var_b32"], "each lane gets the value of a lane of the other row of 16 in its half of 32, which four bits for it in the selector name"),
    (&["v_permlane64_b32"], "the halves of a wave of 64 lanes give each other their values"),
    (&["ds_swizzle_b32"], "each active lane gets the value of the lane that the pattern in the offset names; 0 of a lane that is off; LDS is not touched"),
    (&["ds_permute_b32"], "each active lane sends its value to the lane whose number times 4 is in its address; where several send, the highest wins; LDS is not touched"),
    (&["ds_bpermute_b32"], "each active lane gets the value of the lane whose number times 4 is in its address; 0 of a lane that is off; LDS is not touched"),
    (&["ds_bpermute_fi_b32"], "each active lane gets the value of the lane whose number times 4 is in its address, whether that is active or not; LDS is not touched"),
    (&["v_swap_b32", "v_swap_b16"], "each active lane exchanges two registers"),
    (&["v_swaprel_b32"], "each active lane exchanges two registers whose numbers M0 adds to"),
    (&["v_movreld_b32"], "each active lane moves the source to the register as far behind the destination as M0 says"),
    (&["v_movrels_b32"], "each active lane moves the register as far behind the source as M0 says to the destination"),
    (&["v_movrelsd_b32"], "each active lane moves a register to another one, both as far behind those named as M0 says"),
    (&["v_movrelsd_2_b32"], "each active lane moves a register to another one, as far behind those named as two fields of M0 say"),
    (&["v_accvgpr_read_b32"], "each active lane moves an accumulation register to a vector register"),
    (&["v_accvgpr_write_b32"], "each active lane moves a value to an accumulation register"),
    (&["v_accvgpr_mov_b32"], "each active lane moves an accumulation register to another one"),
    (&["v_interp_p10_f32", "v_interp_p10_f16_f32", "v_interp_p10_rtz_f16_f32"], "the first half of an interpolation: each lane multiplies the difference of P1 and P0, which other lanes of its quad hold, by I and adds P0"),
    (&["v_interp_p2_f32", "v_interp_p2_f16_f32", "v_interp_p2_rtz_f16_f32"], "the second half of an interpolation: each lane multiplies P20, which another lane of its quad holds, by J and adds what the first half left"),
    (&["v_nop"], "nothing"),
    (&["v_pipeflush"], "nothing here: the pipeline of the vector unit is flushed"),
    (&["v_clrexcp"], "clears the sticky exceptions of the wave"),
    // Scalars that are moved by register number.
    (&["s_movrels_b32", "s_movrels_b64"], "moves the scalar register as far behind the source as M0 says to the destination"),
    (&["s_movreld_b32", "s_movreld_b64"], "moves the source to the scalar register as far behind the destination as M0 says"),
    (&["s_movrelsd_2_b32"], "moves a scalar register to another one, as far behind those named as two fields of M0 say"),
    // Control.
    (&["s_nop"], "nothing, for some cycles"),
    (&["s_endpgm", "s_endpgm_saved", "s_endpgm_ordered_ps_done"], "ends the wave"),
    (&["s_code_end"], "stands behind the last instruction: executed, it is illegal"),
    (&["s_branch"], "goes on at the target"),
    (&["s_cbranch_scc0"], "goes on at the target if SCC is 0"),
    (&["s_cbranch_scc1"], "goes on at the target if SCC is 1"),
    (&["s_cbranch_vccz"], "goes on at the target if VCC is zero"),
    (&["s_cbranch_vccnz"], "goes on at the target if VCC is not zero"),
    (&["s_cbranch_execz"], "goes on at the target if EXEC is zero: no lane is active"),
    (&["s_cbranch_execnz"], "goes on at the target if EXEC is not zero: some lane is active"),
    (&["s_cbranch_cdbgsys", "s_cbranch_cdbguser", "s_cbranch_cdbgsys_or_user", "s_cbranch_cdbgsys_and_user"], "goes on at the target if a debugger has set the flags; there is none here"),
    (&["s_cbranch_i_fork", "s_cbranch_g_fork"], "splits the wave where a mask says so: lanes of the smaller part go on first, the others wait on a stack of scalar registers for s_cbranch_join"),
    (&["s_cbranch_join"], "takes the lanes that a fork has left from the stack, or goes on with all of them"),
    (&["s_subvector_loop_begin", "s_subvector_loop_end"], "runs what is between them for either half of a wave of 64 lanes, one behind the other"),
    (&["s_setpc_b64"], "goes on at the address in the source"),
    (&["s_getpc_b64"], "the address of the next instruction"),
    (&["s_swappc_b64"], "goes on at the address in the source; the destination gets that of the next instruction"),
    (&["s_call_b64"], "goes on at the target; the destination gets the address of the next instruction"),
    (&["s_setvskip"], "says whether vector instructions are skipped: VSKIP of MODE becomes a bit of the first source"),
    (&["s_barrier"], "waits until all waves of the group that have not ended are here"),
    (&["s_barrier_signal"], "says at the barrier of the group that the wave has come, and goes on"),
    (&["s_barrier_signal_isfirst"], "says at the barrier of the group that the wave has come; SCC says whether it is the first one"),
    (&["s_get_barrier_state"], "how many waves have come to the barrier of the group [22:16], how many it has [10:4], and whether that is known [0]"),
    (&["s_barrier_wait"], "waits until all waves of the group have signalled the barrier"),
    (&["s_barrier_leave"], "leaves the barrier of the group"),
    (&["s_alloc_vgpr"], "nothing, where waves do not begin with dynamic registers"),
    (&["s_sendmsg"], "sends a message with M0 to the host; on gfx9 and gfx10 MSG_GET_DOORBELL is answered in EXEC"),
    (&["s_sendmsghalt"], "sends a message with M0 to the host and halts the wave"),
    (&["s_sendmsg_rtn_b32", "s_sendmsg_rtn_b64"], "sends a message to the hardware, whose answer is the result"),
    (&["s_trap"], "goes to the trap handler with this number and the place of the instruction; where a case names no handler, it ends the wave by a trap"),
    (&["s_rfe_b64", "s_rfe_restore_b64"], "leaves the trap handler for the address in the source"),
    (&["s_sethalt"], "halts the wave if the number is odd"),
    (&["s_setkill"], "marks the wave to be ended by a debugger; there is none here"),
    (&["s_sleep", "s_sleep_var"], "waits for some time"),
    (&["s_wakeup"], "wakes the other waves of the group that sleep; nobody does here"),
    (&["s_setprio"], "sets the priority of the wave, which changes nothing here"),
    // Waits: memory is done when its instruction is.
    (&["s_waitcnt", "s_waitcnt_depctr", "s_waitcnt_vscnt", "s_waitcnt_vmcnt", "s_waitcnt_expcnt", "s_waitcnt_lgkmcnt", "s_wait_idle", "s_wait_event", "s_wait_loadcnt",
       "s_wait_storecnt", "s_wait_samplecnt", "s_wait_bvhcnt", "s_wait_expcnt", "s_wait_dscnt", "s_wait_kmcnt", "s_wait_loadcnt_dscnt", "s_wait_storecnt_dscnt"],
       "waits until counters of what is under way are low enough; here everything is done when its instruction ends"),
    (&["s_delay_alu", "s_clause", "s_singleuse_vdst", "s_inst_prefetch"], "a hint for the hardware, which changes nothing"),
    (&["s_icache_inv", "s_dcache_inv", "s_dcache_inv_vol", "s_dcache_wb", "s_dcache_wb_vol", "s_dcache_discard", "s_dcache_discard_x2", "s_gl1_inv", "buffer_gl0_inv",
       "buffer_gl1_inv", "buffer_inv", "buffer_invl2", "buffer_wbinvl1", "buffer_wbinvl1_sc", "buffer_wbinvl1_vol", "buffer_wbl2", "global_inv", "global_wb",
       "global_wbinv"], "controls caches, which nothing here has: no copy of memory is ever stale"),
    (&["s_prefetch_inst", "s_prefetch_inst_pc_rel", "s_prefetch_data", "s_prefetch_data_pc_rel", "s_buffer_prefetch_data", "s_atc_probe", "s_atc_probe_buffer"],
       "prepares an access that may come, and changes nothing"),
    (&["s_incperflevel", "s_decperflevel", "s_ttracedata", "s_ttracedata_imm"], "tells tools that measure, and changes nothing"),
    (&["ds_nop"], "nothing"),
    // State.
    (&["s_getreg_b32"], "a field of a hardware register"),
    (&["s_setreg_b32", "s_setreg_imm32_b32"], "sets a field of a hardware register"),
    (&["s_round_mode"], "sets how MODE rounds floats"),
    (&["s_denorm_mode"], "sets what MODE does to denormals"),
    (&["s_set_gpr_idx_on"], "switches GPR index mode on: from here M0 is added to the numbers of vector registers, of the operands that the immediate names"),
    (&["s_set_gpr_idx_off"], "switches GPR index mode off"),
    (&["s_set_gpr_idx_mode"], "says which operands of vector instructions GPR index mode is for"),
    (&["s_set_gpr_idx_idx"], "sets the number that GPR index mode adds: the lower byte of M0"),
    (&["s_version"], "says which processor the code is for, and changes nothing"),
    (&["s_memtime", "s_memrealtime"], "a clock: here a number that grows whenever it is read"),
    (&["s_get_waveid_in_workgroup"], "the number of the wave in its group"),
];
