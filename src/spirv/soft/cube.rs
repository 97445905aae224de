//! Cube maps, lighting, and the window of 2/pi.

use super::arith::{mul_legacy_under, product_of};
use super::round::{Operand, operand, pass, signed};
use super::{F32, F64, Int, Modes, Narrow, Rules, Wide, Word};

/// The face a direction hits: its axis, x where it is neither of the two, and whether it is the negative one.
struct Face<K: Int> {
    is_z: K::C,
    is_y: K::C,
    minus: K::C,
}

fn face<K: Int>(k: &K, m: &Modes<K>, coordinates: [K::W; 3]) -> Face<K> {
    let rules = m.single(k).flushing(k, true);
    let [x, y, z] = coordinates.map(|a| operand::<K, Narrow>(k, F32, &rules, a));
    // A NaN on either side is never at least the other.
    let at_least = |a: &Operand<K, Narrow>, b: &Operand<K, Narrow>| {
        let nan = k.either(a.nan(k, F32), b.nan(k, F32));
        k.negate(k.either(nan, k.lt_u(a.abs, b.abs)))
    };
    let is_z = k.both(at_least(&z, &x), at_least(&z, &y));
    let is_y = k.but_not(at_least(&y, &x), is_z);
    let below = |a: &Operand<K, Narrow>| k.but_not(a.sign, k.either(a.zero(k), a.nan(k, F32)));
    let minus = k.sel_c(is_z, below(&z), k.sel_c(is_y, below(&y), below(&x)));
    Face { is_z, is_y, minus }
}

/// The number of the face as a float.
pub fn cubeid<K: Int>(k: &K, m: &Modes<K>, x: K::W, y: K::W, z: K::W) -> K::W {
    let f = face(k, m, [x, y, z]);
    let number = |v: f32| v.to_bits();
    let of = |a: f32| k.pick(f.minus, number(a + 1.0), number(a));
    k.sel(f.is_z, of(4.0), k.sel(f.is_y, of(2.0), of(0.0)))
}

/// A coordinate with its sign bit flipped or not.
fn coordinate<K: Int>(k: &K, m: &Modes<K>, a: K::W, flip: K::C) -> K::W {
    let a = k.xor(a, k.pick(flip, F32.sign() as u32, 0));
    let nan = k.lt_u(k.w(F32.inf() as u32), k.andi(a, F32.magnitude() as u32));
    k.sel(nan, pass::<K, Narrow>(k, F32, &m.single(k), a), a)
}

/// The first coordinate on the face: -z or z, x, x or -x.
pub fn cubesc<K: Int>(k: &K, m: &Modes<K>, x: K::W, y: K::W, z: K::W) -> K::W {
    let f = face(k, m, [x, y, z]);
    let is_x = k.negate(k.either(f.is_z, f.is_y));
    let flip = k.either(k.but_not(is_x, f.minus), k.both(f.is_z, f.minus));
    coordinate(k, m, k.sel(is_x, z, x), flip)
}

/// The second coordinate on the face: -y, but z or -z on the faces of y.
pub fn cubetc<K: Int>(k: &K, m: &Modes<K>, x: K::W, y: K::W, z: K::W) -> K::W {
    let f = face(k, m, [x, y, z]);
    coordinate(k, m, k.sel(f.is_y, z, y), k.either(k.negate(f.is_y), f.minus))
}

/// Twice the coordinate of the axis, flushed; zeros as after adding +0.
pub fn cubema<K: Int>(k: &K, m: &Modes<K>, x: K::W, y: K::W, z: K::W) -> K::W {
    let f = face(k, m, [x, y, z]);
    let major = k.sel(f.is_z, z, k.sel(f.is_y, y, x));
    let rules = Rules { flush_in: k.c(true), ..m.single(k) };
    let a = operand::<K, Narrow>(k, F32, &rules, major);
    let two = operand::<K, Narrow>(k, F32, &rules, k.w(2f32.to_bits()));
    let twice = product_of(k, F32, &rules, a, two);
    let zero = signed::<K, Narrow>(k, F32, k.both(a.sign, k.eqi(rules.round, 2)), k.w(0));
    k.sel(a.zero(k), zero, twice)
}

