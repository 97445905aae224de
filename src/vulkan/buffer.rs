//! Buffers: bytes that both sides see.
//!
//! A buffer always has memory that the host reaches. Where the device's own memory is another, it has that too, and a run copies in before the
//! dispatch what the host has written since the last one, and out behind it. So whoever uses a buffer writes, runs and reads, on every device alike.
//!
//! A buffer is not `Sync`: only the thread that runs with it touches it, and a run returns when the device is done.

use super::device::{Device, Health, Inner};
use super::error::Error;
use ash::{khr, vk};
use bytemuck::Pod;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};
use std::cell::Cell;
use std::sync::Arc;

/// Bytes that both sides see.
pub struct Buffer {
    device: Arc<Inner>,
    name: String,
    len: usize,
    /// What the host sees.
    host: Piece,
    /// What the device sees, where that is something else.
    local: Option<Piece>,
    /// The host has written, and the device has not seen it.
    dirty: Cell<bool>,
    address: u64,
}

/// A Vulkan buffer and its memory.
struct Piece {
    buffer: vk::Buffer,
    /// Always there until the end.
    memory: Option<Allocation>,
}

impl Device {
    /// Makes a buffer with these contents. The name is for reports and for the validation layer.
    ///
    /// # Errors
    /// No memory is left, or the device is lost.
    pub fn buffer<T: Pod>(&self, name: &str, contents: &[T]) -> Result<Buffer, Error> {
        let bytes: &[u8] = bytemuck::cast_slice(contents);
        let mut buffer = self.empty(name, bytes.len())?;
        buffer.write(0, bytes)?;
        Ok(buffer)
    }

    /// Makes a buffer of zeroes.
    ///
    /// # Errors
    /// No memory is left, or the device is lost.
    pub fn zeroed(&self, name: &str, len: usize) -> Result<Buffer, Error> {
        let mut buffer = self.empty(name, len)?;
        buffer.host.mapped_mut()?.fill(0);
        Ok(buffer)
    }

    fn empty(&self, name: &str, len: usize) -> Result<Buffer, Error> {
        let device = &self.inner;
        device.alive("allocating a buffer")?;
        let unified = device.unified;
        // Vulkan has no empty buffers, and shaders see whole words.
        let size = (len.max(1) as u64).next_multiple_of(4);
        let host = Piece::new(device, name, size, MemoryLocation::GpuToCpu, unified)?;
        let local = if unified {
            None
        } else {
            match Piece::new(device, name, size, MemoryLocation::GpuOnly, true) {
                Ok(piece) => Some(piece),
                Err(e) => {
                    host.free(device);
                    return Err(e);
                }
            }
        };
        let address = local.as_ref().unwrap_or(&host).address(device);
        let buffer =
            Buffer { device: device.clone(), name: name.to_owned(), len, host, local, dirty: Cell::new(true), address };
        device.check()?;
        Ok(buffer)
    }
}

impl Piece {
    /// `seen` is for what shaders see; the rest only takes part in copies.
    fn new(device: &Inner, name: &str, size: u64, location: MemoryLocation, seen: bool) -> Result<Piece, Error> {
        let doing = "allocating a buffer";
        let mut usage = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
        if seen {
            usage |= vk::BufferUsageFlags::STORAGE_BUFFER;
            if device.caps.memory.addresses {
                usage |= vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
            }
        }
        let info = vk::BufferCreateInfo::default().size(size).usage(usage).sharing_mode(vk::SharingMode::EXCLUSIVE);
        // SAFETY: the device lives.
        let buffer = unsafe { device.raw.create_buffer(&info, None) }.map_err(Error::of(doing))?;
        device.name(buffer, name);
        let mut piece = Piece { buffer, memory: None };
        // SAFETY: the buffer is of this device.
        let requirements = unsafe { device.raw.get_buffer_memory_requirements(buffer) };
        let allocation = device.allocator().allocate(&AllocationCreateDesc {
            name,
            requirements,
            location,
            linear: true,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        });
        let bound = match allocation {
            Ok(memory) => {
                // SAFETY: the memory is of a type that the buffer allows, large enough, and bound once.
                let bound = unsafe { device.raw.bind_buffer_memory(buffer, memory.memory(), memory.offset()) };
                piece.memory = Some(memory);
                bound.map_err(Error::of(doing))
            }
            Err(e) => Err(Error::Memory { doing, reason: format!("`{name}`, {size} bytes: {e}") }),
        };
        match bound {
            Ok(()) => Ok(piece),
            Err(e) => {
                piece.free(device);
                Err(e)
            }
        }
    }

