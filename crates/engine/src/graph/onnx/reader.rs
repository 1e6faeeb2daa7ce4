//! The wire: protocol buffers out of a file that is read in small pieces, weights sought over.
//!
//! A message ends where the length before it says; nothing in it may end later, so a hostile length is found where it
//! stands. The reader knows the message that it is in, for its faults.

use crate::problem::{Code, Invalid};
use micropb::{DecodeError, PbDecoder, PbRead};
use std::io::{ErrorKind, Read, Seek, SeekFrom};

/// Bytes read at a time.
const CHUNK_BYTES: usize = 64 * 1024;
/// The longest name [characters].
pub(super) const LONGEST_NAME: usize = 1000;
/// The most bytes of all names together.
const MOST_TEXT: usize = 64 << 20;

/// A file, a piece of it in memory.
struct Source<R> {
    file: R,
    chunk: Vec<u8>,
    /// Start of the rest of the chunk.
    start: usize,
    filled: usize,
    /// Place of the next byte in the file.
    at: u64,
    /// Place behind the last byte that may be read: the end of the message.
    limit: u64,
    /// True if the file is not at the end of the chunk.
    is_elsewhere: bool,
}

impl<R: Read + Seek> Source<R> {
    fn skip(&mut self, bytes: u64) {
        let held = self.filled - self.start;
        self.at += bytes;
        match usize::try_from(bytes) {
            Ok(bytes) if bytes <= held => self.start += bytes,
            _ => {
                (self.start, self.filled) = (0, 0);
                self.is_elsewhere = true;
            }
        }
    }
}

impl<R: Read + Seek> PbRead for Source<R> {
    type Error = std::io::Error;

    fn pb_read_chunk(&mut self) -> Result<&[u8], Self::Error> {
        let left = self.limit.saturating_sub(self.at);
        if self.start == self.filled && left > 0 {
            if self.is_elsewhere {
                self.file.seek(SeekFrom::Start(self.at))?;
                self.is_elsewhere = false;
            }
            self.start = 0;
            self.filled = loop {
                match self.file.read(&mut self.chunk) {
                    Err(fault) if fault.kind() == ErrorKind::Interrupted => {}
                    read => break read?.min(CHUNK_BYTES),
                }
            };
        }
        let held = self.filled - self.start;
        let given = usize::try_from(left).unwrap_or(held).min(held);
        Ok(&self.chunk[self.start..self.start + given])
    }

    fn pb_advance(&mut self, bytes: usize) {
        self.skip(bytes as u64);
    }
}

/// Value of a field.
#[derive(Debug, Clone, Copy)]
pub(super) enum ProtoValue {
    /// A whole number.
    Number(u64),
    /// Four bytes.
    Four,
    /// Eight bytes.
    Eight,
    /// Bytes, a text, a message or packed numbers: up to this place.
    Bytes(u64),
}

/// Reads messages.
pub(super) struct ProtoReader<R> {
    source: Source<R>,
    length: u64,
    /// The messages that the reader is in.
    trail: Vec<(&'static str, usize)>,
    text: usize,
}

impl<R: Read + Seek> ProtoReader<R> {
    /// A reader at the start of a file.
    pub(super) fn new(mut file: R) -> Result<Self, Invalid> {
        let ends = file
            .seek(SeekFrom::End(0))
            .and_then(|length| file.rewind().map(|()| length));
        let length = ends.map_err(|fault| unreadable(&fault))?;
        Ok(Self {
            source: Source {
                file,
                chunk: vec![0; CHUNK_BYTES],
                start: 0,
                filled: 0,
                at: 0,
                limit: length,
                is_elsewhere: false,
            },
            length,
            trail: Vec::new(),
            text: 0,
        })
    }

    /// Bytes of the file.
    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// The first bytes of the file, at most 16, which remain to be read.
    pub(super) fn head(&mut self) -> Result<Vec<u8>, Invalid> {
        let head = self.source.pb_read_chunk();
        let head = head.map_err(|fault| unreadable(&fault))?;
        Ok(head[..head.len().min(16)].to_vec())
    }

