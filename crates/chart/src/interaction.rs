//! The layout of any chart: picture, hit targets, and the axis along which it can be zoomed. Descriptions of marks are asked of the data
//! ([`MarkDescriber`]). Axes count seconds, tokens, steps or layers; token t takes the span from t - 1 to t.

use super::gantt::{NeighbourKey, TimeView};
use super::ink::Ink;
use super::mark::{Mark, MarkShape, Picture, Rect};
use super::scale::{ParameterScale, TimeFormat, TimeScale};
use super::sheet::nothing;
use engine::units::{InOrder, count};
use std::ops::Range;
use std::sync::Arc;

/// A mark that can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HitTarget {
    /// Visible part [px]; `None` if it is out of view.
    pub rect: Option<Rect>,
    /// Its row, counted from the top.
    pub row: usize,
    /// Its beginning along the axis [s, or tokens]; where there is no axis, which of the chart's data it is.
    pub from_s: f64,
    /// Its end [s, or tokens].
    pub to_s: f64,
    /// Value that a press sets, if it sets one.
    pub pick: Option<f64>,
    /// The shade of the device that it is of, from 0, where it is of one.
    pub shade: Option<usize>,
    /// The datum that it describes.
    pub of: usize,
    /// The chain that the key for it follows from here.
    pub(super) chain: Option<usize>,
    pub(super) is_link: bool,
}

impl HitTarget {
    /// A mark of a chart without an axis.
    pub(super) fn at(rect: Rect, row: usize, of: usize) -> Self {
        Self {
            rect: Some(rect),
            row,
            of,
            from_s: of as f64,
            to_s: of as f64,
            ..Self::default()
        }
    }

    /// A mark round a point [px].
    pub(super) fn round((x, y): (f64, f64), row: usize, of: usize) -> Self {
        Self::at(Rect::new(x, y, 0.0, 0.0).grown(4.0), row, of)
    }

    /// Its middle [px]; marks that are not seen are left of all others.
    pub(super) fn middle(&self) -> (f64, f64) {
        self.rect.map_or((f64::NEG_INFINITY, 0.0), |r| r.middle())
    }

    /// A frame round it, of the mark at that place.
    pub(super) fn framed(&self, at: usize) -> Option<Mark> {
        let rect = self.rect?.grown(1.0);
        Some(Mark::frame(Ink::Text, &[], rect).of(at))
    }

    /// How far left or right of it a place is [px].
    fn across(&self, x: f64) -> f64 {
        self.rect.map_or(f64::INFINITY, |rect| rect.across(x))
    }
}

/// How the marks of a row are caught.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum HitTest {
    /// The nearest along the axis, anywhere in the band and at most so far off [px].
    Column(f64),
    /// The nearest in the plane, at most so far off [px].
    Near(f64),
    /// The one whose rectangle is nearest, at most so far off [px]; of several the smallest.
    Inside(f64),
    /// The smallest of those that hold the point, slimmer ones as if they were so wide [px].
    Smallest(f64),
    /// Marks under the point, else the narrowest of those within this width [px].
    Under(f64),
    /// Links before what they are on, then the one whose middle is nearest, slimmer ones as if they were so wide [px].
    Links(f64),
}

/// Marks in one row, from left to right.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct HitRow {
    /// Where it can be caught [px].
    pub band: Rect,
    pub catch: HitTest,
    pub hits: Range<usize>,
}

/// Where keys lead up and down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum VerticalNavigation {
    /// To what is nearest along the axis in the next row that has any.
    #[default]
    Row,
    /// To the next mark at the same place of the axis.
    Column,
    /// To what is nearest among all that is on that side.
    Plane,
}

/// Unit of a zoomable axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum AxisUnit {
    Time,
    /// Tokens, at least eight at once: how many there are.
    Tokens(usize),
    /// `steps`: `steps 3 to 20 of 71`.
    Whole(&'static str),
    /// A parameter by its name.
    Parameter(String),
}

