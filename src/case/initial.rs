//! A case for one target at its start: every value worked out, on demand.
//!
//! What a case leaves open: registers are zero; EXEC has the lanes that carry a work-item; MODE is the default of [`super::mode`]; M0, VCC and SCC
//! are zero; buffers are zero and lie, in their order, at multiples of 64 KiB from 2^36 up with 64 KiB or more of nothing behind each
//! but those that say `behind`,
//! unless the engine puts them elsewhere.
//!
//! Waves are counted group by group, x fastest. Work-items fill the lanes of a group's waves in order, x fastest; a partial group at the
//! edge of the grid counts with its own sizes, as the hardware does.

use super::eval::{At, Buffers, eval, fill, scalar_dword, vector_dword};
use super::picture::{Picture, Sampling};
use super::tree::Bvh;
use super::value::{Descriptor, File, Place, ScratchWord, Value};
use super::waves::Waves;
use super::{Case, CaseError, Init, MAX_LDS, MAX_MEMORY, What, descriptor, rsrc, wave_size};
use crate::asm::source::Files;
use crate::case::WaveState;
use crate::isa::{Gen, Target, traps};
use crate::memory::guest::canonical;
use crate::memory::scratch;
use crate::object::descriptor::vgpr_block;
use crate::object::start;
use std::collections::BTreeMap;

/// Where the first buffer lies.
pub const FIRST_ADDRESS: u64 = 1 << 36;
/// Where scratch memory lies, if nothing else is said; on gfx7 and gfx8 less than 4 GiB behind [`HIDDEN_PRIVATE_BASE`].
pub const SCRATCH_ADDRESS: u64 = 0x1500_0010_0000;
/// What gfx7 and gfx8 add to the offset in FLAT_SCRATCH: not the scratch memory itself, so that a program which forgets the offset is noticed.
pub const HIDDEN_PRIVATE_BASE: u64 = 0x1500_0000_0000;
/// The alignment of buffers, and the least distance between them.
pub const PAGE: u64 = 1 << 16;

/// A buffer at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its name.
    pub name: String,
    /// Where it lies in the memory of the program.
    pub address: u64,
    /// Whether the program may store to it.
    pub writable: bool,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Scratch memory: a piece for each wave of the dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scratch {
    /// Its address.
    pub base: u64,
    /// What gfx7 and gfx8 add to the offset in FLAT_SCRATCH.
    pub hidden_base: u64,
    /// Bytes of a lane.
    pub lane_bytes: u32,
    /// Bytes of a wave, in whole granules.
    pub wave_bytes: u32,
}

/// A case for one target at its start.
#[derive(Clone, Debug)]
pub struct Initial<'c> {
    /// The case.
    pub case: &'c Case,
    /// The target.
    pub target: Target,
    /// Lanes of a wave.
    pub wave_size: u32,
    /// The grid in work-items.
    pub grid: [u32; 3],
    /// The group in work-items.
    pub group: [u32; 3],
    /// Bytes of local memory of a group.
    pub lds_size: u32,
    /// MODE of every wave.
    pub mode: u32,
    /// The buffers, in the order of the case.
    pub buffers: Vec<Region>,
    /// The waves, by number.
    pub waves: Waves,
    /// Values at the start for this target: what `rsrc` stands for, then those of the case. A later one wins.
    pub init: Vec<Init>,
    /// Scratch memory, if there is any.
    pub scratch: Option<Scratch>,
    /// The files that outcomes are compared with.
    files: BTreeMap<String, Vec<u8>>,
    /// The initial value of each register, by file: which one it is.
    regs: [Vec<Option<u32>>; 4],
    /// The initial value of each other place: which one it is.
    others: Vec<(Place, u32)>,
}

