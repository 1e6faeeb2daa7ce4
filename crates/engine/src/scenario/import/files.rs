//! The files of one model: a `config.json` with the index or the safetensors files beside it, or the parts of a GGUF file.
//!
//! Files come in any order. Of a file with tensors only the header is read:
//! [`FileContent::read`] takes the first bytes and says if it needs more.

use super::gguf::header::{Header, HeaderEnd};
use super::weights::{LENGTH_BYTES, WeightFiles, header_length, is_index};
use super::{ImportedModel, UserAnswers, config, gguf};
use crate::problem::{Code, Invalid};
use crate::scenario::open;
use serde_json::Value;

/// Bytes to begin with; mostly enough.
pub const FIRST_READ: u64 = 1 << 20;

/// Bytes to read next where `wanted` were not enough and `needed` are: twice as many, but no more than any header has.
#[must_use]
pub fn next_read(wanted: u64, needed: u64) -> u64 {
    needed.max((2 * wanted).min(gguf::header::LARGEST + 1))
}

/// The longest `config.json` or index that is read [B].
const LONGEST_TEXT: u64 = 16_000_000;

/// Content of one file of a model.
#[derive(Debug, Clone, PartialEq)]
pub enum FileContent {
    /// The header of a GGUF file.
    Gguf(Header),
    /// The header of a safetensors file.
    Safetensors(String),
    /// The text of a `config.json` or of an index.
    Text(String),
}

impl FileContent {
    /// Reads a file from its first bytes; `is_whole` if there are no more. Its bytes say what it is, or else its name.
    ///
    /// # Errors
    /// [`HeaderEnd::More`] where it goes on behind these bytes, [`HeaderEnd::Broken`] where it cannot be read.
    ///
    /// # Complexity
    /// O(bytes).
    pub fn read(name: &str, first: &[u8], is_whole: bool) -> Result<Self, HeaderEnd> {
        let has_ending = |ending: &str| name.to_ascii_lowercase().ends_with(ending);
        if first.starts_with(b"GGUF") || has_ending(".gguf") {
            return gguf::read(first, is_whole).map(Self::Gguf);
        }
        if has_ending(".safetensors") || is_safetensors(first) {
            return safetensors_header(first, is_whole).map(Self::Safetensors);
        }
        if let Some(kind) = other_kind(first, is_whole) {
            return Err(broken(
                format!("this is {kind}; {MODEL_FILES}"),
                Value::Null,
            ));
        }
        let length = first.len() as u64;
        if length > LONGEST_TEXT {
            let message =
                format!("this is not a config.json: it has more than {LONGEST_TEXT} bytes");
            return Err(broken(message, length));
        }
        match is_whole {
            true => Ok(Self::Text(open::text_of(first))),
            false => Err(HeaderEnd::More(length + 1)),
        }
    }
}

/// The files that describe a model.
const MODEL_FILES: &str = "a model is described by its config.json (or params.json), its GGUF file, or its safetensors files beside the config.json";

/// The kind of a file by its first bytes, where it is one that people have beside those that are read.
fn other_kind(first: &[u8], is_whole: bool) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 13] = [
        (b"\x89PNG", "a picture"),
        (b"\xff\xd8\xff", "a picture"),
        (b"GIF8", "a picture"),
        (b"RIFF", "a picture or a sound"),
        (b"%PDF", "a PDF document"),
        (
            b"PK\x03\x04",
            "a ZIP archive, as PyTorch writes weights (.bin, .pt)",
        ),
        (
            b"\x80\x02",
            "a pickle of Python, as PyTorch writes weights (.bin, .pt)",
        ),
        (b"\x1f\x8b", "a gzip archive"),
        (b"7z\xbc\xaf", "a 7z archive"),
        (b"lmgg", "a GGML file, the format before GGUF"),
        (b"tjgg", "a GGML file, the format before GGUF"),
        (b"<!DOC", "a web page"),
        (b"<html", "a web page"),
    ];
    if is_whole && first.iter().all(u8::is_ascii_whitespace) {
        return Some("an empty file");
    }
    if is_onnx(first) {
        return Some("an ONNX graph, which the question \u{201c}Operator graph\u{201d} plans");
    }
    let found = KINDS.iter().find(|(magic, _)| first.starts_with(magic));
    found.map(|(_, kind)| *kind)
}

/// Returns true if bytes begin as a graph of ONNX does: the version of its format, and who made it.
fn is_onnx(first: &[u8]) -> bool {
    matches!(first, [0x08, 1..=20, 0x12, ..])
}

fn broken(message: String, found: impl Into<Value>) -> HeaderEnd {
    HeaderEnd::Broken(Invalid::new(Code::Syntax, "", found, message))
}

/// Returns true if bytes begin as a safetensors file does: the length of an object, and the object.
fn is_safetensors(first: &[u8]) -> bool {
    let length = first.first_chunk::<LENGTH_BYTES>();
    length.is_some_and(|length| header_length(*length).is_ok())
        && first.get(LENGTH_BYTES) == Some(&b'{')
}

fn safetensors_header(first: &[u8], is_whole: bool) -> Result<String, HeaderEnd> {
    let Some(length) = first.first_chunk::<LENGTH_BYTES>() else {
        return match is_whole {
            true => {
                let message =
                    "this safetensors file is cut short: the length of its header is not here"
                        .to_owned();
                Err(broken(message, first.len()))
            }
            false => Err(HeaderEnd::More(LENGTH_BYTES as u64)),
        };
    };
    let length = header_length(*length).map_err(HeaderEnd::Broken)?;
    let end = LENGTH_BYTES as u64 + length;
    let Some(header) = first.get(LENGTH_BYTES..end as usize) else {
        if !is_whole {
            return Err(HeaderEnd::More(end));
        }
        let found = first.len() - LENGTH_BYTES;
        let message = format!(
            "this safetensors file is cut short: its header has {length} bytes, and {found} are here"
        );
        return Err(broken(message, found));
    };
    let header = std::str::from_utf8(header).map_err(|_| {
        let message = "the header of this safetensors file is not UTF-8 text".to_owned();
        broken(message, Value::Null)
    })?;
    Ok(header.to_owned())
}

