//! What RADV leaves of a compute shader: the binary of a shader object, of a pipeline, or the data of a pipeline cache.
//!
//! All three hold one structure, which Mesa copies out as it is in memory; the layout is that of Mesa 25.0 on 64-bit little-endian hosts,
//! as VGPU_FACTS section 6 lists it: machine code behind 1200 bytes of settings. A shader object has 44 bytes before it, a pipeline binary
//! none, and a pipeline cache a head and entries with keys. Nothing in it names the processor. Since the structure has no number of its
//! own, everything in it that can be checked is: sizes that add up, sizes of waves and groups, registers that there are.
//!
//! [`inject`] puts other machine code into a shader object, with other registers, and makes its digest good.

use sha1::{Digest, Sha1};
use std::ops::Range;

/// Where things stand, in bytes from the start of the structure (VGPU_FACTS section 6, less the head of 44 bytes).
mod at {
    pub const KIND: usize = 0;
    pub const SGPRS: usize = 4;
    pub const VGPRS: usize = 8;
    pub const LDS: usize = 24;
    pub const SCRATCH_BYTES_PER_WAVE: usize = 40;
    pub const RSRC: usize = 44;
    pub const INLINE_PUSH_CONSTANTS: usize = 56;
    pub const SETS: usize = 68;
    pub const WAVE_SIZE: usize = 75;
    /// Pairs of the first user SGPR (-1: none) and how many: 32 descriptor sets, then [`super::Users`].
    pub const USER_SGPRS: usize = 80;
    pub const THREADS: usize = 1116;
    pub const TOTAL_SIZE: usize = 1168;
    /// Sizes: code with padding and constants, code alone, IR, text, statistics, debug information.
    pub const SIZES: usize = 1176;
    pub const STATISTICS: usize = 1200;
}

/// The head of a shader object: UUID, presence, SHA-1, total size.
const OBJECT_HEAD: usize = 44;
/// Where the digest stands in it, and the size.
const DIGEST: Range<usize> = 20..40;
const SIZE: usize = 40;
/// Words behind code that a processor may fetch beforehand, and what stands there.
const PADDING: usize = 48;
/// The head of the data of a pipeline cache, as Vulkan prescribes it, and AMD's number in it.
const CACHE_HEAD: usize = 32;
const AMD: u32 = 0x1002;
/// The most user SGPRs (ABI_FACTS section 8).
const USER_SGPRS: u8 = 16;

/// Some user SGPRs: the first and how many.
pub type Sgprs = Option<(u32, u32)>;

/// Where a shader finds what the driver gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Users {
    /// The low halves of the addresses of descriptor sets.
    pub sets: Vec<Sgprs>,
    /// The address of scratch memory.
    pub ring: Sgprs,
    /// The low half of the address of push constants.
    pub push: Sgprs,
    /// Push constants by themselves: those of [`Shader::inline_push`], in rising order.
    pub inline_push: Sgprs,
    /// The low half of the address of a table of descriptor sets.
    pub set_table: Sgprs,
    /// How many groups there are: three numbers, or the address of them.
    pub groups: Sgprs,
}

/// A compute shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shader {
    /// `COMPUTE_PGM_RSRC1`, `2`, `3`.
    pub rsrc: [u32; 3],
    /// Lanes of a wave.
    pub wave_size: u32,
    /// Work-items of a group.
    pub group: [u32; 3],
    /// Scratch memory of a wave in bytes.
    pub scratch_bytes_per_wave: u32,
    /// The descriptor sets that it reads, one bit each.
    pub sets: u32,
    /// Which words of the push constants lie in user SGPRs, one bit each.
    pub inline_push: u64,
    /// Where it finds what it is given.
    pub users: Users,
    /// The machine code, with constants and padding behind it.
    pub code: Vec<u8>,
    /// How much of that is executed.
    pub exec_bytes: u32,
}

/// What is put into a shader object.
#[derive(Clone, Debug, Default)]
pub struct Patch<'a> {
    /// The machine code.
    pub code: &'a [u32],
    /// What a processor may fetch behind it: a word that is no harm, as `s_code_end`.
    pub behind: u32,
    /// `COMPUTE_PGM_RSRC1`, `2`, `3`.
    pub rsrc: [u32; 3],
    /// Scalar registers of a wave.
    pub sgprs: u32,
    /// Vector registers of a wave.
    pub vgprs: u32,
    /// LDS of a group, as RSRC2 counts it.
    pub lds: u32,
    /// Scratch memory of a wave in bytes.
    pub scratch_bytes_per_wave: u32,
}

