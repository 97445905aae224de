//! Rays through whole trees: programs go through trees of boxes and triangles with the instructions for that, and count what they hit. All coordinates
//! are small whole numbers, so that every product is exact, and what is hit follows from sums of whole numbers by another formula.
//!
//! And descriptors, pointers and nodes of any bits do no harm.

#[path = "rays/exact.rs"]
mod exact;
#[path = "rays/hostile.rs"]
mod hostile;
#[path = "rays/instances.rs"]
mod instances;
#[path = "rays/machine.rs"]
mod machine;
#[path = "rays/packed.rs"]
mod packed;
#[path = "rays/plain.rs"]
mod plain;
#[path = "rays/scene.rs"]
mod scene;
#[path = "rays/stacks.rs"]
mod stacks;

use machine::Machine;
use scene::Drawn;

/// How many scenes, each with 32 rays, a program goes through.
const SCENES: u64 = 24;

/// Counts the hits of each scene's rays with a program and by sums, and compares; gives how many hits there were.
fn compare<D: Drawn>(machine: &Machine, build: impl Fn(&D) -> Vec<u32>, sort: u64) -> u32 {
    let mut all = 0;
    for seed in 1..=SCENES {
        let scene = D::new(seed);
        let counted = machine.count(&build(&scene), scene.rays(), sort);
        let wanted: Vec<u32> = scene.rays().iter().map(|ray| scene.hits(ray)).collect();
        assert_eq!(counted, wanted, "scene {seed}");
        all += wanted.iter().sum::<u32>();
    }
    all
}

#[test]
fn programs_with_stacks_of_their_own() {
    for arch in ["gfx1030", "gfx1100", "gfx1200"] {
        let machine = Machine::new(arch, &plain::own_stack(arch));
        for (half, sort) in [(false, 1), (true, 0)] {
            let hits = compare(&machine, |scene| plain::tree(scene, half), sort);
            assert!(hits > 300, "{arch}: {hits}");
        }
    }
}

#[test]
fn programs_with_the_stacks_of_the_hardware() {
    for (arch, text) in [("gfx1100", plain::STACK11.to_owned()), ("gfx1200", plain::stack12())] {
        let machine = Machine::new(arch, &text);
        for half in [false, true] {
            assert!(compare(&machine, |scene| plain::tree(scene, half), 1) > 300);
        }
    }
}

#[test]
fn programs_with_packed_nodes() {
    let machine = Machine::new("gfx1200", &packed::program("", "", ""));
    assert!(compare(&machine, packed::tree, 1) > 300);
}

#[test]
fn programs_with_trees_in_a_tree() {
    let machine = Machine::new("gfx1200", &instances::program());
    let hits = compare(&machine, instances::World::tree, 1);
    assert!(hits > 300, "{hits}");
}
