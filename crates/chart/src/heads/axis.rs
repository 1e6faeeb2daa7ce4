//! An axis of tokens: round ticks at whole tokens, the line at one of them with its tag, and bins for what is shown
//! of several tokens at once.

use crate::ink::Ink;
use crate::mark::{Anchor, Mark, Rect, text_width};
use crate::scale::TimeScale;
use engine::units::InOrder;
use engine::units::count;

/// Size of ticks [px].
const SMALL_SIZE: f64 = 11.0;
/// Between two labels at least [px].
const LABEL_GAP_PX: f64 = 12.0;
/// From tick to tick at least [px], where the chart is wide and where it is narrow.
const TICK_PX: (f64, f64) = (72.0, 56.0);
/// Height of the tag of the line [px], and the air beside its text.
const TAG_PX: f64 = 16.0;
const TAG_AIR_PX: f64 = 7.0;

/// The least number of the steps 1, 2, 5, 10, 20 and so on that is not below `least`.
pub(super) fn step_of(least: f64) -> usize {
    let mut power = 1_usize;
    while power < 100_000_000 {
        for step in [power, 2 * power, 5 * power] {
            if step as f64 >= least {
                return step;
            }
        }
        power *= 10;
    }
    power
}

/// The token whose span holds a place of the axis, as far as there are tokens.
pub(crate) fn token_from_px(scale: &TimeScale, tokens: usize, x: f64) -> Option<usize> {
    let (left, right) = scale.ends_px();
    if !(left..=right).contains(&x) || tokens == 0 {
        return None;
    }
    let before = libm::floor(scale.s_from_px(x)).max(0.0) as usize;
    Some((before + 1).min(tokens))
}

/// The middle of a token [px].
pub(super) fn middle_px(scale: &TimeScale, token: usize) -> f64 {
    scale.px_from_s(token as f64 - 0.5)
}

/// Equal pieces of the axis, from its first token on so that they stay where they are when it is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bins {
    /// Tokens in one.
    pub size: usize,
    /// The first that is seen.
    pub first: usize,
    /// The first after them that is not.
    pub end: usize,
    tokens: usize,
}

impl Bins {
    /// Bins of at least `least_px`.
    pub fn of(scale: &TimeScale, tokens: usize, least_px: f64) -> Self {
        let ((left, right), (from, to)) = (scale.ends_px(), scale.span_s());
        let size = step_of(least_px * (to - from) / (right - left).max(1.0));
        let bin = |token: f64| token.clamp(0.0, tokens as f64) / size as f64;
        Self {
            size,
            first: libm::floor(bin(from)) as usize,
            end: libm::ceil(bin(to)) as usize,
            tokens,
        }
    }

    /// First and last token of a bin.
    pub fn tokens(&self, bin: usize) -> (usize, usize) {
        let from = bin * self.size + 1;
        (from, ((bin + 1) * self.size).min(self.tokens))
    }

    /// Returns the visible tokens.
    pub fn visible_tokens(&self) -> std::ops::Range<usize> {
        self.first..self.end
    }
}

/// Geometry of an axis.
pub(super) struct TokenAxis {
    pub scale: TimeScale,
    pub tokens: usize,
    /// The token that has the line.
    pub at: Option<usize>,
    /// Width of the picture [px].
    pub width: f64,
    pub phone: bool,
    /// Base line of the labels [px].
    pub base: f64,
    /// Where the tag of the line stands, from its upper edge [px]; none where it has no tag.
    pub tag: Option<f64>,
}

/// A label of the axis: its token, its words, and where they stand from left to right [px].
struct Label {
    token: usize,
    text: String,
    from: f64,
    to: f64,
}

impl TokenAxis {
    /// Tokens whose middle is seen.
    fn visible_tokens(&self) -> (usize, usize) {
        let (from, to) = self.scale.span_s();
        let first = libm::ceil(from + 0.5).max(1.0) as usize;
        let last = libm::floor(to + 0.5).clamp(0.0, self.tokens as f64) as usize;
        (first, last)
    }

    fn label(&self, token: usize, is_first: bool) -> Label {
        let word = if is_first { "token " } else { "" };
        let text = format!("{word}{}", count(token as f64));
        let w = text_width(&text, SMALL_SIZE, false);
        let (left, _) = self.scale.ends_px();
        let from = middle_px(&self.scale, token) - w / 2.0;
        let from = from.min(self.width - w).max(left.min(self.width - w));
        Label {
            token,
            text,
            from,
            to: from + w,
        }
    }

