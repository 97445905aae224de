//! Numbers and words into a byte buffer: the printer writes two million instructions a second and cannot go through `format!`.

/// A text of at most 31 bytes, kept so that it is appended by copying 32 bytes and cutting the rest: no call, no loop.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub struct Short {
    bytes: [u8; 32],
}

impl Short {
    /// The text; what is longer than 31 bytes is cut, which no register or constant is.
    #[must_use]
    pub fn new(text: &str) -> Short {
        let mut bytes = [0; 32];
        let len = text.len().min(31);
        bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        bytes[31] = len as u8;
        Short { bytes }
    }

    /// Whether there is no text.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.bytes[31] == 0
    }

    /// Appends the text.
    #[inline]
    pub fn push(&self, out: &mut Vec<u8>) {
        let end = out.len() + usize::from(self.bytes[31]);
        out.extend_from_slice(&self.bytes);
        out.truncate(end);
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.bytes[31])]).unwrap_or("")
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

/// Appends a number as `0x` and lower case digits, without leading zeros; zero is `0x0`.
#[inline]
pub fn push_hex(out: &mut Vec<u8>, value: u64) {
    let mut digits = [0u8; 18];
    let mut at = digits.len();
    let mut rest = value;
    loop {
        at -= 1;
        digits[at] = b"0123456789abcdef"[(rest & 15) as usize];
        rest >>= 4;
        if rest == 0 {
            break;
        }
    }
    at -= 2;
    digits[at..at + 2].copy_from_slice(b"0x");
    let end = out.len() + digits.len() - at;
    digits.copy_within(at.., 0);
    out.extend_from_slice(&digits);
    out.truncate(end);
}

/// Appends a number as so many upper case digits in hexadecimal, at most sixteen, or more where it needs them.
#[inline]
pub fn push_hex_digits(out: &mut Vec<u8>, value: u64, digits: usize) {
    let mut all = [0u8; 16];
    let mut rest = value;
    for digit in all.iter_mut().rev() {
        *digit = b"0123456789ABCDEF"[(rest & 15) as usize];
        rest >>= 4;
    }
    let needed = 16 - value.leading_zeros() as usize / 4;
    out.extend_from_slice(&all[16 - digits.max(needed).min(16)..]);
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
