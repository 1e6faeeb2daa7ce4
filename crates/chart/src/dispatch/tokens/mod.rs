//! One request, token by token: who writes which token when, what is ready, and when it is read.
//!
//! Four rows on one axis of time: the device writing, the server writing, the tokens that are ready and not yet read, and
//! the reader. A token is a tick in the colour of its writer, or part of a solid bar where ticks would merge. What is
//! hatched is a start: a prompt on its way to a first token, stopped where another was first. A token that comes after
//! the reader wanted it is marked, and so is the pause before it.

mod draw;
mod hit_targets;
mod unread_tokens;

pub use draw::layout_tokens;
pub use hit_targets::tokens_legend;

use crate::interaction::{ChartLayout, HitTarget, MarkDescriber, MarkWords, Small, row};
use crate::mark::Picture;
use engine::units::{count, seconds};
use serde::{Deserialize, Serialize};

/// The side that generates a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Writer {
    /// The device.
    Device,
    /// The server.
    Server,
}

/// A prompt on its way to a first token.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RaceStart {
    /// Where.
    pub by: Writer,
    /// When it begins [s].
    pub from_s: f64,
    /// When it ends, in a token or stopped [s].
    pub to_s: f64,
    /// True if it was stopped because the other side was first.
    pub is_stopped: bool,
    /// How long it was expected to take [s], where that was planned.
    pub planned_s: Option<f64>,
}

/// Where the writing goes from one to the other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ChartHandover {
    /// When [s].
    pub at_s: f64,
    /// After how many tokens.
    pub after: usize,
    /// How many tokens have to lie ready for it.
    pub needed: usize,
}

/// A request. All times count from the sending of the prompt [s].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TokenLine {
    /// Title.
    pub title: String,
    /// Name of the device.
    pub device: String,
    /// Name of the server.
    pub server: String,
    /// How fast the device writes [tokens/s].
    pub device_rate: f64,
    /// How fast the server writes [tokens/s].
    pub server_rate: f64,
    /// How fast the reader reads [tokens/s].
    pub reader_rate: f64,
    /// When each token is written [s], ascending.
    pub available_s: Vec<f64>,
    /// When each token is shown to the reader [s], ascending.
    pub shown_s: Vec<f64>,
    /// The side that generates each token.
    pub writers: Vec<Writer>,
    /// The starts.
    pub starts: Vec<RaceStart>,
    /// The hand-over, if there is one.
    pub handover: Option<ChartHandover>,
}

/// Room for the rounding of sums [s].
const HAIR_S: f64 = 1e-9;

impl TokenLine {
    /// How many tokens there are of which all is known.
    pub(super) fn count(&self) -> usize {
        let n = self.available_s.len().min(self.shown_s.len());
        n.min(self.writers.len())
    }

    /// When the reader wants a token [s]: at an even pace from the first.
    fn wanted_s(&self, token: usize) -> f64 {
        let first = self.available_s.first().copied().unwrap_or(0.0);
        first + token as f64 / self.reader_rate
    }

    /// By how much a token comes after it is wanted [s]; `None` where it is in time.
    pub(super) fn late_s(&self, token: usize) -> Option<f64> {
        let late = self.available_s.get(token)? - self.wanted_s(token);
        (late > HAIR_S).then_some(late)
    }

    /// The pause of the reader before a token [s]: from where it could have been shown to where it was.
    pub(super) fn pause_s(&self, token: usize) -> Option<(f64, f64)> {
        let before = self.shown_s.get(token.checked_sub(1)?)?;
        let (from, to) = (before + 1.0 / self.reader_rate, *self.shown_s.get(token)?);
        (to > from + HAIR_S).then_some((from, to))
    }

    /// How many tokens are written and not yet shown at a time.
    pub(super) fn ready(&self, s: f64) -> usize {
        let n = self.count();
        let by = |times: &[f64]| times[..n].partition_point(|t| *t <= s + HAIR_S);
        by(&self.available_s).saturating_sub(by(&self.shown_s))
    }

    /// Where all of it ends [s].
    #[must_use]
    pub fn end_s(&self) -> f64 {
        let times = self.shown_s.iter().chain(&self.available_s);
        let ends = times.copied().chain(self.starts.iter().map(|s| s.to_s));
        ends.filter(|s| s.is_finite()).fold(0.0, f64::max)
    }

