//! What must hold, one function each.

use super::module::{Given, Kernel};
use super::{Check, Setup};
use libtest_mimic::Failed;
use rspirv::spirv::{AddressingModel, Capability};
use std::time::{Duration, Instant};
use wavediff::engine::isolate::{Lost, Worker};
use wavediff::spirv::lanes::Model;
use wavediff::vulkan::caps::fact::{AsFact, Fact};
use wavediff::vulkan::caps::uuid_text;
use wavediff::vulkan::{Choice, Constant, Error, Job, Opening, Options, Shader, Vulkan};

/// Tests that need no device.
pub const WITHOUT: &[(&str, fn())] = &[
    ("no_loader_is_an_absence", no_loader_is_an_absence),
    ("a_choice_is_an_index_a_uuid_or_a_name", a_choice_is_an_index_a_uuid_or_a_name),
];

/// Tests on a device.
pub const ALL: &[(&str, Check)] = &[
    ("devices_are_found_by_index_name_and_uuid", devices_are_found_by_index_name_and_uuid),
    ("a_device_keeps_what_vulkan_promises", a_device_keeps_what_vulkan_promises),
    ("lane_models_say_what_they_lack", lane_models_say_what_they_lack),
    ("words_are_multiplied_and_added", words_are_multiplied_and_added),
    ("sums_and_products_are_rounded_to_nearest", sums_and_products_are_rounded_to_nearest),
    ("constants_come_in_two_ways", constants_come_in_two_ways),
    ("buffers_are_reached_by_address", buffers_are_reached_by_address),
    ("a_run_sees_what_the_last_one_left", a_run_sees_what_the_last_one_left),
    ("mistakes_are_told_before_the_driver_sees_them", mistakes_are_told_before_the_driver_sees_them),
    ("subgroups_have_their_size", subgroups_have_their_size),
    ("what_is_measured_does_not_contradict_what_is_promised", what_is_measured_does_not_contradict_what_is_promised),
    ("the_device_has_a_clock", the_device_has_a_clock),
    ("threads_share_a_device", threads_share_a_device),
    ("the_cache_is_kept_in_a_file", the_cache_is_kept_in_a_file),
    ("two_hundred_devices_leave_nothing", two_hundred_devices_leave_nothing),
    ("a_thousand_programs_leave_nothing", a_thousand_programs_leave_nothing),
    ("validation_messages_are_failures", validation_messages_are_failures),
    ("a_device_that_hangs_is_given_up", a_device_that_hangs_is_given_up),
    ("a_child_that_hangs_is_killed_and_replaced", a_child_that_hangs_is_killed_and_replaced),
    ("a_child_that_dies_is_replaced", a_child_that_dies_is_replaced),
];

/// Those that go other ways where the host has to copy.
pub const COPIED: &[(&str, Check)] = &[
    ("words_are_multiplied_and_added", words_are_multiplied_and_added),
    ("constants_come_in_two_ways", constants_come_in_two_ways),
    ("buffers_are_reached_by_address", buffers_are_reached_by_address),
    ("a_run_sees_what_the_last_one_left", a_run_sees_what_the_last_one_left),
    ("mistakes_are_told_before_the_driver_sees_them", mistakes_are_told_before_the_driver_sees_them),
    ("the_device_has_a_clock", the_device_has_a_clock),
    ("threads_share_a_device", threads_share_a_device),
    ("a_thousand_programs_leave_nothing", a_thousand_programs_leave_nothing),
];

fn no_loader_is_an_absence() {
    let options = Options { loader: Some("/nowhere/libvulkan.so".into()), ..Options::default() };
    let Err(Error::Absent { what, reason }) = Vulkan::load(&options) else { panic!("a loader out of nothing") };
    assert_eq!(what, "the Vulkan loader");
    assert!(reason.contains("/nowhere/libvulkan.so") && reason.contains("apt install"), "{reason}");
}