impl Buffers for Initial<'_> {
    fn address(&self, name: &str) -> u64 {
        self.buffers.iter().find(|b| b.name == name).map_or(0, |b| b.address)
    }

    fn scratch(&self, word: ScratchWord) -> u128 {
        let Some(Scratch { base, hidden_base, lane_bytes, .. }) = self.scratch else { return 0 };
        let arch = self.target.arch;
        match word {
            ScratchWord::Base => base.into(),
            ScratchWord::Init => scratch::flat_init(arch, base, lane_bytes, hidden_base).into(),
            ScratchWord::Ring => scratch::ring(arch, base).into(),
            ScratchWord::Resource => {
                let words = scratch::resource(base, arch, self.wave_size == 32);
                words.iter().rev().fold(0, |all, word| all << 32 | u128::from(*word))
            }
        }
    }

    fn image(&self, picture: &Picture) -> [u32; 8] {
        picture.words(self.address(&picture.buffer), self.target).unwrap_or_default()
    }

    fn sampler(&self, sampling: &Sampling) -> [u32; 4] {
        sampling.words(self.target).unwrap_or_default()
    }

    fn bvh(&self, bvh: &Bvh) -> [u32; 4] {
        bvh.words(self.address(&bvh.buffer), self.target).unwrap_or_default()
    }

    fn descriptor(&self, d: &Descriptor) -> u128 {
        let size = self.buffers.iter().find(|b| b.name == d.buffer).map_or(0, |b| b.bytes.len() as u64);
        let words = descriptor::words(d, self.address(&d.buffer), size, self.target).unwrap_or_default();
        words.iter().rev().fold(0, |all, word| all << 32 | u128::from(*word))
    }
}

impl Case {
    /// The start on a target, with buffers at their usual addresses; files are read from where [`Reach`](super::Reach) says.
    ///
    /// # Errors
    /// The case is not for the target, a file cannot be read, or a descriptor cannot be made.
    pub fn initial(&self, target: Target) -> Result<Initial<'_>, CaseError> {
        let mut next = FIRST_ADDRESS;
        self.initial_with(target, &*self.files(), &mut |_, size| {
            let address = next;
            next += (size / PAGE + 2) * PAGE;
            address
        })
    }

    /// The same with a say in where files come from, and where a buffer of a name and size is put.
    ///
    /// # Errors
    /// As [`Case::initial`].
    pub fn initial_with(
        &self,
        target: Target,
        files: &dyn Files,
        place: &mut dyn FnMut(&str, u64) -> u64,
    ) -> Result<Initial<'_>, CaseError> {
        self.require(target)?;
        let wave_size = wave_size(target);
        let group = self.group.unwrap_or([wave_size, 1, 1]);
        let grid = self.grid.unwrap_or(group);
        let mut initial = Initial {
            case: self,
            target,
            wave_size,
            grid,
            group,
            lds_size: 0,
            mode: self.rsrc.map_or(self.mode.bits(target), |rsrc| start::mode(&start::words(rsrc, target.arch))),
            buffers: Vec::new(),
            waves: Waves::new(grid, group, wave_size).ok_or_else(|| CaseError::TooLarge { case: self.name.clone() })?,
            init: self.rsrc.map_or_else(Vec::new, |rsrc| rsrc::inits(rsrc, target.arch)),
            scratch: None,
            files: BTreeMap::new(),
            regs: Default::default(),
            others: Vec::new(),
        };
        initial.init.extend(self.init.iter().filter(|init| init.select.matches(target)).cloned());
        initial.check_registers()?;
        initial.read_expected(files)?;
        initial.place_scratch()?;
        initial.place_buffers(files, place)?;
        initial.check_overlaps()?;
        initial.lds_size = initial.lds_needed().min(MAX_LDS);
        for (at, init) in initial.init.iter().enumerate() {
            if let Place::Regs { file, first, count } = init.place {
                let table = &mut initial.regs[file as usize];
                let end = first.saturating_add(count).min(file.letters().1) as usize;
                table.resize(table.len().max(end), None);
                table.iter_mut().take(end).skip(first as usize).for_each(|slot| *slot = Some(at as u32));
            } else {
                // There are but a few such places, however many values.
                match initial.others.iter_mut().find(|(place, _)| *place == init.place) {
                    Some((_, last)) => *last = at as u32,
                    None => initial.others.push((init.place.clone(), at as u32)),
                }
            }
        }
        initial.check_descriptors()?;
        initial.check_handler()?;
        initial.fill_buffers(files)?;
        Ok(initial)
    }
}

