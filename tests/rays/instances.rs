//! Trees in a tree: instances, each with a turn of its own, and a program that goes into them and comes back as the stack says.

use super::packed::{NODE, child, tree};
use super::plain::bounds;
use super::scene::{Drawn, P, Ray, Scene};
use wavediff::laws::Chance;

/// The ray as it is outside.
const SAVE: &str = "
v_mov_b32 v30, v14
v_mov_b32 v31, v15
v_mov_b32 v32, v16
v_mov_b32 v33, v17
v_mov_b32 v34, v18
v_mov_b32 v35, v19
";

/// Where the last pop has left the other tree.
const LEAVE: &str = "
v_cmp_gt_i32 vcc_lo, 0, v1
s_and_b32 exec_lo, s20, vcc_lo
v_mov_b32 v10, 0
v_mov_b32 v11, 0
v_mov_b32 v14, v30
v_mov_b32 v15, v31
v_mov_b32 v16, v32
v_mov_b32 v17, v33
v_mov_b32 v18, v34
v_mov_b32 v19, v35
s_mov_b32 exec_lo, s20
";

/// Into the tree of an instance, if the ray meets one of its boxes.
const ENTER: &str = "
v_cmp_eq_u32 vcc_lo, 6, v8
s_and_b32 exec_lo, s20, vcc_lo
v_mov_b32 v10, v42
v_mov_b32 v11, v43
v_mov_b32 v46, 0xfffffff9
v_and_b32 v47, 0xff, v47
v_cmp_eq_u32 vcc_lo, 0xff, v47
s_and_b32 exec_lo, exec_lo, vcc_lo
v_mov_b32 v47, 0xfffffff9
s_mov_b32 exec_lo, s20
";

/// As the program for packed nodes; in an instance the ray and the tree are others, until a pop says that they are not.
pub fn program() -> String {
    super::packed::program(SAVE, LEAVE, ENTER)
}

/// Coordinates of the other tree: each is one of these, forward or backward, plus something.
#[derive(Clone, Copy)]
struct Turn {
    axes: [usize; 3],
    signs: P,
    plus: P,
}

impl Turn {
    fn new(chance: &mut Chance) -> Turn {
        let axes = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]][chance.below(6)];
        let signs = std::array::from_fn(|_| [1, -1][chance.below(2)]);
        let plus = std::array::from_fn(|_| chance.below(81) as i64 - 40);
        Turn { axes, signs, plus }
    }

    fn direction(&self, a: P) -> P {
        std::array::from_fn(|n| self.signs[n] * a[self.axes[n]])
    }

    fn point(&self, a: P) -> P {
        let turned = self.direction(a);
        std::array::from_fn(|n| turned[n] + self.plus[n])
    }

    /// Where a point of the other tree is here.
    fn back(&self, a: P) -> P {
        let mut here = [0; 3];
        for n in 0..3 {
            here[self.axes[n]] = self.signs[n] * (a[n] - self.plus[n]);
        }
        here
    }

    fn matrix(&self) -> [u32; 12] {
        std::array::from_fn(|n| {
            let (row, column) = (n / 4, n % 4);
            let x = match column {
                3 => self.plus[row],
                _ if column == self.axes[row] => self.signs[row],
                _ => 0,
            };
            (x as f32).to_bits()
        })
    }
}

/// Scenes, and how each is turned.
pub struct World {
    parts: Vec<(Scene, Turn)>,
    rays: Vec<Ray>,
}

impl Drawn for World {
    fn new(seed: u64) -> World {
        let mut chance = Chance::new(seed);
        let parts = (0..3 + seed % 5).map(|n| (Scene::new(100 * seed + n), Turn::new(&mut chance))).collect();
        World { parts, rays: Scene::new(seed).rays }
    }

    fn rays(&self) -> &[Ray] {
        &self.rays
    }

    fn hits(&self, ray: &Ray) -> u32 {
        let hits = |(scene, turn): &(Scene, Turn)| {
            scene.hits(&Ray { origin: turn.point(ray.origin), direction: turn.direction(ray.direction) })
        };
        self.parts.iter().map(hits).sum()
    }
}

impl World {
    /// A node of boxes around instances, these, and their trees.
    pub fn tree(&self) -> Vec<u32> {
        const ORIGIN: P = [-128; 3];
        let mut words = vec![0; NODE * (1 + self.parts.len())];
        let mut children = Vec::new();
        for (n, (scene, turn)) in self.parts.iter().enumerate() {
            let place = words.len();
            words.extend(tree(scene));
            let [low, high] = bounds(&scene.patches);
            let corners = [turn.back(low), turn.back(high)];
            let around =
                |pick: fn(i64, i64) -> i64| std::array::from_fn(|n| pick(corners[0][n], corners[1][n]) - ORIGIN[n]);
            // 4096 units are 2^10.
            children.extend(child(around(i64::min), around(i64::max), 4, 6, 1));
            let instance = &mut words[NODE * (1 + n)..NODE * (2 + n)];
            instance[..12].copy_from_slice(&turn.matrix());
            instance[12] = (place / NODE * 16) as u32;
            instance[15] = 0xff00_0000;
            instance[16..19].copy_from_slice(&low.map(|x| (x as f32).to_bits()));
            instance[19] = 0x86_8686;
            let size: P = std::array::from_fn(|n| high[n] - low[n]);
            instance[20..23].copy_from_slice(&child([0; 3], size, 32, 5, 1));
        }
        // Instances follow the node.
        words[1] = 16;
        words[3..6].copy_from_slice(&ORIGIN.map(|x| (x as f32).to_bits()));
        words[6] = 0x89_8989 | (self.parts.len() as u32 - 1) << 28;
        words[7] = 0x7f;
        words[8..8 + children.len()].copy_from_slice(&children);
        words
    }
}
