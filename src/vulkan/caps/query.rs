//! Asks a device what it can do, and remembers the answer in the form in which it is enabled.
//!
//! [`Chain`] holds one structure for each group of features, and hangs into a query those that the device knows: because its version has them, or
//! because it has the extension they came from. The filled chain is exactly what opening the device asks for, so what is reported and what is
//! enabled can not differ. The structures of whole versions (`PhysicalDeviceVulkan12Features`) would need a second way for older devices.

use super::{
    Atomics, Caps, Driver, FloatControl, Floats, Independence, Kind, Limits, Memory, Other, Subgroup, Time, Types,
    Version,
};
use crate::vulkan::error::Error;
use crate::vulkan::instance::{Inner, NEWEST};
use ash::{ext, khr, vk};
use std::ffi::CStr;

/// An extension, and where it need not be asked for.
struct Extension {
    name: &'static CStr,
    /// The version that it has become a part of.
    core: u32,
    /// The version of the headers which brought it: older validation layers take its structures for mistakes.
    since: u32,
}

const NEVER: u32 = u32::MAX;
/// 1.3.276 brought several that are used here.
const LATE: u32 = vk::make_api_version(0, 1, 3, 276);

const fn since(name: &'static CStr, core: u32, since: u32) -> Extension {
    Extension { name, core, since }
}

const fn extension(name: &'static CStr, core: u32) -> Extension {
    since(name, core, 0)
}

const STORAGE8: Extension = extension(khr::_8bit_storage::NAME, vk::API_VERSION_1_2);
const SMALL_TYPES: Extension = extension(khr::shader_float16_int8::NAME, vk::API_VERSION_1_2);
const ATOMIC_INT64: Extension = extension(khr::shader_atomic_int64::NAME, vk::API_VERSION_1_2);
const ATOMIC_FLOAT: Extension = extension(ext::shader_atomic_float::NAME, NEVER);
const ATOMIC_FLOAT2: Extension = extension(ext::shader_atomic_float2::NAME, NEVER);
const MODEL: Extension = extension(khr::vulkan_memory_model::NAME, vk::API_VERSION_1_2);

const ADDRESS: Extension = extension(khr::buffer_device_address::NAME, vk::API_VERSION_1_2);
const SCALAR: Extension = extension(ext::scalar_block_layout::NAME, vk::API_VERSION_1_2);
const EXTENDED: Extension = extension(khr::shader_subgroup_extended_types::NAME, vk::API_VERSION_1_2);
const FLOAT_CONTROLS: Extension = extension(khr::shader_float_controls::NAME, vk::API_VERSION_1_2);
const DRIVER: Extension = extension(khr::driver_properties::NAME, vk::API_VERSION_1_2);
const SPIRV14: Extension = extension(khr::spirv_1_4::NAME, vk::API_VERSION_1_2);
const SIZE_CONTROL: Extension = extension(ext::subgroup_size_control::NAME, vk::API_VERSION_1_3);
const CACHE_CONTROL: Extension = extension(ext::pipeline_creation_cache_control::NAME, vk::API_VERSION_1_3);
const DOT: Extension = extension(khr::shader_integer_dot_product::NAME, vk::API_VERSION_1_3);
const ZERO: Extension = extension(khr::zero_initialize_workgroup_memory::NAME, vk::API_VERSION_1_3);
const NON_SEMANTIC: Extension = extension(khr::shader_non_semantic_info::NAME, vk::API_VERSION_1_3);
const EXPLICIT: Extension = extension(khr::workgroup_memory_explicit_layout::NAME, NEVER);
const CLOCK: Extension = extension(khr::shader_clock::NAME, NEVER);
const ROBUST2: Extension = extension(ext::robustness2::NAME, NEVER);
const UNIFORM_FLOW: Extension = extension(khr::shader_subgroup_uniform_control_flow::NAME, NEVER);
const FLOAT_CONTROLS2: Extension = since(khr::shader_float_controls2::NAME, NEVER, LATE);
const RECONVERGENCE: Extension = since(khr::shader_maximal_reconvergence::NAME, NEVER, LATE);
const ROTATE: Extension = since(khr::shader_subgroup_rotate::NAME, NEVER, LATE);
/// Compiled shaders as bytes; only where rendering needs no passes is it there at all.
const OBJECTS: Extension = since(ext::shader_object::NAME, NEVER, vk::make_api_version(0, 1, 3, 246));
/// Devices that are not quite Vulkan insist on it.
const PORTABILITY: Extension = extension(khr::portability_subset::NAME, NEVER);

