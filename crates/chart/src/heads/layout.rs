//! Where everything in a map of heads stands: the rows by their room, the axis, and what is drawn in which order.

use super::axis::TokenAxis;
use super::head::{GUTTER_AIR_PX, gutter, head};
use super::hits::{HeadHit, HeadMarks};
use super::index::HeadIndex;
use super::{TimeView, arrows};
use crate::ink::Ink;
use crate::interaction::{AxisUnit, InteractiveChart};
use crate::mark::{Anchor, Mark, Picture, Rect, fit};
use crate::rows::{
    self, AXIS_PX, FOOT_PX, HEAD_PX, MAX_SPACIOUS_ROWS, PHONE_PX, RIGHT_PX, SMALL_SIZE,
};
use crate::scale::TimeScale;
use engine::units::InOrder;
use engine::units::count;

/// Most rows that are not close.
const DENSE_ROWS: usize = 24;
/// Rows that take more than this scroll under their axis [px].
const TALL_PX: f64 = 660.0;
/// The gutter is at most this part of the picture.
const GUTTER_SHARE: f64 = 0.34;
/// Slimmer cells and closer ticks merge [px]; in a chart of many rows sooner.
const MERGED_PX: (f64, f64) = (3.0, 4.0);
/// How much room a row has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowDensity {
    /// A head of two lines.
    Tall,
    /// A head of one line.
    Dense,
    /// As close as names can stand.
    Close,
}

impl RowDensity {
    fn of(rows: usize) -> Self {
        match rows {
            0..=MAX_SPACIOUS_ROWS => Self::Tall,
            n if n <= DENSE_ROWS => Self::Dense,
            _ => Self::Close,
        }
    }

    /// Height of a row and of its cells [px].
    const fn row_px(self) -> (f64, f64) {
        match self {
            Self::Tall => (50.0, 32.0),
            Self::Dense => (28.0, 20.0),
            Self::Close => (20.0, 16.0),
        }
    }

    /// Height of a strip [px].
    const fn strip_px(self) -> f64 {
        match self {
            Self::Tall => 16.0,
            Self::Dense => 13.0,
            Self::Close => 11.0,
        }
    }
}

/// Meaning of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowOf {
    /// The heads of a device.
    Device(usize),
    /// Projection and FFN on a device.
    Strip(usize),
}

/// The measures of one chart.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct HeadsFrame {
    pub width: f64,
    pub phone: bool,
    /// Names above cells.
    pub above: bool,
    pub row_density: RowDensity,
    pub scale: TimeScale,
    /// The rows, each with its upper and lower edge [px].
    pub rows: Vec<(RowOf, f64, f64)>,
    /// Where the last row ends [px].
    pub foot: f64,
}

