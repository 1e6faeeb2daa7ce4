//! What is known about each mark of a map: for the card under a pointer and the keys.

use super::arrows;
use super::axis::{tokens_spoken, tokens_told};
use super::index::Event;
use super::layout::RowOf;
use super::{BlockMove, HeadChart, LEAST_TOKENS, MovedBlock};
use crate::gantt::{Step, View};
use crate::held::{Held, Place};
use crate::ink::Ink;
use crate::mark::{Mark, Picture, Rect, Shape};
use crate::scale::TimeScale;
use engine::units::{NARROW, bytes, count, seconds};

/// What a mark of a map stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HeadPart {
    /// A device holding so many heads, or none.
    Held {
        /// How many.
        heads: usize,
    },
    /// Runs of tokens too slim to be told apart, one after another.
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
        /// What goes over links for them [B].
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
        /// What goes over links for them [B].
        bytes: f64,
        /// How long that takes, one after another [s].
        seconds: f64,
    },
    /// What goes from one device to another just before the token with the line.
    Arrow {
        /// From and to among all moves.
        moves: (usize, usize),
    },
}

/// A mark that a pointer or a key can reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadHit {
    /// Where it stands [px]; `None` just outside the visible span.
    pub rect: Option<Rect>,
    /// Its row, from 0: strips count.
    pub row: usize,
    /// Its device, from 0; of an arrow, where it leads.
    pub device: usize,
    /// What it is.
    pub part: HeadPart,
    /// First token; what moves is there from this one on.
    pub from: usize,
    /// Last token.
    pub to: usize,
}

impl HeadHit {
    /// Cells before what moves at their first token, and arrows last.
    pub(super) fn order(&self) -> (usize, u8) {
        let kind = match self.part {
            HeadPart::Moves { .. } => 1,
            HeadPart::Arrow { .. } => 2,
            HeadPart::Held { .. } | HeadPart::Mixed { .. } | HeadPart::Share { .. } => 0,
        };
        (self.from, kind)
    }

    fn place(&self) -> Place {
        Place {
            rect: self.rect,
            row: self.row,
            from_s: self.from as f64 - 1.0,
            to_s: self.to as f64,
        }
    }

    /// Whether it lies in a row and is neither cell nor bin.
    fn moves(&self) -> bool {
        matches!(self.part, HeadPart::Moves { .. } | HeadPart::Arrow { .. })
    }
}

/// What is said about a mark: for the card and the keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkWords {
    /// Title of the card.
    pub title: String,
    /// Rows of the card: name and value.
    pub rows: Vec<(String, String)>,
    /// All of it as one spoken line.
    pub spoken: String,
}

/// Slimmer marks are caught as if they were this wide [px].
const CATCH_PX: f64 = 8.0;
/// Most names of heads that a card says.
const MOST_NAMES: usize = 8;
/// Most moves of a tick for which arrows are drawn under a pointer.
const MOST_ARROWS: usize = 24;

impl HeadChart {
    /// The mark at a point [px], or `None` on empty ground. What moves goes before what it lies on.
    ///
    /// # Complexity
    /// O(log rows + marks of the row + arrows).
    #[must_use]
    pub fn hit_at(&self, x: f64, y: f64) -> Option<usize> {
        let row = self.bands.partition_point(|band| band.bottom() < y);
        let own = self.rows.get(row).cloned().unwrap_or(0..0);
        let arrows = self.arrows.iter().copied();
        let caught = arrows.chain(own).filter_map(|at| {
            let (hit, rect) = (&self.hits[at], self.hits[at].rect?);
            let slack = (CATCH_PX - rect.w).max(0.0) / 2.0;
            let wider = Rect::new(rect.x - slack, rect.y, rect.w + 2.0 * slack, rect.h);
            let away = (rect.x + rect.w / 2.0 - x).abs();
            wider.contains(x, y).then_some((at, !hit.moves(), away))
        });
        caught
            .min_by(|a, b| a.1.cmp(&b.1).then(a.2.total_cmp(&b.2)))
            .map(|(at, ..)| at)
    }

