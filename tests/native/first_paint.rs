//! The first paint of the page: the answers that the command line gives, drawn without inline styles or scripts, in few bytes.

use crate::cli::edgewise;
use engine::scenario::Question;
use miniz_oxide::deflate::compress_to_vec;
use roxmltree::Document;

/// How much of the page the default answers may be, pressed \[B\].
const MOST_BYTES: usize = 60_000;

/// The text of the only element `name` of a fragment.
fn text_of(markup: &str, name: &str) -> String {
    let (_, rest) = markup.split_once(&format!("<{name}>")).expect(name);
    let (inner, _) = rest.split_once(&format!("</{name}>")).expect(name);
    let whole = format!("<{name}>{inner}</{name}>");
    let read = Document::parse(&whole).expect("the fragment is well-formed");
    let texts = read.descendants().filter(|node| node.is_text());
    texts.filter_map(|node| node.text()).collect()
}

#[test]
fn the_page_shows_what_the_command_line_prints() {
    for question in Question::ALL {
        let opening = question.kind().opening();
        let ran = edgewise(&["run", "-", "--format", "md"], opening.to_json());
        assert_eq!(ran.code, 0, "{ran:?}");
        let said = ran.out.replace("**", "");
        let fragment = paint::fragment(question).expect("an answer").into_string();
        let headline = text_of(&fragment, "h1");
        assert!(headline.len() > 20, "{headline}");
        assert!(said.contains(&headline), "{headline}\n{said}");
    }
}

#[test]
fn the_page_is_small_and_keeps_its_security_policy() {
    let page = include_str!("../../index.html");
    let painted = paint::paint(page).expect("the page is painted");
    let pressed = |text: &str| compress_to_vec(text.as_bytes(), 9).len();
    let added = pressed(&painted) - pressed(page);
    println!("the default answers add {added} bytes to index.html, pressed");
    assert!(added <= MOST_BYTES, "{added}");
    for forbidden in [
        " style=", "<style", "<script>", "onclick", "https://", "#0000",
    ] {
        assert!(!painted.contains(forbidden), "{forbidden}");
    }
    for question in &Question::ALL[1..] {
        let template = format!("<template id=\"first-{}\">", question.name());
        assert_eq!(painted.matches(&template).count(), 1, "{template}");
    }
}

#[test]
fn a_page_without_its_places_is_refused() {
    let fault = paint::paint("<html></html>").expect_err("it has no places");
    assert!(fault.to_string().contains("<!-- bar -->"), "{fault}");
}