impl HeadIndex {
    /// Lays the map out on `width_px`, showing the span of `view` [tokens].
    ///
    /// # Complexity
    /// O(rows log n + what is seen), n being spans and moves; marks are at least 3 px apart, so that there are at most
    /// about as many as the rows are pixels long.
    #[must_use]
    pub fn layout(&self, width_px: f64, view: TimeView) -> InteractiveChart<HeadMarks> {
        let frame = HeadsFrame::new(self, width_px, view);
        let height = frame.foot.max(AXIS_PX + 28.0) + FOOT_PX;
        let mut marks = Vec::new();
        let axis = frame.axis(self);
        axis.grid((AXIS_PX - 5.0, height), &mut marks);
        let mut above = rows::alone(frame.width, "Axis of tokens");
        axis.grid((AXIS_PX - 5.0, AXIS_PX), &mut above.marks);
        for marks in [&mut marks, &mut above.marks] {
            frame.note_title(self, marks);
            axis.ticks(marks);
        }
        let arrows = match (self.at, axis.line_px()) {
            (Some(at), Some(x)) => {
                let numbers: Vec<usize> = self.data.moves_at(at).collect();
                arrows::of(self, &frame, &numbers, x)
            }
            _ => Vec::new(),
        };
        let (mut hits, mut ranges) = (Vec::new(), Vec::with_capacity(frame.rows.len()));
        for (row, place) in frame.rows.iter().enumerate() {
            let first = hits.len();
            let ends = arrows.iter().filter(|arrow| arrow.rows.1 == row);
            let mut own: Vec<HeadHit> = ends.map(|arrow| arrow.hit(self)).collect();
            match place.0 {
                RowOf::Device(device) => {
                    let taken = arrows::occupied_spans(&arrows, axis.line_px(), row);
                    head(self, &frame, row, device, &mut marks);
                    own.extend(self.cells(&frame, (row, device)));
                    own.extend(self.ticks(&frame, (row, device)));
                    own.in_order_of(HeadHit::order);
                    self.draw_row(&frame, (row, first), &own, taken, &mut marks);
                }
                RowOf::Strip(device) => {
                    own.extend(self.shares(&frame, (row, device)));
                    own.in_order_of(HeadHit::order);
                    self.draw_strip(&frame, (row, first), &own, &mut marks);
                }
            }
            hits.extend(own);
            ranges.push(first..hits.len());
        }
        axis.line((AXIS_PX - 8.0, height), &mut marks);
        axis.line((AXIS_PX - 8.0, AXIS_PX), &mut above.marks);
        arrows::draw(&arrows, &mut marks);
        for marks in [&mut marks, &mut above.marks] {
            axis.tag(marks);
        }
        if frame.rows.is_empty() {
            let at = (8.0, AXIS_PX + 18.0);
            marks.push(rows::nothing(at, "Add a device to see heads."));
        }
        let band = |row: &(RowOf, f64, f64)| Rect::new(0.0, row.1, frame.width, row.2 - row.1);
        let bands = frame.rows.iter().map(band).collect();
        let picture = Picture::of((frame.width, height), self.describe(), marks);
        let (scale, counts) = (frame.scale, AxisUnit::Tokens(self.data.tokens));
        let marks = HeadMarks {
            index: self.clone(),
            frame,
            all: hits,
        };
        let rows = (marks.rows(ranges), bands);
        rows::layout_rows((picture, above), (scale, counts), rows, marks)
    }
}

impl HeadIndex {
    /// Where the plot of a map begins and ends on `width_px` [px]: for what is under it on the same axis.
    #[must_use]
    pub fn plot_px(&self, width_px: f64) -> (f64, f64) {
        HeadsFrame::new(self, width_px, TimeView::until(self.data.tokens as f64))
            .scale
            .ends_px()
    }

    /// Returns true if there are so many rows that they scroll under their axis.
    #[must_use]
    pub fn is_tall(&self) -> bool {
        let rows = &self.data.rows;
        let all: f64 = rows
            .iter()
            .map(|row| sum(heights(self, row.has_strip())))
            .sum();
        rows.len() > MAX_SPACIOUS_ROWS && AXIS_PX + all > TALL_PX
    }

    /// The map in one sentence, for those who do not see it.
    #[must_use]
    pub fn describe(&self) -> String {
        let data = &self.data;
        let plural = |n: usize, what: &str| {
            let s = if n == 1 { "" } else { "s" };
            format!("{} {what}{s}", count(n as f64))
        };
        let (devices, tokens) = (
            plural(data.devices.len(), "device"),
            plural(data.tokens, "token"),
        );
        let none = data
            .rows
            .iter()
            .filter(|row| row.cells.iter().all(|cell| cell.heads == 0));
        let idle = match none.count() {
            0 => String::new(),
            n => format!(", never any on {}", plural(n, "device")),
        };
        format!(
            "Heads on {devices} over {tokens}: at most {} at once{idle}; heads move {}, projection and FFN {}.",
            plural(data.most, "head"),
            plural(data.head_moves, "time"),
            plural(data.moves.len() - data.head_moves, "time")
        )
    }
}

/// Heights of a device's row and of its strip [px], without a head above.
fn heights(index: &HeadIndex, has_strip: bool) -> [f64; 2] {
    let room = RowDensity::of(index.data.devices.len());
    let (row, bar) = room.row_px();
    let air = (row - bar) / 2.0;
    if has_strip {
        // A strip stands close to its cells, and the next device as far off as ever.
        [row - air + 2.0, room.strip_px() + air]
    } else {
        [row, 0.0]
    }
}

