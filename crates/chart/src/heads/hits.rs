//! Hit targets of a map of heads: for the card under a pointer and the keys.

use super::arrows;
use super::axis::{token_range_label, tokens_text};
use super::index::{HeadEvent, HeadIndex};
use super::layout::{HeadsFrame, RowOf};
use super::{BlockMove, MovedBlock};
use crate::ink::Ink;
use crate::interaction::{ChartLayout, HitTarget, HitTest, MarkDescriber, MarkWords, RowHits, row};
use crate::mark::{Mark, Picture, Rect};
use engine::units::{NARROW, bytes, count, seconds};
use std::ops::Range;

/// Meaning of a mark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum HeadPart {
    /// A device holding so many heads, or none.
    Held {
        /// How many.
        heads: usize,
    },
    /// Runs of tokens too slim to be distinguished, one after another.
    Mixed {
        /// Fewest heads.
        least: usize,
        /// Most heads.
        most: usize,
        /// Heads on average over the tokens.
        mean: f64,
        /// How many runs.
        runs: usize,
    },
    /// Heads that arrive and leave at one place of the axis.
    Moves {
        /// How many arrive.
        arrive: usize,
        /// How many leave.
        leave: usize,
        /// Bytes sent over links for them.
        bytes: f64,
        /// How long that takes, one after another [s].
        seconds: f64,
        /// From and to among the device's comings and goings.
        events: (usize, usize),
    },
    /// For how many of some tokens the projection and the FFN are on a device.
    Share {
        /// Tokens with the projection here.
        projection: usize,
        /// Tokens with the FFN here.
        ffn: usize,
        /// How often the projection comes.
        projection_arrives: usize,
        /// How often the FFN comes.
        ffn_arrives: usize,
        /// Bytes sent over links for them.
        bytes: f64,
        /// How long that takes, one after another [s].
        seconds: f64,
    },
    /// Migration from one device to another just before the token with the line.
    Arrow {
        /// From and to among all moves.
        moves: (usize, usize),
    },
}

/// A mark that a pointer or a key can reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HeadHit {
    /// Where it stands [px]; `None` just outside the visible span.
    pub rect: Option<Rect>,
    /// Its row, from 0: strips count.
    pub row: usize,
    /// Its device, from 0; of an arrow, where it leads.
    pub device: usize,
    /// Meaning.
    pub meaning: HeadPart,
    /// First token; what moves is there from this one on.
    pub from: usize,
    /// Last token.
    pub to: usize,
}

impl HeadHit {
    /// Cells before what moves at their first token, and arrows last.
    pub(super) fn order(&self) -> (usize, u8) {
        let kind = match self.meaning {
            HeadPart::Moves { .. } => 1,
            HeadPart::Arrow { .. } => 2,
            HeadPart::Held { .. } | HeadPart::Mixed { .. } | HeadPart::Share { .. } => 0,
        };
        (self.from, kind)
    }

    /// Returns true if it is in a row and neither a cell nor a bin.
    fn moves(&self) -> bool {
        matches!(
            self.meaning,
            HeadPart::Moves { .. } | HeadPart::Arrow { .. }
        )
    }
}

/// Slimmer marks are caught as if they were this wide [px].
const CATCH_PX: f64 = 8.0;
/// Most names of heads that a card says.
const MOST_NAMES: usize = 8;
/// Most moves of a tick for which arrows are drawn under a pointer.
const MOST_ARROWS: usize = 24;

/// Describes the marks.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadMarks {
    pub(super) index: HeadIndex,
    pub(super) frame: HeadsFrame,
    /// Visible marks, row by row and in order of tokens, each row with its neighbours just outside the view.
    pub(super) all: Vec<HeadHit>,
}

