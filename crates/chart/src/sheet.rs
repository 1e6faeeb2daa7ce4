//! Pictures that are alone, in a paper or a slide: a title, the chart with its axis titles, a legend.

use super::gantt::{Gantt, GanttStack, TimeView, layout, layout_stacked};
use super::heads::{HeadIndex, HeadMap, TimesIndex, TokenTimes, head_map_legend, times_legend};
use super::ink::Ink;
use super::legend::legend;
use super::lines::{LineChart, Series, layout_lines, sample_of};
use super::mark::{Anchor, Mark, Picture, text_width};
use super::network::{TierDiagram, layout_network, network_legend};
use super::requests::{RequestIndex, RequestRun, requests_legend};

/// Air round everything [px].
const AIR_PX: f64 = 20.0;
/// Height of the title's line with the air under it [px].
const TITLE_PX: f64 = 34.0;
/// Size of the title [px].
const TITLE_SIZE: f64 = 16.0;
/// Height of an exported line chart [px].
pub(super) const LINES_PX: f64 = 400.0;
/// Between a chart and its legend [px].
const LEGEND_GAP_PX: f64 = 14.0;

/// A chart with a title over it and a legend under it, `width_px` wide in all. The parts are made for the width
/// they are given. Screen readers read the chart's own sentence.
#[must_use]
pub fn sheet(
    title: &str,
    width_px: f64,
    chart: impl FnOnce(f64) -> Picture,
    legend: impl FnOnce(f64) -> Picture,
) -> Picture {
    let inner = width_px - 2.0 * AIR_PX;
    let body = chart(inner).above(legend(inner), LEGEND_GAP_PX);
    let at = (AIR_PX, AIR_PX + TITLE_SIZE - 3.0);
    let mut marks = vec![Mark::text(Ink::Text, TITLE_SIZE, Anchor::Start, at, title).strong()];
    let down = AIR_PX + TITLE_PX;
    marks.extend(
        body.marks
            .into_iter()
            .map(|mark| mark.moved((AIR_PX, down))),
    );
    Picture {
        width: width_px,
        height: down + body.height + AIR_PX,
        title: body.title,
        marks,
    }
}

/// A timeline, the visible span of it, as a picture that is alone.
#[must_use]
pub fn timeline_sheet(title: &str, gantt: &Gantt, view: TimeView, width_px: f64) -> Picture {
    let key = |w| legend(w, gantt.has_next());
    sheet(title, width_px, |w| layout(gantt, w, view).picture, key)
}

/// Timelines of several plans under one another on one time axis, each under its own line of words.
#[must_use]
pub fn strategies_sheet(
    title: &str,
    plans: &[(String, Gantt)],
    view: TimeView,
    width_px: f64,
) -> Picture {
    let charts = |w: f64| {
        let stack = GanttStack::of(plans.iter().map(|plan| &plan.1), w);
        let heading = |words: &str| heading(words, w);
        let mut parts = plans.iter().map(|(words, gantt)| {
            let chart = layout_stacked(gantt, w, view, stack).picture;
            heading(words).above(chart, 0.0)
        });
        let first = parts.next().unwrap_or_else(|| heading("No plan"));
        Picture {
            title: title.to_owned(),
            ..parts.fold(first, |all, part| all.above(part, 16.0))
        }
    };
    sheet(title, width_px, charts, |w| legend(w, false))
}

/// A network with its pass to scale as a picture that is alone.
#[must_use]
pub fn network_sheet(title: &str, network: &TierDiagram, width_px: f64) -> Picture {
    let chart = |w| layout_network(network, w).picture;
    sheet(title, width_px, chart, |w| network_legend(network, w))
}

/// A simulated run, the visible span of it, as a picture that is alone.
#[must_use]
pub fn requests_sheet(title: &str, run: &RequestRun, view: TimeView, width_px: f64) -> Picture {
    let index = RequestIndex::of(run);
    // The legend goes by the marks that are drawn at this width.
    let is_passes = |w| index.layout(w, view).describer.is_passes;
    let chart = |w| index.layout(w, view).picture;
    sheet(title, width_px, chart, |w| requests_legend(is_passes(w), w))
}

/// Height of the times of tokens in an exported picture [px].
const TIMES_PX: f64 = 180.0;

/// Heads by device and token over the time of each token, the visible span of both [tokens], as a picture that is alone;
/// the line of the page is not in it.
#[must_use]
pub fn heads_sheet(
    title: &str,
    map: &HeadMap,
    times: &TokenTimes,
    view: TimeView,
    width_px: f64,
) -> Picture {
    let index = HeadIndex::of(map).scrubbed(None);
    let times = TimesIndex::of(times).scrubbed(None);
    let charts = |w: f64| {
        let heading = heading("Time per token", w);
        let map = index.layout(w, view).picture;
        let times = times.layout(w, TIMES_PX, index.plot_px(w), view).picture;
        map.above(head_map_legend(&index, w), LEGEND_GAP_PX)
            .above(heading, 16.0)
            .above(times, 4.0)
    };
    sheet(title, width_px, charts, times_legend)
}

/// Height of the waits and of the shares in an exported picture [px].
pub(super) const WAITS_PX: f64 = 300.0;

/// A chart with its title as a picture that is alone.
#[must_use]
pub fn spots_sheet(title: &str, width_px: f64, chart: impl FnOnce(f64) -> Picture) -> Picture {
    sheet(title, width_px, chart, nothing)
}

/// An empty picture.
pub fn nothing(width: f64) -> Picture {
    Picture {
        width,
        height: 0.0,
        title: String::new(),
        marks: Vec::new(),
    }
}

