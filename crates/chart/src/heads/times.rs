//! Times of tokens by phase, as bars on the axis of the map above them: head stage at the bottom, then projection and FFN,
//! transfer, migration.
//!
//! Where tokens are slimmer than a bar, a bar is the mean of its tokens, so that its parts add up to what it says.

use super::axis::{Bins, TokenAxis, token_range_label, tokens_text};
use crate::gantt::TimeView;
use crate::ink::Ink;
use crate::interaction::{
    AxisUnit, ChartLayout, HitTarget, HitTest, InteractiveChart, MarkDescriber, MarkWords, RowHits,
    row,
};
use crate::mark::{Anchor, Mark, Picture, Rect};
use crate::scale::{TimeFormat, TimeScale, ValueScale};
use engine::units::count;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Time of one token by phase [s].
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct PhaseTimes {
    /// The heads, to the last of them [s].
    pub heads_s: f64,
    /// Projection and FFN computing [s].
    pub blocks_s: f64,
    /// Transfers over links [s].
    pub transfer_s: f64,
    /// Blocks that move before it [s].
    pub moving_s: f64,
}

impl PhaseTimes {
    /// All of it [s].
    #[must_use]
    pub fn total_s(&self) -> f64 {
        self.heads_s + self.blocks_s + self.transfer_s + self.moving_s
    }

    const fn phases(&self) -> [f64; 4] {
        [self.heads_s, self.blocks_s, self.transfer_s, self.moving_s]
    }
}

/// Times of consecutive tokens.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TokenTimes {
    /// The tokens, from the first.
    pub tokens: Vec<PhaseTimes>,
    /// The token that has the line.
    pub at: Option<usize>,
}

/// A phase of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenPhase {
    Heads,
    Blocks,
    Transfer,
    Moving,
}

/// All phases, from the foot of a bar to its top.
pub(super) const PHASES: [TokenPhase; 4] = [
    TokenPhase::Heads,
    TokenPhase::Blocks,
    TokenPhase::Transfer,
    TokenPhase::Moving,
];

/// Lower bars have no edge, since they would be nothing else, and lower bars of moving no line along them [px].
const EDGED_PX: f64 = 3.5;
const LINED_PX: f64 = 4.5;

impl TokenPhase {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Heads => "Head stage",
            Self::Blocks => "Projection, FFN",
            Self::Transfer => "Transfer",
            Self::Moving => "Moving",
        }
    }

    /// Names the phase inside a sentence.
    const fn word(self) -> &'static str {
        match self {
            Self::Heads => "head stage",
            Self::Blocks => "projection, FFN",
            Self::Transfer => "transfer",
            Self::Moving => "moving",
        }
    }

    /// A bar of this phase.
    pub fn marks(self, rect: Rect) -> Vec<Mark> {
        let edged = |fill, edge| {
            vec![if rect.h < EDGED_PX && fill == Ink::TransferFill {
                Mark::fill(fill, rect)
            } else {
                Mark::bar(fill, edge, rect)
            }]
        };
        match self {
            Self::Heads => edged(Ink::HeadStageFill, Ink::ComputeFill),
            Self::Blocks => vec![Mark::fill(Ink::ComputeFill, rect)],
            Self::Transfer => edged(Ink::TransferFill, Ink::TransferEdge),
            Self::Moving => {
                let mut marks = edged(Ink::TransferFill, Ink::TransferEdge);
                if rect.h >= LINED_PX {
                    let y = rect.y + rect.h / 2.0;
                    let line = Mark::line(Ink::MoveLine, 2.0, (rect.x, y), (rect.right(), y));
                    marks.push(line);
                }
                marks
            }
        }
    }
}

/// Height of the words above the plot, and of the axis below it [px].
const TOP_PX: f64 = 8.0;
const AXIS_PX: f64 = 20.0;
/// Size of captions [px].
const SMALL_SIZE: f64 = 11.0;
/// Below this width [px] the caption of the axis is above the plot.
const PHONE_PX: f64 = 560.0;
const CAPTION_PX: f64 = 14.0;
/// From a tick's figure to the plot [px].
const FIGURE_AIR_PX: f64 = 8.0;
/// Least width of a bar with its air [px].
const BIN_PX: f64 = 6.0;
/// Between ticks of the value axis at least [px].
const VALUE_PX: f64 = 18.0;

