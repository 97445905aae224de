//! One kernel over one grid with its arguments: everything that the runtime writes before the first wave starts.

use super::arg::{Buffer, Scalar, Value, zeroes};
use super::kernarg::{self, Block, Facts, Slot, Takes};
use super::wave::Start;
use super::{
    Apertures, Fill, Geometry, Kernel, LaunchError, Loaded, Mapping, Options, Scratch, apertures, queue, wave,
};
use crate::isa::{Arch, Gen, Variants};
use std::path::PathBuf;

/// A launch that can run: memory, and the facts that every wave starts from.
#[derive(Clone, Debug)]
pub struct Dispatch {
    pub(super) kernel: Kernel,
    pub(super) geometry: Geometry,
    pub(super) options: Options,
    pub(super) scratch: Scratch,
    /// What is the same for every wave.
    pub(super) start: Start,
    /// The number of the first group, as waves see it.
    first: [u32; 3],
    resources: Resources,
    mappings: Vec<Mapping>,
    outputs: Vec<Output>,
}

/// A buffer of an argument, for reading it after the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The number of the argument, from 0.
    pub argument: usize,
    /// The guest address.
    pub base: u64,
    /// Its size.
    pub bytes: u64,
    /// Whether the kernel may have written to it.
    pub writable: bool,
    /// Where it is to be saved.
    pub save: Option<PathBuf>,
}

/// What every wave of a dispatch has, beside its own registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Lanes of a wave.
    pub wave_size: u32,
    /// SGPRs that a wave may use, with VCC and the other special ones at the end before gfx10.
    pub sgprs: u32,
    /// VGPRs that a wave may use; on gfx90a and gfx940 with the accumulation registers.
    pub vgprs: u32,
    /// Where the accumulation registers begin among them (gfx90a, gfx940).
    pub accum_offset: Option<u32>,
    /// VGPRs that both halves of a wave64 share (gfx10, gfx11).
    pub shared_vgprs: u32,
    /// LDS of a group in bytes.
    pub lds_bytes: u32,
    /// What the hardware allocates for it: whole granules. Whether an address is out of bounds is decided by this.
    pub lds_allocated: u32,
    /// What of it was asked for at launch.
    pub dynamic_lds: u32,
    /// Whether groups may use both compute units of a pair (gfx10 and later).
    pub wgp_mode: bool,
    /// Where LDS and scratch appear among flat addresses.
    pub apertures: Apertures,
    /// What gfx7 and gfx8 add to FLAT_SCRATCH_HI * 256.
    pub hidden_private_base: u64,
    /// What undefined registers hold.
    pub fill: Fill,
}

/// LDS that a group can have, in bytes.
fn lds_limit(arch: &Arch) -> u32 {
    if arch.generation == Gen::Gfx6 { 0x8000 } else { 0x1_0000 }
}

/// The unit of LDS allocation in bytes.
fn lds_granule(arch: &Arch) -> u32 {
    match arch.generation {
        Gen::Gfx6 => 256,
        Gen::Gfx7 | Gen::Gfx8 | Gen::Gfx9 => 512,
        Gen::Gfx10 if Variants::RDNA1.contains(arch.variant) => 512,
        _ => 1024,
    }
}

impl Dispatch {
    /// A launch with the default options. `grid` is in work-items.
    ///
    /// # Errors
    /// There is no such kernel, or it does not take such a grid, group or arguments.
    pub fn new(
        loaded: &Loaded,
        kernel: &str,
        grid: [u32; 3],
        group: [u32; 3],
        args: &[Value],
    ) -> Result<Dispatch, LaunchError> {
        Dispatch::with_options(loaded, kernel, grid, group, args, &Options::default())
    }