/// A line of words over a part of a picture.
fn heading(words: &str, width_px: f64) -> Picture {
    Picture {
        width: width_px,
        height: 22.0,
        title: words.to_owned(),
        marks: vec![Mark::text(Ink::Text, 13.0, Anchor::Start, (0.0, 14.0), words).strong()],
    }
}

/// A sweep as a picture that is alone; what is on the page just now is not marked in it.
#[must_use]
pub fn lines_sheet(lines: &LineChart, width_px: f64) -> Picture {
    let lines = &LineChart {
        now: None,
        ..lines.clone()
    };
    let chart = |w| layout_lines(lines, w, LINES_PX).picture;
    sheet(&lines.title, width_px, chart, |w| key(&lines.series, w))
}

/// A sample of each line and its name, in lines of at most `width_px`.
fn key(series: &[Series], width_px: f64) -> Picture {
    const SAMPLE_PX: f64 = 28.0;
    let (mut x, mut y, mut marks) = (0.0, 0.0, Vec::new());
    for series in series {
        let width = SAMPLE_PX + 6.0 + text_width(&series.name, 12.0, false);
        if x > 0.0 && x + width > width_px {
            (x, y) = (0.0, y + 20.0);
        }
        marks.extend(sample_of(series.role, (x, y + 8.0), SAMPLE_PX));
        let at = (x + SAMPLE_PX + 6.0, y + 12.0);
        marks.push(Mark::text(
            Ink::Text2,
            12.0,
            Anchor::Start,
            at,
            &*series.name,
        ));
        x += width + 18.0;
    }
    Picture {
        width: width_px,
        height: y + 18.0,
        title: "Legend".into(),
        marks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ChartSpec;
    use crate::tests::kit::{assert_readable, has, inked, texts};
    use crate::tests::sample;

    /// Every kind of sheet at some widths: all of its words are there and none meets another.
    #[test]
    fn sheets_are_self_contained() {
        let (run, gantt) = (sample::thirteen(), sample::paper());
        let (from_s, to_s) = (22.9, 24.1);
        let plans = [
            ("Edgewise, 2.562 s".to_owned(), gantt.clone()),
            ("Other, 3.206 s".to_owned(), sample::twelve()),
        ];
        let timeline = |w| timeline_sheet("A title", &gantt, TimeView::full(&gantt), w);
        let strategies = |w| strategies_sheet("A title", &plans, TimeView::until(3.2063), w);
        let network = |w| network_sheet("A title", &sample::three_tiers(), w);
        let stays = |w| requests_sheet("A title", &run, TimeView::until(run.end_s), w);
        let passes = |w| requests_sheet("A title", &run, TimeView { from_s, to_s }, w);
        let lines = |w| lines_sheet(&sample::sweep(), w);
        type Case<'a> = (
            &'a dyn Fn(f64) -> Picture,
            &'a [f64],
            &'a str,
            &'a [&'a str],
        );
        let cases: [Case<'_>; 6] = [
            (
                &timeline,
                &[960.0],
                "Timeline of 4 stages",
                &[
                    "A title",
                    "Time, s",
                    "Critical chain",
                    "Stall",
                    "layers 13–27",
                ],
            ),
            (
                &strategies,
                &[960.0],
                "A title",
                &[
                    "A title",
                    "Edgewise, 2.562 s",
                    "Other, 3.206 s",
                    "Time, s",
                    "Wait",
                ],
            ),
            (
                &network,
                &[960.0, 600.0, 400.0],
                "Network of 3 tiers",
                &[
                    "A title",
                    "NX, 3 nodes",
                    "One decode pass, to scale",
                    "Transfer",
                    "Slowest tier",
                ],
            ),
            (
                &stays,
                &[960.0],
                "Timeline of 13 requests",
                &["A title", "Time, s", "Nano 1", "Prefill", "Processed"],
            ),
            (
                &passes,
                &[960.0],
                "Timeline of 13 requests",
                &["A title", "Time, s", "Nano 1", "Prefill", "Decode"],
            ),
            (
                &lines,
                &[960.0],
                "First answer",
                &[
                    "First answer over prompt length",
                    "First answer, s",
                    "Prompt tokens, log scale",
                ],
            ),
        ];
        for (sheet, widths, title, words) in cases {
            for width in widths {
                let picture = sheet(*width);
                has(&picture, words);
                assert!(picture.title.starts_with(title), "{}", picture.title);
                assert_eq!(picture.width, *width);
                assert_readable(&picture, title);
            }
        }
        assert!(strategies(960.0).height > 24.0 + 4.0 * 28.0 + 24.0 + 12.0 * 28.0);
        // Once at the end of its line, once in the legend.
        let names = texts(&lines(960.0));
        assert_eq!(names.iter().filter(|text| *text == "Heuristic").count(), 2);
    }

    #[test]
    fn heads_are_self_contained() {
        for (devices, tokens) in [(25, 1000), (5, 100)] {
            let (mut map, mut times) = sample::heads((devices, 32), tokens, 20, 3);
            (map.at, times.at) = (Some(40), Some(40));
            let drawing = ChartSpec::Heads(map, times);
            for width in [1110.0, 640.0, 400.0] {
                let picture = drawing.sheet("A title", width);
                has(
                    &picture,
                    &["A title", "Head arrives", "Time per token", "Moving", "D5"],
                );
                assert!(picture.title.starts_with("Heads on "));
                let mut tags = inked(&picture, Ink::Background);
                assert!(tags.all(|mark| mark.text_box().is_none()));
                assert_readable(&picture, "heads");
            }
        }
    }
}
