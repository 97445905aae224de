//! Trees of nodes with four boxes and with four triangles, and programs that go through them.

use super::scene::{P, Patch, Scene};

/// In lanes that met a triangle: a hit is counted, and there are no nodes to go on with. Then all lanes go on.
const LEAF: &str = "v_add_nc_u32 v9, v9, v7
        v_mov_b32 v4, -1
        v_mov_b32 v5, -1
        v_mov_b32 v6, -1
        v_mov_b32 v7, -1
        s_mov_b32 exec_lo, s20";

/// A program that pushes every node to LDS by itself.
pub fn own_stack(arch: &str) -> String {
    let (ray, store, load) = match arch {
        "gfx1030" => ("[v11, v12, v14, v15, v16, v17, v18, v19, v20, v21, v22]", "ds_write_b32", "ds_read_b32"),
        _ => ("[v11, v12, v[14:16], v[17:19], v[20:22]]", "ds_store_b32", "ds_load_b32"),
    };
    let push = |node: u32| {
        format!(
            "v_cmp_ne_u32 vcc_lo, -1, v{node}
            s_and_b32 exec_lo, s20, vcc_lo
            {store} v3, v{node}
            v_add_nc_u32 v3, 0x80, v3
            s_mov_b32 exec_lo, s20
            "
        )
    };
    format!(
        "v_mov_b32 v11, 5
        v_mov_b32 v9, 0
        v_mov_b32 v3, v2
        .Lnext:
        image_bvh_intersect_ray v[4:7], {ray}, s[0:3]
        v_and_b32 v8, 7, v11
        s_mov_b32 s20, exec_lo
        v_cmp_gt_u32 vcc_lo, 4, v8
        s_and_b32 exec_lo, s20, vcc_lo
        {LEAF}
        {}{}{}{}
        v_cmp_ne_u32 vcc_lo, v3, v2
        s_and_b32 exec_lo, s20, vcc_lo
        v_add_nc_u32 v3, 0xffffff80, v3
        {load} v11, v3
        s_cbranch_execnz .Lnext
        s_endpgm
        ",
        push(4),
        push(5),
        push(6),
        push(7)
    )
}

/// The nearest child is followed, the others are pushed, with the instruction of gfx11.
pub const STACK11: &str = "
v_mov_b32 v11, 5
v_mov_b32 v9, 0
.Lnext:
v_mov_b32 v10, -1
image_bvh_intersect_ray v[4:7], [v11, v12, v[14:16], v[17:19], v[20:22]], s[0:3]
s_waitcnt vmcnt(0)
v_and_b32 v8, 7, v11
s_mov_b32 s20, exec_lo
v_cmp_gt_u32 vcc_lo, 4, v8
s_and_b32 exec_lo, exec_lo, vcc_lo
v_add_nc_u32 v9, v9, v7
v_mov_b32 v10, 0xfffffffe
s_mov_b32 exec_lo, s20
ds_bvh_stack_rtn_b32 v11, v0, v10, v[4:7] offset:8192
s_waitcnt lgkmcnt(0)
v_cmp_ne_u32 vcc_lo, 0xfffffffe, v11
s_and_b32 exec_lo, exec_lo, vcc_lo
s_cbranch_execnz .Lnext
s_endpgm
";

/// The same with that of gfx12, whose ring is not that long.
pub fn stack12() -> String {
    format!(
        "v_mov_b32 v11, 5
        v_mov_b32 v9, 0
        .Lnext:
        v_mov_b32 v10, -1
        image_bvh_intersect_ray v[4:7], [v11, v12, v[14:16], v[17:19], v[20:22]], s[0:3]
        v_and_b32 v8, 7, v11
        s_mov_b32 s20, exec_lo
        v_cmp_gt_u32 vcc_lo, 4, v8
        s_and_b32 exec_lo, exec_lo, vcc_lo
        {LEAF}
        ds_bvh_stack_push4_pop1_rtn_b32 v11, v1, v10, v[4:7] offset:31
        v_cmp_ne_u32 vcc_lo, 0xfffffffe, v11
        s_and_b32 exec_lo, exec_lo, vcc_lo
        s_cbranch_execnz .Lnext
        s_endpgm
        "
    )
}

