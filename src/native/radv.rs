//! RADV devices as cards: machine code comes to them in shader objects.
//!
//! For each size of waves and groups a small shader of ours is compiled once, the template: it takes an address as push
//! constants and looks at the number of its group, so that the driver gives an injected program both. Where it gives them the
//! driver's own table says. The layout of its bytes is known for some versions of the driver ([`KNOWN`]) and refused for
//! others; within those, all that can be checked is checked ([`object::radv`](crate::object::radv)).
//!
//! Guest memory lies where the program expects it: the driver is [asked](vulkan::Chosen) for these very addresses. The
//! regions of a run are a few pieces of its memory, which stay for the next run.

use super::block::Layout;
use super::card::{Card, Load, Times};
use super::frame::Users;
use crate::engine::{EngineError, Unsupported};
use crate::isa::{Arch, Gen, Target};
use crate::memory::guest::{Memory, Region};
use crate::object::radv::{self, Patch, Shader};
use crate::vulkan::object::{Object, Source};
use crate::vulkan::{self, Buffer, Caps, Chosen, Device};
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::atomic::Ordering;

/// Versions of Mesa whose shader objects are known, as the driver says them.
pub const KNOWN: &[&str] = &["Mesa 25.0."];

/// Bytes of push constants: the address of the blocks.
const PUSH: u32 = 8;

/// A device of RADV's.
pub struct Radv {
    name: String,
    arch: &'static Arch,
    device: RefCell<Device>,
    templates: RefCell<HashMap<(u32, u32), Template>>,
    state: RefCell<Option<Buffer>>,
    pieces: RefCell<Vec<Chosen>>,
    /// A run did not come to its end, and the driver has not said so.
    spoilt: Cell<bool>,
}

/// A shader that gives its place to others.
#[derive(Clone)]
struct Template {
    binary: Vec<u8>,
    shader: Shader,
    users: Users,
}

/// The processor of a device by the name that RADV gives it: `AMD Radeon RX 7900 XTX (RADV NAVI31)`.
#[must_use]
pub fn processor(caps: &Caps) -> Option<&'static Arch> {
    let chip = caps.name.rsplit_once("(RADV ")?.1.split([')', ' ']).next()?.to_lowercase();
    // Names that several chips share stand for the first of them.
    let chip = match chip.as_str() {
        "vega20" => "gfx906",
        "raven" | "raven2" => "gfx902",
        "phoenix" => "gfx1103",
        other => other,
    };
    Arch::find(chip)
}

impl Radv {
    /// A device as a card.
    ///
    /// # Errors
    /// It is no device of RADV's, of an unknown processor, or its driver's version is not known.
    pub fn new(device: Device) -> Result<Radv, EngineError> {
        let name = format!("native:{}", device.name());
        let absent = |reason: String| EngineError::Absent { device: name.clone(), reason };
        let caps = device.caps();
        let arch =
            processor(caps).ok_or_else(|| absent("it is no device of RADV's whose processor is known".to_owned()))?;
        let known = KNOWN.iter().any(|known| caps.driver.info.contains(known));
        if !known {
            let reason = format!(
                "the layout of shader objects of `{}` is not known; it is for {}",
                caps.driver.info,
                KNOWN.join(", ")
            );
            return Err(absent(reason));
        }
        if !caps.other.objects || !caps.memory.chosen_addresses {
            return Err(absent("it has no shader objects, or no memory at addresses that are asked for".to_owned()));
        }
        Ok(Radv {
            name,
            arch,
            device: RefCell::new(device),
            templates: RefCell::default(),
            state: RefCell::default(),
            pieces: RefCell::default(),
            spoilt: Cell::new(false),
        })
    }

    /// What it is called: `native:` and the device's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The device for a run: a fresh one where the last one is lost.
    fn ready(&self) -> Result<Device, EngineError> {
        let mut device = self.device.borrow_mut();
        if device.is_lost() || self.spoilt.take() {
            // What was made on the old one goes with it.
            self.templates.borrow_mut().clear();
            self.state.borrow_mut().take();
            self.pieces.borrow_mut().clear();
            *device = device.open_again().map_err(|e| self.failed(e))?;
        }
        Ok(device.clone())
    }

    fn failed(&self, e: vulkan::Error) -> EngineError {
        e.on(&self.name)
    }