    fn address(&self, device: &Inner) -> u64 {
        if !device.caps.memory.addresses {
            return 0;
        }
        let info = vk::BufferDeviceAddressInfo::default().buffer(self.buffer);
        device.address(&info)
    }

    fn mapped(&self) -> Result<&[u8], Error> {
        self.memory.as_ref().and_then(Allocation::mapped_slice).ok_or(NOT_MAPPED)
    }

    fn mapped_mut(&mut self) -> Result<&mut [u8], Error> {
        self.memory.as_mut().and_then(Allocation::mapped_slice_mut).ok_or(NOT_MAPPED)
    }

    fn free(mut self, device: &Inner) {
        self.end(device);
    }

    fn end(&mut self, device: &Inner) {
        if device.health() == Health::Hung {
            // The device may be using it. The allocator is never dropped then, so its books need not be right.
            std::mem::forget(self.memory.take());
            return;
        }
        // SAFETY: no run uses it: runs borrow their buffers until the device is done.
        unsafe { device.raw.destroy_buffer(self.buffer, None) };
        if let Some(memory) = self.memory.take() {
            // It can only refuse what it did not give.
            let _ = device.allocator().free(memory);
        }
    }
}

const NOT_MAPPED: Error = Error::Memory { doing: "reaching a buffer", reason: String::new() };

impl Buffer {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its length in bytes, as asked for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Where shaders find it, on a device with addresses; 0 elsewhere. A run that reaches it so has to name it.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Writes values from a byte offset on.
    ///
    /// # Errors
    /// The range is not within the buffer.
    pub fn write<T: Pod>(&mut self, offset: usize, values: &[T]) -> Result<(), Error> {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let range = self.range(offset, bytes.len())?;
        self.host.mapped_mut()?[range].copy_from_slice(bytes);
        self.dirty.set(true);
        Ok(())
    }

    /// Reads values from a byte offset on.
    ///
    /// # Errors
    /// The range is not within the buffer.
    pub fn read<T: Pod>(&self, offset: usize, count: usize) -> Result<Vec<T>, Error> {
        let range = self.range(offset, count.saturating_mul(size_of::<T>()))?;
        let mut values = vec![T::zeroed(); count];
        bytemuck::cast_slice_mut(&mut values).copy_from_slice(&self.host.mapped()?[range]);
        Ok(values)
    }

    /// All its bytes.
    ///
    /// # Errors
    /// None while the device lives.
    pub fn bytes(&self) -> Result<&[u8], Error> {
        Ok(&self.host.mapped()?[..self.len])
    }

    fn range(&self, offset: usize, bytes: usize) -> Result<std::ops::Range<usize>, Error> {
        match offset.checked_add(bytes) {
            Some(end) if end <= self.len => Ok(offset..end),
            _ => Err(Error::Job(format!(
                "{bytes} bytes from {offset} on are not within buffer `{}` of {}",
                self.name, self.len
            ))),
        }
    }

    /// Its device.
    pub(super) fn device(&self) -> &Arc<Inner> {
        &self.device
    }

    /// What a descriptor names.
    pub(super) fn seen(&self) -> vk::Buffer {
        self.local.as_ref().unwrap_or(&self.host).buffer
    }

    /// What has to be copied before a dispatch: from, to, how much. It counts as done.
    pub(super) fn copy_in(&self) -> Option<(vk::Buffer, vk::Buffer, u64)> {
        if self.dirty.replace(false) { self.copies(false) } else { None }
    }

    /// What has to be copied behind a dispatch.
    pub(super) fn copy_out(&self) -> Option<(vk::Buffer, vk::Buffer, u64)> {
        self.copies(true)
    }

    fn copies(&self, out: bool) -> Option<(vk::Buffer, vk::Buffer, u64)> {
        let local = self.local.as_ref()?;
        let size = (self.len.max(1) as u64).next_multiple_of(4);
        Some(if out { (local.buffer, self.host.buffer, size) } else { (self.host.buffer, local.buffer, size) })
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        self.host.end(&self.device);
        if let Some(local) = &mut self.local {
            local.end(&self.device);
        }
    }
}

impl Inner {
    pub(super) fn address(&self, info: &vk::BufferDeviceAddressInfo<'_>) -> u64 {
        // SAFETY: the buffer lives, has memory and the usage; the device has the feature, by the name it has in its version.
        unsafe {
            match &self.addresses {
                Some(extension) => khr::buffer_device_address::Device::get_buffer_device_address(extension, info),
                None => self.raw.get_buffer_device_address(info),
            }
        }
    }
}
