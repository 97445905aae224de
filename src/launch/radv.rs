//! A compute shader of RADV's as its driver dispatches it: descriptor sets, push constants and registers.
//!
//! The driver's part is ABI_FACTS section 8. Two ranges of addresses matter (VGPU_FACTS section 4.1): pointers of 32 bits, to code,
//! descriptor sets and push constants, have a high half that the compiler knows, 0xffff8000 from gfx9 on and 0 before; buffers and
//! scratch memory lie above. What the hardware does follows from RSRC1, RSRC2 and RSRC3, as for any kernel ([`super::wave`]).

use super::compute;
use super::dispatch::{Dispatch, Output, check_overlaps};
use super::{Buffer, Fill, Geometry, LaunchError, Loaded, Mapping, Options, Scratch, zeroes};
use crate::case::descriptor::words as resource;
use crate::case::value::Descriptor;
use crate::isa::{Arch, Gen, Target};
use crate::memory::scratch;
use crate::object::radv::{Sgprs, Shader};

/// A buffer that a shader finds by set and binding.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The set.
    pub set: u32,
    /// The binding.
    pub binding: u32,
    /// The element of a binding that is an array.
    pub element: u32,
    /// What descriptor it gets.
    pub kind: BoundKind,
    /// The buffer.
    pub buffer: Buffer,
}

/// What descriptor a buffer gets, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoundKind {
    /// A storage or uniform buffer.
    Plain,
    /// A storage or uniform buffer with a dynamic offset: its descriptor lies behind the push constants.
    Dynamic,
    /// A texel buffer of a format: `32_float`.
    Texel(String),
}

/// A part of the push constants.
#[derive(Clone, Debug, PartialEq)]
pub enum Push {
    /// Bytes as they are.
    Bytes(Vec<u8>),
    /// The 64-bit address of a buffer: set, binding, element.
    Address(u32, u32, u32),
}

/// What a shader is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// How many groups.
    pub groups: [u32; 3],
    /// The buffers.
    pub bound: Vec<Bound>,
    /// Push constants.
    pub push: Vec<Push>,
    /// What registers hold that nobody sets.
    pub fill: Fill,
    /// How many groups run at once.
    pub group_slots: u32,
}

/// What a shader is given does not suit it.
#[derive(Debug, thiserror::Error)]
pub enum RadvLaunchError {
    /// What is wrong with any launch.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The processor has no such waves.
    #[error("the shader has waves of {wave_size} lanes, and {arch} has none: it was compiled for another processor")]
    Waves {
        /// Lanes.
        wave_size: u32,
        /// The processor.
        arch: &'static str,
    },
    /// A set that the shader reads and that has no buffer.
    #[error("the shader reads descriptor set {0}, and nothing is bound there")]
    Set(u32),
    /// A word of the push constants that the shader reads and that is not given.
    #[error("the shader reads word {word} of the push constants, and {given} bytes are given")]
    Push {
        /// The word.
        word: u32,
        /// The bytes that there are.
        given: usize,
    },
    /// One place twice, or an address of a buffer that is not there.
    #[error("set {0}, binding {1}, element {2} is bound {3}")]
    Bound(u32, u32, u32, &'static str),
    /// A texel buffer of a format that the processor does not have.
    #[error("{0}")]
    Format(String),
}

/// Where things lie: the high half of pointers of 32 bits, and the range above.
struct Places {
    low: u64,
    general: u64,
}

impl Places {
    /// VGPU_FACTS section 4.1.
    fn of(arch: &Arch) -> Places {
        if arch.generation >= Gen::Gfx9 {
            Places { low: 0xffff_8000_0000_0000, general: 0xffff_8001_0000_0000 }
        } else {
            Places { low: 0, general: 0x1_0000_0000 }
        }
    }

    /// Code: low, where the upper half of its address is zero, though the driver has it among the pointers of 32 bits. ACO takes
    /// `s_getpc_b64` as the first two words of a V# of its constants, on gfx12 with the sign spread over the upper half: what bits above the
    /// address mean there (a stride, a swizzle) no source says, and nothing in a compute shader asks where its code is but for constants.
    const CODE: u64 = 0x20_0000;

