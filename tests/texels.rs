//! Texels against what others read from the same bytes: `golden/oracle/texels/texels.bin.zst`, whose README says who they are.

use wavediff::isa::arch::{Arch, Target};
use wavediff::memory::image::format::TexelFormat;

/// The golden file, from the front.
struct Reader {
    bytes: Vec<u8>,
    at: usize,
}

impl Reader {
    fn take(&mut self, count: usize) -> &[u8] {
        self.at += count;
        &self.bytes[self.at - count..self.at]
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take(4).try_into().expect("4 bytes"))
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take(8).try_into().expect("8 bytes"))
    }

    /// The words of an element, with something behind it.
    fn element(&mut self, size: usize, behind: u8) -> [u32; 4] {
        let mut element = [behind; 16];
        element[..size].copy_from_slice(self.take(size));
        std::array::from_fn(|n| u32::from_le_bytes([0, 1, 2, 3].map(|byte| element[4 * n + byte])))
    }

    fn name(&mut self) -> String {
        let length = self.take(1)[0];
        String::from_utf8(self.take(usize::from(length)).to_vec()).expect("a name")
    }
}

/// All processors' formats of a name.
fn formats(name: &str) -> Vec<TexelFormat> {
    let mut found: Vec<TexelFormat> = Vec::new();
    for processor in ["gfx1200", "gfx1030", "gfx900", "gfx700"] {
        let target = Target::new(Arch::find(processor).expect("a processor"));
        found.extend((1..512).filter_map(|n| TexelFormat::decode(n, &target).ok()).filter(|f| f.name() == name));
        let pairs = (0..1024).filter_map(|n| TexelFormat::decode_pair(n >> 4, n & 15, &target).ok());
        found.extend(pairs.filter(|f| f.name() == name));
    }
    assert!(!found.is_empty(), "{name}");
    found
}

/// A half that is exact, NaN apart.
fn half(bits: u32) -> u32 {
    half::f16::from_bits(bits as u16).to_f32().to_bits()
}

#[test]
fn texels_are_what_others_read() {
    let packed = std::fs::read("golden/oracle/texels/texels.bin.zst").expect("the golden file");
    let mut file = Reader { bytes: zstd::decode_all(packed.as_slice()).expect("zstd"), at: 0 };
    let (mut texels, mut exhaustive, mut stores) = (0, 0, 0);
    let mut wrong = Vec::new();
    while file.at < file.bytes.len() {
        let tag = file.take(1)[0];
        let name = file.name();
        let formats = formats(&name);
        let format = formats[0];
        let size = file.u32() as usize;
        assert_eq!(size, format.bytes() as usize, "{name}");
        let mut differences = 0;
        match tag {
            b'L' => {
                let (in_element, components, form) = (file.u32(), file.u32() as usize, file.u32() as u8);
                assert_eq!(in_element, format.block() * format.block(), "{name}");
                assert_eq!(components, format.components() as usize, "{name}");
                for _ in 0..file.u32() {
                    // What is behind an element is not looked at.
                    let element = file.element(size, 0xa5);
                    for n in 0..in_element {
                        let mut expected = [0; 4];
                        for value in &mut expected[..components] {
                            *value = match form {
                                b'B' => (f32::from(file.take(1)[0]) / 255.0).to_bits(),
                                b'H' => half(u32::from(u16::from_le_bytes(file.take(2).try_into().expect("2 bytes")))),
                                _ => file.u32(),
                            };
                        }
                        for format in &formats {
                            differences += u32::from(format.load(&element, n % 4, n / 4) != expected);
                        }
                        texels += 1;
                    }
                }
            }
            b'D' => {
                let components = file.u32() as usize;
                let mut sums = [0xcbf2_9ce4_8422_2325u64; 4];
                for n in 0..1u32 << (8 * size) {
                    let element = [n, 0x5a5a_5a5a, 0x5a5a_5a5a, 0x5a5a_5a5a];
                    for (sum, value) in sums.iter_mut().zip(format.load(&element, 0, 0)) {
                        *sum = (*sum ^ u64::from(value)).wrapping_mul(0x100_0000_01b3);
                    }
                    exhaustive += 1;
                }
                for sum in &sums[..components] {
                    differences += u32::from(*sum != file.u64());
                }
            }
            _ => {
                let storable = formats.iter().find(|f| f.is_storable()).expect("a format that can be stored");
                for _ in 0..file.u32() {
                    let components = [file.u32(), file.u32(), file.u32(), file.u32()];
                    let expected = file.element(size, 0);
                    differences += u32::from(storable.store(components) != Ok(expected));
                    stores += 1;
                }
            }
        }
        if differences != 0 {
            wrong.push(format!("{name} ({}): {differences}", tag as char));
        }
    }
    println!("{texels} texels, {exhaustive} elements of 8 and 16 bits, {stores} stores");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(texels > 8_000 && exhaustive == 656_640 && stores >= 320, "{texels} {exhaustive} {stores}");
}
