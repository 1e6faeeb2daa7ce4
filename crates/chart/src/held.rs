//! What a hand needs of a chart, whatever the chart shows: where marks are, what lies beside them, what is said of them, and
//! along which axis it can be zoomed, if there is one. An axis of tokens, steps or layers counts these where others count
//! seconds; token t takes the span from t - 1 to t.

use super::gantt::{Step, View};
use super::heads::MarkWords;
use super::lines::{LineChart, Lines};
use super::mark::{Mark, Picture, Rect};
use super::network::NetworkChart;
use super::scale::{ParameterScale, TimeFormat, TimeScale};
use super::spot::SpotChart;
use engine::units::count;
use std::sync::Arc;

/// Where a mark stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// What is seen of it [px]; nothing where it lies outside the view.
    pub rect: Option<Rect>,
    /// Its row.
    pub row: usize,
    /// Its beginning along the axis [s, or tokens]; where there is no axis, which of the chart's data it is.
    pub from_s: f64,
    /// Its end [s, or tokens].
    pub to_s: f64,
}

/// A chart in the hand, laid out.
pub trait Held: Send + Sync {
    /// What to paint.
    fn picture(&self) -> &Picture;
    /// How many marks can be reached.
    fn count(&self) -> usize;
    /// Where a mark stands; `None` where there is none.
    fn place(&self, hit: usize) -> Option<Place>;
    /// The mark at a point [px].
    fn at(&self, x: f64, y: f64) -> Option<usize>;
    /// Where a step of the keyboard leads.
    fn beside(&self, hit: usize, step: Step) -> Option<usize>;
    /// What is said of a mark.
    fn words(&self, hit: usize) -> Option<MarkWords>;
    /// The picture with all that belongs to a mark lit.
    fn lit_by(&self, hit: usize) -> Picture;
    /// The ring round a selected mark.
    fn ring_of(&self, hit: usize) -> Option<Mark>;

    /// The shade of the device that a mark is of, from 0, where it is of one.
    fn shade(&self, _: usize) -> Option<usize> {
        None
    }
    /// Where keys begin.
    fn first(&self) -> Option<usize> {
        (self.count() > 0).then_some(0)
    }
    /// What a press on a mark sets, where it sets something.
    fn pick(&self, _: usize) -> Option<f64> {
        None
    }
    /// What a press at a place along the axis sets, whatever mark lies there [px].
    fn value_at(&self, _: f64) -> Option<f64> {
        None
    }
    /// The mark that stands in this chart at a place of another view of the same data: charts of much data have marks for
    /// what is seen alone, so that numbers of marks change with the view.
    fn again(&self, place: &Place) -> Option<usize> {
        (0..self.count()).find(|at| {
            self.place(*at).is_some_and(|here| {
                (here.row, here.from_s, here.to_s) == (place.row, place.from_s, place.to_s)
            })
        })
    }

    /// The axis that a hand zooms along, of seconds, tokens, steps or layers.
    fn scale(&self) -> Option<&TimeScale> {
        None
    }
    /// That axis on a ground of its own, for rows that scroll under it.
    fn axis(&self) -> Option<&Picture> {
        None
    }
    /// Whether a height is that of the axis, on which a span can be selected [px].
    fn is_axis(&self, y: f64) -> bool {
        self.axis().is_some_and(|axis| y <= axis.height)
    }
    /// The band of each row [px].
    fn bands(&self) -> &[Rect] {
        &[]
    }
    /// The shortest span that a hand can zoom to [s, or tokens].
    fn least_span(&self) -> f64 {
        let (left, right) = self.scale().map_or((0.0, 1.0), TimeScale::ends_px);
        View::least_s(right - left)
    }
    /// A span of the axis in words; `end` is where the axis ends.
    fn told_span(&self, view: View, end: f64) -> String {
        TimeFormat::of_largest(end).spoken_span(view.from_s, view.to_s)
    }

    /// Where the line of the current value stands, and how far down it can be caught [px].
    fn now(&self) -> Option<(f64, f64)> {
        None
    }
    /// Whether a mark is of the current value.
    fn is_now(&self, _: usize) -> bool {
        false
    }
    /// The value that the line of the current value takes where it is dragged [px].
    fn dragged(&self, _: f64) -> Option<f64> {
        None
    }
    /// The value that a step of the keyboard takes from the current one.
    fn moved(&self, _: Step) -> Option<f64> {
        None
    }
}

