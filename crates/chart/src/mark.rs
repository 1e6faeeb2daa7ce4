//! Pictures as data: shapes in logical pixels, each with the role of its colour.

use super::ink::Ink;

/// A rectangle [px], y downwards.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rect {
    /// Left edge [px].
    pub x: f64,
    /// Upper edge [px].
    pub y: f64,
    /// Width [px].
    pub w: f64,
    /// Height [px].
    pub h: f64,
}

impl Rect {
    /// The rectangle between two edges and under a third, all in px.
    #[must_use]
    pub const fn new(x: f64, y: f64, w: f64, h: f64) -> Self {
        Self { x, y, w, h }
    }

    /// Right edge [px].
    #[must_use]
    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    /// Lower edge [px].
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    /// The rectangle grown by `px` on each side; a negative number shrinks it, at most to nothing.
    #[must_use]
    pub fn grown(&self, px: f64) -> Self {
        let (dx, dy) = (px.max(-self.w / 2.0), px.max(-self.h / 2.0));
        Self::new(
            self.x - dx,
            self.y - dy,
            self.w + 2.0 * dx,
            self.h + 2.0 * dy,
        )
    }

    /// Its middle [px].
    #[must_use]
    pub fn middle(&self) -> (f64, f64) {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// How far left or right of it a place is [px].
    #[must_use]
    pub fn across(&self, x: f64) -> f64 {
        (self.x - x).max(x - self.right()).max(0.0)
    }

    /// How far above or below it a place is [px].
    #[must_use]
    pub fn down(&self, y: f64) -> f64 {
        (self.y - y).max(y - self.bottom()).max(0.0)
    }

    /// Returns true if two rectangles overlap.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    /// Returns true if a point is inside or on the edge.
    #[must_use]
    pub fn contains(&self, x: f64, y: f64) -> bool {
        x >= self.x && x <= self.right() && y >= self.y && y <= self.bottom()
    }
}

/// Which way the lines of a hatch lean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slant {
    /// Like a slash, +45 degrees.
    Rising,
    /// Like a backslash, -45 degrees.
    Falling,
}

/// The form of a point in a line chart, so that no series is known by colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkForm {
    /// A filled dot with a rim of the ground.
    Dot,
    /// A ring.
    Circle,
    /// A square frame.
    Square,
    /// A triangular frame, point up.
    Triangle,
    /// A square frame on its corner.
    Diamond,
}

/// Which point of a text its position names, along the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// The edge of a rectangle, one pixel wide and inside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Its colour.
    pub ink: Ink,
    /// Drawn and left out in turn [px]; empty for an unbroken edge.
    pub dash: &'static [f64],
}

/// The geometry of a mark, in px.
#[derive(Debug, Clone, PartialEq)]
pub enum MarkShape {
    /// A filled rectangle with or without an edge.
    Rect {
        /// Where.
        rect: Rect,
        /// Radius of the corners [px].
        radius: f64,
        /// Its edge.
        edge: Option<Edge>,
    },
    /// The edge of a rectangle and nothing in it; the mark's ink is the edge's.
    Frame {
        /// Where.
        rect: Rect,
        /// Drawn and left out in turn [px].
        dash: &'static [f64],
    },
    /// Slanted lines, cut off exactly at the rectangle.
    Hatch {
        /// Where.
        rect: Rect,
        /// Which way.
        slant: Slant,
        /// From line to line, square to them [px].
        spacing: f64,
        /// Width of a line [px].
        width: f64,
    },
    /// Sparse dots.
    Dots {
        /// Where.
        rect: Rect,
        /// From dot to dot [px].
        spacing: f64,
        /// Radius of a dot [px].
        radius: f64,
    },
    /// A line through points.
    Line {
        /// Corners [px].
        points: Vec<(f64, f64)>,
        /// Width [px].
        width: f64,
        /// Drawn and left out in turn [px]; empty for an unbroken line.
        dash: &'static [f64],
    },
    /// A point of a series.
    Marker {
        /// Its middle [px].
        at: (f64, f64),
        /// Its form.
        form: MarkForm,
    },
    /// A filled circle with or without an edge.
    Disc {
        /// Its middle [px].
        at: (f64, f64),
        /// Its radius, with the edge [px].
        radius: f64,
        /// Colour of its edge, one pixel wide and inside it.
        edge: Option<Ink>,
    },
    /// One line of text.
    Text {
        /// The words.
        text: String,
        /// Where the anchor stands, on the base line [px].
        at: (f64, f64),
        /// Which point of the text that is.
        anchor: Anchor,
        /// Size [px].
        size: f64,
        /// Bold.
        strong: bool,
        /// A ground of this colour behind the text, where something else may run through it.
        halo: Option<Ink>,
    },
    /// The ring round the selected mark, 2 px wide and 2 px off.
    Ring {
        /// Rectangle that it surrounds.
        rect: Rect,
    },
}

