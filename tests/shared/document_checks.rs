//! What holds of the document of any answer: figures have formulas that say what is shown, charts are drawn, every format is well-formed
//! and fits its reader.

use chart::{InkTheme, Palette};
use document::text::Width;
use document::{Block, Story};
use engine::scenario::world::World;
use engine::scenario::{Any, fields, link};
use protocol::AnswerDocument;

/// Makes the document of a scenario from its answer.
pub(crate) fn story(any: &Any, answer: AnswerDocument) -> Story {
    let world = World::of(any);
    let view = world.view(world.question).expect("its own question");
    answer.story(&world, &view, link::of(any))
}

/// Inputs that are no numbers and that not every scenario states.
const CHOICES: [&str; 4] = ["preset", "file", "weights", "cache"];

/// Checks the figures of a story; those that no formula gives are named.
#[track_caller]
pub(crate) fn check_figures(story: &Story, found_by_searching: &[&str]) {
    let title = &story.title;
    let mut keys: Vec<&str> = story.quantities().map(|one| one.key.as_str()).collect();
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count, "{title}: keys are unique");
    for one in story.quantities() {
        let Some(of) = &one.formula else {
            let is_known = found_by_searching.contains(&one.key.as_str());
            assert!(is_known, "{title}: no formula of {}", one.key);
            continue;
        };
        let (filled, shown) = (&of.filled, one.text());
        let key = &one.key;
        assert!(filled.ends_with(&shown), "{title}: {key}: {filled}");
        assert!(!of.source.is_empty() && !of.symbols.is_empty(), "{key}");
        assert!(!story.inputs_of(one).is_empty(), "{title}: {key}");
        for input in &of.inputs {
            let is_input = story.inputs.iter().any(|of| of.key == *input);
            let is_choice = CHOICES.contains(input);
            assert!(
                is_input || is_choice || fields::of(input).is_some(),
                "{title}: {key} comes from {input}"
            );
        }
    }
}

/// The parts of the first figures, added up.
pub(crate) fn sum_of_parts(story: &Story) -> f64 {
    let mut blocks = story.sections.iter().flat_map(|section| &section.blocks);
    let figures = blocks.find_map(|block| match block {
        Block::Figures(figures) => Some(figures),
        _ => None,
    });
    let parts = figures.map(|figures| figures.shares.iter());
    let parts = parts.into_iter().flatten();
    parts.map(|part| part.quantity.value).sum()
}

/// A quantity by its name.
#[track_caller]
pub(crate) fn value(story: &Story, key: &str) -> f64 {
    let found = story.quantities().find(|one| one.key == key);
    found.unwrap_or_else(|| panic!("no {key}")).value
}

/// Checks text, Markdown and HTML of a story.
#[track_caller]
pub(crate) fn check_forms(story: &Story) {
    let title = &story.title;
    for characters in [80, 100] {
        let text = story.to_text(Width::of(characters));
        for line in text.lines().filter(|line| *line != story.link) {
            let wide = line.chars().count();
            assert!(
                wide <= characters,
                "{title}: {wide} of {characters}: {line}"
            );
        }
    }
    let tokens = include_str!("../../style/tokens.css");
    let colours = Palette::from_tokens(tokens, InkTheme::Light).expect("all colours are there");
    let html = story.to_html(&colours);
    let pictures: Vec<&str> = html.split("<figure").skip(1).collect();
    assert_eq!(pictures.len(), story.charts().count(), "{title}");
    for (picture, chart) in pictures.iter().zip(story.charts()) {
        assert!(picture.contains(&format!("chart-{}", chart.id)), "{title}");
        let (from, to) = (picture.find("<svg"), picture.find("</svg>"));
        let (from, to) = from.zip(to).expect("a picture");
        let svg = &picture[from..to + "</svg>".len()];
        let parsed = roxmltree::Document::parse(svg);
        let parsed = parsed.unwrap_or_else(|fault| panic!("{title}, {}: {fault}", chart.id));
        assert!(parsed.descendants().count() > 10, "{title}, {}", chart.id);
    }
    let markdown = story.to_markdown();
    let written = (story.sections.iter()).filter(|section| !section.blocks.iter().all(is_picture));
    for section in written {
        let name = &section.title;
        assert!(markdown.contains(name), "{title}: {name}");
    }
    // No heading stands over nothing.
    let paragraphs: Vec<&str> = markdown.trim().split("\n\n").collect();
    let level = |paragraph: &str| match paragraph.split(' ').next() {
        Some("##") => 2,
        _ if paragraph.starts_with("**") && paragraph.ends_with("**") => 1,
        _ => 0,
    };
    for pair in paragraphs.windows(2) {
        let [above, below] = [level(pair[0]), level(pair[1])];
        assert!(above == 0 || below < above, "{title}: {pair:?}");
    }
    assert_eq!(
        paragraphs.last().map(|last| level(last)),
        Some(0),
        "{title}"
    );
    let text = story.to_text(Width::FULL);
    for section in &story.sections {
        let head = section.title.to_uppercase();
        let below = text.lines().skip_while(|line| *line != head).nth(1);
        assert!(
            below.is_none_or(|line| !line.trim().is_empty()),
            "{title}: {head}"
        );
    }
}

/// Charts, side by side or not.
fn is_picture(block: &Block) -> bool {
    match block {
        Block::Chart(_) => true,
        Block::Columns(columns) => columns.iter().flatten().all(is_picture),
        _ => false,
    }
}
