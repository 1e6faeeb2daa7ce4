//! Puts marks on any of plotters' backends.
//!
//! Backends know whole coordinates and little else: no dashes, no hatch, no halo, no line of one and a half
//! pixels. So everything here is cut down to filled polygons and unbroken paths first, and a [`Surface`] says
//! how fine the backend's coordinates are. What must be crisp (bars, grid, frames) is laid on whole device
//! pixels; what is slanted keeps the finer grid.

use super::geometry::{dashes, dots, frame_dashes, outline, stripes};
use super::ink::{Ink, Palette};
use super::mark::{Anchor, Edge, Mark, MarkForm, MarkShape, Picture, Rect};
use plotters::prelude::{DrawingBackend, RGBColor, SVGBackend, ShapeStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, TextStyle};

/// A backend's refusal, in its own words.
#[derive(Debug, thiserror::Error)]
#[error("the picture could not be painted: {0}")]
pub struct PaintError(String);

/// How logical pixels become the coordinates of a backend, and what that backend makes of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// Backend units per logical pixel.
    units_per_px: f64,
    /// Backend units per device pixel.
    units_per_pixel: f64,
    /// Factor from the wanted font size to the one that the backend needs.
    font_factor: f64,
    /// How far below its upper anchor the backend sets a text's base line [em].
    rise_em: f64,
}

impl Surface {
    /// A browser's canvas with `ratio` device pixels per logical pixel. `fine` is the number of backend units
    /// per device pixel: with 1, slanted lines and markers fall on whole pixels and look uneven; with more
    /// (8 is plenty) the caller first scales the canvas context by `1 / fine`.
    #[must_use]
    pub fn canvas(ratio: f64, fine: u32) -> Self {
        let fine = f64::from(fine.max(1));
        let ratio = if ratio.is_finite() && ratio > 0.0 {
            ratio
        } else {
            1.0
        };
        Self {
            units_per_px: ratio * fine,
            units_per_pixel: fine,
            font_factor: 1.0,
            // Browsers put "top" at the ascent within the em square: 0.75 to 0.78 em in the usual faces.
            rise_em: 0.765,
        }
    }

    /// The SVG backend, ten units per pixel; [`svg`] declares the units so.
    #[must_use]
    pub const fn svg() -> Self {
        Self {
            units_per_px: 10.0,
            units_per_pixel: 10.0,
            // The backend divides every size by 1.24 and sets the base line 0.76 em below "top".
            font_factor: 1.24,
            rise_em: 0.76,
        }
    }

    /// Backend coordinate of a length or place [px], as fine as the backend goes.
    fn units_from_px(&self, px: f64) -> i32 {
        (px * self.units_per_px).round() as i32
    }

    /// The nearest border between device pixels [px].
    fn snapped(&self, px: f64) -> f64 {
        let pixels = px * self.units_per_px / self.units_per_pixel;
        pixels.round() * self.pixel()
    }

    /// One device pixel [px].
    fn pixel(&self) -> f64 {
        self.units_per_pixel / self.units_per_px
    }

    /// A width in whole device pixels, at least one [px].
    fn device_pixels(&self, px: f64) -> f64 {
        self.snapped(px).max(self.pixel())
    }

    /// A rectangle on whole device pixels, at least one wide and high.
    fn snapped_rect(&self, rect: &Rect) -> Rect {
        let (x, y) = (self.snapped(rect.x), self.snapped(rect.y));
        let w = (self.snapped(rect.right()) - x).max(self.pixel());
        let h = (self.snapped(rect.bottom()) - y).max(self.pixel());
        Rect::new(x, y, w, h)
    }
}

/// Paints marks in their order. `family` is a list of font families as in CSS.
///
/// # Errors
/// When the backend refuses; a canvas without a context does, the SVG backend never.
pub fn paint<DB: DrawingBackend>(
    marks: &[Mark],
    palette: &Palette,
    surface: Surface,
    family: &str,
    backend: &mut DB,
) -> Result<(), PaintError> {
    let mut painter = Painter {
        palette,
        surface,
        family,
        backend,
    };
    marks.iter().try_for_each(|mark| painter.mark(mark))
}

