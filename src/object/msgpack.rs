//! MessagePack: the compact form of the metadata in a code object.
//!
//! Numbers and lengths are written in the shortest form, and a map sorted by key, as LLVM does; any form is read. Keys are
//! strings. What claims to be longer than the input is an error before anything is reserved for it.

use std::collections::BTreeMap;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing.
    Nil,
    /// True or false.
    Bool(bool),
    /// A negative number.
    Int(i64),
    /// A number.
    Uint(u64),
    /// A number with a fraction.
    Float(f64),
    /// Text.
    Str(String),
    /// Bytes.
    Bin(Vec<u8>),
    /// A list.
    Array(Vec<Value>),
    /// Named values.
    Map(BTreeMap<String, Value>),
}

/// What can be wrong with MessagePack data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MsgPackError {
    /// The data ends inside a value.
    #[error("ends inside a value, at byte {at}")]
    Truncated {
        /// Where.
        at: usize,
    },
    /// A form that metadata does not have (an extension, or the reserved byte).
    #[error("unexpected form {byte:#04x} at byte {at}")]
    Form {
        /// The byte.
        byte: u8,
        /// Where.
        at: usize,
    },
    /// Text that is not UTF-8.
    #[error("text at byte {at} is not UTF-8")]
    Text {
        /// Where.
        at: usize,
    },
    /// A key that is not text.
    #[error("the key at byte {at} is not text")]
    Key {
        /// Where.
        at: usize,
    },
    /// Lists in lists without end.
    #[error("nested deeper than {MAX_DEPTH}")]
    Depth,
}

/// How deep lists and maps may be nested: metadata needs five.
pub const MAX_DEPTH: usize = 32;

impl Value {
    /// Reads one value; what follows it is ignored.
    ///
    /// # Errors
    /// The data is not MessagePack, or not of the kinds that metadata has.
    pub fn from_msgpack(data: &[u8]) -> Result<Value, MsgPackError> {
        Reader { data, at: 0 }.value(0)
    }

    /// The bytes.
    #[must_use]
    pub fn to_msgpack(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(&mut out);
        out
    }

    /// The value of a key, in a map.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Map(map) => map.get(key),
            _ => None,
        }
    }

    /// Text.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// A number that is not negative.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match *self {
            Value::Uint(number) => Some(number),
            Value::Int(number) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    /// A list.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Value::Nil => out.push(0xc0),
            Value::Bool(value) => out.push(0xc2 | u8::from(*value)),
            Value::Uint(number) => put_uint(out, *number),
            Value::Int(number) => match *number {
                0.. => put_uint(out, number.unsigned_abs()),
                -32..0 => out.push(*number as u8),
                -0x80..-32 => out.extend_from_slice(&[0xd0, *number as u8]),
                -0x8000..-0x80 => put(out, 0xd1, &(*number as i16).to_be_bytes()),
                -0x8000_0000..-0x8000 => put(out, 0xd2, &(*number as i32).to_be_bytes()),
                _ => put(out, 0xd3, &number.to_be_bytes()),
            },
            Value::Float(number) => {
                let range = f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX);
                if range.contains(&number.abs()) {
                    put(out, 0xca, &(*number as f32).to_be_bytes());
                } else {
                    put(out, 0xcb, &number.to_be_bytes());
                }
            }
            Value::Str(text) => {
                put_len(out, text.len(), Some((0xa0, 31)), [Some(0xd9), Some(0xda), Some(0xdb)]);
                out.extend_from_slice(text.as_bytes());
            }
            Value::Bin(bytes) => {
                put_len(out, bytes.len(), None, [Some(0xc4), Some(0xc5), Some(0xc6)]);
                out.extend_from_slice(bytes);
            }
            Value::Array(items) => {
                put_len(out, items.len(), Some((0x90, 15)), [None, Some(0xdc), Some(0xdd)]);
                items.iter().for_each(|item| item.put(out));
            }
            Value::Map(map) => {
                put_len(out, map.len(), Some((0x80, 15)), [None, Some(0xde), Some(0xdf)]);
                for (key, value) in map {
                    put_len(out, key.len(), Some((0xa0, 31)), [Some(0xd9), Some(0xda), Some(0xdb)]);
                    out.extend_from_slice(key.as_bytes());
                    value.put(out);
                }
            }
        }
    }
}

fn put(out: &mut Vec<u8>, form: u8, bytes: &[u8]) {
    out.push(form);
    out.extend_from_slice(bytes);
}