/// Times of tokens, added up once, so that a view of them costs what is seen.
///
/// # Complexity
/// O(n) in the tokens to make. A copy and [`TimesIndex::scrubbed`] share what was added up.
#[derive(Debug, Clone, PartialEq)]
pub struct TimesIndex {
    sums: Arc<Sums>,
    at: Option<usize>,
}

/// Sums of the phases over the first so many tokens, and how many of those are numbers.
#[derive(Debug, Clone, PartialEq, Default)]
struct Sums {
    until: Vec<([f64; 4], usize)>,
    tokens: Vec<PhaseTimes>,
}

impl TimesIndex {
    /// Adds times up.
    #[must_use]
    pub fn of(times: &TokenTimes) -> Self {
        let mut until = vec![([0.0; 4], 0)];
        let (mut sums, mut numbers) = ([0.0; 4], 0);
        for token in &times.tokens {
            if token.total_s().is_finite() {
                for (sum, part) in sums.iter_mut().zip(token.phases()) {
                    *sum += part.max(0.0);
                }
                numbers += 1;
            }
            until.push((sums, numbers));
        }
        let sums = Sums {
            until,
            tokens: times.tokens.clone(),
        };
        Self {
            sums: Arc::new(sums),
            at: None,
        }
        .scrubbed(times.at)
    }

    /// Returns the chart with its line at another token; without a line if there is no such token.
    #[must_use]
    pub fn scrubbed(&self, at: Option<usize>) -> Self {
        Self {
            sums: self.sums.clone(),
            at: at.filter(|at| (1..=self.sums.tokens.len()).contains(at)),
        }
    }

    /// The times in one sentence, for those who do not see them.
    #[must_use]
    pub fn describe(&self) -> String {
        let n = self.sums.tokens.len();
        let (Some(first), Some(last)) = (self.mean(1, 1), self.mean(n, n)) else {
            return format!("Time per token over {} tokens.", count(n as f64));
        };
        let (first, last): (f64, f64) = (first.iter().sum(), last.iter().sum());
        let format = TimeFormat::of_largest(first.max(last));
        format!(
            "Time per token over {} tokens: {} at the first, {} at the last.",
            count(n as f64),
            format.spell_out(first),
            format.spell_out(last)
        )
    }

    /// Describes the time of a token: `Token 630: 0.790 s = 0.042 head stage + 0.731 projection, FFN + 0.008 transfer + 0.009
    /// moving`; `None` if there is no such token.
    #[must_use]
    pub fn sentence(&self, token: usize) -> Option<String> {
        let parts = self.mean(token, token)?;
        let total = parts.iter().sum();
        let format = TimeFormat::of_largest(total);
        let parts = PHASES.iter().zip(parts);
        let parts: Vec<String> = parts
            .map(|(phase, part)| format!("{} {}", format.figure(part), phase.word()))
            .collect();
        let total = format.with_unit(total);
        Some(format!("Token {token}: {total} = {}", parts.join(" + ")))
    }

    /// Returns the mean time of tokens by phase [s]; `None` if none of them is a number.
    fn mean(&self, from: usize, to: usize) -> Option<[f64; 4]> {
        let before = self.sums.until.get(from.checked_sub(1)?)?;
        let after = self.sums.until.get(to)?;
        let tokens = after.1.checked_sub(before.1).filter(|n| *n > 0)?;
        // One token says what it is, without the rounding of sums.
        if from == to {
            return self
                .sums
                .tokens
                .get(from - 1)
                .map(|token| token.phases().map(|part| part.max(0.0)));
        }
        let mut parts = [0.0; 4];
        for ((part, before), after) in parts.iter_mut().zip(before.0).zip(after.0) {
            *part = ((after - before) / tokens as f64).max(0.0);
        }
        Some(parts)
    }