    /// Reads the fields of a message that ends at a place; what `each` leaves of a field is sought over.
    pub(super) fn message(
        &mut self,
        name: &'static str,
        index: usize,
        end: u64,
        mut each: impl FnMut(&mut Self, u32, ProtoValue) -> Result<(), Invalid>,
    ) -> Result<(), Invalid> {
        self.trail.push((name, index));
        let outer = std::mem::replace(&mut self.source.limit, end);
        while self.source.at < end {
            let (number, value) = self.field()?;
            each(self, number, value)?;
            if let ProtoValue::Bytes(end) = value {
                self.skip_to(end);
            }
        }
        self.source.limit = outer;
        self.trail.pop();
        Ok(())
    }

    fn skip_to(&mut self, end: u64) {
        self.source.skip(end.saturating_sub(self.source.at));
    }

    fn field(&mut self) -> Result<(u32, ProtoValue), Invalid> {
        let at = self.source.at;
        let tag = self.number("a field")?;
        let number = u32::try_from(tag >> 3).ok().filter(|number| *number > 0);
        let number = number.ok_or_else(|| self.damaged(at, "has a field without a number"))?;
        let value = match tag & 7 {
            0 => ProtoValue::Number(self.number("a number")?),
            1 => {
                self.four()?;
                self.four()?;
                ProtoValue::Eight
            }
            2 => {
                let length = self.number("a length")?;
                let left = self.source.limit - self.source.at;
                if length > left {
                    let what = format!("has a field of {length} bytes where {left} are left");
                    return Err(self.damaged(at, &what));
                }
                ProtoValue::Bytes(self.source.at + length)
            }
            5 => {
                self.four()?;
                ProtoValue::Four
            }
            _ => return Err(self.damaged(at, "has a field of a type that does not exist")),
        };
        Ok((number, value))
    }

    fn number(&mut self, what: &str) -> Result<u64, Invalid> {
        let at = self.source.at;
        let read = PbDecoder::new(&mut self.source).decode_varint64();
        read.map_err(|fault| self.decoding(at, what, fault))
    }

    fn four(&mut self) -> Result<(), Invalid> {
        let at = self.source.at;
        let read = PbDecoder::new(&mut self.source).decode_fixed32();
        read.map(|_| ())
            .map_err(|fault| self.decoding(at, "four bytes", fault))
    }

    fn decoding(&self, at: u64, what: &str, fault: DecodeError<std::io::Error>) -> Invalid {
        match fault {
            DecodeError::Reader(fault) => unreadable(&fault),
            DecodeError::UnexpectedEof => self.damaged(at, &format!("ends inside {what}")),
            _ => self.damaged(at, &format!("has {what} that is longer than numbers are")),
        }
    }

    /// The message that the reader is in, seen from the graph: `nodes[3].attributes[0]`.
    pub(super) fn place(&self) -> String {
        let part = |(name, index): &(&str, usize)| match *index {
            usize::MAX => (*name).to_owned(),
            index => format!("{name}[{index}]"),
        };
        let is_inside = self.trail.len() > 2 && self.trail[1].0 == "graph";
        let from = if is_inside { 2 } else { 1 };
        let parts: Vec<String> = self.trail.iter().skip(from).map(part).collect();
        parts.join(".")
    }

    /// A file that is not what it should be, at a byte.
    pub(super) fn damaged(&self, at: u64, what: &str) -> Invalid {
        let place = self.place();
        let owner = if place.is_empty() { "it" } else { &place };
        let message = format!(
            "the file is cut short, damaged or not an ONNX file: at byte {at} {owner} {what}"
        );
        Invalid::new(Code::Syntax, place, at, message)
    }

    /// More of something than is read.
    pub(super) fn too_many(&self, what: &str, most: usize) -> Invalid {
        let place = self.place();
        let owner = if place.is_empty() { "the file" } else { &place };
        let message = format!(
            "{owner} has too much: at most {most} {what} are read (byte {})",
            self.source.at
        );
        Invalid::new(Code::Range, place, self.source.at, message)
    }

