//! Hit targets of a timeline: for the card under a pointer, the keys and the table.

use super::Gantt;
use super::facts::facts;
use crate::ink::Ink;
use crate::interaction::{ChartLayout, HitTarget, HitTest, MarkDescriber, MarkWords, RowHits};
use crate::mark::{Mark, MarkShape, Picture, Rect};
use crate::scale::TimeFormat;

/// Phase of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GanttPhase {
    /// Reads its weights.
    Load,
    /// Reads its weights while the pipeline waits for them.
    Stall,
    /// Has its weights and waits for its predecessor.
    Wait,
    /// Receives what its predecessor hands over.
    Transfer,
    /// Computes.
    Compute,
    /// Is done, and reads weights of the plan that comes after this one.
    Next,
    /// Is done.
    Free,
}

impl GanttPhase {
    /// Its name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Stall => "stall",
            Self::Wait => "wait",
            Self::Transfer => "transfer",
            Self::Compute => "compute",
            Self::Next => "load for the next plan",
            Self::Free => "free",
        }
    }
}

/// One phase of one stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PhaseSpan {
    /// Where its mark stands [px]; `None` while the visible span leaves it out.
    pub rect: Option<Rect>,
    /// Its stage, from 0.
    pub row: usize,
    /// Phase.
    pub phase: GanttPhase,
    /// Begin [s].
    pub from_s: f64,
    /// End [s].
    pub to_s: f64,
    /// True if it is on the critical path.
    pub critical: bool,
}

/// A step of the keyboard from one mark to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NeighbourKey {
    /// The mark before, in the same row or line.
    Earlier,
    /// The mark after, in the same row or line.
    Later,
    /// Mark at the same time in the row above; in a line chart, the point above.
    Above,
    /// Mark at the same time in the row below; in a line chart, the point below.
    Below,
    /// The first mark of the row or line.
    First,
    /// The last mark of the row or line.
    Last,
    /// The next link of the critical chain; after its last, the first again. A line chart has none.
    Chain,
}

/// Slimmer marks are caught as if they were this wide [px]: a transfer may be one pixel.
const CATCH_PX: f64 = 7.0;

/// Describes the marks.
#[derive(Debug, Clone, PartialEq)]
pub struct Stages {
    pub(super) gantt: Gantt,
    pub(super) spans: Vec<PhaseSpan>,
}

impl Stages {
    /// The marks of all stages; the chain is the critical one.
    pub(super) fn rows(&self) -> RowHits {
        let mut rows = RowHits::default();
        let mut of = 0;
        for own in self.spans.chunk_by(|a, b| a.row == b.row) {
            let hit = |(of, span): (usize, &PhaseSpan)| HitTarget {
                rect: span.rect,
                row: span.row,
                from_s: span.from_s,
                to_s: span.to_s,
                shade: Some(self.gantt.rows[span.row].shade),
                of,
                chain: Some(0),
                is_link: span.critical,
                ..HitTarget::default()
            };
            rows.add(HitTest::Smallest(CATCH_PX), (of..).zip(own).map(hit));
            of += own.len();
        }
        rows
    }
}

impl MarkDescriber for Stages {
    /// Its row lit; a halo is a piece of ground, so it takes the ground's new colour along.
    fn light(&self, laid: &ChartLayout, at: usize, picture: &mut Picture) {
        let Some(band) = laid.bands.get(laid.hits[at].row) else {
            return;
        };
        for mark in &mut picture.marks {
            let text = mark.text_box();
            let is_inside = text.is_some_and(|text| band.contains(text.x, text.bottom()));
            if let (
                true,
                MarkShape::Text {
                    halo: Some(halo), ..
                },
            ) = (is_inside, &mut mark.shape)
            {
                *halo = Ink::Band;
            }
        }
        picture.marks.insert(0, Mark::fill(Ink::Band, *band));
    }

    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords> {
        Some(facts(&self.gantt, self.spans.get(hit.of)?))
    }
}

