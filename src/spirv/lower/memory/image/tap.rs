//! One texel of a footprint: inside of its level, on the border, or over an edge of a cube; compared, where that is asked for.

use super::super::Lower;
use super::super::convert::{is_nan, magnitude};
use super::super::floats;
use super::filter::{COMPARES, Footprint, Request, View};
use super::layout::{Level, field};
use super::texel::{Form, Texel, has_integers};
use crate::isa::Gen;
use crate::isa::sem::Alg;
use crate::memory::image::fields::{Field, SamplerField};
use crate::spirv::alg::{Spirv, Truth, Word};
use crate::spirv::module::Id;
use crate::spirv::state::trap;
use crate::spirv::tables::format;

/// The components of one texel of a footprint, as the filter sees them; how it failed (a [`trap`], or 0), and where.
pub(super) fn tap(
    l: &Lower<'_>,
    r: &Request,
    view: &View,
    level: &Level,
    footprint: &Footprint,
    picks: [Word; 3],
    config: u32,
) -> (Vec<Word>, [Word; 3]) {
    let (k, f) = (l.alg(Word::Known(0)), floats(l));
    let g = l.generation();
    let of = |ids: [Id; 2], axis: usize| k.sel(k.nz(picks[axis]), l.get(ids[1]), l.get(ids[0]));
    let [x, y, z] = [0, 1, 2].map(|axis| of(footprint.texels[axis], axis));
    let border = [0, 1, 2].map(|axis| of(footprint.border[axis], axis));
    let border = k.nz(k.or(k.or(border[0], border[1]), border[2]));
    let seams = k.both(view.cube, view.seamless);
    let last = [level.width, level.height].map(|side| k.sub(k.max_u(side, k.w(1)), k.w(1)));
    let outside = |v: Word, axis: usize| k.both(seams, k.lt_u(last[axis], v));
    let corner = k.both(outside(x, 0), outside(y, 1));
    let near = |v: Word, axis: usize| k.sel(k.lt_s(v, k.w(0)), k.w(0), k.min_u(v, last[axis]));

    let border_type = field(&k, g, &r.sampler, SamplerField::BorderType);
    let is_border = |n: u32| k.eq(border_type, k.w(n));
    let integers = has_integers(&k, level.info);
    let one = k.sel(integers, k.w(1), k.w(1.0f32.to_bits()));
    // Only the last component of the second colour is one: which that is, the descriptor says.
    let order = border_order(&k, field(&k, g, &r.image, Field::BcSwizzle));
    let colour = order.map(|last| {
        let of = k.either(is_border(2), k.both(is_border(1), last));
        k.sel(of, one, k.w(0))
    });

    let [low, high, why] = [(); 3].map(|()| l.var(k.w(0)));
    let values = [(); 4].map(|()| l.var(k.w(0)));
    let sums = [(); 4].map(|()| l.wide(k.d(0)));
    // There is no texel at a corner: it is the mean of its three neighbours, of integers the one on the face.
    let mean = k.both(corner, k.negate(integers));
    l.times_while(k.sel(mean, k.w(3), k.w(1)), |n| {
        let at_x = k.sel(k.both(corner, k.negate(k.eq(n, k.w(1)))), near(x, 0), x);
        let at_y = k.sel(k.both(corner, k.negate(k.eq(n, k.w(2)))), near(y, 1), y);
        let beyond = k.either(outside(at_x, 0), outside(at_y, 1));
        let there = over_the_edge(&k, [at_x, at_y, z], k.add(last[0], k.w(1)));
        let texel = Texel {
            x: k.sel(beyond, there[0], at_x),
            y: k.sel(beyond, there[1], at_y),
            z: k.sel(beyond, there[2], z),
            sample: k.w(0),
        };
        const IDENTITY: u32 = 0o7654;
        let fetches = k.negate(border);
        let (fetched, fault) = l.texel(level, &texel, k.w(IDENTITY), Form::Registers, fetches);
        let unknown = k.both(border, is_border(3));
        l.put(why, k.sel(unknown, k.w(trap::UNSUPPORTED), l.only(fault.failed, fault.kind)));
        l.put(low, fault.address.0);
        l.put(high, fault.address.1);
        let seen: Vec<Word> = fetched.iter().zip(colour).map(|(v, b)| k.sel(border, b, *v)).collect();
        let seen = if config & COMPARES == 0 { seen } else { compared(&k, g, r, level, seen[0]) };
        for (to, v) in values.into_iter().zip(&seen) {
            l.put(to, *v);
        }
        l.when(mean, || {
            for (sum, v) in sums.iter().zip(&seen) {
                let third = k.d((1.0f64 / 3.0).to_bits());
                l.put_wide(*sum, l.add_value(k.bit(k.nz(n)), l.get_wide(*sum), *v, third, k.w(0)));
            }
        });
        k.eq(l.get(why), k.w(0))
    });
    l.when(mean, || {
        for (to, sum) in values.into_iter().zip(sums) {
            l.put(to, f.f32_of_f64(l.get_wide(sum)));
        }
    });
    (values.map(|v| l.get(v)).to_vec(), [l.get(why), l.get(low), l.get(high)])
}

