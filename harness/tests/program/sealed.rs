//! Lines of journals as the program writes them, with checksums; written again here, after the description in `src/journal/line.rs`.

use serde_json::Value;

/// CRC-32, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let bit = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum: u32, byte| (0..8).fold(sum ^ u32::from(*byte), bit))
}

/// Whether a line, with its end, is what was written.
#[allow(dead_code, reason = "not every test reads journals")]
pub fn is_whole(line: &[u8]) -> bool {
    let Some(text) = std::str::from_utf8(line).ok().and_then(|text| text.strip_suffix("\"}\n")) else { return false };
    let Some((body, sum)) = text.rsplit_once(",\"crc\":\"") else { return false };
    sum == format!("{:08x}", crc32(body.as_bytes()))
}

/// A line with its checksum and its end; one that it has already is left away.
pub fn sealed(line: &Value) -> String {
    let mut line = line.clone();
    if let Some(object) = line.as_object_mut() {
        object.shift_remove("crc");
    }
    let text = line.to_string();
    let body = text.strip_suffix('}').expect("an object");
    format!("{body},\"crc\":\"{:08x}\"}}\n", crc32(body.as_bytes()))
}
