//! A Vulkan device with all that it offers switched on, and the few shapes of calls that the programs share.

mod buffer;
mod commands;
mod features;
pub mod formats;
pub mod image;
mod loaded;
mod pictures;

pub use buffer::{Buffer, Place};
pub use commands::{Commands, barrier};
pub use loaded::{Loaded, Making};

use crate::stop::{Call, Done, Stop};
use ash::{khr, vk};
use features::Features;

/// Longest time that anything may take, in nanoseconds.
pub const PATIENCE: u64 = 120_000_000_000;

/// Which queue a program uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The first family that can compute.
    Graphics,
    /// The first family that can compute and not draw.
    Compute,
}

/// Which device, which queue of it, and what is asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub which: Which,
    pub number: usize,
    /// Whether reads behind the end of a buffer give zero.
    pub robust: bool,
}

/// A queue and its family.
#[derive(Clone, Copy, Debug)]
pub struct Queue {
    pub queue: vk::Queue,
    pub family: u32,
}

/// A device.
pub struct Gpu {
    pub entry: ash::Entry,
    pub instance: ash::Instance,
    pub physical: vk::PhysicalDevice,
    pub device: ash::Device,
    pub choice: Choice,
    /// Where programs run.
    pub main: Queue,
    /// A queue of another family that computes; where there is none, a second one of the same, or again the first.
    pub other: Queue,
    /// A queue for sparse binding.
    pub sparse: Option<Queue>,
    /// All queues that compute.
    pub all: Vec<Queue>,
    pub families: Vec<vk::QueueFamilyProperties>,
    pub memory: vk::PhysicalDeviceMemoryProperties,
    features: Features,
}

impl Gpu {
    /// Opens a device.
    pub fn open(choice: Choice) -> Done<Gpu> {
        // SAFETY: the loader of the system is what it says.
        let entry =
            unsafe { ash::Entry::load() }.map_err(|error| Stop::Failed(format!("no Vulkan loader: {error}")))?;
        let application =
            vk::ApplicationInfo::default().application_name(c"vulkan-programs").api_version(vk::API_VERSION_1_3);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        let instance = unsafe { entry.create_instance(&info, None) }.call("vkCreateInstance")?;
        let devices = unsafe { instance.enumerate_physical_devices() }.call("vkEnumeratePhysicalDevices")?;
        let physical =
            *devices.get(choice.number).ok_or_else(|| Stop::Failed(format!("there are {} devices", devices.len())))?;
        let properties = unsafe { instance.get_physical_device_properties(physical) };
        if properties.api_version < vk::API_VERSION_1_3 {
            return Err(Stop::Failed("the device is older than Vulkan 1.3".to_owned()));
        }
        let families = unsafe { instance.get_physical_device_queue_family_properties(physical) };
        let computes = |family: &vk::QueueFamilyProperties| family.queue_flags.contains(vk::QueueFlags::COMPUTE);
        let draws = |family: &vk::QueueFamilyProperties| family.queue_flags.contains(vk::QueueFlags::GRAPHICS);
        let main = match choice.which {
            Which::Graphics => families.iter().position(computes),
            Which::Compute => families.iter().position(|family| computes(family) && !draws(family)),
        };
        let main = main.ok_or_else(|| Stop::Failed("there is no such queue".to_owned()))?;
        let features = Features::of(&entry, &instance, physical)?;
        let device = features.create(&instance, physical, &families, choice.robust)?;
        let take = |family: usize, number: u32| Queue {
            queue: unsafe { device.get_device_queue(family as u32, number) },
            family: family as u32,
        };
        let computing: Vec<usize> = (0..families.len()).filter(|n| computes(&families[*n])).collect();
        let other = match computing.iter().find(|family| **family != main) {
            Some(family) => take(*family, 0),
            None => take(main, u32::from(families[main].queue_count > 1)),
        };
        let binds = |n: &usize| families[*n].queue_flags.contains(vk::QueueFlags::SPARSE_BINDING);
        let sparse = (0..families.len()).find(binds).map(|family| take(family, 0));
        let all = computing.iter().flat_map(|f| (0..families[*f].queue_count).map(|n| take(*f, n))).collect();
        let main = take(main, 0);
        let memory = unsafe { instance.get_physical_device_memory_properties(physical) };
        Ok(Gpu { entry, instance, physical, device, choice, main, other, sparse, all, families, memory, features })
    }

    /// Ends the program as skipped where the device lacks something: a feature, an extension, a property.
    pub fn need(&self, name: &str) -> Done<()> {
        if self.has(name) { Ok(()) } else { Err(Stop::Lacks(name.to_owned())) }
    }

    /// Whether the device has a feature, an extension, a property.
    pub fn has(&self, name: &str) -> bool {
        self.features.has(name)
    }

    /// Subgroup sizes that a pipeline may ask for, the smallest and the largest.
    pub fn subgroup_sizes(&self) -> (u32, u32) {
        self.features.subgroup_sizes
    }

    /// The functions of external memory by file descriptors.
    pub fn memory_fd(&self) -> khr::external_memory_fd::Device {
        khr::external_memory_fd::Device::new(&self.instance, &self.device)
    }

    /// Records one command buffer, submits it to the main queue and waits.
    pub fn run(&self, record: impl FnOnce(vk::CommandBuffer)) -> Done<()> {
        let commands = Commands::new(self, self.main.family)?;
        let buffer = commands.record(record)?;
        self.submit_wait(self.main, &[buffer])
    }

    /// Submits and waits with a fence.
    pub fn submit_wait(&self, queue: Queue, buffers: &[vk::CommandBuffer]) -> Done<()> {
        let info = vk::SubmitInfo::default().command_buffers(buffers);
        self.submit_infos(queue, &[info])
    }

    /// Submits what is described and waits with a fence.
    pub fn submit_infos(&self, queue: Queue, infos: &[vk::SubmitInfo<'_>]) -> Done<()> {
        let fence = self.fence()?;
        unsafe { self.device.queue_submit(queue.queue, infos, fence) }.call("vkQueueSubmit")?;
        let waited = self.wait(&[fence]);
        // A fence that is still in use is left alone.
        if waited.is_ok() {
            unsafe { self.device.destroy_fence(fence, None) };
        }
        waited
    }

    /// An unsignalled fence.
    pub fn fence(&self) -> Done<vk::Fence> {
        unsafe { self.device.create_fence(&vk::FenceCreateInfo::default(), None) }.call("vkCreateFence")
    }

    /// Waits for fences.
    pub fn wait(&self, fences: &[vk::Fence]) -> Done<()> {
        unsafe { self.device.wait_for_fences(fences, true, PATIENCE) }.call("vkWaitForFences")
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        unsafe {
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}