impl HeadMarks {
    /// The marks of the rows, each of so many. What moves goes before what it is on, and is the chain of its row.
    pub(super) fn rows(&self, ranges: Vec<Range<usize>>) -> RowHits {
        let mut rows = RowHits::default();
        for range in ranges {
            let hit = |of: usize| {
                let own = &self.all[of];
                let device = self.index.data.devices.get(own.device);
                HitTarget {
                    rect: own.rect,
                    row: own.row,
                    from_s: own.from as f64 - 1.0,
                    to_s: own.to as f64,
                    shade: device.map(|device| device.shade),
                    of,
                    chain: Some(own.row),
                    is_link: own.moves(),
                    ..HitTarget::default()
                }
            };
            rows.add(HitTest::Links(CATCH_PX), range.map(hit));
        }
        rows
    }
}

impl MarkDescriber for HeadMarks {
    /// The device's rows lit, a frame round a cell, the ways of what moves.
    fn light(&self, laid: &ChartLayout, at: usize, picture: &mut Picture) {
        let hit = &self.all[at];
        let own = self.frame.rows.iter().zip(&laid.bands).filter(
            |(row, _)| matches!(row.0, RowOf::Device(at) | RowOf::Strip(at) if at == hit.device),
        );
        let bands: Vec<Mark> = own.map(|(_, band)| Mark::fill(Ink::Band, *band)).collect();
        picture.marks.splice(0..0, bands);
        let Some(rect) = hit.rect else {
            return;
        };
        match hit.meaning {
            HeadPart::Moves { events, .. } => {
                let own = self.events(hit.device, events);
                let numbers: Vec<usize> = own.iter().map(|event| event.number).collect();
                if numbers.len() <= MOST_ARROWS {
                    let x = rect.x + rect.w / 2.0;
                    let arrows = arrows::of(&self.index, &self.frame, &numbers, x);
                    // Numbers under them would be cut.
                    picture.marks.retain(|mark| {
                        let on_cell = [Ink::HeadsInk, Ink::HeadsInkStrong].contains(&mark.ink);
                        let place = mark.text_box().filter(|_| on_cell);
                        !place.is_some_and(|text| arrows.iter().any(|arrow| arrow.meets(&text)))
                    });
                    arrows::draw(&arrows, &mut picture.marks);
                }
            }
            HeadPart::Arrow { .. } => {}
            HeadPart::Held { .. } | HeadPart::Mixed { .. } | HeadPart::Share { .. } => {
                picture.marks.push(Mark::frame(Ink::Text, &[], rect));
            }
        }
    }

    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        let hit = self.all.get(hit.of)?;
        let name = self.name(hit.device);
        let run = hit.to - hit.from + 1;
        let mut rows = vec![row("Tokens", span(hit.from, hit.to))];
        if run > 1 {
            rows.push(row("Number", format!("{} tokens", count(run as f64))));
        }
        let of_tokens = |n: usize| format!("{} of {}", count(n as f64), plural(run, "token"));
        Some(match hit.meaning {
            HeadPart::Held { heads } => {
                let held = if heads == 0 {
                    "no head".to_owned()
                } else {
                    plural(heads, "head")
                };
                rows.insert(0, row("Heads", heads.to_string()));
                rows.extend(self.device_text(hit.device));
                words(format!("{name}, {held}"), rows, hit)
            }
            HeadPart::Mixed {
                least,
                most,
                mean,
                runs,
            } => {
                rows.insert(0, row("Heads", format!("{least} to {most}")));
                rows.push(row("On average", format!("{mean:.2}")));
                rows.push(row("Changes", (runs - 1).to_string()));
                rows.extend(self.device_text(hit.device));
                let mut words = words(format!("{name}, {least} to {most} heads"), rows, hit);
                words
                    .aria_label
                    .push_str(&format!(", {mean:.2} on average"));
                words
            }
            HeadPart::Moves {
                arrive,
                leave,
                bytes: sent,
                seconds: takes,
                events,
            } => {
                let own = self.events(hit.device, events);
                let title = format!("{name}, {}", changes_text(arrive, leave));
                rows = vec![row("Before", span_of(hit.from, hit.to))];
                for arrives in [true, false] {
                    let some: Vec<&BlockMove> = own
                        .iter()
                        .filter(|event| event.arrives == arrives)
                        .map(|event| &self.index.data.moves[event.number])
                        .collect();
                    let (what, others) = if arrives {
                        ("Arrive", "from")
                    } else {
                        ("Leave", "to")
                    };
                    if let Some(said) =
                        self.moved(&some, others, |one| if arrives { one.from } else { one.to })
                    {
                        rows.push(row(what, said));
                    }
                }
                let spoken = format!(
                    "{title}, before {}, {} in {}",
                    token_range_label(hit.from, hit.to),
                    bytes(sent),
                    seconds(takes)
                );
                rows.extend(cost(sent, takes));
                MarkWords {
                    title,
                    rows,
                    aria_label: spoken,
                    notes: Vec::new(),
                }
            }
            HeadPart::Share {
                projection,
                ffn,
                projection_arrives,
                ffn_arrives,
                bytes: sent,
                seconds: takes,
            } => {
                let what = match (projection, ffn) {
                    (0, _) => "FFN",
                    (_, 0) => "projection",
                    _ => "projection and FFN",
                };
                rows.truncate(1);
                rows.push(row("FFN here", of_tokens(ffn)));
                rows.push(row("Projection here", of_tokens(projection)));
                let times = |n: usize| plural(n, "time");
                if projection_arrives > 0 {
                    rows.push(row("Projection arrives", times(projection_arrives)));
                }
                if ffn_arrives > 0 {
                    rows.push(row("FFN arrives", times(ffn_arrives)));
                }
                if projection_arrives + ffn_arrives > 0 {
                    rows.extend(cost(sent, takes));
                }
                let mut words = words(format!("{name}, {what}"), rows, hit);
                words.aria_label.push_str(&format!(
                    ", FFN for {}, projection for {}",
                    of_tokens(ffn),
                    of_tokens(projection)
                ));
                words
            }
            HeadPart::Arrow { moves: (from, to) } => {
                let some: Vec<&BlockMove> = self.index.data.moves.get(from..to)?.iter().collect();
                let source = some.first().map_or("", |one| self.name(one.from));
                let what = names(&some);
                let (sent, takes) = (
                    some.iter().map(|one| one.bytes).sum(),
                    some.iter().map(|one| one.seconds).sum(),
                );
                let title = format!("{source} to {name}, {}", blocks(&some));
                rows = vec![row("Moves", what), row("Before", span_of(hit.from, hit.to))];
                rows.extend(cost(sent, takes));
                let spoken = format!(
                    "{title}, before token {}, {} in {}",
                    hit.from,
                    bytes(sent),
                    seconds(takes)
                );
                MarkWords {
                    title,
                    rows,
                    aria_label: spoken,
                    notes: Vec::new(),
                }
            }
        })
    }
}