/// Why bytes are no shader of RADV's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RadvError {
    /// Neither of the three forms.
    #[error(
        "this is no shader object, pipeline binary or pipeline cache of RADV (of Mesa 25.0, for compute): {reason}"
    )]
    Form {
        /// What is in the way of the nearest form.
        reason: String,
    },
    /// A digest that is another.
    #[error("the digest in this shader object is not that of its bytes: its layout is another than that of Mesa 25.0")]
    Digest,
    /// A pipeline cache without a compute shader.
    #[error("this pipeline cache has no compute shader; a cache that was made empty has none either")]
    Empty,
}

/// The compute shaders of a file: one, or as many as a pipeline cache has.
///
/// # Errors
/// It is none of the three forms.
pub fn shaders(bytes: &[u8]) -> Result<Vec<Shader>, RadvError> {
    if is_cache(bytes) {
        let found = cached(bytes);
        return if found.is_empty() { Err(RadvError::Empty) } else { Ok(found) };
    }
    let object = word(bytes, 16) == Some(1) && word(bytes, 40).is_some_and(|size| size as usize <= bytes.len());
    let object = object.then(|| Shader::parse(bytes.get(OBJECT_HEAD..).unwrap_or_default()));
    match object {
        Some(Ok(shader)) => Ok(vec![shader]),
        Some(Err(reason)) => Shader::parse(bytes).map(|shader| vec![shader]).map_err(|_| RadvError::Form { reason }),
        None => Shader::parse(bytes).map(|shader| vec![shader]).map_err(|reason| RadvError::Form { reason }),
    }
}

/// A shader object with other code and registers in it. Statistics and texts go.
///
/// # Errors
/// It is no shader object, or its digest is not that of its bytes: then nobody knows the layout.
pub fn inject(object: &[u8], patch: &Patch<'_>) -> Result<Vec<u8>, RadvError> {
    let none = |reason: &str| RadvError::Form { reason: reason.to_owned() };
    let body = object.get(OBJECT_HEAD..).ok_or_else(|| none("its head is cut off"))?;
    Shader::parse(body).map_err(|reason| RadvError::Form { reason })?;
    let size = word(object, SIZE).map_or(0, |size| size as usize);
    if word(object, 16) != Some(1) || word(body, at::TOTAL_SIZE) != Some(size as u32) {
        return Err(none("its head says something else than its body"));
    }
    if object.get(DIGEST) != body.get(..size).map(digest).as_ref().map(<[u8; 20]>::as_slice) {
        return Err(RadvError::Digest);
    }
    let mut bytes = body[..at::STATISTICS].to_vec();
    let padded = 4 * (patch.code.len() + PADDING);
    bytes.extend(
        patch.code.iter().chain(std::iter::repeat_n(&patch.behind, PADDING)).flat_map(|word| word.to_le_bytes()),
    );
    let total = bytes.len() as u32;
    let mut put = |at: usize, word: u32| bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    put(at::SGPRS, patch.sgprs);
    put(at::VGPRS, patch.vgprs);
    put(at::LDS, patch.lds);
    put(at::SCRATCH_BYTES_PER_WAVE, patch.scratch_bytes_per_wave);
    for (n, word) in patch.rsrc.into_iter().enumerate() {
        put(at::RSRC + 4 * n, word);
    }
    put(at::TOTAL_SIZE, total);
    for (n, size) in [padded as u32, 4 * patch.code.len() as u32, 0, 0, 0, 0].into_iter().enumerate() {
        put(at::SIZES + 4 * n, size);
    }
    let mut object = object[..OBJECT_HEAD].to_vec();
    object[DIGEST].copy_from_slice(&digest(&bytes));
    object[SIZE..OBJECT_HEAD].copy_from_slice(&total.to_le_bytes());
    object.extend(bytes);
    Ok(object)
}

fn digest(bytes: &[u8]) -> [u8; 20] {
    Sha1::digest(bytes).into()
}

