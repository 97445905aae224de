//! Memory: the host's own, mappings that last, many small pieces, sparse binding, budgets, ends of buffers.

use super::{Function, noise};
use crate::gpu::{Choice, Gpu, barrier};
use crate::stop::{Call, Done, Words, law};
use ash::{ext, vk};

pub const ALL: &[Function] = &[
    Function { name: "memory_of_host", needs: &["VK_EXT_external_memory_host"], run: of_host },
    Function { name: "memory_pieces", needs: &[], run: pieces },
    Function { name: "memory_shared_by_buffers", needs: &[], run: shared },
    Function { name: "memory_budget", needs: &["VK_EXT_memory_budget"], run: budget },
    Function { name: "memory_every_type", needs: &[], run: every_type },
    Function { name: "memory_sparse", needs: &["sparse_binding"], run: sparse },
    Function { name: "memory_sparse_holes", needs: HOLES, run: |gpu| sparse_holes(gpu, false) },
    Function { name: "memory_sparse_holes_written", needs: HOLES, run: |gpu| sparse_holes(gpu, true) },
    Function { name: "memory_robust", needs: &["robust_buffer_access2"], run: robust },
];

const HOLES: &[&str] = &["sparse_binding", "sparse_residency_buffer", "residency_non_resident_strict"];

const PAGE: usize = 65536;

/// A buffer without memory.
fn bare(
    gpu: &Gpu,
    bytes: u64,
    flags: vk::BufferCreateFlags,
    external: Option<vk::ExternalMemoryHandleTypeFlags>,
) -> Done<vk::Buffer> {
    let usage =
        vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
    let mut outside = vk::ExternalMemoryBufferCreateInfo::default();
    let mut info = vk::BufferCreateInfo::default().size(bytes).usage(usage).flags(flags);
    if let Some(types) = external {
        outside = outside.handle_types(types);
        info = info.push_next(&mut outside);
    }
    unsafe { gpu.device.create_buffer(&info, None) }.call("vkCreateBuffer")
}

fn allocate(gpu: &Gpu, bytes: u64, ty: u32) -> Done<vk::DeviceMemory> {
    let info = vk::MemoryAllocateInfo::default().allocation_size(bytes).memory_type_index(ty);
    unsafe { gpu.device.allocate_memory(&info, None) }.call("vkAllocateMemory")
}

/// One copy of a region.
fn copy(gpu: &Gpu, from: vk::Buffer, to: vk::Buffer, (src, dst, size): (u64, u64, u64)) -> Done<()> {
    gpu.run(|cmd| {
        let region = vk::BufferCopy { src_offset: src, dst_offset: dst, size };
        unsafe { gpu.device.cmd_copy_buffer(cmd, from, to, &[region]) };
        barrier(gpu, cmd);
    })
}

/// Pages of the program itself become memory of the device: read and written by copies.
fn of_host(gpu: &Gpu) -> Words {
    let handle = vk::ExternalMemoryHandleTypeFlags::HOST_ALLOCATION_EXT;
    let layout = std::alloc::Layout::from_size_align(PAGE, PAGE).expect("a layout");
    // SAFETY: the size is not zero.
    let pages = unsafe { std::alloc::alloc_zeroed(layout) };
    let all = unsafe { std::slice::from_raw_parts_mut(pages.cast::<u32>(), PAGE / 4) };
    all.copy_from_slice(&noise(91, PAGE / 4));
    let functions = ext::external_memory_host::Device::new(&gpu.instance, &gpu.device);
    let mut properties = vk::MemoryHostPointerPropertiesEXT::default();
    let ask = functions.fp().get_memory_host_pointer_properties_ext;
    unsafe { ask(gpu.device.handle(), handle, pages.cast(), &mut properties) }
        .result()
        .call("vkGetMemoryHostPointerPropertiesEXT")?;
    let buffer = bare(gpu, PAGE as u64, vk::BufferCreateFlags::empty(), Some(handle))?;
    let needs = unsafe { gpu.device.get_buffer_memory_requirements(buffer) };
    let ty =
        gpu.memory_type(properties.memory_type_bits & needs.memory_type_bits, vk::MemoryPropertyFlags::HOST_VISIBLE)?;
    let mut import = vk::ImportMemoryHostPointerInfoEXT::default().handle_type(handle).host_pointer(pages.cast());
    let info =
        vk::MemoryAllocateInfo::default().allocation_size(PAGE as u64).memory_type_index(ty).push_next(&mut import);
    let memory = unsafe { gpu.device.allocate_memory(&info, None) }.call("vkAllocateMemory")?;
    unsafe { gpu.device.bind_buffer_memory(buffer, memory, 0) }.call("vkBindBufferMemory")?;
    let step = gpu.load("step")?;
    copy(gpu, buffer, step.buffer(0, 0).handle, (4096, 0, 1024))?;
    step.run()?;
    copy(gpu, step.buffer(0, 0).handle, buffer, (0, 20_000, 1000))?;
    let words = all[4900..5400].to_vec();
    unsafe {
        gpu.device.destroy_buffer(buffer, None);
        gpu.device.free_memory(memory, None);
        std::alloc::dealloc(pages, layout);
    }
    Ok(words)
}