    /// A whole number.
    pub(super) fn int(&self, value: ProtoValue) -> Result<i64, Invalid> {
        match value {
            // The wire has negative numbers as their two's complement.
            ProtoValue::Number(number) => Ok(number.cast_signed()),
            _ => Err(self.damaged(self.source.at, "has something else where a number belongs")),
        }
    }

    /// Where the bytes of a field end.
    pub(super) fn end(&self, value: ProtoValue) -> Result<u64, Invalid> {
        match value {
            ProtoValue::Bytes(end) => Ok(end),
            _ => Err(self.damaged(self.source.at, "has something else where bytes belong")),
        }
    }

    /// The bytes of a field, none if there are more than `most`.
    pub(super) fn bytes(
        &mut self,
        value: ProtoValue,
        most: usize,
    ) -> Result<Option<Vec<u8>>, Invalid> {
        let (at, end) = (self.source.at, self.end(value)?);
        let length = usize::try_from(end - at).ok();
        let Some(length) = length.filter(|length| *length <= most) else {
            return Ok(None);
        };
        let mut bytes = Vec::with_capacity(length);
        while bytes.len() < length {
            let chunk = self.source.pb_read_chunk();
            let chunk = chunk.map_err(|fault| unreadable(&fault))?;
            let taken = chunk.len().min(length - bytes.len());
            if taken == 0 {
                return Err(self.damaged(at, "ends inside a text"));
            }
            bytes.extend_from_slice(&chunk[..taken]);
            self.source.pb_advance(taken);
        }
        Ok(Some(bytes))
    }

    /// A name.
    pub(super) fn name(&mut self, value: ProtoValue) -> Result<String, Invalid> {
        let at = self.source.at;
        let bytes = self.bytes(value, 4 * LONGEST_NAME)?;
        let Some(bytes) = bytes else {
            return Err(self.long_name());
        };
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| self.damaged(at, "has a name that is not text"))?;
        if text.chars().count() > LONGEST_NAME {
            return Err(self.long_name());
        }
        self.text += text.len();
        if self.text > MOST_TEXT {
            return Err(self.too_many("bytes of names", MOST_TEXT));
        }
        Ok(text)
    }

    fn long_name(&self) -> Invalid {
        let (place, at) = (self.place(), self.source.at);
        let message = format!(
            "{place} has a name that is too long: at most {LONGEST_NAME} characters are read (byte {at})"
        );
        Invalid::new(Code::Range, place, at, message)
    }

    /// Appends lengths of axes, at most `most`.
    pub(super) fn lengths(
        &mut self,
        value: ProtoValue,
        most: usize,
        into: &mut Vec<i64>,
    ) -> Result<(), Invalid> {
        match self.ints(value, most, into)? {
            true => Ok(()),
            false => Err(self.too_many("axes", most)),
        }
    }

    /// Appends whole numbers, packed or one a field, as long as there are at most `most`.
    ///
    /// Returns whether there were.
    pub(super) fn ints(
        &mut self,
        value: ProtoValue,
        most: usize,
        into: &mut Vec<i64>,
    ) -> Result<bool, Invalid> {
        let ProtoValue::Bytes(end) = value else {
            let number = self.int(value)?;
            let fits = into.len() < most;
            if fits {
                into.push(number);
            }
            return Ok(fits);
        };
        let outer = std::mem::replace(&mut self.source.limit, end);
        let mut fits = true;
        while fits && self.source.at < end {
            if into.len() == most {
                fits = false;
            } else {
                into.push(self.number("a number")?.cast_signed());
            }
        }
        self.source.limit = outer;
        Ok(fits)
    }
}

fn unreadable(fault: &std::io::Error) -> Invalid {
    let message = format!("the file cannot be read: {fault}");
    Invalid::new(Code::Io, "", fault.to_string(), message)
}
