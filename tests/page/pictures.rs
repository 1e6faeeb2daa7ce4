//! Every plot can be taken away as PNG and SVG, each with all that it needs to be alone.

use super::page::strings;
use super::scene::Scene;
use super::visitor::Visitor;
use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

/// Width of a picture [px]; a PNG has twice as many.
const WIDTH: u32 = 960;

/// Waits for a file whose name has this ending.
pub async fn saved(visitor: &Visitor, ending: &str) -> Vec<u8> {
    for _ in 0..500 {
        let files = fs::read_dir(visitor.downloads()).into_iter().flatten();
        let mut paths = files.filter_map(|file| Some(file.ok()?.path()));
        let found = paths.find(|path| path.to_string_lossy().ends_with(ending));
        let bytes = found
            .and_then(|path| fs::read(path).ok())
            .unwrap_or_default();
        if !bytes.is_empty() {
            return bytes;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("nothing that ends in {ending} was saved");
}

/// Width, height and the different colours of a PNG without a see-through pixel.
pub fn pixels(bytes: &[u8]) -> (u32, u32, BTreeSet<[u8; 3]>) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(
        png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
    );
    let mut reader = decoder.read_info().expect("a PNG has a head");
    let mut raw = vec![0; reader.output_buffer_size().expect("a picture fits memory")];
    let frame = reader.next_frame(&mut raw).expect("a PNG has pixels");
    let colours = raw[..frame.buffer_size()].chunks_exact(4).map(|pixel| {
        assert_eq!(pixel[3], 255, "the ground is opaque");
        [pixel[0], pixel[1], pixel[2]]
    });
    (frame.width, frame.height, colours.collect())
}

fn texts(svg: &roxmltree::Document) -> Vec<String> {
    let texts = svg.descendants().filter(|node| node.has_tag_name("text"));
    texts
        .filter_map(|node| Some(node.text()?.trim().to_owned()))
        .collect()
}

fn number(node: roxmltree::Node, attribute: &str) -> f64 {
    let value = node.attribute(attribute).unwrap_or_default();
    value
        .parse()
        .unwrap_or_else(|_| panic!("{attribute} of {node:?} is {value:?}"))
}

/// How many marks have this colour.
fn filled(svg: &roxmltree::Document, colour: &str) -> usize {
    let is_it = |node: &roxmltree::Node| node.attribute("fill") == Some(colour);
    svg.descendants().filter(is_it).count()
}

#[tokio::test]
async fn every_plot_is_a_file_that_is_self_contained() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    let swept = "document.getElementById('sweep-summary')?.textContent";
    visitor.until("the sweep", swept).await;
    visitor.open_section("strategies").await;
    // Whoever adds a canvas has to offer its picture.
    let lonely = "[...document.querySelectorAll('canvas')].filter(c => !c.closest('.legend') \
                  && !c.closest('section').querySelector('[id$=-png]')).length";
    assert_eq!(visitor.value(lonely).await, 0);
    let names = "[...document.querySelectorAll('button[id$=-png]')].map(b => b.id.slice(0, -4))";
    let names = strings(&visitor.value(names).await);
    for known in ["timeline", "strategies", "sweep"] {
        assert!(names.iter().any(|name| name == known), "{names:?}");
    }
    for name in &names {
        visitor.click(&format!("{name}-png")).await;
        visitor.click(&format!("{name}-svg")).await;
        let text = saved(&visitor, &format!("-{name}.svg")).await;
        let text = String::from_utf8(text).expect("an SVG is text");
        let svg =
            roxmltree::Document::parse(&text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let root = svg.root_element();
        assert_eq!(number(root, "width"), f64::from(WIDTH), "{name}");
        let title = root.children().find(|node| node.has_tag_name("title"));
        let title = title.and_then(|title| title.text()).unwrap_or_default();
        assert!(!title.is_empty(), "{name} has no title");
        // At least one axis says what it measures and in which unit.
        let texts = texts(&svg);
        let units = [", s", ", ms", ", %"];
        let titled = texts
            .iter()
            .filter(|text| units.iter().any(|unit| text.ends_with(unit)));
        assert!(titled.count() > 0, "{name}: {texts:?}");

        let bytes = saved(&visitor, &format!("-{name}.png")).await;
        let (width, height, colours) = pixels(&bytes);
        assert_eq!(width, 2 * WIDTH, "{name}");
        assert_eq!(
            f64::from(height),
            (2.0 * number(root, "height")).ceil(),
            "{name}"
        );
        assert!(colours.len() > 8, "{name}: {colours:?}");
        let ground = "getComputedStyle(document.documentElement).getPropertyValue('--bg').trim()";
        assert_eq!(visitor.text_of(ground).await, "#fcfcfb");
        assert!(colours.contains(&[0xfc, 0xfc, 0xfb]), "{name}");
    }
    visitor.leave().await;
}

#[tokio::test]
async fn the_pictures_hold_every_phase_and_one_axis() {
    let scene = Scene::open().await;
    let visitor = scene.visitor().await;
    visitor.open().await;
    visitor.click("timeline-svg").await;
    let text = saved(&visitor, "-timeline.svg").await;
    let text = String::from_utf8(text).expect("an SVG is text");
    let svg = roxmltree::Document::parse(&text).expect("an SVG is XML");
    // Four stages and three hand-overs; the legend has one of each, and a load under its stall.
    for (phase, colour, count) in [
        ("load", "#BDCEE5", 6),
        ("transfer", "#D98A00", 4),
        ("compute", "#0E7666", 5),
    ] {
        assert_eq!(filled(&svg, colour), count, "{phase}");
    }
    let words = texts(&svg);
    for part in [
        "Cold start of Qwen3-14B, 256 tokens, 4 devices",
        "Time, s",
        "Critical chain",
        "D3",
    ] {
        assert!(words.iter().any(|text| text == part), "{part}: {words:?}");
    }

    visitor.open_section("strategies").await;
    visitor.click("strategies-svg").await;
    let text = saved(&visitor, "-strategies.svg").await;
    let text = String::from_utf8(text).expect("an SVG is text");
    let svg = roxmltree::Document::parse(&text).expect("an SVG is XML");
    let charts = texts(&svg).iter().filter(|text| *text == "Time, s").count();
    assert!(charts >= 4, "{charts} timelines");
    // Equal times are at equal places in all of them.
    for tick in ["0", "1", "4", "5"] {
        let same = svg.descendants().filter(|node| {
            node.has_tag_name("text") && node.text().is_some_and(|text| text.trim() == tick)
        });
        let places: BTreeSet<String> = same
            .clone()
            .map(|node| node.attribute("x").unwrap_or_default().to_owned())
            .collect();
        assert!(same.count() >= 3, "{tick} s");
        assert_eq!(places.len(), 1, "{tick} s is at {places:?}");
    }
    visitor.leave().await;
}
