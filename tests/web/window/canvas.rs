//! The painter on a real canvas: the timeline of the paper's scenario leaves its colours where its bars stand.

use chart::{Gantt, GanttPhase, Ink, InkTheme, Palette, Surface, TimeView, layout, paint};
use engine::scenario::presets;
use engine::solve::{Limits, NoProgress};
use planner::cold_start::{ColdStartMethod, answer};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

const TOKENS: &str = include_str!("../../../style/tokens.css");
const WIDTH: f64 = 968.0;
const FINE: u32 = 8;

fn paper() -> Gantt {
    let scenario = presets::paper();
    let problem = scenario.problem().expect("presets are valid");
    let answer = answer(
        &problem,
        ColdStartMethod::Exact,
        scenario.heuristic,
        &Limits::default(),
        &mut NoProgress,
    );
    Gantt::of(&problem, &answer.timeline.expect("a plan"))
}

fn canvas(width: f64, height: f64) -> (HtmlCanvasElement, CanvasRenderingContext2d) {
    let document = web_sys::window()
        .and_then(|w| w.document())
        .expect("a page");
    let canvas: HtmlCanvasElement = document
        .create_element("canvas")
        .expect("an element")
        .unchecked_into();
    canvas.set_width(width as u32);
    canvas.set_height(height as u32);
    let context = canvas.get_context("2d").expect("a canvas").expect("in 2d");
    (canvas, context.unchecked_into())
}

#[wasm_bindgen_test]
fn every_bar_of_the_papers_timeline_has_its_colour() {
    let gantt = paper();
    let chart = layout(&gantt, WIDTH, TimeView::full(&gantt));
    for theme in [InkTheme::Light, InkTheme::Dark] {
        let palette = Palette::from_tokens(TOKENS, theme).expect("all colours are there");
        let (element, context) = canvas(WIDTH, chart.picture.height);
        let fine = 1.0 / f64::from(FINE);
        context.scale(fine, fine).expect("a canvas scales");
        let mut backend = CanvasBackend::with_canvas_object(element).expect("a canvas");
        let surface = Surface::canvas(1.0, FINE);
        paint(
            &chart.picture.marks,
            &palette,
            surface,
            "sans-serif",
            &mut backend,
        )
        .expect("it paints");

        let mut seen = 0;
        for (at, hit) in chart.hits.iter().enumerate() {
            let title = chart.description(at).expect("a bar says what it is").title;
            let bars = [
                (GanttPhase::Load, Ink::LoadFill),
                (GanttPhase::Transfer, Ink::TransferFill),
                (GanttPhase::Compute, Ink::ComputeFill),
            ];
            let is_of = |phase: GanttPhase| title.ends_with(&format!(", {}", phase.name()));
            let Some((_, ink)) = bars.into_iter().find(|(phase, _)| is_of(*phase)) else {
                continue;
            };
            let rect = hit.rect.expect("the whole plan is in view");
            // Just under the upper edge, left of the middle: no label and no hatch reaches there.
            let (x, y) = (rect.x + 0.3 * rect.w, rect.y + 3.0);
            let pixel = context
                .get_image_data(x, y, 1.0, 1.0)
                .expect("a pixel")
                .data();
            let (r, g, b) = palette.colour(ink);
            assert_eq!(&pixel[..3], &[r, g, b], "{title}");
            seen += 1;
        }
        assert_eq!(seen, 11, "four loads, three transfers, four computations");
    }
}
