//! Stacks against lists that never wrap, over drawn sequences.

use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::{BTreeMap, VecDeque};
use wavediff::memory::rays::stack::{Ring, Short, Words};

const NONE: u32 = u32::MAX;
const END: u32 = 0xffff_fffe;

/// LDS as a map: every word that is used has its place.
#[derive(Default)]
struct Lds(BTreeMap<u32, u32>);

impl Words for Lds {
    fn get(&mut self, at: u32) -> u32 {
        self.0.get(&at).copied().unwrap_or(0)
    }

    fn set(&mut self, at: u32, word: u32) {
        self.0.insert(at, word);
    }
}

/// Few nodes, so that the last one visited is often among them; boxes, and on gfx12 instances.
fn node(instances: bool) -> impl Strategy<Value = u32> {
    let kind = if instances { 5..7u32 } else { 5..6u32 };
    prop_oneof![3 => (1..9u32, kind).prop_map(|(n, kind)| n << 3 | kind), 1 => Just(NONE)]
}

fn visited() -> impl Strategy<Value = u32> {
    prop_oneof![3 => Just(NONE), 2 => (1..9u32).prop_map(|n| n << 3 | 5), 1 => Just(END)]
}

/// What is behind the node visited last, where it is the last of its kind; everything, if there was none.
fn behind(visited: u32, nodes: &[u32], none: bool) -> &[u32] {
    match nodes.iter().rposition(|node| *node == visited) {
        _ if none => nodes,
        Some(place) => &nodes[place + 1..],
        None => &[],
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// 64 words, which these sequences never fill.
    #[test]
    fn of_gfx11(steps in vec((visited(), vec(node(false), 4)), 1..20)) {
        let (mut lds, mut list, mut register) = (Lds::default(), Vec::new(), 0x123 << 18);
        for (visited, nodes) in steps {
            let four = [nodes[0], nodes[1], nodes[2], nodes[3]];
            let mut short = Short::of(register, 3 << 12);
            let got = short.exchange(visited, &four, &mut lds);
            register = short.register();
            let candidates = behind(visited, &nodes, visited == NONE);
            let nearest = candidates.len() == 4 && nodes[0] != NONE;
            list.extend(candidates.iter().rev().filter(|node| **node != NONE));
            let wanted = list.pop().unwrap_or(END);
            prop_assert_eq!(got, wanted);
            prop_assert!(!nearest || got == nodes[0]);
            prop_assert_eq!(register, 0x123 << 18 | list.len() as u32);
        }
        prop_assert!(lds.0.keys().all(|at| (at - 4 * 0x123) % 128 == 0));
    }

    /// A ring of few words is a list that loses its oldest ones. Below an instance that was popped lies the tree around it.
    #[test]
    fn of_gfx12(size in 1..12u32, steps in vec((visited(), vec(node(true), 8)), 1..24)) {
        let (mut lds, mut list, mut register) = (Lds::default(), VecDeque::new(), 0x77 << 15);
        // How many words lie below the instance, if there is one.
        let (mut below, mut lost): (Option<usize>, bool) = (None, false);
        for (visited, nodes) in steps {
            let mut ring = Ring::of(register, size);
            let got = ring.exchange(visited, &nodes, &mut lds);
            register = ring.register();
            let none = visited >> 3 == NONE >> 3;
            for node in behind(visited, &nodes, none).iter().rev().filter(|node| **node != NONE) {
                if list.len() == size as usize {
                    list.pop_front();
                    lost = true;
                    // When nothing is left below, there is no instance any more.
                    below = below.and_then(|n| n.checked_sub(1));
                }
                list.push_back(*node);
            }
            let left = below == Some(list.len()) && !list.is_empty();
            if left || list.is_empty() {
                below = None;
            }
            let wanted = list.pop_back().unwrap_or(if lost { NONE } else { END });
            if wanted & 7 == 6 && wanted < END {
                // Of three trees the outermost is forgotten.
                if let Some(n) = below {
                    list.drain(..n);
                    lost = true;
                }
                below = Some(list.len());
            }
            prop_assert_eq!(got, wanted);
            prop_assert_eq!(register >> 15 & 0x3fff, 0x77);
            prop_assert_eq!(register & 31, list.len() as u32);
            prop_assert_eq!([register >> 31, register >> 30 & 1, register >> 29 & 1], [left.into(), lost.into(), below.is_some().into()]);
        }
    }
}