impl HeadMarks {
    fn events(&self, device: usize, (from, to): (usize, usize)) -> &[HeadEvent] {
        let rows = &self.index.data.rows;
        rows.get(device)
            .and_then(|row| row.heads.get(from..to))
            .unwrap_or(&[])
    }

    fn name(&self, device: usize) -> &str {
        let devices = &self.index.data.devices;
        devices
            .get(device)
            .map_or("", |device| device.name.as_str())
    }

    /// `8.9 Gop/s, controller`: what a narrow gutter leaves out; `None` where there is nothing to say.
    fn device_text(&self, device: usize) -> Option<(String, String)> {
        let of = self.index.data.devices.get(device)?;
        let note = (!of.note.is_empty())
            .then(|| format!("{}{NARROW}{}", of.note, self.index.data.note_title));
        let role = of.is_controller.then(|| "controller".to_owned());
        let said: Vec<String> = note.into_iter().chain(role).collect();
        (!said.is_empty()).then(|| ("Device".to_owned(), said.join(", ")))
    }

    /// `head 7 from D22`, of several that come from one device or go to one; else how many from where.
    fn moved(
        &self,
        some: &[&BlockMove],
        word: &str,
        other: impl Fn(&BlockMove) -> usize,
    ) -> Option<String> {
        let first = some.first()?;
        let all_there = some.iter().all(|one| other(one) == other(first));
        let there = if all_there {
            format!("{word} {}", self.name(other(first)))
        } else {
            let mut devices: Vec<usize> = some.iter().map(|one| other(one)).collect();
            devices.sort_unstable();
            devices.dedup();
            match devices.as_slice() {
                [a, b] => format!("{word} {} and {}", self.name(*a), self.name(*b)),
                many => format!("{word} {} devices", many.len()),
            }
        };
        Some(format!("{} {there}", names(some)))
    }
}