const EXTENSIONS: [&Extension; 27] = [
    &STORAGE8,
    &SMALL_TYPES,
    &ATOMIC_INT64,
    &ATOMIC_FLOAT,
    &ATOMIC_FLOAT2,
    &MODEL,
    &ADDRESS,
    &SCALAR,
    &EXTENDED,
    &FLOAT_CONTROLS,
    &DRIVER,
    &SPIRV14,
    &SIZE_CONTROL,
    &CACHE_CONTROL,
    &DOT,
    &ZERO,
    &NON_SEMANTIC,
    &EXPLICIT,
    &CLOCK,
    &ROBUST2,
    &UNIFORM_FLOW,
    &FLOAT_CONTROLS2,
    &RECONVERGENCE,
    &ROTATE,
    &PORTABILITY,
    &BUDGET,
    &OBJECTS,
];
/// How much memory is left: lets the driver say so, and costs nothing.
const BUDGET: Extension = extension(ext::memory_budget::NAME, NEVER);

/// What a device knows: the version that is used, and its extensions.
pub(in crate::vulkan) struct Known {
    /// The device's version, but not beyond the instance's.
    pub api: u32,
    extensions: Vec<vk::ExtensionProperties>,
    layer: Option<u32>,
}

impl Known {
    /// Asks for the extensions.
    pub fn of(instance: &Inner, gpu: vk::PhysicalDevice, api: u32) -> Result<Known, Error> {
        // SAFETY: the instance lives, and the device is one of its own.
        let extensions = unsafe { instance.instance.enumerate_device_extension_properties(gpu) };
        let extensions = extensions.map_err(Error::of("listing extensions of the device"))?;
        Ok(Known { api: api.min(NEWEST), extensions, layer: instance.layer })
    }

    fn has(&self, extension: &Extension) -> bool {
        self.api >= extension.core || self.is_listed(extension)
    }

    fn is_listed(&self, extension: &Extension) -> bool {
        self.layer.is_none_or(|layer| layer >= extension.since)
            && self.extensions.iter().any(|e| e.extension_name_as_c_str() == Ok(extension.name))
    }

    /// The extensions to enable.
    pub fn wanted(&self) -> Vec<*const std::ffi::c_char> {
        let wanted = EXTENSIONS.iter().filter(|e| self.api < e.core && self.is_listed(e));
        wanted.map(|e| e.name.as_ptr()).collect()
    }
}

/// One structure for each group of features.
#[derive(Default)]
pub(in crate::vulkan) struct Chain {
    storage16: vk::PhysicalDevice16BitStorageFeatures<'static>,
    storage8: vk::PhysicalDevice8BitStorageFeatures<'static>,
    small: vk::PhysicalDeviceShaderFloat16Int8Features<'static>,
    int64: vk::PhysicalDeviceShaderAtomicInt64Features<'static>,
    float: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'static>,
    float2: vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT<'static>,
    model: vk::PhysicalDeviceVulkanMemoryModelFeatures<'static>,
    address: vk::PhysicalDeviceBufferDeviceAddressFeatures<'static>,
    scalar: vk::PhysicalDeviceScalarBlockLayoutFeatures<'static>,
    extended: vk::PhysicalDeviceShaderSubgroupExtendedTypesFeatures<'static>,
    size: vk::PhysicalDeviceSubgroupSizeControlFeatures<'static>,
    cache: vk::PhysicalDevicePipelineCreationCacheControlFeatures<'static>,
    dot: vk::PhysicalDeviceShaderIntegerDotProductFeatures<'static>,
    zero: vk::PhysicalDeviceZeroInitializeWorkgroupMemoryFeatures<'static>,
    explicit: vk::PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR<'static>,
    clock: vk::PhysicalDeviceShaderClockFeaturesKHR<'static>,
    robust2: vk::PhysicalDeviceRobustness2FeaturesEXT<'static>,
    uniform: vk::PhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR<'static>,
    controls2: vk::PhysicalDeviceShaderFloatControls2FeaturesKHR<'static>,
    reconvergence: vk::PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR<'static>,
    rotate: vk::PhysicalDeviceShaderSubgroupRotateFeaturesKHR<'static>,
    objects: vk::PhysicalDeviceShaderObjectFeaturesEXT<'static>,
}