    /// Where a step of the keyboard leads, or `None` at the border. In a row it may lead to what lies just outside the
    /// visible span. The chain is what moves in the row, and after the last the first again.
    #[must_use]
    pub fn neighbour(&self, hit: usize, step: Step) -> Option<usize> {
        let here = self.hits.get(hit)?;
        let row = self.rows.get(here.row)?.clone();
        match step {
            Step::Earlier => hit.checked_sub(1).filter(|at| row.contains(at)),
            Step::Later => Some(hit + 1).filter(|at| row.contains(at)),
            Step::First => Some(row.start),
            Step::Last => row.last(),
            Step::Above => (0..here.row)
                .rev()
                .find_map(|row| self.at_token_in(row, here)),
            Step::Below => {
                (here.row + 1..self.rows.len()).find_map(|row| self.at_token_in(row, here))
            }
            Step::Chain => {
                let moves = |at: &usize| self.hits[*at].moves();
                let after = (hit + 1..row.end).find(moves);
                after.or_else(|| (row.start..=hit).find(moves))
            }
        }
    }

    /// The visible mark of a row whose tokens are nearest to the middle of a given one's.
    fn at_token_in(&self, row: usize, to: &HeadHit) -> Option<usize> {
        let middle = (to.from + to.to) as f64 / 2.0;
        let away = |hit: &HeadHit| {
            let (from, to) = (hit.from as f64, hit.to as f64);
            (from - middle).max(middle - to).max(0.0)
        };
        let seen = self.rows[row].clone();
        seen.filter(|at| self.hits[*at].rect.is_some())
            .min_by(|a, b| away(&self.hits[*a]).total_cmp(&away(&self.hits[*b])))
    }

