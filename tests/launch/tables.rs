//! The tables of the HSA ABI, written out by hand.

use super::*;

const ALL_POINTERS: &str = ".amdhsa_user_sgpr_dispatch_ptr 1\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\
    .amdhsa_user_sgpr_dispatch_id 1\n.amdhsa_system_sgpr_workgroup_id_y 1\n.amdhsa_system_sgpr_workgroup_id_z 1\n\
    .amdhsa_system_vgpr_workitem_id 2\n.amdhsa_private_segment_fixed_size 20\n";

const OWN_SCRATCH: &str = ".amdhsa_user_sgpr_private_segment_buffer 1\n.amdhsa_user_sgpr_flat_scratch_init 1\n\
    .amdhsa_system_sgpr_private_segment_wavefront_offset 1\n";

#[test]
fn the_reference_case_has_its_registers() {
    let options = Options { dispatch_id: 9, ..Options::default() };
    let layout = options.layout;
    for mcpu in ["gfx700", "gfx803", "gfx900", "gfx90a", "gfx1030"] {
        let loaded = loaded(mcpu, 5, &format!("{ALL_POINTERS}{OWN_SCRATCH}"));
        let dispatch = Dispatch::with_options(&loaded, "k", [64, 3, 4], [64, 1, 1], &[], &options).expect(mcpu);
        let wave = dispatch.wave([0, 1, 2], 0).expect("a wave");
        // s0-3 V#, s4-5 packet, s6-7 arguments, s8-9 number, s10-11 scratch, s12-14 ids, s15 offset.
        let word3 = match mcpu {
            "gfx700" => 0x00ea_7000,
            "gfx803" => 0x00e8_7000,
            "gfx1030" => 0x31c1_6fac,
            _ => 0x00e0_7000,
        };
        assert_eq!([0, 1, 2, 3].map(|at| sgpr(&wave, at)), [0x10_0000, 0x8000_1500, u32::MAX, word3], "{mcpu}");
        assert_eq!([4, 6, 8].map(|at| pair(&wave, at)), [layout.packets, layout.kernarg, 9], "{mcpu}");
        let old = matches!(mcpu, "gfx700" | "gfx803");
        let scratch = if old { 20 << 32 | 0x10_0000 } else { layout.scratch };
        assert_eq!(pair(&wave, 10), scratch, "{mcpu}");
        assert_eq!([12, 13, 14].map(|at| sgpr(&wave, at)), [0, 1, 2], "{mcpu}");
        // 20 bytes x 64 lanes (32 on gfx1030) in granules of 1024 bytes; two waves a group there.
        let (wave_bytes, waves) = if mcpu == "gfx1030" { (1024, 2) } else { (2048, 1) };
        assert_eq!(sgpr(&wave, 15), (2 * 3 + 1) * wave_bytes * waves, "{mcpu}");
        assert_eq!(wave.sgprs.len(), 16);
        assert_eq!(dispatch.scratch().bytes(), u64::from(12 * wave_bytes * waves));
        assert_eq!(wave.flat_scratch, None);
    }
    let loaded = loaded("gfx942", 5, &format!("{ALL_POINTERS}.amdhsa_enable_private_segment 1"));
    let dispatch = Dispatch::with_options(&loaded, "k", [64, 3, 4], [64, 1, 1], &[], &options).expect("a dispatch");
    let wave = dispatch.wave([0, 1, 2], 0).expect("a wave");
    assert_eq!([0, 2, 4].map(|at| pair(&wave, at)), [layout.packets, layout.kernarg, 9]);
    assert_eq!([6, 7, 8].map(|at| sgpr(&wave, at)), [0, 1, 2]);
    assert_eq!((wave.sgprs.len(), wave.flat_scratch), (9, Some(layout.scratch + 7 * 2048)));
}

