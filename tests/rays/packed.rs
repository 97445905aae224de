//! Trees of the packed nodes of gfx12, and a program that goes through them: eight quantised boxes, and ranges of triangles over one node or two.

use super::plain::{bounds, parts};
use super::scene::{P, Patch, Scene, TRIANGLES, sub};

/// A program that goes through packed nodes. Triangles are gone through pair by pair, as the hardware says where to go on.
///
/// What is done at the start, before each node, and behind each node (whose kind v8 has) is for trees in a tree. Lanes that go on are in
/// s20 there.
pub fn program(save: &str, leave: &str, enter: &str) -> String {
    format!(
        "v_mov_b32 v10, 0
        v_mov_b32 v11, 0
        v_mov_b32 v23, 5
        v_mov_b32 v9, 0
        {save}
        .Lnext:
        s_mov_b32 s20, exec_lo
        {leave}
        v_mov_b32 v24, -1
        image_bvh8_intersect_ray v[40:49], [v[10:11], v[12:13], v[14:16], v[17:19], v23], s[0:3]
        v_and_b32 v8, 7, v23
        {enter}
        v_cmp_gt_u32 vcc_lo, 4, v8
        s_and_b32 exec_lo, s20, vcc_lo
        s_mov_b32 s21, exec_lo
        v_cmp_lt_f32 vcc_lo, v40, v12
        s_and_b32 exec_lo, s21, vcc_lo
        v_add_nc_u32 v9, 1, v9
        s_mov_b32 exec_lo, s21
        v_cmp_lt_f32 vcc_lo, v44, v12
        s_and_b32 exec_lo, s21, vcc_lo
        v_add_nc_u32 v9, 1, v9
        s_mov_b32 exec_lo, s21
        v_and_b32 v24, 3, v48
        v_or_b32 v24, 0xfffffff8, v24
        v_mov_b32 v47, v23
        s_mov_b32 exec_lo, s20
        ds_bvh_stack_push8_pop1_rtn_b32 v23, v1, v24, v[40:47] offset:543
        v_cmp_ne_u32 vcc_lo, 0xfffffffe, v23
        s_and_b32 exec_lo, s20, vcc_lo
        s_cbranch_execnz .Lnext
        s_endpgm
        "
    )
}

/// Words of a node.
pub const NODE: usize = 32;
/// Patches of a node of triangles.
const PATCHES: usize = 3;
/// Bits that all coordinates end with: no number has more than seven digits.
const ZEROS: u32 = 17;

/// Bits, from the lowest on.
struct Bits([u32; NODE]);

impl Bits {
    fn put(&mut self, at: u32, count: u32, value: u32) {
        for n in 0..count {
            let place = at + n;
            self.0[place as usize / 32] |= (value >> n & 1) << (place % 32);
        }
    }
}

/// A tree whose root is its first node.
pub fn tree(scene: &Scene) -> Vec<u32> {
    let mut words = vec![0; NODE];
    let mut patches = scene.patches.clone();
    boxes(&mut words, 0, &mut patches);
    words
}

/// Writes a node of boxes, and what it is around behind all that there is.
fn boxes(words: &mut Vec<u32>, at: usize, patches: &mut [Patch]) {
    let [origin, _] = bounds(patches);
    let parts = parts(patches, 8);
    let leaf = |part: &[Patch]| part.len() <= 2 * PATCHES;
    let pointer = |word: usize| (word / NODE * 16) as u32;
    // Nodes of boxes lie behind each other, and so do those of triangles.
    let first_box = words.len();
    words.resize(first_box + NODE * parts.iter().filter(|part| !leaf(part)).count(), 0);
    let first_leaf = words.len();
    let (mut next_box, mut children) = (first_box, Vec::new());
    for part in &parts {
        let (mut kind, mut range) = (5, 1);
        if leaf(part) {
            (kind, range) = (0, part.len().div_ceil(PATCHES) as u32);
            let groups = part.chunks(PATCHES);
            let last = groups.len() - 1;
            groups.enumerate().for_each(|(n, group)| words.extend(triangles(group, n == last)));
        }
        let [low, high] = bounds(part).map(|p| sub(p, origin));
        children.extend(child(low, high, 32, kind, range));
    }
    let count = parts.len() as u32;
    for part in parts {
        if !leaf(part) {
            boxes(words, next_box, part);
            next_box += NODE;
        }
    }
    let node = &mut words[at..at + NODE];
    node[..2].copy_from_slice(&[pointer(first_box), pointer(first_leaf)]);
    node[3..6].copy_from_slice(&origin.map(|x| (x as f32).to_bits()));
    // 4096 units are 2^7.
    node[6] = 0x86_8686 | (count - 1) << 28;
    node[7] = 0x7f;
    node[8..8 + children.len()].copy_from_slice(&children);
}

/// A child, whose planes lie at so many parts of one; upper ones count from one.
pub fn child(low: P, high: P, parts: u32, kind: u32, range: u32) -> [u32; 3] {
    let low = low.map(|x| parts * x as u32);
    let high = high.map(|x| (parts * x as u32).saturating_sub(1));
    [low[0] | low[1] << 12, low[2] | high[0] << 12 | 0xff << 24, high[1] | high[2] << 12 | kind << 24 | range << 28]
}

/// A node of triangles, with what its corners share in front.
fn triangles(patches: &[Patch], last: bool) -> [u32; NODE] {
    let corners: Vec<[u32; 3]> = patches.iter().flatten().map(|p| p.map(|x| (x as f32).to_bits())).collect();
    // A corner has at least one bit of its own.
    let shared: [u32; 3] = std::array::from_fn(|n| {
        let differ = corners.iter().fold(0, |all, corner| all | corner[n] ^ corners[0][n]);
        differ.leading_zeros().min(32 - ZEROS - 1)
    });
    let pairs = 2 * patches.len() as u32;
    let mut bits = Bits([0; NODE]);
    for (n, shared) in (0..).zip(shared) {
        bits.put(5 * n, 5, 32 - ZEROS - shared - 1);
    }
    bits.put(15, 5, ZEROS);
    bits.put(28, 3, pairs - 1);
    bits.put(42, 10, 1024 - 29 * pairs);
    let mut at = 52;
    for (n, shared) in shared.into_iter().enumerate() {
        bits.put(at, shared, (corners[0][n] >> 1) >> (31 - shared));
        at += shared;
    }
    for corner in &corners {
        for (n, shared) in shared.into_iter().enumerate() {
            let own = 32 - ZEROS - shared;
            bits.put(at, own, corner[n] >> ZEROS);
            at += own;
        }
    }
    for pair in 0..pairs {
        let first = 5 * (pair / 2);
        let mut word = u32::from(last && pair + 1 == pairs);
        for (triangle, place) in [(2 * (pair % 2), 17), (2 * (pair % 2) + 1, 3)] {
            for (n, corner) in (0..).zip(TRIANGLES[triangle as usize]) {
                word |= (first + corner as u32) << (place + 4 * n);
            }
        }
        bits.put(1024 - 29 * (pair + 1), 29, word);
    }
    bits.0
}