fn is_cache(bytes: &[u8]) -> bool {
    [word(bytes, 0), word(bytes, 4), word(bytes, 8)] == [Some(CACHE_HEAD as u32), Some(1), Some(AMD)]
}

/// The shaders of a pipeline cache: behind the head a count, then entries of type, size of the key, size of the data, the key, and the data
/// at the next multiple of eight. Entries of other kinds, as the pipelines that name the shaders, are passed over.
fn cached(bytes: &[u8]) -> Vec<Shader> {
    let count = word(bytes, CACHE_HEAD).unwrap_or(0);
    let mut next = CACHE_HEAD + 4;
    let mut found = Vec::new();
    for _ in 0..count {
        let at = next.next_multiple_of(4);
        let (Some(key), Some(size)) = (word(bytes, at + 4), word(bytes, at + 8)) else { break };
        let start = (at + 12).saturating_add(key as usize).next_multiple_of(8);
        let end = start.saturating_add(size as usize);
        let Some(data) = bytes.get(start..end) else { break };
        found.extend(Shader::parse(data));
        next = end;
    }
    found
}

impl Shader {
    /// Reads the structure.
    fn parse(bytes: &[u8]) -> Result<Shader, String> {
        let number = |at| word(bytes, at).ok_or_else(|| format!("{} bytes are too few", bytes.len()));
        let kind = number(at::KIND)?;
        if kind != 0 {
            return Err(format!("it begins with {kind:#x}, where 0 stands for machine code"));
        }
        let total = number(at::TOTAL_SIZE)? as usize;
        let mut sizes = [0; 6];
        for (n, size) in sizes.iter_mut().enumerate() {
            *size = number(at::SIZES + 4 * n)?;
        }
        let [code_size, exec_bytes, _, _, statistics, _] = sizes;
        let sum = sizes.iter().enumerate().filter(|(n, _)| *n != 1).map(|(_, size)| u64::from(*size)).sum::<u64>();
        if total > bytes.len() || sum + at::STATISTICS as u64 != total as u64 {
            return Err(format!("sizes do not add up to its {} bytes", bytes.len()));
        }
        let code = at::STATISTICS + statistics as usize;
        let code = Range { start: code, end: code + code_size as usize };
        if exec_bytes > code_size || exec_bytes == 0 || !exec_bytes.is_multiple_of(4) {
            return Err(format!("{exec_bytes} bytes of {code_size} are code"));
        }
        let wave_size = u32::from(bytes[at::WAVE_SIZE]);
        let group = [number(at::THREADS)?, number(at::THREADS + 4)?, number(at::THREADS + 8)?];
        let items = group.iter().fold(1u64, |all, n| all.saturating_mul(u64::from(*n)));
        if !matches!(wave_size, 32 | 64) || !(1..=1024).contains(&items) {
            return Err(format!("it has waves of {wave_size} and groups of {group:?} work-items: no compute shader"));
        }
        let pair = |n: usize| -> Result<Sgprs, String> {
            let (first, count) = (bytes[at::USER_SGPRS + 2 * n] as i8, bytes[at::USER_SGPRS + 2 * n + 1]);
            match u8::try_from(first) {
                Err(_) => Ok(None),
                Ok(_) if count == 0 => Ok(None),
                Ok(first) if first < USER_SGPRS && count <= USER_SGPRS - first => {
                    Ok(Some((first.into(), count.into())))
                }
                Ok(first) => Err(format!("user registers s{first} and {count} more")),
            }
        };
        let users = Users {
            sets: (0..32).map(pair).collect::<Result<_, _>>()?,
            ring: pair(32)?,
            push: pair(33)?,
            inline_push: pair(34)?,
            set_table: pair(35)?,
            groups: pair(50)?,
        };
        let low = u64::from(number(at::INLINE_PUSH_CONSTANTS)?);
        let high = u64::from(number(at::INLINE_PUSH_CONSTANTS + 4)?);
        Ok(Shader {
            rsrc: [number(at::RSRC)?, number(at::RSRC + 4)?, number(at::RSRC + 8)?],
            wave_size,
            group,
            scratch_bytes_per_wave: number(at::SCRATCH_BYTES_PER_WAVE)?,
            sets: number(at::SETS)?,
            inline_push: high << 32 | low,
            users,
            code: bytes[code].to_vec(),
            exec_bytes,
        })
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}
