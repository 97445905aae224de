//! What a device offers, by name; all of it is switched on.
//!
//! Names are those of Vulkan's structures, written as Rust does (`shader_float64`), of extensions (`VK_EXT_conditional_rendering`),
//! and of subgroup operations (`subgroup_arithmetic`).

use crate::stop::{Call, Done};
use ash::vk;
use std::collections::BTreeSet;
use std::ffi::{CStr, CString};

/// Extensions that are switched on where they are offered.
const EXTENSIONS: [&CStr; 19] = [
    c"VK_AMD_texture_gather_bias_lod",
    c"VK_EXT_border_color_swizzle",
    c"VK_EXT_custom_border_color",
    c"VK_EXT_conditional_rendering",
    c"VK_EXT_shader_atomic_float",
    c"VK_EXT_shader_atomic_float2",
    c"VK_EXT_external_memory_host",
    c"VK_EXT_memory_budget",
    c"VK_EXT_robustness2",
    c"VK_EXT_calibrated_timestamps",
    c"VK_EXT_scalar_block_layout",
    c"VK_EXT_shader_image_atomic_int64",
    c"VK_KHR_compute_shader_derivatives",
    c"VK_KHR_external_memory_fd",
    c"VK_EXT_external_memory_dma_buf",
    c"VK_KHR_push_descriptor",
    c"VK_KHR_shader_clock",
    c"VK_KHR_shader_subgroup_rotate",
    c"VK_KHR_workgroup_memory_explicit_layout",
];

/// What a device offers.
pub struct Features {
    names: BTreeSet<String>,
    extensions: Vec<CString>,
    pub subgroup_sizes: (u32, u32),
    sets: Sets,
}

/// The structures of features.
#[derive(Clone, Copy, Default)]
struct Sets {
    core: vk::PhysicalDeviceFeatures,
    v11: vk::PhysicalDeviceVulkan11Features<'static>,
    v12: vk::PhysicalDeviceVulkan12Features<'static>,
    v13: vk::PhysicalDeviceVulkan13Features<'static>,
    conditional: vk::PhysicalDeviceConditionalRenderingFeaturesEXT<'static>,
    atomic: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'static>,
    atomic2: vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT<'static>,
    robust: vk::PhysicalDeviceRobustness2FeaturesEXT<'static>,
    rotate: vk::PhysicalDeviceShaderSubgroupRotateFeaturesKHR<'static>,
    clock: vk::PhysicalDeviceShaderClockFeaturesKHR<'static>,
    explicit: vk::PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR<'static>,
    image64: vk::PhysicalDeviceShaderImageAtomicInt64FeaturesEXT<'static>,
    // KHR's extension has the structure of NV's.
    derivatives: vk::PhysicalDeviceComputeShaderDerivativesFeaturesNV<'static>,
}

/// Names of fields that are switched on.
macro_rules! on {
    ($names:ident, $from:expr; $($field:ident)*) => {
        $(if $from.$field == vk::TRUE { $names.insert(stringify!($field).to_owned()); })*
    };
}