/// One mark of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Its geometry.
    pub shape: MarkShape,
    /// The role of its colour.
    pub ink: Ink,
    /// The hit it belongs to, by its place in the chart's list.
    pub hit: Option<usize>,
}

impl Mark {
    /// A mark that nothing is known about.
    #[must_use]
    pub const fn new(ink: Ink, shape: MarkShape) -> Self {
        Self {
            shape,
            ink,
            hit: None,
        }
    }

    /// Returns the mark as part of a hit target.
    #[must_use]
    pub fn of(mut self, hit: usize) -> Self {
        self.hit = Some(hit);
        self
    }

    /// A plain filled rectangle.
    pub(super) const fn fill(ink: Ink, rect: Rect) -> Self {
        Self::new(
            ink,
            MarkShape::Rect {
                rect,
                radius: 0.0,
                edge: None,
            },
        )
    }

    /// A bar: filled, edged, with corners just broken.
    pub(super) const fn bar(fill: Ink, edge: Ink, rect: Rect) -> Self {
        Self::new(
            fill,
            MarkShape::Rect {
                rect,
                radius: 1.5,
                edge: Some(Edge {
                    ink: edge,
                    dash: &[],
                }),
            },
        )
    }

    /// A filled rectangle without an edge, its corners round by so much [px].
    pub(super) const fn tile(ink: Ink, radius: f64, rect: Rect) -> Self {
        let edge = None;
        Self::new(ink, MarkShape::Rect { rect, radius, edge })
    }