    /// The picture as it looks under a pointer: the device's rows lit, a frame round a cell, the ways of what moves.
    #[must_use]
    pub fn lit(&self, hit: usize) -> Picture {
        let mut picture = self.picture.clone();
        let Some(hit) = self.hits.get(hit) else {
            return picture;
        };
        let own = self.frame.rows.iter().zip(&self.bands).filter(
            |(row, _)| matches!(row.0, RowOf::Device(at) | RowOf::Strip(at) if at == hit.device),
        );
        let bands: Vec<Mark> = own.map(|(_, band)| Mark::fill(Ink::Band, *band)).collect();
        picture.marks.splice(0..0, bands);
        let Some(rect) = hit.rect else {
            return picture;
        };
        match hit.part {
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
                let frame = Shape::Frame { rect, dash: &[] };
                picture.marks.push(Mark::new(Ink::Text, frame));
            }
        }
        picture
    }

    fn events(&self, device: usize, (from, to): (usize, usize)) -> &[Event] {
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
    fn device_told(&self, device: usize) -> Option<(String, String)> {
        let of = self.index.data.devices.get(device)?;
        let note = (!of.note.is_empty())
            .then(|| format!("{}{NARROW}{}", of.note, self.index.data.note_title));
        let role = of.is_controller.then(|| "controller".to_owned());
        let said: Vec<String> = note.into_iter().chain(role).collect();
        (!said.is_empty()).then(|| ("Device".to_owned(), said.join(", ")))
    }

    /// What the card of a hit says; `None` where there is no such hit.
    #[must_use]
    pub fn words(&self, hit: usize) -> Option<MarkWords> {
        let hit = self.hits.get(hit)?;
        let name = self.name(hit.device);
        let row = |name: &str, value: String| (name.to_owned(), value);
        let run = hit.to - hit.from + 1;
        let mut rows = vec![row("Tokens", span(hit.from, hit.to))];
        if run > 1 {
            rows.push(row("Number", format!("{} tokens", count(run as f64))));
        }
        let of_tokens = |n: usize| format!("{} of {}", count(n as f64), plural(run, "token"));
        Some(match hit.part {
            HeadPart::Held { heads } => {
                let held = if heads == 0 {
                    "no head".to_owned()
                } else {
                    plural(heads, "head")
                };
                rows.insert(0, row("Heads", heads.to_string()));
                rows.extend(self.device_told(hit.device));
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
                rows.extend(self.device_told(hit.device));
                let mut words = words(format!("{name}, {least} to {most} heads"), rows, hit);
                words.spoken.push_str(&format!(", {mean:.2} on average"));
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
                let title = format!("{name}, {}", come_and_go(arrive, leave));
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
                    tokens_spoken(hit.from, hit.to),
                    bytes(sent),
                    seconds(takes)
                );
                rows.extend(cost(sent, takes));
                MarkWords {
                    title,
                    rows,
                    spoken,
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
                words.spoken.push_str(&format!(
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
                    spoken,
                }
            }
        })
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
        spoken: format!("{title}, {}", tokens_spoken(hit.from, hit.to)),
        title,
        rows,
    }
}

/// What goes over links, and how long that takes.
fn cost(sent: f64, takes: f64) -> [(String, String); 2] {
    [
        ("Sent".to_owned(), bytes(sent)),
        ("Takes".to_owned(), seconds(takes)),
    ]
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
    tokens_told(from, to)
}

/// `2 heads arrive, 1 leaves`.
fn come_and_go(arrive: usize, leave: usize) -> String {
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

/// The same in short: `3 heads`, `projection and FFN`.
fn blocks(some: &[&BlockMove]) -> String {
    let is_head = |one: &&&BlockMove| matches!(one.block, MovedBlock::Head(_));
    match some.iter().filter(is_head).count() {
        n if n > 1 && n == some.len() => plural(n, "head"),
        _ => names(some),
    }
}

/// A visible span of tokens in words.
pub(super) fn told_span(view: View) -> String {
    let from = libm::floor(view.from_s).max(0.0) as usize + 1;
    let to = libm::ceil(view.to_s).max(0.0) as usize;
    tokens_spoken(from, to.max(from))
}

impl Held for HeadChart {
    fn picture(&self) -> &Picture {
        &self.picture
    }

    fn axis(&self) -> Option<&Picture> {
        Some(&self.axis)
    }

    fn scale(&self) -> Option<&TimeScale> {
        Some(&self.scale)
    }

    fn bands(&self) -> &[Rect] {
        &self.bands
    }

    fn count(&self) -> usize {
        self.hits.len()
    }

    fn place(&self, hit: usize) -> Option<Place> {
        self.hits.get(hit).map(HeadHit::place)
    }

    fn at(&self, x: f64, y: f64) -> Option<usize> {
        self.hit_at(x, y)
    }

    fn beside(&self, hit: usize, step: Step) -> Option<usize> {
        self.neighbour(hit, step)
    }

    /// Cells and bins merge and part with the view: where the same is not there, what holds the middle of the old.
    fn again(&self, place: &Place) -> Option<usize> {
        let row = self.rows.get(place.row)?.clone();
        let of = |at: usize| self.hits[at].place();
        let is_same = |at: &usize| {
            let here = of(*at);
            (here.from_s, here.to_s) == (place.from_s, place.to_s)
        };
        let middle = (place.from_s + place.to_s) / 2.0;
        let holds = |at: &usize| {
            let here = of(*at);
            here.from_s <= middle && middle <= here.to_s && !self.hits[*at].moves()
        };
        row.clone()
            .find(is_same)
            .or_else(|| row.clone().find(holds))
    }

    fn least_span(&self) -> f64 {
        LEAST_TOKENS
    }

    fn shade(&self, hit: usize) -> Option<usize> {
        let devices = &self.index.data.devices;
        Some(devices.get(self.hits.get(hit)?.device)?.shade)
    }

    fn value_at(&self, x: f64) -> Option<f64> {
        self.token_at(x).map(|token| token as f64)
    }

    fn told_span(&self, view: View, _: f64) -> String {
        told_span(view)
    }

    fn words(&self, hit: usize) -> Option<MarkWords> {
        Self::words(self, hit)
    }

    fn lit_by(&self, hit: usize) -> Picture {
        self.lit(hit)
    }

    fn ring_of(&self, hit: usize) -> Option<Mark> {
        let rect = self.hits.get(hit)?.rect?;
        Some(Mark::new(Ink::Focus, Shape::Ring { rect }).of(hit))
    }
}