impl Initial<'_> {
    fn place_buffers(&mut self, files: &dyn Files, place: &mut dyn FnMut(&str, u64) -> u64) -> Result<(), CaseError> {
        let mut sizes = Vec::new();
        for buffer in &self.case.buffers {
            sizes.push(match (buffer.size, &buffer.contents) {
                (Some(size), _) => u64::from(size),
                (None, Some(Value::File(_, name))) => self.read(files, name)?.len() as u64,
                (None, Some(Value::List(list))) => list.iter().map(|v| u64::from(v.bytes())).sum(),
                (None, _) => 0,
            });
            if sizes.iter().sum::<u64>() > MAX_MEMORY {
                return Err(CaseError::TooLarge { case: self.case.name.clone() });
            }
        }
        let mut end = 0u64;
        for (n, (buffer, size)) in self.case.buffers.iter().zip(&sizes).enumerate() {
            let address = if buffer.behind && n > 0 {
                end
            } else if let Some(at) = buffer.at {
                at
            } else {
                // With all that stand right behind it.
                let more = self.case.buffers[n + 1..].iter().take_while(|b| b.behind).count();
                place(&buffer.name, sizes[n..=n + more].iter().sum())
            };
            end = address.wrapping_add(*size);
            let (name, writable) = (buffer.name.clone(), buffer.writable);
            self.buffers.push(Region { name, address, writable, bytes: vec![0; *size as usize] });
        }
        Ok(())
    }

    /// Each wave of the dispatch has a piece of its own.
    fn place_scratch(&mut self) -> Result<(), CaseError> {
        let Some(scratch) = self.case.scratch.filter(|scratch| scratch.bytes > 0) else { return Ok(()) };
        let bytes = scratch::wave_bytes(self.target.arch, scratch.bytes.into(), self.wave_size);
        if bytes.saturating_mul(self.waves.len() as u64) > MAX_MEMORY {
            return Err(CaseError::TooLarge { case: self.case.name.clone() });
        }
        let base = scratch.at.unwrap_or(SCRATCH_ADDRESS);
        // Where it was put elsewhere, the hidden base is below it by as much.
        let hidden_base = base.wrapping_sub(SCRATCH_ADDRESS - HIDDEN_PRIVATE_BASE);
        let lane_bytes = scratch.bytes.next_multiple_of(4);
        self.scratch = Some(Scratch { base, hidden_base, lane_bytes, wave_bytes: bytes as u32 });
        Ok(())
    }

    /// All of scratch memory: where it begins, and how many bytes it has.
    #[must_use]
    pub fn scratch_region(&self) -> Option<(u64, u64)> {
        let scratch = self.scratch?;
        Some((scratch.base, u64::from(scratch.wave_bytes) * self.waves.len() as u64))
    }

    /// What TMA points to: the memory of the trap handler.
    #[must_use]
    pub fn handler_memory(&self) -> u64 {
        let name = self.case.trap_handler.as_ref().and_then(|handler| handler.memory.as_deref());
        name.map_or(0, |name| self.address(name))
    }

    /// The exceptions that RSRC2 enables, where a register of their own says so (gfx12).
    #[must_use]
    pub fn trap_control(&self) -> u32 {
        let words = self.case.rsrc.filter(|_| self.target.generation() >= Gen::Gfx12);
        words.map_or(0, |rsrc| start::exceptions(&start::words(rsrc, self.target.arch)))
    }

    fn check_handler(&self) -> Result<(), CaseError> {
        let at = self.handler_memory();
        if at.is_multiple_of(traps::ALIGNMENT) {
            return Ok(());
        }
        let what = "the memory of the trap handler".to_owned();
        Err(CaseError::Handler { case: self.case.name.clone(), what, at })
    }

    /// What FLAT_SCRATCH of a wave counts from at the start, or is, where the hardware sets it.
    #[must_use]
    pub fn flat_scratch(&self, wave: u32) -> u64 {
        let Some(all) = self.scratch else { return 0 };
        let of_wave = all.base.wrapping_add(u64::from(all.wave_bytes) * u64::from(wave));
        scratch::at_start(self.target.arch, all.hidden_base, Some(of_wave))
    }

    /// What the case puts somewhere overlaps nothing else.
    fn check_overlaps(&self) -> Result<(), CaseError> {
        let buffers = self.buffers.iter().zip(&self.case.buffers);
        let buffers = buffers.map(|(b, said)| (b.name.as_str(), b.address, b.bytes.len() as u64, said.at.is_some()));
        let scratch = self.scratch_region().map(|(base, bytes)| ("scratch memory", base, bytes, true));
        let all: Vec<_> = buffers.chain(scratch).filter(|(_, _, bytes, _)| *bytes > 0).collect();
        let wrong = |one: &str, other: &str| {
            let (one, other) = (one.to_owned(), other.to_owned());
            CaseError::Overlap { case: self.case.name.clone(), one, other }
        };
        for (n, (name, address, bytes, fixed)) in all.iter().enumerate().filter(|(_, (.., fixed))| *fixed) {
            let first = canonical(*address).filter(|first| first + bytes <= 1 << 48);
            let first = first.ok_or_else(|| wrong(name, "the end of memory"))?;
            for (m, (other, at, size, too)) in all.iter().enumerate() {
                let at = canonical(*at).unwrap_or(*at);
                if m != n && (m > n || !(*too && *fixed)) && first < at.saturating_add(*size) && at < first + bytes {
                    return Err(wrong(name, other));
                }
            }
        }
        Ok(())
    }

    /// Contents come when all addresses are known, for they may hold them.
    fn fill_buffers(&mut self, files: &dyn Files) -> Result<(), CaseError> {
        for (n, buffer) in self.case.buffers.iter().enumerate() {
            let Some(contents) = &buffer.contents else { continue };
            let mut bytes = std::mem::take(&mut self.buffers[n].bytes);
            if let Value::File(_, name) = contents {
                let read = self.read(files, name)?;
                let len = read.len().min(bytes.len());
                bytes[..len].copy_from_slice(&read[..len]);
            } else if let Value::Texels(texels) = contents {
                texels.fill(&mut bytes, self.buffers[n].address, self.target, self)?;
            } else {
                // Descriptors of this very buffer need its size.
                self.buffers[n].bytes = bytes.clone();
                fill(contents, &mut bytes, &At::default(), self);
            }
            self.buffers[n].bytes = bytes;
        }
        Ok(())
    }

    fn read(&self, files: &dyn Files, name: &str) -> Result<Vec<u8>, CaseError> {
        let read = files.read(&self.case.name, name);
        read.map_err(|error| CaseError::File { file: name.to_owned(), reason: error.to_string() })
    }

    /// A processor has the registers that the case looks at: nothing is expected that is not there.
    fn check_registers(&self) -> Result<(), CaseError> {
        let Initial { case, target, .. } = *self;
        for place in case.observed(target) {
            if let Place::Regs { file, first, count } = place
                && first.saturating_add(count) > file.count(target)
            {
                let (case, place, target) = (case.name.clone(), place.to_string(), target.arch.name);
                return Err(CaseError::NoRegister { case, place, target });
            }
        }
        Ok(())
    }

    /// The files of the expectations of this target.
    fn read_expected(&mut self, files: &dyn Files) -> Result<(), CaseError> {
        for expect in self.case.expect.iter().filter(|e| e.select.matches(self.target)) {
            if let What::Value { value: Value::File(_, name), .. } = &expect.what {
                let bytes = self.read(files, name)?;
                self.files.insert(name.clone(), bytes);
            }
        }
        Ok(())
    }

    /// A file that an outcome is compared with.
    pub(super) fn file(&self, name: &str) -> &[u8] {
        self.files.get(name).map_or(&[], Vec::as_slice)
    }

    fn lds_needed(&self) -> u32 {
        let asked = |rsrc| start::lds_bytes(&start::words(rsrc, self.target.arch));
        let wanted = self.case.lds.unwrap_or(0).max(self.case.rsrc.map_or(0, asked));
        let list = |init: &Init| match &init.value {
            Value::List(list) => list.iter().map(Value::bytes).sum::<u32>(),
            _ => 0,
        };
        let inits = self.init.iter().filter(|i| i.place == Place::Lds(0));
        inits.map(list).fold(wanted, u32::max)
    }

    /// Every descriptor that the start of this target needs can be made.
    fn check_descriptors(&self) -> Result<(), CaseError> {
        let inits = self.init.iter().map(|i| &i.value);
        let mut problem = None;
        for value in inits.chain(self.case.buffers.iter().filter_map(|b| b.contents.as_ref())) {
            value.walk(&mut |v| {
                let made = match v {
                    Value::Descriptor(d) => descriptor::words(d, 0, 0, self.target).err(),
                    // It must lie as its layout wants.
                    Value::Image(picture) => picture.words(self.address(&picture.buffer), self.target).err(),
                    Value::Texels(texels) => texels.image.words(self.address(&texels.image.buffer), self.target).err(),
                    Value::Sampler(sampling) => sampling.words(self.target).err(),
                    Value::Bvh(bvh) => bvh.words(self.address(&bvh.buffer), self.target).err(),
                    _ => None,
                };
                problem = problem.take().or(made);
            });
        }
        problem.map_or(Ok(()), Err)
    }

    /// How many waves a full group has.
    #[must_use]
    pub fn waves_of_group(&self) -> u32 {
        self.group.iter().product::<u32>().div_ceil(self.wave_size)
    }

    /// Where a lane of a wave is.
    pub(super) fn at(&self, wave: u32, lane: u32) -> At {
        let Some(w) = self.waves.get(wave as usize) else { return At::default() };
        let item = u64::from(wave) * u64::from(self.wave_size) + u64::from(lane);
        let flat = w.index * self.wave_size + lane;
        let [x, y, _] = w.size.map(|n| n.max(1));
        let local = [flat % x, flat / x % y, flat / (x * y)];
        let waves = w.size.iter().product::<u32>().div_ceil(self.wave_size);
        let scratch = self.scratch.map_or(0, |scratch| scratch.wave_bytes.wrapping_mul(wave));
        At {
            position: item,
            element: 0,
            lane,
            item,
            wave,
            local,
            full: self.group,
            group: w.group,
            index: w.index,
            waves,
            info: start::group_info(self.target.arch, w.index, waves),
            scratch,
            ..At::default()
        }
    }

    fn init_of(&self, file: File, n: u32) -> Option<(&Init, u32)> {
        let at = (*self.regs[file as usize].get(n as usize)?)?;
        let init = self.init.get(at as usize)?;
        match init.place {
            Place::Regs { first, .. } => Some((init, n - first)),
            _ => None,
        }
    }

    fn lane_register(&self, file: File, n: u32, lane: u32, wave: u32) -> u32 {
        let Some((init, offset)) = self.init_of(file, n) else { return 0 };
        vector_dword(&init.value, offset, self.at(wave, lane), self).unwrap_or(0)
    }

    fn wave_register(&self, file: File, n: u32, wave: u32) -> u32 {
        let Some((init, offset)) = self.init_of(file, n) else { return 0 };
        scalar_dword(&init.value, offset, self.at(wave, 0), self).unwrap_or(0)
    }

    /// A vector register at the start.
    #[must_use]
    pub fn vgpr(&self, n: u32, lane: u32, wave: u32) -> u32 {
        self.lane_register(File::Vector, n, lane, wave)
    }

    /// An accumulation register at the start.
    #[must_use]
    pub fn agpr(&self, n: u32, lane: u32, wave: u32) -> u32 {
        self.lane_register(File::Accumulation, n, lane, wave)
    }

    /// A scalar register at the start.
    #[must_use]
    pub fn sgpr(&self, n: u32, wave: u32) -> u32 {
        self.wave_register(File::Scalar, n, wave)
    }

    /// A trap temporary at the start.
    #[must_use]
    pub fn ttmp(&self, n: u32, wave: u32) -> u32 {
        self.wave_register(File::Trap, n, wave)
    }

    /// The initial value of a place that is no part of a file.
    fn value_of(&self, place: &Place) -> Option<&Init> {
        let (_, at) = self.others.iter().find(|(other, _)| other == place)?;
        self.init.get(*at as usize)
    }

    fn single(&self, place: &Place, wave: u32) -> Option<u64> {
        let init = self.value_of(place)?;
        let at = At { position: u64::from(wave), ..self.at(wave, 0) };
        Some(eval(&init.value, &at, self).unwrap_or(0) as u64)
    }

    /// VCC at the start.
    #[must_use]
    pub fn vcc(&self, wave: u32) -> u64 {
        self.single(&Place::Vcc, wave).unwrap_or(0)
    }

    /// EXEC at the start: never lanes beyond the wave.
    #[must_use]
    pub fn exec(&self, wave: u32) -> u64 {
        let whole = u64::MAX >> (64 - self.wave_size);
        let live = self.waves.get(wave as usize).map_or(0, |w| w.lanes(self.wave_size));
        let live = u64::MAX.checked_shr(64 - live).unwrap_or(0);
        self.single(&Place::Exec, wave).unwrap_or(live) & whole
    }

    /// SCC at the start.
    #[must_use]
    pub fn scc(&self, wave: u32) -> bool {
        self.single(&Place::Scc, wave).unwrap_or(0) & 1 != 0
    }

    /// M0 at the start.
    #[must_use]
    pub fn m0(&self, wave: u32) -> u32 {
        self.single(&Place::M0, wave).unwrap_or(0) as u32
    }

    /// TRAPSTS at the start.
    #[must_use]
    pub fn trapsts(&self, wave: u32) -> u32 {
        self.single(&Place::Trapsts, wave).unwrap_or(0) as u32
    }

    /// The local memory of a wave's group at the start.
    #[must_use]
    pub fn lds(&self, wave: u32) -> Vec<u8> {
        let mut bytes = vec![0; self.lds_size as usize];
        if let Some(init) = self.value_of(&Place::Lds(0)) {
            fill(&init.value, &mut bytes, &self.at(wave, 0), self);
        }
        bytes
    }

    /// The vector registers that the compute registers give a wave, where the case has these.
    #[must_use]
    pub fn allocated(&self) -> Option<u32> {
        let arch = self.target.arch;
        let blocks = start::words(self.case.rsrc?, arch).field("next_free_vgpr").unwrap_or(0) + 1;
        Some(blocks * vgpr_block(arch, self.wave_size == 32))
    }

    /// How many registers of a file the case speaks of, at the start or in what it looks at: one past the highest.
    #[must_use]
    pub fn count(&self, file: File) -> u32 {
        let end = |place: &Place| match place {
            Place::Regs { file: f, first, count } if *f == file => first.saturating_add(*count),
            _ => 0,
        };
        let seen = self.case.observed(self.target).iter().map(end).max().unwrap_or(0);
        seen.max(self.regs[file as usize].len() as u32).min(file.letters().1)
    }

    /// A wave at the start, with so many registers; more if the case speaks of more.
    #[must_use]
    pub fn wave(&self, number: u32, sgprs: u32, vgprs: u32) -> WaveState {
        let Some(wave) = self.waves.get(number as usize) else { return WaveState::default() };
        let lanes = |file, n| {
            let mut lanes = [0; 64];
            let live = lanes.iter_mut().zip(0..self.wave_size);
            live.for_each(|(to, lane)| *to = self.lane_register(file, n, lane, number));
            lanes
        };
        WaveState {
            group: wave.group,
            index: wave.index,
            wave_size: self.wave_size,
            sgprs: (0..sgprs.max(self.count(File::Scalar))).map(|n| self.sgpr(n, number)).collect(),
            vgprs: (0..vgprs.max(self.count(File::Vector))).map(|n| lanes(File::Vector, n)).collect(),
            agprs: (0..self.count(File::Accumulation)).map(|n| lanes(File::Accumulation, n)).collect(),
            vcc: self.vcc(number),
            exec: self.exec(number),
            scc: self.scc(number),
            m0: self.m0(number),
            mode: self.mode,
            status: 0,
            trapsts: self.trapsts(number),
            ttmps: std::array::from_fn(|n| self.ttmp(n as u32, number)),
            pc: 0,
        }
    }
}