    fn set(&self, set: u32) -> u64 {
        self.low + 0x1000_0000 + (u64::from(set) << 20)
    }
    fn set_table(&self) -> u64 {
        self.low + 0x2000_0000
    }
    fn push(&self) -> u64 {
        self.low + 0x3000_0000
    }
    /// The numbers of groups, where they are found by an address.
    fn groups(&self) -> u64 {
        self.low + 0x4000_0000
    }
    fn buffers(&self) -> u64 {
        self.general + 0x1_0000_0000
    }
}

/// Memory of the driver's is mapped in pages.
const PAGE: usize = 4096;
/// Bytes of a buffer descriptor, and the alignment of sets (ABI_FACTS section 8).
const DESCRIPTOR: usize = 16;

/// A shader loaded and ready to run.
///
/// # Errors
/// What it is given does not suit it.
pub fn stage(shader: &Shader, arch: &'static Arch, given: &Given) -> Result<(Loaded, Dispatch), RadvLaunchError> {
    let places = Places::of(arch);
    let wave_size = shader.wave_size;
    let target = Target::new(arch).wave(wave_size);
    let target = target.ok_or(RadvLaunchError::Waves { wave_size, arch: arch.name })?;
    let lane_bytes = shader.scratch_bytes_per_wave / wave_size;
    let kernel = compute::kernel(shader.rsrc, arch, Places::CODE, wave_size, lane_bytes);
    let grid = [0, 1, 2].map(|n| given.groups[n].saturating_mul(shader.group[n]));
    let geometry = Geometry::new(grid, shader.group, wave_size)?;
    let mut options = Options { fill: given.fill, group_slots: given.group_slots.max(1), ..Options::default() };
    options.layout.scratch = places.general;
    let scratch = Scratch::new(&kernel, &geometry, &options)?;
    let mut placed =
        Placed { places: &places, target, mappings: Vec::new(), outputs: Vec::new(), addresses: Vec::new() };
    placed.buffers(&given.bound)?;
    let push = placed.push(&given.push)?;
    let user = placed.registers(shader, given, &push, &scratch)?;
    let Placed { mut mappings, outputs, .. } = placed;
    if scratch.wave_bytes > 0 {
        let bytes = vec![0; scratch.bytes() as usize];
        mappings.push(Mapping { name: "scratch".to_owned(), base: scratch.base, bytes, writable: true });
    }
    let loaded = Loaded::of_code(arch, Places::CODE, &shader.code, shader.exec_bytes, kernel.clone());
    check_overlaps(loaded.mappings().iter().chain(&mappings))?;
    let resources = compute::resources(&kernel, &options);
    Ok((loaded, Dispatch::staged(kernel, geometry, options, scratch, user, resources, mappings, outputs)))
}

/// Memory under construction.
struct Placed<'p> {
    places: &'p Places,
    target: Target,
    mappings: Vec<Mapping>,
    outputs: Vec<Output>,
    /// The address of each buffer and its descriptor, in the order of the sets.
    addresses: Vec<(Bound, u64, [u8; DESCRIPTOR])>,
}

