//! Numbers that stand for things: GEM handles, syncobjs, contexts. The lowest free number is given
//! first, as the kernel does; 0 never.

use super::Answer;
use rustix::io::Errno;
use std::collections::BTreeSet;

/// More of one kind in one file is an error of the program.
const MOST: usize = 1 << 20;

pub(crate) struct Table<T> {
    slots: Vec<Option<T>>,
    free: BTreeSet<u32>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { slots: Vec::new(), free: BTreeSet::new() }
    }
}

impl<T> Table<T> {
    pub fn insert(&mut self, value: T) -> Answer<u32> {
        if let Some(number) = self.free.pop_first() {
            self.slots[number as usize - 1] = Some(value);
            return Ok(number);
        }
        if self.slots.len() >= MOST {
            return Err(Errno::NOMEM);
        }
        self.slots.push(Some(value));
        Ok(self.slots.len() as u32)
    }

    pub fn get(&self, number: u32) -> Option<&T> {
        self.slots.get((number as usize).checked_sub(1)?)?.as_ref()
    }

    /// All that have a number.
    pub fn all(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.slots.iter().flatten().cloned().collect()
    }

    pub fn remove(&mut self, number: u32) -> Option<T> {
        let value = self.slots.get_mut((number as usize).checked_sub(1)?)?.take()?;
        self.free.insert(number);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_free_number_is_given() {
        let mut table = Table::default();
        assert_eq!([table.insert('a'), table.insert('b'), table.insert('c')], [Ok(1), Ok(2), Ok(3)]);
        assert_eq!([table.remove(2), table.remove(2), table.remove(0), table.remove(9)], [Some('b'), None, None, None]);
        assert_eq!(table.insert('d'), Ok(2));
        assert_eq!((table.get(0), table.get(2), table.get(4)), (None, Some(&'d'), None));
    }
}
