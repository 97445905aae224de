//! A line of the journal as bytes: JSON whose last member is the checksum of all that stands before it.
//!
//! ```text
//! {"kind":"end","interrupted":false,"seconds":1.5,"crc":"0a1b2c3d"}
//! ```
//!
//! The checksum is the CRC-32 of zip files, in eight small digits: whatever bit is flipped, in what it covers, in itself, or in the marks around it,
//! the line is not what [`encode`] writes any more. Where the end of a line is damaged two lines are one; so a damaged line is searched for whole ones
//! inside, which begin as every line does.

use super::Line;
use anyhow::Result;

/// What every line begins with. It can not be inside of one: in texts of JSON there is a backslash before the quotes.
pub const FIRST: &[u8] = b"{\"kind\":\"";
/// What stands before the checksum, and behind it.
const BEFORE: &[u8] = b",\"crc\":\"";
const BEHIND: &[u8] = b"\"}";
const DIGITS: usize = 8;

/// The CRC-32 of IEEE 802.3: the reflected polynomial, a table of what each byte does.
pub fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut n = 0;
        while n < 256 {
            let (mut value, mut bit) = (n as u32, 0);
            while bit < 8 {
                value = if value & 1 == 1 { value >> 1 ^ 0xedb8_8320 } else { value >> 1 };
                bit += 1;
            }
            table[n] = value;
            n += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |sum, byte| sum >> 8 ^ TABLE[(sum as u8 ^ byte) as usize])
}

/// A line with its end.
pub fn encode(line: &Line) -> Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(line)?;
    // The last brace comes behind the checksum.
    bytes.pop();
    let sum = crc32(&bytes);
    bytes.extend_from_slice(BEFORE);
    bytes.extend_from_slice(format!("{sum:08x}").as_bytes());
    bytes.extend_from_slice(BEHIND);
    bytes.push(b'\n');
    Ok(bytes)
}

/// The line that bytes are, without its end; nothing if they are not exactly what was written.
pub fn decode(bytes: &[u8]) -> Option<Line> {
    let rest = bytes.strip_suffix(BEHIND)?;
    let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    let object = rest.strip_suffix(BEFORE)?;
    if digits != format!("{:08x}", crc32(object)).as_bytes() {
        return None;
    }
    serde_json::from_slice(&[object, b"}"].concat()).ok()
}

/// The whole lines in what stands between two ends of lines, and whether that is one and nothing else.
pub fn find(bytes: &[u8]) -> (Vec<Line>, bool) {
    if let Some(line) = decode(bytes) {
        return (vec![line], true);
    }
    let mut starts: Vec<usize> = memchr::memmem::find_iter(bytes, FIRST).collect();
    starts.push(bytes.len());
    let part = |pair: &[usize]| {
        let part = &bytes[pair[0]..pair[1]];
        // What was the end of a line may be another byte now.
        decode(part).or_else(|| decode(part.split_last()?.1))
    };
    (starts.windows(2).filter_map(part).collect(), false)
}
