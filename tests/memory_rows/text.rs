//! What lanes do, as the pseudo-code of AMD's guides has it: RDNA4's for gfx12, CDNA4's for gfx9 and
//! what older processors have of it, RDNA3's for gfx11 and all that the others say nothing of, the
//! Southern Islands' for what has two addresses in LDS and went with gfx10.
//! Places are those of the models; what happens there is what the text says.
//!
//! Float atomics are left out, since the texts say nothing of denormals. Formats they name and do not
//! define: what a component is comes from the models, which registers have it from the text.

use crate::chip::Chip;
use crate::guide_names::guide_name;
use crate::pseudocode::{Accessed, Guide, Inputs, Reference};
use crate::run::{Registers, What};
use crate::state::{Spot, State};
use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};
use wavediff::isa::row::Inst;

/// A text that says what lanes do.
#[derive(Clone)]
pub struct Said {
    guide: Guide,
    reference: &'static Reference,
    /// The row's name there.
    name: String,
}

/// Parts of names of rows whose texts say more than what happens at one place.
const LEFT_OUT: &[&str] = &["_ORDERED_ADD_", "_BLOCK", "_LDS_"];

/// A guide, if it is there.
pub fn reference(guide: Guide) -> Option<&'static Reference> {
    static LOADED: LazyLock<Mutex<BTreeMap<Guide, Option<&'static Reference>>>> = LazyLock::new(Default::default);
    let load = || Reference::load(guide).map(|loaded| &*Box::leak(Box::new(loaded)));
    *LOADED.lock().expect("the guides").entry(guide).or_insert_with(load)
}

/// The guides that may speak of a processor, the nearest first.
pub fn guides(chip: Chip) -> &'static [Guide] {
    match chip.generation {
        12 => &[Guide::Rdna4, Guide::Rdna3, Guide::Rdna3Later],
        9 => &[Guide::Cdna4, Guide::Rdna3, Guide::Rdna3Later, Guide::SouthernIslands],
        _ => &[Guide::Rdna3, Guide::Rdna3Later, Guide::Cdna4, Guide::SouthernIslands],
    }
}

/// Whether all texts are there that these tests know.
pub fn all_are_there() -> bool {
    [Guide::Rdna3, Guide::Rdna4, Guide::Cdna4].iter().all(|guide| reference(*guide).is_some())
}

/// What is said of a row, if it can be run.
pub fn of(row: &Inst, chip: Chip) -> Option<Said> {
    guides(chip).iter().find_map(|guide| {
        let said = Said { guide: *guide, reference: reference(*guide)?, name: guide_name(*guide, row) };
        said.can_be_run(chip).then_some(said)
    })
}

impl Said {
    fn can_be_run(&self, chip: Chip) -> bool {
        let name = self.name.as_str();
        // gfx8 has a register for each half.
        let unpacked = name.contains("_D16") && name.contains("_FORMAT_") && chip.generation == 8;
        if unpacked || LEFT_OUT.iter().any(|part| name.contains(part)) {
            return false;
        }
        if name.starts_with("DS_") && name.contains("PERMUTE_") {
            let is_the_same = match self.guide {
                Guide::Cdna4 => chip.lanes == 64 && chip.generation <= 9,
                // It counts lanes of half a wave, and forgets which half.
                Guide::Rdna3 | Guide::Rdna3Later => chip.lanes == 32,
                _ => true,
            };
            return is_the_same && self.reference.has_access(name);
        }
        self.reference.is_access(name)
    }

    /// Whether components are halves.
    fn has_halves(&self) -> bool {
        self.name.contains("_D16")
    }

    /// What the text does with operands, and an address besides.
    fn access(&self, inputs: &Inputs<'_>, operands: &[(&str, u128)], result: &str) -> Accessed {
        let name = self.name.as_str();
        let with_address: Vec<_> = operands.iter().copied().chain([("ADDR", ADDRESS.into())]).collect();
        self.reference.access(name, inputs, &with_address, result).unwrap_or_else(|why| panic!("{name}: {why:?}"))
    }
}

/// Where texts begin to count bytes.
pub const ADDRESS: u32 = 0x1000;

/// Bytes from an address on.
type Window<'a> = (u32, &'a [Spot]);

