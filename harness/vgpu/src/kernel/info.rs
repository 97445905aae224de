//! The INFO ioctl: what a device says of itself.
//!
//! Drivers need little of it to be true: which chip it is, that it has engines and clocks, and
//! where addresses lie. The rest is zero, and every card is a small one.

use super::abi::Info;
use super::device::Device;
use super::object::Heap;
use super::submit::{COMPUTE_RINGS, MOST_IBS};
use super::{Answer, user};
use rustix::io::Errno;
use wavediff::isa::Target;
use wavediff::memory::image;
use wavediff::memory::image::tiling::Registers;

/// Compute units of every virtual card.
const UNITS: u32 = 4;
/// The most registers that are read at once.
const MOST_REGISTERS: u32 = 128;

/// Answers a query.
pub(crate) fn info(device: &Device, info: &Info) -> Answer<()> {
    if info.size == 0 || info.answer == 0 {
        return Err(Errno::INVAL);
    }
    let answer = answer(device, info)?;
    user::write(info.answer, &answer[..answer.len().min(info.size as usize)])
}

fn answer(device: &Device, info: &Info) -> Answer<Vec<u8>> {
    let word = |value: u32| Ok(value.to_le_bytes().to_vec());
    let double = |value: u64| Ok(value.to_le_bytes().to_vec());
    let size = device.budget.size;
    match info.query {
        // ACCEL_WORKING
        0x00 => word(1),
        0x02 => hw_ip(device, info.arguments[0]),
        0x03 => word(u32::from(hw_ip(device, info.arguments[0])?[24..28] != [0; 4])),
        // TIMESTAMP
        0x05 => double(device.card.now()),
        // FW_VERSION: version and feature
        0x0e => double(0),
        // Counters: bytes moved, evictions, CPU page faults, RAS features
        0x0f | 0x18 | 0x1e | 0x20 => double(0),
        // VRAM_USAGE, VIS_VRAM_USAGE, GTT_USAGE
        0x10 | 0x17 => double(device.budget.used(Heap::Vram)),
        0x11 => double(device.budget.used(Heap::Gtt)),
        // GDS_CONFIG
        0x13 => Ok(vec![0; 32]),
        // VRAM_GTT
        0x14 => Ok([size, size, size].iter().flat_map(|v| v.to_le_bytes()).collect()),
        // READ_MMR_REG
        0x15 if info.arguments[1] <= MOST_REGISTERS => {
            let [first, count, ..] = info.arguments;
            let registers = (first..first.saturating_add(count)).flat_map(|n| register(device, n).to_le_bytes());
            Ok(registers.collect())
        }
        0x16 => Ok(dev_info(device)),
        0x19 => Ok(memory(device)),
        // SENSOR, VRAM_LOST_COUNTER
        0x1d | 0x1f => word(0),
        // VIDEO_CAPS
        0x21 => Ok(vec![0; 192]),
        0x22 => Ok((MOST_IBS as u32).to_le_bytes().repeat(10)),
        // GPUVM_FAULT: address, status, hub
        0x23 => Ok(vec![0; 16]),
        query => {
            super::note(&format!("query {query:#x} is not known"));
            Err(Errno::INVAL)
        }
    }
}

/// A register that says how the memory of images is divided, as the emulator takes it; all others are 0.
fn register(device: &Device, number: u32) -> u32 {
    let target = Target::new(device.chip.arch());
    let Registers { config, tiles, macros, memory } = image::chip(&target).registers();
    match number {
        0x09d8 => memory,
        0x263e => config,
        0x2644..0x2664 => tiles[number as usize - 0x2644],
        0x2664..0x2674 => macros[number as usize - 0x2664],
        _ => 0,
    }
}

/// HW_IP_INFO: version, alignments, rings.
fn hw_ip(device: &Device, ip: u32) -> Answer<Vec<u8>> {
    let [major, minor, _] = device.chip.gfx;
    let (version, rings, discovery) = match ip {
        0 => ([major, minor], 1, device.chip.discovery()),
        1 => ([major, minor], (1 << COMPUTE_RINGS) - 1, device.chip.discovery()),
        2 if device.sdma => ([sdma_version(major), 0], 1, 0),
        2..=9 => ([0, 0], 0, 0),
        _ => return Err(Errno::INVAL),
    };
    Ok([version[0], version[1], 0, 0, 32, 32, rings, discovery].iter().flat_map(|v: &u32| v.to_le_bytes()).collect())
}

/// Of the copy engine beside a graphics engine.
fn sdma_version(gfx: u32) -> u32 {
    match gfx {
        ..=6 => 1,
        7 => 2,
        8 => 3,
        9 => 4,
        10 => 5,
        11 => 6,
        _ => 7,
    }
}

/// Three heaps: total, usable, used, largest.
fn memory(device: &Device) -> Vec<u8> {
    let size = device.budget.size;
    let heap = |heap| [size, size, device.budget.used(heap), size];
    let all = [heap(Heap::Vram), heap(Heap::Vram), heap(Heap::Gtt)];
    all.iter().flatten().flat_map(|v| v.to_le_bytes()).collect()
}

/// DEV_INFO.
fn dev_info(device: &Device) -> Vec<u8> {
    let chip = device.chip;
    let mut answer = vec![0; 440];
    let (high, high_end) = chip.high_addresses();
    #[rustfmt::skip] // One field, one line.
    let words = [
        (0,   chip.device),
        (8,   chip.revision),
        (16,  chip.family),
        (20,  1), // shader engines
        (24,  1), // shader arrays of an engine
        (28,  chip.clock_khz),
        (48,  UNITS),
        (56,  (1 << UNITS) - 1), // which units of the first array
        (120, 1), // render back ends: which
        (124, 1), // how many
        (128, 8), // hardware contexts
        (136, u32::from(chip.apu)), // flags
        (160, 4096), // alignment of addresses
        (164, 0x20_0000), // fragment of a page table
        (168, 4096), // page
        (176, 9), // kind of memory
        (180, 256), // its width
        (240, 64), // lanes of a wave
        (244, chip.vector_registers()), // vector registers of a SIMD
        (248, UNITS), // units of an array
        (252, 4), // cache channels
    ];
    #[rustfmt::skip]
    let doubles = [
        (32,  1_000_000), // kHz of the engine
        (40,  1_000_000), // kHz of the memory
        (144, 0x20_0000), // the first address
        (152, chip.address_end()),
        (336, high),
        (344, high_end),
    ];
    // KiB of caches, which tell how large the buffers of the graphics engine have to be; before
    // gfx11 tables of the driver's own do.
    let caches = [(384, 32), (388, 1), (392, 16), (396, 32), (400, 256), (404, 4096)];
    let caches = if chip.gfx[0] < 11 { &[][..] } else { &caches[..] };
    for (at, value) in words.into_iter().chain(caches.iter().copied()) {
        answer[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
    }
    for (at, value) in doubles {
        answer[at..at + 8].copy_from_slice(&u64::to_le_bytes(value));
    }
    answer
}
