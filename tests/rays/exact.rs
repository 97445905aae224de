//! Single triangles and boxes of whole numbers, where nothing is rounded: fractions must name the same point on the ray and in the triangle, and the
//! way through a box must be that between its planes.

use super::scene::{Drawn as _, P, Ray, Scene, TRIANGLES, meets};
use wavediff::laws::Chance;
use wavediff::memory::rays::boxes::way;
use wavediff::memory::rays::triangle::meet;
use wavediff::memory::rays::{self, vector::V3};

fn float(a: P) -> V3 {
    a.map(|x| x as f32)
}

/// A whole number that an f32 is.
fn whole(x: f32) -> i64 {
    assert!(x.fract() == 0.0 && x.abs() < 16_777_216.0, "{x}");
    x as i64
}

fn exact(ray: &Ray, extent: f32) -> rays::Ray {
    let direction = float(ray.direction);
    rays::Ray { extent, origin: float(ray.origin), direction, inverse: direction.map(|x| 1.0 / x) }
}

#[test]
fn fractions_name_a_point_of_both() {
    let mut hits = 0;
    for scene in (100..130).map(Scene::new) {
        for ray in &scene.rays {
            for corners in scene.patches.iter().flat_map(|patch| TRIANGLES.map(|c| c.map(|n| patch[n]))) {
                let met = meet(&exact(ray, 1.0), corners.map(float));
                assert_eq!(met.hit, meets(ray, corners), "{ray:?} {corners:?}");
                if !met.hit {
                    assert_eq!((met.t, met.denominator), (f32::INFINITY, 1.0));
                    continue;
                }
                let [t, all, i, j] = [met.t, met.denominator, met.i, met.j].map(whole);
                let [a, b, c] = corners;
                for n in 0..3 {
                    let there = all * ray.origin[n] + t * ray.direction[n];
                    assert_eq!(there, (all - i - j) * a[n] + i * b[n] + j * c[n], "{ray:?} {corners:?}");
                }
                hits += 1;
            }
        }
    }
    assert!(hits > 500, "{hits}");
}

/// Directions are powers of two, so that one by them is exact. Distances are counted in quarters.
#[test]
fn the_way_is_between_the_planes() {
    let mut chance = Chance::new(0xb0c5);
    let mut hits = 0;
    for _ in 0..20_000 {
        let small = |chance: &mut Chance| chance.below(33) as i64 - 16;
        let mut point = || -> P { std::array::from_fn(|_| small(&mut chance)) };
        let (a, b, origin) = (point(), point(), point());
        let (min, max): (P, P) = (std::array::from_fn(|n| a[n].min(b[n])), std::array::from_fn(|n| a[n].max(b[n])));
        let direction: P = std::array::from_fn(|_| [0, 1, -1, 2, -2, 4, -4][chance.below(7)]);
        let extent = chance.below(40) as i64;
        let (mut first, mut last, mut outside) = (i64::MIN, i64::MAX, false);
        for n in 0..3 {
            if direction[n] == 0 {
                outside |= !(min[n]..=max[n]).contains(&origin[n]);
                continue;
            }
            let planes = [min[n], max[n]].map(|plane| 4 * (plane - origin[n]) / direction[n]);
            first = first.max(planes[0].min(planes[1]));
            last = last.min(planes[0].max(planes[1]));
        }
        let (enter, leave) = (first.max(0), last.min(4 * extent));
        let wanted = !outside && enter <= leave;
        let way = way(&exact(&Ray { origin, direction }, extent as f32), float(min), float(max));
        let got = way.inside[0] <= way.inside[1];
        // Without any direction, a ray in a corner of a box has no distance from any of its planes.
        if direction == [0; 3] {
            continue;
        }
        assert_eq!(got, wanted, "{origin:?} {direction:?} {min:?} {max:?}");
        if got {
            assert_eq!(way.inside.map(|x| 4.0 * x), [enter as f32, leave as f32]);
            hits += 1;
        }
    }
    assert!(hits > 1000, "{hits}");
}
