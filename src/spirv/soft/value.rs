//! Values of any class.

use super::Int;

/// A value of an algebra.
pub enum Value<K: Int> {
    /// 32 bits.
    W(K::W),
    /// 64 bits.
    D(K::D),
    /// A truth value.
    C(K::C),
}

impl<K: Int> Clone for Value<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K: Int> Copy for Value<K> {}
