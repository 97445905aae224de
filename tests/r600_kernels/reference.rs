//! What the kernels compute, written down again for the host: plain Rust over `u32` and IEEE `f32`, without a line of the emulator.
//!
//! Floats are rounded after every product and every sum, as this machine does. The inputs of the tests make no denormals.

/// How often z = z^2 + c is repeated before |z| is more than 2, at most `most` times; and z then.
pub fn mandelbrot(c: [f32; 2], most: u32) -> (u32, [f32; 2]) {
    let (mut x, mut y) = (0.0f32, 0.0f32);
    for count in 0..most {
        let (xx, yy) = (x * x, y * y);
        if xx + yy > 4.0 {
            return (count, [x, y]);
        }
        (x, y) = (xx - yy + c[0], 2.0 * (x * y) + c[1]);
    }
    (most, [x, y])
}

/// A sum of four products, from the first on.
pub fn dot4(a: &[f32], b: &[f32]) -> f32 {
    ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3]
}

/// Weights 1 2 1 both ways over a square image whose edges are repeated.
pub fn gauss(image: &[f32], size: usize, x: usize, y: usize) -> f32 {
    let at = |x: isize, y: isize| {
        let inside = |n: isize| n.clamp(0, size as isize - 1) as usize;
        image[inside(y) * size + inside(x)]
    };
    let weigh = |a: f32, b: f32, c: f32| b * 2.0 + (a + c);
    let (x, y) = (x as isize, y as isize);
    let row = |y: isize| weigh(at(x - 1, y), at(x, y), at(x + 1, y));
    weigh(row(y - 1), row(y), row(y + 1)) / 16.0
}

/// The mean of four by four texels: columns first.
pub fn box4(image: &[f32], size: usize, x: usize, y: usize) -> f32 {
    let column = |n: usize| (1..4).fold(image[y * size + x + n], |sum, row| sum + image[(y + row) * size + x + n]);
    ((column(0) / 16.0 + column(1) / 16.0) + column(2) / 16.0) + column(3) / 16.0
}

/// CRC-32 by a table of bytes, which is another algorithm than the kernel's.
pub fn crc32(bytes: &[u8]) -> u32 {
    let table: Vec<u32> = (0..256u32)
        .map(|n| (0..8).fold(n, |crc, _| if crc & 1 != 0 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }))
        .collect();
    !bytes.iter().fold(!0, |crc: u32, byte| crc >> 8 ^ table[usize::from(crc as u8 ^ byte)])
}

/// FNV-1a.
pub fn fnv1a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// MurmurHash3, x86, 32 bits.
pub fn murmur3(bytes: &[u8], seed: u32) -> u32 {
    let mix = |word: u32| word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let little = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    let mut words = bytes.chunks_exact(4);
    let mut hash = seed;
    for word in &mut words {
        hash = (hash ^ mix(little(word))).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    hash ^= mix(little(words.remainder())) ^ bytes.len() as u32;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

/// MD5 of one block that is padded already.
pub fn md5(block: &[u32]) -> [u32; 4] {
    const TURNS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
    let first = [0x6745_2301u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let [mut a, mut b, mut c, mut d] = first;
    for n in 0..64 {
        let (f, word) = match n / 16 {
            0 => (b & c | !b & d, n),
            1 => (d & b | !d & c, 5 * n + 1),
            2 => (b ^ c ^ d, 3 * n + 5),
            _ => (c ^ (b | !d), 7 * n),
        };
        let number = (((n + 1) as f64).sin().abs() * 4_294_967_296.0) as u32;
        let sum = a.wrapping_add(f).wrapping_add(number).wrapping_add(block[word % 16]);
        (a, d, c, b) = (d, c, b, b.wrapping_add(sum.rotate_left(TURNS[n / 16][n % 4])));
    }
    [0, 1, 2, 3].map(|n| first[n].wrapping_add([a, b, c, d][n]))
}

/// The first prime numbers.
fn primes(count: usize) -> Vec<u128> {
    (2..).filter(|n: &u128| (2..*n).all(|d| !n.is_multiple_of(d))).take(count).collect()
}

/// 32 bits behind the point of the root of a number, by the power that the root is taken to.
fn root_bits(n: u128, power: u32) -> u32 {
    let (mut low, mut high) = (0u128, 1u128 << 40);
    while high - low > 1 {
        let middle = u128::midpoint(low, high);
        if middle.pow(power) <= n << (32 * power) { low = middle } else { high = middle }
    }
    low as u32
}

/// SHA-256 of blocks that are padded already. Its constants are roots of primes.
pub fn sha256(blocks: &[[u32; 16]]) -> [u32; 8] {
    let primes = primes(64);
    let constants: Vec<u32> = primes.iter().map(|p| root_bits(*p, 3)).collect();
    let mut hash: [u32; 8] = std::array::from_fn(|n| root_bits(primes[n], 2));
    for block in blocks {
        let mut words = block.to_vec();
        for n in 16..64 {
            let (old, new) = (words[n - 15], words[n - 2]);
            let s0 = old.rotate_right(7) ^ old.rotate_right(18) ^ old >> 3;
            let s1 = new.rotate_right(17) ^ new.rotate_right(19) ^ new >> 10;
            words.push(words[n - 16].wrapping_add(s0).wrapping_add(words[n - 7]).wrapping_add(s1));
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = hash;
        for (constant, word) in constants.iter().zip(&words) {
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let one = [s1, e & f ^ !e & g, *constant, *word].iter().fold(h, |sum, n| sum.wrapping_add(*n));
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let two = s0.wrapping_add(a & b ^ a & c ^ b & c);
            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(one), c, b, a, one.wrapping_add(two));
        }
        for (to, from) in hash.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *to = to.wrapping_add(from);
        }
    }
    hash
}

/// Philox4x32 of ten rounds.
pub fn philox(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let product = |a: u32, b: u32| {
        let wide = u64::from(a) * u64::from(b);
        ((wide >> 32) as u32, wide as u32)
    };
    (0..10u32).fold(counter, |[a, b, c, d], round| {
        let keys = [
            key[0].wrapping_add(round.wrapping_mul(0x9e37_79b9)),
            key[1].wrapping_add(round.wrapping_mul(0xbb67_ae85)),
        ];
        let ((high_a, low_a), (high_c, low_c)) = (product(0xd251_1f53, a), product(0xcd9e_8d57, c));
        [high_c ^ b ^ keys[0], low_c, high_a ^ d ^ keys[1], low_a]
    })
}

/// Steps of the Collatz sequence to 1, and its largest number.
pub fn collatz(mut n: u32) -> (u32, u32) {
    let (mut steps, mut largest) = (0, n);
    while n != 1 {
        n = if n.is_multiple_of(2) { n / 2 } else { 3 * n + 1 };
        steps += 1;
        largest = largest.max(n);
    }
    (steps, largest)
}

/// A step of a particle: gravity, movement, and the way back from below the floor.
pub fn particle(mut p: [f32; 3], mut v: [f32; 3], gravity: [f32; 3], dt: f32) -> ([f32; 3], [f32; 3]) {
    for n in 0..3 {
        v[n] += gravity[n] * dt;
        p[n] += v[n] * dt;
    }
    if p[1] < 0.0 {
        p[1] = -p[1];
        v[1] = -v[1] * 0.75;
    }
    (p, v)
}