/// The phases of one stage in order of time, without places.
pub(super) fn of_row(gantt: &Gantt, row: usize, out: &mut Vec<PhaseSpan>) {
    let data = &gantt.rows[row];
    let t = &data.timing;
    let hair = 1e-9 * gantt.total_s;
    let (chain, arrived) = (gantt.critical_row(), t.start + t.comm);
    // The next plan may load for longer than this one lasts: only the part in its idle time is drawn.
    let next = data.next.as_ref().map_or((t.finish, t.finish), |next| {
        (next.from, next.to.min(gantt.total_s).max(t.finish))
    });
    let spans = [
        (GanttPhase::Load, t.load_from, t.load),
        (
            GanttPhase::Stall,
            (t.load - t.stall).max(t.load_from),
            t.load,
        ),
        (GanttPhase::Wait, t.load, t.start),
        (GanttPhase::Transfer, t.start, arrived),
        (GanttPhase::Compute, arrived, t.finish),
        (GanttPhase::Next, t.finish.max(next.0), next.1),
        (GanttPhase::Free, next.1, gantt.total_s),
    ];
    for (phase, from_s, to_s) in spans {
        // A plan may load nothing or compute nothing measurable and still has to say so. A transfer counts
        // however short it is; the others do only where they last.
        let kept = match phase {
            GanttPhase::Load | GanttPhase::Compute => true,
            GanttPhase::Transfer => t.comm > 0.0,
            GanttPhase::Stall => t.stall > hair,
            GanttPhase::Wait | GanttPhase::Next | GanttPhase::Free => to_s - from_s > hair,
        };
        if !kept {
            continue;
        }
        let critical = match phase {
            GanttPhase::Load | GanttPhase::Stall => row == chain,
            GanttPhase::Transfer | GanttPhase::Compute => row >= chain,
            GanttPhase::Wait | GanttPhase::Next | GanttPhase::Free => false,
        };
        out.push(PhaseSpan {
            rect: None,
            row,
            phase,
            from_s,
            to_s,
            critical,
        });
    }
}

/// A phase as one spoken line.
pub(super) fn span_label(gantt: &Gantt, span: &PhaseSpan, format: TimeFormat) -> String {
    let data = &gantt.rows[span.row];
    let layers = layers(data.timing.s, data.timing.e).replace('–', " to ");
    let (phase, takes) = (
        span.phase.name(),
        format.spell_out_span(span.from_s, span.to_s),
    );
    let chain = if span.critical {
        ", critical chain"
    } else {
        ""
    };
    format!("{}, {phase}, {layers}, {takes}{chain}", data.device)
}