impl Chain {
    /// The structures that the device knows, as one chain. Made again, it asks for what the first one was told.
    pub fn link<'a>(&'a mut self, known: &Known) -> vk::PhysicalDeviceFeatures2<'a> {
        self.storage16.p_next = std::ptr::null_mut();
        let mut head = vk::PhysicalDeviceFeatures2::default().push_next(&mut self.storage16);
        macro_rules! push {
            ($($field:ident: $extension:expr,)*) => {
                $(if known.has(&$extension) {
                    self.$field.p_next = std::ptr::null_mut();
                    head = head.push_next(&mut self.$field);
                })*
            };
        }
        push! {
            storage8: STORAGE8,
            small: SMALL_TYPES,
            int64: ATOMIC_INT64,
            float: ATOMIC_FLOAT,
            float2: ATOMIC_FLOAT2,
            model: MODEL,
            address: ADDRESS,
            scalar: SCALAR,
            extended: EXTENDED,
            size: SIZE_CONTROL,
            cache: CACHE_CONTROL,
            dot: DOT,
            zero: ZERO,
            explicit: EXPLICIT,
            clock: CLOCK,
            robust2: ROBUST2,
            uniform: UNIFORM_FLOW,
            controls2: FLOAT_CONTROLS2,
            reconvergence: RECONVERGENCE,
            rotate: ROTATE,
            objects: OBJECTS,
        }
        head
    }

    /// Takes back what nobody here uses and what costs something.
    pub fn trim(&mut self) {
        if self.objects.shader_object == 0 {
            // Who brings machine code wants memory at an address of his choice too.
            self.address.buffer_device_address_capture_replay = 0;
        }
        self.address.buffer_device_address_multi_device = 0;
        self.robust2.robust_image_access2 = 0;
        self.robust2.null_descriptor = 0;
        self.float.sparse_image_float32_atomics = 0;
        self.float.sparse_image_float32_atomic_add = 0;
        self.float.shader_image_float32_atomics = 0;
        self.float.shader_image_float32_atomic_add = 0;
        self.float2.shader_image_float32_atomic_min_max = 0;
        self.float2.sparse_image_float32_atomic_min_max = 0;
    }
}

/// Of the features of 1.0, those that compute shaders use.
pub(in crate::vulkan) fn basic(all: &vk::PhysicalDeviceFeatures) -> vk::PhysicalDeviceFeatures {
    vk::PhysicalDeviceFeatures {
        robust_buffer_access: all.robust_buffer_access,
        shader_int16: all.shader_int16,
        shader_int64: all.shader_int64,
        shader_float64: all.shader_float64,
        ..Default::default()
    }
}

/// The queue family to work with, and how many bits of its timestamps count.
pub(in crate::vulkan) fn family(instance: &Inner, gpu: vk::PhysicalDevice) -> Option<(u32, u32)> {
    // SAFETY: the instance lives, and the device is one of its own.
    let families = unsafe { instance.instance.get_physical_device_queue_family_properties(gpu) };
    let index = families.iter().position(|f| f.queue_flags.contains(vk::QueueFlags::COMPUTE))?;
    Some((index as u32, families[index].timestamp_valid_bits))
}

const TRUE: vk::Bool32 = vk::TRUE;

