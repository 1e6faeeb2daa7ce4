//! The main picture, drawn for a wide page and for a phone. Its colours are the names of the style sheet’s, so that it is light or dark
//! as the page is.

use super::answer::sentence_markup;
use super::glyphs::Glyph;
use super::page::{button, button_off};
use chart::{
    ChartSpec, Ink, LAYOUTERS, LegendKey, Palette, Picture, PreparedChart, TimeView, describe,
    swatch,
};
use document::{Block, Chart, ChartInteraction, Section, Sentence};
use maud::{Markup, PreEscaped, html};

/// Room for a chart on a wide page and on a phone [px], and for one of two that are side by side.
const WIDE_PX: f64 = 928.0;
const COLUMN_PX: f64 = 452.0;
const PHONE_PX: f64 = 358.0;

/// A point of a picture [tenths of a px].
type Point = (i64, i64);

/// The position of a chart, which decides where its tools are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Its tools are beside the title of the section.
    Alone,
    /// Beside others, under its title.
    Column,
    /// As one of several ways, under its tools.
    Tab,
}

/// The section with the picture, down to the picture.
pub fn section(section: &Section, all: &[Section], reason: Option<&Sentence>) -> Markup {
    let first = section.blocks.first();
    let (chart, drawn) = match first {
        Some(Block::Chart(chart)) => (Some(chart), drawn(chart, all, Place::Alone)),
        Some(block) => (None, first_block(block, all)),
        None => (None, Markup::default()),
    };
    let is_all = section.blocks.len() == 1;
    html! {
        section.block {
            div.head {
                h2 { (section.title) }
                @if let Some(chart) = chart { (phases(chart)) }
                div.tools inert { @if let Some(chart) = chart { (tools(chart)) } }
            }
            div.blocks { (drawn) }
            @if let Some(reason) = reason.filter(|_| is_all) { p.reason { (sentence_markup(reason, false)) } }
        }
    }
}

/// Draws the first block of a section, where that is no chart of its own.
fn first_block(block: &Block, all: &[Section]) -> Markup {
    let of = |blocks: &[Block], place: Place| {
        let charts = blocks.iter().filter_map(|block| match block {
            Block::Chart(chart) => Some(drawn(chart, all, place)),
            _ => None,
        });
        charts.collect::<Vec<Markup>>()
    };
    match block {
        Block::Columns(columns) => html! {
            div.beside {
                @for blocks in columns { div { @for one in of(blocks, Place::Column) { (one) } } }
            }
        },
        Block::Tabs(_, ways) => html! {
            div.ways {
                div.seg.small inert {
                    @for (at, (name, _)) in ways.iter().enumerate() {
                        button aria-checked=(at == 0) { (name) }
                    }
                }
                @if let Some((_, blocks)) = ways.first() { @for one in of(blocks, Place::Tab) { (one) } }
            }
        },
        _ => Markup::default(),
    }
}

/// Draws the toolbar of a chart.
fn tools(chart: &Chart) -> Markup {
    let has_rows =
        matches!(chart.interaction, ChartInteraction::AppliesEdits(_)) && chart.table.is_some();
    html! {
        @if chart.drawing.zooms() {
            (button_off("quiet small icon", Some(Glyph::Minus), "", true))
            (button("quiet small icon", Some(Glyph::Plus), ""))
            (button_off("quiet small icon", Some(Glyph::Fit), "", true))
        }
        @if chart.table.is_some() && !has_rows { (button("quiet small", Some(Glyph::Table), "Table")) }
        (button("quiet small", Some(Glyph::Save), "PNG")) " "
        (button("quiet small", Some(Glyph::Save), "SVG"))
    }
}

/// The key to the marks of a timeline.
fn phases(chart: &Chart) -> Markup {
    let ChartSpec::Timeline(gantt) = &*chart.drawing else {
        return Markup::default();
    };
    html! {
        ul.legend inert {
            @for key in LegendKey::needed(gantt.has_next()) {
                li { button { (svg(&swatch(key), "")) (key.label()) } }
            }
        }
    }
}