/// Three hundred buffers come and go; those that stay keep what they hold.
fn pieces(gpu: &Gpu) -> Words {
    let mut all = Vec::new();
    for n in 0..300u32 {
        let bytes = 4 + n as usize * 733 % 9000 / 4 * 4;
        let buffer = gpu.filled(&crate::unit::random("u32", n, bytes))?;
        if n % 3 == 0 {
            all.push(buffer);
        }
    }
    let sum = gpu.zeroes(all.len() * 4)?;
    gpu.run(|cmd| {
        for (n, buffer) in (0u64..).zip(&all) {
            let region = vk::BufferCopy { src_offset: buffer.bytes as u64 - 4, dst_offset: n * 4, size: 4 };
            unsafe { gpu.device.cmd_copy_buffer(cmd, buffer.handle, sum.handle, &[region]) };
        }
        barrier(gpu, cmd);
    })?;
    Ok(sum.read())
}

/// Several buffers in one piece of memory, two of them at the same place.
fn shared(gpu: &Gpu) -> Words {
    let flags = vk::BufferCreateFlags::empty();
    let buffers = (0..4).map(|_| bare(gpu, 4096, flags, None)).collect::<Done<Vec<_>>>()?;
    let needs = unsafe { gpu.device.get_buffer_memory_requirements(buffers[0]) };
    let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
    let memory = allocate(gpu, 65536, gpu.memory_type(needs.memory_type_bits, wanted)?)?;
    for (n, buffer) in buffers.iter().enumerate() {
        let at = [0, 8192, 16384, 8192][n] as u64;
        unsafe { gpu.device.bind_buffer_memory(*buffer, memory, at) }.call("vkBindBufferMemory")?;
    }
    let from = gpu.words(&noise(92, 1024))?;
    copy(gpu, from.handle, buffers[0], (0, 0, 4096))?;
    copy(gpu, buffers[0], buffers[1], (100, 8, 2000))?;
    copy(gpu, buffers[3], buffers[2], (0, 0, 4096))?;
    let (offset, size) = (8192, 16384);
    let mapped =
        unsafe { gpu.device.map_memory(memory, offset, size, vk::MemoryMapFlags::empty()) }.call("vkMapMemory")?;
    let words = unsafe { std::slice::from_raw_parts(mapped.cast::<u32>(), 4096) };
    let words = [&words[..500], &words[2048..2548]].concat();
    unsafe {
        gpu.device.unmap_memory(memory);
        buffers.iter().for_each(|buffer| gpu.device.destroy_buffer(*buffer, None));
        gpu.device.free_memory(memory, None);
    }
    // What nobody wrote holds anything.
    Ok([&words[2..500], &words[502..1000]].concat())
}

