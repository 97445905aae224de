//! Texels of many elements at once: arrays of the same word, or of the same component, of all of them.
//!
//! As with [buffers](crate::memory::format), a function does to every element what the one of its name without `each` does to one.

use super::{Coding, TexelError, TexelFormat, packed, srgb};
use crate::each::each;
use crate::memory::format::Places;
use std::iter::once;

impl TexelFormat {
    /// Whether an element is one word, and that its only component.
    #[must_use]
    #[inline(always)]
    pub fn is_a_word(&self) -> bool {
        match &self.row.coding {
            Coding::Fields(layout) => self.fields(layout).is_a_word(),
            _ => false,
        }
    }

    /// Component `n` of elements that are texels, whose words may be fewer than four; nothing of those that are blocks.
    #[must_use]
    #[inline(always)]
    pub fn component_each<const N: usize>(&self, n: usize, elements: &[[u32; N]]) -> Option<[u32; N]> {
        let mut all = [0; N];
        self.component_of_many(n, once((&mut all, elements)))?;
        Some(all)
    }

    /// The same of several arrays of elements, and where to put it.
    #[inline(always)]
    pub(crate) fn component_of_many<'e, const N: usize>(
        &self,
        n: usize,
        many: impl Iterator<Item = (&'e mut [u32; N], &'e [[u32; N]])>,
    ) -> Option<()> {
        macro_rules! put {
            ($of:expr, $with:expr) => {
                for (to, elements) in many {
                    *to = each(&elements[$of], $with);
                }
            };
        }
        let nothing = |_| 0;
        match &self.row.coding {
            Coding::Fields(layout) => self.fields(layout).component_of_many(n, many),
            Coding::Srgb(layout) if layout.bits[n] == 0 => put!(0, nothing),
            Coding::Srgb(_) => {
                let curve = srgb::curve(n);
                put!(
                    0,
                    #[inline(always)]
                    |word| curve[(word >> (8 * n) & 0xff) as usize]
                );
            }
            Coding::DepthStencil => match n {
                0 => put!(
                    0,
                    #[inline(always)]
                    |word| word
                ),
                1 => put!(
                    1,
                    #[inline(always)]
                    |word| word & 0xff
                ),
                _ => put!(0, nothing),
            },
            Coding::SharedExponent if n == 3 => put!(0, nothing),
            Coding::SharedExponent => put!(
                0,
                #[inline(always)]
                |word| packed::shared_exponent(word)[n]
            ),
            Coding::Block(_) => return None,
        }
        Some(())
    }

    /// The words of elements.
    ///
    /// # Errors
    /// It can be read only.
    #[inline(always)]
    pub fn store_each<const N: usize>(&self, components: &Places<N>) -> Result<Places<N>, TexelError> {
        if let Coding::Fields(layout) = &self.row.coding {
            let read_only = TexelError::ReadOnly(self.row.name);
            return match self.storable {
                true => self.fields(layout).store_each(components).map_err(|_| read_only),
                false => Err(read_only),
            };
        }
        let mut elements = [[0; N]; 4];
        for lane in 0..N {
            let element = self.store([0, 1, 2, 3].map(|n| components[n][lane]))?;
            for (words, word) in elements.iter_mut().zip(element) {
                words[lane] = word;
            }
        }
        Ok(elements)
    }
}