/// The axis of a chart that can be zoomed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ZoomAxis {
    /// Visible part.
    pub scale: TimeScale,
    /// Where its figures stand, and a span can be selected: from and to [px].
    pub figures: (f64, f64),
    pub counts: AxisUnit,
    /// The axis on a ground of its own, for rows that scroll under it.
    pub alone: Option<Picture>,
}

/// The parameter that a chart sets: a line at its current value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CurrentValue {
    pub now: Option<f64>,
    /// Where its line stands [px]; `None` where it has no place on the axis.
    pub px: Option<f64>,
    pub scale: ParameterScale,
}

/// Range of scrolling across the axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ScrollLanes {
    /// The lane in the middle of the plot.
    pub middle: f64,
    /// From lane to lane [px].
    pub px: f64,
    /// The lanes that can be in the middle.
    pub ends: (f64, f64),
}

/// Describes the marks of a chart on demand.
pub trait MarkDescriber: Send + Sync {
    /// Returns the description of a mark.
    fn describe_mark(&self, hit: &HitTarget) -> Option<MarkWords>;

    /// Lights all that belongs to a mark in a picture of its chart; where nothing else is said, a line through it.
    fn light(&self, layout: &ChartLayout, at: usize, picture: &mut Picture) {
        let (x, plot) = (layout.hits[at].middle().0, &layout.plot);
        let line = Mark::line(Ink::HandOver, 1.0, (x, plot.y), (x, plot.bottom()));
        picture.marks.insert(0, line);
    }
}

/// Description of a mark: for the card and the keys.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MarkWords {
    /// Title of the card.
    pub title: String,
    /// Rows of the card: name and value.
    pub rows: Vec<(String, String)>,
    /// Paragraphs on its meaning.
    pub notes: Vec<String>,
    /// All of it as one spoken line.
    pub aria_label: String,
}

/// Which words of a card are spoken in small letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Small {
    None,
    Names,
    All,
}

impl MarkWords {
    /// A card whose rows are spoken after its title and `sep`.
    pub(super) fn of(title: String, sep: &str, small: Small, rows: Vec<(String, String)>) -> Self {
        let text = |(name, value): &(String, String)| match small {
            Small::None => format!("{name} {value}"),
            Small::Names => format!("{} {value}", name.to_ascii_lowercase()),
            Small::All => format!("{name} {value}").to_ascii_lowercase(),
        };
        let all: Vec<String> = rows.iter().map(text).collect();
        Self {
            aria_label: format!("{title}{sep}{}", all.join(", ")),
            title,
            rows,
            notes: Vec::new(),
        }
    }
}

/// A row of a card.
pub(super) fn row(name: impl Into<String>, value: impl Into<String>) -> (String, String) {
    (name.into(), value.into())
}

/// A chart after layout.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChartLayout {
    /// Where data can be [px].
    pub plot: Rect,
    /// Hit targets, row by row.
    pub hits: Vec<HitTarget>,
    pub(super) rows: Vec<HitRow>,
    pub(super) upwards: VerticalNavigation,
    /// The band of each row [px].
    pub(super) bands: Vec<Rect>,
    /// How far a card stands off a mark [px].
    pub(super) air: f64,
    pub(super) along: Option<ZoomAxis>,
    pub(super) current_value: Option<CurrentValue>,
    pub(super) lanes: Option<ScrollLanes>,
}

/// A chart laid out, with what it was made of.
#[derive(Debug, Clone, PartialEq)]
pub struct InteractiveChart<S: ?Sized = dyn MarkDescriber> {
    /// The picture to paint.
    pub picture: Picture,
    layout: ChartLayout,
    pub(super) describer: S,
}

/// A chart in the hand that can be compared: equal where it is the same one.
#[derive(Clone)]
pub struct ChartHandle(pub Arc<InteractiveChart>);

