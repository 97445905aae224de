//! Buffers with memory of their own.

use super::Gpu;
use crate::stop::{Call, Done, Stop};
use ash::vk;
use std::ptr::NonNull;

/// Where a buffer lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Where the host sees it, all the time.
    Host,
    /// On the device; the host sees it by copies alone.
    Device,
}

/// A buffer with memory of its own.
pub struct Buffer<'g> {
    gpu: &'g Gpu,
    pub handle: vk::Buffer,
    pub memory: vk::DeviceMemory,
    pub bytes: usize,
    mapped: Option<NonNull<u8>>,
}

/// Whatever a buffer can be used for.
const ANY: vk::BufferUsageFlags = vk::BufferUsageFlags::from_raw(
    vk::BufferUsageFlags::TRANSFER_SRC.as_raw()
        | vk::BufferUsageFlags::TRANSFER_DST.as_raw()
        | vk::BufferUsageFlags::UNIFORM_BUFFER.as_raw()
        | vk::BufferUsageFlags::STORAGE_BUFFER.as_raw()
        | vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER.as_raw()
        | vk::BufferUsageFlags::STORAGE_TEXEL_BUFFER.as_raw()
        | vk::BufferUsageFlags::INDIRECT_BUFFER.as_raw(),
);

impl Gpu {
    /// How a buffer can be used on this device.
    pub fn usage(&self) -> vk::BufferUsageFlags {
        let mut usage = ANY;
        if self.has("buffer_device_address") {
            usage |= vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        }
        if self.has("conditional_rendering") {
            usage |= vk::BufferUsageFlags::CONDITIONAL_RENDERING_EXT;
        }
        usage
    }

    /// The first type of memory that is allowed and has all properties.
    pub fn memory_type(&self, allowed: u32, wanted: vk::MemoryPropertyFlags) -> Done<u32> {
        let types = self.memory.memory_types_as_slice();
        (0u32..)
            .zip(types)
            .find(|(n, ty)| allowed >> n & 1 == 1 && ty.property_flags.contains(wanted))
            .map(|(n, _)| n)
            .ok_or_else(|| Stop::Failed(format!("no memory is {wanted:?}")))
    }

    /// A buffer of zeroes where the host sees it.
    pub fn zeroes(&self, bytes: usize) -> Done<Buffer<'_>> {
        let buffer = self.buffer(bytes, Place::Host)?;
        buffer.write(0, &vec![0; bytes]);
        Ok(buffer)
    }

    /// A buffer with contents where the host sees it.
    pub fn filled(&self, bytes: &[u8]) -> Done<Buffer<'_>> {
        let buffer = self.buffer(bytes.len(), Place::Host)?;
        buffer.write(0, bytes);
        Ok(buffer)
    }

    /// A buffer of words where the host sees it.
    pub fn words(&self, words: &[u32]) -> Done<Buffer<'_>> {
        self.filled(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
    }

    /// A buffer.
    pub fn buffer(&self, bytes: usize, place: Place) -> Done<Buffer<'_>> {
        let info = vk::BufferCreateInfo::default().size(bytes as u64).usage(self.usage());
        let handle = unsafe { self.device.create_buffer(&info, None) }.call("vkCreateBuffer")?;
        let needs = unsafe { self.device.get_buffer_memory_requirements(handle) };
        let wanted = match place {
            Place::Host => vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT,
            Place::Device => vk::MemoryPropertyFlags::DEVICE_LOCAL,
        };
        let mut flags = vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        let mut allocate = vk::MemoryAllocateInfo::default()
            .allocation_size(needs.size)
            .memory_type_index(self.memory_type(needs.memory_type_bits, wanted)?);
        if self.has("buffer_device_address") {
            allocate = allocate.push_next(&mut flags);
        }
        let memory = unsafe { self.device.allocate_memory(&allocate, None) }.call("vkAllocateMemory")?;
        unsafe { self.device.bind_buffer_memory(handle, memory, 0) }.call("vkBindBufferMemory")?;
        let mapped = match place {
            Place::Device => None,
            Place::Host => {
                let flags = vk::MemoryMapFlags::empty();
                let all = unsafe { self.device.map_memory(memory, 0, vk::WHOLE_SIZE, flags) }.call("vkMapMemory")?;
                NonNull::new(all.cast())
            }
        };
        Ok(Buffer { gpu: self, handle, memory, bytes, mapped })
    }
}

impl Buffer<'_> {
    /// Where the host sees it.
    pub fn mapped(&self) -> *mut u8 {
        self.mapped.expect("a buffer that the host sees").as_ptr()
    }

    /// Writes bytes.
    pub fn write(&self, at: usize, bytes: &[u8]) {
        assert!(at + bytes.len() <= self.bytes);
        // SAFETY: the mapping has so many bytes.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.mapped().add(at), bytes.len()) };
    }

    /// A word, whoever is writing it.
    pub fn word(&self, index: usize) -> u32 {
        assert!(index * 4 + 4 <= self.bytes);
        // SAFETY: as above; mappings are aligned to pages.
        unsafe { self.mapped().cast::<u32>().add(index).read_volatile() }
    }

    /// Sets a word that others may be reading.
    pub fn set_word(&self, index: usize, word: u32) {
        assert!(index * 4 + 4 <= self.bytes);
        // SAFETY: as above.
        unsafe { self.mapped().cast::<u32>().add(index).write_volatile(word) };
    }

    /// All words; a rest of less than four bytes is filled up with zeroes.
    pub fn read(&self) -> Vec<u32> {
        // SAFETY: the mapping has so many bytes, and nobody writes it while a program reads its results.
        let bytes = unsafe { std::slice::from_raw_parts(self.mapped(), self.bytes) };
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte));
        bytes.chunks(4).map(word).collect()
    }

    /// Where the device sees it.
    pub fn address(&self) -> u64 {
        let info = vk::BufferDeviceAddressInfo::default().buffer(self.handle);
        unsafe { self.gpu.device.get_buffer_device_address(&info) }
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        unsafe {
            self.gpu.device.destroy_buffer(self.handle, None);
            self.gpu.device.free_memory(self.memory, None);
        }
    }
}
