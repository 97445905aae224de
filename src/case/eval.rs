//! What a value is at a place: bits.

use super::edges::edges;
use super::picture::{Picture, Sampling};
use super::random::random;
use super::tree::Bvh;
use super::value::{Id, Lit, ScratchWord, Value};
use crate::isa::types::Ty;

/// Where a value is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct At {
    /// What lists, ramps, random values and edge values count with.
    pub position: u64,
    /// Elements before this one in a range of vector registers.
    pub element: u64,
    /// The lane in its wave.
    pub lane: u32,
    /// The work-item in the dispatch.
    pub item: u64,
    /// The wave in the dispatch.
    pub wave: u32,
    /// The work-item in its group.
    pub local: [u32; 3],
    /// The size of whole groups.
    pub full: [u32; 3],
    /// The group.
    pub group: [u32; 3],
    /// The wave in its group.
    pub index: u32,
    /// The waves of the group.
    pub waves: u32,
    /// The workgroup info.
    pub info: u32,
    /// Where the wave's scratch memory begins, from the base of all.
    pub scratch: u32,
    /// The coordinates of a texel.
    pub texel: [u32; 5],
}

/// What the case gives its values: where its buffers are, and descriptors of them.
pub(crate) trait Buffers {
    /// The address of a buffer.
    fn address(&self, name: &str) -> u64;
    /// What a program is told of its scratch memory.
    fn scratch(&self, word: ScratchWord) -> u128;
    /// The four words of a descriptor, as one number.
    fn descriptor(&self, d: &super::value::Descriptor) -> u128;
    /// The eight words of an image descriptor.
    fn image(&self, picture: &Picture) -> [u32; 8];
    /// The four words of a sampler.
    fn sampler(&self, sampling: &Sampling) -> [u32; 4];
    /// The four words of the descriptor of a tree.
    fn bvh(&self, bvh: &Bvh) -> [u32; 4];
}

/// The words at a place, as [`eval`] has bits.
pub(crate) fn words(value: &Value, at: &At, buffers: &dyn Buffers) -> Option<[u32; 8]> {
    match value {
        Value::Image(picture) => Some(buffers.image(picture)),
        Value::List(list) => words(usize::try_from(at.position).ok().and_then(|n| list.get(n))?, at, buffers),
        _ => {
            let bits = eval(value, at, buffers)?;
            Some(std::array::from_fn(|n| if n < 4 { (bits >> (32 * n)) as u32 } else { 0 }))
        }
    }
}

/// Words as one number.
fn together(words: &[u32]) -> u128 {
    words.iter().rev().fold(0, |all, word| all << 32 | u128::from(*word))
}

/// The bits at a place, of an image descriptor the lower half; `None` where anything is right, and behind the end of a list.
pub(crate) fn eval(value: &Value, at: &At, buffers: &dyn Buffers) -> Option<u128> {
    let bits = match value {
        Value::Any | Value::File(..) | Value::Texels(_) => return None,
        Value::Lit(lit) => lit.bits,
        Value::List(list) => return eval(usize::try_from(at.position).ok().and_then(|n| list.get(n))?, at, buffers),
        Value::Id(id) => id_at(*id, at).into(),
        Value::Ramp(start, step) => ramp(*start, *step, at.position),
        Value::Random(ty, seed, class) => random(*ty, *class, *seed, at.position.wrapping_add(at.element << 32)),
        Value::Edges(ty, step) => {
            let all = edges(*ty);
            let n = (at.position / u64::from((*step).max(1)) + at.element) % all.len() as u64;
            all[n as usize]
        }
        Value::Pack(low, high) => {
            let half = |v| eval(v, at, buffers).unwrap_or(0) as u64 & 0xffff;
            half(low) | half(high) << 16
        }
        Value::Address(name, offset) => buffers.address(name).wrapping_add(*offset),
        Value::Math(math) => math.eval(at, buffers),
        Value::Scratch(word) => return Some(buffers.scratch(*word)),
        Value::Descriptor(d) => return Some(buffers.descriptor(d)),
        Value::Image(picture) => return Some(together(&buffers.image(picture)[..4])),
        Value::Sampler(sampling) => return Some(together(&buffers.sampler(sampling))),
        Value::Bvh(bvh) => return Some(together(&buffers.bvh(bvh))),
    };
    Some(bits.into())
}

fn id_at(id: Id, at: &At) -> u32 {
    let dimension = |n: u8| usize::from(n.min(2));
    match id {
        Id::Lane => at.lane,
        Id::Item => at.item as u32,
        Id::Packed => at.local[0] & 0x3ff | (at.local[1] & 0x3ff) << 10 | (at.local[2] & 0x3ff) << 20,
        Id::Local(n) => at.local[dimension(n)],
        Id::Global(n) => {
            let n = dimension(n);
            at.group[n].wrapping_mul(at.full[n]).wrapping_add(at.local[n])
        }
        Id::Group(n) => at.group[dimension(n)],
        Id::Wave => at.wave,
        Id::WaveInGroup => at.index,
        Id::WavesOfGroup => at.waves,
        Id::GroupInfo => at.info,
        Id::ScratchOffset => at.scratch,
        Id::Texel(n) => at.texel.get(usize::from(n)).copied().unwrap_or(0),
    }
}