impl ChartHandle {
    /// A chart whatever it was made of.
    #[must_use]
    pub fn of<S: MarkDescriber + 'static>(chart: InteractiveChart<S>) -> Self {
        Self(Arc::new(chart))
    }

    /// A chart of nothing, in place of one that cannot be drawn yet.
    #[must_use]
    pub fn nothing(width_px: f64) -> Self {
        Self::of(InteractiveChart {
            picture: nothing(width_px),
            layout: ChartLayout::default(),
            describer: Nothing,
        })
    }
}

/// Describes the marks of a chart without any.
#[derive(Debug, Clone, PartialEq)]
struct Nothing;

impl MarkDescriber for Nothing {
    fn describe_mark(&self, _: &HitTarget) -> Option<MarkWords> {
        None
    }
}

impl PartialEq for ChartHandle {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::ops::Deref for ChartHandle {
    type Target = InteractiveChart;

    fn deref(&self) -> &InteractiveChart {
        &self.0
    }
}

impl<S: ?Sized> std::ops::Deref for InteractiveChart<S> {
    type Target = ChartLayout;

    fn deref(&self) -> &ChartLayout {
        &self.layout
    }
}

impl<S: MarkDescriber + ?Sized> InteractiveChart<S> {
    /// Returns the picture to paint.
    #[must_use]
    pub const fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Returns the description of a mark.
    #[must_use]
    pub fn description(&self, hit: usize) -> Option<MarkWords> {
        self.describer.describe_mark(self.hits.get(hit)?)
    }

    /// The picture with all that belongs to a mark lit.
    #[must_use]
    pub fn lit_by(&self, hit: usize) -> Picture {
        let mut picture = self.picture.clone();
        if hit < self.count() {
            self.describer.light(self, hit, &mut picture);
        }
        picture
    }
}

impl ChartLayout {
    /// Rows of marks.
    pub(super) fn of(plot: Rect, rows: RowHits) -> Self {
        Self {
            plot,
            hits: rows.hits,
            rows: rows.rows,
            upwards: VerticalNavigation::Row,
            bands: Vec::new(),
            air: 0.0,
            along: None,
            current_value: None,
            lanes: None,
        }
    }

    /// Creates one for marks whose cards are placed at a distance.
    pub(super) fn spots(plot: Rect, rows: RowHits) -> Self {
        Self {
            air: 4.0,
            ..Self::of(plot, rows)
        }
    }

    /// With an axis to zoom along, whose figures are between two heights [px].
    pub(super) fn along(
        self,
        scale: impl Into<TimeScale>,
        figures: (f64, f64),
        counts: AxisUnit,
    ) -> Self {
        let along = ZoomAxis {
            scale: scale.into(),
            figures,
            counts,
            alone: None,
        };
        Self {
            along: Some(along),
            ..self
        }
    }

    /// With an axis to zoom along over its rows, which scroll under it.
    pub(super) fn under(self, scale: TimeScale, axis: Picture, counts: AxisUnit) -> Self {
        let figures = (f64::NEG_INFINITY, axis.height);
        let mut layout = self.along(scale, figures, counts);
        if let Some(along) = &mut layout.along {
            along.alone = Some(axis);
        }
        layout
    }

    /// With its picture and what its marks are of.
    pub(super) const fn with_describer<S: MarkDescriber>(
        self,
        picture: Picture,
        said: S,
    ) -> InteractiveChart<S> {
        InteractiveChart {
            picture,
            layout: self,
            describer: said,
        }
    }

    /// How many marks can be reached.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.hits.len()
    }

    /// Where a mark stands, with the air that a card leaves round it; `None` where there is none.
    #[must_use]
    pub fn place(&self, hit: usize) -> Option<HitTarget> {
        let hit = *self.hits.get(hit)?;
        let rect = hit.rect.map(|rect| rect.grown(self.air));
        Some(HitTarget { rect, ..hit })
    }

    /// Returns the value that a press on a mark sets, if it sets one.
    #[must_use]
    pub fn pick(&self, hit: usize) -> Option<f64> {
        self.hits.get(hit)?.pick
    }