fn put_uint(out: &mut Vec<u8>, number: u64) {
    match number {
        0..=0x7f => out.push(number as u8),
        0x80..=0xff => out.extend_from_slice(&[0xcc, number as u8]),
        0x100..=0xffff => put(out, 0xcd, &(number as u16).to_be_bytes()),
        0x1_0000..=0xffff_ffff => put(out, 0xce, &(number as u32).to_be_bytes()),
        _ => put(out, 0xcf, &number.to_be_bytes()),
    }
}

/// A length: in the form itself where it is short, else in 1, 2 or 4 bytes behind one of `forms`.
fn put_len(out: &mut Vec<u8>, len: usize, short: Option<(u8, usize)>, forms: [Option<u8>; 3]) {
    match (short, forms) {
        (Some((form, max)), _) if len <= max => out.push(form | len as u8),
        (_, [Some(form), _, _]) if len <= 0xff => out.extend_from_slice(&[form, len as u8]),
        (_, [_, Some(form), _]) if len <= 0xffff => put(out, form, &(len as u16).to_be_bytes()),
        (_, [_, _, form]) => put(out, form.unwrap_or(0xc1), &(len as u32).to_be_bytes()),
    }
}

struct Reader<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn bytes(&mut self, len: usize) -> Result<&'a [u8], MsgPackError> {
        let end = self.at.checked_add(len).filter(|&end| end <= self.data.len());
        let end = end.ok_or(MsgPackError::Truncated { at: self.at })?;
        let bytes = &self.data[self.at..end];
        self.at = end;
        Ok(bytes)
    }

    /// A number of `len` bytes, most significant first.
    fn number(&mut self, len: usize) -> Result<u64, MsgPackError> {
        Ok(self.bytes(len)?.iter().fold(0, |number, &b| number << 8 | u64::from(b)))
    }

    fn text(&mut self, len: usize) -> Result<String, MsgPackError> {
        let at = self.at;
        let bytes = self.bytes(len)?;
        std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| MsgPackError::Text { at })
    }

    fn value(&mut self, depth: usize) -> Result<Value, MsgPackError> {
        let at = self.at;
        let form = self.bytes(1)?[0];
        Ok(match form {
            0x00..=0x7f => Value::Uint(form.into()),
            0x80..=0x8f => self.map(usize::from(form & 15), depth)?,
            0x90..=0x9f => self.array(usize::from(form & 15), depth)?,
            0xa0..=0xbf => Value::Str(self.text(usize::from(form & 31))?),
            0xc0 => Value::Nil,
            0xc2 | 0xc3 => Value::Bool(form == 0xc3),
            0xc4..=0xc6 => {
                let len = self.number(1 << (form - 0xc4))? as usize;
                Value::Bin(self.bytes(len)?.to_vec())
            }
            0xca => Value::Float(f32::from_bits(self.number(4)? as u32).into()),
            0xcb => Value::Float(f64::from_bits(self.number(8)?)),
            0xcc..=0xcf => Value::Uint(self.number(1 << (form - 0xcc))?),
            0xd0..=0xd3 => {
                let len = 1 << (form - 0xd0);
                let unused = 64 - 8 * len as u32;
                Value::Int((self.number(len)? << unused) as i64 >> unused)
            }
            0xd9..=0xdb => {
                let len = self.number(1 << (form - 0xd9))? as usize;
                Value::Str(self.text(len)?)
            }
            0xdc | 0xdd => {
                let len = self.number(2 << (form - 0xdc))? as usize;
                self.array(len, depth)?
            }
            0xde | 0xdf => {
                let len = self.number(2 << (form - 0xde))? as usize;
                self.map(len, depth)?
            }
            0xe0..=0xff => Value::Int((form as i8).into()),
            0xc1 | 0xc7..=0xc9 | 0xd4..=0xd8 => return Err(MsgPackError::Form { byte: form, at }),
        })
    }

    fn array(&mut self, len: usize, depth: usize) -> Result<Value, MsgPackError> {
        if depth >= MAX_DEPTH {
            return Err(MsgPackError::Depth);
        }
        let mut items = Vec::new();
        for _ in 0..len {
            items.push(self.value(depth + 1)?);
        }
        Ok(Value::Array(items))
    }

    fn map(&mut self, len: usize, depth: usize) -> Result<Value, MsgPackError> {
        if depth >= MAX_DEPTH {
            return Err(MsgPackError::Depth);
        }
        let mut map = BTreeMap::new();
        for _ in 0..len {
            let at = self.at;
            let Value::Str(key) = self.value(depth + 1)? else { return Err(MsgPackError::Key { at }) };
            let value = self.value(depth + 1)?;
            map.insert(key, value);
        }
        Ok(Value::Map(map))
    }
}