    /// A launch.
    ///
    /// # Errors
    /// As [`Dispatch::new`]; and regions of memory overlap.
    pub fn with_options(
        loaded: &Loaded,
        kernel: &str,
        grid: [u32; 3],
        group: [u32; 3],
        args: &[Value],
        options: &Options,
    ) -> Result<Dispatch, LaunchError> {
        let kernel = loaded.kernel(kernel)?.clone();
        let start = kernel.start();
        if !loaded.executable().iter().any(|code| code.contains(&start)) {
            return Err(LaunchError::Entry { kernel: kernel.name, entry: start });
        }
        let arch = kernel.arch();
        let geometry = Geometry::new(grid, group, kernel.wave_size)?;
        check_sizes(&kernel, &geometry)?;
        let scratch = Scratch::new(&kernel, &geometry, options)?;
        let placed = Placed::new(&kernel, args, options)?;
        let apertures = options.apertures.unwrap_or_else(|| apertures(arch));

        let layout = &options.layout;
        let mut mappings = Vec::new();
        let mut map = |name: &str, base, bytes: Vec<u8>, writable| {
            mappings.push(Mapping { name: name.to_owned(), base, bytes, writable });
            base
        };
        let mut printf = 0;
        if options.printf > 0 {
            // The bytes used (without this head), and the size (with it).
            let mut bytes = vec![0; options.printf.max(8) as usize];
            super::put(&mut bytes, 4, &options.printf.max(8).to_le_bytes());
            printf = map("printf", layout.services, bytes, true);
        }
        let mut hostcall = 0;
        if options.hostcall > 0 {
            let base = behind(layout.services, options.printf.into(), layout.gap);
            hostcall = map("hostcall", base, vec![0; options.hostcall as usize], true);
        }
        let dynamic_lds = placed.lds - kernel.descriptor.group_segment_fixed_size();
        let facts = Facts { geometry: &geometry, options, apertures, dynamic_lds, printf, hostcall };
        let block = Block::of(loaded.os_abi(), loaded.version());
        let kernarg = kernarg::segment(&kernel, block, &placed.fields, &facts)?;
        let resource = scratch.resource(&kernel);
        let user = wave::user_sgprs(&kernel, &geometry, options, &scratch, &kernarg);
        map("kernarg", layout.kernarg, kernarg::padded(kernarg), false);
        let packets = queue::packets(&kernel, &geometry, &scratch, placed.lds, layout.kernarg);
        map("packets", layout.packets, packets, false);
        map("queue", layout.queue, queue::queue(arch, &scratch, resource, apertures, options), false);
        if scratch.wave_bytes > 0 {
            map("scratch", scratch.base, vec![0; scratch.bytes() as usize], true);
        }
        mappings.extend(placed.buffers);
        check_overlaps(loaded.mappings().iter().chain(&mappings))?;

        let field = |name| kernel.descriptor.field(name).unwrap_or(0);
        let resources = Resources {
            wave_size: kernel.wave_size,
            sgprs: match arch.generation {
                // Counted by 8 and allocated by 16.
                Gen::Gfx9 => (field("next_free_sgpr") / 2 + 1) * 16,
                _ => kernel.descriptor.sgprs(),
            },
            vgprs: kernel.descriptor.vgprs(),
            accum_offset: kernel.descriptor.accum_offset(),
            shared_vgprs: 8 * field("shared_vgpr_count"),
            lds_bytes: placed.lds,
            lds_allocated: placed.lds.next_multiple_of(lds_granule(arch)),
            dynamic_lds,
            wgp_mode: field("workgroup_processor_mode") == 1,
            apertures,
            hidden_private_base: layout.hidden_private_base,
            fill: options.fill,
        };
        let (options, outputs) = (*options, placed.outputs);
        Ok(Dispatch::staged(kernel, geometry, options, scratch, user, resources, mappings, outputs))
    }

    /// A launch that another driver has set up.
    #[allow(clippy::too_many_arguments, reason = "they are the fields")]
    pub(super) fn staged(
        kernel: Kernel,
        geometry: Geometry,
        options: Options,
        scratch: Scratch,
        user: Vec<(u32, u32)>,
        resources: Resources,
        mappings: Vec<Mapping>,
        outputs: Vec<Output>,
    ) -> Dispatch {
        let start = Start::new(&kernel, &geometry, &options, user);
        Dispatch { kernel, geometry, options, scratch, start, first: [0; 3], resources, mappings, outputs }
    }