/// What a node is around.
pub fn bounds(patches: &[Patch]) -> [P; 2] {
    let points = || patches.iter().flatten();
    let of = |pick: fn(i64, i64) -> i64, n: usize| points().map(|p| p[n]).reduce(pick).unwrap_or(0);
    [std::array::from_fn(|n| of(i64::min, n)), std::array::from_fn(|n| of(i64::max, n))]
}

/// Patches in so many parts, along the direction in which they are farthest apart.
pub fn parts(patches: &mut [Patch], most: usize) -> Vec<&mut [Patch]> {
    let [low, high] = bounds(patches);
    let along = (0..3).max_by_key(|n| high[*n] - low[*n]).unwrap_or(0);
    patches.sort_by_key(|patch| patch.iter().map(|p| p[along]).sum::<i64>());
    let size = patches.len().div_ceil(most).max(1);
    patches.chunks_mut(size).collect()
}

/// A tree, whose root has boxes of f32 in any case; the others, if it is wanted, of f16.
pub fn tree(scene: &Scene, half: bool) -> Vec<u32> {
    let mut words = vec![0; 32];
    let mut patches = scene.patches.clone();
    boxes(&mut words, 0, &mut patches, false, half);
    words
}

/// Writes a node of boxes at a word, and behind all that there is what it is around.
fn boxes(words: &mut Vec<u32>, at: usize, patches: &mut [Patch], half: bool, below: bool) {
    let mut children = Vec::new();
    for part in parts(patches, 4) {
        let place = words.len();
        let [low, high] = bounds(part);
        // Kinds 0 to 3 are the triangles of a patch; each is a child of its own.
        match part {
            [patch] => {
                let mut node: Vec<u32> = patch.iter().flatten().map(|x| (*x as f32).to_bits()).collect();
                node.push(0x0909_0909);
                words.extend(node);
                // A node of boxes around the four triangles.
                let inner = words.len();
                words.resize(inner + 32, 0);
                let pointers: Vec<u32> = (0..4).map(|kind| (place as u32 / 16) << 3 | kind).collect();
                full(&mut words[inner..], &pointers.iter().map(|p| (*p, low, high)).collect::<Vec<_>>());
                children.push(((inner as u32 / 16) << 3 | 5, low, high));
            }
            _ => {
                words.resize(place + if below { 16 } else { 32 }, 0);
                boxes(words, place, part, below, below);
                children.push(((place as u32 / 16) << 3 | if below { 4 } else { 5 }, low, high));
            }
        }
    }
    if half { self::half(&mut words[at..], &children) } else { full(&mut words[at..], &children) }
}

fn full(words: &mut [u32], children: &[(u32, P, P)]) {
    words[..4].copy_from_slice(&pointers(children));
    let planes: Vec<u32> = planes(children).into_iter().map(f32::to_bits).collect();
    words[4..28].copy_from_slice(&planes);
}

fn half(words: &mut [u32], children: &[(u32, P, P)]) {
    words[..4].copy_from_slice(&pointers(children));
    let halves: Vec<u32> =
        planes(children).into_iter().map(|plane| half::f16::from_f32(plane).to_bits().into()).collect();
    for (word, pair) in words[4..16].iter_mut().zip(halves.chunks(2)) {
        *word = pair[0] | pair[1] << 16;
    }
}

fn pointers(children: &[(u32, P, P)]) -> [u32; 4] {
    std::array::from_fn(|n| children.get(n).map_or(u32::MAX, |child| child.0))
}

/// Six planes for each child; those of none are no numbers.
fn planes(children: &[(u32, P, P)]) -> Vec<f32> {
    let sides = children.iter().flat_map(|(_, low, high)| [*low, *high]);
    let mut planes: Vec<f32> = sides.flatten().map(|x| x as f32).collect();
    planes.resize(24, f32::NAN);
    planes
}
