//! Four products at once, which no primitive of the algebra is, against the emulator's adder.

use super::Machine;
use super::operands::{Random, floats};
use wavediff::emu::alg::Exact;
use wavediff::emu::soft::{self as emulator, Adder};
use wavediff::spirv::soft::{BF16, F16, F32, Format, Modes, dot4};

/// Numbers of near exponents in pairs of words, now and then such that products cancel.
fn factors(f: Format, random: &mut Random) -> [[u64; 4]; 2] {
    let four = |v: Vec<u64>| [v[0], v[1], v[2], v[3]].map(|v| v & 0xffff);
    let mut both = [0; 2].map(|_| four(floats(f, random, 4)));
    if random.below(4) == 0 {
        let (from, to) = (random.below(4) as usize, random.below(4) as usize);
        both[0][to] = both[0][from] ^ f.sign();
        both[1][to] = (both[1][from] + random.below(3)) & 0xffff;
    }
    // Zeros, so that a pair or all of them have no grid.
    for both in &mut both {
        let zeros = if random.below(4) == 0 { random.next() } else { 0 };
        (0..4).filter(|n| zeros >> n & 1 != 0).for_each(|n| both[n] &= f.sign());
    }
    both
}

#[test]
fn four_products() {
    let mut machine = Machine::new("gfx1200");
    let generation = machine.env.target.generation();
    let mut random = Random::new(0x5eed_0007);
    for n in 0..10 * super::count() {
        let (f, narrow) = (if n & 1 == 0 { F16 } else { BF16 }, n & 2 != 0);
        let [a, b] = factors(f, &mut random);
        let c = floats(if narrow { f } else { F32 }, &mut random, 1)[0];
        // Now and then one that vanishes beside the products.
        let sign = if narrow { f.sign() } else { F32.sign() };
        let c = if random.below(4) == 0 { c & (sign | 3) } else { c };
        let c = if narrow { c & 0xffff } else { c & 0xffff_ffff };
        let products: [(u64, u64); 4] = std::array::from_fn(|i| (a[i], b[i]));
        let format = if f == BF16 { emulator::BF16 } else { emulator::F16 };
        let want = if narrow {
            emulator::dot_packed(Adder::Gfx12, format, &products, c, false)
        } else {
            emulator::dot_f32(Adder::Gfx12, format, &products, c)
        };
        let mode = random.mode() & 0x3ff;
        machine.env.set_mode(mode);
        let k = Exact::new(&machine.env, 0);
        let pairs = |v: [u64; 4]| [(v[0] | v[1] << 16) as u32, (v[2] | v[3] << 16) as u32];
        let got = dot4(&k, &Modes { mode, generation }, f, narrow, pairs(a), pairs(b), c as u32);
        assert_eq!(u64::from(got), want, "{a:x?} times {b:x?} and {c:#x}, {f:?} narrow {narrow}");
    }
}