fn a_choice_is_an_index_a_uuid_or_a_name() {
    assert_eq!(Choice::parse(""), Choice::Best);
    assert_eq!(Choice::parse("2"), Choice::Index(2));
    assert_eq!(Choice::parse("RTX 4090"), Choice::Name("RTX 4090".to_owned()));
    assert_eq!(Choice::parse("4090"), Choice::Index(4090));
    let uuid = *b"mesa22.3.6\0\0\0\0\0\0";
    assert_eq!(Choice::parse("6d657361-3232-2e33-2e36-000000000000"), Choice::Uuid(uuid));
    assert_eq!(Choice::parse(&uuid_text(&uuid)), Choice::Uuid(uuid));
}

/// out = a * b + c, by invocation.
fn multiply_add() -> Vec<u32> {
    Kernel::build(Given::buffers(3), |k| {
        let (a, b, c) = (k.load(0, k.id), k.load(1, k.id), k.load(2, k.id));
        let product = k.b.i_mul(k.u32, None, a, b).expect("an instruction");
        let sum = k.b.i_add(k.u32, None, product, c).expect("an instruction");
        k.store(2, k.id, sum);
    })
}

fn devices_are_found_by_index_name_and_uuid(setup: &Setup) -> Result<(), Failed> {
    let vulkan = &setup.vulkan;
    for gpu in vulkan.gpus() {
        let uuid = uuid_text(&gpu.caps.uuid);
        for text in [gpu.index.to_string(), gpu.name().to_uppercase(), uuid] {
            let found = vulkan.choose(&Choice::parse(&text))?;
            // Two cards of one kind have one name.
            assert_eq!(found.name(), gpu.name(), "{text}");
        }
    }
    let kinds: Vec<_> = vulkan.gpus().iter().map(|gpu| gpu.caps.kind).collect();
    assert!(kinds.is_sorted());
    let Err(Error::Absent { what, reason }) = vulkan.choose(&Choice::Name("voodoo".to_owned())) else {
        panic!("a device out of nothing")
    };
    assert!(what.contains("voodoo") && reason.contains(setup.gpu()?.name()), "{what}: {reason}");
    Ok(())
}

/// Chapter "Limits" of the specification, and what the facts have to do with each other.
fn a_device_keeps_what_vulkan_promises(setup: &Setup) -> Result<(), Failed> {
    for gpu in setup.vulkan.gpus() {
        let caps = &gpu.caps;
        let (s, l) = (&caps.subgroup, &caps.limits);
        assert!(s.size.is_power_of_two() && s.min <= s.size && s.size <= s.max, "{s:?}");
        assert!(l.push_bytes >= 128 && l.storage_range >= 1 << 27 && l.storage_buffers >= 4, "{l:?}");
        assert!(l.shared_bytes >= 16384 && l.group_invocations >= 128 && l.groups.iter().all(|n| *n >= 65535), "{l:?}");
        assert!(caps.memory.device_bytes > 0 && !caps.name.is_empty() && caps.api.major >= 1);
        assert!(!caps.memory.robust2 || caps.memory.robust);
        let Fact::Group(facts) = caps.fact() else { panic!("no group") };
        assert!(facts.iter().any(|(name, fact)| *name == "subgroup" && matches!(fact, Fact::Group(g) if g.len() > 15)));
    }
    Ok(())
}

fn lane_models_say_what_they_lack(setup: &Setup) -> Result<(), Failed> {
    let mut caps = (*setup.gpu()?.caps).clone();
    caps.subgroup.size = 32;
    (caps.subgroup.min, caps.subgroup.max, caps.subgroup.control) = (32, 32, false);
    (caps.subgroup.ballot, caps.subgroup.shuffle, caps.subgroup.full) = (true, true, true);
    assert_eq!(caps.best_model(32), Model::Subgroup);
    // Two lanes an invocation.
    assert_eq!((caps.best_model(64), caps.subgroup_for(64)), (Model::Subgroup, Some(32)));
    caps.subgroup.max = 64;
    // Without control nobody knows which of the two it will be.
    assert_eq!(caps.model_lacks(Model::Subgroup, 32), ["subgroups of a chosen size up to 32 (has 32 to 64)"]);
    caps.subgroup.control = true;
    assert_eq!((caps.subgroup_for(32), caps.subgroup_for(64)), (Some(32), Some(64)));
    caps.subgroup.min = 64;
    assert_eq!(caps.model_lacks(Model::Subgroup, 32), ["subgroups of at most 32 (has 64)"]);
    caps.subgroup.shuffle = false;
    assert_eq!(caps.model_lacks(Model::Subgroup, 64), ["shuffle in subgroups"]);
    assert_eq!(caps.best_model(64), Model::Workgroup);
    caps.limits.shared_bytes = 0;
    assert_eq!(caps.best_model(64), Model::Serial);
    Ok(())
}