    /// The labels: the ends where they are seen, and round tokens between them as far as there is room.
    fn labels(&self) -> Vec<Label> {
        let (first, last) = self.visible_tokens();
        if first > last {
            return Vec::new();
        }
        let step = self.step();
        let rounds = first.div_ceil(step)..=last / step;
        let mut tokens: Vec<usize> = Vec::new();
        tokens.extend((first == 1).then_some(1));
        tokens.extend((last == self.tokens && last > 1).then_some(last));
        tokens.extend(
            rounds
                .map(|k| k * step)
                .filter(|token| *token > 1 && *token < self.tokens),
        );
        if tokens.is_empty() {
            tokens.push(first);
        }
        let tag = self.tag.and(self.tag_box());
        let is_free = |label: &Label, others: &[Label]| {
            let apart = |other: &Label| {
                label.token == other.token
                    || label.from > other.to + LABEL_GAP_PX
                    || label.to + LABEL_GAP_PX < other.from
            };
            let hidden =
                tag.is_some_and(|tag| label.from < tag.right() + 4.0 && label.to + 4.0 > tag.x);
            !hidden && others.iter().all(apart)
        };
        let mut labels: Vec<Label> = Vec::new();
        for token in tokens {
            let label = self.label(token, false);
            if is_free(&label, &labels) {
                labels.push(label);
            }
        }
        // The one that is furthest left says what is counted, where there is room to.
        labels.in_order_by(|a, b| a.from.total_cmp(&b.from));
        if let Some(first) = labels.first().map(|label| self.label(label.token, true))
            && is_free(&first, &labels)
        {
            labels[0] = first;
        }
        labels
    }

    fn step(&self) -> usize {
        let ((left, right), (from, to)) = (self.scale.ends_px(), self.scale.span_s());
        let most = text_width(&count(self.tokens as f64), SMALL_SIZE, false);
        let least = if self.phone { TICK_PX.1 } else { TICK_PX.0 };
        let least = least.max(most + 2.0 * LABEL_GAP_PX);
        step_of(least * (to - from) / (right - left).max(1.0))
    }

    /// Where the line stands [px]; none where its token is not seen.
    pub fn line_px(&self) -> Option<f64> {
        let at = self.at?;
        let middle = at as f64 - 0.5;
        self.scale
            .shows(middle)
            .then(|| self.scale.px_from_s(middle))
    }

    fn tag_box(&self) -> Option<Rect> {
        let (x, at) = (self.line_px()?, self.at?);
        let w = text_width(&count(at as f64), SMALL_SIZE, true) + 2.0 * TAG_AIR_PX;
        let from = (x - w / 2.0).min(self.width - w).max(0.0);
        Some(Rect::new(from, self.tag.unwrap_or(0.0), w, TAG_PX))
    }

    /// Lines at round tokens from `from` down to `to` [px], the first and the last with them.
    pub fn grid(&self, (from, to): (f64, f64), marks: &mut Vec<Mark>) {
        let (first, last) = self.visible_tokens();
        let step = self.step();
        let (left, _) = self.scale.ends_px();
        if first <= last {
            for k in first.div_ceil(step)..=last / step {
                let x = middle_px(&self.scale, k * step);
                marks.push(Mark::line(Ink::Line, 1.0, (x, from), (x, to)));
            }
        }
        marks.push(Mark::line(Ink::LineStrong, 1.0, (left, from), (left, to)));
    }

    /// The words of the ticks.
    pub fn ticks(&self, marks: &mut Vec<Mark>) {
        for Label { text, from, .. } in self.labels() {
            let at = (from, self.base);
            marks.push(Mark::text(Ink::Text3, SMALL_SIZE, Anchor::Start, at, text));
        }
    }

    /// The line at its token from `from` down to `to` [px].
    pub fn line(&self, (from, to): (f64, f64), marks: &mut Vec<Mark>) {
        if let Some(x) = self.line_px() {
            marks.push(Mark::line(Ink::Text, 1.5, (x, from), (x, to)));
        }
    }

    /// The tag of the line.
    pub fn tag(&self, marks: &mut Vec<Mark>) {
        let (Some(at), Some(rect), Some(_)) = (self.at, self.tag_box(), self.tag) else {
            return;
        };
        marks.push(Mark::tile(Ink::Text, 3.0, rect));
        let place = (rect.x + rect.w / 2.0, rect.y + 12.0);
        let text = count(at as f64);
        let text = Mark::text(Ink::Background, SMALL_SIZE, Anchor::Middle, place, text);
        marks.push(text.strong());
    }
}

/// `token 7`, or `tokens 621–640`.
pub(super) fn tokens_text(from: usize, to: usize) -> String {
    if from == to {
        return format!("token {}", count(from as f64));
    }
    format!("tokens {}–{}", count(from as f64), count(to as f64))
}

/// Spells out a range of tokens for screen readers: `tokens 621 to 640`.
pub(crate) fn token_range_label(from: usize, to: usize) -> String {
    if from == to {
        return format!("token {from}");
    }
    format!("tokens {from} to {to}")
}
