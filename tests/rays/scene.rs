//! Triangles and rays of whole numbers, and which meet, by the signs of volumes.

use wavediff::laws::Chance;

/// A point or a direction.
pub type P = [i64; 3];

/// The triangles of a patch of five corners.
pub const TRIANGLES: [[usize; 3]; 4] = [[0, 1, 2], [1, 3, 2], [2, 3, 4], [2, 4, 0]];

/// Corners that four triangles share.
pub type Patch = [P; 5];

/// A ray without an end.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    pub origin: P,
    pub direction: P,
}

/// What a program goes through, drawn by a number.
pub trait Drawn {
    fn new(seed: u64) -> Self;

    /// 32 of them.
    fn rays(&self) -> &[Ray];

    /// How many triangles a ray hits, edges included.
    fn hits(&self, ray: &Ray) -> u32;
}

/// Patches, and rays among them.
pub struct Scene {
    pub patches: Vec<Patch>,
    pub rays: Vec<Ray>,
}

fn point(chance: &mut Chance, most: usize) -> P {
    std::array::from_fn(|_| chance.below(2 * most + 1) as i64 - most as i64)
}

pub fn sub(a: P, b: P) -> P {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The volume that three vectors span.
fn volume(a: P, b: P, c: P) -> i64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
}

impl Drawn for Scene {
    fn new(seed: u64) -> Scene {
        let mut chance = Chance::new(seed);
        let patches = (0..20 + seed as usize % 30)
            .map(|_| {
                let middle = point(&mut chance, 24);
                std::array::from_fn(|_| {
                    let from = point(&mut chance, 14);
                    std::array::from_fn(|n| middle[n] + from[n])
                })
            })
            .collect();
        let mut rays: Vec<Ray> = Vec::new();
        while rays.len() < 32 {
            let direction = point(&mut chance, 4);
            if direction != [0; 3] {
                rays.push(Ray { origin: point(&mut chance, 40), direction });
            }
        }
        Scene { patches, rays }
    }

    fn rays(&self) -> &[Ray] {
        &self.rays
    }

    fn hits(&self, ray: &Ray) -> u32 {
        let triangles = self.patches.iter().flat_map(|patch| TRIANGLES.map(|corners| corners.map(|n| patch[n])));
        triangles.filter(|triangle| meets(ray, *triangle)).count() as u32
    }
}

/// Whether a ray meets a triangle: it passes all three edges on the same side, in front of its origin.
pub fn meets(ray: &Ray, corners: [P; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| sub(corner, ray.origin));
    let sides = [(a, b), (b, c), (c, a)].map(|(p, q)| volume(ray.direction, p, q));
    let across = volume(ray.direction, sub(b, a), sub(c, a));
    let height = volume(a, sub(b, a), sub(c, a));
    let one_side = sides.iter().all(|side| *side >= 0) || sides.iter().all(|side| *side <= 0);
    // Along its plane a triangle is met nowhere.
    across != 0 && one_side && height.signum() * across.signum() >= 0
}