/// Integers wrap. Floats are computed as f64 and rounded once, so that `ramp(0.0, 0.1)` does not drift.
fn ramp(start: Lit, step: Lit, position: u64) -> u64 {
    let ty: Ty = start.ty;
    if ty.layout().is_some() {
        return ty.from_f64(ty.to_f64(start.bits) + position as f64 * step.ty.to_f64(step.bits));
    }
    start.bits.wrapping_add(position.wrapping_mul(step.bits)) & ty.mask()
}

/// One dword of a value in a range of vector registers.
pub(crate) fn vector_dword(value: &Value, offset: u32, at: At, buffers: &dyn Buffers) -> Option<u32> {
    let width = value.dwords();
    let at = At { element: u64::from(offset / width), ..at };
    Some(words(value, &at, buffers)?[(offset % width) as usize & 7])
}

/// One dword of a value in a range of scalar registers: the elements of a list lie one behind the other.
pub(crate) fn scalar_dword(value: &Value, offset: u32, at: At, buffers: &dyn Buffers) -> Option<u32> {
    let (value, position, part) = scalar_element(value, offset)?;
    Some(words(value, &At { position: position.into(), ..at }, buffers)?[part as usize & 7])
}

/// The element that a scalar register belongs to, its number, and which dword of it the register is.
pub(crate) fn scalar_element(value: &Value, offset: u32) -> Option<(&Value, u32, u32)> {
    let Value::List(list) = value else {
        return Some((value, offset / value.dwords(), offset % value.dwords()));
    };
    let mut start = 0;
    for (n, element) in list.iter().enumerate() {
        let width = value.element_bytes(element).div_ceil(4);
        if offset < start + width {
            return Some((element, n as u32, offset - start));
        }
        start += width;
    }
    None
}

/// Fills memory: a list once, from the start; anything else over and over.
pub(crate) fn fill(value: &Value, bytes: &mut [u8], at: &At, buffers: &dyn Buffers) {
    let mut rest = bytes;
    let mut put = |value: &Value, position: usize| {
        let at = At { position: position as u64, ..*at };
        let element = words(value, &at, buffers).unwrap_or_default().map(u32::to_le_bytes);
        let len = (value.bytes() as usize).min(rest.len());
        let (now, later) = std::mem::take(&mut rest).split_at_mut(len);
        now.copy_from_slice(&element.as_flattened()[..len]);
        rest = later;
        !rest.is_empty()
    };
    match value {
        Value::List(list) => list.iter().enumerate().for_each(|(n, element)| {
            put(element, n);
        }),
        _ => {
            let mut n = 0;
            while put(value, n) {
                n += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct None;

    impl Buffers for None {
        fn address(&self, _: &str) -> u64 {
            0x1000
        }
        fn scratch(&self, _: ScratchWord) -> u128 {
            0
        }
        fn image(&self, _: &Picture) -> [u32; 8] {
            [0; 8]
        }
        fn sampler(&self, _: &Sampling) -> [u32; 4] {
            [0; 4]
        }
        fn bvh(&self, _: &Bvh) -> [u32; 4] {
            [0; 4]
        }
        fn descriptor(&self, _: &super::super::value::Descriptor) -> u128 {
            0
        }
    }

    #[test]
    fn values_by_position() {
        let at = |position| At { position, item: position, lane: position as u32 % 32, ..At::default() };
        let bits = |value: &Value, n| eval(value, &at(n), &None);
        let lit = |ty, bits| Lit { ty, bits };
        assert_eq!(bits(&Value::Ramp(lit(Ty::U32, 1), lit(Ty::U32, 0xffff_ffff)), 2), Some(0xffff_ffff));
        let ramp = Value::Ramp(lit(Ty::F16, 0), lit(Ty::F16, 0x3800));
        assert_eq!(bits(&ramp, 3), Some(0x3e00));
        let list = Value::List(vec![Value::Lit(lit(Ty::U32, 7)), Value::Any, Value::Id(Id::Lane)]);
        assert_eq!([0, 1, 2, 3].map(|n| bits(&list, n)), [Some(7), Option::None, Some(2), Option::None]);
        assert_eq!(bits(&Value::Edges(Ty::F32, 2), 3), Some(0x8000_0000));
        assert_eq!(bits(&Value::Address("x".into(), 4), 0), Some(0x1004));
    }
}