#[test]
fn gaps_before_the_group_numbers_are_kept() {
    // gfx1100 counts 13 user SGPRs where it uses two; gfx1200 has group numbers elsewhere.
    let directives = ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_user_sgpr_count 13\n\
        .amdhsa_system_sgpr_workgroup_id_z 1\n.amdhsa_system_sgpr_workgroup_info 1\n";
    let loaded_11 = loaded("gfx1100", 5, directives);
    let dispatch = Dispatch::new(&loaded_11, "k", [96, 1, 9], [96, 1, 1], &[]).expect("a dispatch");
    let wave = dispatch.wave([0, 0, 8], 2).expect("a wave");
    let kernarg = Options::default().layout.kernarg;
    let expected = [(0, kernarg as u32), (1, (kernarg >> 32) as u32), (13, 0), (14, 8), (15, 2 << 20 | 2 << 6 | 3)];
    assert_eq!(wave.sgprs, expected);
    let loaded_12 = loaded("gfx1200", 5, directives);
    let dispatch = Dispatch::new(&loaded_12, "k", [96, 1, 9], [96, 1, 1], &[]).expect("a dispatch");
    let wave = dispatch.wave([0, 0, 8], 2).expect("a wave");
    let info = (13, 2 << 20 | 2 << 6 | 3);
    assert_eq!((wave.sgprs[2..].to_vec(), wave.ttmps), (vec![info], vec![(7, 8 << 16), (8, 2 << 25), (9, 0)]));
    // Without z, y may take the whole word.
    let loaded_12 = loaded("gfx1200", 5, ".amdhsa_system_sgpr_workgroup_id_y 1\n");
    let dispatch = Dispatch::new(&loaded_12, "k", [1, 0x1_0003, 1], [1, 1, 1], &[]).expect("a dispatch");
    assert_eq!(dispatch.wave([0, 0x1_0002, 0], 0).expect("a wave").ttmps[0], (7, 0x1_0002));
}

#[test]
fn the_workgroup_info_has_the_wave_in_its_place() {
    // Where ACO looks for it: 11:6 in waves of 64 lanes, from gfx10.3 also 24:20 (VGPU_FACTS, ABI_FACTS). gfx12 has the register too.
    let both = 3 << 20 | 3 << 6;
    for (mcpu, number) in [
        ("gfx600", 3 << 6),
        ("gfx900", 3 << 6),
        ("gfx1010", 3 << 6),
        ("gfx1030", both),
        ("gfx1100", both),
        ("gfx1200", both),
    ] {
        let loaded = loaded(mcpu, 5, ".amdhsa_system_sgpr_workgroup_info 1\n.amdhsa_system_sgpr_workgroup_id_x 0\n");
        let dispatch = Dispatch::new(&loaded, "k", [300, 1, 1], [256, 1, 1], &[]).expect(mcpu);
        let waves = 256 / dispatch.resources().wave_size;
        assert_eq!(sgpr(&dispatch.wave([0; 3], 0).expect("a wave"), 0), 1 << 31 | waves, "{mcpu}");
        assert_eq!(sgpr(&dispatch.wave([0; 3], 3).expect("a wave"), 0), number | waves, "{mcpu}");
        // The partial group: 44 work-items.
        let waves = 44u32.div_ceil(dispatch.resources().wave_size);
        let last = dispatch.wave([1, 0, 0], waves - 1).expect("a wave");
        assert_eq!(sgpr(&last, 0) & 63, waves, "{mcpu}");
        assert_eq!(last.exec.count_ones(), 44 - (waves - 1) * 32, "{mcpu}");
    }
}

#[test]
fn work_item_numbers_not_wanted_are_zero_where_they_are_packed() {
    for (mcpu, packed) in
        [("gfx908", false), ("gfx90a", true), ("gfx1030", false), ("gfx1100", true), ("gfx1200", true)]
    {
        for wanted in 0..3 {
            let loaded = loaded(mcpu, 5, &format!(".amdhsa_system_vgpr_workitem_id {wanted}\n"));
            let dispatch = Dispatch::new(&loaded, "k", [4, 4, 4], [4, 4, 4], &[]).expect(mcpu);
            let wave = dispatch.wave([0; 3], 0).expect("a wave");
            // Lane 31 is (3, 3, 1).
            let item = [3, if wanted > 0 { 3 } else { 0 }, if wanted > 1 { 1 } else { 0 }];
            let found: Vec<u32> = wave.vgprs.iter().map(|v| v[31]).collect();
            let expected = if packed { vec![item[0] | item[1] << 10 | item[2] << 20] } else { vec![3, 3, 1] };
            assert_eq!(found, expected[..found.len()], "{mcpu}");
            assert_eq!(found.len(), if packed { 1 } else { wanted + 1 }, "{mcpu}");
        }
    }
}