/// Value of the control that a chart sets.
fn control_value(chart: &Chart, all: &[Section]) -> Option<f64> {
    let ChartInteraction::SetsControl(sets) = chart.interaction else {
        return None;
    };
    let mut dials = all
        .iter()
        .flat_map(Section::all_blocks)
        .flat_map(|block| match block {
            Block::Controls(dials) => dials.controls.as_slice(),
            Block::Walk(walk) => std::slice::from_ref(&walk.control),
            _ => &[],
        });
    let dial = dials.find(|dial| dial.sets == sets)?;
    Some(dial.at.clamp(dial.ends.0, dial.ends.1))
}

/// A chart under what is above it. Of several one under the other it is the first.
fn drawn(chart: &Chart, all: &[Section], place: Place) -> Markup {
    let Some(kind) = chart.drawing.kind() else {
        return Markup::default();
    };
    let Some(ready) = PreparedChart::of(chart.drawing.clone(), &LAYOUTERS) else {
        return Markup::default();
    };
    let at = control_value(chart, all);
    let lay = |width: f64| {
        let seen = TimeView::until(chart.drawing.end());
        ready
            .layout(0, width, seen, at)
            .map(|drawn| drawn.picture().clone())
    };
    let wide = if place == Place::Column {
        COLUMN_PX
    } else {
        WIDE_PX
    };
    let both = [lay(wide), lay(PHONE_PX)];
    let label = match &*chart.drawing {
        ChartSpec::Timeline(gantt) => describe(gantt),
        _ => both[0]
            .as_ref()
            .map(|picture| picture.title.clone())
            .unwrap_or_default(),
    };
    let is_timed = matches!(&*chart.drawing, ChartSpec::Timeline(_));
    let names = chart.drawing.optional_lines();
    let mut class = format!("chart {}", kind.class);
    for (is_so, further) in [(kind.zooms, " zooms"), (ready.is_tall(0), " tall")] {
        if is_so {
            class.push_str(further);
        }
    }
    let picture = html! {
        div class=(class) role="img" aria-label=(label) {
            div.rows { (both_sizes(&both)) }
        }
    };
    html! {
        div.drawn {
            @if place != Place::Alone {
                div.head.chart-head {
                    @if place == Place::Column { h3 { (chart.title) } }
                    div.tools inert { (tools(chart)) }
                }
            }
            @if is_timed {
                div.timelines { (picture) }
            } @else {
                div {}
                @if !names.is_empty() {
                    div.series inert {
                        @for name in &names { button.btn.quiet.small aria-pressed="true" { (name) } }
                    }
                }
                @let key = [ready.legend(0, WIDE_PX), ready.legend(0, PHONE_PX)];
                @if key[0].is_some() { div.key aria-hidden="true" { (both_sizes(&key)) } }
                div.network { (picture) }
            }
        }
    }
}

/// A picture at both widths; once where they are the same.
fn both_sizes(both: &[Option<Picture>; 2]) -> Markup {
    html! {
        @match both {
            [Some(wide), Some(phone)] if wide == phone => (svg(wide, "")),
            [wide, phone] => {
                @if let Some(wide) = wide { (svg(wide, "on-wide")) }
                @if let Some(phone) = phone { (svg(phone, "on-phone")) }
            },
        }
    }
}