    /// A filled rectangle with an edge of an ink and a dash.
    pub(super) const fn edged(
        fill: Ink,
        (ink, dash): (Ink, &'static [f64]),
        radius: f64,
        rect: Rect,
    ) -> Self {
        let edge = Some(Edge { ink, dash });
        Self::new(fill, MarkShape::Rect { rect, radius, edge })
    }

    /// The shade of a device before its name.
    pub(super) fn shade(device: usize, (x, y): (f64, f64)) -> Self {
        Self::tile(Ink::device(device), 2.0, Rect::new(x, y, 10.0, 10.0))
    }

    /// The edge of a rectangle and nothing in it.
    pub(super) const fn frame(ink: Ink, dash: &'static [f64], rect: Rect) -> Self {
        Self::new(ink, MarkShape::Frame { rect, dash })
    }

    /// Slanted lines: from line to line, and how wide each is [px].
    pub(super) const fn hatch(
        ink: Ink,
        slant: Slant,
        (spacing, width): (f64, f64),
        rect: Rect,
    ) -> Self {
        let hatch = MarkShape::Hatch {
            rect,
            slant,
            spacing,
            width,
        };
        Self::new(ink, hatch)
    }

    /// A point of a series.
    pub(super) const fn point(ink: Ink, form: MarkForm, at: (f64, f64)) -> Self {
        Self::new(ink, MarkShape::Marker { at, form })
    }

    /// A line through points.
    pub(super) const fn path(
        ink: Ink,
        width: f64,
        dash: &'static [f64],
        points: Vec<(f64, f64)>,
    ) -> Self {
        let line = MarkShape::Line {
            points,
            width,
            dash,
        };
        Self::new(ink, line)
    }

    /// A straight, unbroken line.
    pub(super) fn line(ink: Ink, width: f64, from: (f64, f64), to: (f64, f64)) -> Self {
        Self::new(
            ink,
            MarkShape::Line {
                points: vec![from, to],
                width,
                dash: &[],
            },
        )
    }

    /// A text in the regular weight, without a halo.
    pub(super) fn text(
        ink: Ink,
        size: f64,
        anchor: Anchor,
        at: (f64, f64),
        text: impl Into<String>,
    ) -> Self {
        Self::new(
            ink,
            MarkShape::Text {
                text: text.into(),
                at,
                anchor,
                size,
                strong: false,
                halo: None,
            },
        )
    }

    /// Returns the text in bold.
    pub(super) fn strong(mut self) -> Self {
        if let MarkShape::Text { strong, .. } = &mut self.shape {
            *strong = true;
        }
        self
    }

    /// Returns the text on a background of its own.
    pub(super) fn with_halo(mut self, ink: Ink) -> Self {
        if let MarkShape::Text { halo, .. } = &mut self.shape {
            *halo = Some(ink);
        }
        self
    }

    /// Where a text stands, by estimate; `None` for anything else.
    #[must_use]
    pub fn text_box(&self) -> Option<Rect> {
        let MarkShape::Text {
            text,
            at: (x, y),
            anchor,
            size,
            strong,
            ..
        } = &self.shape
        else {
            return None;
        };
        let w = text_width(text, *size, *strong);
        let left = match anchor {
            Anchor::Start => *x,
            Anchor::Middle => x - w / 2.0,
            Anchor::End => x - w,
        };
        Some(Rect::new(left, y - 0.78 * size, w, *size))
    }

    /// The parts of a mark between two edges [px]. Words and points are whole or not there.
    pub(super) fn between(self, left: f64, right: f64) -> Vec<Self> {
        let Self { shape, ink, hit } = self;
        let cut = |rect: Rect| {
            let (from, to) = (rect.x.max(left), rect.right().min(right));
            (to > from).then(|| Rect::new(from, rect.y, to - from, rect.h))
        };
        let inside = |x: f64| x >= left && x <= right;
        let shapes: Vec<MarkShape> = match shape {
            MarkShape::Rect { rect, radius, edge } => cut(rect)
                .map(|rect| MarkShape::Rect { rect, radius, edge })
                .into_iter()
                .collect(),
            MarkShape::Line {
                points,
                width,
                dash,
            } => clip_line(&points, (left, right))
                .into_iter()
                .map(|points| MarkShape::Line {
                    points,
                    width,
                    dash,
                })
                .collect(),
            MarkShape::Frame { rect, dash } => cut(rect)
                .map(|rect| MarkShape::Frame { rect, dash })
                .into_iter()
                .collect(),
            MarkShape::Marker { at, .. } | MarkShape::Disc { at, .. } if !inside(at.0) => {
                Vec::new()
            }
            other => vec![other],
        };
        let mark = |shape| Self { shape, ink, hit };
        shapes.into_iter().map(mark).collect()
    }

    pub(super) fn moved(mut self, (dx, dy): (f64, f64)) -> Self {
        let step = |at: &mut (f64, f64)| (at.0, at.1) = (at.0 + dx, at.1 + dy);
        match &mut self.shape {
            MarkShape::Rect { rect, .. }
            | MarkShape::Frame { rect, .. }
            | MarkShape::Hatch { rect, .. }
            | MarkShape::Dots { rect, .. }
            | MarkShape::Ring { rect } => (rect.x, rect.y) = (rect.x + dx, rect.y + dy),
            MarkShape::Line { points, .. } => points.iter_mut().for_each(step),
            MarkShape::Marker { at, .. }
            | MarkShape::Disc { at, .. }
            | MarkShape::Text { at, .. } => step(at),
        }
        self
    }
}

/// The parts of a line between two edges [px].
pub(super) fn clip_line(points: &[(f64, f64)], (left, right): (f64, f64)) -> Vec<Vec<(f64, f64)>> {
    let mut all: Vec<Vec<(f64, f64)>> = Vec::new();
    for pair in points.windows(2) {
        let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
        if x1.max(x2) < left || x1.min(x2) > right {
            continue;
        }
        let at = |x: f64| match x.clamp(left, right) {
            inside if inside == x || x1 == x2 => (x, if x == x1 { y1 } else { y2 }),
            edge => (edge, y1 + (y2 - y1) * (edge - x1) / (x2 - x1)),
        };
        let (from, to) = if x1 == x2 {
            (pair[0], pair[1])
        } else {
            (at(x1), at(x2))
        };
        match all.last_mut().filter(|piece| piece.last() == Some(&from)) {
            Some(piece) => piece.push(to),
            None => all.push(vec![from, to]),
        }
    }
    all
}

/// A finished picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Width [px].
    pub width: f64,
    /// Height [px].
    pub height: f64,
    /// Description in one sentence, for screen readers.
    pub title: String,
    /// Its marks, the later over the earlier.
    pub marks: Vec<Mark>,
}

