//! Copies, fills and updates of buffers.

use super::{Function, digest, noise};
use crate::gpu::{Gpu, Place, barrier};
use crate::stop::Words;
use ash::vk;

pub const ALL: &[Function] = &[
    Function { name: "copy_aligned", needs: &[], run: |gpu| regions(gpu, 4096, &[(0, 64, 1024), (2048, 1536, 512)]) },
    Function { name: "copy_unaligned", needs: &[], run: |gpu| regions(gpu, 4096, &UNALIGNED) },
    Function {
        name: "copy_odd_large",
        needs: &[],
        run: |gpu| regions(gpu, 300_000, &[(1, 3, 150_001), (160_003, 170_002, 99_999)]),
    },
    Function { name: "copy_many_regions", needs: &[], run: many_regions },
    Function { name: "copy_big", needs: &[], run: big },
    Function { name: "copy_to_device_and_back", needs: &[], run: through_device },
    Function { name: "copy_within", needs: &[], run: within },
    Function { name: "copy_chain", needs: &[], run: chain },
    Function { name: "copy2", needs: &[], run: second_form },
    Function { name: "fill", needs: &[], run: fill },
    Function { name: "fill_big", needs: &[], run: fill_big },
    Function { name: "update", needs: &[], run: update },
    Function { name: "update_between_dispatches", needs: &[], run: update_between },
];

/// Where from, where to, how many bytes.
type Region = (u64, u64, u64);

const UNALIGNED: [Region; 8] = [
    (0, 0, 1),
    (1, 2, 3),
    (5, 6, 7),
    (13, 17, 64),
    (100, 101, 255),
    (1001, 1000, 513),
    (2047, 1999, 1021),
    (4095, 4095, 1),
];

fn copy_regions(regions: &[Region]) -> Vec<vk::BufferCopy> {
    regions.iter().map(|(src, dst, size)| vk::BufferCopy { src_offset: *src, dst_offset: *dst, size: *size }).collect()
}

/// Regions of one copy.
fn regions(gpu: &Gpu, bytes: usize, regions: &[Region]) -> Words {
    let (from, to) = (gpu.words(&noise(1, bytes / 4))?, gpu.words(&noise(2, bytes / 4))?);
    let copies = copy_regions(regions);
    gpu.run(|cmd| {
        unsafe { gpu.device.cmd_copy_buffer(cmd, from.handle, to.handle, &copies) };
        barrier(gpu, cmd);
    })?;
    let words = to.read();
    Ok(if words.len() > 2048 { digest(&words) } else { words })
}

fn many_regions(gpu: &Gpu) -> Words {
    let all: Vec<Region> = (0..500).map(|n| (n * 37 % 8000, n * 16, n % 15 + 1)).collect();
    regions(gpu, 8192, &all)
}

fn big(gpu: &Gpu) -> Words {
    let words = 3 << 20;
    regions(gpu, words * 4, &[(0, 0, words as u64 * 2), (words as u64 * 2 + 4, words as u64 * 2, words as u64 * 2 - 4)])
}

/// Through memory that the host does not see.
fn through_device(gpu: &Gpu) -> Words {
    let bytes = 256 << 10;
    let from = gpu.words(&noise(3, bytes / 4))?;
    let (far, farther) = (gpu.buffer(bytes, Place::Device)?, gpu.buffer(bytes, Place::Device)?);
    let to = gpu.zeroes(bytes)?;
    gpu.run(|cmd| {
        for (a, b) in [(&from, &far), (&far, &farther), (&farther, &to)] {
            unsafe { gpu.device.cmd_copy_buffer(cmd, a.handle, b.handle, &copy_regions(&[(0, 0, bytes as u64)])) };
            barrier(gpu, cmd);
        }
    })?;
    Ok(digest(&to.read()))
}

/// From one end of a buffer to the other.
fn within(gpu: &Gpu) -> Words {
    let buffer = gpu.words(&noise(4, 1024))?;
    let copies = copy_regions(&[(0, 2048, 1000), (1003, 3100, 901)]);
    gpu.run(|cmd| {
        unsafe { gpu.device.cmd_copy_buffer(cmd, buffer.handle, buffer.handle, &copies) };
        barrier(gpu, cmd);
    })?;
    Ok(buffer.read())
}

