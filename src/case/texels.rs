//! `texels(image(...), ...)`: the contents of a buffer, texel by texel.
//!
//! Each texel of each level, layer and sample that the image has gets its components, which are values over `x`, `y`, `z` (the slice, layer or face),
//! `level` and `sample`. A whole number is what the field of a component holds, in a float format the number itself; a number
//! with a point is stored as an instruction would. Where a texel lies is what the descriptor says; bytes that belong to none are zero.

use super::CaseError;
use super::eval::{At, Buffers, eval};
use super::numbers::Defaults;
use super::picture::{Picture, wrong};
use super::value::{Id, Value};
use super::values::Reader;
use crate::asm::{AsmError, AsmResult};
use crate::isa::Target;
use crate::isa::types::Ty;
use crate::memory::format::Kind;
use crate::memory::image::format::{Shape, TexelFormat};
use crate::memory::image::{Coordinates, Resource};

/// Contents of a buffer, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texels {
    /// The image.
    pub image: Picture,
    /// The components, from X on; what is not written is zero.
    pub components: Vec<Value>,
}

impl Reader<'_> {
    /// What stands in `texels(...)`.
    pub(super) fn texels(&mut self, depth: u32) -> AsmResult<Texels> {
        self.expect(b'(', "`(`")?;
        let (name, span) = self.name("`image(...)`")?;
        if name != "image" {
            return Err(AsmError::expected(span.start, "`image(...)`"));
        }
        let image = self.picture()?;
        let mut components = Vec::new();
        while self.cur.eat(b',') {
            self.cur.skip();
            let start = self.cur.pos();
            let mut defaults = Defaults { named: None, integer: Ty::U32, float: Ty::F32 };
            let component = self.any_value(&mut defaults, depth + 1)?;
            let mut fits = component.bytes() <= 4;
            component.walk(&mut |v| fits &= matches!(v, Value::Lit(_) | Value::Math(_) | Value::Id(Id::Texel(_))));
            if !fits {
                let rule = "a component is made of `x`, `y`, `z`, `level`, `sample` and numbers of 32 bits";
                return Err(AsmError::rule(start..self.cur.pos(), rule));
            }
            components.push(component);
        }
        let end = self.cur.pos();
        self.expect(b')', "`,` or `)`")?;
        match components.len() {
            1..=4 => Ok(Texels { image, components }),
            _ => Err(AsmError::rule(end..end + 1, "a texel has one to four components")),
        }
    }
}

impl Texels {
    /// Fills the bytes of a buffer that lies at an address.
    ///
    /// # Errors
    /// The image is none, is larger than the buffer, or its texels cannot be written one by one.
    pub(super) fn fill(
        &self,
        bytes: &mut [u8],
        address: u64,
        target: Target,
        buffers: &dyn Buffers,
    ) -> Result<(), CaseError> {
        let refused = |reason: String| wrong("texels", reason, target);
        let words = self.image.words(buffers.address(&self.image.buffer), target)?;
        let image = Resource::decode(&words, &target).map_err(|error| refused(error.to_string()))?;
        let image = image.ok_or_else(|| refused("no image".to_owned()))?;
        let (element, size) = (image.format.bytes() as usize, bytes.len());
        let beyond = || refused(format!("more than the {size} bytes of the buffer"));
        // Each texel has bytes of its own.
        let mut left = size as u128;
        for level in 0..image.levels() {
            let [width, height, depth, _] = image.size(level);
            let wanted: u128 = [width, height, depth, self.samples(), element as u32].map(u128::from).iter().product();
            left = left.checked_sub(wanted).ok_or_else(beyond)?;
            for (z, y) in (0..depth).flat_map(|z| (0..height).map(move |y| (z, y))) {
                for (x, sample) in (0..width).flat_map(|x| (0..self.samples()).map(move |sample| (x, sample))) {
                    let Some(at) = image.at(Coordinates { x, y, z, sample, level }) else { continue };
                    let words = self.element(image.format, [x, y, z, level, sample], buffers);
                    let words = words.map_err(refused)?.map(u32::to_le_bytes);
                    let first = usize::try_from(at.address.wrapping_sub(address & ADDRESS)).unwrap_or(usize::MAX);
                    let to = first.checked_add(element).and_then(|end| bytes.get_mut(first..end));
                    to.ok_or_else(beyond)?.copy_from_slice(&words.as_flattened()[..element]);
                }
            }
        }
        Ok(())
    }

    fn samples(&self) -> u32 {
        self.image.count("samples").unwrap_or(1).max(1)
    }

