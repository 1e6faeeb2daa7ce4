//! The whole scenario in a URL fragment: `#cold-start/4.` (the question that it opens on, and the format) and then base64url (no
//! padding) of the scenario's JSON, deflated, with the CRC-32 of the JSON in four bytes behind the deflate stream.
//!
//! Format 4 is the scenario of all questions ([`super::world`]). Links of before hold the scenario of one question, in formats
//! of its own, and open for ever.
//!
//! A plain link is `#json=` and the JSON of a scenario, percent-encoded: people and scripts can write one.
//!
//! Programs that pass links on add full stops, brackets and line breaks; they are left away.
//!
//! A link may hold two or three scenarios to be compared: `#compare/`, and then their fragments with `~` between them.
//!
//! The checksum finds damage that would otherwise decode to other numbers. A link without it, written by
//! some other program, is read as well. A link is untrusted input: its length and what it unpacks to are
//! limited before anything is parsed.

use super::schema::{Head, format_of};
use super::world::{FORMAT, World};
use super::{Any, Question};
use crate::problem::Invalid;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use crc::{CRC_32_ISO_HDLC, Crc};
use miniz_oxide::MZStatus;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The longest payload that is looked at, in characters. The largest scenario of the page, a thousand layers
/// and 64 devices of numbers with all their digits, needs a third.
pub const LONGEST: usize = 262_144;
/// The most JSON that a payload may unpack to, in bytes.
const MOST_JSON: usize = 262_144;

/// Prefix of a link of several scenarios.
const COMPARED: &str = "compare/";
/// Separator of the scenarios.
const BETWEEN: char = '~';
/// The most scenarios that a link holds.
pub const MOST_COMPARED: usize = 3;

/// Why a link was not opened.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LinkError {
    /// No `question/version.payload` in it.
    #[error("This is not an Edgewise link: it has no scenario behind a “#”.")]
    NoScenario,
    /// Several scenarios where one is wanted.
    #[error("This link compares scenarios; it is not a link of one.")]
    Several,
    /// Too few scenarios to compare, or too many.
    #[error("This link compares {got} scenarios, it must be two or three.")]
    NotComparable {
        /// How many it holds.
        got: usize,
    },
    /// A question this version does not know.
    #[error("This link is for a question that this Edgewise does not know: “{0}”.")]
    UnknownQuestion(String),
    /// A newer format.
    #[error("This link comes from a newer Edgewise (format {got}, this one reads up to {known}).")]
    Newer {
        /// The link's format.
        got: u32,
        /// The newest format that is read here.
        known: u32,
    },
    /// A format that is no number, or zero.
    #[error("This link is damaged: “{0}” is not a format number.")]
    BadFormat(String),
    /// A format that is not the one of the scenario inside.
    #[error(
        "This link is damaged: it says format {outside}, and its scenario is of format {inside}."
    )]
    TwoFormats {
        /// Version before the payload.
        outside: u32,
        /// Version inside the payload.
        inside: u32,
    },
    /// Longer than any scenario.
    #[error("This link is too long: {got} characters, at most {LONGEST} are read.")]
    TooLong {
        /// Characters of the payload.
        got: usize,
    },
    /// A character that no link has.
    #[error(
        "This link is damaged: character {at} of its scenario is “{found}”, which does not occur in links."
    )]
    BadCharacter {
        /// Position, from 1.
        at: usize,
        /// The character.
        found: char,
    },
    /// The end is missing.
    #[error("This link is damaged: it ends after {got} characters, before its scenario does.")]
    CutShort {
        /// Characters of the payload.
        got: usize,
    },
    /// Decodes to something that no one wrote.
    #[error("This link is damaged: its {got} characters do not unpack to the original scenario.")]
    Damaged {
        /// Characters of the payload.
        got: usize,
    },
    /// Unpacks to far more than a scenario.
    #[error("This link unpacks to more than {MOST_JSON} bytes, more than any scenario has.")]
    Bomb,
    /// Unpacks well, but not to a scenario.
    #[error("This link holds no valid scenario: {0}.")]
    Scenario(Invalid),
}

