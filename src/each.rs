//! The same of all elements of an array, and arrays as the cells of registers.

use std::cell::Cell;

/// Not [`array::map`], nor a `for_each`: those are functions of their own, without the vector instructions of the function that calls them.
#[inline(always)]
pub(crate) fn each<T: Copy, U: Copy + Default, const N: usize>(of: &[T; N], with: impl Fn(T) -> U) -> [U; N] {
    let mut all = [U::default(); N];
    for (to, of) in all.iter_mut().zip(of) {
        *to = with(*of);
    }
    all
}

/// Words to be read and written as those of registers.
#[inline(always)]
pub(crate) fn cells<const N: usize>(of: &mut [u32; N]) -> &[Cell<u32>; N] {
    let cells: &Cell<[u32]> = Cell::from_mut(of);
    match cells.as_slice_of_cells().first_chunk() {
        Some(all) => all,
        None => unreachable!("there are as many cells as words"),
    }
}