#[test]
fn undefined_registers_follow_the_fill() {
    let loaded = loaded("gfx900", 5, "");
    let with = |fill| {
        let options = Options { fill, ..Options::default() };
        let dispatch = Dispatch::with_options(&loaded, "k", [3, 1, 1], [3, 1, 1], &[], &options).expect("a dispatch");
        let wave = dispatch.wave([0; 3], 0).expect("a wave");
        (wave.m0, wave.vgprs[0][2], wave.vgprs[0][3])
    };
    assert_eq!(with(Fill::Zero), (0, 2, 0));
    assert_eq!(with(Fill::Marked), (0xbad0_007c, 2, 0xbad1_0003));
    let (noise, other) = (with(Fill::Noise(1)), with(Fill::Noise(2)));
    assert!(noise.1 == 2 && noise.0 != other.0 && noise.2 != other.2 && noise == with(Fill::Noise(1)));
}

#[test]
fn mode_has_the_bits_of_the_descriptor() {
    let directives = ".amdhsa_float_round_mode_32 1\n.amdhsa_float_round_mode_16_64 2\n.amdhsa_float_denorm_mode_32 1\n\
        .amdhsa_float_denorm_mode_16_64 2\n.amdhsa_exception_fp_ieee_invalid_op 1\n.amdhsa_exception_int_div_zero 1\n";
    let older = ".amdhsa_dx10_clamp 1\n.amdhsa_ieee_mode 0\n";
    let newer = ".amdhsa_fp16_overflow 1\n";
    for (mcpu, more, mode) in [
        ("gfx600", vec![older], 0x4_1199),
        ("gfx803", vec![older], 0x4_1199),
        ("gfx1100", vec![older, newer], 0x84_1199),
        ("gfx1200", vec![newer], 0x80_0099),
    ] {
        let loaded = loaded(mcpu, 5, &format!("{directives}{}", more.concat()));
        let wave = Dispatch::new(&loaded, "k", [1; 3], [1; 3], &[]).expect(mcpu).wave([0; 3], 0).expect("a wave");
        assert_eq!((wave.mode, wave.exceptions), (mode, 0x41), "{mcpu}");
    }
}

