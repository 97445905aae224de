//! The arguments of a kernel: as text, and as values.
//!
//! An [`Arg`] is what a command line says; a [`Value`] is what the kernel gets, with the files read.

use super::LaunchError;
use std::io::Read;
use std::path::PathBuf;
use std::str::FromStr;

/// An argument as the command line gives it, in the order of the kernel's parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// `in:FILE`: a buffer with the contents of a file, which the kernel may not write.
    In(PathBuf),
    /// `out:FILE:BYTES`: a buffer of zeroes, to be saved after the run.
    Out {
        /// Where it is saved.
        file: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// `inout:FILE:OUTFILE`: a buffer with the contents of a file, to be saved after the run.
    InOut {
        /// Where it comes from.
        file: PathBuf,
        /// Where it is saved.
        save: PathBuf,
    },
    /// `u32:V`, `i32:V`, `f32:V`, `u64:V`, `f64:V`: a number. Floats may be given by their bits: `f32:0x3f800000`.
    Scalar(Scalar),
    /// `raw:HEX`: bytes in the order of memory, for structures by value.
    Raw(Vec<u8>),
    /// `lds:BYTES`: a pointer to this much LDS. Behind the kernel's own parameters: more LDS without a pointer.
    Lds(u32),
}

/// A number with its type.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the types")]
pub enum Scalar {
    U32(u32),
    I32(i32),
    F32(f32),
    U64(u64),
    F64(f64),
}

impl Scalar {
    /// The type's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Scalar::U32(_) => "u32",
            Scalar::I32(_) => "i32",
            Scalar::F32(_) => "f32",
            Scalar::U64(_) => "u64",
            Scalar::F64(_) => "f64",
        }
    }

    /// Its bytes in memory.
    #[must_use]
    pub fn bytes(self) -> Vec<u8> {
        match self {
            Scalar::U32(value) => value.to_le_bytes().to_vec(),
            Scalar::I32(value) => value.to_le_bytes().to_vec(),
            Scalar::F32(value) => value.to_le_bytes().to_vec(),
            Scalar::U64(value) => value.to_le_bytes().to_vec(),
            Scalar::F64(value) => value.to_le_bytes().to_vec(),
        }
    }

    /// Its bytes for a parameter of `size` bytes. A whole number fits a smaller one (`char`, `short`) that holds its value.
    pub(super) fn fit(self, size: u64) -> Option<Vec<u8>> {
        let mut bytes = self.bytes();
        if bytes.len() as u64 == size {
            return Some(bytes);
        }
        let value = match self {
            Scalar::U32(value) => i64::from(value),
            Scalar::I32(value) => i64::from(value),
            _ => return None,
        };
        let range = match size {
            1 => i8::MIN.into()..=u8::MAX.into(),
            2 => i16::MIN.into()..=u16::MAX.into(),
            _ => return None,
        };
        bytes.truncate(size as usize);
        range.contains(&value).then_some(bytes)
    }
}

/// Memory for the kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    /// What it holds at the start.
    pub bytes: Vec<u8>,
    /// Whether the kernel may write to it.
    pub writable: bool,
    /// Where it is to be saved after the run.
    pub save: Option<PathBuf>,
}

/// What a kernel gets for a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The address of memory.
    Buffer(Buffer),
    /// A number.
    Scalar(Scalar),
    /// Bytes as they are.
    Raw(Vec<u8>),
    /// The address of so many bytes of LDS.
    Lds(u32),
}

impl Value {
    /// A number.
    #[must_use]
    pub fn u32(value: u32) -> Value {
        Value::Scalar(Scalar::U32(value))
    }

    /// Memory that the kernel may write.
    #[must_use]
    pub fn buffer(bytes: Vec<u8>) -> Value {
        Value::Buffer(Buffer { bytes, writable: true, save: None })
    }

    /// What it is, in words.
    pub(super) fn describe(&self) -> String {
        match self {
            Value::Buffer(_) => "a buffer".to_owned(),
            Value::Scalar(scalar) => format!("{} {}", if scalar.name() == "i32" { "an" } else { "a" }, scalar.name()),
            Value::Raw(bytes) => format!("raw data of {} bytes", bytes.len()),
            Value::Lds(_) => "a pointer to LDS".to_owned(),
        }
    }
}

/// A text that is not an argument.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("argument `{text}`: expected {expected}")]
pub struct ArgError {
    /// The text.
    pub text: String,
    /// What would be one.
    pub expected: &'static str,
}

const KINDS: &str =
    "in:FILE, out:FILE:BYTES, inout:FILE:OUTFILE, u32:V, i32:V, f32:V, u64:V, f64:V, raw:HEX or lds:BYTES";

/// The most bytes of a buffer, and of all buffers of a launch: they are there several times while a kernel starts and ends.
pub const MAX_BUFFERS: u64 = 1 << 30;

impl FromStr for Arg {
    type Err = ArgError;

    fn from_str(text: &str) -> Result<Arg, ArgError> {
        parse(text).map_err(|expected| ArgError { text: text.to_owned(), expected })
    }
}