impl Placed<'_> {
    fn map(&mut self, name: String, base: u64, mut bytes: Vec<u8>) -> u64 {
        bytes.resize(bytes.len().next_multiple_of(PAGE), 0);
        self.mappings.push(Mapping { name, base, bytes, writable: false });
        base
    }

    /// The buffers, and the sets with their descriptors: in the order of the bindings, elements one behind the other.
    fn buffers(&mut self, bound: &[Bound]) -> Result<(), RadvLaunchError> {
        let mut sorted: Vec<(usize, &Bound)> = bound.iter().enumerate().collect();
        let key = |b: &Bound| (b.set, b.binding, b.element);
        sorted.sort_by_key(|(_, b)| key(b));
        if let Some(pair) = sorted.windows(2).find(|pair| key(pair[0].1) == key(pair[1].1)) {
            let (set, binding, element) = key(pair[0].1);
            return Err(RadvLaunchError::Bound(set, binding, element, "twice"));
        }
        let mut next = self.places.buffers();
        for (argument, bound) in sorted {
            let bytes = bound.buffer.bytes.len();
            // A range is rounded up to whole words (ABI_FACTS section 8).
            let size = bytes.next_multiple_of(4) as u64;
            let mut padded = zeroes(&format!("set {} binding {}", bound.set, bound.binding), size, size)?;
            padded[..bytes].copy_from_slice(&bound.buffer.bytes);
            let descriptor = self.descriptor(bound, next, padded.len() as u64)?;
            // Its bytes are in memory now, and not needed twice.
            let placed = Bound { kind: bound.kind.clone(), buffer: Buffer::default(), ..*bound };
            self.addresses.push((placed, next, descriptor));
            let (name, writable) = (format!("set {} binding {}", bound.set, bound.binding), bound.buffer.writable);
            let output =
                Output { argument, base: next, bytes: bytes as u64, writable, save: bound.buffer.save.clone() };
            self.outputs.push(output);
            let size = padded.len() as u64;
            self.mappings.push(Mapping { name, base: next, bytes: padded, writable });
            next = (next + size + 0x1_0000).next_multiple_of(0x1_0000);
        }
        self.outputs.sort_by_key(|output| output.argument);
        Ok(())
    }

    fn descriptor(&self, bound: &Bound, address: u64, size: u64) -> Result<[u8; DESCRIPTOR], RadvLaunchError> {
        let mut wanted = Descriptor::default();
        if let BoundKind::Texel(format) = &bound.kind {
            let bits = format.split('_').filter_map(|part| part.parse::<u32>().ok()).sum::<u32>();
            wanted.stride = Some(bits / 8);
            wanted.format = Some(format.clone());
        }
        let words = if size == 0 { Ok([0; 4]) } else { resource(&wanted, address, size, self.target) };
        let words = words.map_err(|error| RadvLaunchError::Format(error.to_string()))?;
        let mut bytes = [0; DESCRIPTOR];
        for (to, word) in bytes.chunks_exact_mut(4).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        Ok(bytes)
    }

    /// The push constants; behind them, at a multiple of 16, the descriptors of buffers with dynamic offsets.
    fn push(&self, push: &[Push]) -> Result<Vec<u8>, RadvLaunchError> {
        let mut all = Vec::new();
        for part in push {
            match part {
                Push::Bytes(bytes) => all.extend_from_slice(bytes),
                Push::Address(set, binding, element) => {
                    let wanted = |b: &Bound| (b.set, b.binding, b.element) == (*set, *binding, *element);
                    let found = self.addresses.iter().find(|(bound, ..)| wanted(bound));
                    let missing = RadvLaunchError::Bound(*set, *binding, *element, "to nothing");
                    all.extend(found.ok_or(missing)?.1.to_le_bytes());
                }
            }
        }
        Ok(all)
    }

    /// User SGPRs, and the memory that they lead to.
    fn registers(
        &mut self,
        shader: &Shader,
        given: &Given,
        push: &[u8],
        scratch: &Scratch,
    ) -> Result<Vec<(u32, u32)>, RadvLaunchError> {
        let users = &shader.users;
        let mut user = Vec::new();
        let mut put = |sgprs: Sgprs, values: &[u32]| {
            let Some((first, count)) = sgprs else { return };
            user.extend((first..first + count).zip(values.iter().copied()));
        };
        if scratch.wave_bytes > 0 {
            let ring = scratch::ring(self.target.arch, scratch.base);
            put(users.ring, &[ring as u32, (ring >> 32) as u32]);
        }
        let mut table = vec![0u8; 4 * users.sets.len()];
        for set in 0..users.sets.len() as u32 {
            let mine = self.addresses.iter().filter(|(bound, ..)| bound.set == set && bound.kind != BoundKind::Dynamic);
            let bytes = set_bytes(mine.map(|(bound, _, descriptor)| (bound, descriptor)));
            let read = shader.sets >> set & 1 == 1;
            if bytes.is_empty() && read && !self.addresses.iter().any(|(bound, ..)| bound.set == set) {
                return Err(RadvLaunchError::Set(set));
            }
            if !bytes.is_empty() || read {
                let bytes = if bytes.is_empty() { vec![0; PAGE] } else { bytes };
                let address = self.map(format!("set {set}"), self.places.set(set), bytes);
                put(users.sets[set as usize], &[address as u32]);
                table[4 * set as usize..][..4].copy_from_slice(&(address as u32).to_le_bytes());
            }
        }
        if users.set_table.is_some() {
            let address = self.map("table of sets".to_owned(), self.places.set_table(), table);
            put(users.set_table, &[address as u32]);
        }
        let word = |n: u32| push.get(4 * n as usize..).and_then(<[u8]>::first_chunk).map(|b| u32::from_le_bytes(*b));
        if let Some((first, count)) = users.inline_push {
            let inline = (0..64).filter(|n| shader.inline_push >> n & 1 == 1).take(count as usize);
            for (sgpr, n) in (first..).zip(inline) {
                let value = word(n).ok_or(RadvLaunchError::Push { word: n, given: push.len() })?;
                put(Some((sgpr, 1)), &[value]);
            }
        }
        if users.push.is_some() {
            let mut bytes = push.to_vec();
            bytes.resize(push.len().next_multiple_of(DESCRIPTOR), 0);
            let dynamic = self.addresses.iter().filter(|(bound, ..)| bound.kind == BoundKind::Dynamic);
            bytes.extend(dynamic.flat_map(|(.., descriptor)| *descriptor));
            bytes.resize(bytes.len().max(1), 0);
            let address = self.map("push constants".to_owned(), self.places.push(), bytes);
            put(users.push, &[address as u32]);
        }
        match users.groups {
            Some((_, 3)) => put(users.groups, &given.groups),
            Some(_) => {
                let bytes = given.groups.iter().flat_map(|n| n.to_le_bytes()).collect();
                let address = self.map("numbers of groups".to_owned(), self.places.groups(), bytes);
                put(users.groups, &[address as u32, (address >> 32) as u32]);
            }
            None => {}
        }
        user.sort_unstable();
        Ok(user)
    }
}

/// The memory of a set: bindings that take part, in their order; the elements of an array one behind the other.
fn set_bytes<'b>(bound: impl Iterator<Item = (&'b Bound, &'b [u8; DESCRIPTOR])>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut binding, mut start) = (None, 0);
    for (bound, descriptor) in bound {
        if binding != Some(bound.binding) {
            (binding, start) = (Some(bound.binding), bytes.len());
        }
        let at = start + DESCRIPTOR * bound.element as usize;
        bytes.resize(bytes.len().max(at + DESCRIPTOR), 0);
        bytes[at..at + DESCRIPTOR].copy_from_slice(descriptor);
    }
    bytes
}