/// The legacy product; the lowest number where `b` is that, -inf or NaN, or `c` is not above zero.
pub fn mullit<K: Int>(k: &K, m: &Modes<K>, a: K::W, b: K::W, c: K::W) -> K::W {
    let rules = m.single(k);
    let c = operand::<K, Narrow>(k, F32, &rules, c);
    let b_abs = k.andi(b, F32.magnitude() as u32);
    let most = k.w(F32.max() as u32);
    let low = k.either(k.both(k.lessi(b, 0), k.negate(k.lt_u(b_abs, most))), k.lt_u(k.w(F32.inf() as u32), b_abs));
    let dark = k.either(k.either(c.sign, c.zero(k)), c.nan(k, F32));
    let lowest = signed::<K, Narrow>(k, F32, k.c(true), most);
    k.sel(k.either(low, dark), lowest, mul_legacy_under(k, &rules, a, b))
}

/// 2/pi behind the point in words, the highest first, and zeros.
#[rustfmt::skip]
const TWO_OVER_PI: [u32; 38] = [
    0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041, 0xfe51_63ab, 0xdebb_c561, 0xb724_6e3a, 0x424d_d2e0,
    0x0649_2eea, 0x09d1_921c, 0xfe1d_eb1c, 0xb129_a73e, 0xe882_35f5, 0x2ebb_4484, 0xe99c_7026, 0xb45f_7e41, 0x3991_d639, 0x8353_39f4,
    0x9c84_5f8b, 0xbdf9_283b, 0x1ff8_97ff, 0xde05_980f, 0xef2f_118b, 0x5a0a_6d1f, 0x6d36_7ecf, 0x27cb_09b7, 0x4f46_3f66, 0x9e5f_ea2d,
    0x7527_bac7, 0xebe5_f17b, 0x3d07_39f7, 0x8a52_92ea, 0x6bfb_5fb1, 0x1f8d_5d08, 0x5603_3046, 0xfc7b_0000,
];

/// From this bit of 2/pi on the result is +0.
const END: u32 = 1120;

/// 53 bits of 2/pi: from `segment` times 53 on, and further for large `a`.
pub fn trig_preop<K: Int>(k: &K, m: &Modes<K>, a: K::D, segment: K::W) -> K::D {
    let rules = Rules { quiet: k.c(true), ..m.double(k) };
    let top = k.andi(k.hi(a), F64.top(F64.magnitude()));
    let field = k.shri(top, 20);
    let shift = k.add(k.mul(k.andi(segment, 31), k.w(53)), k.max_s(k.addi(field, -1077), k.w(0)));
    // The three words in which the window lies: blocks of eight words are chosen first, then words of the block.
    let word = k.shri(shift, 5);
    let mut window: Vec<K::W> = (0..10)
        .map(|i| {
            let mut chosen = k.w(0);
            for block in (0..5usize).rev() {
                let v = TWO_OVER_PI.get(8 * block + i).copied().unwrap_or(0);
                let here = k.eqi(k.shri(word, 3), block as u32);
                chosen = k.sel(here, k.w(v), chosen);
            }
            chosen
        })
        .collect();
    for by in [4, 2, 1] {
        let far = k.nz(k.andi(word, by as u32));
        window = (0..window.len() - by).map(|i| k.sel(far, window[i + by], window[i])).collect();
    }
    let [a0, a1, a2] = [window[0], window[1], window[2]];
    let back = k.not(shift);
    let over = |w| k.shr(k.shri(w, 1), back);
    let high = k.or(k.shl(a0, shift), over(a1));
    let low = k.or(k.shl(a1, shift), over(a2));
    let bits = k.pair(k.andi(low, !0 << 11), high);
    // 53 bits at the top; leading zeros are few but there are some.
    let zeros = k.clz_d(bits);
    let number = k.shr_d(k.shl_d(bits, zeros), k.w(2));
    let large = k.negate(k.lt_u(field, k.w(1968)));
    let exponent = k.sub(k.sub(k.pick(large, 128 + 1022, 1022), shift), zeros);
    let none = k.either(Wide::zero(k, bits), k.negate(k.lt_u(shift, k.w(END))));
    let value = super::round::round::<K, Wide>(
        k,
        F64,
        &rules,
        k.c(false),
        k.sel(none, k.w(0), exponent),
        k.sel_d(none, k.d(0), number),
    );
    let nan = k.either(k.lt_u(k.w(F64.top(F64.inf())), top), k.both(k.eqi(top, F64.top(F64.inf())), k.nz(k.lo(a))));
    k.sel_d(nan, pass::<K, Wide>(k, F64, &rules, a), value)
}
