//! The kernels: what each is to leave for what it finds, other things for it to find, and mistakes to be planted in it.

use crate::Random;
use crate::reference as on_host;
use wavediff::r600::case::{Elements, Place};
use wavediff::r600::emu::{Resource, Setup, Target};

/// Places of one element each, with a value for each lane; `killed` has one value.
pub type Want = Vec<(Place, Vec<Option<u64>>)>;

/// A kernel.
pub struct Kernel {
    pub name: &'static str,
    /// What a reference leaves.
    pub want: fn(&Setup) -> Want,
    /// Other inputs.
    pub other: fn(&mut Setup, &mut Random),
    /// How far floats may be from the reference; to the bit where it is zero.
    pub near: f32,
    /// Values that others have published: a place and its lanes.
    pub published: &'static [(&'static str, &'static [u32])],
    /// Lines of the text, with a mistake in each.
    pub planted: &'static [(&'static str, &'static str)],
}

const X: Elements = Elements(1);
const EACH: [Elements; 4] = [Elements(1), Elements(2), Elements(4), Elements(8)];

fn pixel(n: u32, element: usize) -> Place {
    Place::Export(Target::Pixel(n), EACH[element])
}

/// A register of all lanes at the start.
fn register(setup: &Setup, number: u32) -> Vec<[u32; 4]> {
    setup.gprs.get(&number).cloned().unwrap_or_else(|| vec![[0; 4]; setup.lanes as usize])
}

fn bytes(setup: &Setup, number: u32) -> &[u8] {
    match &setup.resources[&number] {
        Resource::Buffer(buffer) => &buffer.bytes,
        Resource::Image(image) => &image.bytes,
    }
}

fn bytes_mut(setup: &mut Setup, number: u32) -> &mut Vec<u8> {
    match setup.resources.get_mut(&number) {
        Some(Resource::Buffer(buffer)) => &mut buffer.bytes,
        Some(Resource::Image(image)) => &mut image.bytes,
        None => panic!("nothing is bound to {number}"),
    }
}

