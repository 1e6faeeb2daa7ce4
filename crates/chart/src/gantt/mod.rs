//! The timeline of a pipeline: one row per stage, time on top, the phases of each stage as bars.
//!
//! Every phase is colour, form and place at once: loading is a plain bar from 0, a stall a rising hatch along
//! the foot of the load it belongs to, waiting a falling hatch with a dashed edge, a transfer a bar that is
//! never dropped however short it is, computing the strongest mark, and what is free after work is
//! lower than a bar so that it reads as space. The critical chain is an ink line under the bars: it starts
//! with the last load that the pipeline waited for and runs through the hand-overs to the end.

mod facts;
mod hits;
mod layout;
mod row;
mod stage_wire;
mod view;

pub use hits::{GanttPhase, NeighbourKey, Stages};
pub use layout::{GanttStack, SCROLLS_FROM, layout, layout_stacked};
pub use view::TimeView;

use super::ink::Ink;
use super::legend::LegendKey;
use super::mark::{Mark, MarkShape};
use super::scale::TimeFormat;
use crate::interaction::InteractiveChart;
use engine::plan::{StageTiming, critical_stage};
use engine::problem::ColdStart;
use engine::problem::device_name;
use engine::units::Bytes;
use serde::{Deserialize, Serialize};

/// One stage of the pipeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GanttRow {
    /// The device's name, in full.
    pub device: String,
    /// The device's place in the fleet, from 0: its shade.
    pub shade: usize,
    /// Weights that the stage loads [B].
    pub weights: Bytes,
    /// Memory of the device [B].
    pub capacity: Bytes,
    /// Rate at which the weights arrive [B/s]; infinite where they are in memory.
    pub loading: f64,
    /// Work of the stage [FLOP].
    pub work: f64,
    /// Effective compute of the device [FLOP/s].
    pub speed: f64,
    /// Bytes received from the stage before; 0 for the first.
    pub received: f64,
    /// The stage in time, with its layers and its memory in use.
    #[serde(with = "stage_wire")]
    pub timing: StageTiming,
    /// Loading for the plan that follows this one.
    pub next: Option<NextLoad>,
}

/// Loading of a device for the plan that follows the shown one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NextLoad {
    /// Begin [s].
    pub from: f64,
    /// End [s]; it may come after the end of the plan shown.
    pub to: f64,
    /// How much [B].
    pub bytes: f64,
    /// Which layers, in words: "1\u{2013}12".
    pub layers: String,
}

/// A timeline, stages in running order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Gantt {
    /// The stages.
    pub rows: Vec<GanttRow>,
    /// When the last stage is done [s]: the answer.
    pub total_s: f64,
}

impl Gantt {
    /// The timeline of a scored plan.
    #[must_use]
    pub fn of(problem: &ColdStart, timeline: &[StageTiming]) -> Self {
        let row = |timing: &StageTiming| {
            let layers = &problem.layers()[timing.s - 1..timing.e];
            let machine = &problem.machines()[timing.device];
            let before = timing
                .s
                .checked_sub(2)
                .and_then(|at| problem.layers().get(at));
            GanttRow {
                device: device_name(problem, timing.device),
                shade: timing.device % 8,
                weights: layers
                    .iter()
                    .fold(Bytes::ZERO, |sum, layer| sum + layer.weights),
                capacity: machine.memory,
                loading: problem.load_rate(timing.device),
                work: layers.iter().map(|layer| layer.work.get()).sum(),
                speed: machine.compute.get(),
                received: before.map_or(0.0, |layer| layer.activation.get()),
                timing: *timing,
                next: None,
            }
        };
        Self {
            rows: timeline.iter().map(row).collect(),
            total_s: timeline.last().map_or(0.0, |last| last.finish),
        }
    }

    /// Returns true if a device loads weights for the next plan.
    #[must_use]
    pub fn has_next(&self) -> bool {
        self.rows.iter().any(|row| row.next.is_some())
    }

    /// Where the critical chain starts: at the last stage whose load the pipeline waited for. Everything
    /// from there to the end runs without a gap, so nothing before it matters to the answer.
    #[must_use]
    pub fn critical_row(&self) -> usize {
        let timeline: Vec<StageTiming> = self.rows.iter().map(|row| row.timing).collect();
        critical_stage(&timeline)
    }
}

impl InteractiveChart<Stages> {
    /// The picture with one phase drawn in full and of all others the edge alone; the critical chain stays.
    #[must_use]
    pub fn isolated(mut self, key: LegendKey) -> Self {
        let marks = std::mem::take(&mut self.picture.marks);
        let phase_of = |hit: usize| self.describer.spans.get(hit).map(|span| span.phase);
        let marks = marks
            .into_iter()
            .filter_map(|mark| match mark.hit.and_then(phase_of) {
                Some(phase) if key.phase() != Some(phase) => outlined(mark),
                _ => Some(mark),
            });
        self.picture.marks = marks.collect();
        self
    }
}

