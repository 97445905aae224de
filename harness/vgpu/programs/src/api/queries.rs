//! Queries: timestamps, their availability, copies of them, statistics; conditional rendering.

use super::Function;
use crate::gpu::{Gpu, barrier};
use crate::stop::{Call, Done, Words, law};
use ash::{ext, vk};

pub const ALL: &[Function] = &[
    Function { name: "query_timestamps", needs: &[], run: timestamps },
    Function { name: "query_copy", needs: &[], run: copy },
    Function { name: "query_host_reset", needs: &["host_query_reset"], run: host_reset },
    Function { name: "query_statistics", needs: &["pipeline_statistics_query"], run: statistics },
    Function { name: "query_calibrated", needs: &["VK_EXT_calibrated_timestamps"], run: calibrated },
    Function { name: "conditional", needs: &["conditional_rendering"], run: conditional },
];

const WAIT64: vk::QueryResultFlags =
    vk::QueryResultFlags::from_raw(vk::QueryResultFlags::WAIT.as_raw() | vk::QueryResultFlags::TYPE_64.as_raw());

fn pool(gpu: &Gpu, ty: vk::QueryType, count: u32) -> Done<vk::QueryPool> {
    let mut info = vk::QueryPoolCreateInfo::default().query_type(ty).query_count(count);
    if ty == vk::QueryType::PIPELINE_STATISTICS {
        info = info.pipeline_statistics(vk::QueryPipelineStatisticFlags::COMPUTE_SHADER_INVOCATIONS);
    }
    unsafe { gpu.device.create_query_pool(&info, None) }.call("vkCreateQueryPool")
}

/// The mask of the bits that timestamps of the main queue have; none: the queue has none.
fn stamp_bits(gpu: &Gpu) -> Done<u64> {
    let bits = gpu.families[gpu.main.family as usize].timestamp_valid_bits;
    match bits {
        0 => Err(crate::stop::Stop::Lacks("timestamp_valid_bits".to_owned())),
        64 => Ok(u64::MAX),
        bits => Ok((1 << bits) - 1),
    }
}

/// Time does not go back, from stage to stage and from submission to submission.
fn timestamps(gpu: &Gpu) -> Words {
    let mask = stamp_bits(gpu)?;
    let (pool, step) = (pool(gpu, vk::QueryType::TIMESTAMP, 8)?, gpu.load("step")?);
    let mut all = Vec::new();
    for _ in 0..3 {
        gpu.run(|cmd| unsafe {
            gpu.device.cmd_reset_query_pool(cmd, pool, 0, 8);
            step.bind(cmd);
            for n in 0..4 {
                gpu.device.cmd_write_timestamp(cmd, vk::PipelineStageFlags::TOP_OF_PIPE, pool, n * 2);
                step.dispatch(cmd, [1; 3]);
                barrier(gpu, cmd);
                gpu.device.cmd_write_timestamp(cmd, vk::PipelineStageFlags::BOTTOM_OF_PIPE, pool, n * 2 + 1);
            }
        })?;
        let mut stamps = [0u64; 8];
        unsafe { gpu.device.get_query_pool_results(pool, 0, &mut stamps, WAIT64) }.call("vkGetQueryPoolResults")?;
        all.extend(stamps);
    }
    unsafe { gpu.device.destroy_query_pool(pool, None) };
    law(all.iter().all(|stamp| stamp & !mask == 0), || format!("bits that are not valid: {all:x?}"))?;
    // A dispatch is between the two of a pair, and the next pair is behind it.
    law(all.is_sorted(), || format!("time goes back: {all:?}"))?;
    law(all[0] < all[23], || format!("time stands still: {all:?}"))?;
    Ok(step.outputs())
}

/// Results that commands copy: those that are there, with a word that says so, and one that is not.
fn copy(gpu: &Gpu) -> Words {
    stamp_bits(gpu)?;
    let pool = pool(gpu, vk::QueryType::TIMESTAMP, 6)?;
    let (narrow, wide) = (gpu.words(&[0x77; 16])?, gpu.words(&[0x77; 32])?);
    gpu.run(|cmd| unsafe {
        gpu.device.cmd_reset_query_pool(cmd, pool, 0, 6);
        for n in [0, 1, 2, 4] {
            gpu.device.cmd_write_timestamp(cmd, vk::PipelineStageFlags::BOTTOM_OF_PIPE, pool, n);
        }
        let there = vk::QueryResultFlags::WITH_AVAILABILITY;
        barrier(gpu, cmd);
        gpu.device.cmd_copy_query_pool_results(
            cmd,
            pool,
            0,
            3,
            narrow.handle,
            4,
            12,
            there | vk::QueryResultFlags::WAIT,
        );
        gpu.device.cmd_copy_query_pool_results(
            cmd,
            pool,
            2,
            4,
            wide.handle,
            0,
            32,
            there | vk::QueryResultFlags::TYPE_64,
        );
        barrier(gpu, cmd);
    })?;
    unsafe { gpu.device.destroy_query_pool(pool, None) };
    // Times are not compared; whether there is one is.
    let (narrow, wide) = (narrow.read(), wide.read());
    let mut words: Vec<u32> =
        narrow.iter().enumerate().filter(|(n, _)| !matches!(n, 1 | 4 | 7)).map(|(_, w)| *w).collect();
    for query in wide.chunks(8) {
        words.push(query[2]);
        words.push(query[3]);
        words.push(u32::from(query[0] != 0x77 && (query[0] | query[1]) != 0));
        // What lies between the results of queries that are there is left alone.
        if query[2] != 0 {
            words.extend(&query[4..]);
        }
    }
    Ok(words)
}