fn words_are_multiplied_and_added(setup: &Setup) -> Result<(), Failed> {
    let device = setup.open()?;
    let words = multiply_add();
    let pipeline = device.pipeline(&Shader { buffers: 3, ..Shader::new("multiply_add", &words) })?;
    let n = 64 * 40u32;
    let a: Vec<u32> = (0..n).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let b: Vec<u32> = (0..n).map(|i| i ^ 0x5555_aaaa).collect();
    let c: Vec<u32> = (0..n).rev().collect();
    let buffers = [device.buffer("a", &a)?, device.buffer("b", &b)?, device.buffer("c", &c)?];
    device.run(&Job { groups: [40, 1, 1], ..Job::new(&pipeline, &buffers.each_ref()) })?;
    let expected: Vec<u32> = (0..n as usize).map(|i| a[i].wrapping_mul(b[i]).wrapping_add(c[i])).collect();
    assert_eq!(buffers[2].read::<u32>(0, n as usize)?, expected);
    assert_eq!(buffers[0].read::<u32>(0, n as usize)?, a);
    assert_eq!(buffers[2].bytes()?, bytemuck::cast_slice::<u32, u8>(&expected));
    Ok(())
}

/// The specification asks for it ("Precision and Operation of SPIR-V Instructions"): both are correctly rounded.
fn sums_and_products_are_rounded_to_nearest(setup: &Setup) -> Result<(), Failed> {
    let device = setup.open()?;
    let words = Kernel::build(Given::buffers(3), |k| {
        let (a, b) = (k.load(0, k.id), k.load(1, k.id));
        let (x, y) = (k.b.bitcast(k.f32, None, a), k.b.bitcast(k.f32, None, b));
        let (x, y) = (x.expect("an instruction"), y.expect("an instruction"));
        let sum = k.b.f_add(k.f32, None, x, y).expect("an instruction");
        let product = k.b.f_mul(k.f32, None, x, y).expect("an instruction");
        let (sum, product) = (k.b.bitcast(k.u32, None, sum), k.b.bitcast(k.u32, None, product));
        let (sum, product) = (sum.expect("an instruction"), product.expect("an instruction"));
        k.store(2, k.id, sum);
        let behind = k.constant(640);
        let behind = k.b.i_add(k.u32, None, k.id, behind).expect("an instruction");
        k.store(2, behind, product);
    });
    let pipeline = device.pipeline(&Shader { buffers: 3, ..Shader::new("floats", &words) })?;
    // Numbers whose sums and products are neither too large nor too small.
    let number = |n: u32| f32::from_bits(0x3f80_0000 ^ (n.wrapping_mul(0x9e37_79b9) & 0x81ff_ffff));
    let a: Vec<f32> = (0..640).map(number).collect();
    let b: Vec<f32> = (0..640).map(|n| number(n ^ 0x5a5)).collect();
    let buffers = [device.buffer("a", &a)?, device.buffer("b", &b)?, device.zeroed("out", 640 * 8)?];
    device.run(&Job { groups: [10, 1, 1], ..Job::new(&pipeline, &buffers.each_ref()) })?;
    let out = buffers[2].read::<u32>(0, 1280)?;
    for n in 0..640 {
        assert_eq!(out[n], (a[n] + b[n]).to_bits(), "{} + {}", a[n], b[n]);
        assert_eq!(out[640 + n], (a[n] * b[n]).to_bits(), "{} * {}", a[n], b[n]);
    }
    Ok(())
}