#[test]
fn arguments_without_metadata_lie_at_their_natural_alignment() {
    let args = [
        Value::u32(1),
        Value::buffer(vec![7; 10]),
        Value::Raw(vec![1, 2, 3]),
        Value::Raw(vec![9; 12]),
        Value::Scalar(Scalar::F64(1.0)),
        Value::Buffer(Buffer { bytes: vec![8; 4], ..Buffer::default() }),
    ];
    let options = Options { global_offset: [5, 6, 7], hostcall: 0x100, ..Options::default() };
    let (kernarg, buffers) = (options.layout.kernarg, options.layout.buffers);
    for version in [3, 5] {
        let loaded = loaded("gfx900", version, ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n");
        let dispatch =
            Dispatch::with_options(&loaded, "k", [130, 5, 1], [64, 1, 1], &args, &options).expect("a dispatch");
        let memory = dispatch.mappings();
        assert_eq!((number(memory, kernarg, 4), number(memory, kernarg + 8, 8)), (1, buffers));
        assert_eq!(
            (number(memory, kernarg + 16, 3), number(memory, kernarg + 20, 8)),
            (0x03_0201, 0x0909_0909_0909_0909)
        );
        assert_eq!(number(memory, kernarg + 32, 8), 1f64.to_bits());
        let second = number(memory, kernarg + 40, 8);
        assert!(second >= buffers + 10 + options.layout.gap && second.is_multiple_of(0x1000));
        assert_eq!((read(memory, buffers, 10), read(memory, second, 4)), (&[7; 10][..], &[8; 4][..]));
        let outputs: Vec<_> = dispatch.outputs().iter().map(|o| (o.argument, o.base, o.bytes, o.writable)).collect();
        assert_eq!(outputs, [(1, buffers, 10, true), (5, second, 4, false)]);
        // The hidden block follows at 48.
        let hidden = kernarg + 48;
        let calls = number(memory, hidden + if version == 3 { 24 } else { 80 }, 8);
        assert_eq!(read(memory, calls, 0x100), [0; 0x100]);
        if version == 3 {
            assert_eq!([0, 8, 16].map(|at| number(memory, hidden + at, 8)), [5, 6, 7]);
            assert_eq!([32, 40, 48].map(|at| number(memory, hidden + at, 8)), [0; 3]);
            continue;
        }
        assert_eq!([0, 4, 8].map(|at| number(memory, hidden + at, 4)), [2, 5, 1]);
        assert_eq!([12, 14, 16, 18, 20, 22].map(|at| number(memory, hidden + at, 2)), [64, 1, 1, 2, 0, 0]);
        assert_eq!([40, 48, 56].map(|at| number(memory, hidden + at, 8)), [5, 6, 7]);
        assert_eq!((number(memory, hidden + 64, 2), number(memory, hidden + 72, 8)), (2, 0));
        assert_eq!([192, 196].map(|at| number(memory, hidden + at, 4)), [0x2_0000, 0x1_0000]);
        assert_eq!(number(memory, hidden + 200, 8), options.layout.queue);
    }
}

#[test]
fn packet_and_queue_have_their_fields() {
    let loaded = loaded(
        "gfx803",
        4,
        &format!("{OWN_SCRATCH}.amdhsa_private_segment_fixed_size 16\n.amdhsa_group_segment_fixed_size 24\n"),
    );
    let dispatch = Dispatch::new(&loaded, "k", [100, 7, 3], [16, 4, 2], &[Value::Lds(40)]).expect("a dispatch");
    let (memory, layout) = (dispatch.mappings(), Options::default().layout);
    let packet = |at, len| number(memory, layout.packets + at, len);
    assert_eq!((packet(0, 2), packet(2, 2)), (0x1502, 3));
    assert_eq!([4, 6, 8].map(|at| packet(at, 2)), [16, 4, 2]);
    assert_eq!([12, 16, 20].map(|at| packet(at, 4)), [100, 7, 3]);
    // The pointer to LDS is aligned to 16: 32 + 40.
    assert_eq!((packet(24, 4), packet(28, 4)), (16, 72));
    assert_eq!((packet(32, 8), packet(40, 8), packet(56, 8)), (dispatch.kernel().object, layout.kernarg, 0));
    let queue = |at, len| number(memory, layout.queue + at, len);
    assert_eq!((queue(8, 8), queue(0x38, 8), queue(0x80, 8)), (layout.packets, 1, 0));
    assert_eq!((queue(0x40, 4), queue(0x44, 4)), (0x2000_0000, 0x2000_0001));
    let groups = 7 * 2 * 2;
    assert_eq!(queue(0x8c, 4), (groups * 2) | (1 << 12));
    assert_eq!((queue(0x90, 8), queue(0xa0, 8)), (layout.scratch | 0x8000_0000 << 32, layout.scratch));
    assert_eq!((queue(0xa8, 8), queue(0xb0, 4)), (groups * 2 * 1024, 16));
    let all: Vec<_> = memory.iter().map(|m| (m.name.as_str(), m.writable)).collect();
    assert_eq!(all, [("kernarg", false), ("packets", false), ("queue", false), ("scratch", true)]);
}

#[test]
fn groups_are_counted_x_first() {
    let geometry = Geometry::new([5, 3, 2], [2, 2, 2], 32).expect("a geometry");
    assert_eq!((geometry.groups(), geometry.group_count(), geometry.dimensions()), ([3, 2, 1], 6, 3));
    let order: Vec<_> = geometry.iter().collect();
    assert_eq!(order, [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0]]);
    for (index, &group) in order.iter().enumerate() {
        assert_eq!(geometry.index_of(group), Some(index as u64));
    }
    assert_eq!((geometry.group_at(6), geometry.index_of([3, 0, 0])), (None, None));
    assert_eq!((geometry.size_of([2, 1, 0]), geometry.items_of([2, 1, 0])), ([1, 1, 2], 2));
    let items: u32 = order.iter().map(|&group| geometry.items_of(group)).sum();
    assert_eq!(items, 30);
    let wide = Geometry::new([u32::MAX, 1, 1], [1000, 1, 1], 64).expect("a geometry");
    assert_eq!((wide.waves_of([0; 3]), wide.live([0; 3], 15), wide.live([0; 3], 14)), (16, (1 << 40) - 1, u64::MAX));
    assert_eq!(wide.items_of([4_294_967, 0, 0]), 295);
    assert!(Geometry::new([u32::MAX; 3], [1; 3], 64).is_err());
}

#[test]
fn apertures_are_those_of_the_driver() {
    let of = |mcpu| apertures(Arch::find(mcpu).expect(mcpu));
    assert_eq!(of("gfx700"), Apertures { shared: 1 << 61, private: 0x2000_0001_0000_0000 });
    assert_eq!(of("gfx1100"), Apertures { shared: 1 << 48, private: 2 << 48 });
}

