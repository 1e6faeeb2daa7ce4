//! What the page asks of its worker about an answer: the story of a scenario, and later what is still to be found out for it.
//! The page knows neither the answer nor the problem behind it: it shows sections, asks for more as their story says, and fills
//! in what comes.

use super::flags::Chain;
use engine::problem::Invalid;
use engine::scenario::world::Filed;
use job::worker::{Errand, Listener, Sent};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::any::Any;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;
use story::{Edit, Fill, Name, Packed, Section, Words, wire};

/// A scenario whose answer can be told.
pub trait Tells: Filed + DeserializeOwned + 'static {
    /// What requests call it; no two questions have the same.
    const KIND: &'static str;

    /// Answers it and tells that; `heard` may ask for as much of the story as there is while it goes on.
    ///
    /// # Errors
    /// The first field at fault.
    fn tell(&self, heard: &mut Heard<'_>) -> Result<Telling, Invalid>;

    /// Finds out what its story says is still to be found out.
    ///
    /// # Errors
    /// Why it cannot be.
    fn more(
        &self,
        ask: &str,
        _heard: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<Fill>, Invalid> {
        Err(Invalid::range("ask", ask, "one that is gathered of pieces"))
    }

    /// Finds out a piece of what its story says is to be gathered of pieces.
    ///
    /// # Errors
    /// Why it cannot be.
    fn piece(
        &self,
        piece: &str,
        _load: &[u8],
        _heard: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<u8>, Invalid> {
        Err(Invalid::range("piece", piece, "one of this build\u{2019}s"))
    }

    /// What the pieces so far come to, each at its place: nothing where one has not come, or was refused.
    ///
    /// # Errors
    /// Why it cannot be said.
    fn gathered(
        &self,
        ask: &str,
        _kept: &[u8],
        _pieces: &[Option<Piece>],
    ) -> Result<Gathered, Invalid> {
        Err(Invalid::range("ask", ask, "one that is gathered of pieces"))
    }

    /// What a place of its story shows at other settings; the numbers are in the order of its dials.
    ///
    /// # Errors
    /// A place that has none.
    fn turned(&self, place: &str, _at: &[f64]) -> Result<Vec<Fill>, Invalid> {
        Err(Invalid::range("place", place, "one with settings"))
    }

    /// What something that somebody brings changes, and what is to be said of that: `place` says what it is for, `name` what it is called.
    ///
    /// # Errors
    /// What is wrong with it; a place that takes nothing.
    fn brought(&self, place: &str, _name: &str, _text: &str) -> Result<(String, Edit), Invalid> {
        Err(Invalid::range("place", place, "one that takes something"))
    }

    /// Whether what lasts of another scenario’s story holds for this one.
    fn keeps_of(&self, _before: &Self) -> bool {
        false
    }

    /// The content of a file that its story offers.
    ///
    /// # Errors
    /// The first field at fault; a name that no file has.
    fn file(&self, name: &str) -> Result<String, Invalid>;

    /// The same for files that are no text.
    ///
    /// # Errors
    /// As [`Tells::file`].
    fn bytes(&self, name: &str) -> Result<Vec<u8>, Invalid> {
        self.file(name).map(String::into_bytes)
    }

    /// The same of one that is written of pieces.
    ///
    /// # Errors
    /// As [`Tells::file`].
    fn file_of(&self, name: &str, _pieces: &[Option<Piece>]) -> Result<String, Invalid> {
        self.file(name)
    }
}

/// Hears how far an answer is, and may ask for as much of its story as there is.
pub type Heard<'a> = dyn FnMut(u64, Option<u64>, &mut dyn FnMut() -> Option<Telling>) + 'a;

/// A piece of something that is gathered, as whoever tells the story reads it.
pub type Piece = serde_bytes::ByteBuf;

/// What pieces come to.
#[derive(Debug, Clone, PartialEq)]
pub enum Gathered {
    /// What belongs into the story.
    Fills(Vec<Fill>),
    /// The story itself, told anew: a better answer, and perhaps what is to be asked for next.
    Story(Box<Telling>),
}

/// An answer as the page has it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Telling {
    /// The scenario in a few lines.
    pub about: Vec<String>,
    /// The sections, the answer first.
    pub sections: Vec<Section>,
    /// The answer in a word or two: "24.3 s".
    pub figure: String,
    /// What the tab is called.
    pub tab: String,
    /// How names of files begin.
    pub stem: String,
    /// What was checked, in words.
    pub checked: String,
    /// Files that can be taken, in groups.
    pub files: Vec<(String, Vec<File>)>,
    /// Which layers are where, for the flags of other runtimes: of each plan by its name, the answer’s first.
    pub chains: Vec<(String, Chain)>,
    /// What the form says beside its fields, by a name.
    pub hints: Vec<(String, String)>,
    /// What whoever tells the story wants to know again when more is asked of it.
    #[serde(with = "serde_bytes")]
    pub noted: Vec<u8>,
}

/// A file that can be taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Its name in the page.
    #[serde(deserialize_with = "wire::name")]
    pub id: Name,
    /// What it is called in its name: `plan`.
    #[serde(deserialize_with = "wire::name")]
    pub what: Name,
    /// The ending of its name.
    #[serde(deserialize_with = "wire::name")]
    pub ending: Name,
    /// The words on its button.
    #[serde(deserialize_with = "wire::name")]
    pub label: Name,
    /// What it holds.
    pub holds: Holds,
}