    fn template(&self, lanes: u32, waves: u32) -> Result<Template, EngineError> {
        let key = (lanes, waves);
        if let Some(found) = self.templates.borrow().get(&key) {
            return Ok(found.clone());
        }
        let device = self.ready()?;
        let items = lanes.saturating_mul(waves);
        if items > device.caps().limits.group_invocations {
            let needs = format!("groups of {items} work-items");
            return Err(Unsupported { instruction: "the dispatch".to_owned(), needs }.into());
        }
        let words = shader(items);
        let object =
            Object { name: "template", source: Source::SpirV(&words), push_bytes: PUSH, subgroup_size: Some(lanes) };
        let binary = device.object(&object).and_then(|made| made.binary()).map_err(|e| self.failed(e))?;
        let template = Template::read(binary).map_err(|reason| EngineError::Crash {
            device: self.name.clone(),
            doing: "reading the template",
            reason,
        })?;
        self.templates.borrow_mut().insert(key, template.clone());
        Ok(template)
    }

    /// Puts guest memory where the device has it, or takes it back from there.
    fn exchange(&self, device: &Device, memory: &Memory, back: bool) -> Result<(), EngineError> {
        let mut pieces = self.pieces.borrow_mut();
        for (low, high) in self.spans(memory)? {
            if !back && !pieces.iter().any(|piece| holds(piece, low, high)) {
                pieces.retain(|piece| {
                    let (first, bytes) = (piece.address(), 4 * piece.words().len() as u64);
                    first.wrapping_add(bytes) <= low || high <= first
                });
                let made = device.chosen(low, (high - low) as usize).map_err(|e| match e {
                    // The driver has it for itself, or has no more.
                    vulkan::Error::Memory { .. } => EngineError::Unsupported(Unsupported {
                        instruction: "the dispatch".to_owned(),
                        needs: format!("memory at {low:#x}, which the driver does not give"),
                    }),
                    e => self.failed(e),
                });
                pieces.push(made?);
            }
            let Some(piece) = pieces.iter().find(|piece| holds(piece, low, high)) else { continue };
            for region in memory.regions().iter().filter(|region| (low..high).contains(&spelled(region.base()))) {
                let offset = (spelled(region.base()) - piece.address()) as usize;
                if !back {
                    write(piece, offset, &region.to_bytes());
                } else if region.writable() {
                    let bytes = read(piece, offset, region.len() as usize);
                    memory.write_bytes(region.base(), &bytes).map_err(|fault| EngineError::Crash {
                        device: self.name.clone(),
                        doing: "taking memory back",
                        reason: fault.to_string(),
                    })?;
                }
            }
        }
        Ok(())
    }

    /// The pieces of memory in which the regions lie.
    fn spans(&self, memory: &Memory) -> Result<Vec<(u64, u64)>, EngineError> {
        let mut spans: Vec<(u64, u64)> = Vec::new();
        let mut regions: Vec<&Region> = memory.regions().iter().collect();
        regions.sort_by_key(|region| spelled(region.base()));
        for region in regions {
            let (low, high) = (spelled(region.base()), spelled(region.base()).saturating_add(region.len()));
            if !self.gives(low, high) {
                // The code is there for those who read it as data, and comes to the card by another way.
                if region.name() == "code" {
                    continue;
                }
                let needs = format!("memory at {low:#x}, where the driver gives none");
                return Err(Unsupported { instruction: region.name().to_owned(), needs }.into());
            }
            let (low, high) = (low & !(PIECE - 1), high.next_multiple_of(PIECE));
            match spans.last_mut() {
                Some((_, end)) if low <= *end + PIECE => *end = high,
                _ => spans.push((low, high)),
            }
        }
        if let Some((low, high)) = spans.iter().find(|(low, high)| high - low > LARGEST) {
            let needs = format!("{} bytes of memory from {low:#x} on", high - low);
            return Err(Unsupported { instruction: "the dispatch".to_owned(), needs }.into());
        }
        Ok(spans)
    }

    /// Whether the driver gives addresses of a range (VGPU_FACTS section 4.1).
    fn gives(&self, low: u64, high: u64) -> bool {
        if self.arch.generation >= Gen::Gfx9 {
            low >= 0xffff_8001_0000_0000 && high <= 0xffff_ffff_ffe0_0000
        } else {
            low >= 0x1_0000_0000 && high <= 0xf_ffe0_0000
        }
    }
}

