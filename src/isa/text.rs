//! Numbers and words into a byte buffer: the printer writes two million instructions a second and cannot go through `format!`.

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
    if value < 10 {
        out.push(b'0' + value as u8);
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
    let mut digits = [0u8; 16];
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
    out.extend_from_slice(b"0x");
    out.extend_from_slice(&digits[at..]);
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
        }
    }
}