/// A hundred copies that depend on each other, and a step of a shader between them.
fn chain(gpu: &Gpu) -> Words {
    let step = gpu.load("step")?;
    let (b, other) = (step.buffer(0, 0), gpu.zeroes(1024)?);
    gpu.run(|cmd| {
        step.bind(cmd);
        for n in 0..100u64 {
            let shift = n % 7 * 4;
            unsafe {
                gpu.device.cmd_copy_buffer(cmd, b.handle, other.handle, &copy_regions(&[(0, shift, 1024 - shift)]));
                barrier(gpu, cmd);
                gpu.device.cmd_copy_buffer(cmd, other.handle, b.handle, &copy_regions(&[(0, 0, 1024)]));
            }
            barrier(gpu, cmd);
            step.dispatch(cmd, [1; 3]);
            barrier(gpu, cmd);
        }
    })?;
    Ok(step.outputs())
}

/// vkCmdCopyBuffer2.
fn second_form(gpu: &Gpu) -> Words {
    let (from, to) = (gpu.words(&noise(5, 256))?, gpu.zeroes(1024)?);
    let regions = [(0, 16, 128), (333, 500, 99)]
        .map(|(src, dst, size)| vk::BufferCopy2::default().src_offset(src).dst_offset(dst).size(size));
    let info = vk::CopyBufferInfo2::default().src_buffer(from.handle).dst_buffer(to.handle).regions(&regions);
    gpu.run(|cmd| {
        unsafe { gpu.device.cmd_copy_buffer2(cmd, &info) };
        barrier(gpu, cmd);
    })?;
    Ok(to.read())
}

fn fill(gpu: &Gpu) -> Words {
    let buffer = gpu.words(&noise(6, 1024))?;
    gpu.run(|cmd| unsafe {
        gpu.device.cmd_fill_buffer(cmd, buffer.handle, 0, 4, 0x0102_0304);
        gpu.device.cmd_fill_buffer(cmd, buffer.handle, 12, 1000, 0xdead_beef);
        gpu.device.cmd_fill_buffer(cmd, buffer.handle, 3000, vk::WHOLE_SIZE, 7);
        barrier(gpu, cmd);
    })?;
    Ok(buffer.read())
}

fn fill_big(gpu: &Gpu) -> Words {
    let buffer = gpu.words(&noise(7, 1 << 20))?;
    gpu.run(|cmd| unsafe {
        gpu.device.cmd_fill_buffer(cmd, buffer.handle, 20, 3 << 20, 0x5555_aaaa);
        barrier(gpu, cmd);
        gpu.device.cmd_fill_buffer(cmd, buffer.handle, 1 << 20, 100_004, 1);
        barrier(gpu, cmd);
    })?;
    Ok(digest(&buffer.read()))
}

/// The most that one update may hold, and small ones at both ends.
fn update(gpu: &Gpu) -> Words {
    let buffer = gpu.zeroes(70_000)?;
    let bytes = crate::unit::random("u32", 8, 65536);
    gpu.run(|cmd| unsafe {
        gpu.device.cmd_update_buffer(cmd, buffer.handle, 1000, &bytes);
        gpu.device.cmd_update_buffer(cmd, buffer.handle, 0, &bytes[..4]);
        gpu.device.cmd_update_buffer(cmd, buffer.handle, 69_900, &bytes[..100]);
        barrier(gpu, cmd);
    })?;
    Ok(digest(&buffer.read()))
}

/// Words that are set between dispatches which read them.
fn update_between(gpu: &Gpu) -> Words {
    let step = gpu.load("step")?;
    gpu.run(|cmd| {
        step.bind(cmd);
        for n in 0..20u32 {
            let words = (n * 3).to_le_bytes();
            unsafe { gpu.device.cmd_update_buffer(cmd, step.buffer(0, 0).handle, u64::from(n) * 48, &words) };
            barrier(gpu, cmd);
            step.dispatch(cmd, [1; 3]);
            barrier(gpu, cmd);
        }
    })?;
    Ok(step.outputs())
}
