//! Descriptors, pointers, rays, nodes and stacks of any bits: a wave ends, or traps with a reason, and memory that is not there is not read.

use super::machine::{BASE, descriptor, target, words};
use proptest::collection::vec;
use proptest::prelude::*;
use wavediff::emu::grid::{self, Hooks};
use wavediff::emu::plan::Plan;
use wavediff::engine::TrapKind;
use wavediff::engine::dispatch::Dispatch;
use wavediff::engine::registers::Registers;
use wavediff::memory::guest::Memory;
use wavediff::memory::rays::fields::TreeField;
use wavediff::program::Program;

/// Instructions, one of which is executed.
const LINES: &[(&str, &str)] = &[
    ("gfx1030", "image_bvh_intersect_ray v[0:3], v[0:10], s[0:3]"),
    ("gfx1030", "image_bvh64_intersect_ray v[0:3], v[0:8], s[0:3] a16"),
    ("gfx1100", "image_bvh64_intersect_ray v[0:3], [v[0:1], v2, v[4:6], v[7:9], v[10:12]], s[0:3]"),
    ("gfx1100", "image_bvh64_intersect_ray v[0:3], [v[0:1], v2, v[4:6], v[7:9]], s[0:3] a16"),
    ("gfx1100", "ds_bvh_stack_rtn_b32 v0, v1, v2, v[3:6] offset:4096"),
    ("gfx1200", "image_bvh64_intersect_ray v[0:3], [v[0:1], v2, v[4:6], v[7:9], v[10:12]], s[0:3]"),
    ("gfx1200", "image_bvh_dual_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v[10:11]], s[0:3]"),
    ("gfx1200", "image_bvh8_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v10], s[0:3]"),
    ("gfx1200", "ds_bvh_stack_push4_pop1_rtn_b32 v0, v1, v2, v[3:6]"),
    ("gfx1200", "ds_bvh_stack_push8_pop1_rtn_b32 v0, v1, v2, v[3:10] offset:528"),
    ("gfx1200", "ds_bvh_stack_push8_pop2_rtn_b64 v[20:21], v1, v2, v[3:10] offset:287"),
];

/// A word that is anything, a small number, a float that is awkward, or a node.
fn word() -> impl Strategy<Value = u32> {
    let floats = [f32::NAN, f32::INFINITY, -0.0, 1e30, f32::MAX, 1.0, -2.5];
    let nodes = [u32::MAX, 0xffff_fffe, 0xffff_fff9, 0xffff_fff8, 6, 0x26];
    prop_oneof![
        any::<u32>(),
        0..64u32,
        (0..floats.len()).prop_map(move |n| floats[n].to_bits()),
        (0..nodes.len()).prop_map(move |n| nodes[n]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_does_harm(
        line in 0..LINES.len(),
        tree in vec(any::<u32>(), 4),
        plausible in any::<bool>(),
        lanes in vec(word(), 4 * 13),
        nodes in vec(word(), 256),
    ) {
        let (arch, line) = LINES[line];
        let target = target(arch);
        let program = Program::new(target, &words(target, &format!("{line}\ns_endpgm\n")), 0x1000);
        let mut memory = Memory::new();
        let bytes: Vec<u8> = nodes.iter().flat_map(|word| word.to_le_bytes()).collect();
        memory.map_bytes("nodes", BASE, &bytes, false).expect("memory");
        let mut tree: [u32; 4] = std::array::from_fn(|n| tree[n]);
        if plausible {
            let flags = [
                (TreeField::Sort, tree[0] & 1), (TreeField::WideSort, tree[0] >> 1 & 1), (TreeField::Precise, tree[0] >> 2 & 1),
                (TreeField::Compressed, tree[0] >> 3 & 1), (TreeField::Instances, tree[0] >> 4 & 1),
                (TreeField::PointerFlags, tree[0] >> 5 & 1), (TreeField::Grow, tree[1] & 255), (TreeField::Heuristic, tree[2] & 3),
            ];
            tree = descriptor(target, &flags.map(|(field, value)| (field, value.into())));
        }
        let setup = |_: [u32; 3], _: u32, wave: &mut Registers| {
            wave.s[..4].copy_from_slice(&tree);
            wave.set_exec(15);
            for (n, word) in lanes.iter().enumerate() {
                wave.set_vgpr(n / 4, n % 4, *word);
            }
        };
        let dispatch = Dispatch { lds: 0x100, ..Dispatch::of_one(&program, &memory, 32, &setup) };
        let finished = grid::run(&dispatch, &Plan::new(&program), &Hooks { keep: true, ..Hooks::default() });
        if let Some(trap) = finished.groups.last().and_then(|group| group.trap.as_ref()) {
            let kind = &trap.1.kind;
            prop_assert!(matches!(kind, TrapKind::BadAddress { .. } | TrapKind::Unsupported { .. }), "{line}: {kind:?}");
        }
    }
}

/// Why an instruction of gfx1200 traps, with a descriptor and a node whose address is 0.
fn refused(tree: [u32; 4], node: &[u32; 32], pointer: u32) -> Option<String> {
    let target = target("gfx1200");
    let line = "image_bvh8_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v10], s[0:3]\ns_endpgm\n";
    let program = Program::new(target, &words(target, line), 0x1000);
    let mut memory = Memory::new();
    let bytes: Vec<u8> = node.iter().flat_map(|word| word.to_le_bytes()).collect();
    memory.map_bytes("node", BASE, &bytes, false).expect("memory");
    let setup = |_: [u32; 3], _: u32, wave: &mut Registers| {
        wave.s[..4].copy_from_slice(&tree);
        wave.set_exec(1);
        wave.set_vgpr(3, 0, 0xff);
        wave.set_vgpr(10, 0, pointer);
    };
    let dispatch = Dispatch::of_one(&program, &memory, 32, &setup);
    let finished = grid::run(&dispatch, &Plan::new(&program), &Hooks { keep: true, ..Hooks::default() });
    let (_, cause) = finished.groups.last()?.trap.as_ref()?;
    Some(cause.kind.to_string())
}

#[test]
fn what_is_not_known_is_said() {
    let packed = descriptor(target("gfx1200"), &[(TreeField::Compressed, 1)]);
    let said = |tree, words: &[(usize, u32)], pointer| {
        let mut node = [0; 32];
        words.iter().for_each(|(n, word)| node[*n] = *word);
        refused(tree, &node, pointer)
    };
    let has =
        |said: Option<String>, what: &str| assert!(said.as_ref().is_some_and(|said| said.contains(what)), "{said:?}");
    has(said([0; 4], &[], 5), "TYPE 0 of the descriptor of a tree");
    has(said(packed, &[(0, 1 << 31)], 0), "unorm16");
    has(said(packed, &[(7, 104)], 5), "the turn 104");
    has(said(packed, &[], 0x105), "bad address");
    assert_eq!(said(packed, &[(7, 0x7f)], 5), None);
}
