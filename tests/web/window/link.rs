//! Links written and read in a browser are those of the command line.

use engine::scenario::link::{self, LONGEST, LinkError};
use engine::scenario::{Any, Scenario, learn_all, presets};
use wasm_bindgen_test::wasm_bindgen_test;

/// A cold-start link, opened.
fn decode(link: &str) -> Result<Scenario, LinkError> {
    match link::decode(link)? {
        Any::ColdStart(scenario) => Ok(*scenario),
        other => panic!("{:?} is another question", other.question()),
    }
}

#[wasm_bindgen_test]
fn what_a_link_says_is_what_was_written() {
    learn_all();
    for preset in presets::all() {
        learn_all();
        let mut scenario = preset.scenario;
        scenario.devices[0].d_m = 0.1 + 0.2; // a number that needs all its digits
        scenario.title = "Käse \u{1f9c0} 量子".into();
        let link = link::of(&scenario);
        assert_eq!(decode(&link), Ok(scenario), "{link}");
    }
}

#[wasm_bindgen_test]
fn a_link_survives_the_address_bar() {
    learn_all();
    let location = web_sys::window().expect("a window").location();
    let before = location.hash().expect("a fragment");
    let link = link::of(&presets::paper());
    location.set_hash(&link).expect("a fragment can be set");
    let read = location.hash().expect("a fragment");
    location.set_hash(&before).expect("a fragment can be set");
    assert_eq!(read, link);
    assert_eq!(decode(&read), Ok(presets::paper()));
}

#[wasm_bindgen_test]
fn damaged_and_oversized_links_are_refused_here_too() {
    learn_all();
    let link = link::of(&presets::paper());
    let cut = &link[..link.len() - 20];
    assert!(matches!(decode(cut), Err(LinkError::CutShort { .. })));
    let long = format!("#cold-start/3.{}", "A".repeat(LONGEST + 1));
    assert_eq!(decode(&long), Err(LinkError::TooLong { got: LONGEST + 1 }));
}