    /// Lays times out on `width_px` by `height_px`, showing the span of `view` [tokens] between `plot_px`: what
    /// [`super::HeadIndex::plot_px`] says of the map above.
    ///
    /// # Complexity
    /// O(bars seen), which are at least 6 px wide.
    #[must_use]
    pub fn layout(
        &self,
        width_px: f64,
        height_px: f64,
        plot_px: (f64, f64),
        view: TimeView,
    ) -> InteractiveChart<TimesMarks> {
        let width = if width_px > 80.0 { width_px } else { 80.0 };
        let phone = width < PHONE_PX;
        let tokens = self.sums.tokens.len();
        let (left, right) = (plot_px.0.max(0.0), plot_px.1.max(plot_px.0.max(0.0) + 1.0));
        let scale = TimeScale::new((view.from_s, view.to_s), (left, right));
        let in_gutter = left >= 40.0;
        let top = if phone || !in_gutter {
            TOP_PX + CAPTION_PX
        } else {
            TOP_PX
        };
        let foot = (height_px - AXIS_PX).max(top + 20.0);
        let bins = Bins::of(&scale, tokens, BIN_PX);
        let bars: Vec<(usize, usize, [f64; 4])> = bins
            .visible_tokens()
            .filter_map(|bin| {
                let (from, to) = bins.tokens(bin);
                Some((from, to, self.mean(from, to)?))
            })
            .collect();
        let totals = bars.iter().map(|(.., parts)| parts.iter().sum::<f64>());
        let most = totals.fold(0.0, f64::max);
        let format = TimeFormat::of_largest(most);
        let most_shown = most * format.per_second();
        // The highest bar ends below the upper edge.
        let end = if most_shown > 0.0 {
            1.06 * most_shown
        } else {
            1.0
        };
        let values = ValueScale::new((0.0, end), (foot, top));
        let mut marks = Vec::new();
        let axis = TokenAxis {
            scale,
            tokens,
            at: self.at,
            width,
            phone,
            base: foot + 14.0,
            tag: None,
        };
        axis.grid((top, foot), &mut marks);
        value_axis(
            &values,
            (&format, in_gutter),
            (left, right, top),
            &mut marks,
        );
        axis.ticks(&mut marks);
        let mut hits = Vec::new();
        for (from, to, parts) in bars {
            let Some((a, b)) = scale
                .seen_px(from as f64 - 1.0, to as f64)
                .filter(|(a, b)| b > a)
            else {
                continue;
            };
            let first = marks.len();
            let air = if b - a >= 4.0 { 0.5 } else { 0.0 };
            let (x, w) = (a + air, b - a - 2.0 * air);
            let (mut sum, mut edge) = (0.0, foot);
            for (phase, part) in PHASES.into_iter().zip(parts) {
                if part <= 0.0 {
                    continue;
                }
                sum += part;
                // What is there is seen, if only a pixel of it.
                let y = values
                    .px_from_value(sum * format.per_second())
                    .min(edge - 1.0);
                marks.extend(phase.marks(Rect::new(x, y, w, edge - y)));
                edge = y;
            }
            for mark in &mut marks[first..] {
                mark.hit = Some(hits.len());
            }
            hits.push(TokenBar {
                rect: Rect::new(a, edge, b - a, foot - edge),
                from,
                to,
                phases_s: parts,
            });
        }
        if !in_gutter {
            figures(&values, left, &mut marks);
        }
        axis.line((top - 6.0, foot), &mut marks);
        if hits.is_empty() {
            let at = (left + 8.0, (top + foot) / 2.0);
            let text = "No token is computed yet.";
            marks.push(Mark::text(Ink::Text3, 13.0, Anchor::Start, at, text));
        }
        let size = (width, foot + AXIS_PX);
        let picture = Picture::of(size, self.describe(), marks);
        let band = Rect::new(0.0, top, width, foot - top);
        let hit = |(of, bar): (usize, &TokenBar)| HitTarget {
            from_s: bar.from as f64 - 1.0,
            to_s: bar.to as f64,
            ..HitTarget::at(bar.rect, 0, of)
        };
        let mut rows = RowHits::default();
        // Its whole column counts, since bars may be low.
        let own = hits.iter().enumerate().map(hit).collect();
        rows.row(band, HitTest::Column(0.0), own);
        let laid = ChartLayout {
            bands: vec![band],
            ..ChartLayout::of(band, rows)
        };
        let laid = laid.along(scale, (0.0, -1.0), AxisUnit::Tokens(tokens));
        laid.with_describer(picture, TimesMarks { bars: hits })
    }
}