/// The fragment of a scenario, with the `#`. What its question assumes is written down, so that the link gives the same numbers
/// for ever; of a large graph it says which file is needed.
///
/// # Complexity
/// O(size of the scenario).
#[must_use]
pub fn encode(world: &World) -> String {
    let text = world.for_link().to_json();
    let mut packed = compress_to_vec(text.as_bytes(), 9);
    packed.extend(checksum(text.as_bytes()).to_le_bytes());
    format!(
        "#{}/{FORMAT}.{}",
        world.question.name(),
        URL_SAFE_NO_PAD.encode(packed)
    )
}

/// Prefix of a plain link.
const PLAIN: &str = "json=";

/// Signs that a fragment takes as they are; everything else is percent-encoded.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b',')
    .remove(b':');

/// The plain fragment of a scenario, with the `#`: its JSON as a person reads it, percent-encoded.
///
/// # Complexity
/// O(size of the scenario).
#[must_use]
pub fn encode_plain(world: &World) -> String {
    let text = world.for_link().to_json();
    format!("#{PLAIN}{}", utf8_percent_encode(&text, KEPT))
}

/// Opens what follows `json=`.
fn open_plain(encoded: &str) -> Result<World, LinkError> {
    let got = encoded.len();
    if got > 3 * LONGEST {
        return Err(LinkError::TooLong { got });
    }
    let encoded: String = encoded
        .chars()
        .filter(|c| !matches!(c, '\n' | '\r'))
        .collect();
    let text = percent_decode_str(&encoded).decode_utf8();
    let text = text.map_err(|_| LinkError::Damaged { got })?;
    let text = text.trim_matches(is_added);
    if text.starts_with('{') && !text.ends_with('}') {
        return Err(LinkError::CutShort { got });
    }
    World::read(text).map_err(LinkError::Scenario)
}

/// A link without what chats and mails put around it: spaces and line breaks inside, brackets and full stops behind.
fn without_wrapping(link: &str) -> String {
    let whole: String = link.chars().filter(|c| !c.is_whitespace()).collect();
    let begins = whole.trim_start_matches(['<', '(', '[', '"', '\'', '\u{201c}']);
    begins.trim_end_matches(is_added).to_owned()
}

/// Returns true for a sign that a sentence or a pair of brackets puts behind a link.
fn is_added(c: char) -> bool {
    c.is_whitespace() || ".,;:!?)]>\"'\u{201d}\u{2019}".contains(c)
}

/// The fragment of a scenario of one question, with the `#`.
#[must_use]
pub fn of<S: Clone + Into<Any>>(scenario: &S) -> String {
    encode(&World::of(&scenario.clone().into()))
}

/// The fragment of two or three scenarios to be compared, with the `#`.
#[must_use]
pub fn encode_compared(worlds: &[World]) -> String {
    let each: Vec<String> = worlds.iter().map(encode).collect();
    let each: Vec<&str> = each.iter().map(|one| one.trim_start_matches('#')).collect();
    format!("#{COMPARED}{}", each.join(&BETWEEN.to_string()))
}

/// Opens the scenarios of a link that compares some; `None` where it is a link of another kind.
///
/// # Errors
/// As [`open`], of the first that cannot be opened; fewer than two or more than three.
///
/// # Complexity
/// O(length), bounded as [`open`] is.
#[must_use]
pub fn open_compared(link: &str) -> Option<Result<Vec<World>, LinkError>> {
    let fragment = without_wrapping(fragment_of(link).ok()?);
    let all: Vec<&str> = fragment.strip_prefix(COMPARED)?.split(BETWEEN).collect();
    if !(2..=MOST_COMPARED).contains(&all.len()) {
        return Some(Err(LinkError::NotComparable { got: all.len() }));
    }
    Some(all.into_iter().map(open).collect())
}

/// CRC-32 as gzip and PNG have it, with one short table: every visitor loads it before the first answer.
static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// Checksum of a text.
pub(super) fn checksum(text: &[u8]) -> u32 {
    CRC.checksum(text)
}

