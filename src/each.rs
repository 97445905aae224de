//! The same of all elements of an array.

/// Not [`array::map`], nor a `for_each`: those are functions of their own, without the vector instructions of the function that calls them.
#[inline(always)]
pub(crate) fn each<T: Copy, U: Copy + Default, const N: usize>(of: &[T; N], with: impl Fn(T) -> U) -> [U; N] {
    let mut all = [U::default(); N];
    for (to, of) in all.iter_mut().zip(of) {
        *to = with(*of);
    }
    all
}
