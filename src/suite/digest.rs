//! A digest of words and bytes, the same on every machine and in every version: FNV-1a over words of 64 bits, each mixed once more.

/// Words mixed in one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Adds a word.
    pub fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }

    /// Adds bytes, and how many there are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            self.word(chunk.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)));
        }
    }

    /// Of words alone.
    pub fn of_words(words: impl IntoIterator<Item = u64>) -> u64 {
        let mut digest = Digest::default();
        words.into_iter().for_each(|word| digest.word(word));
        digest.value()
    }

    /// Of bytes alone.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> u64 {
        let mut digest = Digest::default();
        digest.bytes(bytes);
        digest.value()
    }

    /// The digest.
    #[must_use]
    pub fn value(self) -> u64 {
        self.0
    }
}
