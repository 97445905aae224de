//! Texels of many elements at once: arrays of the same word, or of the same component, of all of them.
//!
//! As with [buffers](crate::memory::format), a function does to every element what the one of its name without `each` does to one.

use super::{Coding, TexelError, TexelFormat, packed, srgb};
use crate::each::each;
use crate::memory::format::Places;

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
        Some(match &self.row.coding {
            Coding::Fields(layout) => self.fields(layout).component_each(n, elements),
            Coding::Srgb(layout) if layout.bits[n] == 0 => [0; N],
            Coding::Srgb(_) => {
                let curve = srgb::curve(n);
                each(
                    &elements[0],
                    #[inline(always)]
                    |word| curve[(word >> (8 * n) & 0xff) as usize],
                )
            }
            Coding::DepthStencil => match n {
                0 => elements[0],
                1 => each(
                    &elements[1],
                    #[inline(always)]
                    |word| word & 0xff,
                ),
                _ => [0; N],
            },
            Coding::SharedExponent if n == 3 => [0; N],
            Coding::SharedExponent => each(
                &elements[0],
                #[inline(always)]
                |word| packed::shared_exponent(word)[n],
            ),
            Coding::Block(_) => return None,
        })
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