/// Returns the text after the `#`.
fn fragment_of(link: &str) -> Result<&str, LinkError> {
    let link = link.trim();
    if let Some((_, rest)) = link.split_once(&format!("#{PLAIN}")) {
        return Ok(&link[link.len() - rest.len() - PLAIN.len()..]);
    }
    match link.rsplit_once('#') {
        Some((_, fragment)) => Ok(fragment),
        None if link.contains("://") => Err(LinkError::NoScenario),
        None => Ok(link),
    }
}

/// Opens a fragment as the scenario of the question that it opens on.
///
/// # Errors
/// As [`open`].
pub fn decode(link: &str) -> Result<Any, LinkError> {
    let world = open(link)?;
    let view = world.view(world.question).map_err(LinkError::Scenario)?;
    Ok(view.scenario)
}

/// Opens a fragment, with or without `#`, or a whole address. Where the question before the payload is not that of the
/// scenario inside, the scenario's counts.
///
/// # Errors
/// [`LinkError`], a sentence each for people.
///
/// # Complexity
/// O(length), bounded by [`LONGEST`] and the limit on what it unpacks to.
pub fn open(link: &str) -> Result<World, LinkError> {
    let fragment = fragment_of(link)?;
    if let Some(encoded) = fragment.strip_prefix(PLAIN) {
        return open_plain(encoded);
    }
    let whole = without_wrapping(fragment);
    let fragment = whole.as_str();
    if fragment.starts_with(COMPARED) {
        return Err(LinkError::Several);
    }
    let (question, rest) = fragment.split_once('/').ok_or(LinkError::NoScenario)?;
    let (format, payload) = rest.split_once('.').ok_or(LinkError::NoScenario)?;
    let unknown = || LinkError::UnknownQuestion(question.chars().take(40).collect());
    let named = Question::find(question).ok_or_else(unknown)?;
    let unpacked = unpack(payload);
    // The scenario itself knows best which question it asks: formats of different questions do not compare.
    let head = unpacked.as_ref().ok().and_then(|text| Head::of(text));
    let asked = head.and_then(|head| Question::find(&head.question?));
    let question = asked.unwrap_or(named);
    let outside = match format.parse::<u32>() {
        Ok(got) if (1..=FORMAT).contains(&got) => got,
        Ok(got) if got > FORMAT => return Err(LinkError::Newer { got, known: FORMAT }),
        _ => return Err(LinkError::BadFormat(format.chars().take(20).collect())),
    };
    let text = unpacked?;
    let world = World::of_question(question, &text).map_err(LinkError::Scenario)?;
    match format_of(&text) {
        Some(inside) if inside != outside => Err(LinkError::TwoFormats { outside, inside }),
        _ => Ok(world),
    }
}

fn unpack(payload: &str) -> Result<String, LinkError> {
    let got = payload.chars().count();
    if got > LONGEST {
        return Err(LinkError::TooLong { got });
    }
    let stray = |c: &char| !(c.is_ascii_alphanumeric() || *c == '-' || *c == '_');
    if let Some((at, found)) = payload.chars().enumerate().find(|(_, c)| stray(c)) {
        return Err(LinkError::BadCharacter { at: at + 1, found });
    }
    // The letters are right, so what is wrong can only be the number of them.
    let packed = URL_SAFE_NO_PAD
        .decode(payload)
        .map_err(|_| LinkError::CutShort { got })?;

    let mut text = vec![0; MOST_JSON];
    let mut state = InflateState::new_boxed(DataFormat::Raw);
    let result = inflate(&mut state, &packed, &mut text, MZFlush::Finish);
    match result.status {
        Ok(MZStatus::StreamEnd) => {}
        Ok(_) | Err(MZError::Buf) if result.bytes_written == MOST_JSON => {
            return Err(LinkError::Bomb);
        }
        Ok(_) | Err(MZError::Buf) => return Err(LinkError::CutShort { got }),
        Err(_) => return Err(LinkError::Damaged { got }),
    }
    text.truncate(result.bytes_written);
    match packed.get(result.bytes_consumed..).unwrap_or_default() {
        [] => {}
        sum if sum == checksum(&text).to_le_bytes() => {}
        sum if sum.len() < 4 => return Err(LinkError::CutShort { got }),
        _ => return Err(LinkError::Damaged { got }),
    }
    String::from_utf8(text).map_err(|_| LinkError::Damaged { got })
}
