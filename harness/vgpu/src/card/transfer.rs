//! What the command processor itself does to memory: copies, fills, single words.
//!
//! Bytes go in rising order, as the hardware's do: a copy onto what lies just behind its source repeats it.

use crate::fault::planted;
use wavediff::memory::guest::{Fault, View};

/// Words that are copied at a time.
const PIECE: usize = 1024;

/// Copies bytes.
///
/// # Errors
/// An address is not mapped; what lies before it is copied.
pub fn copy(view: &mut View<'_>, to: u64, from: u64, bytes: u64) -> Result<(), Fault> {
    let ahead = to.wrapping_sub(from);
    // Where source and destination overlap, no piece may reach its own end.
    let most =
        if planted!(CopyAtOnce) || ahead == 0 || ahead >= 4 * PIECE as u64 { PIECE } else { (ahead / 4) as usize };
    let mut piece = [0u32; PIECE];
    let mut done = 0;
    while done < bytes {
        let (a, b) = (from.wrapping_add(done), to.wrapping_add(done));
        let words = ((bytes - done) / 4).min(most as u64) as usize;
        if words == 0 {
            if most > 0 && planted!(CopyTailLost) {
                break;
            }
            let byte = view.load_u8(a)?;
            view.store_u8(b, byte)?;
            done += 1;
            continue;
        }
        view.load_words(a, &mut piece[..words])?;
        view.store_words(b, &piece[..words])?;
        done += 4 * words as u64;
    }
    Ok(())
}

/// Fills bytes with a repeated word.
///
/// # Errors
/// An address is not mapped; what lies before it is filled.
pub fn fill(view: &mut View<'_>, to: u64, word: u32, bytes: u64) -> Result<(), Fault> {
    let piece = [word; PIECE];
    let (whole, rest) = (bytes / 4, bytes % 4);
    let mut done = 0;
    while done < whole {
        let words = (whole - done).min(PIECE as u64);
        view.store_words(to.wrapping_add(4 * done), &piece[..words as usize])?;
        done += words;
    }
    for n in 0..rest {
        view.store_u8(to.wrapping_add(4 * whole + n), (word >> (8 * n)) as u8)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use wavediff::memory::guest::Memory;

    fn bytes(memory: &Memory, at: u64, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        memory.read_bytes(at, &mut out).unwrap();
        out
    }

    /// Against a loop over bytes, for every distance around a piece and every alignment.
    #[test]
    fn copies_go_byte_by_byte() {
        let start: Vec<u8> = (0..25_000u32).map(|n| (n * 7 + n / 251) as u8).collect();
        for ahead in [1i64, 2, 3, 4, 5, 7, 8, 4095, 4096, 4097, 8000, -1, -4, -4097] {
            for len in [0usize, 1, 3, 4, 9, 4099, 9001] {
                let (from, to) = (5000usize, (5000 + ahead) as usize);
                let mut expected = start.clone();
                (0..len).for_each(|n| expected[to + n] = expected[from + n]);
                let mut memory = Memory::new();
                memory.map_bytes("m", 0x1000, &start, true).unwrap();
                copy(&mut memory.view(), 0x1000 + to as u64, 0x1000 + from as u64, len as u64).unwrap();
                assert!(bytes(&memory, 0x1000, start.len()) == expected, "{ahead} ahead, {len} bytes");
            }
        }
    }

    #[test]
    fn fills_repeat_the_word() {
        for len in [0usize, 1, 4, 6, 5000] {
            let mut memory = Memory::new();
            memory.map("m", 0x1000, 6000, true).unwrap();
            fill(&mut memory.view(), 0x1003, 0x4433_2211, len as u64).unwrap();
            let expected: Vec<u8> = (0..len).map(|n| [0x11, 0x22, 0x33, 0x44][n % 4]).collect();
            assert_eq!(bytes(&memory, 0x1003, len), expected);
            assert_eq!(bytes(&memory, 0x1003 + len as u64, 4), [0; 4]);
        }
    }
}