/// The edge of a mark, where it has one.
fn outlined(mut mark: Mark) -> Option<Mark> {
    match &mut mark.shape {
        MarkShape::Rect { edge: Some(_), .. } => {
            mark.ink = Ink::Background;
            Some(mark)
        }
        MarkShape::Text { halo: None, .. } => {
            mark.ink = Ink::Text3;
            Some(mark)
        }
        MarkShape::Frame { .. } | MarkShape::Text { .. } => Some(mark),
        MarkShape::Rect { edge: None, .. } | MarkShape::Hatch { .. } | MarkShape::Dots { .. } => {
            None
        }
        MarkShape::Line { .. }
        | MarkShape::Marker { .. }
        | MarkShape::Disc { .. }
        | MarkShape::Ring { .. } => Some(mark),
    }
}

/// The timeline in one sentence, for those who do not see it.
#[must_use]
pub fn describe(gantt: &Gantt) -> String {
    let names: Vec<&str> = gantt.rows.iter().map(|row| row.device.as_str()).collect();
    let on = match names.as_slice() {
        [] => return "Timeline without devices.".into(),
        [only] => format!("one stage on {only}"),
        [many @ .., last] if names.len() <= 6 => {
            format!("{} stages on {} and {last}", names.len(), many.join(", "))
        }
        [first, .., last] => format!("{} stages, from {first} to {last}", names.len()),
    };
    let format = TimeFormat::of_largest(gantt.total_s);
    let pace = names[gantt.critical_row()];
    if !gantt.total_s.is_finite() {
        return format!("Timeline of {on}: it never ends.");
    }
    format!(
        "Timeline of {on}: done after {}, the critical chain starts with the load of {pace}.",
        format.spell_out(gantt.total_s)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mark::Picture;
    use crate::tests::kit::{inked, nothing_beyond};
    use crate::tests::sample;

    #[test]
    fn the_chain_starts_at_the_last_stall() {
        assert_eq!(sample::paper().critical_row(), 2);
        assert_eq!(sample::twelve().critical_row(), 9);
        assert_eq!(Gantt::default().critical_row(), 0);
    }

    #[test]
    fn one_sentence() {
        assert_eq!(
            describe(&sample::paper()),
            "Timeline of 4 stages on D3, D4, D1 and D2: done after 2.562 seconds, the critical chain \
             starts with the load of D1."
        );
        assert!(describe(&sample::twelve()).contains("12 stages, from D11 to D5"));
        assert!(describe(&sample::first_rows(1)).contains("one stage on D3"));
        assert_eq!(describe(&Gantt::default()), "Timeline without devices.");
    }

    #[test]
    fn a_lit_row_has_its_band_under_everything() {
        let gantt = sample::paper();
        let chart = layout(&gantt, 968.0, TimeView::full(&gantt));
        let at = chart
            .hits
            .iter()
            .position(|hit| hit.row == 2)
            .expect("a row");
        let lit = chart.lit_by(at);
        assert_eq!(lit.marks.len(), chart.picture.marks.len() + 1);
        assert_eq!(lit.marks[0], Mark::fill(Ink::Band, chart.bands[2]));
        let halos = |picture: &Picture, ink: Ink| {
            let of =
                |m: &&Mark| matches!(&m.shape, MarkShape::Text { halo: Some(h), .. } if *h == ink);
            picture.marks.iter().filter(of).count()
        };
        assert_eq!(halos(&lit, Ink::Band), 1);
        nothing_beyond(&chart);
    }

    #[test]
    fn an_isolated_phase_alone_is_filled() {
        let gantt = sample::paper();
        let chart = layout(&gantt, 968.0, TimeView::full(&gantt));
        let filled =
            |chart: &InteractiveChart<Stages>, ink: Ink| inked(&chart.picture, ink).count();
        let transfers = chart.clone().isolated(LegendKey::Transfer);
        assert_eq!(filled(&transfers, Ink::TransferFill), 3);
        for gone in [
            Ink::LoadFill,
            Ink::StallFill,
            Ink::StallEdge,
            Ink::ComputeFill,
            Ink::FreeDots,
        ] {
            assert_eq!(filled(&transfers, gone), 0, "{gone:?}");
        }
        // What is left of the others can still be pointed at, and the chain is drawn.
        assert_eq!(transfers.describer.spans, chart.describer.spans);
        let bars = |chart: &InteractiveChart<Stages>| {
            let edged = |m: &&Mark| matches!(m.shape, MarkShape::Rect { edge: Some(_), .. });
            chart.picture.marks.iter().filter(edged).count()
        };
        assert_eq!(bars(&transfers), bars(&chart));
        let chain = chart.clone().isolated(LegendKey::Chain);
        assert_eq!(filled(&chain, Ink::LoadFill), 0);
        assert_eq!(filled(&chain, Ink::Text), filled(&chart, Ink::Text));
    }

    #[test]
    fn a_ring_goes_round_what_is_seen() {
        let gantt = sample::paper();
        let part = TimeView {
            from_s: 1.0,
            to_s: 1.5,
        };
        let chart = layout(&gantt, 968.0, part);
        assert!(chart.ring_of(0).is_some());
        let last = chart.describer.spans.len() - 1;
        assert_eq!(chart.ring_of(last), None);
    }
}
