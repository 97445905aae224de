//! What lanes do, as the pseudo-code of the RDNA3 guide has it: the second source for the rows of
//! gfx1100, and for those that other processors have of them. Places are those of the models; what
//! happens there is what the text says.
//!
//! Float atomics are left out, since the text says nothing of NaNs and denormals; so are formats,
//! which it names and does not define.

use crate::pseudocode::{Inputs, Reference};
use crate::run::{Registers, What};
use crate::state::{Spot, State};
use std::sync::OnceLock;
use wavediff::isa::Gen;
use wavediff::isa::row::Inst;

/// The guide's text, where it is there.
pub fn reference() -> Option<&'static Reference> {
    static REFERENCE: OnceLock<Option<Reference>> = OnceLock::new();
    REFERENCE.get_or_init(Reference::load).as_ref()
}

/// Rows whose text names what is not said anywhere, or calculates the address as well.
const LEFT_OUT: &[&str] = &["DS_LOAD_ADDTID_B32", "DS_STORE_ADDTID_B32", "DS_CONDXCHG32_RTN_B64"];

/// A row's name in the guide.
pub fn name(row: &Inst) -> String {
    row.name_in(Gen::Gfx11).to_uppercase()
}

/// Whether a row has a text that can be run.
pub fn has(name: &str) -> bool {
    !LEFT_OUT.contains(&name)
        && !name.contains("_FORMAT_")
        && reference().is_some_and(|reference| reference.is_access(name))
}

/// Where texts begin to count bytes.
const ADDRESS: u32 = 0x1_0000;

/// Bytes from an address on.
type Window<'a> = (u32, &'a [Spot]);

/// Runs a text with operands over some bytes of memory, and stores what it stores. Gives its
/// result, and the parts of scalar data.
fn run(
    state: &mut State,
    name: &str,
    windows: &[Window<'_>],
    operands: &[(&str, u128)],
    result: &str,
) -> (u128, Vec<(u32, u32, u128)>) {
    let spot = |at: u32| {
        let inside = |(first, spots): &Window<'_>| spots.get(at.wrapping_sub(*first) as usize).copied();
        windows.iter().find_map(inside)
    };
    let accessed = {
        let byte = |at: u32| spot(at).flatten().map_or(0, |at| state.bytes[at]);
        let inputs = Inputs { memory: Some(&byte), ..Inputs::default() };
        let reference = reference().expect("a text that was looked up");
        reference.access(name, &inputs, operands, result).unwrap_or_else(|why| panic!("{name}: {why:?}"))
    };
    for (at, bytes, bits) in accessed.stores {
        for n in 0..bytes {
            let spot = spot(at + n).unwrap_or_else(|| panic!("{name} stores elsewhere"));
            state.write(&[spot], (bits >> (8 * n)) as u64 & 0xff);
        }
    }
    (accessed.result.unwrap_or(0), accessed.scalars)
}

fn four(state: &State, register: u32, lane: u32) -> u128 {
    (0..4).rev().fold(0, |all, n| all << 32 | u128::from(state.v(register + n, lane)))
}

fn put(state: &mut State, register: u32, lane: u32, words: u32, bits: u128) {
    (0..words).for_each(|n| state.set_v(register + n, lane, (bits >> (32 * n)) as u32));
}

/// Does something in a lane whose bytes are at some places.
pub fn lane(state: &mut State, name: &str, what: What<'_>, r: Registers, lane: u32, spots: &[Spot]) {
    let (old, data) = (four(state, r.dst, lane), four(state, r.data, lane));
    let vdata = if matches!(what, What::Load(_)) { old } else { data };
    let operands = [
        ("ADDR", ADDRESS.into()),
        ("DATA", data),
        ("DATA2", four(state, r.data1, lane)),
        ("VDATA", vdata),
        ("RETURN_DATA", old),
    ];
    let share = name.starts_with("DS_");
    let result = if matches!(what, What::Load(_)) && !share { "VDATA" } else { "RETURN_DATA" };
    let (bits, _) = run(state, name, &[(ADDRESS, spots)], &operands, result);
    let words = match what {
        What::Load(moved) => moved.bytes.div_ceil(4) * moved.count,
        What::Atomic { atomic, returns: true } => atomic.bits / 32,
        _ => 0,
    };
    put(state, r.dst, lane, words, bits);
}

/// Does something at two addresses, whose offsets are not the same. Two registers or four are the
/// result, or none.
pub fn two(
    state: &mut State,
    name: &str,
    r: Registers,
    lane: u32,
    (offsets, places): ([(u32, u32); 2], &[Vec<Spot>; 2]),
    results: u32,
) {
    let operands = [
        ("ADDR_BASE", u128::from(ADDRESS)),
        ("OFFSET0", offsets[0].0.into()),
        ("OFFSET1", offsets[1].0.into()),
        ("DATA", four(state, r.data, lane)),
        ("DATA2", four(state, r.data1, lane)),
        ("RETURN_DATA", four(state, r.dst, lane)),
    ];
    let windows = [0, 1].map(|n| (ADDRESS + offsets[n].1, &places[n][..]));
    let (bits, _) = run(state, name, &windows, &operands, "RETURN_DATA");
    put(state, r.dst, lane, results, bits);
}

/// A scalar load to s20 and up.
pub fn scalar(state: &mut State, name: &str, spots: &[Spot]) {
    let (_, parts) = run(state, name, &[(ADDRESS, spots)], &[("ADDR", ADDRESS.into())], "");
    for (low, width, bits) in parts {
        assert_eq!((low % 32, width), (0, 32), "{name}");
        state.s[20 + low as usize / 32] = bits as u32;
    }
}