/// The words of a cell or a bin.
fn words(title: String, rows: Vec<(String, String)>, hit: &HeadHit) -> MarkWords {
    MarkWords {
        aria_label: format!("{title}, {}", token_range_label(hit.from, hit.to)),
        title,
        rows,
        notes: Vec::new(),
    }
}

/// Returns the rows of a card for bytes sent over links, and their time.
fn cost(sent: f64, takes: f64) -> [(String, String); 2] {
    [row("Sent", bytes(sent)), row("Takes", seconds(takes))]
}

fn plural(n: usize, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {what}{s}", count(n as f64))
}

/// `1 to 640`, or the one.
fn span(from: usize, to: usize) -> String {
    if from == to {
        return count(from as f64);
    }
    format!("{} to {}", count(from as f64), count(to as f64))
}

fn span_of(from: usize, to: usize) -> String {
    tokens_text(from, to)
}

/// `2 heads arrive, 1 leaves`.
fn changes_text(arrive: usize, leave: usize) -> String {
    let verb = |n: usize, verb: &str| {
        let s = if n == 1 { "s" } else { "" };
        format!("{verb}{s}")
    };
    match (arrive, leave) {
        (n, 0) => format!("{} {}", plural(n, "head"), verb(n, "arrive")),
        (0, n) => format!("{} {}", plural(n, "head"), verb(n, "leave")),
        (a, b) => format!(
            "{} {}, {} {}",
            plural(a, "head"),
            verb(a, "arrive"),
            count(b as f64),
            verb(b, "leave")
        ),
    }
}

/// `head 7`, `heads 4, 7 and 19`, `projection and FFN`; of very many how many.
fn names(some: &[&BlockMove]) -> String {
    let mut heads: Vec<usize> = some
        .iter()
        .filter_map(|one| match one.block {
            MovedBlock::Head(at) => Some(at + 1),
            _ => None,
        })
        .collect();
    heads.sort_unstable();
    heads.dedup();
    let has = |block: MovedBlock| some.iter().any(|one| one.block == block);
    let mut parts: Vec<String> = Vec::new();
    match heads.as_slice() {
        [] => {}
        [one] => parts.push(format!("head {one}")),
        [first @ .., last] if heads.len() <= MOST_NAMES => {
            let first: Vec<String> = first.iter().map(usize::to_string).collect();
            parts.push(format!("heads {} and {last}", first.join(", ")));
        }
        many => parts.push(format!("{} heads", many.len())),
    }
    parts.extend(has(MovedBlock::Projection).then(|| "projection".to_owned()));
    parts.extend(has(MovedBlock::Ffn).then(|| "FFN".to_owned()));
    match parts.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Names some blocks: `3 heads`, `projection and FFN`.
fn blocks(some: &[&BlockMove]) -> String {
    let is_head = |one: &&&BlockMove| matches!(one.block, MovedBlock::Head(_));
    match some.iter().filter(is_head).count() {
        n if n > 1 && n == some.len() => plural(n, "head"),
        _ => names(some),
    }
}