fn parse(text: &str) -> Result<Arg, &'static str> {
    let (kind, rest) = text.split_once(':').ok_or(KINDS)?;
    let file = |name: &str, expected| if name.is_empty() { Err(expected) } else { Ok(PathBuf::from(name)) };
    let scalar = |scalar| Ok(Arg::Scalar(scalar));
    match kind {
        "in" => Ok(Arg::In(file(rest, "in:FILE")?)),
        // What follows the last colon is the second part: file names may have colons of their own.
        "out" => {
            const EXPECTED: &str = "out:FILE:BYTES, with a number of bytes";
            let (name, bytes) = rest.rsplit_once(':').ok_or(EXPECTED)?;
            Ok(Arg::Out { file: file(name, EXPECTED)?, bytes: unsigned(bytes).ok_or(EXPECTED)? })
        }
        "inout" => {
            const EXPECTED: &str = "inout:FILE:OUTFILE";
            let (name, save) = rest.rsplit_once(':').ok_or(EXPECTED)?;
            Ok(Arg::InOut { file: file(name, EXPECTED)?, save: file(save, EXPECTED)? })
        }
        "u32" => scalar(Scalar::U32(
            unsigned(rest).and_then(|v| u32::try_from(v).ok()).ok_or("u32:V, from 0 to 4294967295")?,
        )),
        "i32" => scalar(Scalar::I32(
            signed(rest).and_then(|v| i32::try_from(v).ok()).ok_or("i32:V, from -2147483648 to 2147483647")?,
        )),
        "u64" => scalar(Scalar::U64(unsigned(rest).ok_or("u64:V, from 0 to 18446744073709551615")?)),
        "f32" => {
            const EXPECTED: &str = "f32:V, a number or its bits (0x3f800000)";
            let bits = |text| u32::try_from(hex(text)?).ok().map(f32::from_bits);
            scalar(Scalar::F32(rest.parse().ok().or_else(|| bits(rest)).ok_or(EXPECTED)?))
        }
        "f64" => {
            const EXPECTED: &str = "f64:V, a number or its bits (0x3ff0000000000000)";
            scalar(Scalar::F64(rest.parse().ok().or_else(|| hex(rest).map(f64::from_bits)).ok_or(EXPECTED)?))
        }
        "raw" => Ok(Arg::Raw(raw(rest).ok_or("raw:HEX, with two hexadecimal digits for each byte")?)),
        "lds" => {
            const EXPECTED: &str = "lds:BYTES, from 0 to 65536";
            let bytes = unsigned(rest).and_then(|v| u32::try_from(v).ok()).filter(|&v| v <= 0x1_0000);
            Ok(Arg::Lds(bytes.ok_or(EXPECTED)?))
        }
        _ => Err(KINDS),
    }
}

fn hex(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let digits = Some(digits).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
    u64::from_str_radix(digits, 16).ok()
}

fn unsigned(text: &str) -> Option<u64> {
    hex(text).or_else(|| text.parse().ok())
}

fn signed(text: &str) -> Option<i64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let value = i64::try_from(unsigned(digits)?).ok()?;
    Some(if negative { -value } else { value })
}

fn raw(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let pairs = Some(text.as_bytes()).filter(|bytes| bytes.len() % 2 == 0 && !bytes.is_empty())?;
    pairs.chunks_exact(2).map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

impl Arg {
    /// What the kernel gets: reads the files.
    ///
    /// # Errors
    /// A file cannot be read, a buffer is larger than [`MAX_BUFFERS`], or there is no memory for it.
    pub fn value(&self) -> Result<Value, LaunchError> {
        self.value_within(&mut 0)
    }

    /// The same for one of several arguments, whose buffers share [`MAX_BUFFERS`]: `taken` is what others have of it.
    ///
    /// # Errors
    /// As [`Arg::value`].
    pub fn value_within(&self, taken: &mut u64) -> Result<Value, LaunchError> {
        let left = MAX_BUFFERS.saturating_sub(*taken);
        let mut buffer = |bytes: Vec<u8>, writable, save: Option<&PathBuf>| {
            *taken += bytes.len() as u64;
            Value::Buffer(Buffer { bytes, writable, save: save.map(PathBuf::from) })
        };
        Ok(match self {
            Arg::In(file) => buffer(read(file, left)?, false, None),
            Arg::InOut { file, save } => buffer(read(file, left)?, true, Some(save)),
            Arg::Out { file, bytes } => {
                buffer(zeroes(&format!("`{}`", file.display()), *bytes, left)?, true, Some(file))
            }
            Arg::Scalar(scalar) => Value::Scalar(*scalar),
            Arg::Raw(bytes) => Value::Raw(bytes.clone()),
            Arg::Lds(bytes) => Value::Lds(*bytes),
        })
    }
}

/// So many zeroes, if they are no more than what is left.
///
/// # Errors
/// They are more, or there is no memory for them.
pub fn zeroes(what: &str, bytes: u64, left: u64) -> Result<Vec<u8>, LaunchError> {
    let refused = |limit| LaunchError::TooLarge { what: what.to_owned(), bytes, limit };
    let size = usize::try_from(bytes).ok().filter(|_| bytes <= left).ok_or_else(|| refused(left))?;
    let mut all = Vec::new();
    all.try_reserve_exact(size).map_err(|_| LaunchError::NoMemory { what: what.to_owned(), bytes })?;
    all.resize(size, 0);
    Ok(all)
}

/// A whole file. What has no end (`/dev/zero`) is not read to it.
fn read(path: &PathBuf, left: u64) -> Result<Vec<u8>, LaunchError> {
    let failed = |error| LaunchError::File { path: path.clone(), error };
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    // A file of which that is known is not read in vain.
    let size = file.metadata().map_or(0, |about| about.len());
    if size <= left {
        file.take(left + 1).read_to_end(&mut bytes).map_err(failed)?;
    }
    let size = size.max(bytes.len() as u64);
    if size > left {
        let what = format!("`{}`", path.display());
        return Err(LaunchError::TooLarge { what, bytes: size, limit: left });
    }
    Ok(bytes)
}
