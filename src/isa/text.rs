//! Numbers and words into a byte buffer: the printer writes two million instructions a second and cannot go through `format!`.

/// A text of at most 31 bytes, kept so that it is appended by copying 32 bytes and cutting the rest: no call, no loop. `Short<16>` is
/// shorter, in all ways.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub struct Short<const SIZE: usize = 32> {
    bytes: [u8; SIZE],
}

impl<const SIZE: usize> Short<SIZE> {
    /// No text.
    pub const EMPTY: Short<SIZE> = Short { bytes: [0; SIZE] };
    /// Most bytes of a text.
    pub const MOST: usize = SIZE - 1;

    /// The text; what is longer than [`Short::MOST`] bytes is cut, which of 31 no register or constant is.
    #[must_use]
    pub fn new(text: &str) -> Short<SIZE> {
        let mut bytes = [0; SIZE];
        let len = text.len().min(Self::MOST);
        bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        bytes[Self::MOST] = len as u8;
        Short { bytes }
    }

    /// How many bytes the text has.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.bytes[Self::MOST])
    }

    /// Whether there is no text.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the text.
    #[inline]
    pub fn push(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.len();
        out.extend_from_slice(&self.bytes);
        out.truncate(end);
    }

    /// Writes the text into a buffer with room for more, at a place, and gives the place behind it.
    #[inline(always)]
    pub fn put(&self, out: &mut [u8], at: usize) -> usize {
        out[at..at + SIZE].copy_from_slice(&self.bytes);
        at + self.len()
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len()]).unwrap_or("")
    }
}

/// The numbers below 1000: three digits and their count.
static DIGITS: [[u8; 4]; 1000] = {
    let mut all = [[0u8; 4]; 1000];
    let mut n = 0;
    while n < 1000 {
        let (a, b, c) = (b'0' + (n / 100) as u8, b'0' + (n / 10 % 10) as u8, b'0' + (n % 10) as u8);
        all[n] = if n >= 100 {
            [a, b, c, 3]
        } else if n >= 10 {
            [b, c, 0, 2]
        } else {
            [c, 0, 0, 1]
        };
        n += 1;
    }
    all
};

/// Appends a signed number in decimal.
#[inline]
pub fn push_dec(out: &mut Vec<u8>, value: i64) {
    if value < 0 {
        out.push(b'-');
    }
    push_udec(out, value.unsigned_abs());
}