fn constants_come_in_two_ways(setup: &Setup) -> Result<(), Failed> {
    let device = setup.open()?;
    let words = Kernel::build(Given { push: 3, ..Given::buffers(1) }, |k| {
        let (special, other, pushed) = (k.special(7, 5), k.special(8, 50), k.pushed(2));
        let sum = k.b.i_add(k.u32, None, special, other).expect("an instruction");
        let sum = k.b.i_add(k.u32, None, sum, pushed).expect("an instruction");
        k.store(0, k.id, sum);
    });
    for (constants, expected) in [
        (vec![], 1055u32),
        (vec![(8, Constant::Bits32(200))], 1205),
        (vec![(8, Constant::Bits32(200)), (7, Constant::Bits32(0))], 1200),
    ] {
        let shader = Shader { buffers: 1, push_bytes: 12, constants: &constants, ..Shader::new("constants", &words) };
        let pipeline = device.pipeline(&shader)?;
        let out = device.zeroed("out", 256)?;
        let push = [1u32, 2, 1000];
        device.run(&Job { push: bytemuck::cast_slice(&push), ..Job::new(&pipeline, &[&out]) })?;
        assert_eq!(out.read::<u32>(0, 64)?, [expected; 64]);
    }
    Ok(())
}

fn buffers_are_reached_by_address(setup: &Setup) -> Result<(), Failed> {
    let device = setup.open()?;
    if !device.caps().memory.addresses || !device.caps().types.int64 {
        println!("skipped: {} has no addresses of 64 bits", device.name());
        return Ok(());
    }
    let capabilities = [Capability::Int64, Capability::PhysicalStorageBufferAddresses];
    let given = Given {
        push: 2,
        capabilities: &capabilities,
        addressing: AddressingModel::PhysicalStorageBuffer64,
        ..Given::buffers(0)
    };
    let words = Kernel::build(given, |k| {
        k.through_address(|k, value| k.b.i_add(k.u32, None, value, k.id).expect("an instruction"));
    });
    let pipeline = device.pipeline(&Shader { push_bytes: 8, ..Shader::new("address", &words) })?;
    let numbers = device.buffer("numbers", &[100u32; 128])?;
    assert_ne!(numbers.address(), 0);
    let push = numbers.address().to_ne_bytes();
    let job = Job { push: &push, reach: &[&numbers], ..Job::new(&pipeline, &[]) };
    device.run(&Job { groups: [2, 1, 1], ..job.clone() })?;
    let expected: Vec<u32> = (100..228).collect();
    assert_eq!(numbers.read::<u32>(0, 128)?, expected);
    Ok(())
}

/// What the host writes in between is seen, and what it does not write stays.
fn a_run_sees_what_the_last_one_left(setup: &Setup) -> Result<(), Failed> {
    let device = setup.open()?;
    let words = multiply_add();
    let pipeline = device.pipeline(&Shader { buffers: 3, ..Shader::new("multiply_add", &words) })?;
    let (a, b) = (device.buffer("a", &[3u32; 64])?, device.buffer("b", &[7u32; 64])?);
    let mut c = device.zeroed("c", 256)?;
    for round in 1..=5 {
        device.run(&Job::new(&pipeline, &[&a, &b, &c]))?;
        assert_eq!(c.read::<u32>(0, 64)?, [21 * round; 64]);
    }
    c.write(128, &[1000u32; 4])?;
    device.run(&Job::new(&pipeline, &[&a, &b, &c]))?;
    let mut expected = [126u32; 64];
    expected[32..36].fill(1021);
    assert_eq!(c.read::<u32>(0, 64)?, expected);
    // One buffer in two places: a = a * b + a.
    device.run(&Job::new(&pipeline, &[&a, &b, &a]))?;
    assert_eq!(a.read::<u32>(0, 64)?, [24; 64]);
    // No groups, no work.
    device.run(&Job { groups: [0, 1, 1], ..Job::new(&pipeline, &[&a, &b, &a]) })?;
    assert_eq!(a.read::<u32>(0, 64)?, [24; 64]);
    Ok(())
}