/// A picture as an SVG document on a ground of its own, readable without this page and its style sheet.
#[must_use]
pub fn svg(picture: &Picture, palette: &Palette, family: &str) -> String {
    let surface = Surface::svg();
    let size = |px: f64| surface.units_from_px(px).unsigned_abs();
    let (w, h) = (size(picture.width), size(picture.height));
    let mut body = String::new();
    {
        let mut backend = SVGBackend::with_string(&mut body, (w, h));
        let ground = [picture.ground()];
        for marks in [ground.as_slice(), &picture.marks] {
            paint(marks, palette, surface, family, &mut backend)
                .expect("the SVG backend writes to a string and refuses nothing");
        }
        backend
            .present()
            .expect("a string can always be written to");
    }
    // The backend's own opening tag knows no size other than its units, and no title.
    let drawn = body.find('>').map_or("", |end| &body[end + 1..]);
    let title = escaped(&picture.title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {w} {h}\" \
         role=\"img\">\n<title>{title}</title>{drawn}",
        picture.width, picture.height
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

struct Painter<'a, DB> {
    palette: &'a Palette,
    surface: Surface,
    family: &'a str,
    backend: &'a mut DB,
}

impl<DB: DrawingBackend> Painter<'_, DB> {
    fn mark(&mut self, mark: &Mark) -> Result<(), PaintError> {
        let ink = mark.ink;
        match &mark.shape {
            MarkShape::Rect { rect, radius, edge } => self.rect(ink, rect, *radius, *edge),
            MarkShape::Frame { rect, dash } => {
                let rect = self.surface.snapped_rect(rect);
                self.frame(ink, &rect, dash)
            }
            MarkShape::Hatch {
                rect,
                slant,
                spacing,
                width,
            } => {
                let rect = self.surface.snapped_rect(rect);
                stripes(&rect, *slant, *spacing, *width)
                    .iter()
                    .try_for_each(|stripe| self.polygon(ink, stripe))
            }
            MarkShape::Dots {
                rect,
                spacing,
                radius,
            } => dots(rect, *spacing, *radius)
                .into_iter()
                .try_for_each(|at| self.disc(ink, at, *radius)),
            MarkShape::Line {
                points,
                width,
                dash,
            } => dashes(points, dash)
                .iter()
                .try_for_each(|piece| self.line(ink, piece, *width)),
            MarkShape::Marker { at, form } => self.marker(ink, *at, *form),
            MarkShape::Disc { at, radius, edge } => match edge {
                Some(edge) => {
                    self.disc(*edge, *at, *radius)?;
                    self.disc(ink, *at, (radius - 1.0).max(0.5))
                }
                None => self.disc(ink, *at, *radius),
            },
            MarkShape::Text { .. } => self.text(mark),
            MarkShape::Ring { rect } => self.ring(ink, rect),
        }
    }

    fn colour(&self, ink: Ink) -> RGBColor {
        let (r, g, b) = self.palette.colour(ink);
        RGBColor(r, g, b)
    }

    fn unit_point(&self, (x, y): (f64, f64)) -> (i32, i32) {
        (self.surface.units_from_px(x), self.surface.units_from_px(y))
    }

    fn fill(&mut self, ink: Ink, rect: &Rect) -> Result<(), PaintError> {
        let (from, to) = (
            self.unit_point((rect.x, rect.y)),
            self.unit_point((rect.right(), rect.bottom())),
        );
        let colour = self.colour(ink);
        refused(self.backend.draw_rect(from, to, &colour, true))
    }

    fn polygon(&mut self, ink: Ink, points: &[(f64, f64)]) -> Result<(), PaintError> {
        let colour = self.colour(ink);
        let points: Vec<_> = points.iter().map(|point| self.unit_point(*point)).collect();
        refused(self.backend.fill_polygon(points, &colour))
    }

    fn disc(&mut self, ink: Ink, at: (f64, f64), radius: f64) -> Result<(), PaintError> {
        let (at, colour) = (self.unit_point(at), self.colour(ink));
        let radius = self.surface.units_from_px(radius).max(1).unsigned_abs();
        refused(self.backend.draw_circle(at, radius, &colour, true))
    }

    /// An edge is the larger rectangle under the smaller one, so that it is crisp on every backend.
    fn rect(
        &mut self,
        ink: Ink,
        rect: &Rect,
        radius: f64,
        edge: Option<Edge>,
    ) -> Result<(), PaintError> {
        let outer = self.surface.snapped_rect(rect);
        let Some(edge) = edge else {
            return self.rounded(ink, &outer, radius);
        };
        if !edge.dash.is_empty() {
            self.rounded(ink, &outer, radius)?;
            return self.frame(edge.ink, &outer, edge.dash);
        }
        self.rounded(edge.ink, &outer, radius)?;
        let width = self.surface.device_pixels(1.0);
        let inner = outer.grown(-width);
        // What is slimmer than its two edges is all edge: that is the part with the contrast.
        if inner.w <= 0.0 || inner.h <= 0.0 {
            return Ok(());
        }
        self.rounded(ink, &inner, radius - width)
    }

    fn rounded(&mut self, ink: Ink, rect: &Rect, radius: f64) -> Result<(), PaintError> {
        let radius = radius.min(rect.w / 3.0).min(rect.h / 3.0);
        if radius < 0.5 * self.surface.pixel() {
            return self.fill(ink, rect);
        }
        self.polygon(ink, &outline(rect, radius))
    }

    fn frame(&mut self, ink: Ink, rect: &Rect, dash: &[f64]) -> Result<(), PaintError> {
        let width = self.surface.device_pixels(1.0);
        for dash in frame_dashes(rect, dash, width) {
            let dash = self.surface.snapped_rect(&dash);
            self.fill(ink, &dash)?;
        }
        Ok(())
    }

    fn line(&mut self, ink: Ink, points: &[(f64, f64)], width: f64) -> Result<(), PaintError> {
        if let [(x0, y0), (x1, y1)] = points
            && (x0 == x1 || y0 == y1)
        {
            let width = self.surface.device_pixels(width);
            let (x, y) = (x0.min(*x1), y0.min(*y1));
            let (w, h) = ((x1 - x0).abs(), (y1 - y0).abs());
            let rect = if w == 0.0 {
                Rect::new(self.surface.snapped(x - width / 2.0), y, width, h)
            } else {
                Rect::new(x, self.surface.snapped(y - width / 2.0), w, width)
            };
            let rect = self.surface.snapped_rect(&rect);
            return self.fill(ink, &rect);
        }
        let style = ShapeStyle {
            color: self.colour(ink).into(),
            filled: false,
            stroke_width: self.surface.units_from_px(width).max(1).unsigned_abs(),
        };
        let points: Vec<_> = points.iter().map(|point| self.unit_point(*point)).collect();
        refused(self.backend.draw_path(points, &style))
    }

    fn marker(&mut self, ink: Ink, (x, y): (f64, f64), form: MarkForm) -> Result<(), PaintError> {
        // Outer form, and the same form smaller by the line's width in the other colour.
        let square = |r: f64| {
            vec![
                (x - r, y - r),
                (x + r, y - r),
                (x + r, y + r),
                (x - r, y + r),
            ]
        };
        let diamond = |r: f64| vec![(x, y - r), (x + r, y), (x, y + r), (x - r, y)];
        let triangle = |r: f64| {
            let (half, up, down) = (0.866 * r, r, 0.5 * r);
            vec![(x, y - up), (x + half, y + down), (x - half, y + down)]
        };
        let ground = Ink::Background;
        match form {
            MarkForm::Dot => {
                self.disc(ground, (x, y), 4.75)?;
                self.disc(ink, (x, y), 3.5)
            }
            MarkForm::Circle => {
                self.disc(ink, (x, y), 3.75)?;
                self.disc(ground, (x, y), 2.25)
            }
            MarkForm::Square => {
                self.polygon(ink, &square(3.5))?;
                self.polygon(ground, &square(2.0))
            }
            MarkForm::Diamond => {
                self.polygon(ink, &diamond(4.6))?;
                self.polygon(ground, &diamond(2.5))
            }
            MarkForm::Triangle => {
                self.polygon(ink, &triangle(5.2))?;
                self.polygon(ground, &triangle(2.3))
            }
        }
    }

    fn text(&mut self, mark: &Mark) -> Result<(), PaintError> {
        let (
            Some(place),
            MarkShape::Text {
                text,
                at,
                anchor,
                size,
                strong,
                halo,
            },
        ) = (mark.text_box(), &mark.shape)
        else {
            return Ok(());
        };
        if let Some(ground) = halo {
            let air = Rect::new(place.x - 3.0, place.y - 1.0, place.w + 6.0, place.h + 3.0);
            let air = self.surface.snapped_rect(&air);
            self.fill(*ground, &air)?;
        }
        let weight = if *strong {
            FontStyle::Bold
        } else {
            FontStyle::Normal
        };
        let units = size * self.surface.units_per_px * self.surface.font_factor;
        let font = FontDesc::new(FontFamily::Name(self.family), units, weight);
        let across = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        // Always from the upper anchor: of the three it is the one whose base line is known.
        let colour = self.colour(mark.ink);
        let style = TextStyle::from(font)
            .color(&colour)
            .pos(Pos::new(across, VPos::Top));
        let base = self.surface.snapped(at.1);
        let at = self.unit_point((at.0, base - self.surface.rise_em * size));
        refused(self.backend.draw_text(text, &style, at))
    }

    /// Two pixels wide, two pixels off.
    fn ring(&mut self, ink: Ink, rect: &Rect) -> Result<(), PaintError> {
        let Rect { x, y, w, h } = self.surface.snapped_rect(&rect.grown(4.0));
        let width = self.surface.device_pixels(2.0);
        let sides = [
            Rect::new(x, y, w, width),
            Rect::new(x, y + h - width, w, width),
            Rect::new(x, y + width, width, h - 2.0 * width),
            Rect::new(x + w - width, y + width, width, h - 2.0 * width),
        ];
        sides.iter().try_for_each(|side| self.fill(ink, side))
    }
}