    /// The same, with groups that count from another number than zero.
    pub(super) fn counting_from(self, first: [u32; 3]) -> Dispatch {
        Dispatch { first, ..self }
    }

    /// The number of a group as its waves see it.
    #[must_use]
    pub fn group_id(&self, group: [u32; 3]) -> [u32; 3] {
        [0, 1, 2].map(|axis| group[axis].wrapping_add(self.first[axis]))
    }

    /// The kernel.
    #[must_use]
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Grid, groups and waves.
    #[must_use]
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// What every wave has.
    #[must_use]
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// The scratch memory.
    #[must_use]
    pub fn scratch(&self) -> &Scratch {
        &self.scratch
    }

    /// The memory of the dispatch, beside that of the code object ([`Loaded::mappings`]). No two pieces overlap.
    #[must_use]
    pub fn mappings(&self) -> &[Mapping] {
        &self.mappings
    }

    /// The memory of the dispatch, to be moved into an emulator. The dispatch has none afterwards.
    pub fn take_mappings(&mut self) -> Vec<Mapping> {
        std::mem::take(&mut self.mappings)
    }

    /// The buffers of arguments, in their order.
    #[must_use]
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }
}

/// What the kernel says about groups and grids.
fn check_sizes(kernel: &Kernel, geometry: &Geometry) -> Result<(), LaunchError> {
    let Some(metadata) = &kernel.metadata else { return Ok(()) };
    let (grid, group) = (geometry.grid, geometry.group);
    let items = u64::from(group.iter().product::<u32>());
    let most = metadata.max_flat_workgroup_size;
    let bad = |what, size, problem| Err(LaunchError::Size { what, size, problem });
    if most > 0 && items > most {
        return bad("the group", group, format!("kernel `{}` takes at most {most} work-items", kernel.name));
    }
    if let Some(size) = metadata.reqd_workgroup_size.filter(|&size| size != group.map(u64::from) && size != [0; 3]) {
        let [x, y, z] = size;
        return bad("the group", group, format!("kernel `{}` requires {x}x{y}x{z}", kernel.name));
    }
    if metadata.uniform_work_group_size && (0..3).any(|axis| grid[axis] % group[axis] != 0) {
        let problem =
            format!("kernel `{}` takes whole groups only ({}x{}x{})", kernel.name, group[0], group[1], group[2]);
        return bad("the grid", grid, problem);
    }
    Ok(())
}

pub(super) fn check_overlaps<'a>(mappings: impl Iterator<Item = &'a Mapping>) -> Result<(), LaunchError> {
    let mut all: Vec<&Mapping> = mappings.filter(|m| !m.bytes.is_empty()).collect();
    all.sort_by_key(|m| m.base);
    match all.windows(2).find(|pair| pair[0].end() > pair[1].base) {
        Some(pair) => {
            let (first, second) = (pair[0].name.clone(), pair[1].name.clone());
            Err(LaunchError::Overlap { first, second, address: pair[1].base })
        }
        None => Ok(()),
    }
}

/// The next page behind a piece of memory and a gap.
fn behind(base: u64, size: u64, gap: u64) -> u64 {
    base.saturating_add(size).saturating_add(gap).saturating_add(0xfff) & !0xfff
}

/// The caller's arguments with addresses.
struct Placed {
    /// Offsets in the argument segment and what goes there.
    fields: Vec<(u64, Vec<u8>)>,
    buffers: Vec<Mapping>,
    outputs: Vec<Output>,
    /// LDS of a group, declared and asked for.
    lds: u32,
}