/// The files of one model, as far as they are here.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelFiles {
    /// A `config.json`.
    config: Option<NamedText>,
    /// Its files of weights.
    weights: WeightFiles,
    /// The names of these.
    weight_names: Vec<String>,
    /// Headers of a GGUF file: one, or the parts of a split one.
    parts: Vec<Header>,
    /// The name of the first.
    gguf_name: String,
}

#[derive(Debug, Clone, PartialEq)]
struct NamedText {
    text: String,
    /// Empty where it was typed.
    name: String,
}

impl ModelFiles {
    /// A `config.json` that was typed: no file.
    #[must_use]
    pub fn typed(text: &str) -> Self {
        let mut files = Self::default();
        files.set_text(text);
        files
    }

    /// Puts a text in the place of the `config.json`; none if it is blank.
    pub fn set_text(&mut self, text: &str) {
        self.parts.clear();
        let named = || NamedText {
            text: text.to_owned(),
            name: String::new(),
        };
        self.config = (!text.trim().is_empty()).then(named);
    }

    /// Adds what a file says.
    ///
    /// # Errors
    /// It cannot be read, repeats a tensor, or does not belong to the others.
    pub fn add(&mut self, name: &str, content: FileContent) -> Result<(), Invalid> {
        let apart = || {
            let message = "several files must be the parts of one GGUF file, or one config.json with its index or safetensors files";
            Invalid::new(Code::Option, "", name, message)
        };
        let has_other = match &content {
            FileContent::Gguf(_) => self.config.is_some() || !self.weight_names.is_empty(),
            FileContent::Safetensors(_) | FileContent::Text(_) => !self.parts.is_empty(),
        };
        if has_other {
            return Err(apart());
        }
        match content {
            FileContent::Gguf(header) => {
                if self.parts.is_empty() {
                    name.clone_into(&mut self.gguf_name);
                }
                self.parts.push(header);
            }
            FileContent::Safetensors(header) => {
                self.weights.add_header(&header)?;
                self.weight_names.push(name.to_owned());
            }
            FileContent::Text(text) => match serde_json::from_str(&text) {
                Ok(index) if is_index(&index) => {
                    self.weights.add_index(&index)?;
                    self.weight_names.push(name.to_owned());
                }
                _ if self.config.is_none() => {
                    let name = name.to_owned();
                    self.config = Some(NamedText { text, name });
                }
                _ => return Err(apart()),
            },
        }
        Ok(())
    }

    /// Takes further files: weights and a config join each other, and so do the parts of one split GGUF file. Another model takes
    /// the place of this one.
    ///
    /// # Errors
    /// A tensor is in two files.
    pub fn join(&mut self, more: Self) -> Result<(), Invalid> {
        let is_part = |header: &Header| {
            let same_count = |known: &Header| {
                header.meta.get("split.count").is_some_and(|count| {
                    known.meta.get("split.count") == Some(count)
                        && known.meta.get("split.no") != header.meta.get("split.no")
                })
            };
            !self.parts.is_empty() && self.parts.iter().all(same_count)
        };
        if !more.parts.is_empty() && more.parts.iter().all(is_part) {
            self.parts.extend(more.parts);
            return Ok(());
        }
        let is_other = !more.parts.is_empty()
            || !self.parts.is_empty()
            || (self.config.is_some() && more.config.is_some());
        if is_other {
            *self = more;
            return Ok(());
        }
        self.weights.join(more.weights)?;
        self.weight_names.extend(more.weight_names);
        self.config = self.config.take().or(more.config);
        Ok(())
    }

    /// Forgets the files of weights.
    pub fn remove_weights(&mut self) {
        self.weights = WeightFiles::default();
        self.weight_names.clear();
    }

    /// The names of the files of weights beside a config.
    #[must_use]
    pub fn weight_names(&self) -> &[String] {
        &self.weight_names
    }

    /// The text of the config; empty if there is none.
    #[must_use]
    pub fn text(&self) -> &str {
        self.config.as_ref().map_or("", |config| &config.text)
    }

    /// The file that says what is computed; empty where that was typed.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.config {
            Some(config) => &config.name,
            None => &self.gguf_name,
        }
    }

    /// Returns true if there is no file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.config.is_none() && self.weight_names.is_empty() && self.parts.is_empty()
    }

    /// Describes their model.
    ///
    /// # Errors
    /// The config is missing, not readable, or not that of a language model.
    ///
    /// # Complexity
    /// O(length of the texts + blocks + tensors).
    pub fn describe(&self, answers: &UserAnswers) -> Result<ImportedModel, Invalid> {
        if !self.parts.is_empty() {
            return Ok(gguf::describe(&self.parts, &self.gguf_name, answers));
        }
        if let Some(file) = &self.config {
            return config::read(&file.text, &file.name, answers, &self.weights);
        }
        let name = self.weight_names.first().map_or("", String::as_str);
        let message = match name {
            "" => "a file is needed".to_owned(),
            _ => format!(
                "{name} says what is stored and not what is computed: give the config.json beside it as well"
            ),
        };
        Err(Invalid::new(Code::Missing, "config.json", name, message))
    }
}
