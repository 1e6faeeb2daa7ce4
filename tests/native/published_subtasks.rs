//! Subtasks of published figures: what one worker computed is read by any other.

use document::{Patch, Section};
use engine::scenario::{self, presets};
use presenters::presenting::{AggregateResult, AnswerPresenter};
use protocol::SubtaskResult;

/// Finds the first piece of everything that a question has computed for its paper, and has it added up.
fn one_piece_of_each<S: AnswerPresenter>(scenario: &S) -> usize {
    let told = scenario.present(&mut |_, _, _| ()).expect("a story");
    let published = told.section("published").map(|section| &section.more);
    let published = published.expect("its paper has figures");
    for more in published {
        let first = scenario.run_subtask(&more.subtasks[0], &[], &mut |_, _| ());
        let mut came: Vec<Option<SubtaskResult>> = vec![None; more.subtasks.len()];
        came[0] = Some(SubtaskResult::from(first.expect("a piece")));
        match scenario.aggregate(&more.query, &[], &came) {
            Ok(AggregateResult::Fills(fills)) => assert!(says_something(&fills), "{}", more.query),
            other => panic!("{}: {other:?}", more.query),
        }
    }
    published.len()
}

fn says_something(fills: &[Patch]) -> bool {
    let of = |fill: &Patch| match fill {
        Patch::Place { blocks, .. } => Section::new("it", "")
            .and(blocks.clone())
            .all_tables()
            .count(),
        _ => 0,
    };
    fills.iter().map(of).sum::<usize>() > 0
}

#[test]
fn every_paper_has_its_figures_added_up_from_pieces() {
    let small = scenario::heads::presets::named("heads-small").expect("a preset");
    assert_eq!(one_piece_of_each(&presets::paper()), 1);
    assert_eq!(one_piece_of_each(&small.scenario), 1);
    assert_eq!(one_piece_of_each(&scenario::dispatch::presets::paper()), 1);
    assert_eq!(one_piece_of_each(&scenario::tiers::presets::paper()), 1);
    // Orders, and splits.
    assert_eq!(one_piece_of_each(&scenario::operators::presets::paper()), 2);
}