/// Budgets are not larger than heaps, and use grows when memory is taken.
fn budget(gpu: &Gpu) -> Words {
    let ask = || {
        let mut budget = vk::PhysicalDeviceMemoryBudgetPropertiesEXT::default();
        let mut all = vk::PhysicalDeviceMemoryProperties2::default().push_next(&mut budget);
        unsafe { gpu.instance.get_physical_device_memory_properties2(gpu.physical, &mut all) };
        let heaps = all.memory_properties.memory_heap_count as usize;
        let sizes: Vec<u64> = all.memory_properties.memory_heaps[..heaps].iter().map(|heap| heap.size).collect();
        (sizes, budget.heap_budget[..heaps].to_vec(), budget.heap_usage[..heaps].to_vec())
    };
    let (sizes, budgets, _) = ask();
    law(sizes.iter().zip(&budgets).all(|(size, budget)| budget <= size && *budget > 0), || {
        format!("{sizes:?} {budgets:?}")
    })?;
    let buffer = gpu.zeroes(16 << 20)?;
    let (_, _, used) = ask();
    law(used.iter().any(|bytes| *bytes >= 16 << 20), || format!("16 MiB are taken, and used are {used:?}"))?;
    Ok(vec![buffer.word(77)])
}

/// A buffer of every type of memory that allows it goes through a copy there and back.
fn every_type(gpu: &Gpu) -> Words {
    let from = gpu.words(&noise(93, 1024))?;
    let mut sums = Vec::new();
    for (ty, properties) in (0u32..).zip(gpu.memory.memory_types_as_slice()) {
        let special = vk::MemoryPropertyFlags::PROTECTED | vk::MemoryPropertyFlags::LAZILY_ALLOCATED;
        // Memory that is coherent on the device must be asked for by name.
        let amd = vk::MemoryPropertyFlags::DEVICE_COHERENT_AMD | vk::MemoryPropertyFlags::DEVICE_UNCACHED_AMD;
        let buffer = bare(gpu, 4096, vk::BufferCreateFlags::empty(), None)?;
        let needs = unsafe { gpu.device.get_buffer_memory_requirements(buffer) };
        if needs.memory_type_bits >> ty & 1 == 1 && !properties.property_flags.intersects(special | amd) {
            let (memory, to) = (allocate(gpu, needs.size, ty)?, gpu.zeroes(4096)?);
            unsafe { gpu.device.bind_buffer_memory(buffer, memory, 0) }.call("vkBindBufferMemory")?;
            copy(gpu, from.handle, buffer, (0, 0, 4096))?;
            copy(gpu, buffer, to.handle, (0, 0, 4096))?;
            sums.push(to.read());
            unsafe { gpu.device.free_memory(memory, None) };
        }
        unsafe { gpu.device.destroy_buffer(buffer, None) };
    }
    let expected = from.read();
    law(!sums.is_empty() && sums.iter().all(|sum| *sum == expected), || {
        "a type of memory loses what is copied".to_owned()
    })?;
    Ok(super::digest(&expected))
}

/// Binds parts of a buffer to places of memory: (part, place) in pages; no place: nothing lies there.
fn bind(gpu: &Gpu, buffer: vk::Buffer, memory: vk::DeviceMemory, page: u64, parts: &[(u64, Option<u64>)]) -> Done<()> {
    let Some(queue) = gpu.sparse else {
        return Err(crate::stop::Stop::Failed("no queue binds sparse memory".to_owned()));
    };
    let binds: Vec<vk::SparseMemoryBind> = parts
        .iter()
        .map(|(part, place)| {
            let bind = vk::SparseMemoryBind::default().resource_offset(part * page).size(page);
            place.map_or(bind, |place| bind.memory(memory).memory_offset(place * page))
        })
        .collect();
    let buffers = [vk::SparseBufferMemoryBindInfo::default().buffer(buffer).binds(&binds)];
    let info = vk::BindSparseInfo::default().buffer_binds(&buffers);
    let fence = gpu.fence()?;
    unsafe { gpu.device.queue_bind_sparse(queue.queue, &[info], fence) }.call("vkQueueBindSparse")?;
    gpu.wait(&[fence])?;
    unsafe { gpu.device.destroy_fence(fence, None) };
    Ok(())
}