/// A chart in the hand that can be compared: equal where it is the same one.
#[derive(Clone)]
pub struct Drawn(pub Arc<dyn Held>);

impl PartialEq for Drawn {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::ops::Deref for Drawn {
    type Target = dyn Held;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Held for super::Chart {
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
        self.hits.get(hit).map(|hit| Place {
            rect: hit.rect,
            row: hit.row,
            from_s: hit.from_s,
            to_s: hit.to_s,
        })
    }

    fn at(&self, x: f64, y: f64) -> Option<usize> {
        self.hit_at(x, y)
    }

    fn beside(&self, hit: usize, step: Step) -> Option<usize> {
        self.neighbour(hit, step)
    }

    fn words(&self, hit: usize) -> Option<MarkWords> {
        self.hits.get(hit).map(|hit| MarkWords {
            title: format!("{}, {}", hit.words.device, hit.phase.name()),
            rows: Vec::new(),
            spoken: hit.words.spoken.clone(),
        })
    }

    fn lit_by(&self, hit: usize) -> Picture {
        match self.hits.get(hit) {
            Some(hit) => self.lit(hit.row),
            None => self.picture.clone(),
        }
    }

    fn ring_of(&self, hit: usize) -> Option<Mark> {
        self.ring(hit)
    }
}

impl Held for SpotChart {
    fn picture(&self) -> &Picture {
        &self.picture
    }

    fn count(&self) -> usize {
        self.spots.len()
    }

    fn place(&self, hit: usize) -> Option<Place> {
        self.spots.get(hit).map(|spot| Place {
            rect: Some(spot.rect.grown(4.0)),
            row: spot.row,
            from_s: spot.of as f64,
            to_s: spot.of as f64,
        })
    }

    fn at(&self, x: f64, y: f64) -> Option<usize> {
        self.hit_at(x, y)
    }

    fn beside(&self, hit: usize, step: Step) -> Option<usize> {
        self.neighbour(hit, step)
    }

    fn words(&self, hit: usize) -> Option<MarkWords> {
        Self::words(self, hit)
    }

    fn lit_by(&self, hit: usize) -> Picture {
        self.lit(hit)
    }

    fn ring_of(&self, hit: usize) -> Option<Mark> {
        self.ring(hit)
    }

    fn pick(&self, hit: usize) -> Option<f64> {
        self.spots.get(hit)?.pick
    }

    fn scale(&self) -> Option<&TimeScale> {
        self.along.as_ref().map(|along| &along.scale)
    }

    fn is_axis(&self, y: f64) -> bool {
        self.along.is_some_and(|along| along.is_axis(y))
    }

    fn least_span(&self) -> f64 {
        self.along.map_or(1.0, |along| along.least())
    }

    fn told_span(&self, view: View, end: f64) -> String {
        self.along
            .map_or_else(String::new, |along| along.told(view, end))
    }
}

impl Held for NetworkChart {
    fn shade(&self, hit: usize) -> Option<usize> {
        self.hits.get(hit)?.shade
    }

    fn picture(&self) -> &Picture {
        &self.picture
    }

    fn count(&self) -> usize {
        self.hits.len()
    }

    fn place(&self, hit: usize) -> Option<Place> {
        self.hits.get(hit).map(|here| Place {
            rect: Some(here.rect),
            row: 0,
            from_s: hit as f64,
            to_s: hit as f64,
        })
    }

    fn at(&self, x: f64, y: f64) -> Option<usize> {
        self.hit_at(x, y)
    }

    fn beside(&self, hit: usize, step: Step) -> Option<usize> {
        self.neighbour(hit, step)
    }

    fn words(&self, hit: usize) -> Option<MarkWords> {
        self.hits.get(hit).map(|hit| MarkWords {
            title: hit.title.clone(),
            rows: hit.rows.clone(),
            spoken: hit.spoken.clone(),
        })
    }

    fn lit_by(&self, hit: usize) -> Picture {
        self.lit(hit)
    }

