//! Formats of many elements at once: arrays of the same word, or the same component, of all of them.
//!
//! Each function does to every element what the one of its name without `each` does to one; kinds and widths are looked at once, so
//! that loops over the elements become vector code of whoever they are inlined into.

use super::convert::{f16_toward_zero, float_bits, float_value, int_bits, norm_bits};
use super::{Format, FormatError, Kind, Select, shares, value_by};
use crate::each::each;
use std::iter::once;

/// Words of the same place in all elements, by place: four words of an element, four components.
pub type Places<const N: usize> = [[u32; N]; 4];

impl Format {
    /// Whether component `n` is a whole word, as it is.
    #[inline(always)]
    fn is_kept(&self, n: usize) -> bool {
        self.layout.bits[n] == 32 && (self.kind.is_int() || self.kind == Kind::Float)
    }

    /// Whether an element is one word, and that its only component.
    #[must_use]
    #[inline(always)]
    pub fn is_a_word(&self) -> bool {
        self.is_kept(0) && self.layout.bits[1..] == [0; 3]
    }

    /// The components of elements.
    #[must_use]
    #[inline(always)]
    pub fn load_each<const N: usize>(&self, elements: &Places<N>) -> Places<N> {
        let mut all = [[0; N]; 4];
        for (n, to) in all.iter_mut().enumerate() {
            *to = self.component_each(n, elements);
        }
        all
    }

    /// Component `n` of elements, whose words may be fewer than four.
    #[must_use]
    #[inline(always)]
    pub fn component_each<const N: usize>(&self, n: usize, elements: &[[u32; N]]) -> [u32; N] {
        let mut all = [0; N];
        self.component_of_many(n, once((&mut all, elements)));
        all
    }

    /// The same of several arrays of elements, and where to put it.
    #[inline(always)]
    pub(crate) fn component_of_many<'e, const N: usize>(
        &self,
        n: usize,
        many: impl Iterator<Item = (&'e mut [u32; N], &'e [[u32; N]])>,
    ) {
        let width = u32::from(self.layout.bits[n]);
        if width == 0 {
            for (to, _) in many {
                *to = [0; N];
            }
            return;
        }
        let start = self.layout.starts()[n];
        let (word, shift) = ((start / 32) as usize, start % 32);
        if self.is_kept(n) {
            for (to, elements) in many {
                *to = elements[word];
            }
            return;
        }
        let mask = u32::MAX >> (32 - width);
        // A loop for each kind; of few bits those of shares have one of their own.
        let kind = self.kind_of(n);
        let (by_parts, by_one) = shares(kind, width);
        macro_rules! put {
            ($kind:ident, $share:ident) => {
                for (to, elements) in many {
                    *to = each(
                        &elements[word],
                        #[inline(always)]
                        |word| value_by($share, Kind::$kind, word >> shift & mask, width),
                    );
                }
            };
        }
        macro_rules! by_kind {
            ($($few:ident)*; $($kind:ident)*) => {
                match (kind, by_parts) {
                    $((Kind::$few, Some(by_parts)) => put!($few, by_parts),)*
                    $((Kind::$kind, _) => put!($kind, by_one),)*
                }
            };
        }
        by_kind!(Unorm Snorm; Unorm Snorm Uscaled Sscaled Uint Sint SnormOgl Float);
    }

    /// The words of elements.
    ///
    /// # Errors
    /// The kind can be read only.
    #[inline(always)]
    pub fn store_each<const N: usize>(&self, components: &Places<N>) -> Result<Places<N>, FormatError> {
        let starts = self.layout.starts();
        let mut elements = [[0; N]; 4];
        for (n, of) in components.iter().enumerate() {
            let width = u32::from(self.layout.bits[n]);
            if width == 0 {
                continue;
            }
            let bits = match self.kind {
                _ if self.is_kept(n) => *of,
                Kind::Unorm => each(
                    of,
                    #[inline(always)]
                    |v| norm_bits(v, width, false),
                ),
                Kind::Snorm => each(
                    of,
                    #[inline(always)]
                    |v| norm_bits(v, width, true),
                ),
                Kind::Uint => each(
                    of,
                    #[inline(always)]
                    |v| int_bits(v, width, false),
                ),
                Kind::Sint => each(
                    of,
                    #[inline(always)]
                    |v| int_bits(v, width, true),
                ),
                Kind::Float => each(
                    of,
                    #[inline(always)]
                    |v| float_bits(v, width),
                ),
                Kind::Uscaled | Kind::Sscaled | Kind::SnormOgl => return Err(FormatError::ReadOnly(self.kind)),
            };
            for (to, bits) in elements[(starts[n] / 32) as usize].iter_mut().zip(bits) {
                *to |= bits << (starts[n] % 32);
            }
        }
        Ok(elements)
    }
}

/// The registers of loads.
#[must_use]
#[inline(always)]
pub fn select_each<const N: usize>(selects: [Select; 4], kind: Kind, components: &Places<N>) -> Places<N> {
    let mut registers = [[0; N]; 4];
    for (to, select) in registers.iter_mut().zip(selects) {
        match select {
            Select::Zero => {}
            Select::One => *to = [kind.one(); N],
            Select::Component(n) => *to = components[usize::from(n & 3)],
        }
    }
    registers
}

/// The components of stores of so many registers.
#[must_use]
#[inline(always)]
pub fn unselect_each<const N: usize>(selects: [Select; 4], registers: &Places<N>) -> Places<N> {
    let mut components = [[0; N]; 4];
    for (select, register) in selects.iter().zip(registers).rev() {
        if let Select::Component(n) = select {
            components[usize::from(n & 3)] = *register;
        }
    }
    components
}

/// Registers of D16 loads, each in the lower half.
#[must_use]
#[inline(always)]
pub fn halves_each<const N: usize>(kind: Kind, register: &[u32; N]) -> [u32; N] {
    if kind.is_int() {
        each(
            register,
            #[inline(always)]
            |v| v & 0xffff,
        )
    } else {
        each(
            register,
            #[inline(always)]
            |v| f16_toward_zero(v).into(),
        )
    }
}

/// Registers of D16 stores, as wide ones; above the lower halves may be anything.
#[must_use]
#[inline(always)]
pub fn widen_each<const N: usize>(kind: Kind, halves: &[u32; N]) -> [u32; N] {
    match kind {
        Kind::Uint => each(
            halves,
            #[inline(always)]
            |h| h & 0xffff,
        ),
        Kind::Sint => each(
            halves,
            #[inline(always)]
            |h| h as i16 as u32,
        ),
        _ => each(
            halves,
            #[inline(always)]
            |h| float_value(h & 0xffff, 16),
        ),
    }
}