impl Caps {
    /// Asks a device; nothing where it is of 1.0 or can not compute.
    pub(in crate::vulkan) fn of(instance: &Inner, gpu: vk::PhysicalDevice) -> Result<Option<Caps>, Error> {
        // SAFETY: the instance lives, and the device is one of its own.
        let plain = unsafe { instance.instance.get_physical_device_properties(gpu) };
        let Some((_, bits)) = family(instance, gpu) else { return Ok(None) };
        if plain.api_version < vk::API_VERSION_1_1 {
            return Ok(None);
        }
        let known = Known::of(instance, gpu, plain.api_version)?;

        let mut chain = Chain::default();
        let mut head = chain.link(&known);
        // SAFETY: as above; each structure of the chain is one that the device knows.
        unsafe { instance.instance.get_physical_device_features2(gpu, &mut head) };
        let features = head.features;

        let mut id = vk::PhysicalDeviceIDProperties::default();
        let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
        let mut limits3 = vk::PhysicalDeviceMaintenance3Properties::default();
        let mut controls = vk::PhysicalDeviceFloatControlsProperties::default();
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut size = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
        let mut head = vk::PhysicalDeviceProperties2::default()
            .push_next(&mut id)
            .push_next(&mut subgroup)
            .push_next(&mut limits3);
        if known.has(&FLOAT_CONTROLS) {
            head = head.push_next(&mut controls);
        }
        if known.has(&DRIVER) {
            head = head.push_next(&mut driver);
        }
        if known.has(&SIZE_CONTROL) {
            head = head.push_next(&mut size);
        }
        // SAFETY: as above.
        unsafe { instance.instance.get_physical_device_properties2(gpu, &mut head) };
        // SAFETY: as above.
        let memory = unsafe { instance.instance.get_physical_device_memory_properties(gpu) };

        let text = |name: Result<&CStr, _>| name.map_or_else(|_| String::new(), |n| n.to_string_lossy().into_owned());
        let kind = match plain.device_type {
            vk::PhysicalDeviceType::DISCRETE_GPU => Kind::Discrete,
            vk::PhysicalDeviceType::INTEGRATED_GPU => Kind::Integrated,
            vk::PhysicalDeviceType::VIRTUAL_GPU => Kind::Virtual,
            vk::PhysicalDeviceType::CPU => Kind::Cpu,
            _ => Kind::Other,
        };
        Ok(Some(Caps {
            name: text(plain.device_name_as_c_str()),
            kind,
            uuid: id.device_uuid,
            vendor: plain.vendor_id,
            product: plain.device_id,
            api: Version::of(plain.api_version),
            spirv: match known.api {
                api if api >= vk::API_VERSION_1_3 => Version::new(1, 6),
                api if api >= vk::API_VERSION_1_2 => Version::new(1, 5),
                _ if known.has(&SPIRV14) => Version::new(1, 4),
                _ => Version::new(1, 3),
            },
            driver: Driver {
                name: text(driver.driver_name_as_c_str()),
                info: text(driver.driver_info_as_c_str()),
                id: driver.driver_id.as_raw().unsigned_abs(),
                version: plain.driver_version,
            },
            types: types(&chain, &features),
            subgroup: subgroups(&chain, &subgroup, &size),
            f16: FloatControl {
                denorm_preserve: controls.shader_denorm_preserve_float16 == TRUE,
                denorm_flush: controls.shader_denorm_flush_to_zero_float16 == TRUE,
                rte: controls.shader_rounding_mode_rte_float16 == TRUE,
                rtz: controls.shader_rounding_mode_rtz_float16 == TRUE,
                signed_zero_inf_nan: controls.shader_signed_zero_inf_nan_preserve_float16 == TRUE,
            },
            f32: FloatControl {
                denorm_preserve: controls.shader_denorm_preserve_float32 == TRUE,
                denorm_flush: controls.shader_denorm_flush_to_zero_float32 == TRUE,
                rte: controls.shader_rounding_mode_rte_float32 == TRUE,
                rtz: controls.shader_rounding_mode_rtz_float32 == TRUE,
                signed_zero_inf_nan: controls.shader_signed_zero_inf_nan_preserve_float32 == TRUE,
            },
            f64: FloatControl {
                denorm_preserve: controls.shader_denorm_preserve_float64 == TRUE,
                denorm_flush: controls.shader_denorm_flush_to_zero_float64 == TRUE,
                rte: controls.shader_rounding_mode_rte_float64 == TRUE,
                rtz: controls.shader_rounding_mode_rtz_float64 == TRUE,
                signed_zero_inf_nan: controls.shader_signed_zero_inf_nan_preserve_float64 == TRUE,
            },
            floats: Floats {
                denorm_independence: Independence::of(controls.denorm_behavior_independence),
                rounding_independence: Independence::of(controls.rounding_mode_independence),
                controls2: chain.controls2.shader_float_controls2 == TRUE,
            },
            atomics: atomics(&chain),
            memory: memories(&chain, &features, &memory, kind),
            limits: Limits {
                storage_range: plain.limits.max_storage_buffer_range,
                storage_buffers: plain.limits.max_per_stage_descriptor_storage_buffers,
                push_bytes: plain.limits.max_push_constants_size,
                shared_bytes: plain.limits.max_compute_shared_memory_size,
                group_invocations: plain.limits.max_compute_work_group_invocations,
                group_size: plain.limits.max_compute_work_group_size,
                groups: plain.limits.max_compute_work_group_count,
                allocation: limits3.max_memory_allocation_size,
                storage_align: plain.limits.min_storage_buffer_offset_alignment,
            },
            time: Time {
                period: plain.limits.timestamp_period,
                bits,
                subgroup_clock: chain.clock.shader_subgroup_clock == TRUE,
                device_clock: chain.clock.shader_device_clock == TRUE,
            },
            other: Other {
                cache_control: chain.cache.pipeline_creation_cache_control == TRUE,
                non_semantic: known.has(&NON_SEMANTIC),
                objects: chain.objects.shader_object == TRUE,
            },
        }))
    }
}