fn words(setup: &Setup, number: u32) -> Vec<u32> {
    bytes(setup, number).chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

fn floats(words: &[u32]) -> Vec<f32> {
    words.iter().map(|word| f32::from_bits(*word)).collect()
}

/// Fills what is bound by other words.
fn fill(setup: &mut Setup, number: u32, mut word: impl FnMut(usize) -> u32) {
    for (n, to) in bytes_mut(setup, number).chunks_exact_mut(4).enumerate() {
        to.copy_from_slice(&word(n).to_le_bytes());
    }
}

/// Gives a register other values in all lanes.
fn give(setup: &mut Setup, number: u32, mut value: impl FnMut() -> [u32; 4]) {
    setup.gprs.insert(number, (0..setup.lanes).map(|_| value()).collect());
}

/// What each lane leaves: elements of one place after the other.
fn all<const N: usize>(setup: &Setup, places: [Place; N], lane: impl Fn(usize) -> [u32; N]) -> Want {
    let lanes: Vec<[u32; N]> = (0..setup.lanes as usize).map(lane).collect();
    let values = |n: usize| lanes.iter().map(|values| Some(u64::from(values[n]))).collect();
    places.into_iter().enumerate().map(|(n, place)| (place, values(n))).collect()
}

fn mandelbrot(setup: &Setup) -> Want {
    let (at, most) = (register(setup, 0), setup.loops[&0].count);
    all(setup, [pixel(0, 0), pixel(0, 1), pixel(0, 2)], |lane| {
        let [x, y, ..] = at[lane].map(|n| n as i32 as f32);
        let (count, z) = on_host::mandelbrot([x * 0.375 - 2.25, y * 0.375 - 1.25], most);
        [count, z[0].to_bits(), z[1].to_bits()]
    })
}

fn matmul(setup: &Setup) -> Want {
    let (a, b) = (floats(&words(setup, 0)), floats(&words(setup, 1)));
    all(setup, [pixel(0, 0)], |lane| {
        let (row, column) = (&a[lane / 8 * 8..][..8], &b[lane % 8 * 8..][..8]);
        let sum = on_host::dot4(&row[..4], &column[..4]) + on_host::dot4(&row[4..], &column[4..]);
        [sum.to_bits()]
    })
}

fn sort_network(setup: &Setup) -> Want {
    let given = [register(setup, 1), register(setup, 2)];
    let places = std::array::from_fn(|n| pixel(1 - n as u32 / 4, n % 4));
    all::<8>(setup, places, |lane| {
        let mut numbers: [i32; 8] = std::array::from_fn(|n| given[n / 4][lane][n % 4] as i32);
        numbers.sort_unstable();
        numbers.map(|n| n as u32)
    })
}

fn sort_rank(setup: &Setup) -> Want {
    let given: Vec<Vec<[u32; 4]>> = (16..24).map(|n| register(setup, n)).collect();
    let places = std::array::from_fn(|n| Place::Register(24 + n as u32 / 2, EACH[n % 2]));
    all::<16>(setup, places, |lane| {
        let mut pairs: Vec<[u32; 2]> = given.iter().map(|lanes| [lanes[lane][0], lanes[lane][1]]).collect();
        pairs.sort_by_key(|pair| pair[0]);
        std::array::from_fn(|n| pairs[n / 2][n % 2])
    })
}

fn gauss(setup: &Setup) -> Want {
    let (image, at) = (floats(&words(setup, 0)), register(setup, 0));
    let one = 1.0f32.to_bits();
    all(setup, [pixel(0, 0), pixel(0, 3)], |lane| {
        [on_host::gauss(&image, 8, at[lane][0] as usize, at[lane][1] as usize).to_bits(), one]
    })
}

/// A hash of each lane's message: R0.x is where it begins, R0.y how many bytes it has.
fn hashed(setup: &Setup, unit: usize, hash: impl Fn(&[u8], u32) -> u32) -> Want {
    let (text, at) = (bytes(setup, 0), register(setup, 0));
    all(setup, [pixel(0, 0)], |lane| {
        let [first, length, seed, _] = at[lane];
        [hash(&text[first as usize * unit..][..length as usize], seed)]
    })
}

fn md5(setup: &Setup) -> Want {
    let (words, at) = (words(setup, 0), register(setup, 0));
    let places = std::array::from_fn(|n| pixel(0, n));
    all::<4>(setup, places, |lane| on_host::md5(&words[at[lane][0] as usize * 16..][..16]))
}

fn sha256(setup: &Setup) -> Want {
    let (words, at) = (words(setup, 0), register(setup, 0));
    let places = std::array::from_fn(|n| pixel(n as u32 / 4, n % 4));
    all::<8>(setup, places, |lane| {
        let [first, count, ..] = at[lane].map(|n| n as usize);
        let block = |n: usize| std::array::from_fn(|word| words[first + n * 16 + word].swap_bytes());
        on_host::sha256(&(0..count).map(block).collect::<Vec<_>>())
    })
}

fn philox(setup: &Setup) -> Want {
    let (counter, key) = (register(setup, 1), register(setup, 2));
    let places = std::array::from_fn(|n| pixel(0, n));
    all::<4>(setup, places, |lane| on_host::philox(counter[lane], [key[lane][0], key[lane][1]]))
}

fn udiv(setup: &Setup) -> Want {
    let given = register(setup, 0);
    all(setup, [pixel(0, 0), pixel(0, 1)], |lane| {
        let [n, d, ..] = given[lane];
        [n / d, n % d]
    })
}

fn prefix_sum(setup: &Setup) -> Want {
    let given: Vec<Vec<[u32; 4]>> = (16..24).map(|n| register(setup, n)).collect();
    let places = std::array::from_fn(|n| Place::Register(16 + n as u32 / 2, EACH[n % 2]));
    all::<16>(setup, places, |lane| {
        let numbers: [u32; 8] = std::array::from_fn(|n| given[n][lane][0]);
        std::array::from_fn(|n| match n % 2 {
            0 => numbers[..=n / 2].iter().fold(0, |sum: u32, n| sum.wrapping_add(*n)),
            _ => numbers[n / 2..].iter().map(|n| *n as i32).max().unwrap_or(0) as u32,
        })
    })
}

fn transform(setup: &Setup) -> Want {
    let (vertices, at) = (words(setup, 160), register(setup, 0));
    let matrix = floats(&setup.banks[&0]);
    let places =
        std::array::from_fn(|n| Place::Export([Target::Position(60), Target::Parameter(0)][n / 4], EACH[n % 4]));
    all::<8>(setup, places, |lane| {
        let vertex = &vertices[at[lane][0] as usize * 4..][..4];
        let mut from = floats(&vertex[..3]);
        from.push(1.0);
        std::array::from_fn(|n| match n {
            0..4 => on_host::dot4(&from, &matrix[n * 4..][..4]).to_bits(),
            _ => (f32::from(vertex[3].to_le_bytes()[n - 4]) / 255.0).to_bits(),
        })
    })
}

fn billboards(setup: &Setup) -> Want {
    let (points, at) = (floats(&words(setup, 0)), register(setup, 0));
    let corners = floats(&setup.banks[&0]);
    let mut want = Want::new();
    let point = |lane: usize| &points[at[lane][0] as usize * 4..][..4];
    let lanes = 0..setup.lanes as usize;
    for n in 0..16u32 {
        let value = |lane: usize| {
            let [x, y, z, size] = *point(lane) else { return None };
            let corner = n as usize / 4 * 4;
            let made = [size * corners[corner] + x, size * corners[corner + 1] + y, z, 1.0];
            (size > 0.0).then_some(made[n as usize % 4].to_bits().into())
        };
        want.push((Place::Ring(n), lanes.clone().map(value).collect()));
    }
    // Four times 1, then 2, two bits each and the first lowest.
    let said = |lane: usize| Some(if point(lane)[3] > 0.0 { 0b10_01_01_01_01 } else { 0 });
    want.push((Place::Primitives, lanes.map(said).collect()));
    want
}

fn particles(setup: &Setup) -> Want {
    let (state, at) = (floats(&words(setup, 160)), register(setup, 0));
    let constants = floats(&setup.banks[&1]);
    let places = std::array::from_fn(|n| Place::Export(Target::Stream(n as u32 / 3, 0), EACH[n % 3]));
    all::<6>(setup, places, |lane| {
        let from = &state[at[lane][0] as usize * 8..][..8];
        let three = |from: &[f32]| [from[0], from[1], from[2]];
        let (p, v) = on_host::particle(three(from), three(&from[4..]), three(&constants), constants[3]);
        std::array::from_fn(|n| [p, v][n / 3][n % 3].to_bits())
    })
}

fn hex_digits(setup: &Setup) -> Want {
    let given = register(setup, 0);
    let places = std::array::from_fn(|n| Place::Scratch(n as u32, X));
    all::<16>(setup, places, |lane| {
        let digits = format!("{:08x}", given[lane][0]);
        std::array::from_fn(|n| digits.chars().filter(|c| c.to_digit(16) == Some(n as u32)).count() as u32)
    })
}

fn cutout(setup: &Setup) -> Want {
    let (cover, at) = (floats(&words(setup, 0)), register(setup, 0));
    let lanes = 0..setup.lanes as usize;
    let pixel_of = |lane: usize| {
        let [column, row, ..] = at[lane];
        let texel = cover[row as usize / 2 * 4 + column as usize / 2];
        let middle = |n: u32| (n as f32 + 0.5) / 4.0 - 1.0;
        let distance = middle(column) * middle(column) + middle(row) * middle(row);
        let killed = distance > 1.0 || (column + row) % 2 == 1 && texel < 0.5;
        (killed, texel, 1.0 - distance)
    };
    let mut want = Want::new();
    let killed = lanes.clone().fold(0, |mask, lane| mask | u64::from(pixel_of(lane).0) << lane);
    want.push((Place::Killed, vec![Some(killed)]));
    let masks = lanes.clone().map(|lane| Some(if pixel_of(lane).0 { 0 } else { 15 }));
    want.push((Place::Mask(Target::Pixel(0)), masks.collect()));
    for n in 0..4 {
        let value = |lane: usize| {
            let (killed, texel, light) = pixel_of(lane);
            (!killed).then_some([texel, light, 0.0, 1.0][n].to_bits().into())
        };
        want.push((pixel(0, n), lanes.clone().map(value).collect()));
    }
    want
}

fn collatz(setup: &Setup) -> Want {
    let given = register(setup, 0);
    all(setup, [pixel(0, 0), pixel(0, 1)], |lane| on_host::collatz(given[lane][0]).into())
}

/// An angle of up to 12 radians is less than two turns, rounded in three steps to some 2.4e-7 of a turn or 1.5e-6 radians; times a length of
/// up to 5.7 that is 8.5e-6.
fn rotate(setup: &Setup) -> Want {
    let given = register(setup, 0);
    all(setup, [pixel(0, 0), pixel(0, 1)], |lane| {
        let [angle, x, y, _] = given[lane].map(|n| f64::from(f32::from_bits(n)));
        let (sine, cosine) = angle.sin_cos();
        [((x * cosine - y * sine) as f32).to_bits(), ((x * sine + y * cosine) as f32).to_bits()]
    })
}

fn reverse(setup: &Setup) -> Want {
    let given = register(setup, 0);
    all(setup, std::array::from_fn(|n| pixel(0, n)), |lane| given[lane].map(u32::reverse_bits))
}

fn box4(setup: &Setup) -> Want {
    let (image, at) = (floats(&words(setup, 0)), register(setup, 0));
    let one = 1.0f32.to_bits();
    all(setup, [pixel(0, 0), pixel(0, 3)], |lane| {
        [on_host::box4(&image, 16, at[lane][0] as usize, at[lane][1] as usize).to_bits(), one]
    })
}

/// Random texts of up to 40 bytes.
fn texts(setup: &mut Setup, random: &mut Random) {
    fill(setup, 0, |_| random.word());
    give(setup, 0, || [random.below(100), random.below(41), 0, 0]);
}

/// All kernels.
#[rustfmt::skip]
pub const KERNELS: &[Kernel] = &[
    Kernel {
        name: "mandelbrot", want: mandelbrot, near: 0.0, published: &[],
        other: |setup, random| give(setup, 0, || [random.below(10), random.below(9), 0, 0]),
        planted: &[("UPDATE_EXEC_MASK", ""), ("-R3.y", "R3.y"), ("MUL*2       ____", "MUL         ____"), ("4.0, PV.x", "3.0, PV.x"), ("R0.y, 0.375", "R0.y, 0.25")],
    },
    Kernel {
        name: "matmul", want: matmul, near: 0.0, published: &[],
        other: |setup, random| {
            fill(setup, 0, |_| random.float());
            fill(setup, 1, |_| random.float());
        },
        planted: &[("w: DOT4        ____, R1.w, R2.w", "w: DOT4        ____, R1.w, R2.z"), ("R0.y, fc1", "R0.x, fc1"), ("R3.x, R3.x, PV.x", "R3.x, R2.x, PV.x"), ("t: ADD_INT     R0.x, R0.x, 1", "t: ADD_INT     R0.x, R0.x, 2")],
    },
    Kernel {
        name: "sort_network", want: sort_network, near: 0.0, published: &[],
        other: |setup, random| {
            let small = random.below(2) == 0;
            for n in 1..3 {
                give(setup, n, || random.four().map(|word| if small { word % 5 } else { word }));
            }
        },
        planted: &[("9 y: MIN_INT", "9 y: MAX_INT"), ("w: MIN_INT       R3.w, R3.w, R2.x", "w: MIN_INT       R3.w, R3.w, R2.y"), ("6 x: MAX_INT", "6 x: MAX_UINT")],
    },
    Kernel {
        name: "sort_rank", want: sort_rank, near: 0.0, published: &[],
        other: |setup, random| {
            for n in 16..24 {
                let range = [4, 20, u32::MAX][random.below(3) as usize];
                give(setup, n, || [random.below(range), random.word(), 0, 0]);
            }
        },
        planted: &[("SETGT_INT ____, R1.z, R2.y", "SETGE_INT ____, R1.z, R2.y"), ("SETGT_UINT", "SETGT_INT"), ("y: MOV         R[24+AR.x].y", "y: MOV         R[24+aL].y"), ("MOVA_INT    ____, R1.w", "MOVA_INT    ____, R1.z")],
    },
    Kernel {
        name: "gauss", want: gauss, near: 0.0, published: &[],
        other: |setup, random| fill(setup, 0, |_| random.float()),
        planted: &[("OFFSET(2, 2, 0)", "OFFSET(2, 0, 0)"), ("R4.x, R4.z", "R4.x, R4.y"), ("R5.y, 2.0, PV.x", "R5.y, 1.0, PV.x"), ("R1.x, R0.x, 0.5", "R1.x, R0.x, -0.5")],
    },
    Kernel {
        name: "crc32", want: |setup| hashed(setup, 1, |text, _| on_host::crc32(text)), near: 0.0, other: texts,
        published: &[("pixel0.x", &[0, 0xe8b7_be43, 0x3524_41c2, 0x2015_9d7f, 0x4c27_50bd, 0x1fc2_e6d2, 0x7ca9_4a72, 0xcbf4_3926])],
        planted: &[("0xedb88320", "0xedb88321"), ("PRED_SETGT_INT", "PRED_SETGE_INT"), ("R1.x, R2.x", "R1.x, R2.y"), ("LSHR_INT", "ASHR_INT")],
    },
    Kernel {
        name: "fnv1a", want: |setup| hashed(setup, 1, |text, _| on_host::fnv1a(text)), near: 0.0, other: texts,
        published: &[("pixel0.x", &[0x811c_9dc5, 0xe40c_292c, 0xe30c_2799, 0x6222_e842, 0xa9f3_7ed7, 0x3f50_76ef, 0x39aa_a18a, 0xbf9c_f968])],
        planted: &[("MULLO_UINT  R1", "MULHI_UINT  R1"), ("0x01000193", "0x01000192"), ("R0.y, 0 UPDATE", "R0.y, 1 UPDATE")],
    },
    Kernel {
        name: "murmur3", want: |setup| hashed(setup, 4, on_host::murmur3), near: 0.0,
        other: |setup, random| {
            let mut text = Vec::new();
            let mut at = Vec::new();
            for lane in 0..setup.lanes {
                let length = random.below(37);
                at.push([lane * 10, length, random.word(), 0]);
                text.extend((0..40).map(|n| if n < length { random.word() as u8 } else { 0 }));
            }
            setup.gprs.insert(0, at);
            *bytes_mut(setup, 0) = text;
        },
        published: &[("pixel0.x", &[
            0, 0x514e_28b7, 0x81f1_6f39, 0x7629_3b50, 0xf55b_516b, 0x2362_f9de, 0x7e4a_8634, 0xa0f7_b07a,
            0x7266_1cf4, 0x2362_f9de, 0x85f0_b427, 0x30f4_c306, 0x514e_28b7, 0x5a97_808a, 0xf047_8627, 0x2488_4cba,
        ])],
        planted: &[("R1.x, 19", "R1.x, 18"), ("R2.x, 15", "R2.x, 14"), ("PV.x, 5", "PV.x, 3"), ("R1.x, R0.y", "R1.x, R0.x"), ("t: ADD_INT     R0.x, R0.x, 1", "t: ADD_INT     R0.x, R0.x, 0")],
    },
    Kernel {
        name: "md5", want: md5, near: 0.0,
        other: |setup, random| fill(setup, 0, |_| random.word()),
        // As digests are printed, d41d8cd98f00b204e9800998ecf8427e for the first, the bytes of a word stand in the opposite order.
        published: &[
            ("pixel0.x", &[0xd98c_1dd4, 0xb975_c10c, 0x9850_0190, 0x7d69_6bf9, 0xd7d3_fcc3]),
            ("pixel0.y", &[0x04b2_008f, 0xa8b6_f1c0, 0xb04f_d23c, 0x8d93_b77c, 0x00e4_9261]),
            ("pixel0.z", &[0x9809_80e9, 0xe299_c331, 0x7d3f_96d6, 0x312f_5a52, 0x6c49_fb7d]),
            ("pixel0.w", &[0x7e42_f8ec, 0x6126_7769, 0x727f_e128, 0xd061_f1aa, 0x3be1_67ca]),
        ],
        planted: &[("0xd76aa478", "0xd76aa479"), ("AND_INT     ____, R1.w", "AND_INT     ____, R1.z"), ("CF_CONST(2)\nh:", "CF_CONST(1)\nh:"), ("z: MOV          R1.z, R1.y", "z: MOV          R1.z, R1.z"), ("C[0+aL].z", "C[0+aL].y")],
    },
    Kernel {
        name: "sha256", want: sha256, near: 0.0,
        other: |setup, random| {
            fill(setup, 0, |_| random.word());
            give(setup, 0, || [16 * random.below(4), random.below(3), 0, 0]);
        },
        published: &[
            ("pixel0.x", &[0xba78_16bf, 0xe3b0_c442, 0x248d_6a61, 0xcf5b_16a7]),
            ("pixel0.y", &[0x8f01_cfea, 0x98fc_1c14, 0xd206_38b8, 0x78af_8380]),
            ("pixel0.z", &[0x4141_40de, 0x9afb_f4c8, 0xe5c0_2693, 0x036c_e59e]),
            ("pixel0.w", &[0x5dae_2223, 0x996f_b924, 0x0c3e_6039, 0x7b04_9237]),
            ("pixel1.x", &[0xb003_61a3, 0x27ae_41e4, 0xa33c_e459, 0x0b24_9b11]),
            ("pixel1.y", &[0x9617_7a9c, 0x649b_934c, 0x64ff_2167, 0xe8f0_7a51]),
            ("pixel1.z", &[0xb410_ff61, 0xa495_991b, 0xf6ec_edd4, 0xafac_4503]),
            ("pixel1.w", &[0xf200_15ad, 0x7852_b855, 0x19db_06c1, 0x7afe_e9d1]),
        ],
        planted: &[("0xc67178f2", "0xc67178f3"), ("R2.x, 11", "R2.x, 12"), ("R7.z, R1.z", "R7.y, R1.z"), ("KCACHE0(CB0:32-63)", "KCACHE0(CB0:0-31)"), (" ENDIAN_SWAP(8IN32)", ""), ("R[25+aL]", "R[24+aL]")],
    },
    Kernel {
        name: "philox", want: philox, near: 0.0,
        other: |setup, random| {
            give(setup, 1, || random.four());
            give(setup, 2, || random.four());
        },
        published: &[
            ("pixel0.x", &[0x6627_e8d5, 0x408f_276d, 0xd16c_fe09]),
            ("pixel0.y", &[0xe169_c58d, 0x41c8_3b0e, 0x94fd_cceb]),
            ("pixel0.z", &[0xbc57_ac4c, 0xa20b_c7c6, 0x5001_e420]),
            ("pixel0.w", &[0x9b00_dbd8, 0x6d54_51fd, 0x2412_6ea1]),
        ],
        planted: &[("loop[0] = 10", "loop[0] = 9"), ("R3.x, R3.w", "R3.x, R3.y"), ("0x9e3779b9", "0x9e3779b1")],
    },
    Kernel {
        name: "udiv", want: udiv, near: 0.0, published: &[],
        other: |setup, random| give(setup, 0, || [random.word() >> random.below(32), (random.word() >> random.below(32)).max(1), 0, 0]),
        planted: &[("R4.x, R3.x, R2.x, R3.z", "R4.x, R3.x, R2.x, R2.x"), ("z: ADD_INT      R3.z, R2.x, 1", "z: ADD_INT      R3.z, R2.x, 0"), ("CNDE_INT     R4.y, R3.x, R2.z, PV.y", "CNDE_INT     R4.y, R3.x, R2.z, R2.z"), ("5 t: MULHI_UINT", "5 t: MULLO_UINT"), ("3 y: SUB_INT       ____, 0, R1.y", "3 y: SUB_INT       ____, 1, R1.x")],
    },
    Kernel {
        name: "prefix_sum", want: prefix_sum, near: 0.0, published: &[],
        other: |setup, random| for n in 16..24 { give(setup, n, || random.four()) },
        planted: &[("7, 6, -1", "7, 0, 1"), ("MAX_INT", "MAX_UINT"), ("R[17+aL].x, R[16+aL].x", "R[17+aL].x, R[17+aL].x"), ("7, 0, 1", "6, 0, 1")],
    },
    Kernel {
        name: "transform", want: transform, near: 0.0, published: &[],
        other: |setup, random| {
            fill(setup, 160, |n| if n % 4 == 3 { random.word() } else { random.float() });
            setup.banks.insert(0, (0..16).map(|_| random.float()).collect());
        },
        planted: &[("R1.z, KC0[2].z", "R1.z, KC0[3].z"), ("R1.xyz1", "R1.xyz0"), ("OFFSET(12)", "OFFSET(8)"), ("PARAM0, R2.xyzw", "PARAM0, R2.xyzz")],
    },
    Kernel {
        name: "billboards", want: billboards, near: 0.0, published: &[],
        other: |setup, random| {
            fill(setup, 0, |_| random.float());
            setup.banks.insert(0, (0..16).map(|_| random.float()).collect());
        },
        planted: &[("PRED_SETGT ", "PRED_SETGE "), ("KC0[0+aL].y", "KC0[1].y"), ("  EMIT_VERTEX\n", ""), ("\nCUT_VERTEX\n", "\n"), ("R4.x, R4.x, 1", "R4.x, R4.x, 2"), ("R2.z, R1.z", "R2.z, R1.y")],
    },
    Kernel {
        name: "particles", want: particles, near: 0.0, published: &[],
        other: |setup, random| fill(setup, 160, |_| random.float()),
        planted: &[(" -R1.y PRED_ONE", " -R1.y"), (" 0.75 PRED_ONE", " 0.75 PRED_ZERO"), ("STREAM1: WRITE[0], R2", "STREAM1: WRITE[0], R1"), ("R1.z, R2.z, KC0[0].w, R1.z", "R1.z, R1.z, KC0[0].w, R1.z")],
    },
    Kernel {
        name: "hex_digits", want: hex_digits, near: 0.0, published: &[],
        other: |setup, random| give(setup, 0, || [random.word(), 0, 0, 0]),
        planted: &[("R0.x, 15", "R0.x, 7"), ("R0.x, 4", "R0.x, 3"), ("WRITE_IND[0+R1.x]", "WRITE_IND[0+R2.x]"), ("READ_IND[0+R1.x]", "READ_IND[0+R0.x]")],
    },
    Kernel {
        name: "cutout", want: cutout, near: 0.0, published: &[],
        other: |setup, random| {
            fill(setup, 0, |_| (random.below(1 << 20) as f32 / (1 << 20) as f32).to_bits());
            give(setup, 0, || [random.below(8), random.below(8), 0, 0]);
        },
        planted: &[("R2.w, 1.0", "R2.w, 0.5"), ("0.5, R3.x", "0.25, R3.x"), ("KILLE_INT    ____, PV.x, 1", "KILLE_INT    ____, PV.x, 0"), ("R1.zw00", "R1.wz00"), ("R3.xy01", "R3.xy11")],
    },
    Kernel {
        name: "collatz", want: collatz, near: 0.0,
        other: |setup, random| give(setup, 0, || [1 + random.below(5000), 0, 0, 0]),
        published: &[
            ("pixel0.x", &[0, 1, 7, 2, 5, 8, 16, 3, 19, 111, 106, 109, 112, 118, 170, 178]),
            ("pixel0.y", &[1, 2, 16, 4, 16, 16, 52, 8, 52, 9232, 9232, 9232, 9232, 9232, 250_504, 190_996]),
        ],
        planted: &[("y: ADD_INT     ____, R0.x, 1", "y: ADD_INT     ____, R0.x, 0"), ("MAX_UINT", "MIN_UINT"), ("PRED_SETE_INT ____, R0.x, 1", "PRED_SETE_INT ____, R0.x, 2"), ("  ELSE ADDR(both) POP_CNT(1)\n", "")],
    },
    Kernel {
        name: "rotate.r600", want: rotate, near: 1e-5, published: &[], other: turns,
        planted: &[("R1.y, -R2.y", "R1.y, R2.y"), ("t: COS", "t: SIN"), ("6.2831855, -", "6.2831, -"), ("PV.x\n", "R0.x\n")],
    },
    Kernel {
        name: "rotate.rv770", want: rotate, near: 1e-5, published: &[], other: turns,
        planted: &[("R1.y, -R2.y", "R1.y, R2.y"), ("t: COS", "t: SIN"), ("PV.x, -0.5", "PV.x, 0.25"), ("0.15915494", "0.159154")],
    },
    Kernel {
        name: "reverse.rv770", want: reverse, near: 0.0, published: &[],
        other: |setup, random| give(setup, 0, || random.four()),
        planted: &[("x: AND_INT      R1.x, PV.x, 0x0f0f0f0f", "x: AND_INT      R1.x, PV.x, 0x0f0f0f0e"), ("w: LSHR_INT     R1.w, R0.w, 16", "w: LSHR_INT     R1.w, R0.w, 15"), ("z: LSHL_INT     ____, PV.z, 8", "z: LSHL_INT     ____, PV.y, 8")],
    },
    Kernel {
        name: "box.rv770", want: box4, near: 0.0, published: &[],
        other: |setup, random| fill(setup, 0, |_| random.float()),
        planted: &[("OFFSET(6, 6, 0)", "OFFSET(6, 4, 0)"), ("w: DOT4          ____, R1.w, 0.0625", "w: DOT4          ____, R1.z, 0.0625"), ("R3.z", "R4.z")],
    },
];

/// Angles up to 12 radians, and points.
fn turns(setup: &mut Setup, random: &mut Random) {
    give(setup, 0, || [(f32::from_bits(random.float()) * 3.0).to_bits(), random.float(), random.float(), 0]);
}
