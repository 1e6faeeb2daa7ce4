//! The header of a GGUF file: metadata and the list of tensors, from the first bytes of the file.
//!
//! Little-endian, versions 2 and 3. A file is untrusted: what its counts claim is never allocated, only what has been
//! seen; arrays but small ones of numbers are skipped in place. Where the bytes end before the header does, the reader says
//! how many it needs at least, which is no fault of the file.

use crate::problem::{Code, Invalid};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// The largest header that is read [B]; with a vocabulary of half a million tokens it has a fifth of that.
pub const LARGEST: u64 = 128 << 20;

/// Why a header was not read.
#[derive(Debug, Clone, PartialEq)]
pub enum HeaderEnd {
    /// It goes on behind the bytes that are there: at least so many from the beginning are needed.
    More(u64),
    /// It is no header that is read here.
    Broken(Invalid),
}

/// A metadata value.
#[derive(Debug, Clone, PartialEq)]
pub enum GgufValue {
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// A text.
    Text(String),
    /// A short list of numbers, or of yes and no as 1 and 0.
    Numbers(Vec<f64>),
    /// A list that was skipped: how many elements it has.
    Skipped(u64),
}

/// A tensor.
#[derive(Debug, Clone, PartialEq)]
pub struct GgufTensor {
    /// Its name.
    pub name: String,
    /// Its lengths, the fastest first.
    pub dims: Vec<u64>,
    /// The number of its type.
    pub kind: u32,
    /// Where it begins behind the header [B].
    pub offset: u64,
}

impl GgufTensor {
    /// How many weights it has.
    #[must_use]
    pub fn weights(&self) -> u64 {
        self.dims.iter().fold(1, |all, n| all.saturating_mul(*n))
    }
}

/// A header.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// Version of the format.
    pub version: u32,
    /// Metadata by key; of keys that are there twice the first.
    pub meta: BTreeMap<String, GgufValue>,
    /// The tensors in the order of the file.
    pub tensors: Vec<GgufTensor>,
}

/// Lists of numbers up to this length are kept: one a block.
const MOST_KEPT: u64 = 4096;
/// The longest key or name of a tensor [B].
const LONGEST_KEY: u64 = 65_535;
/// Texts are kept up to here [B].
const KEPT_TEXT: usize = 512;
/// Lists in lists in lists.
const DEEPEST: u32 = 4;
/// Axes of a tensor.
const MOST_AXES: u32 = 4;
/// The most weights of a tensor: so that sums stay far from the end of 64 bits.
const MOST_WEIGHTS: u64 = 1 << 48;

/// Reads a header from the first bytes of a file.
///
/// # Errors
/// [`HeaderEnd::More`] where it goes on behind them, [`HeaderEnd::Broken`] where it is none.
///
/// # Complexity
/// O(bytes), in time and in what is kept.
pub fn read(bytes: &[u8]) -> Result<Header, HeaderEnd> {
    let mut reader = Reader { bytes, at: 0 };
    let magic = reader.read_bytes(4)?;
    if magic != b"GGUF" {
        return Err(broken("this is no GGUF file: it does not begin with GGUF"));
    }
    let version = reader.u32()?;
    match version {
        2 | 3 => {}
        1 => {
            return Err(broken(
                "this GGUF file has version 1; versions 2 and 3 are read",
            ));
        }
        _ if matches!(version.swap_bytes(), 1..=3) => {
            return Err(broken(
                "this GGUF file is big-endian; little-endian files are read",
            ));
        }
        _ => {
            return Err(broken(&format!(
                "this GGUF file has version {version}; versions 2 and 3 are read"
            )));
        }
    }
    let tensor_count = reader.u64()?;
    let key_count = reader.u64()?;
    // The shortest entry: an empty key, its type, one byte.
    reader.claim("metadata entries", key_count, 13)?;
    reader.claim("tensors", tensor_count, 24)?;
    let mut meta = BTreeMap::new();
    for _ in 0..key_count {
        let key = reader.key("a metadata key")?;
        let kind = reader.u32()?;
        let value = reader.value(kind, &key, 0)?;
        meta.entry(key).or_insert(value);
    }
    let mut tensors = Vec::new();
    for _ in 0..tensor_count {
        tensors.push(reader.tensor()?);
    }
    Ok(Header {
        version,
        meta,
        tensors,
    })
}

fn broken(message: &str) -> HeaderEnd {
    HeaderEnd::Broken(Invalid::new(Code::Syntax, "", Json::Null, message))
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: u64,
}