    /// The shade of the device that a mark is of, from 0, where it is of one.
    #[must_use]
    pub fn shade(&self, hit: usize) -> Option<usize> {
        self.hits.get(hit)?.shade
    }

    /// The ring round a selected mark, or `None` while it is out of sight.
    #[must_use]
    pub fn ring_of(&self, hit: usize) -> Option<Mark> {
        let rect = self.hits.get(hit)?.rect?;
        Some(Mark::new(Ink::Focus, MarkShape::Ring { rect }).of(hit))
    }

    /// Where keys begin: with the mark of the current value where there is one.
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        let dial = self.current_value.as_ref();
        let near = dial
            .and_then(|dial| self.nearest(self.rows.first()?, dial.scale.px_from_value(dial.now?)));
        near.or((self.count() > 0).then_some(0))
    }

    /// Returns the mark at a place of another view of the same data. Mark numbers change with the view, and marks of tokens merge: then
    /// the mark over the middle of the old one.
    #[must_use]
    pub fn again(&self, place: &HitTarget) -> Option<usize> {
        let in_row = || (0..self.count()).filter(|at| self.hits[*at].row == place.row);
        let is_same = |at: &usize| {
            let here = &self.hits[*at];
            (here.from_s, here.to_s) == (place.from_s, place.to_s)
        };
        let merges = |along: &&ZoomAxis| matches!(along.counts, AxisUnit::Tokens(_));
        let holds = |at: &usize| {
            let (here, middle) = (&self.hits[*at], f64::midpoint(place.from_s, place.to_s));
            here.from_s <= middle && middle <= here.to_s && !here.is_link
        };
        let same = in_row().find(is_same);
        same.or_else(|| {
            self.along
                .as_ref()
                .filter(merges)
                .and_then(|_| in_row().find(holds))
        })
    }

    /// The mark at a point [px], or `None` on empty ground.
    ///
    /// # Complexity
    /// O(rows log n), and O(n) in rows that are not columns.
    #[must_use]
    pub fn at(&self, x: f64, y: f64) -> Option<usize> {
        let caught = || self.rows.iter().filter(|row| row.band.contains(x, y));
        let near = caught().flat_map(|row| row.hits.clone().map(|at| (at, row.catch)));
        let near = near.filter_map(|(at, catch)| Some((at, self.hits[at].caught(catch, (x, y))?)));
        let least = near.min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        // A single mark goes before the column that it is in.
        least.map(|(at, _)| at).or_else(|| {
            caught().find_map(|row| {
                let HitTest::Column(most) = row.catch else {
                    return None;
                };
                let at = self.nearest(row, x)?;
                (self.hits[at].across(x) <= most).then_some(at)
            })
        })
    }

    /// The mark of a row that is nearest along the axis [px].
    fn nearest(&self, row: &HitRow, x: f64) -> Option<usize> {
        let hits = self.hits.get(row.hits.clone())?;
        let after = hits.partition_point(|hit| hit.middle().0 < x);
        let away = |at: usize| {
            let hit = hits.get(at)?;
            Some((hit.across(x), (hit.middle().0 - x).abs()))
        };
        let before = after.checked_sub(1);
        let nearer = match (before.and_then(away), away(after)) {
            (Some(a), Some(b)) if a <= b => before?,
            (Some(_), None) => before?,
            (_, Some(_)) => after,
            (None, None) => return None,
        };
        Some(row.hits.start + nearer)
    }

    /// Where a step of the keyboard leads, or `None` at the border. In a row it may lead to what is just outside the view.
    #[must_use]
    pub fn neighbour(&self, hit: usize, step: NeighbourKey) -> Option<usize> {
        let own = self.rows.iter().position(|row| row.hits.contains(&hit))?;
        let hits = &self.rows[own].hits;
        match step {
            NeighbourKey::Earlier => hit.checked_sub(1).filter(|at| hits.contains(at)),
            NeighbourKey::Later => Some(hit + 1).filter(|at| hits.contains(at)),
            NeighbourKey::First => Some(hits.start),
            NeighbourKey::Last => hits.end.checked_sub(1),
            NeighbourKey::Above => self.upwards(own, hit, true),
            NeighbourKey::Below => self.upwards(own, hit, false),
            NeighbourKey::Chain => self.chained(hit),
        }
    }

    fn upwards(&self, own: usize, hit: usize, is_up: bool) -> Option<usize> {
        let row = &self.rows[own];
        match self.upwards {
            VerticalNavigation::Row => {
                let next = |row: &HitRow| match row.catch {
                    HitTest::Column(_) | HitTest::Near(_) | HitTest::Inside(_) => {
                        self.nearest(row, self.hits[hit].middle().0)
                    }
                    _ => self.at_time(row, &self.hits[hit]),
                };
                let found = if is_up {
                    self.rows[..own].iter().rev().find_map(next)
                } else {
                    self.rows[own + 1..].iter().find_map(next)
                };
                found.or_else(|| self.within(row, hit, is_up))
            }
            VerticalNavigation::Column => {
                // Marks at the same height follow one another in their order.
                let key = |at: usize| (self.hits[at].middle().1, at);
                let order = |a: &usize, b: &usize| {
                    let ((ya, a), (yb, b)) = (key(*a), key(*b));
                    ya.total_cmp(&yb).then(a.cmp(&b))
                };
                let same =
                    |at: &usize| *at != hit && self.hits[*at].from_s == self.hits[hit].from_s;
                let column = (0..self.count()).filter(same);
                if is_up {
                    column.filter(|at| order(at, &hit).is_lt()).max_by(order)
                } else {
                    column.filter(|at| order(at, &hit).is_gt()).min_by(order)
                }
            }
            VerticalNavigation::Plane => {
                let from = self.hits[hit].rect?;
                let x = from.middle().0;
                let cost = |at: usize| {
                    let rect = self.hits[at].rect?;
                    let away = if is_up {
                        from.y - rect.bottom()
                    } else {
                        rect.y - from.bottom()
                    };
                    (away >= 0.0).then(|| (away + rect.across(x), at))
                };
                let all = (0..self.count()).filter_map(cost);
                all.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at)
            }
        }
    }

    /// The visible mark of a row whose span is nearest to the middle of a given one; of equally near ones the first.
    fn at_time(&self, row: &HitRow, to: &HitTarget) -> Option<usize> {
        let middle = (to.from_s + to.to_s) / 2.0;
        let away = |at: &usize| {
            let hit = &self.hits[*at];
            (hit.from_s - middle).max(middle - hit.to_s).max(0.0)
        };
        let seen = row.hits.clone().filter(|at| self.hits[*at].rect.is_some());
        seen.min_by(|a, b| away(a).total_cmp(&away(b)))
    }

    /// The mark of the same row that is next above or below, where a row has marks at several heights.
    fn within(&self, row: &HitRow, hit: usize, is_up: bool) -> Option<usize> {
        let HitTest::Inside(_) = row.catch else {
            return None;
        };
        let (x, y) = self.hits[hit].middle();
        let far = |at: usize| {
            let (_, other) = self.hits[at].middle();
            let down = if is_up { y - other } else { other - y };
            (down > 0.0).then(|| (down + 2.0 * self.hits[at].across(x), at))
        };
        let all = row.hits.clone().filter_map(far);
        all.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
            .map(|(_, at)| at)
    }

    /// The next link of a mark's chain in order of time; after the last, the first again.
    fn chained(&self, hit: usize) -> Option<usize> {
        let chain = self.hits[hit].chain?;
        let order = |a: &usize, b: &usize| {
            self.hits[*a]
                .from_s
                .total_cmp(&self.hits[*b].from_s)
                .then(a.cmp(b))
        };
        let links = (0..self.count())
            .filter(|at| self.hits[*at].is_link && self.hits[*at].chain == Some(chain));
        let after = links
            .clone()
            .filter(|at| order(at, &hit).is_gt())
            .min_by(order);
        after.or_else(|| links.min_by(order))
    }

    /// The axis that a hand zooms along, of seconds, tokens, steps or layers.
    #[must_use]
    pub fn scale(&self) -> Option<&TimeScale> {
        self.along.as_ref().map(|along| &along.scale)
    }

    /// Returns the axis as a picture of its own, for rows that scroll under it.
    #[must_use]
    pub fn axis(&self) -> Option<&Picture> {
        self.along.as_ref()?.alone.as_ref()
    }

    /// Returns true if a height is that of the axis, on which a span can be selected [px].
    #[must_use]
    pub fn is_axis(&self, y: f64) -> bool {
        let figures = self.along.as_ref().map(|along| along.figures);
        figures.is_some_and(|(from, to)| (from..=to).contains(&y))
    }

    /// The band of each row [px].
    #[must_use]
    pub fn bands(&self) -> &[Rect] {
        &self.bands
    }

    /// The shortest span that a hand can zoom to [s, or tokens].
    #[must_use]
    pub fn least_span(&self) -> f64 {
        /// Of steps, layers and points.
        const LEAST: f64 = 3.0;
        match self
            .along
            .as_ref()
            .map(|along| (&along.counts, along.scale.ends_px()))
        {
            Some((AxisUnit::Time, (left, right))) => TimeView::least_s(right - left),
            Some((AxisUnit::Tokens(_), _)) => super::heads::LEAST_TOKENS,
            Some(_) => LEAST,
            None => 1.0,
        }
    }

    /// Returns the value that a press at a place along the axis sets [px], whatever mark is there.
    #[must_use]
    pub fn value_at(&self, x_px: f64) -> Option<f64> {
        self.token_at(x_px).map(|token| token as f64)
    }

    /// The token that a place of the plot means, as a pointer on it [px].
    #[must_use]
    pub fn token_at(&self, x_px: f64) -> Option<usize> {
        match self.along.as_ref()? {
            ZoomAxis {
                scale,
                counts: AxisUnit::Tokens(n),
                ..
            } => super::heads::token_from_px(scale, *n, x_px),
            _ => None,
        }
    }

    /// A span of the axis in words; `end` is where the axis ends.
    #[must_use]
    pub fn span_text(&self, view: TimeView, end: f64) -> String {
        let from = libm::floor(view.from_s).max(0.0) + 1.0;
        let to = libm::ceil(view.to_s).max(from);
        match self.along.as_ref().map(|along| &along.counts) {
            Some(AxisUnit::Time) => {
                TimeFormat::of_largest(end).spell_out_span(view.from_s, view.to_s)
            }
            Some(AxisUnit::Tokens(_)) => {
                super::heads::token_range_label(from as usize, to as usize)
            }
            Some(AxisUnit::Whole(unit)) => {
                format!("{unit} {} to {} of {}", count(from), count(to), count(end))
            }
            Some(AxisUnit::Parameter(name)) => {
                let [from, to, end] = [view.from_s, view.to_s, end].map(|x| count(libm::round(x)));
                format!("{name} {from} to {to} of {end}")
            }
            None => String::new(),
        }
    }

    /// The lane in the middle once the view has been moved down by so much [px]; `None` where there are no lanes.
    #[must_use]
    pub fn lane_after(&self, px: f64) -> Option<f64> {
        let lanes = self.lanes.as_ref()?;
        let lane = lanes.middle + px / lanes.px;
        Some(lane.min(lanes.ends.1).max(lanes.ends.0))
    }

    /// Where the line of the current value stands, and how far down it can be caught [px].
    #[must_use]
    pub fn now(&self) -> Option<(f64, f64)> {
        Some((self.current_value.as_ref()?.px?, self.plot.bottom()))
    }

    /// Returns true if a mark belongs to the current value.
    #[must_use]
    pub fn is_now(&self, hit: usize) -> bool {
        let now = self.current_value.as_ref().and_then(|dial| dial.now);
        now.is_some() && self.hits.get(hit).map(|hit| hit.from_s) == now
    }

    /// The value that the line of the current value takes where it is dragged [px].
    #[must_use]
    pub fn dragged(&self, x: f64) -> Option<f64> {
        let dial = self.current_value.as_ref()?;
        let ends = self.hits.iter().map(|hit| hit.from_s);
        let least = ends.clone().min_by(f64::total_cmp)?;
        let most = ends.max_by(f64::total_cmp)?;
        let x = x.clamp(self.plot.x, self.plot.right());
        let value = dial.scale.round_value_from_px(x).clamp(least, most);
        (dial.now != Some(value)).then_some(value)
    }

    /// The value that a step of the keyboard takes from the current one.
    #[must_use]
    pub fn moved(&self, step: NeighbourKey) -> Option<f64> {
        let now = self.current_value.as_ref()?.now?;
        let xs = self.hits.iter().map(|hit| hit.from_s);
        match step {
            NeighbourKey::Earlier => xs.filter(|x| *x < now).max_by(f64::total_cmp),
            NeighbourKey::Later => xs.filter(|x| *x > now).min_by(f64::total_cmp),
            NeighbourKey::First => xs.min_by(f64::total_cmp),
            NeighbourKey::Last => xs.max_by(f64::total_cmp),
            NeighbourKey::Above | NeighbourKey::Below | NeighbourKey::Chain => None,
        }
    }
}

