//! An opened device: one queue, the allocator, the pipeline cache.
//!
//! Buffers and pipelines keep their device, the device its instance; so they can be dropped in any order, and what Vulkan wants to go first does.
//!
//! A device that did not answer in time is *hung*. It may be running still, and nothing in Vulkan can stop it: freeing what it uses would be undefined.
//! From then on it takes no work, and it and everything made of it is left to the end of the process. That is why runs which may hang belong
//! into a [process of their own](crate::engine::isolate).

use super::cache;
use super::caps::{Caps, Chain, Known, basic, family};
use super::error::Error;
use super::instance::{self, Gpu};
use super::record::Recorder;
use ash::{ext, khr, vk};
use gpu_allocator::AllocationSizes;
use gpu_allocator::vulkan::{Allocator, AllocatorCreateDesc};
use std::ffi::CString;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An opened device. Copies are the same device.
#[derive(Clone)]
pub struct Device {
    pub(super) inner: Arc<Inner>,
}

/// How a device is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Opening<'a> {
    /// A file that keeps compiled pipelines from one process to the next. One that can not be read, or is another device's, is as good as none.
    pub cache: Option<&'a Path>,
    /// Copies between host and device even where both see the same memory: what a card does, for tests without one.
    pub copies: bool,
}

/// How a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Health {
    Well,
    /// The driver said that it is lost; its objects can be destroyed.
    Lost,
    /// It did not answer; its objects must stay.
    Hung,
}

pub(super) struct Inner {
    pub raw: ash::Device,
    pub caps: Arc<Caps>,
    pub family: u32,
    /// Host and device see the same memory.
    pub unified: bool,
    /// One user at a time.
    pub queue: Mutex<vk::Queue>,
    pub cache: vk::PipelineCache,
    cache_file: Option<PathBuf>,
    allocator: ManuallyDrop<Mutex<Allocator>>,
    /// Those that nobody uses at the moment.
    recorders: Mutex<Vec<Recorder>>,
    health: AtomicU8,
    /// Where addresses of buffers are an extension still.
    pub addresses: Option<khr::buffer_device_address::Device>,
    /// Shader objects, where there are some.
    pub objects: Option<ext::shader_object::Device>,
    /// The kinds of memory.
    memory: vk::PhysicalDeviceMemoryProperties,
    /// Names objects for the validation layer.
    names: Option<ext::debug_utils::Device>,
    instance: ManuallyDrop<Arc<instance::Inner>>,
    /// What it was opened from, and whether with copies: to open it again.
    gpu: Gpu,
    copies: bool,
    /// After so many runs it is lost, for tests; 0 is never.
    doomed: AtomicU32,
}

/// Memory is taken from the driver in blocks of this size: many small buffers, seldom a large one, which gets a block of its own.
const BLOCK: u64 = 16 << 20;

impl Gpu {
    /// Opens the device, with everything that its [`Caps`] list.
    ///
    /// # Errors
    /// Whatever the driver says.
    pub fn open(&self) -> Result<Device, Error> {
        self.open_with(&Opening::default())
    }