fn types(chain: &Chain, features: &vk::PhysicalDeviceFeatures) -> Types {
    Types {
        int8: chain.small.shader_int8 == TRUE,
        int16: features.shader_int16 == TRUE,
        int64: features.shader_int64 == TRUE,
        float16: chain.small.shader_float16 == TRUE,
        float64: features.shader_float64 == TRUE,
        storage8: chain.storage8.storage_buffer8_bit_access == TRUE,
        storage16: chain.storage16.storage_buffer16_bit_access == TRUE,
        uniform8: chain.storage8.uniform_and_storage_buffer8_bit_access == TRUE,
        uniform16: chain.storage16.uniform_and_storage_buffer16_bit_access == TRUE,
        push8: chain.storage8.storage_push_constant8 == TRUE,
        push16: chain.storage16.storage_push_constant16 == TRUE,
        dot: chain.dot.shader_integer_dot_product == TRUE,
    }
}

fn subgroups(
    chain: &Chain,
    properties: &vk::PhysicalDeviceSubgroupProperties<'_>,
    size: &vk::PhysicalDeviceSubgroupSizeControlProperties<'_>,
) -> Subgroup {
    let compute = vk::ShaderStageFlags::COMPUTE;
    let works = properties.supported_stages.contains(compute);
    let can = |operation| works && properties.supported_operations.contains(operation);
    let control = chain.size.subgroup_size_control == TRUE && size.required_subgroup_size_stages.contains(compute);
    // Without the extension there is one size.
    let one = |known: u32| if known == 0 { properties.subgroup_size } else { known };
    Subgroup {
        size: properties.subgroup_size,
        min: one(size.min_subgroup_size),
        max: one(size.max_subgroup_size),
        control,
        full: chain.size.compute_full_subgroups == TRUE,
        most: size.max_compute_workgroup_subgroups,
        basic: can(vk::SubgroupFeatureFlags::BASIC),
        vote: can(vk::SubgroupFeatureFlags::VOTE),
        arithmetic: can(vk::SubgroupFeatureFlags::ARITHMETIC),
        ballot: can(vk::SubgroupFeatureFlags::BALLOT),
        shuffle: can(vk::SubgroupFeatureFlags::SHUFFLE),
        shuffle_relative: can(vk::SubgroupFeatureFlags::SHUFFLE_RELATIVE),
        clustered: can(vk::SubgroupFeatureFlags::CLUSTERED),
        rotate: works && chain.rotate.shader_subgroup_rotate == TRUE,
        quad: can(vk::SubgroupFeatureFlags::QUAD),
        extended_types: chain.extended.shader_subgroup_extended_types == TRUE,
        maximal_reconvergence: chain.reconvergence.shader_maximal_reconvergence == TRUE,
        uniform_control_flow: chain.uniform.shader_subgroup_uniform_control_flow == TRUE,
    }
}

