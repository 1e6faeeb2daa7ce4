//! A file of the browser, read piece by piece inside a worker: never more of it is in memory than one piece.

use std::io::{self, Read, Seek, SeekFrom};
use wasm_bindgen::JsValue;
use web_sys::{Blob, FileReaderSync};

/// The first piece after a jump [B]: most of a model file is weights, which are jumped over.
const LEAST_PIECE: u64 = 1 << 16;
/// The largest piece of what is read in one go [B].
const MOST_PIECE: u64 = 1 << 20;

/// A reader of a file; `on_progress` receives after each chunk its end and the length of the file [B].
pub struct BlobReader<F> {
    blob: Blob,
    reader: FileReaderSync,
    size: u64,
    /// Where the next byte is read.
    at: u64,
    piece: Vec<u8>,
    /// Where the piece begins.
    from: u64,
    /// How long the next piece is if it follows this one.
    next: u64,
    on_progress: F,
}

impl<F: FnMut(u64, u64)> BlobReader<F> {
    /// A reader at the beginning of a file.
    ///
    /// # Errors
    /// The browser cannot read files synchronously: outside a worker.
    pub fn new(blob: Blob, on_progress: F) -> Result<Self, JsValue> {
        Ok(Self {
            reader: FileReaderSync::new()?,
            size: blob.size() as u64,
            blob,
            at: 0,
            piece: Vec::new(),
            from: 0,
            next: LEAST_PIECE,
            on_progress,
        })
    }

    fn end(&self) -> u64 {
        self.from + self.piece.len() as u64
    }

    /// Fetches the piece that begins where the next byte is.
    fn fetch(&mut self) -> io::Result<()> {
        let follows = self.at == self.end();
        let length = if follows { self.next } else { LEAST_PIECE };
        let end = self.size.min(self.at + length);
        let unreadable = |_: JsValue| {
            io::Error::other("the browser cannot read it any more: it was moved or changed")
        };
        let slice = self
            .blob
            .slice_with_f64_and_f64(self.at as f64, end as f64)
            .map_err(unreadable)?;
        let bytes = self
            .reader
            .read_as_array_buffer(&slice)
            .map_err(unreadable)?;
        self.piece = js_sys::Uint8Array::new(&bytes).to_vec();
        self.from = self.at;
        self.next = (2 * length).min(MOST_PIECE);
        (self.on_progress)(end, self.size);
        Ok(())
    }
}

impl<F: FnMut(u64, u64)> Read for BlobReader<F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.size || into.is_empty() {
            return Ok(0);
        }
        if self.at < self.from || self.at >= self.end() {
            self.fetch()?;
        }
        let rest = &self.piece[(self.at - self.from) as usize..];
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        self.at += count as u64;
        Ok(count)
    }
}

impl<F: FnMut(u64, u64)> Seek for BlobReader<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.size.checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidInput,
                "a place before the beginning of the file",
            )
        })?;
        Ok(self.at)
    }
}
