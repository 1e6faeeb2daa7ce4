//! What splitting the layer as well comes to beside the rules of a head-placement scenario, on every preset.

use engine::scenario::heads::{Scenario, presets};
use job::heads::{self, Answer, Ask, Strategy};
use job::heads_run::Comparison;
use report::heads::{against, comparison};
use report::table::Cell;

/// All draws of a scenario.
fn compared(s: &Scenario) -> Comparison {
    let mut all = heads::comparison(s);
    for seed in heads::seeds(s) {
        match heads::answer(s, &Ask::Draw { seed }, &mut |_, _, _| ()) {
            Ok(Answer::Draw(drawn)) => all.add(drawn.seed, drawn.sums),
            other => panic!("{other:?}"),
        }
    }
    all
}

/// On every preset the best plans of the wider class are no slower than anything beside them; and where splitting gains
/// nothing, that is what the sentence says. On drawn networks the plans are proved as well, token by token, but nothing is
/// promised of a run as a whole: a plan kept for ever may be better.
#[test]
fn nothing_in_the_table_beats_the_plans_that_may_split_the_layer() {
    for one in presets::all() {
        for networks in [false, true] {
            let mut s = one.scenario.clone();
            s.new_tokens = s.new_tokens.min(20.0);
            s.draws.seeds = 2.0;
            s.draws.networks = networks;
            let all = compared(&s);
            let widest = all.strategies().len() - 1;
            assert_eq!(all.strategies()[widest], Strategy::ExactSplit);
            for runs in all.runs() {
                assert_eq!(runs[widest].unproved, 0, "{}", one.name);
                for (rule, run) in all.strategies().iter().zip(runs) {
                    assert!(
                        networks || runs[widest].seconds <= run.seconds * (1.0 + 1e-9),
                        "{} {rule:?}: {} and {}",
                        one.name,
                        runs[widest].seconds,
                        run.seconds
                    );
                }
            }
            let words = against(&s, &all).expect("all draws").to_string();
            let none = "Splitting projection and FFN over devices as well would gain nothing (optimal at each token, proven)";
            assert_eq!(
                words.contains(none),
                one.name == "heads-flat" && !networks,
                "{}: {words}",
                one.name
            );
        }
    }
}

/// Times of some milliseconds are read as such, and rules that differ are told apart.
#[test]
fn short_runs_have_digits_enough() {
    for name in ["heads-flat", "heads-small"] {
        let table = comparison(&compared(&Scenario {
            new_tokens: 4.0,
            ..presets::named(name).expect("a preset").scenario
        }));
        let shown = table.for_readers();
        let at = table
            .columns
            .iter()
            .position(|column| column.key == "mean_s")
            .expect("means");
        for (row, read) in table.rows.iter().zip(&shown.rows) {
            let read = read[at].shown();
            let digits = read.trim_start_matches(['0', '.']).replace('.', "");
            assert!(digits.len() >= 2, "{name}: {read} of {:?}", row[at]);
        }
        for (a, one) in table.rows.iter().enumerate() {
            for (b, other) in table.rows.iter().enumerate().skip(a + 1) {
                let differ = match (&one[at], &other[at]) {
                    (Cell::Number(x, _), Cell::Number(y, _)) => (x - y).abs() > 0.01 * x.max(*y),
                    _ => false,
                };
                let same = shown.rows[a][at].shown() == shown.rows[b][at].shown();
                assert!(!(differ && same), "{name}: {:?} {:?}", one[at], other[at]);
            }
        }
    }
}
