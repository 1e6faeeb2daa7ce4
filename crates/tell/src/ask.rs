//! What the page asks of its worker about an answer: the story of a scenario, and later what is still to be found out for it.
//! The page knows neither the answer nor the problem behind it: it shows sections, asks for more as their story says, and fills
//! in what comes.

use super::telling::Telling;
use super::worker::{Errand, Sent};
use engine::problem::Invalid;
use engine::scenario::world::Filed;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::sync::Arc;
use story::{Edit, Fill, Packed, wire};

/// Something whose answer can be told.
pub trait About: Filed + 'static {
    /// What requests call it; no two questions have the same.
    const KIND: &'static str;

    /// Whether what lasts of another scenario’s story holds for this one.
    fn keeps_of(&self, _before: &Self) -> bool {
        false
    }
}

/// A piece of something that is gathered, as whoever tells the story reads it.
pub type Piece = serde_bytes::ByteBuf;

/// What is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// What leads the story: the answer itself and its picture.
    Lead,
    /// All of the story.
    Story,
    /// Something that it says is still to be found out, and belongs to the first answer.
    AtOnce(String),
    /// Something that it says is still to be found out.
    More(String),
    /// A piece of something that is gathered: which gathering and which piece the page means, the piece, and what goes along with it.
    Piece((u32, u32), String, Arc<Piece>),
    /// What the pieces of something come to so far, with what goes along with it; the number says which gathering the page means.
    Gathered(u32, String, Arc<Piece>, Vec<Option<Piece>>),
    /// What a place of it shows at other settings.
    Turned(String, Vec<f64>),
    /// A file that it offers.
    File(String),
    /// The same, with the pieces that it is written of.
    FileOf(String, Vec<Option<Piece>>),
    /// What somebody brings: what it is for, its name, what it holds.
    Brought(String, String, String),
}

/// What was found out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// The story.
    Story(Telling),
    /// What belongs into it.
    More(Vec<Fill>),
    /// A piece of it.
    Piece(Piece),
    /// The content of a file.
    File(#[serde(with = "serde_bytes")] Vec<u8>),
    /// What is said of what was brought, and what it changes.
    Brought(String, Edit),
}

/// Something to be told of a scenario.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Tell<S> {
    /// What is asked.
    pub ask: Ask,
    /// What the story had [noted](Telling::noted) that it is asked of.
    pub noted: Arc<Piece>,
    #[serde(skip)]
    of: PhantomData<fn() -> S>,
}

impl<S> Tell<S> {
    /// Something asked.
    #[must_use]
    pub fn of(ask: Ask) -> Self {
        Self::about(ask, Arc::default())
    }

    /// Something asked of a story that has noted something.
    #[must_use]
    pub const fn about(ask: Ask, noted: Arc<Piece>) -> Self {
        let of = PhantomData;
        Self { ask, noted, of }
    }
}

impl<S> Clone for Tell<S> {
    fn clone(&self) -> Self {
        Self::about(self.ask.clone(), self.noted.clone())
    }
}

impl<S: About> Errand for Tell<S> {
    type Scenario = Sent<S>;
    type Answer = Packed<Answer>;
    const KIND: &'static str = S::KIND;

    fn is_first(&self) -> bool {
        matches!(self.ask, Ask::Lead | Ask::AtOnce(_))
    }
}

/// Reads what was asked as whoever tells the story gets it back.
///
/// # Errors
/// That it is none of this build’s.
pub fn read<A: DeserializeOwned>(ask: &str) -> Result<A, Invalid> {
    serde_json::from_str(ask)
        .map_err(|_| Invalid::range("ask", ask, "what the story says is to be asked"))
}

/// Something to ask later, as [`read`] reads it.
///
/// # Panics
/// If it is no JSON, which plain data always is.
#[must_use]
pub fn written(ask: &impl Serialize) -> String {
    serde_json::to_string(ask).expect("what is asked is plain data")
}

/// A piece, or what goes along with it, on its way.
///
/// # Panics
/// If it cannot be packed, which plain data always can.
#[must_use]
pub fn packed(it: &impl Serialize) -> Vec<u8> {
    wire::pack(it).expect("what goes along is plain data")
}

/// The same as it arrives.
///
/// # Errors
/// That it is none of this build’s.
pub fn unpacked<A: DeserializeOwned>(bytes: &[u8]) -> Result<A, Invalid> {
    wire::unpack(bytes).map_err(|_| {
        Invalid::range(
            "piece",
            bytes.len(),
            "what this build\u{2019}s worker has packed",
        )
    })
}