impl<'a> Reader<'a> {
    fn read_bytes(&mut self, length: u64) -> Result<&'a [u8], HeaderEnd> {
        let end = self.at.saturating_add(length);
        if end > LARGEST {
            return Err(broken(&format!(
                "this GGUF header is damaged: at byte {} something claims {length} bytes, and no header has more than {LARGEST}",
                self.at
            )));
        }
        let range = (self.at as usize)..(end as usize);
        let taken = self.bytes.get(range).ok_or(HeaderEnd::More(end))?;
        self.at = end;
        Ok(taken)
    }

    /// Refuses a count whose elements could not be in any header.
    fn claim(&self, what: &str, count: u64, least: u64) -> Result<(), HeaderEnd> {
        if count.saturating_mul(least) > LARGEST {
            return Err(broken(&format!(
                "this GGUF header is damaged: at byte {} it claims {count} {what}, more than a header can hold",
                self.at
            )));
        }
        Ok(())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], HeaderEnd> {
        let taken = self.read_bytes(N as u64)?;
        let mut array = [0; N];
        array.copy_from_slice(taken);
        Ok(array)
    }

    fn u32(&mut self) -> Result<u32, HeaderEnd> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64, HeaderEnd> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A key or a name.
    fn key(&mut self, what: &str) -> Result<String, HeaderEnd> {
        let length = self.u64()?;
        if length > LONGEST_KEY {
            return Err(broken(&format!(
                "this GGUF header is damaged: at byte {} {what} claims {length} bytes",
                self.at
            )));
        }
        Ok(text(self.read_bytes(length)?))
    }

    /// Bytes of one value of a type of fixed size.
    fn width(kind: u32) -> Option<u64> {
        match kind {
            0 | 1 | 7 => Some(1),
            2 | 3 => Some(2),
            4..=6 => Some(4),
            10..=12 => Some(8),
            _ => None,
        }
    }

    fn number(&mut self, kind: u32) -> Result<f64, HeaderEnd> {
        Ok(match kind {
            0 | 7 => f64::from(u8::from_le_bytes(self.array()?)),
            1 => f64::from(i8::from_le_bytes(self.array()?)),
            2 => f64::from(u16::from_le_bytes(self.array()?)),
            3 => f64::from(i16::from_le_bytes(self.array()?)),
            4 => f64::from(self.u32()?),
            5 => f64::from(i32::from_le_bytes(self.array()?)),
            6 => f64::from(f32::from_le_bytes(self.array()?)),
            10 => self.u64()? as f64,
            11 => i64::from_le_bytes(self.array()?) as f64,
            _ => f64::from_le_bytes(self.array()?),
        })
    }

    fn value(&mut self, kind: u32, key: &str, depth: u32) -> Result<GgufValue, HeaderEnd> {
        match kind {
            7 => Ok(GgufValue::Flag(self.number(kind)? != 0.0)),
            8 => {
                let length = self.u64()?;
                let taken = self.read_bytes(length)?;
                Ok(GgufValue::Text(text(&taken[..taken.len().min(KEPT_TEXT)])))
            }
            9 => self.list(key, depth),
            _ if Self::width(kind).is_some() => Ok(GgufValue::Number(self.number(kind)?)),
            _ => {
                let key: String = key.chars().take(60).collect();
                Err(broken(&format!(
                    "this GGUF header is damaged: {key} at byte {} has a value of the unknown type {kind}",
                    self.at
                )))
            }
        }
    }

    fn list(&mut self, key: &str, depth: u32) -> Result<GgufValue, HeaderEnd> {
        let kind = self.u32()?;
        let count = self.u64()?;
        match Self::width(kind) {
            Some(width) => {
                self.claim("elements of a list", count, width)?;
                if count > MOST_KEPT {
                    self.read_bytes(count.saturating_mul(width))?;
                    return Ok(GgufValue::Skipped(count));
                }
                let mut numbers = Vec::new();
                for _ in 0..count {
                    numbers.push(self.number(kind)?);
                }
                Ok(GgufValue::Numbers(numbers))
            }
            None if kind == 8 => {
                self.claim("texts of a list", count, 8)?;
                for _ in 0..count {
                    let length = self.u64()?;
                    self.read_bytes(length)?;
                }
                Ok(GgufValue::Skipped(count))
            }
            None if kind == 9 && depth < DEEPEST => {
                self.claim("lists of a list", count, 12)?;
                for _ in 0..count {
                    self.list(key, depth + 1)?;
                }
                Ok(GgufValue::Skipped(count))
            }
            None => {
                let key: String = key.chars().take(60).collect();
                Err(broken(&format!(
                    "this GGUF header is damaged: {key} at byte {} is a list of the unknown type {kind}",
                    self.at
                )))
            }
        }
    }

    fn tensor(&mut self) -> Result<GgufTensor, HeaderEnd> {
        let name = self.key("the name of a tensor")?;
        let axes = self.u32()?;
        if axes > MOST_AXES {
            let short: String = name.chars().take(60).collect();
            return Err(broken(&format!(
                "this GGUF header is damaged: the tensor {short} claims {axes} axes, at most {MOST_AXES} are read"
            )));
        }
        let mut dims = Vec::new();
        for _ in 0..axes {
            dims.push(self.u64()?);
        }
        let kind = self.u32()?;
        let offset = self.u64()?;
        let tensor = GgufTensor {
            name,
            dims,
            kind,
            offset,
        };
        if tensor.weights() > MOST_WEIGHTS {
            let short: String = tensor.name.chars().take(60).collect();
            return Err(broken(&format!(
                "this GGUF header is damaged: the tensor {short} claims {} weights",
                tensor.weights()
            )));
        }
        Ok(tensor)
    }
}

/// Bytes as text without signs that move a cursor.
fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().filter(|c| !c.is_control()).collect()
}