/// A picture whose colours are the style sheet’s names. What says the same on every mark is left out: it holds for the page.
fn svg(picture: &Picture, class: &str) -> Markup {
    // A number for every role, which its name takes the place of.
    let number = |at: usize| format!("#{at:06X}");
    let numbered = |token: &str| {
        Ink::ALL
            .iter()
            .position(|ink| ink.token() == token)
            .map(number)
    };
    let palette = Palette::new(numbered).expect("every role has a number");
    let drawn = chart::svg(picture, &palette, "-");
    let body = drawn.split_once("</title>").map_or("", |(_, body)| body);
    let body = body.trim_end().trim_end_matches("</svg>");
    let mut body = body
        .replace(" font-family=\"-\"", "")
        .replace(" opacity=\"1\"", "")
        .replace(" text-anchor=\"start\"", "")
        .replace(">\n", ">")
        .replace("\n<", "<");
    body = compact(&body);
    for (at, ink) in Ink::ALL.iter().enumerate() {
        body = body.replace(
            &format!("\"{}\"", number(at)),
            &format!("\"var({})\"", ink.token()),
        );
    }
    let view = format!(
        "0 0 {} {}",
        (picture.width * 10.0).round(),
        (picture.height * 10.0).round()
    );
    html! {
        svg class={ "drawing " (class) } width=(picture.width) height=(picture.height) viewBox=(view)
            preserveAspectRatio="xMinYMin meet" aria-hidden="true" { (PreEscaped(body)) }
    }
}

/// Shortens SVG marks: consecutive polygons, lines and rectangles of one colour become one path with relative steps.
fn compact(marks: &str) -> String {
    let mut out = String::with_capacity(marks.len() / 2);
    // What the path that is being written looks like, and where it has come to.
    let mut open: Option<(String, Point)> = None;
    for mark in marks.split_inclusive('>') {
        let Some((look, points, is_closed)) = path_of(mark) else {
            if open.take().is_some() {
                out.push_str("\"/>");
            }
            out.push_str(mark);
            continue;
        };
        let mut pen = match open.take() {
            Some((before, pen)) if before == look => pen,
            before => {
                if before.is_some() {
                    out.push_str("\"/>");
                }
                out.push_str(&format!("<path {look} d=\""));
                (0, 0)
            }
        };
        let begin = points[0];
        for (at, point) in points.into_iter().enumerate() {
            let letter = if at == 0 { "m" } else { "l" };
            out.push_str(&step(letter, (point.0 - pen.0, point.1 - pen.1)));
            pen = point;
        }
        if is_closed {
            out.push('z');
            pen = begin;
        }
        open = Some((look, pen));
    }
    if open.is_some() {
        out.push_str("\"/>");
    }
    out
}

/// A step of a path.
fn step(letter: &str, by: Point) -> String {
    match (letter, by) {
        ("l", (x, 0)) => format!("h{x}"),
        ("l", (0, y)) => format!("v{y}"),
        (_, (x, y)) if y < 0 => format!("{letter}{x}{y}"),
        (_, (x, y)) => format!("{letter}{x} {y}"),
    }
}

/// How a mark looks, its points, and whether the last leads to the first; nothing for what is no path.
fn path_of(mark: &str) -> Option<(String, Vec<Point>, bool)> {
    let of = |name: &str| {
        let (_, rest) = mark.split_once(&format!(" {name}=\""))?;
        rest.split_once('"').map(|(value, _)| value)
    };
    let number = |name: &str| of(name)?.parse::<i64>().ok();
    if of("opacity").is_some() {
        return None;
    }
    let fill = of("fill")?;
    if mark.starts_with("<rect") {
        if of("stroke") != Some("none") {
            return None;
        }
        let (x, y, w, h) = (
            number("x")?,
            number("y")?,
            number("width")?,
            number("height")?,
        );
        let corners = vec![(x, y), (x + w, y), (x + w, y + h), (x, y + h)];
        return Some((format!("fill=\"{fill}\""), corners, true));
    }
    let (is_closed, look) = match mark {
        _ if mark.starts_with("<polygon") => (true, format!("fill=\"{fill}\"")),
        _ if mark.starts_with("<polyline") => {
            let (stroke, width) = (of("stroke")?, of("stroke-width")?);
            let look = format!("fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\"");
            (false, look)
        }
        _ => return None,
    };
    let point = |pair: &str| {
        let (x, y) = pair.split_once(',')?;
        Some((x.parse().ok()?, y.parse().ok()?))
    };
    let points: Option<Vec<Point>> = of("points")?.split_whitespace().map(point).collect();
    Some((look, points.filter(|points| !points.is_empty())?, is_closed))
}