/// Queries that the host resets are not available, and available once written.
fn host_reset(gpu: &Gpu) -> Words {
    stamp_bits(gpu)?;
    let pool = pool(gpu, vk::QueryType::TIMESTAMP, 3)?;
    unsafe { gpu.device.reset_query_pool(pool, 0, 3) };
    let mut words = Vec::new();
    for round in 0..3 {
        if round > 0 {
            gpu.run(|cmd| unsafe {
                gpu.device.cmd_write_timestamp(cmd, vk::PipelineStageFlags::BOTTOM_OF_PIPE, pool, round);
            })?;
        }
        for n in 0..3 {
            let mut result = [[0u64; 2]; 1];
            let flags = vk::QueryResultFlags::WITH_AVAILABILITY | vk::QueryResultFlags::TYPE_64;
            let got = unsafe { gpu.device.get_query_pool_results(pool, n, &mut result, flags) };
            match got {
                Err(vk::Result::NOT_READY) => words.push(2),
                other => other.call("vkGetQueryPoolResults")?,
            }
            words.push(u32::from(result[0][1] != 0));
        }
    }
    unsafe { gpu.device.destroy_query_pool(pool, None) };
    Ok(words)
}

/// Invocations are counted: at least as many as there are (Vulkan, "Pipeline statistics queries": counts are approximate).
fn statistics(gpu: &Gpu) -> Words {
    let (pool, count) = (pool(gpu, vk::QueryType::PIPELINE_STATISTICS, 1)?, gpu.load("count")?);
    gpu.run(|cmd| unsafe {
        gpu.device.cmd_reset_query_pool(cmd, pool, 0, 1);
        gpu.device.cmd_begin_query(cmd, pool, 0, vk::QueryControlFlags::empty());
        count.bind(cmd);
        count.dispatch(cmd, [3, 2, 1]);
        barrier(gpu, cmd);
        gpu.device.cmd_end_query(cmd, pool, 0);
    })?;
    let mut result = [0u64; 1];
    unsafe { gpu.device.get_query_pool_results(pool, 0, &mut result, WAIT64) }.call("vkGetQueryPoolResults")?;
    unsafe { gpu.device.destroy_query_pool(pool, None) };
    law(result[0] >= 3 * 2 * 64, || format!("{} invocations", result[0]))?;
    Ok(count.outputs())
}

/// The clocks of device and host, asked twice, go on.
fn calibrated(gpu: &Gpu) -> Words {
    let instance = ext::calibrated_timestamps::Instance::new(&gpu.entry, &gpu.instance);
    let device = ext::calibrated_timestamps::Device::new(&gpu.instance, &gpu.device);
    let domains = unsafe { instance.get_physical_device_calibrateable_time_domains(gpu.physical) };
    let domains = domains.call("vkGetPhysicalDeviceCalibrateableTimeDomainsEXT")?;
    law(domains.contains(&vk::TimeDomainEXT::DEVICE), || format!("{domains:?}"))?;
    let infos = [vk::CalibratedTimestampInfoEXT::default().time_domain(vk::TimeDomainEXT::DEVICE)];
    let mut stamps = Vec::new();
    for _ in 0..3 {
        let (now, _) = unsafe { device.get_calibrated_timestamps(&infos) }.call("vkGetCalibratedTimestampsEXT")?;
        stamps.push(now[0]);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    law(stamps[0] < stamps[1] && stamps[1] < stamps[2], || format!("{stamps:?}"))?;
    Ok(vec![1])
}

/// Dispatches that a word in memory decides about; the word is set by the host, and by a command before.
fn conditional(gpu: &Gpu) -> Words {
    let functions = ext::conditional_rendering::Device::new(&gpu.instance, &gpu.device);
    let (count, words) = (gpu.load("count")?, gpu.words(&[0, 1, 0x100, 0, 0, 5])?);
    let arguments = gpu.words(&[1, 2, 1])?;
    gpu.run(|cmd| unsafe {
        count.bind(cmd);
        gpu.device.cmd_fill_buffer(cmd, words.handle, 12, 4, 9);
        gpu.device.cmd_fill_buffer(cmd, words.handle, 20, 4, 0);
        barrier(gpu, cmd);
        for n in 0..6u32 {
            for flags in [vk::ConditionalRenderingFlagsEXT::empty(), vk::ConditionalRenderingFlagsEXT::INVERTED] {
                let begin =
                    vk::ConditionalRenderingBeginInfoEXT::default().buffer(words.handle).offset(u64::from(n) * 4);
                (functions.fp().cmd_begin_conditional_rendering_ext)(cmd, &begin.flags(flags));
                count.push(cmd, &[1 << n | u32::from(flags.is_empty()) << (16 + n / 4)]);
                count.dispatch(cmd, [n + 1, 1, 1]);
                gpu.device.cmd_dispatch_indirect(cmd, arguments.handle, 0);
                (functions.fp().cmd_end_conditional_rendering_ext)(cmd);
                barrier(gpu, cmd);
            }
        }
    })?;
    Ok([count.outputs(), words.read()].concat())
}
