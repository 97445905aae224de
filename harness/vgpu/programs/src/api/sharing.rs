//! Memory that leaves the device as a file descriptor and comes back; two instances.

use super::{Function, noise};
use crate::gpu::{Gpu, barrier};
use crate::stop::{Call, Done, Words};
use ash::vk;
use std::os::fd::RawFd;

pub const ALL: &[Function] = &[
    Function { name: "share_fd", needs: &["VK_KHR_external_memory_fd"], run: |gpu| fd(gpu, gpu) },
    Function { name: "share_fd_between_instances", needs: &["VK_KHR_external_memory_fd"], run: between },
    Function { name: "share_instances", needs: &[], run: instances },
    Function { name: "share_devices_come_and_go", needs: &[], run: come_and_go },
];

const HANDLE: vk::ExternalMemoryHandleTypeFlags = vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD;
const BYTES: u64 = 65536;

/// A buffer whose memory is exported, or imported.
fn outside(gpu: &Gpu, fd: Option<RawFd>) -> Done<(vk::Buffer, vk::DeviceMemory)> {
    let mut external = vk::ExternalMemoryBufferCreateInfo::default().handle_types(HANDLE);
    let usage = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
    let info = vk::BufferCreateInfo::default().size(BYTES).usage(usage).push_next(&mut external);
    let buffer = unsafe { gpu.device.create_buffer(&info, None) }.call("vkCreateBuffer")?;
    let needs = unsafe { gpu.device.get_buffer_memory_requirements(buffer) };
    let ty = gpu.memory_type(needs.memory_type_bits, vk::MemoryPropertyFlags::empty())?;
    let mut export = vk::ExportMemoryAllocateInfo::default().handle_types(HANDLE);
    let mut import = vk::ImportMemoryFdInfoKHR::default().handle_type(HANDLE).fd(fd.unwrap_or(-1));
    let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(ty);
    let info = if fd.is_some() { info.push_next(&mut import) } else { info.push_next(&mut export) };
    let memory = unsafe { gpu.device.allocate_memory(&info, None) }.call("vkAllocateMemory")?;
    unsafe { gpu.device.bind_buffer_memory(buffer, memory, 0) }.call("vkBindBufferMemory")?;
    Ok((buffer, memory))
}

fn copy(gpu: &Gpu, from: vk::Buffer, to: vk::Buffer) -> Done<()> {
    gpu.run(|cmd| {
        let region = vk::BufferCopy { src_offset: 0, dst_offset: 0, size: BYTES };
        unsafe { gpu.device.cmd_copy_buffer(cmd, from, to, &[region]) };
        barrier(gpu, cmd);
    })
}

/// Written through one buffer, read through another that came from its descriptor; and the other way round.
fn fd(gpu: &Gpu, other: &Gpu) -> Words {
    let (buffer, memory) = outside(gpu, None)?;
    let info = vk::MemoryGetFdInfoKHR::default().memory(memory).handle_type(HANDLE);
    let fd = unsafe { gpu.memory_fd().get_memory_fd(&info) }.call("vkGetMemoryFdKHR")?;
    let (again, same) = outside(other, Some(fd))?;
    let (from, to) = (gpu.words(&noise(96, BYTES as usize / 4))?, other.zeroes(BYTES as usize)?);
    copy(gpu, from.handle, buffer)?;
    copy(other, again, to.handle)?;
    let mut words = super::digest(&to.read());
    let (from, to) = (other.words(&noise(97, BYTES as usize / 4))?, gpu.zeroes(BYTES as usize)?);
    copy(other, from.handle, again)?;
    copy(gpu, buffer, to.handle)?;
    words.extend(super::digest(&to.read()));
    unsafe {
        // The exporter goes first: what came from it stays.
        gpu.device.destroy_buffer(buffer, None);
        gpu.device.free_memory(memory, None);
    }
    let to = other.zeroes(BYTES as usize)?;
    copy(other, again, to.handle)?;
    words.extend(super::digest(&to.read()));
    unsafe {
        other.device.destroy_buffer(again, None);
        other.device.free_memory(same, None);
    }
    Ok(words)
}

fn between(gpu: &Gpu) -> Words {
    let other = Gpu::open(gpu.choice)?;
    fd(gpu, &other)
}

/// Two instances with devices of their own, alive at the same time.
fn instances(gpu: &Gpu) -> Words {
    let other = Gpu::open(gpu.choice)?;
    let (a, b) = (gpu.load("step")?, other.load("step")?);
    let mut words = Vec::new();
    for _ in 0..3 {
        words.extend(a.run()?);
        words.extend(b.run()?);
        b.run()?;
    }
    Ok(words)
}

/// Five devices, one after the other; the first stays all the time.
fn come_and_go(gpu: &Gpu) -> Words {
    let mut words = gpu.load("step")?.run()?;
    for _ in 0..5 {
        let other = Gpu::open(gpu.choice)?;
        words.extend(&other.load("add")?.run()?[..4]);
    }
    words.extend(gpu.load("step")?.run()?);
    Ok(words)
}