/// A buffer whose pages lie in another order than memory, and then in a third one.
fn sparse(gpu: &Gpu) -> Words {
    let buffer = bare(gpu, 4 * PAGE as u64, vk::BufferCreateFlags::SPARSE_BINDING, None)?;
    let needs = unsafe { gpu.device.get_buffer_memory_requirements(buffer) };
    let page = needs.alignment.max(PAGE as u64);
    let memory = allocate(gpu, 4 * page, gpu.memory_type(needs.memory_type_bits, vk::MemoryPropertyFlags::empty())?)?;
    let (from, to) = (gpu.words(&noise(94, PAGE))?, gpu.zeroes(8 * PAGE)?);
    let parts = needs.size.div_ceil(page).min(4);
    law(parts == 4, || format!("pages of {page} bytes"))?;
    bind(gpu, buffer, memory, page, &[(0, Some(3)), (1, Some(0)), (2, Some(1)), (3, Some(2))])?;
    copy(gpu, from.handle, buffer, (0, 0, 4 * PAGE as u64))?;
    copy(gpu, buffer, to.handle, (0, 0, 4 * PAGE as u64))?;
    bind(gpu, buffer, memory, page, &[(0, Some(2)), (1, Some(3)), (2, Some(0)), (3, Some(1))])?;
    copy(gpu, buffer, to.handle, (0, 4 * PAGE as u64, 4 * PAGE as u64))?;
    unsafe {
        gpu.device.destroy_buffer(buffer, None);
        gpu.device.free_memory(memory, None);
    }
    Ok(super::digest(&to.read()))
}

/// A buffer with holes: they read as zero, and what is written there is lost. Checked by the program: lavapipe does not say that
/// holes read as zero.
fn sparse_holes(gpu: &Gpu, written: bool) -> Words {
    let flags = vk::BufferCreateFlags::SPARSE_BINDING | vk::BufferCreateFlags::SPARSE_RESIDENCY;
    let buffer = bare(gpu, 4 * PAGE as u64, flags, None)?;
    let needs = unsafe { gpu.device.get_buffer_memory_requirements(buffer) };
    let page = needs.alignment.max(PAGE as u64);
    law(needs.size.div_ceil(page) >= 4, || format!("pages of {page} bytes"))?;
    let memory = allocate(gpu, 2 * page, gpu.memory_type(needs.memory_type_bits, vk::MemoryPropertyFlags::empty())?)?;
    let (from, to) = (gpu.words(&noise(95, PAGE))?, gpu.zeroes(8 * PAGE)?);
    bind(gpu, buffer, memory, page, &[(0, Some(0)), (2, Some(1))])?;
    let size = PAGE as u64;
    let parts: &[(u64, u64, u64)] =
        if written { &[(0, 0, 4 * size)] } else { &[(0, 0, size), (2 * size, 2 * size, size)] };
    parts.iter().try_for_each(|part| copy(gpu, from.handle, buffer, *part))?;
    copy(gpu, buffer, to.handle, (0, 0, 4 * PAGE as u64))?;
    bind(gpu, buffer, memory, page, &[(0, None), (3, Some(0))])?;
    copy(gpu, buffer, to.handle, (0, 4 * PAGE as u64, 4 * PAGE as u64))?;
    unsafe {
        gpu.device.destroy_buffer(buffer, None);
        gpu.device.free_memory(memory, None);
    }
    let (all, got, words) = (from.read(), to.read(), PAGE / 4);
    let expected = [Some(0), None, Some(2), None, None, None, Some(2), Some(0)];
    for (n, (part, from)) in got.chunks(words).zip(expected).enumerate() {
        let holds = from.map_or_else(|| vec![0; words], |n| all[n * words..(n + 1) * words].to_vec());
        law(part == holds, || format!("page {n} holds {:08x} ..., and should {:08x} ...", part[0], holds[0]))?;
    }
    Ok(vec![1])
}

/// A device of its own that checks ends of buffers.
fn robust(gpu: &Gpu) -> Words {
    let own = Gpu::open(Choice { robust: true, ..gpu.choice })?;
    own.load("behind")?.run()
}