/// Runs a text with operands over some bytes of memory, and stores what it stores. Gives its
/// result, and the parts of scalar data.
fn run(
    state: &mut State,
    said: &Said,
    (lane, windows): (u32, &[Window<'_>]),
    operands: &[(&str, u128)],
    result: &str,
) -> (u128, Vec<(u32, u32, u128)>) {
    let spot = |at: u32| {
        let inside = |(first, spots): &Window<'_>| spots.get(at.wrapping_sub(*first) as usize).copied();
        windows.iter().find_map(inside)
    };
    let data = operands.iter().find(|(name, _)| *name == "DATA").map_or(0, |(_, bits)| *bits);
    let accessed = {
        let byte = |at: u32| spot(at).flatten().map_or(0, |at| state.bytes[at]);
        // One text calls its operands as those of arithmetic are called.
        let s = [ADDRESS.into(), data, 0];
        said.access(&Inputs { memory: Some(&byte), s, lane, m0: state.m0(), ..Inputs::default() }, operands, result)
    };
    state.spoken = true;
    for (at, bytes, bits) in accessed.stores {
        for n in 0..bytes {
            let spot = spot(at + n).unwrap_or_else(|| panic!("{} stores elsewhere", said.name));
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
pub fn lane(state: &mut State, said: &Said, what: What<'_>, r: Registers, lane: u32, spots: &[Spot]) {
    at(state, said, what, r, lane, (ADDRESS, spots), 0);
}

/// The same, of bytes from an address on, where the text adds something to the address.
pub fn at(
    state: &mut State,
    said: &Said,
    what: What<'_>,
    r: Registers,
    lane: u32,
    window: (u32, &[Spot]),
    offset: u32,
) {
    let (old, data) = (four(state, r.dst, lane), four(state, r.data, lane));
    let result = if said.reference.says(&said.name, "RETURN_DATA") { "RETURN_DATA" } else { "VDATA" };
    let vdata = if matches!(what, What::Load(_)) { old } else { data };
    let operands = [
        ("SGPR_ADDR", ADDRESS.into()),
        ("INST_OFFSET", 0),
        ("OFFSET", offset.into()),
        ("OFFSET0", (offset & 0xff).into()),
        ("OFFSET1", (offset >> 8).into()),
        ("DATA", data),
        ("DATA0", data),
        ("DATA2", four(state, r.data1, lane)),
        ("VDATA", vdata),
        ("RETURN_DATA", old),
    ];
    let (bits, _) = run(state, said, (lane, &[window]), &operands, result);
    let words = match what {
        What::Load(moved) => moved.bytes.div_ceil(4) * moved.count,
        What::Atomic { atomic, returns: true } => atomic.bits / 32,
        _ => 0,
    };
    put(state, r.dst, lane, words, bits);
}

/// A register and the places of two addresses, of which the register is the first and the text finds
/// the second, `distance` bytes behind it.
pub fn source(
    state: &mut State,
    said: &Said,
    (register, offset, distance): (u32, u32, i32),
    (to, from): (&[Spot], &[Spot]),
) {
    let operands =
        [("A", u128::from(register)), ("offset0", (offset & 0xff).into()), ("offset1", (offset >> 8).into())];
    let windows = [(register, to), (register.wrapping_add_signed(distance), from)];
    run(state, said, (0, &windows), &operands, "");
}

/// Loads `count` components, which are so in registers, to v8 and up: words or halves.
pub fn components(state: &mut State, said: &Said, lane: u32, count: u32, known: [u32; 4]) {
    let words = if said.has_halves() { count.div_ceil(2) } else { count };
    let inputs = Inputs { component: Some(&|n| known[n]), ..Inputs::default() };
    let accessed = said.access(&inputs, &[("VDATA", four(state, 8, lane))], "VDATA");
    state.spoken = true;
    put(state, 8, lane, words, accessed.result.expect("vector data"));
}

/// What the registers from v16 on supply of components: words, or halves in the low bits.
pub fn supplied(state: &mut State, said: &Said, lane: u32) -> [u32; 4] {
    let accessed = said.access(&Inputs::default(), &[("VDATA", four(state, 16, lane))], "");
    state.spoken = true;
    let mut all = [0; 4];
    accessed.components.iter().for_each(|(n, bits)| all[*n] = *bits);
    all
}

/// Does something at two addresses, whose offsets are not the same. Two registers or four are the
/// result, or none.
pub fn two(
    state: &mut State,
    said: &Said,
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
    let (bits, _) = run(state, said, (lane, &windows), &operands, "RETURN_DATA");
    put(state, r.dst, lane, results, bits);
}

/// Scalar data at s20 and up: what is loaded, stored, or an atomic's operands and `results` words of
/// what was there.
pub fn scalar(state: &mut State, said: &Said, spots: &[Spot], results: u32) {
    let data = (20..24).rev().fold(0, |all, n| all << 32 | u128::from(state.s[n]));
    let operands = [("SDATA", data), ("DATA", data), ("RETURN_DATA", data)];
    let (old, parts) = run(state, said, (0, &[(ADDRESS, spots)]), &operands, "RETURN_DATA");
    for (low, width, bits) in parts {
        assert!(low % 32 == 0 && width % 32 == 0, "{}", said.name);
        (0..width / 32).for_each(|n| state.s[(20 + low / 32 + n) as usize] = (bits >> (32 * n)) as u32);
    }
    (0..results).for_each(|n| state.s[20 + n as usize] = (old >> (32 * n)) as u32);
}

/// A permutation: the address in v0, the data in v16, the result in v8.
pub fn permutation(state: &mut State, said: &Said, offset: u32) {
    state.spoken = true;
    let old = state.clone();
    let vgprs = |lane: u32, register: u32| old.v(register, lane);
    let inputs = Inputs { vgprs: Some(&vgprs), exec: old.exec(), wave_size: old.chip.lanes, ..Inputs::default() };
    let operands = [("ADDR", 0), ("DATA0", 16), ("VDST", 8), ("OFFSET", offset.into())];
    let name = said.name.as_str();
    let written = said.reference.across(name, &inputs, &operands).unwrap_or_else(|why| panic!("{name}: {why:?}"));
    for (lane, register, bits) in written {
        state.set_v(register, lane, bits);
    }
}
