//! Pipelines: specialization, subgroup sizes, caches, libraries of many.

use super::Function;
use crate::gpu::{Gpu, Loaded, Making};
use crate::stop::{Call, Words, law};
use crate::{shaders, unit::Unit};
use ash::vk;

pub const ALL: &[Function] = &[
    Function { name: "pipeline_special", needs: &[], run: special },
    Function { name: "pipeline_subgroup_sizes", needs: LANES, run: subgroup_sizes },
    Function { name: "pipeline_cache", needs: &[], run: cache },
    Function { name: "pipeline_derived", needs: &[], run: many_at_once },
];

const LANES: &[&str] = &["subgroup_size_control", "compute_full_subgroups", "subgroup_arithmetic", "subgroup_ballot"];

/// One shader with other constants each time, the size of the group among them.
fn special(gpu: &Gpu) -> Words {
    let mut words = Vec::new();
    for (size, flag, number) in [(1, 0, 5), (7, 1, 6), (64, 1, 0x8000_0000), (96, 0, 9), (128, 1, u32::MAX)] {
        let mut unit = Unit::parse(shaders::source("special"));
        unit.spec = vec![(0, size), (1, flag), (2, number), (3, 0x3fc0_0000), (4, size * 3)];
        words.extend(Loaded::new(gpu, unit)?.run()?);
    }
    Ok(words)
}

/// Every size of subgroups that the device offers gives the same.
fn subgroup_sizes(gpu: &Gpu) -> Words {
    let (least, most) = gpu.subgroup_sizes();
    let mut all: Vec<Vec<u32>> = Vec::new();
    let mut size = least;
    while size <= most {
        let mut unit = Unit::parse(shaders::source("lanes"));
        unit.push = size.to_le_bytes().to_vec();
        let mut loaded = Loaded::new(gpu, unit)?;
        unsafe { gpu.device.destroy_pipeline(loaded.pipeline, None) };
        let stage = vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS;
        let making = Making { stage, lanes: Some(size), ..Making::default() };
        loaded.pipeline = vk::Pipeline::null();
        loaded.pipeline = gpu.pipeline(&loaded.unit, loaded.layout, &making)?;
        all.push(loaded.run()?);
        size *= 2;
    }
    law(all.iter().all(|one| *one == all[0]), || {
        let differ = all.iter().position(|one| *one != all[0]).unwrap_or(0);
        format!("subgroups of {} lanes give something else than those of {least}", least << differ)
    })?;
    Ok(all.swap_remove(0))
}

/// A cache that is saved and read again.
fn cache(gpu: &Gpu) -> Words {
    let device = &gpu.device;
    let mut data = Vec::new();
    let mut words = Vec::new();
    for _ in 0..2 {
        let info = vk::PipelineCacheCreateInfo::default().initial_data(&data);
        let cache = unsafe { device.create_pipeline_cache(&info, None) }.call("vkCreatePipelineCache")?;
        for name in ["add", "collatz", "spill"] {
            let mut loaded = gpu.load(name)?;
            unsafe { device.destroy_pipeline(loaded.pipeline, None) };
            loaded.pipeline = vk::Pipeline::null();
            loaded.pipeline = gpu.pipeline(&loaded.unit, loaded.layout, &Making { cache, ..Making::default() })?;
            words.extend(loaded.run()?);
        }
        let saved = unsafe { device.get_pipeline_cache_data(cache) }.call("vkGetPipelineCacheData");
        unsafe { device.destroy_pipeline_cache(cache, None) };
        data = saved?;
    }
    Ok(words)
}

/// Forty pipelines that are alive at the same time, made and destroyed in another order.
fn many_at_once(gpu: &Gpu) -> Words {
    let mut all = Vec::new();
    for n in 0..40u32 {
        let mut unit = Unit::parse(shaders::source("special"));
        unit.spec = vec![(0, 16), (1, n & 1), (2, n * 1000), (3, n)];
        unit.groups = [1; 3];
        all.push(Loaded::new(gpu, unit)?);
        if n % 3 == 2 {
            all.swap_remove(n as usize / 3);
        }
    }
    let mut words = Vec::new();
    for loaded in &all {
        words.extend(&loaded.run()?[..8]);
    }
    Ok(words)
}