/// The figures of the value axis over its lines, where there is no gutter.
fn figures(values: &ValueScale, left: f64, marks: &mut Vec<Mark>) {
    let ticks = values.ticks(1, VALUE_PX);
    for value in ticks.values.iter().filter(|value| **value > 0.0) {
        let at = (left + 3.0, values.px_from_value(*value) + 4.0);
        let text = ticks.label(*value);
        let text = Mark::text(Ink::Text3, SMALL_SIZE, Anchor::Start, at, text);
        marks.push(text.with_halo(Ink::Background));
    }
}

/// Ticks of the value axis with lines to the right, and what they count.
fn value_axis(
    values: &ValueScale,
    (format, in_gutter): (&TimeFormat, bool),
    (left, right, top): (f64, f64, f64),
    marks: &mut Vec<Mark>,
) {
    let ticks = values.ticks(1, VALUE_PX);
    for value in &ticks.values {
        let y = values.px_from_value(*value);
        let ink = Ink::grid(*value);
        marks.push(Mark::line(ink, 1.0, (left, y), (right, y)));
        if in_gutter {
            let at = (left - FIGURE_AIR_PX, y + 4.0);
            let text = ticks.label(*value);
            marks.push(Mark::text(Ink::Text3, SMALL_SIZE, Anchor::End, at, text));
        }
    }
    let unit = match format.unit() {
        "s" => "Seconds",
        _ => "Milliseconds",
    };
    let at = (
        0.0,
        if in_gutter && top <= TOP_PX {
            top + 4.0
        } else {
            10.0
        },
    );
    marks.push(Mark::text(Ink::Text3, SMALL_SIZE, Anchor::Start, at, unit));
}

/// A bar: some tokens and what one of them takes on average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TokenBar {
    /// Where it stands [px].
    pub(super) rect: Rect,
    /// First token.
    pub(super) from: usize,
    /// Last token.
    pub(super) to: usize,
    /// Head stage, projection and FFN, transfer, moving [s].
    pub(super) phases_s: [f64; 4],
}

/// Describes the marks: the visible bars, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct TimesMarks {
    pub(super) bars: Vec<TokenBar>,
}

impl MarkDescriber for TimesMarks {
    fn light(&self, laid: &ChartLayout, at: usize, picture: &mut Picture) {
        let (rect, band) = (self.bars[at].rect, laid.plot);
        let column = Rect::new(rect.x, band.y, rect.w, band.h);
        picture.marks.insert(0, Mark::fill(Ink::MeterTrack, column));
    }

    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        let hit = self.bars.get(hit.of)?;
        let total: f64 = hit.phases_s.iter().sum();
        let format = TimeFormat::of_largest(total);
        let run = hit.to - hit.from + 1;
        let mut rows: Vec<(String, String)> = Vec::new();
        let each = if run > 1 { "Mean per token" } else { "Total" };
        rows.push(row(each, format.with_unit(total)));
        for (phase, part) in PHASES.iter().zip(hit.phases_s).rev() {
            let share = if total > 0.0 {
                100.0 * part / total
            } else {
                0.0
            };
            let share = engine::units::percent(share, 1);
            let value = format!("{}, {share}", format.with_unit(part));
            rows.push(row(phase.name(), value));
        }
        if run > 1 {
            let all = engine::units::seconds(total * run as f64);
            rows.push(row(format!("All {} tokens", count(run as f64)), all));
        }
        let parts = PHASES
            .iter()
            .zip(hit.phases_s)
            .filter(|(_, part)| *part > 0.0);
        let parts: Vec<String> = parts
            .map(|(phase, part)| format!("{} {}", phase.word(), format.spell_out(part)))
            .collect();
        Some(MarkWords {
            title: upper(&tokens_text(hit.from, hit.to)),
            aria_label: format!(
                "{}, {} per token: {}",
                token_range_label(hit.from, hit.to),
                format.spell_out(total),
                parts.join(", ")
            ),
            rows,
            notes: Vec::new(),
        })
    }
}

/// Returns the text with a capital letter.
fn upper(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
