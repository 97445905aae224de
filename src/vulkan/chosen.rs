//! Memory at an address of the caller's choice.
//!
//! Drivers that can repeat a run let buffers be asked for where they were before. Where they were is, with a driver whose
//! addresses are plain numbers, any place that is free. What comes back is compared with what was asked for.

use super::device::{Device, Health, Inner};
use super::error::Error;
use ash::vk;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

/// A buffer with memory of its own, which host and device both see.
pub struct Chosen {
    device: Arc<Inner>,
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    words: NonNull<AtomicU32>,
    count: usize,
    address: u64,
}

// SAFETY: mapped memory belongs to no thread, and its words are atomics.
unsafe impl Send for Chosen {}

const DOING: &str = "asking for memory at an address";

impl Device {
    /// Memory of zeroes at an address.
    ///
    /// # Errors
    /// The device cannot do that, or something is there already.
    pub fn chosen(&self, address: u64, len: usize) -> Result<Chosen, Error> {
        let device = &self.inner;
        device.alive(DOING)?;
        if !device.caps.memory.chosen_addresses {
            let needs = "memory at addresses that are asked for".to_owned();
            return Err(Error::Missing { device: device.caps.name.clone(), needs });
        }
        let mut chosen = Chosen {
            device: device.clone(),
            buffer: vk::Buffer::null(),
            memory: vk::DeviceMemory::null(),
            words: NonNull::dangling(),
            count: 0,
            address,
        };
        let raw = &device.raw;
        let mut place = vk::BufferOpaqueCaptureAddressCreateInfo::default().opaque_capture_address(address);
        let info = vk::BufferCreateInfo::default()
            .flags(vk::BufferCreateFlags::DEVICE_ADDRESS_CAPTURE_REPLAY)
            .size(len.max(4).next_multiple_of(4) as u64)
            .usage(vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS)
            .push_next(&mut place);
        // SAFETY: the device lives. What is made is kept in `chosen`, which destroys it if a later step fails.
        let requirements = unsafe {
            chosen.buffer = raw.create_buffer(&info, None).map_err(Error::of(DOING))?;
            raw.get_buffer_memory_requirements(chosen.buffer)
        };
        let kind = device.seen_by_both(requirements.memory_type_bits).ok_or_else(|| Error::Memory {
            doing: DOING,
            reason: "no memory that host and device both see".to_owned(),
        })?;
        let mut flags = vk::MemoryAllocateFlagsInfo::default()
            .flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS | vk::MemoryAllocateFlags::DEVICE_ADDRESS_CAPTURE_REPLAY);
        let mut place = vk::MemoryOpaqueCaptureAddressAllocateInfo::default().opaque_capture_address(address);
        let info = vk::MemoryAllocateInfo::default()
            .allocation_size(requirements.size)
            .memory_type_index(kind)
            .push_next(&mut flags)
            .push_next(&mut place);
        let refused = |result: vk::Result| Error::Memory {
            doing: DOING,
            reason: format!("{len} bytes at {address:#x}: {result}"),
        };
        // SAFETY: as above; the memory is of a type that the buffer allows, large enough, bound once and mapped once.
        unsafe {
            chosen.memory = raw.allocate_memory(&info, None).map_err(refused)?;
            raw.bind_buffer_memory(chosen.buffer, chosen.memory, 0).map_err(Error::of(DOING))?;
            let mapped = raw.map_memory(chosen.memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty());
            let mapped = mapped.map_err(Error::of(DOING))?;
            chosen.words = NonNull::new(mapped.cast()).unwrap_or(NonNull::dangling());
        }
        chosen.count = len.div_ceil(4);
        let got = device.address(&vk::BufferDeviceAddressInfo::default().buffer(chosen.buffer));
        if got != address {
            return Err(Error::Memory { doing: DOING, reason: format!("{len} bytes at {address:#x} lie at {got:#x}") });
        }
        Ok(chosen)
    }
}

impl Inner {
    /// A type of memory that the host sees without further ado; the device's own, where there is such.
    fn seen_by_both(&self, types: u32) -> Option<u32> {
        let memory = self.memory_types();
        let host = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let cached = host | vk::MemoryPropertyFlags::HOST_CACHED;
        let find = |wanted: vk::MemoryPropertyFlags| {
            (0..memory.len() as u32)
                .find(|n| types >> n & 1 == 1 && memory[*n as usize].property_flags.contains(wanted))
        };
        find(cached).or_else(|| find(host))
    }
}

impl Chosen {
    /// Where it lies.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Its words. The device may change them while it runs.
    #[must_use]
    pub fn words(&self) -> &[AtomicU32] {
        // SAFETY: so many words are mapped for as long as this lives, and nobody on the host touches them but by atomics.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr(), self.count) }
    }
}

impl Drop for Chosen {
    fn drop(&mut self) {
        if self.device.health() == Health::Hung {
            return;
        }
        // SAFETY: no run uses it: runs borrow what they reach until the device is done. Vulkan ignores handles that are null, and
        // memory that goes is unmapped.
        unsafe {
            self.device.raw.destroy_buffer(self.buffer, None);
            self.device.raw.free_memory(self.memory, None);
        }
    }
}