/// The driver gives large memory in pieces of so many bytes.
const PIECE: u64 = 2 << 20;
/// The largest piece that is asked for.
const LARGEST: u64 = 1 << 30;

/// An address with bit 47 spread over the bits above.
fn spelled(address: u64) -> u64 {
    ((address << 16) as i64 >> 16) as u64
}

fn holds(piece: &Chosen, low: u64, high: u64) -> bool {
    piece.address() <= low && high <= piece.address().saturating_add(4 * piece.words().len() as u64)
}

fn write(piece: &Chosen, offset: usize, bytes: &[u8]) {
    let (mut at, mut rest) = (offset, bytes);
    while !rest.is_empty() {
        let Some(word) = piece.words().get(at / 4) else { return };
        let skip = at % 4;
        let count = (4 - skip).min(rest.len());
        let mut whole = word.load(Ordering::Relaxed).to_le_bytes();
        whole[skip..skip + count].copy_from_slice(&rest[..count]);
        word.store(u32::from_le_bytes(whole), Ordering::Relaxed);
        (at, rest) = (at + count, &rest[count..]);
    }
}

fn read(piece: &Chosen, offset: usize, count: usize) -> Vec<u8> {
    let words = piece.words().iter().skip(offset / 4).flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes());
    words.skip(offset % 4).take(count).collect()
}

impl Card for Radv {
    fn arch(&self) -> &'static Arch {
        self.arch
    }

    fn spoilt(&self) {
        self.spoilt.set(true);
    }

    fn users(&self, lanes: u32, waves: u32) -> Result<Users, EngineError> {
        Ok(self.template(lanes, waves)?.users)
    }

    fn place(&self, words: usize) -> Result<u64, EngineError> {
        let device = self.ready()?;
        let mut state = self.state.borrow_mut();
        if let Some(buffer) = state.as_ref().filter(|buffer| buffer.len() >= 4 * words) {
            return Ok(buffer.address());
        }
        state.take();
        let buffer = device.zeroed("state", 4 * words).map_err(|e| self.failed(e))?;
        let address = buffer.address();
        *state = Some(buffer);
        Ok(address)
    }

    fn run(&self, load: Load<'_>) -> Result<Times, EngineError> {
        let device = self.ready()?;
        let injection = load.injection;
        let Layout { lanes, vgprs } = injection.layout;
        let template = self.template(lanes, load.waves)?;
        let address = self.place(load.state.len())?;
        let target = Target::new(self.arch);
        let patch = Patch {
            code: &injection.words,
            behind: if target.generation() >= Gen::Gfx10 { CODE_END } else { NOP },
            rsrc: [
                injection.rsrc1(template.shader.rsrc[0]),
                injection.rsrc2(template.shader.rsrc[1]),
                template.shader.rsrc[2],
            ],
            sgprs: 104,
            vgprs,
            lds: injection.rsrc2(0) >> 15 & 0x1ff,
            scratch_bytes_per_wave: 0,
        };
        let bytes = radv::inject(&template.binary, &patch).map_err(|e| EngineError::Crash {
            device: self.name.clone(),
            doing: "injecting the program",
            reason: e.to_string(),
        })?;
        let failed = |e| self.failed(e);
        let object =
            Object { name: "native", source: Source::Binary(&bytes), push_bytes: PUSH, subgroup_size: Some(lanes) };
        let pipeline = device.object(&object).map_err(failed)?;
        self.exchange(&device, load.memory, false)?;
        let mut state = self.state.borrow_mut();
        let Some(buffer) = state.as_mut() else { return Ok(Times::default()) };
        buffer.write(0, load.state).map_err(failed)?;
        let job = vulkan::Job {
            reach: &[&*buffer],
            push: &address.to_le_bytes(),
            groups: [load.groups, 1, 1],
            timeout: load.timeout,
            ..vulkan::Job::new(&pipeline, &[])
        };
        let times = device.run(&job).map_err(failed)?;
        load.state.copy_from_slice(&buffer.read::<u32>(0, load.state.len()).map_err(failed)?);
        drop(state);
        self.exchange(&device, load.memory, true)?;
        Ok(Times { device: times.device })
    }
}

/// What stands behind code: `s_code_end`, which is no instruction, and before it was there `s_nop 0`.
const CODE_END: u32 = 0xbf9f_0000;
const NOP: u32 = 0xbf80_0000;