impl HitTarget {
    /// How well a point catches it: the less the better; `None` where it does not.
    fn caught(&self, catch: HitTest, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let rect = self.rect?;
        let (across, down) = (rect.across(x), rect.down(y));
        let (mx, my) = rect.middle();
        let is_in = |wide: f64| {
            let slack = (wide - rect.w).max(0.0) / 2.0;
            Rect::new(rect.x - slack, rect.y, rect.w + 2.0 * slack, rect.h).contains(x, y)
        };
        let area = rect.w * rect.h;
        let (holds, rank) = match catch {
            HitTest::Column(_) => return None,
            HitTest::Near(most) => {
                let away = libm::hypot(mx - x, my - y);
                (away <= most, (away, 0.0))
            }
            HitTest::Inside(most) => {
                let away = libm::hypot(across, down);
                (away <= most, (away, area))
            }
            HitTest::Smallest(wide) => (is_in(wide), (area, 0.0)),
            HitTest::Under(wide) => (is_in(wide), (across, rect.w)),
            HitTest::Links(wide) => (
                is_in(wide),
                (if self.is_link { 0.0 } else { 1.0 }, (mx - x).abs()),
            ),
        };
        holds.then_some(rank)
    }
}

/// Rows of marks put one after another.
#[derive(Debug, Default)]
pub(super) struct RowHits {
    pub hits: Vec<HitTarget>,
    pub rows: Vec<HitRow>,
}

impl RowHits {
    /// Adds a row as it is; it can be caught anywhere.
    pub fn add(&mut self, catch: HitTest, hits: impl IntoIterator<Item = HitTarget>) {
        /// Larger than any picture.
        const ALL: Rect = Rect::new(-1e9, -1e9, 2e9, 2e9);
        let from = self.hits.len();
        self.hits.extend(hits);
        let hits = from..self.hits.len();
        self.rows.push(HitRow {
            band: ALL,
            catch,
            hits,
        });
    }

    /// Adds a row that can be caught in a band; its marks are put in order along the axis.
    pub fn row(&mut self, band: Rect, catch: HitTest, mut hits: Vec<HitTarget>) {
        let key = |hit: &HitTarget| match (catch, hit.rect) {
            // What is larger than a point is walked by where it begins.
            (HitTest::Inside(_), Some(rect)) => (rect.x, rect.y),
            _ => (hit.middle().0, 0.0),
        };
        hits.in_order_by(|a, b| {
            let (a, b) = (key(a), key(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        self.add(catch, hits);
        if let Some(row) = self.rows.last_mut() {
            row.band = band;
        }
    }
}
