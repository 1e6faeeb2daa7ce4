//! The summary of an answer, which less of the program can make, equals the same part of the full view.

use engine::scenario::{Question, dispatch, heads, operators, presets, tiers};
use presenters::presenting::AnswerPresenter;
use protocol::AnswerView;
use std::collections::BTreeSet;

/// The sections of the summary are in the full view, unchanged and in the same order.
fn agrees<S: AnswerPresenter>(name: &str, scenario: &S) {
    let told = |all: Result<AnswerView, _>| all.unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let lead = told(scenario.summarize(&mut |_, _, _| ()));
    let all = told(scenario.present(&mut |_, _, _| ()));
    assert_eq!(lead.sections[0].id, "answer", "{name}");
    let places = lead.sections.iter().map(|section| {
        let at = all.sections.iter().position(|one| one == section);
        at.unwrap_or_else(|| panic!("{name}: {} is told otherwise", section.id))
    });
    assert!(places.is_sorted_by(|a, b| a < b), "{name}");
    assert!(lead.sections.len() < all.sections.len(), "{name}");
    let ids: BTreeSet<&str> = all.sections.iter().map(|section| section.id).collect();
    assert_eq!(ids.len(), all.sections.len(), "{name}: a section twice");
    assert!(lead.files.is_empty() && lead.chains.is_empty(), "{name}");
    assert!(!all.files.is_empty(), "{name}");
    let of_lead = AnswerView {
        sections: Vec::new(),
        ..lead
    };
    let of_all = AnswerView {
        sections: Vec::new(),
        files: Vec::new(),
        chains: Vec::new(),
        ..all
    };
    assert_eq!(of_lead, of_all, "{name}");
}

#[test]
fn the_summary_is_the_same_in_the_whole_document() {
    for preset in presets::all() {
        agrees(preset.name, &preset.scenario);
    }
    for preset in dispatch::presets::all() {
        agrees(preset.name, &preset.scenario);
    }
    for preset in tiers::presets::all() {
        agrees(preset.name, &preset.scenario);
    }
    // A run of many tokens on many devices takes its time, and so do large graphs: one small one of each, and where nothing fits.
    let mut heads = heads::presets::named("heads-small")
        .expect("a preset")
        .scenario;
    agrees("heads-small", &heads);
    heads
        .devices
        .iter_mut()
        .for_each(|device| device.memory_gb = 1e-6);
    agrees("heads-small without memory", &heads);
    let mut graph = operators::presets::named("squeezenet")
        .expect("a preset")
        .scenario;
    agrees("squeezenet", &graph);
    graph.limit_mib = Some(0.5);
    agrees("squeezenet with no room", &graph);
    assert_eq!(Question::ALL.len(), 5, "a question is missing here");
}