    /// Opens the device in a certain way.
    ///
    /// # Errors
    /// Whatever the driver says.
    pub fn open_with(&self, opening: &Opening<'_>) -> Result<Device, Error> {
        let instance = &self.instance;
        let doing = "opening the device";
        // SAFETY: the instance lives, and the device is one of its own.
        let version = unsafe { instance.instance.get_physical_device_properties(self.handle) }.api_version;
        let known = Known::of(instance, self.handle, version)?;
        let (family, _) = family(instance, self.handle).ok_or_else(|| Error::Missing {
            device: self.caps.name.clone(),
            needs: "queue that computes".to_owned(),
        })?;

        let mut chain = Chain::default();
        // SAFETY: as above; each structure of the chain is one that the device knows.
        let all = unsafe {
            let mut head = chain.link(&known);
            instance.instance.get_physical_device_features2(self.handle, &mut head);
            head.features
        };
        chain.trim();
        let mut features = chain.link(&known);
        features.features = basic(&all);
        let extensions = known.wanted();
        let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
        let info = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_extension_names(&extensions)
            .push_next(&mut features);
        // SAFETY: the record asks only for what the device has, and everything it points to lives until the call is over.
        let raw = unsafe { instance.instance.create_device(self.handle, &info, None) }.map_err(Error::of(doing))?;
        // From here on a failure has to close the device again.
        let close = |e: Error| {
            // SAFETY: nothing made of it is left.
            unsafe { raw.destroy_device(None) };
            e
        };
        // SAFETY: the queue is the one that was asked for.
        let queue = unsafe { raw.get_device_queue(family, 0) };
        let data = opening.cache.map_or_else(Vec::new, |file| cache::read(file, &self.caps));
        let cache_info = vk::PipelineCacheCreateInfo::default().initial_data(&data);
        // SAFETY: the device lives; the data is the driver's own, by its header, and the driver checks it too.
        let cache = unsafe { raw.create_pipeline_cache(&cache_info, None) }.map_err(Error::of(doing)).map_err(close)?;
        let allocator = Allocator::new(&AllocatorCreateDesc {
            instance: instance.instance.clone(),
            device: raw.clone(),
            physical_device: self.handle,
            debug_settings: Default::default(),
            buffer_device_address: self.caps.memory.addresses,
            allocation_sizes: AllocationSizes::new(BLOCK, BLOCK),
        })
        .map_err(|e| {
            // SAFETY: nobody uses it.
            unsafe { raw.destroy_pipeline_cache(cache, None) };
            close(Error::Memory { doing, reason: e.to_string() })
        })?;
        let addresses = (known.api < vk::API_VERSION_1_2 && self.caps.memory.addresses)
            .then(|| khr::buffer_device_address::Device::new(&instance.instance, &raw));
        let objects = self.caps.other.objects.then(|| ext::shader_object::Device::new(&instance.instance, &raw));
        // SAFETY: the instance lives, and the device is one of its own.
        let memory = unsafe { instance.instance.get_physical_device_memory_properties(self.handle) };
        let names = instance.debug.as_ref().map(|_| ext::debug_utils::Device::new(&instance.instance, &raw));
        let inner = Arc::new(Inner {
            raw,
            caps: self.caps.clone(),
            family,
            unified: self.caps.memory.unified && !opening.copies,
            queue: Mutex::new(queue),
            cache,
            cache_file: opening.cache.map(Path::to_owned),
            allocator: ManuallyDrop::new(Mutex::new(allocator)),
            recorders: Mutex::default(),
            health: AtomicU8::new(Health::Well as u8),
            addresses,
            objects,
            memory,
            names,
            instance: ManuallyDrop::new(instance.clone()),
            gpu: self.clone(),
            copies: opening.copies,
            doomed: AtomicU32::new(0),
        });
        inner.check()?;
        Ok(Device { inner })
    }
}

impl Device {
    /// What it can do.
    #[must_use]
    pub fn caps(&self) -> &Caps {
        &self.inner.caps
    }

    /// Its name, as the driver gives it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.inner.caps.name
    }

    /// How many pieces of memory are in use. With no buffer alive there is none.
    #[must_use]
    pub fn allocations(&self) -> usize {
        self.inner.allocator().generate_report().allocations.len()
    }

    /// Whether it takes no more work: it went down, or did not come back.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.inner.health() != Health::Well
    }

    /// Opens the same device once more, in the same way: a fresh one, with nothing of this one in it, whatever has become of this one.
    ///
    /// # Errors
    /// Whatever the driver says.
    pub fn open_again(&self) -> Result<Device, Error> {
        let Inner { gpu, copies, cache_file, .. } = &*self.inner;
        gpu.open_with(&Opening { cache: cache_file.as_deref(), copies: *copies })
    }

    /// Has the device behave as lost at the end of so many runs from now: for tests of what comes behind it.
    #[doc(hidden)]
    pub fn lose_after(&self, runs: u32) {
        self.inner.doomed.store(runs, Ordering::Release);
    }

    /// Writes the pipeline cache into its file, if it has one; the end of the device does that too, but can not say what went wrong.
    ///
    /// # Errors
    /// The file can not be written.
    pub fn save_cache(&self) -> std::io::Result<()> {
        self.inner.save_cache()
    }
}