    fn ring_of(&self, hit: usize) -> Option<Mark> {
        self.ring(hit)
    }
}

/// A line chart with the lines that it was made of, to speak of their points.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldLines {
    /// The chart.
    pub chart: LineChart,
    /// What it shows.
    pub lines: Arc<Lines>,
    /// Its axis, where that is straight.
    scale: Option<TimeScale>,
}

impl HeldLines {
    /// The chart of some lines.
    #[must_use]
    pub fn of(chart: LineChart, lines: Arc<Lines>) -> Self {
        let scale = match chart.x {
            ParameterScale::Straight(scale) => Some(scale.into()),
            ParameterScale::Log(_) => None,
        };
        Self {
            chart,
            lines,
            scale,
        }
    }
}

impl Held for HeldLines {
    fn picture(&self) -> &Picture {
        &self.chart.picture
    }

    fn count(&self) -> usize {
        self.chart.hits.len()
    }

    fn place(&self, hit: usize) -> Option<Place> {
        self.chart.hits.get(hit).map(|hit| Place {
            rect: Some(Rect::new(hit.at.0, hit.at.1, 0.0, 0.0).grown(6.0)),
            row: hit.series,
            from_s: hit.x,
            to_s: hit.x,
        })
    }

    fn at(&self, x: f64, y: f64) -> Option<usize> {
        self.chart.hit_at(x, y)
    }

    fn beside(&self, hit: usize, step: Step) -> Option<usize> {
        self.chart.neighbour(hit, step)
    }

    fn words(&self, hit: usize) -> Option<MarkWords> {
        let words = self.chart.words(&self.lines, hit)?;
        Some(MarkWords {
            title: words.series,
            rows: std::iter::once(words.x).chain(words.values).collect(),
            spoken: self.chart.hits.get(hit)?.spoken.clone(),
        })
    }

    fn lit_by(&self, hit: usize) -> Picture {
        self.chart.lit(hit)
    }

    fn ring_of(&self, hit: usize) -> Option<Mark> {
        self.chart.ring(hit)
    }

    fn scale(&self) -> Option<&TimeScale> {
        self.scale.as_ref()
    }

    fn is_axis(&self, y: f64) -> bool {
        y > self.chart.plot.bottom() + 2.0
    }

    fn least_span(&self) -> f64 {
        3.0
    }

    fn told_span(&self, view: View, end: f64) -> String {
        let [from, to, end] = [view.from_s, view.to_s, end].map(|x| count(libm::round(x)));
        format!("{} {from} to {to} of {end}", self.lines.x_title)
    }

    /// The point of the first series that is nearest to the current value.
    fn first(&self) -> Option<usize> {
        let near = self.lines.now.and_then(|now| self.chart.nearest(0, now));
        near.or((!self.chart.hits.is_empty()).then_some(0))
    }

    fn pick(&self, hit: usize) -> Option<f64> {
        self.chart.hits.get(hit).map(|hit| hit.x)
    }

    fn now(&self) -> Option<(f64, f64)> {
        Some((self.chart.now_px?, self.chart.plot.bottom()))
    }

    fn is_now(&self, hit: usize) -> bool {
        let here = self.chart.hits.get(hit).map(|hit| hit.x);
        here.is_some() && here == self.lines.now
    }

    fn dragged(&self, x: f64) -> Option<f64> {
        let x = x.clamp(self.chart.plot.x, self.chart.plot.right());
        let ends = self.chart.hits.iter().map(|hit| hit.x);
        let (least, most) = ends.fold((f64::MAX, f64::MIN), |(least, most), x| {
            (least.min(x), most.max(x))
        });
        let value = self.chart.x.round_value_from_px(x);
        let value = (least <= most).then(|| value.clamp(least, most));
        value.filter(|value| self.lines.now != Some(*value))
    }

    fn moved(&self, step: Step) -> Option<f64> {
        let now = self.lines.now?;
        let xs = self.chart.hits.iter().map(|hit| hit.x);
        match step {
            Step::Earlier => xs.filter(|x| *x < now).max_by(f64::total_cmp),
            Step::Later => xs.filter(|x| *x > now).min_by(f64::total_cmp),
            Step::First => xs.min_by(f64::total_cmp),
            Step::Last => xs.max_by(f64::total_cmp),
            Step::Above | Step::Below | Step::Chain => None,
        }
    }
}
