//! Checks that the tests of all charts share: texts in a picture, overlaps, descriptions of marks.

use crate::interaction::{HitTarget, MarkDescriber};
use crate::mark::{Mark, MarkShape, Picture, Rect};
use crate::{Ink, InkTheme, InteractiveChart, NeighbourKey, Palette, svg};
use engine::units::NARROW;

/// The style sheet.
pub(crate) const CSS: &str = include_str!("../../../../style/tokens.css");

/// The colours of the page.
pub(crate) fn palette(theme: InkTheme) -> Palette {
    Palette::from_tokens(CSS, theme).expect("the style sheet is complete")
}

/// The words of a picture, with plain spaces.
pub(crate) fn texts(picture: &Picture) -> Vec<String> {
    let of = |mark: &Mark| match &mark.shape {
        MarkShape::Text { text, .. } => Some(text.replace(NARROW, " ")),
        _ => None,
    };
    picture.marks.iter().filter_map(of).collect()
}

/// Asserts that all of some texts are there.
#[track_caller]
pub(crate) fn has(picture: &Picture, words: &[&str]) {
    let all = texts(picture);
    for word in words {
        assert!(all.iter().any(|text| text == word), "{word}: {all:?}");
    }
}

/// The marks of an ink.
pub(crate) fn inked(picture: &Picture, ink: Ink) -> impl Iterator<Item = &Mark> + Clone {
    picture.marks.iter().filter(move |mark| mark.ink == ink)
}

/// Where lines of an ink run that are wider than so many px.
pub(crate) fn paths(picture: &Picture, ink: Ink, wider: f64) -> Vec<Vec<(f64, f64)>> {
    let of = |mark: &Mark| match &mark.shape {
        MarkShape::Line { points, width, .. } if *width > wider => Some(points.clone()),
        _ => None,
    };
    inked(picture, ink).filter_map(of).collect()
}

/// Where words stand.
pub(crate) fn boxes(picture: &Picture) -> Vec<Rect> {
    picture.marks.iter().filter_map(Mark::text_box).collect()
}

/// No text meets another.
#[track_caller]
pub(crate) fn words_apart(picture: &Picture, what: &str) {
    let mut boxes = boxes(picture);
    boxes.sort_by(|a, b| a.y.total_cmp(&b.y));
    for (i, a) in boxes.iter().enumerate() {
        for b in boxes[i + 1..].iter().take_while(|b| b.y < a.bottom()) {
            assert!(!a.meets(b), "{what}: {a:?} {b:?}");
        }
    }
}

/// No text meets another, nothing leaves the picture, and every number is one.
#[track_caller]
pub(crate) fn assert_readable(picture: &Picture, what: &str) {
    let inside = |x: f64, y: f64| {
        let across = x >= -2.5 && x <= picture.width + 2.5;
        across && y >= -1.0 && y <= picture.height + 1.0
    };
    let corners = |r: &Rect| vec![(r.x, r.y), (r.right(), r.bottom())];
    for mark in &picture.marks {
        let places = match &mark.shape {
            MarkShape::Rect { rect, .. }
            | MarkShape::Frame { rect, .. }
            | MarkShape::Hatch { rect, .. }
            | MarkShape::Dots { rect, .. } => {
                assert!(rect.w >= 0.0 && rect.h >= 0.0, "{what}: {mark:?}");
                corners(rect)
            }
            MarkShape::Line { points, .. } => points.clone(),
            MarkShape::Disc { at, radius, .. } => {
                corners(&Rect::new(at.0, at.1, 0.0, 0.0).grown(*radius))
            }
            MarkShape::Marker { at, .. } => vec![*at],
            MarkShape::Text { .. } => corners(&mark.text_box().expect("a text has a place")),
            MarkShape::Ring { .. } => Vec::new(),
        };
        assert!(
            places.iter().all(|(x, y)| inside(*x, *y)),
            "{what}: {mark:?}"
        );
    }
    words_apart(picture, what);
}

/// Asserts the same, and that every mark has a description and an outline.
#[track_caller]
pub(crate) fn sound<S: MarkDescriber + ?Sized>(chart: &InteractiveChart<S>, what: &str) {
    assert_readable(&chart.picture, what);
    let n = chart.count();
    for at in (0..n).step_by((n / 300).max(1)) {
        let place = chart.hits[at].visible_rect();
        let numbers = [place.x, place.y, place.w, place.h];
        assert!(numbers.iter().all(|px| px.is_finite()), "{what}: {place:?}");
        let words = chart.description(at).expect("every mark has words");
        assert!(
            !words.title.is_empty() && !words.aria_label.is_empty(),
            "{what}"
        );
        for text in words
            .rows
            .iter()
            .map(|row| &row.1)
            .chain([&words.aria_label])
        {
            assert!(
                !text.contains("NaN") && !text.contains("inf"),
                "{what}: {text}"
            );
        }
        let lit = chart.lit_by(at);
        assert!(lit.marks.len() >= chart.picture.marks.len(), "{what}");
        if at % 7 == 0 {
            assert_readable(&lit, what);
        }
        assert!(chart.ring_of(at).is_some());
    }
    nothing_beyond(chart);
    assert!(!chart.picture.title.is_empty() && !chart.picture.title.contains("NaN"));
}

/// A mark that is not there says nothing, has no ring and lights nothing.
#[track_caller]
pub(crate) fn nothing_beyond<S: MarkDescriber + ?Sized>(chart: &InteractiveChart<S>) {
    for at in [chart.count(), usize::MAX] {
        assert_eq!((chart.description(at), chart.ring_of(at)), (None, None));
        assert_eq!(chart.neighbour(at, NeighbourKey::First), None);
        assert_eq!(chart.lit_by(at), chart.picture);
    }
}

/// The card of a mark: its title and its rows.
#[track_caller]
pub(crate) fn card_text<S: MarkDescriber + ?Sized>(
    chart: &InteractiveChart<S>,
    hit: impl Into<Option<usize>>,
) -> Vec<String> {
    let words = hit
        .into()
        .and_then(|hit| chart.description(hit))
        .expect("a mark");
    let rows = words.rows.into_iter().map(|(a, b)| format!("{a}: {b}"));
    let all = std::iter::once(words.title).chain(rows);
    all.map(|text| text.replace(NARROW, " ")).collect()
}

/// Returns true if the keys lead from the first mark to every other.
pub(crate) fn keys_reach_all<S: MarkDescriber + ?Sized>(chart: &InteractiveChart<S>) -> bool {
    use NeighbourKey::{Above, Below, Earlier, First, Last, Later};
    let mut seen = vec![false; chart.count()];
    let mut left: Vec<usize> = chart.first().into_iter().collect();
    while let Some(at) = left.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            let steps = [Earlier, Later, Above, Below, First, Last];
            left.extend(
                steps
                    .into_iter()
                    .filter_map(|step| chart.neighbour(at, step)),
            );
        }
    }
    seen.iter().all(|seen| *seen)
}

/// A picture as an SVG in both themes, each of which can be read.
#[track_caller]
pub(crate) fn both_themes(picture: &Picture) -> [String; 2] {
    [InkTheme::Light, InkTheme::Dark].map(|theme| {
        let svg = svg(picture, &palette(theme), "sans-serif");
        assert!(svg.ends_with("</svg>\n"));
        let document = roxmltree::Document::parse(&svg).expect("well-formed");
        assert!(document.descendants().count() > 3);
        svg
    })
}

impl HitTarget {
    /// Where a mark stands that is seen.
    #[track_caller]
    pub(crate) fn visible_rect(&self) -> Rect {
        self.rect.expect("in sight")
    }
}