impl Template {
    fn read(binary: Vec<u8>) -> Result<Template, String> {
        let shaders = radv::shaders(&binary).map_err(|e| e.to_string())?;
        let shader = shaders.into_iter().next().ok_or("no shader in it")?;
        // Both words of the address stand in registers, behind whatever else.
        let blocks = match (shader.users.inline_push, shader.inline_push) {
            (Some((first, 2)), 3) => first,
            other => return Err(format!("push constants are not in two registers: {other:?}")),
        };
        // The number of the group follows the user registers that RSRC2 counts.
        let group = shader.rsrc[1] >> 1 & 0x1f;
        if shader.rsrc[1] >> 7 & 1 == 0 {
            return Err("it is not given the number of its group".to_owned());
        }
        Ok(Template { users: Users { blocks, group }, shader, binary })
    }
}

/// A shader that stores the number of its group at an address in push constants.
fn shader(items: u32) -> Vec<u32> {
    use spirv::{AddressingModel, Capability, Decoration, ExecutionModel, FunctionControl, MemoryModel, StorageClass};
    let mut b = Builder::new();
    b.set_version(1, 3);
    b.capability(Capability::Shader);
    b.capability(Capability::Int64);
    b.capability(Capability::PhysicalStorageBufferAddresses);
    b.extension("SPV_KHR_physical_storage_buffer");
    b.memory_model(AddressingModel::PhysicalStorageBuffer64, MemoryModel::GLSL450);
    let (void, word, long) = (b.type_void(), b.type_int(32, 0), b.type_int(64, 0));
    let vector = b.type_vector(word, 3);
    let function = b.type_function(void, []);
    let pushed = b.type_struct([word, word]);
    b.decorate(pushed, Decoration::Block, []);
    for n in 0..2 {
        b.member_decorate(pushed, n, Decoration::Offset, [Operand::LiteralBit32(4 * n)]);
    }
    let pushed_pointer = b.type_pointer(None, StorageClass::PushConstant, pushed);
    let word_pointer = b.type_pointer(None, StorageClass::PushConstant, word);
    let input_pointer = b.type_pointer(None, StorageClass::Input, vector);
    let stored = b.type_struct([word]);
    b.decorate(stored, Decoration::Block, []);
    b.member_decorate(stored, 0, Decoration::Offset, [Operand::LiteralBit32(0)]);
    let stored_pointer = b.type_pointer(None, StorageClass::PhysicalStorageBuffer, stored);
    let target_pointer = b.type_pointer(None, StorageClass::PhysicalStorageBuffer, word);
    let push = b.variable(pushed_pointer, None, StorageClass::PushConstant, None);
    let group = b.variable(input_pointer, None, StorageClass::Input, None);
    b.decorate(group, Decoration::BuiltIn, [Operand::BuiltIn(spirv::BuiltIn::WorkgroupId)]);
    let (zero, one) = (b.constant_bit32(word, 0), b.constant_bit32(word, 1));
    let half = b.constant_bit32(word, 32);
    let built = (|| -> Result<u32, rspirv::dr::Error> {
        let main = b.begin_function(void, None, FunctionControl::NONE, function)?;
        b.begin_block(None)?;
        let mut parts = [0; 2];
        for (part, n) in parts.iter_mut().zip([zero, one]) {
            let place = b.access_chain(word_pointer, None, push, [n])?;
            let loaded = b.load(word, None, place, None, [])?;
            *part = b.u_convert(long, None, loaded)?;
        }
        let high = b.shift_left_logical(long, None, parts[1], half)?;
        let address = b.bitwise_or(long, None, parts[0], high)?;
        let pointer = b.convert_u_to_ptr(stored_pointer, None, address)?;
        let ids = b.load(vector, None, group, None, [])?;
        let id = b.composite_extract(word, None, ids, [0])?;
        let place = b.access_chain(target_pointer, None, pointer, [zero])?;
        let aligned = Some(spirv::MemoryAccess::ALIGNED);
        b.store(place, id, aligned, [Operand::LiteralBit32(4)])?;
        b.ret()?;
        b.end_function()?;
        Ok(main)
    })();
    // It is the same every time, and always well formed.
    if let Ok(main) = built {
        b.entry_point(ExecutionModel::GLCompute, main, "main", [group]);
        b.execution_mode(main, spirv::ExecutionMode::LocalSize, [items, 1, 1]);
    }
    b.module().assemble()
}