fn mistakes_are_told_before_the_driver_sees_them(setup: &Setup) -> Result<(), Failed> {
    let device = setup.open()?;
    let words = multiply_add();
    let pipeline = device.pipeline(&Shader { buffers: 3, ..Shader::new("multiply_add", &words) })?;
    let mut a = device.zeroed("a", 256)?;
    let few = device.run(&Job::new(&pipeline, &[&a, &a]));
    assert_eq!(few, Err(Error::Job("2 buffers for a pipeline that binds 3".to_owned())));
    let pushed = device.run(&Job { push: &[0; 4], ..Job::new(&pipeline, &[&a, &a, &a]) });
    assert!(matches!(pushed, Err(Error::Job(_))), "{pushed:?}");
    assert!(matches!(a.read::<u32>(0, 65), Err(Error::Job(_))));
    assert!(matches!(a.write(usize::MAX, &[0u8]), Err(Error::Job(_))));
    let most = device.caps().subgroup.max;
    let large = Shader { buffers: 3, subgroup_size: Some(most * 2), ..Shader::new("multiply_add", &words) };
    assert!(matches!(device.pipeline(&large), Err(Error::Missing { .. })));
    let other = setup.open()?;
    let foreign = other.zeroed("foreign", 256)?;
    assert!(matches!(device.run(&Job::new(&pipeline, &[&a, &a, &foreign])), Err(Error::Job(_))));
    // None of this does any harm.
    device.run(&Job::new(&pipeline, &[&a, &a, &a]))?;
    Ok(())
}

/// The ballot of all lanes has as many bits as a subgroup has lanes.
fn subgroups_have_their_size(setup: &Setup) -> Result<(), Failed> {
    let device = setup.open()?;
    let caps = device.caps().subgroup.clone();
    if !caps.ballot {
        println!("skipped: {} has no ballot", device.name());
        return Ok(());
    }
    let capabilities = [Capability::GroupNonUniform, Capability::GroupNonUniformBallot];
    let words = Kernel::build(Given { capabilities: &capabilities, group: 128, ..Given::buffers(1) }, |k| {
        let vector = k.b.type_vector(k.u32, 4);
        let (yes, scope) = (k.b.constant_true(k.bool), k.constant(3));
        let ballot = k.b.group_non_uniform_ballot(vector, None, scope, yes).expect("an instruction");
        let mut sum = k.constant(0);
        for n in 0..4 {
            let word = k.b.composite_extract(k.u32, None, ballot, [n]).expect("an instruction");
            let count = k.b.bit_count(k.u32, None, word).expect("an instruction");
            sum = k.b.i_add(k.u32, None, sum, count).expect("an instruction");
        }
        k.store(0, k.id, sum);
    });
    let out = device.zeroed("out", 512)?;
    let mut sizes: Vec<Option<u32>> = vec![None];
    sizes.extend((0..8).map(|n| 1 << n).filter(|n| caps.control && (caps.min..=caps.max).contains(n)).map(Some));
    for size in sizes {
        let full = caps.full && size.is_some();
        let shader = Shader { buffers: 1, subgroup_size: size, full_subgroups: full, ..Shader::new("ballot", &words) };
        let pipeline = device.pipeline(&shader)?;
        device.run(&Job::new(&pipeline, &[&out]))?;
        let lanes = out.read::<u32>(0, 128)?;
        match size {
            Some(size) => assert_eq!(lanes, [size; 128]),
            // What is reported is only what a subgroup usually has.
            None => assert!(lanes.iter().all(|n| (caps.min..=caps.max).contains(n)), "{lanes:?}"),
        }
    }
    Ok(())
}

fn what_is_measured_does_not_contradict_what_is_promised(setup: &Setup) -> Result<(), Failed> {
    let device = setup.open()?;
    let (caps, measured) = (device.caps(), device.measure()?);
    println!("{measured:?}");
    assert!(measured.f32.there && measured.f64.there == caps.types.float64);
    // In larger groups subgroups are as large as they can be.
    let s = &caps.subgroup;
    assert!(measured.subgroup == 0 || (s.min.min(64)..=s.max).contains(&measured.subgroup), "{measured:?}");
    assert!(measured.loop_rounds < 100_000);
    // llvmpipe is an acquaintance: translations to it rely on this, and the test tells when a version differs.
    if caps.driver.name == "llvmpipe" {
        for float in [&measured.f16, &measured.f32, &measured.f64] {
            assert!(float.there && float.denorm_in && float.denorm_out, "{measured:?}");
        }
        assert!([0, 65535].contains(&measured.loop_rounds), "{measured:?}");
    }
    Ok(())
}