fn refused<E: std::fmt::Display>(done: Result<(), E>) -> Result<(), PaintError> {
    done.map_err(|error| PaintError(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample;
    use crate::{InkTheme, TimeView, layout, layout_lines};

    const CSS: &str = include_str!("../../../style/tokens.css");

    fn palette(theme: InkTheme) -> Palette {
        Palette::from_tokens(CSS, theme).expect("the style sheet is complete")
    }

    fn paper(width: f64) -> String {
        let gantt = sample::paper();
        let chart = layout(&gantt, width, TimeView::full(&gantt));
        svg(&chart.picture, &palette(InkTheme::Light), "sans-serif")
    }

    #[test]
    fn the_papers_timeline_as_svg() {
        let svg = paper(968.0);
        assert!(
            svg.starts_with(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"968\" height=\"228\""
            )
        );
        assert!(svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<svg").count(), 1);
        assert!(svg.contains("<title>Timeline of 4 stages on D3, D4, D1 and D2"));
        for expected in [
            "2.562\u{202f}s",
            "layers 13–27",
            "Load 15 layers, 9.91\u{202f}GB",
            "free 0.818",
            "9.9 of 20\u{202f}GB",
            "font-family=\"sans-serif\"",
            "#BDCEE5",
            "#0E7666",
        ] {
            assert!(svg.contains(expected), "{expected}");
        }
        // Every size is meant in px, ten units each.
        assert!(svg.contains("font-size=\"120\"") || svg.contains("font-size=\"120.0"));
    }

    #[test]
    fn the_sweep_as_svg() {
        let chart = layout_lines(&sample::sweep(), 480.0, 264.0);
        let svg = svg(
            &chart.picture,
            &palette(InkTheme::Dark),
            "Inter, \"Noto Sans\"",
        );
        assert!(svg.contains("First answer, s") && svg.contains("Prompt tokens, log scale"));
        assert!(svg.contains("font-family=\"Inter, &quot;Noto Sans&quot;\""));
        assert!(svg.contains("<polyline"));
    }

    #[test]
    fn names_cannot_break_the_document() {
        let mut gantt = sample::paper();
        gantt.rows[0].device = "<b>&\"".into();
        let chart = layout(&gantt, 968.0, TimeView::full(&gantt));
        let svg = svg(&chart.picture, &palette(InkTheme::Light), "sans-serif");
        assert!(!svg.contains("<b>") && svg.contains("&lt;b&gt;&amp;"));
    }

    #[test]
    fn bars_lie_on_whole_pixels() {
        for ratio in [1.0, 1.25, 1.5, 2.0, 3.0] {
            for fine in [1, 8] {
                let surface = Surface::canvas(ratio, fine);
                let rect = surface.snapped_rect(&Rect::new(158.3, 30.2, 100.4, 0.1));
                for px in [rect.x, rect.y, rect.right(), rect.bottom()] {
                    let pixels = px * ratio;
                    assert!((pixels - pixels.round()).abs() < 1e-9, "{ratio} {px}");
                }
                assert!(rect.h * ratio >= 1.0 - 1e-9);
            }
        }
        assert_eq!(Surface::canvas(f64::NAN, 0), Surface::canvas(1.0, 1));
    }
}