/// Appends an unsigned number in decimal.
#[inline]
pub fn push_udec(out: &mut Vec<u8>, value: u64) {
    if let Some(digits) = DIGITS.get(value as usize).filter(|_| value < 1000) {
        let end = out.len() + usize::from(digits[3]);
        out.extend_from_slice(digits);
        out.truncate(end);
        return;
    }
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = value;
    while rest != 0 {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    out.extend_from_slice(&digits[at..]);
}

/// Writes a signed number in decimal into a buffer with room for eleven bytes, at a place, and gives the place behind it.
#[inline]
pub fn put_decimal(out: &mut [u8], mut at: usize, value: i32) -> usize {
    out[at] = b'-';
    at += usize::from(value < 0);
    let value = value.unsigned_abs();
    let mut rest = value;
    // The digits behind the first three or fewer, three at a time.
    let mut scale = 1;
    while rest >= 1000 {
        rest /= 1000;
        scale *= 1000;
    }
    let first = DIGITS[rest as usize];
    out[at..at + 4].copy_from_slice(&first);
    at += usize::from(first[3]);
    while scale > 1 {
        scale /= 1000;
        let three = value / scale % 1000;
        out[at] = b'0' + (three / 100) as u8;
        out[at + 1] = b'0' + (three / 10 % 10) as u8;
        out[at + 2] = b'0' + (three % 10) as u8;
        at += 3;
    }
    at
}

/// Writes a number as `0x` and lower case digits into a buffer with room for ten bytes, at a place, and gives the place behind it.
#[inline]
pub fn put_hexadecimal(out: &mut [u8], at: usize, value: u32) -> usize {
    let digits = (8 - value.leading_zeros() / 4).max(1);
    out[at..at + 2].copy_from_slice(b"0x");
    out[at + 2..at + 10].copy_from_slice(&eight_digits::<b'a'>(value << (32 - 4 * digits)));
    at + 2 + digits as usize
}

/// Appends a number as `0x` and lower case digits, without leading zeros; zero is `0x0`.
#[inline]
pub fn push_hex(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(b"0x");
    push_digits::<b'a'>(out, value, 1);
}

/// Appends a number as so many upper case digits in hexadecimal, at most sixteen, or more where it needs them.
#[inline]
pub fn push_hex_digits(out: &mut Vec<u8>, value: u64, digits: usize) {
    push_digits::<b'A'>(out, value, digits);
}

/// Appends a number in hexadecimal, of which the digit for ten is said.
///
/// The digits that are wanted move to the top; all sixteen are appended, and those behind them cut, so that nothing depends on how
/// many there are.
#[inline(always)]
fn push_digits<const TEN: u8>(out: &mut Vec<u8>, value: u64, digits: usize) {
    let needed = 16 - value.leading_zeros() / 4;
    let digits = needed.clamp(1, 16).max(digits.min(16) as u32);
    let end = out.len() + digits as usize;
    let value = value << (4 * (16 - digits));
    let mut all = [0u8; 16];
    all[..8].copy_from_slice(&eight_digits::<TEN>((value >> 32) as u32));
    all[8..].copy_from_slice(&eight_digits::<TEN>(value as u32));
    out.extend_from_slice(&all);
    out.truncate(end);
}

/// The digits of a word, all at once: its nibbles are spread over the bytes of a larger one, and become characters there.
#[inline(always)]
pub const fn eight_digits<const TEN: u8>(word: u32) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut all = word as u64;
    all = (all | all << 16) & 0x0000_ffff_0000_ffff;
    all = (all | all << 8) & 0x00ff_00ff_00ff_00ff;
    all = (all | all << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    // Six more, and a digit from ten on carries into the upper half of its byte.
    let letters = (all + 6 * ONES) >> 4 & ONES;
    (all + b'0' as u64 * ONES + letters * (TEN - b'0' - 10) as u64).to_be_bytes()
}

/// Appends text.
#[inline]
pub fn push_str(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dec(v: i64) -> String {
        let mut out = Vec::new();
        push_dec(&mut out, v);
        String::from_utf8_lossy(&out).into_owned()
    }

    fn hex(v: u64) -> String {
        let mut out = Vec::new();
        push_hex(&mut out, v);
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn agrees_with_the_standard_formatter() {
        for v in [0, 1, 9, 10, 99, 100, 65535, -1, -10, i64::MAX, i64::MIN] {
            assert_eq!(dec(v), v.to_string());
        }
        let mut row = [0; 16];
        for v in [0, 1, 10, 999, 1000, 1001, 65535, 1_000_000, 1_002_003, 999_999_999, -1, -4096, i32::MAX, i32::MIN] {
            let end = put_decimal(&mut row, 1, v);
            assert_eq!(String::from_utf8_lossy(&row[1..end]), v.to_string());
        }
        for v in [0, 1, 15, 16, 0x1234, 0xdead_beef, u32::MAX] {
            let end = put_hexadecimal(&mut row, 1, v);
            assert_eq!(String::from_utf8_lossy(&row[1..end]), format!("{v:#x}"));
        }
        for v in [0, 1, 15, 16, 255, 0xdead_beef, u64::MAX] {
            assert_eq!(hex(v), format!("{v:#x}"));
            for digits in [1, 8, 12, 16] {
                let mut out = Vec::new();
                push_hex_digits(&mut out, v, digits);
                assert_eq!(String::from_utf8_lossy(&out), format!("{v:0digits$X}"));
            }
        }
    }
}
