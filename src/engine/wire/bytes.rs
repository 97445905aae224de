//! Numbers, texts and lists as bytes.

use super::Broken;
use std::time::Duration;

/// Bytes that have not been read yet.
pub(super) struct Reader<'b> {
    left: &'b [u8],
    /// How many vector registers may still come: each is much larger than what is sent of it may be.
    pub registers: u64,
}

impl<'b> Reader<'b> {
    pub fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader { left: bytes, registers: u64::MAX }
    }

    /// Takes note of a vector register.
    pub fn register(&mut self) -> Result<(), Broken> {
        self.registers = self.registers.checked_sub(1).ok_or(Broken::Value("number of registers"))?;
        Ok(())
    }

    pub fn take(&mut self, count: usize) -> Result<&'b [u8], Broken> {
        let (taken, left) = self.left.split_at_checked(count).ok_or(Broken::Short)?;
        self.left = left;
        Ok(taken)
    }

    /// Nothing may be left.
    pub fn end(self) -> Result<(), Broken> {
        if self.left.is_empty() { Ok(()) } else { Err(Broken::Long) }
    }

    /// How many things follow, each of one byte or more: never more than there are bytes.
    pub fn count(&mut self) -> Result<usize, Broken> {
        let count = u32::get(self)? as usize;
        if count > self.left.len() { Err(Broken::Short) } else { Ok(count) }
    }
}

/// Something that can be sent.
pub(super) trait Wire: Sized {
    fn put(&self, to: &mut Vec<u8>);
    fn get(from: &mut Reader<'_>) -> Result<Self, Broken>;
}

macro_rules! numbers {
    ($($ty:ident)*) => {
        $(impl Wire for $ty {
            fn put(&self, to: &mut Vec<u8>) {
                to.extend(self.to_le_bytes());
            }
            fn get(from: &mut Reader<'_>) -> Result<$ty, Broken> {
                let bytes = from.take(size_of::<$ty>())?;
                bytes.try_into().map($ty::from_le_bytes).map_err(|_| Broken::Short)
            }
        })*
    };
}

numbers! { u8 u16 u32 u64 }

/// By its bits.
impl Wire for f64 {
    fn put(&self, to: &mut Vec<u8>) {
        self.to_bits().put(to);
    }
    fn get(from: &mut Reader<'_>) -> Result<f64, Broken> {
        u64::get(from).map(f64::from_bits)
    }
}

impl Wire for bool {
    fn put(&self, to: &mut Vec<u8>) {
        u8::from(*self).put(to);
    }
    fn get(from: &mut Reader<'_>) -> Result<bool, Broken> {
        match u8::get(from)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Broken::Value("truth value")),
        }
    }
}

impl Wire for Duration {
    fn put(&self, to: &mut Vec<u8>) {
        self.as_secs().put(to);
        self.subsec_nanos().put(to);
    }
    fn get(from: &mut Reader<'_>) -> Result<Duration, Broken> {
        match (u64::get(from)?, u32::get(from)?) {
            (seconds, nanos @ ..1_000_000_000) => Ok(Duration::new(seconds, nanos)),
            _ => Err(Broken::Value("time")),
        }
    }
}

/// How many things follow. More than 2^32 of them do not fit into memory; were there more, the reader would find the rest left over.
pub(super) fn put_count(count: usize, to: &mut Vec<u8>) {
    u32::try_from(count).unwrap_or(u32::MAX).put(to);
}

impl Wire for String {
    fn put(&self, to: &mut Vec<u8>) {
        put_count(self.len(), to);
        to.extend(self.as_bytes());
    }
    fn get(from: &mut Reader<'_>) -> Result<String, Broken> {
        let count = from.count()?;
        let bytes = from.take(count)?;
        std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| Broken::Value("text"))
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, to: &mut Vec<u8>) {
        put_count(self.len(), to);
        self.iter().for_each(|item| item.put(to));
    }
    fn get(from: &mut Reader<'_>) -> Result<Vec<T>, Broken> {
        // What is promised is not reserved: items may be far larger than their bytes.
        let count = from.count()?;
        let mut all = Vec::new();
        for _ in 0..count {
            all.push(T::get(from)?);
        }
        Ok(all)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, to: &mut Vec<u8>) {
        self.is_some().put(to);
        if let Some(item) = self {
            item.put(to);
        }
    }
    fn get(from: &mut Reader<'_>) -> Result<Option<T>, Broken> {
        if bool::get(from)? { T::get(from).map(Some) } else { Ok(None) }
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn put(&self, to: &mut Vec<u8>) {
        self.0.put(to);
        self.1.put(to);
    }
    fn get(from: &mut Reader<'_>) -> Result<(A, B), Broken> {
        Ok((A::get(from)?, B::get(from)?))
    }
}

macro_rules! arrays {
    ($($count:literal)*) => {
        $(impl Wire for [u32; $count] {
            fn put(&self, to: &mut Vec<u8>) {
                self.iter().for_each(|word| word.put(to));
            }
            fn get(from: &mut Reader<'_>) -> Result<[u32; $count], Broken> {
                let mut words = [0; $count];
                fill(&mut words, from)?;
                Ok(words)
            }
        })*
    };
}

arrays! { 3 4 16 }

/// Reads as many words as there is room for.
pub(super) fn fill(words: &mut [u32], from: &mut Reader<'_>) -> Result<(), Broken> {
    for word in words {
        *word = u32::get(from)?;
    }
    Ok(())
}