impl Inner {
    pub fn allocator(&self) -> MutexGuard<'_, Allocator> {
        self.allocator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn health(&self) -> Health {
        match self.health.load(Ordering::Acquire) {
            0 => Health::Well,
            1 => Health::Lost,
            _ => Health::Hung,
        }
    }

    /// Notes what an error says about the device.
    pub fn note(&self, error: Error) -> Error {
        let health = match error {
            Error::DeviceLost { .. } => Health::Lost,
            Error::Timeout(_) => Health::Hung,
            _ => return error,
        };
        // Hung is for ever, whatever is said later.
        self.health.fetch_max(health as u8, Ordering::AcqRel);
        error
    }

    /// Fails where a test wants the device lost now.
    pub fn doom(&self, doing: &'static str) -> Result<(), Error> {
        let left = self.doomed.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| left.checked_sub(1));
        if left == Ok(1) { Err(Error::DeviceLost { doing }) } else { Ok(()) }
    }

    /// Fails if the device takes no more work.
    pub fn alive(&self, doing: &'static str) -> Result<(), Error> {
        if self.health() == Health::Well { Ok(()) } else { Err(Error::DeviceLost { doing }) }
    }

    /// Fails if the validation layer said something.
    pub fn check(&self) -> Result<(), Error> {
        self.instance.check()
    }

    /// The kinds of memory.
    pub fn memory_types(&self) -> &[vk::MemoryType] {
        &self.memory.memory_types[..self.memory.memory_type_count as usize]
    }

    /// Gives an object a name for the validation layer.
    pub fn name(&self, object: impl vk::Handle, name: &str) {
        let (Some(names), Ok(name)) = (&self.names, CString::new(name)) else { return };
        let info = vk::DebugUtilsObjectNameInfoEXT::default().object_handle(object).object_name(&name);
        // SAFETY: the object is alive and of this device. A name that is not set harms nobody.
        let _ = unsafe { names.set_debug_utils_object_name(&info) };
    }

    /// Something to record commands with.
    pub fn recorder(self: &Arc<Inner>) -> Result<Recorder, Error> {
        let free = self.recorders.lock().unwrap_or_else(PoisonError::into_inner).pop();
        free.map_or_else(|| Recorder::new(self), Ok)
    }

    /// Takes a recorder back whose commands are done.
    pub fn recycle(&self, recorder: Recorder) {
        self.recorders.lock().unwrap_or_else(PoisonError::into_inner).push(recorder);
    }

    fn save_cache(&self) -> std::io::Result<()> {
        let Some(file) = &self.cache_file else { return Ok(()) };
        // SAFETY: the device and its cache live.
        match unsafe { self.raw.get_pipeline_cache_data(self.cache) } {
            Ok(data) => cache::write(file, &data),
            Err(e) => Err(std::io::Error::other(e.to_string())),
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.health() == Health::Hung {
            return;
        }
        // A cache that is not kept is only slower.
        let _ = self.save_cache();
        // SAFETY: buffers and pipelines keep the device, so none is left; the queue is idle, or the device is lost, which counts as idle.
        // Memory goes before the device, the device before its instance, and neither is used again.
        unsafe {
            let _ = self.raw.device_wait_idle();
            for recorder in self.recorders.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
                recorder.destroy(&self.raw);
            }
            self.raw.destroy_pipeline_cache(self.cache, None);
            ManuallyDrop::drop(&mut self.allocator);
            self.raw.destroy_device(None);
            ManuallyDrop::drop(&mut self.instance);
        }
    }
}
