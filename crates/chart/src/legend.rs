//! The key to a timeline's marks, from the same shapes: for the title line and for exported pictures.

use super::gantt::GanttPhase;
use super::ink::Ink;
use super::mark::{Anchor, Mark, MarkShape, Picture, Rect, Slant, fit, text_width};

/// An entry of the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LegendKey {
    /// Reading weights.
    Load,
    /// Reading weights while the pipeline waits.
    Stall,
    /// Waiting for the predecessor.
    Wait,
    /// Receiving.
    Transfer,
    /// Computing.
    Compute,
    /// Reading weights of the plan that comes next.
    Next,
    /// Done.
    Free,
    /// The critical path.
    Chain,
}

impl LegendKey {
    /// All entries, in order of time.
    pub const ALL: [Self; 8] = [
        Self::Load,
        Self::Stall,
        Self::Wait,
        Self::Transfer,
        Self::Compute,
        Self::Next,
        Self::Free,
        Self::Chain,
    ];

    /// The entries that a timeline needs: that of the next plan only where there is one.
    pub fn needed(has_next: bool) -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(move |key| has_next || *key != Self::Next)
    }

    /// The phase it stands for; none for the critical chain.
    #[must_use]
    pub const fn phase(self) -> Option<GanttPhase> {
        Some(match self {
            Self::Load => GanttPhase::Load,
            Self::Stall => GanttPhase::Stall,
            Self::Wait => GanttPhase::Wait,
            Self::Transfer => GanttPhase::Transfer,
            Self::Compute => GanttPhase::Compute,
            Self::Next => GanttPhase::Next,
            Self::Free => GanttPhase::Free,
            Self::Chain => return None,
        })
    }

    /// Its word.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Load => "Load",
            Self::Stall => "Stall",
            Self::Wait => "Wait",
            Self::Transfer => "Transfer",
            Self::Compute => "Compute",
            Self::Next => "Next plan",
            Self::Free => "Free",
            Self::Chain => "Critical chain",
        }
    }
}

/// Width of a swatch [px].
pub(super) const W: f64 = 16.0;
/// Height of a swatch [px].
pub(super) const H: f64 = 12.0;

/// One swatch, 16 by 12 px.
#[must_use]
pub fn swatch(key: LegendKey) -> Picture {
    Picture {
        width: W,
        height: H,
        title: key.label().into(),
        marks: swatch_at(key, 0.0, 0.0),
    }
}

fn swatch_at(key: LegendKey, x: f64, y: f64) -> Vec<Mark> {
    let rect = Rect::new(x, y, W, H);
    let hatch = |ink, rect, slant, spacing| {
        let width = 1.2;
        Mark::hatch(ink, slant, (spacing, width), rect)
    };
    match key {
        LegendKey::Load => vec![Mark::bar(Ink::LoadFill, Ink::LoadEdge, rect)],
        LegendKey::Stall => {
            let foot = Rect::new(x + 1.0, y + 6.0, W - 2.0, 5.0);
            vec![
                Mark::bar(Ink::LoadFill, Ink::LoadEdge, rect),
                Mark::fill(Ink::StallFill, foot),
                hatch(Ink::StallEdge, foot, Slant::Rising, 4.0),
            ]
        }
        LegendKey::Wait => vec![
            hatch(Ink::WaitEdge, rect.grown(-1.0), Slant::Falling, 4.0),
            Mark::frame(Ink::WaitEdge, &[2.0, 2.0], rect),
        ],
        LegendKey::Transfer => vec![Mark::bar(Ink::TransferFill, Ink::TransferEdge, rect)],
        LegendKey::Compute => vec![Mark::bar(Ink::ComputeFill, Ink::ComputeEdge, rect)],
        LegendKey::Next => {
            let low = Rect::new(x, y + 2.0, W, H - 4.0);
            let edge = MarkShape::Frame {
                rect: low,
                dash: &[4.0, 2.0],
            };
            vec![
                Mark::fill(Ink::LoadFill, low),
                Mark::new(Ink::LoadEdge, edge),
            ]
        }
        LegendKey::Free => vec![Mark::new(
            Ink::FreeDots,
            MarkShape::Dots {
                rect,
                spacing: 7.0,
                radius: 1.0,
            },
        )],
        LegendKey::Chain => vec![Mark::line(
            Ink::Text,
            2.0,
            (x, y + H / 2.0),
            (x + W, y + H / 2.0),
        )],
    }
}

/// All entries in lines of at most `width_px`, to be above or below an exported timeline.
#[must_use]
pub fn legend(width_px: f64, has_next: bool) -> Picture {
    let entry = |key: LegendKey| (swatch_at(key, 0.0, 0.0), key.label().to_owned());
    entries(LegendKey::needed(has_next).map(entry), width_px)
}

/// Swatches of 16 by 12 px, each with its word, in lines of at most `width_px`.
pub(super) fn entries(
    all: impl IntoIterator<Item = (Vec<Mark>, String)>,
    width_px: f64,
) -> Picture {
    let (mut x, mut y, mut marks) = (0.0, 0.0, Vec::new());
    for (swatch, word) in all {
        let word = fit(&word, width_px - W - 6.0, 12.0);
        let width = W + 6.0 + text_width(&word, 12.0, false);
        if x > 0.0 && x + width > width_px {
            (x, y) = (0.0, y + 20.0);
        }
        marks.extend(swatch.into_iter().map(|mark| mark.moved((x, y + 2.0))));
        let at = (x + W + 6.0, y + 12.0);
        marks.push(Mark::text(Ink::Text2, 12.0, Anchor::Start, at, word));
        x += width + 16.0;
    }
    Picture {
        width: width_px,
        height: y + 18.0,
        title: "Legend".into(),
        marks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_inside_and_overlaps_nothing() {
        for (width, has_next) in [(968.0, false), (358.0, false), (968.0, true), (358.0, true)] {
            let picture = legend(width, has_next);
            let boxes: Vec<_> = picture.marks.iter().filter_map(Mark::text_box).collect();
            assert_eq!(boxes.len(), LegendKey::ALL.len() - usize::from(!has_next));
            for pair in boxes.windows(2) {
                assert!(pair[0].right() <= width);
                let apart = pair[1].x > pair[0].right() + W || pair[1].y > pair[0].y;
                assert!(apart, "{pair:?}");
            }
        }
        assert_eq!(legend(968.0, false).height, 18.0);
        assert_eq!(legend(358.0, false).height, 38.0);
    }

    #[test]
    fn a_swatch_is_drawn_for_each() {
        for key in LegendKey::ALL {
            assert!(!swatch(key).marks.is_empty(), "{key:?}");
        }
    }
}