fn atomics(chain: &Chain) -> Atomics {
    Atomics {
        int64: chain.int64.shader_buffer_int64_atomics == TRUE,
        shared_int64: chain.int64.shader_shared_int64_atomics == TRUE,
        f32: chain.float.shader_buffer_float32_atomics == TRUE,
        f32_add: chain.float.shader_buffer_float32_atomic_add == TRUE,
        f32_min_max: chain.float2.shader_buffer_float32_atomic_min_max == TRUE,
        shared_f32: chain.float.shader_shared_float32_atomics == TRUE,
        shared_f32_add: chain.float.shader_shared_float32_atomic_add == TRUE,
        shared_f32_min_max: chain.float2.shader_shared_float32_atomic_min_max == TRUE,
        f64: chain.float.shader_buffer_float64_atomics == TRUE,
        f64_add: chain.float.shader_buffer_float64_atomic_add == TRUE,
        f64_min_max: chain.float2.shader_buffer_float64_atomic_min_max == TRUE,
        shared_f64_add: chain.float.shader_shared_float64_atomic_add == TRUE,
        shared_f64_min_max: chain.float2.shader_shared_float64_atomic_min_max == TRUE,
    }
}

fn memories(
    chain: &Chain,
    features: &vk::PhysicalDeviceFeatures,
    memory: &vk::PhysicalDeviceMemoryProperties,
    kind: Kind,
) -> Memory {
    let bytes = |local: bool| -> u64 {
        let heaps = memory.memory_heaps[..memory.memory_heap_count as usize].iter();
        let heaps = heaps.filter(|heap| heap.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL) == local);
        heaps.map(|heap| heap.size).sum()
    };
    let reached = vk::MemoryPropertyFlags::DEVICE_LOCAL
        | vk::MemoryPropertyFlags::HOST_VISIBLE
        | vk::MemoryPropertyFlags::HOST_COHERENT;
    let types = &memory.memory_types[..memory.memory_type_count as usize];
    let reachable = types.iter().any(|t| t.property_flags.contains(reached));
    Memory {
        model: chain.model.vulkan_memory_model == TRUE,
        device_scope: chain.model.vulkan_memory_model_device_scope == TRUE,
        chains: chain.model.vulkan_memory_model_availability_visibility_chains == TRUE,
        addresses: chain.address.buffer_device_address == TRUE,
        chosen_addresses: chain.address.buffer_device_address_capture_replay == TRUE
            && chain.objects.shader_object == TRUE,
        scalar_layout: chain.scalar.scalar_block_layout == TRUE,
        shared_layout: chain.explicit.workgroup_memory_explicit_layout == TRUE,
        shared_layout_scalar: chain.explicit.workgroup_memory_explicit_layout_scalar_block_layout == TRUE,
        shared_layout8: chain.explicit.workgroup_memory_explicit_layout8_bit_access == TRUE,
        shared_layout16: chain.explicit.workgroup_memory_explicit_layout16_bit_access == TRUE,
        shared_zero: chain.zero.shader_zero_initialize_workgroup_memory == TRUE,
        robust: features.robust_buffer_access == TRUE,
        robust2: chain.robust2.robust_buffer_access2 == TRUE,
        // A card whose memory the host reaches over the bus is read slowly; there copies are better.
        unified: reachable && matches!(kind, Kind::Integrated | Kind::Cpu),
        device_bytes: bytes(true),
        host_bytes: bytes(false),
    }
}