    /// When the last token is written [s].
    pub(super) fn written_s(&self) -> f64 {
        let times = self.available_s.iter().copied();
        times.filter(|s| s.is_finite()).fold(0.0, f64::max)
    }

    /// The request in one sentence, for those who do not see it.
    #[must_use]
    pub fn describe(&self) -> String {
        let n = self.count();
        let by = |writer| self.writers[..n].iter().filter(|w| **w == writer).count();
        let (device, server) = (by(Writer::Device), by(Writer::Server));
        let mut text = format!("{}: ", self.title);
        let of = |n: usize, who: &str| format!("{} from the {who}", count(n as f64));
        text.push_str(&match (device, server) {
            (0, 0) => "no token yet".to_owned(),
            (n, 0) => of(n, "device"),
            (0, n) => of(n, "server"),
            (device, server) if self.writers.first() == Some(&Writer::Device) => {
                format!("{}, then {}", of(device, "device"), of(server, "server"))
            }
            (device, server) => {
                format!("{}, then {}", of(server, "server"), of(device, "device"))
            }
        });
        if let Some(handover) = &self.handover {
            text.push_str(&format!(", handed over at {}", seconds(handover.at_s)));
        }
        let late = (0..n).filter(|token| self.late_s(*token).is_some()).count();
        text.push_str(&match late {
            0 => ", none late.".to_owned(),
            late => format!(", {} late.", count(late as f64)),
        });
        text
    }
}

/// Meaning of a mark. Marks are numbered: three for each token, then the starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenMark {
    Written,
    Ready,
    Read,
}

/// Describes the marks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TokensDescriber {
    pub line: TokenLine,
}

impl TokensDescriber {
    pub(super) const fn number(token: usize, part: TokenMark) -> usize {
        3 * token + part as usize
    }

    pub fn start_number(&self, start: usize) -> usize {
        3 * self.line.count() + start
    }

    /// Returns true if two marks belong to one token or one start.
    pub fn is_same(&self, a: usize, b: usize) -> bool {
        let tokens = 3 * self.line.count();
        a == b || (a < tokens && b < tokens && a / 3 == b / 3)
    }
}

impl MarkDescriber for TokensDescriber {
    /// Frames round all places of one thing.
    fn light(&self, laid: &ChartLayout, at: usize, picture: &mut Picture) {
        let of = laid.hits[at].of;
        let all = laid.hits.iter().enumerate();
        let same = all.filter(|(_, other)| self.is_same(other.of, of));
        picture
            .marks
            .extend(same.filter_map(|(at, other)| other.framed(at)));
    }

    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        let of = hit.of;
        let line = &self.line;
        let n = line.count();
        let name = |writer| match writer {
            Writer::Device => line.device.clone(),
            Writer::Server => line.server.clone(),
        };
        let mut rows = Vec::new();
        let title = if of < 3 * n {
            let token = of / 3;
            let (written, read) = (line.available_s[token], line.shown_s[token]);
            rows.push(row("Written by", name(line.writers[token])));
            rows.push(row("Written at", seconds(written)));
            rows.push(row("Read at", seconds(read)));
            let then = if of % 3 == TokenMark::Written as usize {
                line.ready(written)
            } else {
                line.ready(read)
            };
            rows.push(row("Buffered", count(then as f64)));
            if let Some(late) = line.late_s(token) {
                rows.push(row("Late by", seconds(late)));
            }
            format!("Token {} of {}", count(token as f64 + 1.0), count(n as f64))
        } else {
            let start = line.starts.get(of - 3 * n)?;
            rows.push(row("From", seconds(start.from_s)));
            rows.push(row("To", seconds(start.to_s)));
            rows.push(row("Takes", seconds(start.to_s - start.from_s)));
            if let Some(planned) = start.planned_s {
                rows.push(row("Allowed for", seconds(planned)));
            }
            let what = if start.is_stopped {
                "starts, stopped"
            } else {
                "starts"
            };
            format!("{} {what}", name(start.by))
        };
        Some(MarkWords::of(title, ", ", Small::Names, rows))
    }
}