    /// The words of an element, or why there are none.
    fn element(&self, format: TexelFormat, texel: [u32; 5], buffers: &dyn Buffers) -> Result<[u32; 4], String> {
        let fields = match format.shape() {
            Shape::Block(..) => return Err(format!("{}, whose texels have no bits of their own", format.name())),
            Shape::Fields(bits) | Shape::Srgb(bits) => bits,
            Shape::DepthStencil => [32, 8, 0, 0],
            Shape::SharedExponent => [0; 4],
        };
        let at = At { texel, ..At::default() };
        let (mut stored, mut held) = ([0; 4], [None; 4]);
        let plain = format.kind() == Kind::Float && format.shape() != Shape::DepthStencil;
        for (n, component) in self.components.iter().enumerate() {
            let bits = eval(component, &at, buffers).unwrap_or(0) as u64;
            let ty = component.ty();
            match ty.layout().is_some() {
                true => stored[n] = (ty.to_f64(bits) as f32).to_bits(),
                false if plain => stored[n] = (bits as u32 as f32).to_bits(),
                false => held[n] = Some(bits as u32),
            }
        }
        // What no instruction stores may still be given by what fields hold.
        let mut words = match format.store(stored) {
            Ok(words) => words,
            Err(_) if stored == [0; 4] => [0; 4],
            Err(error) => return Err(error.to_string()),
        };
        let mut first = 0;
        for (bits, held) in fields.into_iter().zip(held) {
            if let Some(held) = held {
                put(&mut words, first, bits.into(), held);
            }
            first += u32::from(bits);
        }
        Ok(words)
    }
}

/// Addresses have 48 bits.
const ADDRESS: u64 = (1 << 48) - 1;

/// Puts bits into words.
fn put(words: &mut [u32; 4], first: u32, bits: u32, v: u32) {
    let all = words.iter().rev().fold(0, |all, word| all << 32 | u128::from(*word));
    let mask = (1u128 << bits) - 1;
    let all = all & !(mask << first) | (u128::from(v) & mask) << first;
    *words = std::array::from_fn(|n| (all >> (32 * n)) as u32);
}

#[cfg(test)]
mod tests {
    use crate::case::Case;
    use crate::isa::{Arch, Target};

    fn contents(line: &str, arch: &str) -> Result<Vec<u8>, String> {
        let text = format!("; isa: all\n; {line}\ns_nop 0\n");
        let case = Case::parse(&text, "one.s").map_err(|error| error.to_string())?;
        // What is printed says the same.
        assert_eq!(Case::parse(&case.to_string(), "one.s").map_err(|e| e.to_string())?.buffers, case.buffers);
        let initial = case.initial(Target::new(Arch::find(arch).expect(arch))).map_err(|error| error.to_string())?;
        Ok(initial.buffers[0].bytes.clone())
    }

    /// Of linear images it is known by heart where texels lie: rows of 256 bytes.
    #[test]
    fn linear_images() {
        for arch in ["gfx600", "gfx803", "gfx900", "gfx1030", "gfx1100", "gfx1200"] {
            let line = "buffer t[1024] = texels(image(t, width=64, height=3, format=8_8_8_8_unorm), x, y + 16, 1.0)";
            let bytes = contents(line, arch).expect(arch);
            for (x, y) in [(0, 0), (1, 0), (63, 1), (5, 2)] {
                let at = y * 256 + x * 4;
                assert_eq!(bytes[at..at + 4], [x as u8, y as u8 + 16, 255, 0], "{arch} {x} {y}");
            }
            assert_eq!(bytes[768..], [0; 256], "{arch}");
            let line = "buffer t[512] = texels(image(t, width=64, height=2, format=32_float), x + y * 100)";
            let bytes = contents(line, arch).expect(arch);
            assert_eq!(bytes[256 + 12..][..4], 103f32.to_le_bytes(), "{arch}");
        }
    }

    #[test]
    fn what_can_not_be_filled_is_said() {
        for (line, word) in [
            ("buffer t[512] = texels(image(t, width=64, height=3), x)", "512 bytes"),
            ("buffer t[4096] = texels(image(t, width=16, height=16, format=bc1_unorm), x)", "BC1"),
            ("buffer t[4096] = texels(image(t, width=16), lane)", "a component is made of"),
            ("buffer t[4096] = texels(image(t, width=16))", "one to four"),
            ("buffer t[4096] = texels(sampler(), x)", "image"),
            ("buffer t[4096] = u32 3\n; v0 = x", "texels(...)"),
            ("buffer t[4096] = u32 3\n; lds = texels(image(t), x)", "a buffer"),
        ] {
            let said = contents(line, "gfx1100");
            assert!(said.as_ref().is_err_and(|said| said.contains(word)), "{line}: {said:?}");
        }
    }
}
