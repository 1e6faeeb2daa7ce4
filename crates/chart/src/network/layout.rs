//! Where everything in a network stands: side by side where there is room, under one another on a phone.

use super::{
    CutAxis, CutPlace, NetworkPart, PlacedDiagram, TierBox, TierDiagram, TierDiagramParts, facts,
    pass,
};
use crate::ink::Ink;
use crate::interaction::{ChartLayout, InteractiveChart, VerticalNavigation};
use crate::mark::{Anchor, Edge, Mark, MarkShape, Picture, Rect, fit, text_width};
use crate::scale::TimeFormat;
use engine::units::seconds;

/// Below this width [px] there is one tier a row.
const PHONE_PX: f64 = 560.0;
/// Narrower ground is taken for this wide [px].
const LEAST_PX: f64 = 120.0;
/// Size of a tier's name [px].
const NAME_SIZE: f64 = 13.0;
/// Size of text [px].
pub(super) const TEXT_SIZE: f64 = 12.0;
/// Size of captions [px].
pub(super) const SMALL_SIZE: f64 = 11.0;
/// Where a name starts, right of its shade [px].
const NAME_X: f64 = 16.0;

/// Outlines behind a tier: one from the next [px], and at most so many.
const STACK_STEP_PX: f64 = 4.0;
const MOST_OUTLINES: usize = 2;
/// Room for them [px].
const STACK_PX: f64 = STACK_STEP_PX * MOST_OUTLINES as f64;
/// From a box to its cells [px].
const PAD_PX: f64 = 3.0;
/// Air round a number in its cell [px].
const LABEL_AIR: f64 = 4.0;
/// A box on a phone is at least this wide [px].
const LEAST_BOX_PX: f64 = 24.0;
/// Slimmer cells merge into a bar [px].
const LEAST_CELL_PX: f64 = 3.0;
/// Embedding and head are at least so wide [px].
const EXTRA_PX: f64 = 16.0;
/// From tier to tier where there are few, and where there are many [px].
const GAPS_PX: (f64, f64) = (66.0, 40.0);
/// Most tiers with the wide gap.
const FEW_TIERS: usize = 4;
/// A tier is this wide where it can be, so that its words fit [px].
const LEAST_TIER_PX: f64 = 96.0;

/// Upper edge and height of a box, side by side [px].
const BOX_Y: f64 = 48.0;
const BOX_PX: f64 = 46.0;
/// A row on a phone [px]: its box from its top, the box' height, all without and with a hop below.
const ROW_BOX_Y: f64 = 28.0;
const ROW_BOX_PX: f64 = 34.0;
const ROW_PX: f64 = 88.0;
const ROW_AND_HOP_PX: f64 = 122.0;
/// Length of a cut's line [px], upright and level.
const CUT_UP_PX: f64 = 66.0;
const CUT_LEVEL_PX: f64 = 120.0;

/// Lays a network out on `width_px`.
///
/// # Complexity
/// O(tiers squared + blocks), and no more marks than 2 a block and 40 a tier; blocks that would be slimmer than 3 px
/// are one mark a tier.
#[must_use]
pub fn layout_network(network: &TierDiagram, width_px: f64) -> InteractiveChart<TierDiagramParts> {
    let width = if width_px > LEAST_PX {
        width_px
    } else {
        LEAST_PX
    };
    let mut board = TierBoard {
        network,
        format: facts::format(network),
        marks: Vec::new(),
        all: Vec::new(),
        cuts: Vec::new(),
        bands: Vec::new(),
    };
    let foot = if network.tiers.is_empty() {
        let text = "Add a tier to see a network.";
        board.text(
            (0.0, 14.0),
            NAME_SIZE,
            Ink::Text3,
            false,
            Anchor::Start,
            text,
        );
        return board.done(width, 24.0);
    } else if width < PHONE_PX {
        board.rows(width)
    } else {
        board.columns(width)
    };
    let height = pass::draw(&mut board, width, foot + 18.0);
    board.done(width, height)
}

/// A chart in the making.
pub(super) struct TierBoard<'a> {
    pub network: &'a TierDiagram,
    pub format: TimeFormat,
    pub marks: Vec<Mark>,
    all: Vec<PlacedDiagram>,
    cuts: Vec<CutPlace>,
    bands: Vec<Rect>,
}