/// Which components of a texel have the last one of a border colour.
fn border_order(k: &Spirv<'_>, swizzle: Word) -> [Truth; 4] {
    let orders = crate::memory::image::BORDERS;
    [0, 1, 2, 3].map(|n: usize| {
        let bits = (0..8).filter(|s: &u32| orders[*s as usize][n] == 3).fold(0u32, |all, s| all | 1 << s);
        k.nz(k.mask(k.shr(k.w(bits), swizzle), 1))
    })
}

/// The outcome of a comparison with the first component.
fn compared(k: &Spirv<'_>, g: Gen, r: &Request, level: &Level, depth: Word) -> Vec<Word> {
    let one = k.w(1.0f32.to_bits());
    let clamps = k.both(k.nz(level.format(k, format::CLAMPS)), k.negate(is_nan(k, r.reference)));
    let clamped = k.sel(k.lt_s(r.reference, k.w(0)), k.w(0), k.min_u(r.reference, one));
    let reference = k.sel(clamps, clamped, r.reference);
    // A signed number that orders as floats do; both zeros are one.
    let order = |v: Word| k.sel(k.lt_s(v, k.w(0)), k.sub(k.w(1 << 31), v), v);
    let (a, b) = (order(reference), order(depth));
    let bit = k.sel(k.lt_s(a, b), k.w(0), k.sel(k.eq(a, b), k.w(1), k.w(2)));
    let function = field(k, g, &r.sampler, SamplerField::Compare);
    let passes = k.mask(k.shr(function, bit), 1);
    // What is no number passes where everything but equality does, and always.
    let without = k.bit(k.either(k.eq(function, k.w(5)), k.eq(function, k.w(7))));
    let passes = k.sel(k.either(is_nan(k, reference), is_nan(k, depth)), without, passes);
    vec![k.sel(k.nz(passes), one, k.w(0)); 4]
}

/// The texel of the neighbouring face behind an edge: one coordinate is outside, by one texel.
fn over_the_edge(k: &Spirv<'_>, [x, y, z]: [Word; 3], size: Word) -> [Word; 3] {
    use crate::memory::image::sample::FACES;
    let sixth = k.shri(k.mul(z, k.w(10923)), 16);
    let face = k.sub(z, k.mul(sixth, k.w(6)));
    let is_face = |of: Word, f: usize| k.eq(of, k.w(f as u32));
    let negated = |v: Word| k.sub(k.w(0), v);
    // Texels have odd coordinates between -size and size; the face lies at a distance of size.
    let centre = |v: Word| k.sub(k.add(k.shli(v, 1), k.w(1)), size);
    let centres = [centre(x), centre(y)];
    let mut rest = size;
    for v in centres {
        let beyond = k.sub(magnitude(k, v).1, size);
        let moved = k.max_s(k.sub(size, beyond), k.sub(k.w(1), size));
        rest = k.sel(k.lt_s(k.w(0), beyond), moved, rest);
    }
    let on_face = centres.map(|v| k.max_s(k.min_s(v, size), negated(size)));
    // Which of the three, with its sign, each axis of space has.
    let signed = |v: Word, sign: i64| if sign < 0 { negated(v) } else { v };
    let point: Vec<Word> = (0..3)
        .map(|axis| {
            (0..6).fold(k.w(0), |v, f| {
                let parts = FACES[f].iter().zip([on_face[0], on_face[1], rest]);
                let own = parts.filter(|((of, _), _)| *of == axis).map(|((_, sign), part)| signed(part, *sign)).next();
                k.sel(is_face(face, f), own.unwrap_or(k.w(0)), v)
            })
        })
        .collect();
    // The first face that it lies on.
    let found = (0..6).rev().fold(face, |found, f| {
        let (axis, sign) = FACES[f][2];
        k.sel(k.eq(signed(point[axis], sign), size), k.w(f as u32), found)
    });
    let texel = |side: usize| {
        let v = (0..6).fold(k.w(0), |v, f| {
            let (axis, sign) = FACES[f][side];
            k.sel(is_face(found, f), signed(point[axis], sign), v)
        });
        // Halves of what may be negative go towards zero, and are cut off.
        let v = k.sub(k.add(v, size), k.w(1));
        k.sel(k.lt_s(v, k.w(0)), k.w(0), k.min_u(k.shri(v, 1), k.sub(size, k.w(1))))
    };
    [texel(0), texel(1), k.add(k.mul(sixth, k.w(6)), found)]
}
