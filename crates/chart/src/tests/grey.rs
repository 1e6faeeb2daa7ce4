//! In black and white: what differs in a chart by its colour differs by form, dash, hatch or brightness as well.

use super::sample;
use crate::lines::SeriesRole;
use crate::mark::{Mark, MarkShape, Picture, Rect};
use crate::network::network_legend;
use crate::{
    HeadIndex, Ink, InkTheme, Palette, graph_legend, head_map_legend, layout_network, legend,
    requests_legend, slices_legend, times_legend, tokens_legend,
};

const CSS: &str = include_str!("../../../../style/tokens.css");
/// Two plain backgrounds are distinguishable from this contrast on, as WCAG 2.2 defines it.
const LEAST_CONTRAST: f64 = 1.2;
const WIDTH: f64 = 4000.0;

/// Relative luminance of a colour, from 0 to 1.
fn luminance((r, g, b): (u8, u8, u8)) -> f64 {
    let linear = |channel: u8| {
        let share = f64::from(channel) / 255.0;
        if share <= 0.04045 {
            share / 12.92
        } else {
            libm::pow((share + 0.055) / 1.055, 2.4)
        }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

fn contrast(a: f64, b: f64) -> f64 {
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Appearance of a legend entry without colour: its shapes, and the brightness of its largest area.
struct Seen {
    word: String,
    forms: Vec<String>,
    ground: f64,
}

impl Seen {
    fn of(word: &str, marks: &[&Mark], palette: &Palette) -> Self {
        let form = |mark: &&Mark| match &mark.shape {
            MarkShape::Rect { rect, edge, .. } => {
                let dash = edge.map(|edge| edge.dash);
                format!("rect {:.1} {:.1} {dash:?}", rect.w, rect.h)
            }
            MarkShape::Frame { rect, dash } => format!("frame {:.1} {dash:?}", rect.h),
            MarkShape::Hatch { slant, spacing, .. } => format!("hatch {slant:?} {spacing}"),
            MarkShape::Dots { .. } => "dots".to_owned(),
            MarkShape::Line {
                points,
                width,
                dash,
            } => {
                let first = points.first().copied().unwrap_or_default();
                let last = points.last().copied().unwrap_or_default();
                let upright = first.0 == last.0;
                format!("line {width} {dash:?} {upright}")
            }
            MarkShape::Marker { form, .. } => format!("{form:?}"),
            MarkShape::Disc { .. } => "disc".to_owned(),
            MarkShape::Ring { .. } | MarkShape::Text { .. } => String::new(),
        };
        let area = |mark: &&&Mark| match &mark.shape {
            MarkShape::Rect {
                rect: Rect { w, h, .. },
                ..
            } => w * h,
            MarkShape::Disc { radius, .. } => 4.0 * radius * radius,
            _ => 0.0,
        };
        let largest = marks.iter().max_by(|a, b| area(a).total_cmp(&area(b)));
        Self {
            word: word.to_owned(),
            forms: marks.iter().map(form).collect(),
            ground: luminance(palette.colour(largest.map_or(Ink::Text, |mark| mark.ink))),
        }
    }

    fn differs_from(&self, other: &Self) -> bool {
        self.forms != other.forms || contrast(self.ground, other.ground) >= LEAST_CONTRAST
    }
}

/// The entries of a legend: what is before each of its words.
fn entries(legend: &Picture, palette: &Palette) -> Vec<Seen> {
    let (mut before, mut all) = (Vec::new(), Vec::new());
    for mark in &legend.marks {
        match &mark.shape {
            MarkShape::Text { text, .. } => {
                all.push(Seen::of(text, &std::mem::take(&mut before), palette))
            }
            _ => before.push(mark),
        }
    }
    all
}

/// Returns true if two marks are distinguished by text: tiers have names, and shares of devices have a plot of their own above that
/// of times, each with a caption.
fn is_labelled(name: &str, a: &str, b: &str) -> bool {
    let is_tier = |word: &str| word.starts_with("Tier");
    let is_device = |word: &str| word.starts_with('D');
    match name {
        "network" => is_tier(a) && is_tier(b),
        "slices" => is_device(a) != is_device(b),
        _ => false,
    }
}

#[test]
fn every_tier_bears_its_name() {
    let network = sample::three_tiers();
    let chart = layout_network(&network, 968.0);
    for tier in &network.tiers {
        let named = |mark: &Mark| matches!(&mark.shape, MarkShape::Text { text, .. } if text.starts_with(&tier.name));
        assert!(chart.picture.marks.iter().any(named), "{}", tier.name);
    }
}

#[test]
fn every_two_entries_of_a_legend_differ_without_colour() {
    let network = sample::six_tiers();
    let devices: Vec<String> = (1..=4).map(|n| format!("D{n}")).collect();
    let heads = HeadIndex::of(&sample::heads((4, 32), 60, 5, 3).0);
    let legends = [
        ("timeline", legend(WIDTH, true)),
        ("heads", head_map_legend(&heads, WIDTH)),
        ("times", times_legend(WIDTH)),
        ("tokens", tokens_legend(WIDTH)),
        ("network", network_legend(&network, WIDTH)),
        ("passes", requests_legend(true, WIDTH)),
        ("stays", requests_legend(false, WIDTH)),
        ("graph", graph_legend(WIDTH)),
        ("slices", slices_legend(&devices, WIDTH)),
    ];
    let mut alike = Vec::new();
    for theme in [InkTheme::Light, InkTheme::Dark] {
        let palette = Palette::from_tokens(CSS, theme).expect("the style sheet is complete");
        for (name, legend) in &legends {
            let all = entries(legend, &palette);
            assert!(all.len() > 1, "{name}");
            for (at, a) in all.iter().enumerate() {
                let same = all[at + 1..].iter().filter(|b| !a.differs_from(b));
                let same = same.filter(|b| !is_labelled(name, &a.word, &b.word));
                alike.extend(same.map(|b| format!("{theme:?} {name}: {} and {}", a.word, b.word)));
            }
        }
    }
    assert!(alike.is_empty(), "{alike:#?}");
}

#[test]
fn every_two_lines_of_a_chart_differ_by_dash_or_marker() {
    use SeriesRole::{A, B, C, D, More, Ours};
    let roles = [Ours, A, B, C, D].into_iter().chain((0..6).map(More));
    let looks: Vec<_> = roles.map(SeriesRole::look).collect();
    for (at, (_, _, dash, form)) in looks.iter().enumerate() {
        for (_, _, other, marker) in &looks[at + 1..] {
            assert!(dash != other || form != marker, "{dash:?} {form:?}");
        }
    }
}
