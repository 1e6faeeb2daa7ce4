//! What is known about each mark of a timeline: for the card under a pointer, the keys and the table.

use super::{Chart, Gantt};
use crate::mark::Rect;
use crate::scale::TimeFormat;

/// What a device does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
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

impl Phase {
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

/// A hit in words, in the unit and decimals of its chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// The device's name, in full.
    pub device: String,
    /// `layers 13–27`, or `layer 4`.
    pub layers: String,
    /// `0.000 to 1.982 s`.
    pub span: String,
    /// `1.982 s`.
    pub takes: String,
    /// All of it as one spoken line.
    pub spoken: String,
}

/// One phase of one stage.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Where its mark stands [px]; `None` while the visible span leaves it out.
    pub rect: Option<Rect>,
    /// Its stage, from 0.
    pub row: usize,
    /// What happens.
    pub phase: Phase,
    /// Begin [s].
    pub from_s: f64,
    /// End [s].
    pub to_s: f64,
    /// Whether it lies on the critical chain.
    pub critical: bool,
    /// The same in words.
    pub words: Words,
}

/// A step of the keyboard from one mark to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The mark before, in the same row or line.
    Earlier,
    /// The mark after, in the same row or line.
    Later,
    /// What happens at the same time in the row above; in a line chart, the point above.
    Above,
    /// What happens at the same time in the row below; in a line chart, the point below.
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

impl Chart {
    /// The mark at a point [px], or `None` on empty ground. Where several lie over one another, the smallest.
    #[must_use]
    pub fn hit_at(&self, x: f64, y: f64) -> Option<usize> {
        let area = |rect: &Rect| rect.w * rect.h;
        let caught = self.hits.iter().enumerate().filter_map(|(at, hit)| {
            let rect = hit.rect?;
            let slack = (CATCH_PX - rect.w).max(0.0) / 2.0;
            let wider = Rect::new(rect.x - slack, rect.y, rect.w + 2.0 * slack, rect.h);
            wider.contains(x, y).then_some((at, rect))
        });
        caught
            .min_by(|(_, a), (_, b)| area(a).total_cmp(&area(b)))
            .map(|(at, _)| at)
    }

    /// Where a step of the keyboard leads, or `None` at the border.
    #[must_use]
    pub fn neighbour(&self, hit: usize, step: Step) -> Option<usize> {
        let here = self.hits.get(hit)?;
        let in_row = |at: &usize| self.hits[*at].row == here.row;
        match step {
            Step::Earlier => hit.checked_sub(1).filter(in_row),
            Step::Later => Some(hit + 1).filter(|at| *at < self.hits.len() && in_row(at)),
            Step::Above => self.at_time_in_row(here.row.checked_sub(1)?, here),
            Step::Below => self.at_time_in_row(here.row + 1, here),
            Step::First => self.hits.iter().position(|other| other.row == here.row),
            Step::Last => self.hits.iter().rposition(|other| other.row == here.row),
            Step::Chain => {
                let after = (hit + 1..self.hits.len()).chain(0..=hit);
                let mut links = after.filter(|at| self.hits[*at].critical);
                links.next()
            }
        }
    }

    /// The mark of a row whose span is nearest to the middle of a given one.
    fn at_time_in_row(&self, row: usize, to: &Hit) -> Option<usize> {
        let middle = (to.from_s + to.to_s) / 2.0;
        let away = |hit: &Hit| {
            if middle < hit.from_s {
                hit.from_s - middle
            } else {
                (middle - hit.to_s).max(0.0)
            }
        };
        let there = self.hits.iter().enumerate().filter(|(_, h)| h.row == row);
        // Of equally near ones the first, so that a load is chosen before its stall.
        there
            .min_by(|(_, a), (_, b)| away(a).total_cmp(&away(b)))
            .map(|(at, _)| at)
    }
}

/// The phases of one stage in order of time, without places.
pub(super) fn of_row(gantt: &Gantt, row: usize, format: TimeFormat, out: &mut Vec<Hit>) {
    let data = &gantt.rows[row];
    let t = &data.timing;
    let hair = 1e-9 * gantt.total_s;
    let (chain, arrived) = (gantt.critical_row(), t.start + t.comm);
    // The next plan may load for longer than this one lasts: only the part in its idle time is drawn.
    let next = data.next.as_ref().map_or((t.finish, t.finish), |next| {
        (next.from, next.to.min(gantt.total_s).max(t.finish))
    });
    let spans = [
        (Phase::Load, 0.0, t.load),
        (Phase::Stall, t.load - t.stall, t.load),
        (Phase::Wait, t.load, t.start),
        (Phase::Transfer, t.start, arrived),
        (Phase::Compute, arrived, t.finish),
        (Phase::Next, t.finish.max(next.0), next.1),
        (Phase::Free, next.1, gantt.total_s),
    ];
    for (phase, from_s, to_s) in spans {
        // A plan may load nothing or compute nothing measurable and still has to say so. A transfer counts
        // however short it is; the others do only where they last.
        let kept = match phase {
            Phase::Load | Phase::Compute => true,
            Phase::Transfer => t.comm > 0.0,
            Phase::Stall => t.stall > hair,
            Phase::Wait | Phase::Next | Phase::Free => to_s - from_s > hair,
        };
        if !kept {
            continue;
        }
        let critical = match phase {
            Phase::Load | Phase::Stall => row == chain,
            Phase::Transfer | Phase::Compute => row >= chain,
            Phase::Wait | Phase::Next | Phase::Free => false,
        };
        let words = words(gantt, row, phase, (from_s, to_s), critical, format);
        out.push(Hit {
            rect: None,
            row,
            phase,
            from_s,
            to_s,
            critical,
            words,
        });
    }
}