fn sum(both: [f64; 2]) -> f64 {
    both[0] + both[1]
}

impl HeadsFrame {
    fn new(index: &HeadIndex, width_px: f64, view: TimeView) -> Self {
        let data = &index.data;
        let width = rows::ground(width_px);
        let room = RowDensity::of(data.devices.len());
        let phone = width < PHONE_PX;
        let above = phone && room == RowDensity::Tall;
        let left = if above {
            0.0
        } else {
            gutter(index, room, phone).min(GUTTER_SHARE * width)
        };
        let right = (width - RIGHT_PX).max(left + 1.0);
        let (mut rows, mut top) = (Vec::new(), AXIS_PX);
        for (device, row) in data.rows.iter().enumerate() {
            let [own, strip] = heights(index, row.has_strip());
            let own = own + if above { HEAD_PX } else { 0.0 };
            rows.push((RowOf::Device(device), top, top + own));
            top += own;
            if strip > 0.0 {
                rows.push((RowOf::Strip(device), top, top + strip));
                top += strip;
            }
        }
        Self {
            width,
            phone,
            above,
            row_density: room,
            scale: TimeScale::new((view.from_s, view.to_s), (left, right)),
            rows,
            foot: top,
        }
    }

    /// Upper edge and height of the cells of a row [px].
    pub fn bar(&self, row: usize) -> (f64, f64) {
        let (full, bar) = self.row_density.row_px();
        let head = if self.above { HEAD_PX } else { 0.0 };
        (self.rows[row].1 + head + (full - bar) / 2.0, bar)
    }

    /// Upper edge and height of a strip [px].
    pub fn strip(&self, row: usize) -> (f64, f64) {
        (self.rows[row].1, self.row_density.strip_px())
    }

    /// The middle of the cells or of the strip of a row [px].
    pub fn middle(&self, row: usize) -> f64 {
        let (y, h) = match self.rows[row].0 {
            RowOf::Device(_) => self.bar(row),
            RowOf::Strip(_) => self.strip(row),
        };
        y + h / 2.0
    }

    /// The row of a device's heads, or of its strip where it has one.
    pub fn row_of(&self, device: usize, strip: bool) -> Option<usize> {
        let place = |of: RowOf| self.rows.iter().position(|row| row.0 == of);
        let own = strip.then(|| place(RowOf::Strip(device))).flatten();
        own.or_else(|| place(RowOf::Device(device)))
    }

    /// Returns the visible part of a range of tokens [px].
    pub fn visible_span(&self, from: usize, to: usize) -> Option<(f64, f64)> {
        self.scale.seen_px(from as f64 - 1.0, to as f64)
    }

    /// Width below which cells are merged [px].
    pub fn merged(&self) -> f64 {
        if self.row_density == RowDensity::Close {
            MERGED_PX.1
        } else {
            MERGED_PX.0
        }
    }

    fn axis(&self, index: &HeadIndex) -> TokenAxis {
        TokenAxis {
            scale: self.scale,
            tokens: index.data.tokens,
            at: index.at,
            width: self.width,
            phone: self.phone,
            base: 11.0,
            tag: Some(0.0),
        }
    }

    /// Returns true if there is a figure beside each name.
    pub fn has_notes(&self) -> bool {
        !self.phone && self.row_density != RowDensity::Tall
    }

    /// Draws the title of the figures beside the names.
    fn note_title(&self, index: &HeadIndex, marks: &mut Vec<Mark>) {
        if !self.has_notes() || index.data.devices.is_empty() {
            return;
        }
        let (left, _) = self.scale.ends_px();
        let text = fit(&index.data.note_title, left - GUTTER_AIR_PX, SMALL_SIZE);
        let at = (left - GUTTER_AIR_PX, 11.0);
        marks.push(Mark::text(Ink::Text3, SMALL_SIZE, Anchor::End, at, text));
    }
}