#[test]
fn registers_are_counted_in_whole_blocks() {
    let of = |mcpu, directives: &str| {
        let loaded = loaded(mcpu, 5, directives);
        *Dispatch::new(&loaded, "k", [1; 3], [1; 3], &[]).expect(mcpu).resources()
    };
    // 16 and VCC (gfx7 and gfx9: FLAT_SCRATCH too) in blocks of 8, of 16 on gfx9.
    assert_eq!(of("gfx700", "").sgprs, 24);
    assert_eq!(of("gfx900", "").sgprs, 32);
    assert_eq!(of("gfx1030", "").sgprs, 108);
    assert_eq!((of("gfx1030", "").vgprs, of("gfx90a", "").vgprs, of("gfx900", "").vgprs), (8, 8, 4));
    assert_eq!(of("gfx90a", "").accum_offset, Some(4));
    assert_eq!(of("gfx1030", ".amdhsa_wavefront_size32 0\n.amdhsa_shared_vgpr_count 2\n").shared_vgprs, 16);
    assert!(of("gfx1030", "").wgp_mode && !of("gfx900", "").wgp_mode);
}

#[test]
fn scratch_has_slots_for_the_groups_that_run_at_once() {
    let loaded = loaded("gfx900", 5, &format!("{OWN_SCRATCH}.amdhsa_private_segment_fixed_size 16\n"));
    let run = |group_slots, max_scratch| {
        let options = Options { group_slots, max_scratch, ..Options::default() };
        Dispatch::with_options(&loaded, "k", [128 * 10, 1, 1], [128, 1, 1], &[], &options).map_err(text)
    };
    let offset = |dispatch: &Dispatch, x, wave| dispatch.wave([x, 0, 0], wave).expect("a wave").scratch_offset;
    // Two waves a group, a granule each.
    let four = run(4, 1 << 20).expect("a dispatch");
    assert_eq!(
        [(0, 0), (0, 1), (3, 1), (4, 0), (9, 1)].map(|(x, wave)| offset(&four, x, wave)),
        [0, 1024, 7 * 1024, 0, 3 * 1024]
    );
    assert_eq!(four.wave_in_slot([9, 0, 0], 1, 2).expect("a wave").scratch_offset, 5 * 1024);
    let memory = |dispatch: &Dispatch| dispatch.mappings().iter().find(|m| m.name == "scratch").map(|m| m.bytes.len());
    assert_eq!(memory(&four), Some(8 * 1024));
    // No more slots than groups, and than memory allows.
    assert_eq!(memory(&run(64, 1 << 20).expect("a dispatch")), Some(20 * 1024));
    assert_eq!(memory(&run(64, 5 * 1024).expect("a dispatch")), Some(4 * 1024));
    let error = run(64, 2047).map(drop).expect_err("an error");
    assert_eq!(error, "the scratch of one group of kernel `k` needs 0x800 bytes; the limit is 0x7ff");
}

#[test]
fn stacks_without_a_bound_get_room() {
    let directives = ".amdhsa_enable_private_segment 1\n.amdhsa_private_segment_fixed_size 16\n\
        .amdhsa_uses_dynamic_stack 1\n.amdhsa_user_sgpr_private_segment_size 1\n";
    let loaded = loaded("gfx1100", 5, directives);
    let dispatch = Dispatch::new(&loaded, "k", [32, 1, 1], [32, 1, 1], &[]).expect("a dispatch");
    let wave = dispatch.wave([0; 3], 0).expect("a wave");
    assert_eq!(sgpr(&wave, 0), 16 + Options::default().dynamic_stack);
    assert_eq!(dispatch.scratch().bytes(), u64::from(sgpr(&wave, 0)) * 32);
}

/// clang 19 loads 16 bytes at 0x18 of a segment of 0x24, and 32 where 8 are left: memory is mapped in pages. What lies behind is always the same.
#[test]
fn loads_that_begin_in_the_argument_segment_do_not_trap() {
    for size in [4usize, 0x24, 56, 256] {
        let loaded = loaded("gfx900", 4, ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n");
        let raw = Value::Raw(vec![0x11; size]);
        let dispatch = Dispatch::new(&loaded, "k", [1; 3], [1; 3], &[raw]).expect("a dispatch");
        let kernarg = Options::default().layout.kernarg;
        let segment = dispatch.mappings().iter().find(|m| m.base == kernarg).expect("a segment");
        // The longest load, s_load_dwordx16, from the last word of the arguments.
        assert!(segment.bytes.len() >= size - 4 + 64, "{size}");
        assert_eq!(segment.bytes[..size], vec![0x11; size]);
        assert!(segment.bytes.ends_with(&0xbad3_bad3u32.to_le_bytes()), "{size}");
    }
}