impl Sets {
    /// The structures as a chain. Those of extensions that are not there are left out: devices do not know them.
    fn chain<R>(
        &mut self,
        has: impl Fn(&str) -> bool,
        use_it: impl FnOnce(&mut vk::PhysicalDeviceFeatures2<'_>) -> R,
    ) -> R {
        let Sets {
            core,
            v11,
            v12,
            v13,
            conditional,
            atomic,
            atomic2,
            robust,
            rotate,
            clock,
            explicit,
            image64,
            derivatives,
        } = self;
        // What they pointed to when they were chained before is no more.
        macro_rules! alone {
            ($($set:ident)*) => { $($set.p_next = std::ptr::null_mut();)* };
        }
        alone!(v11 v12 v13 conditional atomic atomic2 robust rotate clock explicit image64 derivatives);
        let mut all =
            vk::PhysicalDeviceFeatures2::default().features(*core).push_next(v11).push_next(v12).push_next(v13);
        macro_rules! extension {
            ($($name:literal $set:ident)*) => { $(if has($name) { all = all.push_next($set); })* };
        }
        extension! {
            "VK_EXT_conditional_rendering" conditional
            "VK_EXT_shader_atomic_float" atomic
            "VK_EXT_shader_atomic_float2" atomic2
            "VK_EXT_robustness2" robust
            "VK_KHR_shader_subgroup_rotate" rotate
            "VK_KHR_shader_clock" clock
            "VK_KHR_workgroup_memory_explicit_layout" explicit
            "VK_EXT_shader_image_atomic_int64" image64
            "VK_KHR_compute_shader_derivatives" derivatives
        }
        let result = use_it(&mut all);
        *core = all.features;
        result
    }

    fn names(&self, names: &mut BTreeSet<String>) {
        on!(names, self.core; shader_float64 shader_int64 shader_int16 pipeline_statistics_query sparse_binding
            sparse_residency_buffer robust_buffer_access shader_storage_buffer_array_dynamic_indexing image_cube_array
            texture_compression_bc shader_image_gather_extended shader_resource_min_lod shader_storage_image_multisample
            shader_storage_image_read_without_format shader_storage_image_write_without_format);
        on!(names, self.v11; storage_buffer16_bit_access uniform_and_storage_buffer16_bit_access storage_push_constant16
            variable_pointers variable_pointers_storage_buffer);
        on!(names, self.v12; storage_buffer8_bit_access uniform_and_storage_buffer8_bit_access storage_push_constant8
            shader_buffer_int64_atomics shader_shared_int64_atomics shader_float16 shader_int8 descriptor_indexing
            descriptor_binding_storage_buffer_update_after_bind descriptor_binding_partially_bound
            runtime_descriptor_array scalar_block_layout host_query_reset timeline_semaphore buffer_device_address
            vulkan_memory_model vulkan_memory_model_device_scope shader_subgroup_extended_types
            shader_storage_buffer_array_non_uniform_indexing shader_storage_texel_buffer_array_dynamic_indexing
            sampler_mirror_clamp_to_edge);
        on!(names, self.v13; subgroup_size_control compute_full_subgroups shader_integer_dot_product synchronization2
            inline_uniform_block shader_zero_initialize_workgroup_memory maintenance4);
        on!(names, self.conditional; conditional_rendering);
        on!(names, self.atomic; shader_buffer_float32_atomics shader_buffer_float32_atomic_add
            shader_shared_float32_atomics shader_shared_float32_atomic_add shader_buffer_float64_atomic_add);
        on!(names, self.atomic2; shader_buffer_float32_atomic_min_max shader_shared_float32_atomic_min_max);
        on!(names, self.robust; robust_buffer_access2 robust_image_access2 null_descriptor);
        on!(names, self.rotate; shader_subgroup_rotate shader_subgroup_rotate_clustered);
        on!(names, self.clock; shader_subgroup_clock shader_device_clock);
        on!(names, self.explicit; workgroup_memory_explicit_layout);
        on!(names, self.image64; shader_image_int64_atomics);
        on!(names, self.derivatives; compute_derivative_group_linear);
    }
}

/// Names of subgroup operations.
const SUBGROUP: [(&str, vk::SubgroupFeatureFlags); 8] = [
    ("subgroup_basic", vk::SubgroupFeatureFlags::BASIC),
    ("subgroup_vote", vk::SubgroupFeatureFlags::VOTE),
    ("subgroup_arithmetic", vk::SubgroupFeatureFlags::ARITHMETIC),
    ("subgroup_ballot", vk::SubgroupFeatureFlags::BALLOT),
    ("subgroup_shuffle", vk::SubgroupFeatureFlags::SHUFFLE),
    ("subgroup_shuffle_relative", vk::SubgroupFeatureFlags::SHUFFLE_RELATIVE),
    ("subgroup_clustered", vk::SubgroupFeatureFlags::CLUSTERED),
    ("subgroup_quad", vk::SubgroupFeatureFlags::QUAD),
];

impl Features {
    /// Asks a device.
    pub fn of(_: &ash::Entry, instance: &ash::Instance, physical: vk::PhysicalDevice) -> Done<Features> {
        let offered = unsafe { instance.enumerate_device_extension_properties(physical) }
            .call("vkEnumerateDeviceExtensionProperties")?;
        let offered: BTreeSet<CString> =
            offered.iter().filter_map(|e| e.extension_name_as_c_str().ok()).map(CStr::to_owned).collect();
        let extensions: Vec<CString> =
            EXTENSIONS.iter().filter(|e| offered.contains(**e)).map(|e| (*e).to_owned()).collect();
        let mut names: BTreeSet<String> = extensions.iter().map(|e| e.to_string_lossy().into_owned()).collect();
        let mut sets = Sets::default();
        sets.chain(|e| names.contains(e), |all| unsafe { instance.get_physical_device_features2(physical, all) });
        sets.names(&mut names);

        let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
        let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
        let mut robust = vk::PhysicalDeviceVulkan13Properties::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroup).push_next(&mut robust);
        unsafe { instance.get_physical_device_properties2(physical, &mut all) };
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut sizes);
        unsafe { instance.get_physical_device_properties2(physical, &mut all) };
        if all.properties.sparse_properties.residency_non_resident_strict == vk::TRUE {
            names.insert("residency_non_resident_strict".to_owned());
        }
        let samples = all.properties.limits.storage_image_sample_counts;
        for (name, flag) in [
            ("storage_image_samples_2", vk::SampleCountFlags::TYPE_2),
            ("storage_image_samples_8", vk::SampleCountFlags::TYPE_8),
        ] {
            if samples.contains(flag) {
                names.insert(name.to_owned());
            }
        }
        for (name, flag) in SUBGROUP {
            if subgroup.supported_operations.contains(flag) {
                names.insert(name.to_owned());
            }
        }
        Ok(Features { names, extensions, subgroup_sizes: (sizes.min_subgroup_size, sizes.max_subgroup_size), sets })
    }

    /// Whether it is there.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// A device with all of it and with every queue.
    pub fn create(
        &self,
        instance: &ash::Instance,
        physical: vk::PhysicalDevice,
        families: &[vk::QueueFamilyProperties],
        robust: bool,
    ) -> Done<ash::Device> {
        let priorities = [1.0; 64];
        let queues: Vec<vk::DeviceQueueCreateInfo<'_>> = (0u32..)
            .zip(families)
            .map(|(n, family)| {
                let count = (family.queue_count as usize).min(priorities.len());
                vk::DeviceQueueCreateInfo::default().queue_family_index(n).queue_priorities(&priorities[..count])
            })
            .collect();
        let extensions: Vec<_> = self.extensions.iter().map(|e| e.as_ptr()).collect();
        let mut sets = self.sets;
        if !robust {
            sets.core.robust_buffer_access = vk::FALSE;
            sets.robust.robust_buffer_access2 = vk::FALSE;
        }
        let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues).enabled_extension_names(&extensions);
        sets.chain(
            |e| self.has(e),
            |all| unsafe { instance.create_device(physical, &info.push_next(all), None) }.call("vkCreateDevice"),
        )
    }
}