/// How wide cells are [px].
#[derive(Clone, Copy)]
struct Cells {
    block: f64,
    extra: f64,
}

impl Cells {
    /// Width of a box with these cells in it [px].
    fn of(self, tier: &TierBox) -> f64 {
        2.0 * PAD_PX + extras(tier) * self.extra + tier.blocks() as f64 * self.block
    }
}

/// How many cells a tier has beside its blocks.
fn extras(tier: &TierBox) -> f64 {
    f64::from(u8::from(tier.embedding)) + f64::from(u8::from(tier.head))
}

/// The width of a block such that boxes of at least `least` px, all blocks equally wide, fill `room` px.
fn block_px(tiers: &[TierBox], extra: Option<f64>, least: f64, room: f64) -> f64 {
    // Embedding and head are either as wide as a block or of a given width.
    let weight = |tier: &TierBox| {
        let more = if extra.is_none() { extras(tier) } else { 0.0 };
        tier.blocks() as f64 + more
    };
    let base = |tier: &TierBox| 2.0 * PAD_PX + extra.unwrap_or(0.0) * extras(tier);
    let mut is_least: Vec<bool> = tiers.iter().map(|tier| weight(tier) == 0.0).collect();
    // Each round fixes at least one box that would be too narrow, so there are no more rounds than boxes.
    loop {
        let (mut free, mut cells) = (room, 0.0);
        for (tier, is_least) in tiers.iter().zip(&is_least) {
            if *is_least {
                free -= least.max(base(tier));
            } else {
                free -= base(tier);
                cells += weight(tier);
            }
        }
        let px = if cells > 0.0 {
            (free / cells).max(0.0)
        } else {
            0.0
        };
        let mut changed = false;
        for (tier, is_least) in tiers.iter().zip(&mut is_least) {
            if !*is_least && base(tier) + weight(tier) * px < least - 1e-9 {
                (*is_least, changed) = (true, true);
            }
        }
        if changed {
            continue;
        }
        if cells > 0.0 {
            return px;
        }
        // All boxes are as narrow as they may be: the fullest of them says how wide a block is.
        let fullest = |px: f64, tier: &TierBox| {
            let w = weight(tier);
            if w > 0.0 {
                px.min((least - base(tier)).max(0.0) / w)
            } else {
                px
            }
        };
        let px = tiers.iter().fold(f64::INFINITY, fullest);
        return if px.is_finite() { px } else { 0.0 };
    }
}

