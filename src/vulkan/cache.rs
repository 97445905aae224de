//! The file that keeps compiled pipelines.
//!
//! Drivers must refuse what is not theirs by the header of the data (Vulkan 1.3, table 12, "Layout for pipeline cache header version one"). The
//! vendor and the device in it are compared here as well, so that one file that moves between machines is no matter of trust.

use super::caps::Caps;
use std::fs;
use std::io;
use std::path::Path;

/// Header size, version, vendor, device: four words; a uuid of the driver's follows.
const HEADER: usize = 32;

/// What is in a file, if it is for this device.
pub(super) fn read(file: &Path, caps: &Caps) -> Vec<u8> {
    let data = fs::read(file).unwrap_or_default();
    if fits(&data, caps) { data } else { Vec::new() }
}

fn fits(data: &[u8], caps: &Caps) -> bool {
    let word = |n: usize| data.get(n * 4..n * 4 + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    data.len() >= HEADER && word(1) == Some(1) && word(2) == Some(caps.vendor) && word(3) == Some(caps.product)
}

/// Replaces a file in one step, so that two processes which end together leave a whole one.
pub(super) fn write(file: &Path, data: &[u8]) -> io::Result<()> {
    let mut other = file.as_os_str().to_owned();
    other.push(format!(".{}", std::process::id()));
    fs::write(&other, data)?;
    fs::rename(&other, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_device_is_not_used() {
        let caps = Caps { vendor: 0x10005, product: 7, ..Caps::default() };
        let mut data: Vec<u8> = [32u32, 1, 0x10005, 7].iter().flat_map(|w| w.to_le_bytes()).collect();
        assert!(!fits(&data, &caps), "the uuid is missing");
        data.extend([0; 16]);
        assert!(fits(&data, &caps));
        data[12] = 8;
        assert!(!fits(&data, &caps));
        assert!(!fits(b"", &caps));
    }
}