fn the_device_has_a_clock(setup: &Setup) -> Result<(), Failed> {
    let device = setup.open()?;
    let words = Kernel::build(Given::buffers(1), |k| {
        let (start, rounds) = (k.load(0, k.id), k.constant(2000));
        let end = k.repeat(rounds, start, |k, value, round| {
            let square = k.b.i_mul(k.u32, None, value, value).expect("an instruction");
            k.b.i_add(k.u32, None, square, round).expect("an instruction")
        });
        k.store(0, k.id, end);
    });
    let pipeline = device.pipeline(&Shader { buffers: 1, ..Shader::new("loop", &words) })?;
    assert!(pipeline.compiled() > Duration::ZERO);
    let numbers = device.buffer("numbers", &(0..64 * 256).collect::<Vec<u32>>())?;
    let times = device.run(&Job { groups: [256, 1, 1], ..Job::new(&pipeline, &[&numbers]) })?;
    assert!(times.host > Duration::ZERO);
    match times.device {
        Some(time) => assert!(time > Duration::ZERO && time <= times.host, "{times:?}"),
        None => assert_eq!(device.caps().time.bits, 0),
    }
    Ok(())
}

fn threads_share_a_device(setup: &Setup) -> Result<(), Failed> {
    let device = setup.open()?;
    let words = multiply_add();
    let pipeline = device.pipeline(&Shader { buffers: 3, ..Shader::new("multiply_add", &words) })?;
    std::thread::scope(|scope| {
        for thread in 1..=4u32 {
            let (device, pipeline) = (&device, &pipeline);
            scope.spawn(move || {
                let a = device.buffer("a", &[thread; 64]).expect("a buffer");
                let c = device.zeroed("c", 256).expect("a buffer");
                for round in 1..=25 {
                    device.run(&Job::new(pipeline, &[&a, &a, &c])).expect("a run");
                    assert_eq!(c.read::<u32>(0, 64).expect("words"), [thread * thread * round; 64]);
                }
            });
        }
    });
    drop(pipeline);
    assert_eq!(device.allocations(), 0);
    Ok(())
}

fn the_cache_is_kept_in_a_file(setup: &Setup) -> Result<(), Failed> {
    let file = std::env::temp_dir().join(format!("wavediff-cache-{}", std::process::id()));
    let opening = Opening { cache: Some(&file), ..Opening::default() };
    let words = multiply_add();
    let mut sizes = Vec::new();
    for _ in 0..2 {
        let device = setup.gpu()?.open_with(&opening)?;
        device.pipeline(&Shader { buffers: 3, ..Shader::new("multiply_add", &words) })?;
        device.save_cache()?;
        sizes.push(std::fs::metadata(&file)?.len());
    }
    // Its header is there even where a driver keeps nothing.
    assert!(sizes[0] >= 32 && sizes[0] == sizes[1], "{sizes:?}");
    // Broken contents are as good as none.
    std::fs::write(&file, b"not a cache")?;
    setup.gpu()?.open_with(&opening)?;
    std::fs::remove_file(&file)?;
    Ok(())
}