impl TierBoard<'_> {
    pub fn hit(&mut self, what: NetworkPart, rect: Rect) -> usize {
        self.all.push(PlacedDiagram { what, rect });
        self.all.len() - 1
    }

    pub fn text(
        &mut self,
        at: (f64, f64),
        size: f64,
        ink: Ink,
        strong: bool,
        anchor: Anchor,
        text: impl Into<String>,
    ) {
        let mark = Mark::text(ink, size, anchor, at, text);
        self.marks.push(if strong { mark.strong() } else { mark });
    }

    /// The first of some wordings that fits into `room` px, from a place to the right; the last one is cut.
    fn fitting_text(
        &mut self,
        at: (f64, f64),
        look: (f64, Ink, bool),
        room: f64,
        wordings: &[String],
    ) {
        let (size, ink, strong) = look;
        let fits = |text: &&String| text_width(text, size, strong) <= room;
        let text = match wordings.iter().find(fits) {
            Some(text) => text.clone(),
            None => {
                let last = wordings.last().map_or("", String::as_str);
                let plain = if strong { room / 1.09 } else { room };
                let cut = fit(last, plain, size);
                if text_width(&cut, size, strong) > room {
                    return;
                }
                cut
            }
        };
        if !text.is_empty() {
            self.text(at, size, ink, strong, Anchor::Start, text);
        }
    }

    /// Side by side; answers where the network ends [px].
    fn columns(&mut self, width: f64) -> f64 {
        let tiers = &self.network.tiers;
        let n = tiers.len();
        let gaps = (n - 1) as f64;
        let gap = if n <= FEW_TIERS { GAPS_PX.0 } else { GAPS_PX.1 };
        let gap = gap.min((width / 2.0 / gaps.max(1.0)).max(1.0));
        let room = (width - STACK_PX - gaps * gap).max(1.0);
        let least = LEAST_TIER_PX.min(room / n as f64);
        let cells = match block_px(tiers, None, least, room) {
            block if block >= EXTRA_PX => Cells {
                block,
                extra: block,
            },
            _ => {
                let block = block_px(tiers, Some(EXTRA_PX), least, room);
                Cells {
                    block,
                    extra: EXTRA_PX.min(least / 3.0),
                }
            }
        };
        let mut x = 0.0;
        for (at, tier) in tiers.iter().enumerate() {
            let w = cells.of(tier).max(least);
            let rect = Rect::new(x, BOX_Y, w, BOX_PX);
            self.bands
                .push(Rect::new(x - 4.0, 0.0, w + 8.0, BOX_Y + BOX_PX + 40.0));
            self.head(tier, (x, 14.0), w);
            let held = content_wordings(tier);
            self.fitting_text((x, 31.0), (TEXT_SIZE, Ink::Text2, false), w, &held);
            self.tier(at, rect, cells);
            let under = rect.bottom() + 20.0;
            let pace = self.pace(at);
            let look = self.pace_look(at);
            self.fitting_text((x, under), look, w, &pace);
            let (ink, room) = self.room_words(at);
            self.fitting_text((x, under + 15.0), (SMALL_SIZE, ink, !tier.fits), w, &room);
            if at + 1 < n {
                self.hop_across(at, rect, gap, cells.block);
            }
            x += w + gap;
        }
        BOX_Y + BOX_PX + 40.0
    }

    /// Under one another; answers where the network ends [px].
    fn rows(&mut self, width: f64) -> f64 {
        let tiers = &self.network.tiers;
        let inner = (width - STACK_PX - 2.0 * PAD_PX).max(1.0);
        let narrowest = |of: &dyn Fn(&TierBox) -> f64| {
            let px = tiers.iter().map(of).filter(|px| px.is_finite());
            px.fold(inner, f64::min).max(0.0)
        };
        let as_blocks = narrowest(&|t| inner / (t.blocks() as f64 + extras(t)));
        let cells = if as_blocks >= EXTRA_PX {
            Cells {
                block: as_blocks.min(40.0),
                extra: as_blocks.min(40.0),
            }
        } else {
            let block = narrowest(&|t| (inner - EXTRA_PX * extras(t)) / t.blocks() as f64);
            Cells {
                block,
                extra: EXTRA_PX,
            }
        };
        let (n, mut y) = (tiers.len(), 0.0);
        for (at, tier) in tiers.iter().enumerate() {
            self.bands.push(Rect::new(0.0, y, width, ROW_PX - 2.0));
            let pace = self.pace(at);
            let (size, ink, strong) = self.pace_look(at);
            let room = 0.55 * width;
            let text = pace
                .into_iter()
                .find(|text| text_width(text, size, strong) <= room);
            let taken = text
                .as_ref()
                .map_or(0.0, |text| text_width(text, size, strong) + 8.0);
            if let Some(text) = text {
                self.text((width, y + 14.0), size, ink, strong, Anchor::End, text);
            }
            self.head(tier, (0.0, y + 14.0), width - taken);
            let w = if tier.blocks() == 0 {
                width / 2.0
            } else {
                cells.of(tier).max(LEAST_BOX_PX)
            };
            let rect = Rect::new(0.0, y + ROW_BOX_Y, w.min(width - STACK_PX), ROW_BOX_PX);
            self.tier(at, rect, cells);
            let base = rect.bottom() + 19.0;
            let (ink, words) = self.room_words(at);
            let bad = !tier.fits;
            let fits = |text: &&String| text_width(text, SMALL_SIZE, bad) <= width / 2.0;
            let mut left = width;
            if let Some(text) = words.iter().find(fits) {
                left -= text_width(text, SMALL_SIZE, bad) + 8.0;
                self.text(
                    (width, base),
                    SMALL_SIZE,
                    ink,
                    bad,
                    Anchor::End,
                    text.clone(),
                );
            }
            self.fitting_text(
                (0.0, base),
                (SMALL_SIZE, Ink::Text2, false),
                left,
                &content_wordings(tier),
            );
            if at + 1 < n {
                self.hop_down(at, (width, y), cells.block);
                y += ROW_AND_HOP_PX;
            }
        }
        y + ROW_PX
    }

    /// Shade, name and count of nodes.
    fn head(&mut self, tier: &TierBox, (x, base): (f64, f64), room: f64) {
        self.marks.push(Mark::edged(
            Ink::device(tier.shade),
            (Ink::DevEdge, &[]),
            2.0,
            Rect::new(x, base - 9.5, 10.0, 10.0),
        ));
        let nodes = facts::nodes(tier);
        let wordings = [
            format!("{}, {nodes}", tier.name),
            format!("{} ×{}", tier.name, tier.nodes),
            tier.name.clone(),
        ];
        let long = text_width(&wordings[1], NAME_SIZE, true) > room - NAME_X;
        // A name that is cut keeps its count where both can be read.
        let cut = long.then(|| {
            let times = format!(" ×{}", tier.nodes);
            let left = room - NAME_X - text_width(&times, NAME_SIZE, true);
            (left > 40.0).then(|| fit(&tier.name, left / 1.09, NAME_SIZE) + &times)
        });
        let wordings = match cut.flatten() {
            Some(cut) => vec![cut],
            None => wordings.to_vec(),
        };
        let look = (NAME_SIZE, Ink::Text, true);
        self.fitting_text((x + NAME_X, base), look, room - NAME_X, &wordings);
    }

    /// Returns true if a tier is the slowest.
    pub fn is_slowest(&self, at: usize) -> bool {
        self.network.slowest == Some(at)
    }

    fn pace(&self, at: usize) -> Vec<String> {
        let takes = self.format.with_unit(self.network.tiers[at].pass_s);
        if self.is_slowest(at) {
            let slowest = || "slowest".to_owned();
            return vec![
                format!("{takes} per pass, slowest"),
                format!("{takes}, slowest"),
                slowest(),
            ];
        }
        vec![format!("{takes} per pass"), takes]
    }

    fn pace_look(&self, at: usize) -> (f64, Ink, bool) {
        if self.is_slowest(at) {
            (TEXT_SIZE, Ink::Text, true)
        } else {
            (TEXT_SIZE, Ink::Text2, false)
        }
    }

    fn room_words(&self, at: usize) -> (Ink, Vec<String>) {
        let tier = &self.network.tiers[at];
        if !tier.fits {
            let no = "does not fit";
            let long = format!("{no}: {}", facts::memory(tier));
            return (
                Ink::BadText,
                vec![long, no.to_owned(), "too big".to_owned()],
            );
        }
        let words = match tier.block_capacity {
            Some(n) => vec![
                format!("room for {}", facts::plural(n, "block")),
                format!("room for {n}"),
            ],
            None => vec![facts::memory(tier)],
        };
        (Ink::Text3, words)
    }

    /// A tier's box with its further nodes behind it and its cells in it.
    fn tier(&mut self, at: usize, rect: Rect, cells: Cells) {
        let tier = &self.network.tiers[at];
        let hit = self.hit(NetworkPart::Tier(at), rect);
        let from = self.marks.len();
        for k in (1..tier.nodes.min(MOST_OUTLINES + 1)).rev() {
            let off = STACK_STEP_PX * k as f64;
            let behind = Rect::new(rect.x + off, rect.y - off, rect.w, rect.h);
            self.marks
                .push(boxed(Ink::Background, Ink::HandOver, &[2.0, 2.0], behind));
        }
        let is_empty = tier.blocks() == 0;
        let (ground, edge, dash): (_, _, &'static [f64]) = match (tier.fits, is_empty) {
            (false, _) => (Ink::Band, Ink::BadMark, &[]),
            (true, true) => (Ink::Background, Ink::HandOver, &[4.0, 3.0]),
            (true, false) => (Ink::Band, Ink::HandOver, &[]),
        };
        self.marks.push(boxed(ground, edge, dash, rect));
        if !tier.fits {
            self.marks
                .push(Mark::frame(Ink::BadMark, &[], rect.grown(-1.0)));
        }
        if self.is_slowest(at) {
            let line = Rect::new(rect.x, rect.bottom() + 2.0, rect.w, 3.0);
            self.marks.push(Mark::fill(Ink::Text, line));
        }
        for mark in &mut self.marks[from..] {
            mark.hit = Some(hit);
        }
        self.cells(at, rect, cells);
    }

    fn cells(&mut self, at: usize, rect: Rect, cells: Cells) {
        let tier = &self.network.tiers[at];
        let (y, h) = (rect.y + PAD_PX, rect.h - 2.0 * PAD_PX);
        let mut x = rect.x + PAD_PX;
        let extra = |board: &mut Self, x: f64, what, letter: &str| {
            let cell = Rect::new(x, y, (cells.extra - 1.0).max(1.0), h);
            let hit = board.hit(what, cell);
            board
                .marks
                .push(boxed(Ink::Background, Ink::HandOver, &[2.0, 2.0], cell).of(hit));
            if text_width(letter, SMALL_SIZE, false) + 2.0 <= cell.w {
                let at = (x + cell.w / 2.0, y + h / 2.0 + 4.0);
                let label = Mark::text(Ink::Text2, SMALL_SIZE, Anchor::Middle, at, letter);
                board.marks.push(label.of(hit));
            }
        };
        if tier.embedding {
            extra(self, x, NetworkPart::Embedding(at), "E");
            x += cells.extra;
        }
        let n = tier.blocks();
        if n == 0 {
            let free = rect.right() - PAD_PX - x - extras(tier) * cells.extra;
            let at = (x + 6.0, y + h / 2.0 + 4.0);
            self.fitting_text(
                at,
                (SMALL_SIZE, Ink::Text3, false),
                free - 6.0,
                &["no blocks".into(), "none".into()],
            );
        } else {
            self.blocks(at, Rect::new(x, y, n as f64 * cells.block, h), cells.block);
            x += n as f64 * cells.block;
        }
        if tier.head {
            extra(
                self,
                x.min(rect.right() - PAD_PX - cells.extra),
                NetworkPart::Head(at),
                "H",
            );
        }
    }

    /// The blocks of a tier: cells with numbers, cells, or one bar.
    fn blocks(&mut self, at: usize, rect: Rect, px: f64) {
        let tier = &self.network.tiers[at];
        let hit = self.hit(NetworkPart::Blocks(at), rect);
        let (fill, ink) = (Ink::device(tier.shade), Ink::on_device(tier.shade));
        let base = rect.y + rect.h / 2.0 + 4.0;
        if px < LEAST_CELL_PX {
            self.marks.push(Mark::bar(fill, Ink::DevEdge, rect).of(hit));
            let n = tier.blocks();
            for text in [facts::plural(n, "block"), n.to_string()] {
                if text_width(&text, TEXT_SIZE, false) + 2.0 * LABEL_AIR <= rect.w {
                    let at = (rect.x + rect.w / 2.0, base);
                    self.marks
                        .push(Mark::text(ink, TEXT_SIZE, Anchor::Middle, at, text).of(hit));
                    break;
                }
            }
            return;
        }
        let w = px - if px >= 10.0 { 2.0 } else { 1.0 };
        let widest = tier.last.to_string();
        let fits = |size: &f64| text_width(&widest, *size, false) + 2.0 * LABEL_AIR <= w;
        let size = [TEXT_SIZE, SMALL_SIZE].into_iter().find(fits);
        for (k, block) in (tier.first..=tier.last).enumerate() {
            let x = rect.x + k as f64 * px;
            let cell = Rect::new(x, rect.y, w, rect.h);
            self.marks.push(Mark::bar(fill, Ink::DevEdge, cell).of(hit));
            if let Some(size) = size {
                let at = (x + w / 2.0, base);
                let number = Mark::text(ink, size, Anchor::Middle, at, block.to_string());
                self.marks.push(number.of(hit));
            }
        }
    }

    /// The hop after a tier that is left of the next, and the place of the cut on it.
    fn hop_across(&mut self, at: usize, before: Rect, gap: f64, px_per_block: f64) {
        let (from, to) = (before.right() + STACK_PX + 2.0, before.right() + gap - 2.0);
        let y = before.y + before.h / 2.0;
        let x = (from + to) / 2.0;
        self.cut(at, (x, y), CUT_UP_PX, px_per_block, CutAxis::Across);
        let Some(hop) = self.network.hops.get(at) else {
            return;
        };
        let rect = Rect::new(from, before.y, (to - from).max(1.0), before.h);
        let hit = self.hit(NetworkPart::Hop(at), rect);
        let tip = [(to - 5.0, y - 4.5), (to, y), (to - 5.0, y + 4.5)];
        self.arrow([(from, y), (to, y)], tip, hit);
        let text = seconds(hop.decode_s);
        if text_width(&text, SMALL_SIZE, false) + 4.0 <= gap {
            let at = (before.right() + gap / 2.0, before.bottom() + 20.0);
            let label = Mark::text(Ink::Text3, SMALL_SIZE, Anchor::Middle, at, text);
            self.marks.push(label.of(hit));
        }
    }

    /// The hop after a tier that is over the next, and the place of the cut on it.
    fn hop_down(&mut self, at: usize, (width, row): (f64, f64), px_per_block: f64) {
        let (from, to) = (row + ROW_PX, row + ROW_AND_HOP_PX - 2.0);
        let (x, y) = (width / 2.0, (from + to) / 2.0);
        self.cut(
            at,
            (x, y),
            CUT_LEVEL_PX.min(width / 3.0),
            px_per_block,
            CutAxis::Down,
        );
        let Some(hop) = self.network.hops.get(at) else {
            return;
        };
        let hit = self.hit(NetworkPart::Hop(at), Rect::new(0.0, from, width, to - from));
        let tip = [(x - 4.5, to - 5.0), (x, to), (x + 4.5, to - 5.0)];
        self.arrow([(x, from), (x, to)], tip, hit);
        let room = width / 3.0 - 4.0;
        let (token, prompt) = (seconds(hop.decode_s), seconds(hop.prefill_s));
        let sides = [
            (Anchor::Start, 0.0, [format!("{token} per token"), token]),
            (Anchor::End, width, [format!("{prompt} prefill"), prompt]),
        ];
        for (anchor, x, wordings) in sides {
            let fits = |text: &String| text_width(text, SMALL_SIZE, false) <= room;
            if let Some(text) = wordings.into_iter().find(fits) {
                let label = Mark::text(Ink::Text3, SMALL_SIZE, anchor, (x, y + 4.0), text);
                self.marks.push(label.of(hit));
            }
        }
    }

    fn arrow(&mut self, [from, to]: [(f64, f64); 2], tip: [(f64, f64); 3], hit: usize) {
        self.marks
            .push(Mark::line(Ink::TransferEdge, 2.0, from, to).of(hit));
        self.marks
            .push(Mark::path(Ink::TransferEdge, 2.0, &[], tip.to_vec()).of(hit));
    }

    fn cut(&mut self, before: usize, (x, y): (f64, f64), h: f64, px: f64, axis: CutAxis) {
        let px_per_block = px.max(1.0);
        self.cuts.push(CutPlace {
            x,
            y,
            h,
            before,
            px_per_block,
            axis,
        });
    }

    fn done(self, width: f64, height: f64) -> InteractiveChart<TierDiagramParts> {
        let title = facts::describe(self.network);
        let picture = Picture::of((width, height), title, self.marks);
        let parts = TierDiagramParts {
            network: self.network.clone(),
            all: self.all,
            cuts: self.cuts,
        };
        let laid = ChartLayout {
            bands: self.bands,
            upwards: VerticalNavigation::Plane,
            ..ChartLayout::of(Rect::default(), parts.rows())
        };
        laid.with_describer(picture, parts)
    }
}

/// Describes the content of a tier, in wordings from long to short.
fn content_wordings(tier: &TierBox) -> Vec<String> {
    let blocks = facts::blocks(tier);
    let (before, after) = (
        if tier.embedding { "embedding, " } else { "" },
        if tier.head { " and the head" } else { "" },
    );
    let mut words = vec![format!("{before}{blocks}{after}"), blocks];
    if tier.blocks() > 1 {
        words.push(format!("{}–{}", tier.first, tier.last));
    }
    words
}

/// A box with round corners and an edge.
pub(super) fn boxed(fill: Ink, ink: Ink, dash: &'static [f64], rect: Rect) -> Mark {
    let edge = Some(Edge { ink, dash });
    Mark::new(
        fill,
        MarkShape::Rect {
            rect,
            radius: 2.0,
            edge,
        },
    )
}

#[cfg(test)]
mod tests;