impl Placed {
    fn new(kernel: &Kernel, values: &[Value], options: &Options) -> Result<Placed, LaunchError> {
        let slots = kernarg::slots(kernel, values)?;
        let fixed = kernel.descriptor.group_segment_fixed_size();
        let (mut lds, limit) = (u64::from(fixed), lds_limit(kernel.arch()));
        let mut placed = Placed { fields: Vec::new(), buffers: Vec::new(), outputs: Vec::new(), lds: 0 };
        let (mut next, mut total) = (options.layout.buffers, 0u64);
        for (index, value) in values.iter().enumerate() {
            let Some(slot) = slots.get(index) else {
                // Behind the parameters: LDS without a pointer.
                if let Value::Lds(bytes) = value {
                    lds += u64::from(*bytes);
                }
                continue;
            };
            let bytes = match value {
                Value::Buffer(buffer) if fits_pointer(slot) => {
                    let (base, size) = (next, buffer.bytes.len() as u64);
                    total = total.saturating_add(size);
                    if total > options.max_buffers {
                        let what = "all buffers together".to_owned();
                        return Err(LaunchError::TooLarge { what, bytes: total, limit: options.max_buffers });
                    }
                    next = behind(base, size, options.layout.gap);
                    placed.buffer(index, base, buffer)?;
                    base.to_le_bytes().to_vec()
                }
                Value::Lds(bytes) => {
                    let align = match slot.takes {
                        Takes::Lds(align) => align,
                        Takes::Anything => 16,
                        _ => return Err(mismatch(kernel, index, slot, value)),
                    };
                    let offset = lds.next_multiple_of(align);
                    lds = offset + u64::from(*bytes);
                    (offset as u32).to_le_bytes().to_vec()
                }
                Value::Scalar(scalar) if takes_number(slot, *scalar) => {
                    scalar.fit(slot.size).ok_or_else(|| mismatch(kernel, index, slot, value))?
                }
                Value::Raw(raw) if !matches!(slot.takes, Takes::Lds(_)) && raw.len() as u64 == slot.size => raw.clone(),
                _ => return Err(mismatch(kernel, index, slot, value)),
            };
            placed.fields.push((slot.offset, bytes));
        }
        lds += u64::from(options.dynamic_lds);
        if lds > limit.into() {
            return Err(LaunchError::Lds { bytes: lds, fixed, arch: kernel.arch().name, limit });
        }
        placed.lds = lds as u32;
        Ok(placed)
    }

    fn buffer(&mut self, argument: usize, base: u64, buffer: &Buffer) -> Result<(), LaunchError> {
        let (name, size, writable) = (format!("arg {argument}"), buffer.bytes.len() as u64, buffer.writable);
        let mut bytes = zeroes(&name, size, size)?;
        bytes.copy_from_slice(&buffer.bytes);
        self.buffers.push(Mapping { name, base, bytes, writable });
        self.outputs.push(Output { argument, base, bytes: size, writable, save: buffer.save.clone() });
        Ok(())
    }
}

/// Whether a parameter takes the address of memory. A structure that holds nothing but a pointer is not told from a number.
fn fits_pointer(slot: &Slot) -> bool {
    matches!(slot.takes, Takes::Pointer | Takes::Anything) && slot.size == 8
}

/// Whether a parameter takes a number of this type. Whole numbers are taken for each other whatever their sign; a pointer takes the null one alone.
fn takes_number(slot: &Slot, scalar: Scalar) -> bool {
    let is_float = matches!(scalar, Scalar::F32(_) | Scalar::F64(_));
    match slot.takes {
        Takes::Lds(_) => false,
        Takes::Pointer => scalar == Scalar::U64(0),
        Takes::Bytes | Takes::Anything => slot.number.is_none_or(|ty| ty.layout().is_some() == is_float),
    }
}

fn mismatch(kernel: &Kernel, index: usize, slot: &Slot, value: &Value) -> LaunchError {
    let (expected, given) = (slot.words.clone(), value.describe());
    LaunchError::ArgKind { kernel: kernel.name.clone(), index, expected, given }
}