impl File {
    /// The scenario.
    #[must_use]
    pub const fn scenario() -> Self {
        Self {
            id: "save-scenario",
            what: "scenario",
            ending: "json",
            label: "JSON",
            holds: Holds::Scenario,
        }
    }

    /// A chart of the story as a picture, which its file is called after.
    #[must_use]
    pub const fn picture(id: Name, what: Name) -> Self {
        let holds = Holds::Picture(what);
        Self {
            id,
            what,
            ending: "svg",
            label: "SVG",
            holds,
        }
    }

    /// What the worker writes, as JSON.
    #[must_use]
    pub const fn asked(id: Name, what: Name) -> Self {
        Self::written(id, what, "json", "JSON")
    }

    /// What the worker writes, in another form.
    #[must_use]
    pub const fn written(id: Name, what: Name, ending: Name, label: Name) -> Self {
        Self {
            id,
            what,
            ending,
            label,
            holds: Holds::Asked,
        }
    }

    /// The same, of as many of some pieces as have come.
    #[must_use]
    pub fn gathered(id: Name, what: Name, pieces: Vec<String>) -> Self {
        let holds = Holds::Gathered(pieces);
        Self {
            holds,
            ..Self::asked(id, what)
        }
    }

    /// A table of the story, which its file is called after.
    #[must_use]
    pub const fn table(id: Name, what: Name, ending: Name, label: Name) -> Self {
        let holds = Holds::Table(what);
        Self {
            id,
            what,
            ending,
            label,
            holds,
        }
    }
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Holds {
    /// The scenario.
    Scenario,
    /// A table of the story.
    Table(#[serde(deserialize_with = "wire::name")] Name),
    /// A chart of the story.
    Picture(#[serde(deserialize_with = "wire::name")] Name),
    /// What the worker writes.
    Asked,
    /// What it writes of these pieces, as far as they have come.
    Gathered(Vec<String>),
}

impl Telling {
    /// A section by its name.
    #[must_use]
    pub fn section(&self, id: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.id == id)
    }

    /// What the form says beside a field; nothing where nothing is to be said.
    #[must_use]
    pub fn hint(&self, name: &str) -> String {
        let hint = self.hints.iter().find(|(of, _)| of == name);
        hint.map_or_else(String::new, |(_, words)| words.clone())
    }

    /// The answer in words.
    #[must_use]
    pub fn words(&self) -> Option<&Words> {
        self.sections.iter().find_map(Section::words)
    }
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// The story.
    Story,
    /// Something that it says is still to be found out.
    More(String),
    /// A piece of something that is gathered: which gathering and which piece the page means, the piece, and what goes along with it.
    Piece((u32, u32), String, Arc<Piece>),
    /// What the pieces of something come to so far, with what goes along with it.
    Gathered(String, Arc<Piece>, Vec<Option<Piece>>),
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

impl<S: Tells> Errand for Tell<S> {
    type Scenario = Sent<S>;
    type Answer = Packed<Answer>;
    const KIND: &'static str = S::KIND;

    fn answer(
        &self,
        scenario: &Sent<S>,
        heard: &mut Listener<'_, Packed<Answer>>,
    ) -> Result<Packed<Answer>, Invalid> {
        NOTED.set(self.noted.clone());
        if self.ask == Ask::Story {
            let heard =
                &mut |done, of: Option<u64>, so_far: &mut dyn FnMut() -> Option<Telling>| {
                    heard(done, of, &mut || so_far().map(Answer::Story).map(Packed));
                };
            return scenario.tell(heard).map(Answer::Story).map(Packed);
        }
        let heard = &mut |done, of| heard(done, of, &mut || None);
        let answer = match &self.ask {
            Ask::Story => unreachable!("answered above"),
            Ask::More(ask) => scenario.more(ask, heard).map(Answer::More),
            Ask::Piece(_, piece, load) => {
                let found = scenario.piece(piece, load, heard);
                found.map(|piece| Answer::Piece(Piece::from(piece)))
            }
            Ask::Gathered(ask, kept, pieces) => match scenario.gathered(ask, kept, pieces)? {
                Gathered::Fills(fills) => Ok(Answer::More(fills)),
                Gathered::Story(telling) => Ok(Answer::Story(*telling)),
            },
            Ask::Turned(place, at) => scenario.turned(place, at).map(Answer::More),
            Ask::File(name) => scenario.bytes(name).map(Answer::File),
            Ask::FileOf(name, pieces) => {
                let file = scenario.file_of(name, pieces);
                file.map(String::into_bytes).map(Answer::File)
            }
            Ask::Brought(place, name, text) => {
                let brought = scenario.brought(place, name, text);
                brought.map(|(words, edit)| Answer::Brought(words, edit))
            }
        };
        answer.map(Packed)
    }
}

thread_local! {
    /// What the story has noted that something is asked of.
    static NOTED: RefCell<Arc<Piece>> = RefCell::default();
    /// The scenario that was solved last, and what came out.
    static SOLVED: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// What the story has [noted](Telling::noted) that something is asked of; nothing where it is not known.
#[must_use]
pub fn noted() -> Arc<Piece> {
    NOTED.with_borrow(Arc::clone)
}

/// What a scenario comes to: solved once for all that is asked of it in a row. Whoever asks elsewhere has it solved again, and
/// gets the same.
///
/// # Errors
/// As `solve`.
pub fn solved<S, P>(
    scenario: &S,
    solve: impl FnOnce() -> Result<P, Invalid>,
) -> Result<Rc<P>, Invalid>
where
    S: Clone + PartialEq + 'static,
    P: 'static,
{
    let known = SOLVED.with_borrow(|last| {
        let last = last.as_ref()?.downcast_ref::<(S, Rc<P>)>();
        last.filter(|(of, _)| of == scenario)
            .map(|(_, found)| found.clone())
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let found = Rc::new(solve()?);
    let last: Box<dyn Any> = Box::new((scenario.clone(), found.clone()));
    SOLVED.set(Some(last));
    Ok(found)
}

/// The scenario after a change that its answer offers.
///
/// # Errors
/// What is wrong with it then: the answer was one of another scenario.
pub fn changed<S: Filed>(scenario: &S, edit: &Edit) -> Result<S, Invalid> {
    let mut file = json_of(scenario);
    for (pointer, json) in &edit.sets {
        let (parent, key) = pointer.rsplit_once('/').unwrap_or(("", pointer));
        let value = serde_json::from_str(json).unwrap_or_default();
        match file.pointer_mut(parent) {
            Some(Value::Object(fields)) => {
                fields.insert(key.replace("~1", "/").replace("~0", "~"), value);
            }
            Some(Value::Array(all)) => {
                let at = key.parse().ok().and_then(|at: usize| all.get_mut(at));
                at.into_iter().for_each(|place| *place = value.clone());
            }
            _ => {}
        }
    }
    S::of_file(&file.to_string())
}

fn json_of<S: Filed>(scenario: &S) -> Value {
    serde_json::from_str(&scenario.to_file()).unwrap_or_default()
}

/// The change that makes one scenario of another.
///
/// # Complexity
/// O(size of both).
#[must_use]
pub fn difference<S: Filed>(before: &S, after: &S) -> Edit {
    let mut edit = Edit::default();
    differ(&json_of(before), &json_of(after), String::new(), &mut edit);
    edit
}

fn differ(before: &Value, after: &Value, place: String, edit: &mut Edit) {
    match (before, after) {
        _ if before == after => {}
        (Value::Object(before), Value::Object(after)) if before.keys().eq(after.keys()) => {
            for ((key, after), before) in after.iter().zip(before.values()) {
                let key = key.replace('~', "~0").replace('/', "~1");
                differ(before, after, format!("{place}/{key}"), edit);
            }
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            for (at, (before, after)) in before.iter().zip(after).enumerate() {
                differ(before, after, format!("{place}/{at}"), edit);
            }
        }
        _ => edit.sets.push((place, after.to_string())),
    }
}

/// The scenario with another number at a place of its file (JSON Pointer).
///
/// # Errors
/// What is wrong with it then.
pub fn with_number<S: Filed>(scenario: &S, pointer: &str, number: f64) -> Result<S, Invalid> {
    changed(scenario, &Edit::of(pointer, number.to_string()))
}

/// A number with three digits, as it is set by hand.
#[must_use]
pub fn three_digits(number: f64) -> f64 {
    let digits = 2.0 - libm::floor(libm::log10(number.abs().max(1e-12)));
    let scale = libm::exp10(digits);
    libm::round(number * scale) / scale
}

/// Reads what was asked as [`Tells::more`] gets it back.
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

/// A text as part of a file's name: small letters, digits and dashes.
#[must_use]
pub fn for_file(text: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    text.chars().map(plain).collect()
}
