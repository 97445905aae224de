//! Objects of LLVM's r600 target: ELF files of 32 bits whose machine is that of AMD GPUs.
//!
//! `.text` is the program. `.AMDGPU.config` is a list of registers and values, among them how many registers and stack entries the
//! program wants.

use crate::isa::r600::{Chip, Machine, Opcodes};

/// What of an object is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object<'a> {
    /// For what it is.
    pub machine: Machine,
    /// The program.
    pub text: &'a [u8],
    /// Registers of the chip, and what they are to hold.
    pub config: Vec<(u32, u32)>,
}

/// Why a file is no such object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObjectError {
    /// Something lies outside of the file.
    #[error("the file is too short for its {0}")]
    Short(&'static str),
    /// Another chip.
    #[error("the machine {0} in its flags is not R600 or R700")]
    Machine(u32),
    /// No program.
    #[error("there is no section .text")]
    NoText,
}

/// EM_AMDGPU.
const AMDGPU: u16 = 224;

/// Whether a file is an ELF file of 32 bits for AMD GPUs: those of GCN have 64.
#[must_use]
pub fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF\x01\x01") && half(bytes, 18) == Some(AMDGPU)
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// Bytes of a file from an offset on.
fn piece(bytes: &[u8], offset: u32, size: u32) -> Option<&[u8]> {
    let start = offset as usize;
    bytes.get(start..start.checked_add(size as usize)?)
}

/// Reads an object.
///
/// # Errors
/// What is wrong with it.
pub fn read(bytes: &[u8]) -> Result<Object<'_>, ObjectError> {
    let header = || ObjectError::Short("header");
    let flags = word(bytes, 36).ok_or_else(header)?;
    // EF_AMDGPU_MACH: 1 to 7 are R600, R630, RS880, RV670, RV710, RV730, RV770.
    let chip = match flags & 0xff {
        1..=4 => Chip::R600,
        5..=7 => Chip::R700,
        other => return Err(ObjectError::Machine(other)),
    };
    let table = word(bytes, 32).ok_or_else(header)? as usize;
    let size = usize::from(half(bytes, 46).ok_or_else(header)?);
    let count = usize::from(half(bytes, 48).ok_or_else(header)?);
    let names = usize::from(half(bytes, 50).ok_or_else(header)?);
    let section = |n: usize| -> Option<[u32; 3]> {
        let at = table.checked_add(n.checked_mul(size)?)?;
        Some([word(bytes, at)?, word(bytes, at.checked_add(16)?)?, word(bytes, at.checked_add(20)?)?])
    };
    let short = || ObjectError::Short("sections");
    let [_, offset, length] = section(names).ok_or_else(short)?;
    let names = piece(bytes, offset, length).ok_or_else(short)?;
    let (mut text, mut config) = (None, Vec::new());
    for n in 0..count {
        let [name, offset, length] = section(n).ok_or_else(short)?;
        let name = names.get(name as usize..).unwrap_or(&[]);
        let name = name.split(|byte| *byte == 0).next().unwrap_or(&[]);
        match name {
            b".text" => text = Some(piece(bytes, offset, length).ok_or(ObjectError::Short("program"))?),
            b".AMDGPU.config" => {
                let pairs = piece(bytes, offset, length).ok_or(ObjectError::Short("configuration"))?;
                let read = |at: &[u8]| u32::from_le_bytes([at[0], at[1], at[2], at[3]]);
                config = pairs.chunks_exact(8).map(|pair| (read(&pair[..4]), read(&pair[4..]))).collect();
            }
            _ => {}
        }
    }
    let machine = Machine { chip, opcodes: Opcodes::Hardware };
    Ok(Object { machine, text: text.ok_or(ObjectError::NoText)?, config })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with `.text` and `.AMDGPU.config`.
    fn file() -> Vec<u8> {
        let mut file = b"\x7fELF\x01\x01\x01".to_vec();
        file.resize(52, 0);
        file[18] = 224;
        file[36] = 7;
        let names = b"\0.text\0.AMDGPU.config\0.shstrtab\0";
        let text = file.len() as u32;
        file.extend([1, 0, 0, 0, 2, 0, 0, 0]);
        file.extend([0x50, 0x88, 2, 0, 3, 1, 0, 0]);
        let strings = file.len() as u32;
        file.extend(names);
        let table = file.len() as u32;
        for [name, offset, size] in [[0, 0, 0], [1, text, 8], [7, text + 8, 8], [22, strings, names.len() as u32]] {
            for value in [name, 1, 0, 0, offset, size, 0, 0, 0, 0] {
                file.extend(value.to_le_bytes());
            }
        }
        file[32..36].copy_from_slice(&table.to_le_bytes());
        file[46] = 40;
        file[48] = 4;
        file[50] = 3;
        file
    }

    #[test]
    fn the_program_and_its_configuration_are_found() {
        let file = file();
        assert!(is_one(&file));
        let object = read(&file).expect("an object");
        assert_eq!(object.machine, Machine::RV770);
        assert_eq!(object.text, [1, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(object.config, [(0x28850, 0x103)]);
    }

    #[test]
    fn a_file_that_is_cut_off_or_changed_does_not_panic() {
        let whole = file();
        for end in 0..whole.len() {
            let _ = read(&whole[..end]);
        }
        for at in 0..whole.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut file = whole.clone();
                file[at] = value;
                let _ = read(&file);
            }
        }
    }
}