/// Everything is made and dropped, from the instance on; what is left would be told by the validation layer at the end of device and instance.
fn two_hundred_devices_leave_nothing(setup: &Setup) -> Result<(), Failed> {
    let words = multiply_add();
    for _ in 0..200 {
        let options = Options { validate: setup.validate, ..Options::default() };
        let vulkan = Vulkan::load(&options)?;
        let log = vulkan.log();
        let name = setup.gpu()?.name();
        let device = vulkan.choose(&Choice::Name(name.to_owned()))?.open()?;
        // The rest keeps what it needs.
        drop(vulkan);
        let pipeline = device.pipeline(&Shader { buffers: 3, ..Shader::new("multiply_add", &words) })?;
        let buffers = [device.buffer("a", &[2u32; 64])?, device.buffer("b", &[3u32; 64])?, device.zeroed("c", 256)?];
        device.run(&Job::new(&pipeline, &buffers.each_ref()))?;
        let [a, b, c] = buffers;
        let other = device.clone();
        drop((device, a, b));
        assert_eq!(c.read::<u32>(0, 1)?, [6]);
        drop(pipeline);
        drop(c);
        assert_eq!(other.allocations(), 0);
        drop(other);
        assert_eq!(log.map_or_else(Vec::new, |log| log.take()), Vec::<String>::new());
    }
    Ok(())
}

/// On one device: its memory does not grow with what has been.
fn a_thousand_programs_leave_nothing(setup: &Setup) -> Result<(), Failed> {
    let device = setup.open()?;
    let mut before = None;
    for n in 0..1000u32 {
        let words = Kernel::build(Given::buffers(1), |k| {
            let (value, addend) = (k.load(0, k.id), k.constant(n));
            let sum = k.b.i_add(k.u32, None, value, addend).expect("an instruction");
            k.store(0, k.id, sum);
        });
        let pipeline = device.pipeline(&Shader { buffers: 1, ..Shader::new("add", &words) })?;
        let numbers = device.buffer("numbers", &vec![n; 64 + (n as usize * 37) % 4096])?;
        device.run(&Job::new(&pipeline, &[&numbers]))?;
        assert_eq!(numbers.read::<u32>(0, 64)?, [2 * n; 64]);
        if n == 200 {
            before = resident();
        }
    }
    assert_eq!(device.allocations(), 0);
    if let (Some(before), Some(after)) = (before, resident()) {
        // The driver's cache of pipelines grows, some kilobytes for each.
        assert!(after < before + (64 << 20), "{before} bytes after 200 programs, {after} after 1000");
    }
    Ok(())
}

/// Bytes of memory that this process has in use, where the system tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}

fn worker() -> Worker {
    Worker::myself(&["worker"]).expect("this program")
}

const PATIENCE: Duration = Duration::from_secs(120);

fn validation_messages_are_failures(setup: &Setup) -> Result<(), Failed> {
    if !setup.validate {
        println!("skipped: no validation layer");
        return Ok(());
    }
    let answer = worker().ask(b"unbound", PATIENCE)?;
    let answer = String::from_utf8(answer)?;
    assert!(answer.starts_with("refused: ") && answer.contains("VUID"), "{answer}");
    Ok(())
}

fn a_device_that_hangs_is_given_up(_: &Setup) -> Result<(), Failed> {
    let start = Instant::now();
    let answer = String::from_utf8(worker().ask(b"spin 300 ms", PATIENCE)?)?;
    let then = "Err(DeviceLost { doing: \"allocating a buffer\" }), lost: true";
    assert_eq!(answer, format!("Err(Timeout(300ms)), then {then}"));
    assert!(start.elapsed() < PATIENCE / 2);
    Ok(())
}

fn a_child_that_hangs_is_killed_and_replaced(_: &Setup) -> Result<(), Failed> {
    let mut worker = worker();
    let lost = worker.ask(b"spin", Duration::from_secs(2));
    assert!(matches!(lost, Err(Lost::Timeout(_))), "{lost:?}");
    assert_eq!(worker.ask(b"hello", PATIENCE)?, b"hello");
    assert_eq!(worker.ask(b"hello", PATIENCE)?, b"hello");
    assert_eq!(worker.starts(), 2);
    Ok(())
}

fn a_child_that_dies_is_replaced(_: &Setup) -> Result<(), Failed> {
    let mut worker = worker();
    let lost = worker.ask(b"abort", PATIENCE);
    assert!(matches!(&lost, Err(Lost::Crash { status, .. }) if status.contains("SIGABRT")), "{lost:?}");
    assert_eq!(worker.ask(b"hello", PATIENCE)?, b"hello");
    Ok(())
}