/// `layers 13–27`, or `layer 4`.
pub(super) fn layers(first: usize, last: usize) -> String {
    if first == last {
        format!("layer {first}")
    } else {
        format!("layers {first}–{last}")
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::sample;
    use crate::{GanttPhase, InteractiveChart, NeighbourKey, Stages, TimeView, layout};

    fn chart() -> InteractiveChart<Stages> {
        let gantt = sample::paper();
        layout(&gantt, 968.0, TimeView::full(&gantt))
    }

    fn find(chart: &InteractiveChart<Stages>, row: usize, phase: GanttPhase) -> usize {
        let at = chart
            .describer
            .spans
            .iter()
            .position(|h| h.row == row && h.phase == phase);
        at.expect("the paper's plan has this phase")
    }

    #[test]
    fn hits_are_in_order_of_rows_and_time() {
        let chart = chart();
        let order: Vec<_> = chart
            .describer
            .spans
            .iter()
            .map(|h| (h.row, h.phase))
            .collect();
        use GanttPhase::{Compute, Free, Load, Stall, Transfer, Wait};
        let expected = [
            (0, Load),
            (0, Stall),
            (0, Compute),
            (0, Free),
            (1, Load),
            (1, Wait),
            (1, Transfer),
            (1, Compute),
            (1, Free),
            (2, Load),
            (2, Stall),
            (2, Transfer),
            (2, Compute),
            (2, Free),
            (3, Load),
            (3, Wait),
            (3, Transfer),
            (3, Compute),
        ];
        assert_eq!(order, expected);
    }

    #[test]
    fn a_point_finds_its_mark() {
        let chart = chart();
        for (at, hit) in chart.describer.spans.iter().enumerate() {
            let rect = hit.rect.expect("all of the plan is in sight");
            // The upper part of a load, since its foot may belong to a stall.
            let found = chart.at(rect.x + rect.w / 2.0, rect.y + 2.0);
            assert_eq!(found, Some(at), "{hit:?}");
        }
        assert_eq!(chart.at(400.0, 10.0), None);
        assert_eq!(chart.at(f64::NAN, 10.0), None);
    }

    #[test]
    fn a_transfer_of_one_pixel_can_be_hit_next_to_it() {
        let chart = chart();
        let transfer = find(&chart, 3, GanttPhase::Transfer);
        let rect = chart.describer.spans[transfer].rect.expect("in sight");
        assert!(rect.w < 7.0);
        assert_eq!(chart.at(rect.x - 1.0, rect.y + 5.0), Some(transfer));
    }

    #[test]
    fn keys_move_in_time_and_between_rows() {
        let chart = chart();
        let load = find(&chart, 2, GanttPhase::Load);
        assert_eq!(chart.neighbour(load, NeighbourKey::Earlier), None);
        assert_eq!(chart.neighbour(load, NeighbourKey::Later), Some(load + 1));
        assert_eq!(
            chart.neighbour(load, NeighbourKey::Below),
            Some(find(&chart, 3, GanttPhase::Load))
        );
        let wait = find(&chart, 1, GanttPhase::Wait);
        assert_eq!(
            chart.neighbour(wait, NeighbourKey::Above),
            Some(find(&chart, 0, GanttPhase::Compute))
        );
        assert_eq!(
            chart.neighbour(wait, NeighbourKey::First),
            Some(find(&chart, 1, GanttPhase::Load))
        );
        let free = find(&chart, 1, GanttPhase::Free);
        assert_eq!(chart.neighbour(wait, NeighbourKey::Last), Some(free));
        assert_eq!(chart.neighbour(free, NeighbourKey::Later), None);
        assert_eq!(chart.neighbour(0, NeighbourKey::Above), None);
        assert_eq!(
            chart.neighbour(chart.describer.spans.len() - 1, NeighbourKey::Below),
            None
        );
        assert_eq!(chart.neighbour(usize::MAX, NeighbourKey::Chain), None);
    }

    #[test]
    fn the_chain_is_walked_in_a_circle() {
        let chart = chart();
        let start = find(&chart, 2, GanttPhase::Load);
        let mut walk = vec![start];
        for _ in 0..6 {
            let last = walk[walk.len() - 1];
            walk.push(
                chart
                    .neighbour(last, NeighbourKey::Chain)
                    .expect("a chain goes round"),
            );
        }
        let phases: Vec<_> = walk
            .iter()
            .map(|at| chart.describer.spans[*at].phase)
            .collect();
        use GanttPhase::{Compute, Load, Stall, Transfer};
        assert_eq!(
            phases,
            [Load, Stall, Transfer, Compute, Transfer, Compute, Load]
        );
        // From beside the chain, its next link in time.
        assert_eq!(chart.neighbour(0, NeighbourKey::Chain), Some(start));
    }

    #[test]
    fn a_hit_speaks() {
        let chart = chart();
        let words = |row, phase| chart.description(find(&chart, row, phase)).expect("a hit");
        let load = words(2, GanttPhase::Load);
        assert_eq!(
            load.aria_label,
            "D1, load, layers 13 to 27, 0 to 1.982 seconds, critical chain"
        );
        let rows = [("Layers", "13–27"), ("From, to", "0.000 to 1.982\u{202f}s")];
        assert_eq!(
            load.rows[..2],
            rows.map(|(a, b)| (a.to_owned(), b.to_owned()))
        );
        assert_eq!(words(2, GanttPhase::Stall).rows[2].1, "0.073\u{202f}s");
        let free = words(0, GanttPhase::Free).aria_label;
        assert_eq!(free, "D3, free, layers 1 to 7, 1.744 to 2.562 seconds");
    }
}
