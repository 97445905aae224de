//! Descriptors, pointers, rays, nodes and stacks of any bits: a wave ends, or traps with a reason, and memory that is not there is not read.

use super::machine::{descriptor, run, target, words};
use wavediff::emu::grid::Done;
use wavediff::engine::TrapKind;
use wavediff::engine::registers::Registers;
use wavediff::laws::Chance;
use wavediff::memory::rays::fields::TreeField;
use wavediff::program::Program;

/// Which bits of a register of the address are kept, so that they lead into the 16 units that are there.
type Kept = (usize, u32);

/// A pointer to one of 16 units.
const NEAR: u32 = 0x7f;
/// Above a pointer of 64 bits: its flags alone.
const FLAGS: u32 = 0xffc0_0000;

/// Instructions, one of which is executed, and what is kept of its address in every other run.
#[rustfmt::skip]
const LINES: &[(&str, &str, &[Kept])] = &[
    ("gfx1030", "image_bvh_intersect_ray v[0:3], v[0:10], s[0:3]", &[(0, NEAR)]),
    ("gfx1030", "image_bvh64_intersect_ray v[0:3], v[0:8], s[0:3] a16", &[(0, NEAR), (1, 0)]),
    ("gfx1100", "image_bvh64_intersect_ray v[0:3], [v[0:1], v2, v[4:6], v[7:9], v[10:12]], s[0:3]", &[(0, NEAR), (1, FLAGS)]),
    ("gfx1100", "image_bvh64_intersect_ray v[0:3], [v[0:1], v2, v[4:6], v[7:9]], s[0:3] a16", &[(0, NEAR), (1, FLAGS)]),
    ("gfx1100", "ds_bvh_stack_rtn_b32 v0, v1, v2, v[3:6] offset:4096", &[]),
    ("gfx1200", "image_bvh64_intersect_ray v[0:3], [v[0:1], v2, v[4:6], v[7:9], v[10:12]], s[0:3]", &[(0, NEAR), (1, FLAGS)]),
    ("gfx1200", "image_bvh_dual_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v[10:11]], s[0:3]", &[(0, 0), (1, FLAGS), (10, NEAR), (11, NEAR)]),
    ("gfx1200", "image_bvh8_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v10], s[0:3]", &[(0, 0), (1, FLAGS), (10, NEAR)]),
    ("gfx1200", "ds_bvh_stack_push4_pop1_rtn_b32 v0, v1, v2, v[3:6]", &[]),
    ("gfx1200", "ds_bvh_stack_push8_pop1_rtn_b32 v0, v1, v2, v[3:10] offset:528", &[]),
    ("gfx1200", "ds_bvh_stack_push8_pop2_rtn_b64 v[20:21], v1, v2, v[3:10] offset:287", &[]),
];

/// How often each is executed.
const RUNS: usize = 120;
/// How many of those end at least without a trap: of the 60 whose addresses are kept near, two in three. (Others have a lane whose node of
/// two units begins in the last one, or bits that are refused.)
const ENDED: usize = 40;

/// A word that is anything, a small number, a float that is awkward, or a node.
fn word(chance: &mut Chance) -> u32 {
    const FLOATS: [f32; 7] = [f32::NAN, f32::INFINITY, -0.0, 1e30, f32::MAX, 1.0, -2.5];
    const NODES: [u32; 6] = [u32::MAX, 0xffff_fffe, 0xffff_fff9, 0xffff_fff8, 6, 0x26];
    match chance.below(4) {
        0 => chance.next_u64() as u32,
        1 => chance.below(64) as u32,
        2 => FLOATS[chance.below(FLOATS.len())].to_bits(),
        _ => NODES[chance.below(NODES.len())],
    }
}

/// A descriptor of any bits, or that of a tree in which all fields that choose something are drawn.
fn tree(chance: &mut Chance, arch: &str, plausible: bool) -> [u32; 4] {
    if !plausible {
        return std::array::from_fn(|_| chance.next_u64() as u32);
    }
    let drawn = [
        (TreeField::Sort, 2),
        (TreeField::WideSort, 2),
        (TreeField::Precise, 2),
        (TreeField::Compressed, 2),
        (TreeField::Instances, 2),
        (TreeField::PointerFlags, 2),
        (TreeField::TrianglesFirst, 2),
        (TreeField::Barycentrics, 2),
        (TreeField::Heuristic, 4),
        (TreeField::Grow, 256),
    ];
    descriptor(target(arch), &drawn.map(|(field, values)| (field, chance.below(values) as u64)))
}

#[test]
fn nothing_does_harm() {
    let mut chance = Chance::new(0x4057);
    for (arch, line, kept) in LINES {
        let target = target(arch);
        let program = Program::new(target, &words(target, &format!("{line}\ns_endpgm\n")), 0x1000);
        let mut ended = 0;
        for number in 0..RUNS {
            let plausible = number % 2 == 0;
            let tree = tree(&mut chance, arch, plausible);
            let nodes: Vec<u32> = (0..256).map(|_| word(&mut chance)).collect();
            let lanes: Vec<u32> = (0..4 * 13).map(|_| word(&mut chance)).collect();
            let begin = |wave: &mut Registers| {
                wave.s[..4].copy_from_slice(&tree);
                wave.set_exec(15);
                for (n, word) in lanes.iter().enumerate() {
                    let near = kept.iter().find(|(register, _)| plausible && *register == n / 4);
                    wave.set_vgpr(n / 4, n % 4, word & near.map_or(u32::MAX, |(_, mask)| *mask));
                }
            };
            let Done { trap, .. } = run(&program, &nodes, 0x100, &begin);
            match trap.map(|(_, cause)| cause.kind) {
                None => ended += 1,
                Some(TrapKind::BadAddress { .. } | TrapKind::Unsupported { .. }) => {}
                Some(kind) => panic!("{arch} {line}, run {number}: {kind:?}"),
            }
        }
        assert!(ended >= ENDED, "{arch} {line}: {ended} of {RUNS}");
    }
}

/// Why an instruction of gfx1200 traps, with a descriptor and a node whose address is 0.
fn refused(tree: [u32; 4], node: &[u32; 32], pointer: u32) -> Option<String> {
    let target = target("gfx1200");
    let line = "image_bvh8_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v10], s[0:3]\ns_endpgm\n";
    let program = Program::new(target, &words(target, line), 0x1000);
    let begin = |wave: &mut Registers| {
        wave.s[..4].copy_from_slice(&tree);
        wave.set_exec(1);
        wave.set_vgpr(3, 0, 0xff);
        wave.set_vgpr(10, 0, pointer);
    };
    let (_, cause) = run(&program, node, 0, &begin).trap?;
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