fn words(
    gantt: &Gantt,
    row: usize,
    phase: Phase,
    (from_s, to_s): (f64, f64),
    critical: bool,
    format: TimeFormat,
) -> Words {
    let data = &gantt.rows[row];
    let (first, last) = (data.timing.s, data.timing.e);
    let spoken_layers = if first == last {
        format!("layer {first}")
    } else {
        format!("layers {first} to {last}")
    };
    let mut spoken = format!(
        "{}, {}, {spoken_layers}, {}",
        data.device,
        phase.name(),
        format.spoken_span(from_s, to_s)
    );
    if critical {
        spoken.push_str(", critical chain");
    }
    Words {
        device: data.device.clone(),
        layers: layers(first, last),
        span: format!("{} to {}", format.figure(from_s), format.with_unit(to_s)),
        takes: format.with_unit(to_s - from_s),
        spoken,
    }
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
    use crate::{Chart, Phase, Step, View, layout};

    fn chart() -> Chart {
        let gantt = sample::paper();
        layout(&gantt, 968.0, View::whole(&gantt))
    }

    fn find(chart: &Chart, row: usize, phase: Phase) -> usize {
        let at = chart
            .hits
            .iter()
            .position(|h| h.row == row && h.phase == phase);
        at.expect("the paper's plan has this phase")
    }

    #[test]
    fn hits_are_in_order_of_rows_and_time() {
        let chart = chart();
        let order: Vec<_> = chart.hits.iter().map(|h| (h.row, h.phase)).collect();
        use Phase::{Compute, Free, Load, Stall, Transfer, Wait};
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
        for (at, hit) in chart.hits.iter().enumerate() {
            let rect = hit.rect.expect("all of the plan is in sight");
            // The upper part of a load, since its foot may belong to a stall.
            let found = chart.hit_at(rect.x + rect.w / 2.0, rect.y + 2.0);
            assert_eq!(found, Some(at), "{}", hit.words.spoken);
        }
        assert_eq!(chart.hit_at(400.0, 10.0), None);
        assert_eq!(chart.hit_at(f64::NAN, 10.0), None);
    }

    #[test]
    fn a_transfer_of_one_pixel_can_be_caught_beside_itself() {
        let chart = chart();
        let transfer = find(&chart, 3, Phase::Transfer);
        let rect = chart.hits[transfer].rect.expect("in sight");
        assert!(rect.w < 7.0);
        assert_eq!(chart.hit_at(rect.x - 1.0, rect.y + 5.0), Some(transfer));
    }

    #[test]
    fn keys_move_in_time_and_between_rows() {
        let chart = chart();
        let load = find(&chart, 2, Phase::Load);
        assert_eq!(chart.neighbour(load, Step::Earlier), None);
        assert_eq!(chart.neighbour(load, Step::Later), Some(load + 1));
        assert_eq!(
            chart.neighbour(load, Step::Below),
            Some(find(&chart, 3, Phase::Load))
        );
        let wait = find(&chart, 1, Phase::Wait);
        assert_eq!(
            chart.neighbour(wait, Step::Above),
            Some(find(&chart, 0, Phase::Compute))
        );
        assert_eq!(
            chart.neighbour(wait, Step::First),
            Some(find(&chart, 1, Phase::Load))
        );
        let free = find(&chart, 1, Phase::Free);
        assert_eq!(chart.neighbour(wait, Step::Last), Some(free));
        assert_eq!(chart.neighbour(free, Step::Later), None);
        assert_eq!(chart.neighbour(0, Step::Above), None);
        assert_eq!(chart.neighbour(chart.hits.len() - 1, Step::Below), None);
        assert_eq!(chart.neighbour(usize::MAX, Step::Chain), None);
    }

    #[test]
    fn the_chain_is_walked_in_a_circle() {
        let chart = chart();
        let start = find(&chart, 2, Phase::Load);
        let mut walk = vec![start];
        for _ in 0..6 {
            let last = walk[walk.len() - 1];
            walk.push(
                chart
                    .neighbour(last, Step::Chain)
                    .expect("a chain goes round"),
            );
        }
        let phases: Vec<_> = walk.iter().map(|at| chart.hits[*at].phase).collect();
        use Phase::{Compute, Load, Stall, Transfer};
        assert_eq!(
            phases,
            [Load, Stall, Transfer, Compute, Transfer, Compute, Load]
        );
        assert_eq!(chart.neighbour(0, Step::Chain), Some(start));
    }

    #[test]
    fn a_hit_speaks() {
        let chart = chart();
        let words = |row, phase| &chart.hits[find(&chart, row, phase)].words;
        let load = words(2, Phase::Load);
        assert_eq!(
            load.spoken,
            "D1, load, layers 13 to 27, 0 to 1.982 seconds, critical chain"
        );
        assert_eq!(load.layers, "layers 13–27");
        assert_eq!(load.span, "0.000 to 1.982\u{202f}s");
        assert_eq!(words(2, Phase::Stall).takes, "0.073\u{202f}s");
        assert_eq!(
            words(0, Phase::Free).spoken,
            "D3, free, layers 1 to 7, 1.744 to 2.562 seconds"
        );
    }
}