impl Picture {
    /// A picture of a width and height [px].
    pub(super) const fn of((width, height): (f64, f64), title: String, marks: Vec<Mark>) -> Self {
        Self {
            width,
            height,
            title,
            marks,
        }
    }

    /// A mark of the ground under the whole picture, for a picture that is alone.
    #[must_use]
    pub const fn ground(&self) -> Mark {
        let all = Rect::new(0.0, 0.0, self.width, self.height);
        Mark::fill(Ink::Background, all)
    }

    /// Two pictures as one, `below` under this one with a gap of `gap_px`; this one's title and hits stay.
    #[must_use]
    pub fn above(mut self, below: Self, gap_px: f64) -> Self {
        let down = self.height + gap_px;
        self.width = self.width.max(below.width);
        self.height = down + below.height;
        self.marks.extend(below.marks.into_iter().map(|mark| Mark {
            hit: None,
            ..mark.moved((0.0, down))
        }));
        self
    }
}

/// The width of a text [px], estimated from classes of letters, since without a browser there is no font to
/// ask. The classes are at the upper end of the usual interface faces (Segoe, Roboto, DejaVu Sans
/// Condensed), so a text that fits by estimate fits on screen.
#[must_use]
pub fn text_width(text: &str, size_px: f64, strong: bool) -> f64 {
    let em: f64 = text
        .chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.29,
            '\u{202f}' => 0.2,
            ' ' | '\u{a0}' => 0.3,
            'f' | 't' | 'r' | '(' | ')' | '/' | '-' | 'I' => 0.38,
            'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 0.88,
            '0'..='9' => 0.58,
            'A'..='Z' => 0.67,
            c if c.is_ascii() || c == '–' => 0.56,
            // Letters beyond the Latin alphabet; ideographs are a full em wide.
            c if (c as u32) < 0x1100 => 0.64,
            _ => 1.0,
        })
        .sum();
    em * size_px * if strong { 1.09 } else { 1.0 }
}

/// The beginning of a text, at most `n` characters with the sign that says it was cut.
pub(super) fn cut(text: &str, n: usize) -> String {
    if text.chars().count() <= n {
        return text.to_owned();
    }
    let head: String = text.chars().take(n.saturating_sub(1)).collect();
    format!("{}…", head.trim_end())
}

/// The beginning of a text, cut so that it is at most `width_px` wide.
pub(super) fn fit(text: &str, width_px: f64, size_px: f64) -> String {
    let mut n = text.chars().count();
    while n > 1 && text_width(&cut(text, n), size_px, false) > width_px {
        n -= 1;
    }
    cut(text, n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_grows_with_its_letters_its_size_and_its_weight() {
        let w = |text| text_width(text, 12.0, false);
        assert!(w("load 1.982") > w("load 1"));
        assert!((text_width("D1", 24.0, false) - 2.0 * w("D1")).abs() < 1e-9);
        assert!(text_width("D1", 12.0, true) > w("D1"));
        assert!(w("1.982") > 24.0 && w("1.982") < 40.0);
    }

    #[test]
    fn cutting_says_that_it_cut() {
        assert_eq!(cut("D1", 14), "D1");
        assert_eq!(cut("exactly 14 ch.", 14), "exactly 14 ch.");
        assert_eq!(cut("Living room computer", 14), "Living room c…");
        assert_eq!(cut("ääääääääääääääää", 14).chars().count(), 14);
        assert!(text_width(&fit("Workstation", 28.0, 13.0), 13.0, false) <= 28.0);
        assert_eq!(fit("", 28.0, 13.0), "");
    }

    #[test]
    fn stacking_moves_the_lower_picture_down_and_drops_its_hits() {
        let one = |hit| Picture {
            width: 10.0,
            height: 5.0,
            title: "one".into(),
            marks: vec![Mark::fill(Ink::Text, Rect::new(0.0, 1.0, 2.0, 2.0)).of(hit)],
        };
        let both = one(3).above(one(4), 2.0);
        assert_eq!((both.width, both.height), (10.0, 12.0));
        assert_eq!(both.marks[0].hit, Some(3));
        let lower = Mark::fill(Ink::Text, Rect::new(0.0, 8.0, 2.0, 2.0));
        assert_eq!(both.marks[1], lower);
    }

    #[test]
    fn shrinking_ends_at_nothing() {
        let rect = Rect::new(0.0, 0.0, 4.0, 10.0).grown(-3.0);
        assert_eq!(rect, Rect::new(2.0, 3.0, 0.0, 4.0));
    }
}
