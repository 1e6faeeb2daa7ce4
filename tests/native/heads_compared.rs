//! Runs of the head-placement question: their parts, and ours beside other rules over drawn networks.

use crate::cases::properties;
use crate::cli::edgewise;
use crate::heads_scenario::{ask, plan, preset, small};
use document::Cell;
use engine::scenario::heads::{Links, OwnRate, Scenario, presets};
use engine::scenario::link;
use planner::heads::{HeadsRequest, HeadsResult, HeadsVariant, Strategy, comparison, seeds};
use planner::heads_run::Comparison;
use presenters::heads as presenter;
use proptest::prelude::*;

/// Links given by the names of their ends.
fn by_name(links: &Links, names: &[usize]) -> Vec<f64> {
    let count = names.len();
    let place = |name: usize| names.iter().position(|n| *n == name);
    let pairs = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
    pairs
        .filter(|(a, b)| a != b)
        .filter_map(|(a, b)| Some(links.rate(place(a)?, place(b)?)))
        .collect()
}

proptest! {
    #![proptest_config(properties(256))]

    /// Rates stay with their devices, both ways or one, through moves, removals and copies.
    #[test]
    fn rates_follow_their_devices(
        own in proptest::collection::btree_map((0..5_usize, 0..5_usize), 0.0..9.0_f64, 0..12),
        from in 0..5_usize,
        to in 0..5_usize,
        gone in 0..5_usize,
    ) {
        let own = own.into_iter().filter(|((a, b), _)| a != b);
        let links = Links {
            gbit_s: 1.0,
            own: own.map(|((from, to), gbit_s)| OwnRate { from, to, gbit_s }).collect(),
        };
        let mut names: Vec<usize> = (0..5).collect();
        let before = by_name(&links, &names);
        let mut moved = links.clone();
        let name = names.remove(from);
        names.insert(to, name);
        moved.moved(|old| names.iter().position(|name| *name == old).unwrap_or_default());
        prop_assert_eq!(by_name(&moved, &names), before);
        let sorted = moved.own.windows(2).all(|pair| (pair[0].from, pair[0].to) < (pair[1].from, pair[1].to));
        prop_assert!(sorted, "{:?}", moved.own);

        let mut less = links.clone();
        less.removed(gone);
        let left: Vec<usize> = (0..5).filter(|n| *n != gone).collect();
        for (a, from) in left.iter().enumerate() {
            for (b, to) in left.iter().enumerate() {
                if a != b {
                    prop_assert_eq!(less.rate(a, b), links.rate(*from, *to));
                }
            }
        }

        let mut more = links.clone();
        more.inserted(gone + 1, Some(gone));
        for other in (0..5).filter(|n| *n != gone) {
            let listed = other + usize::from(other > gone);
            prop_assert_eq!(more.rate(gone + 1, listed), links.rate(gone, other));
            prop_assert_eq!(more.rate(listed, gone + 1), links.rate(other, gone));
            prop_assert_eq!(more.rate(gone, listed), links.rate(gone, other));
        }
    }
}

#[test]
fn the_parts_of_a_run_add_up_and_its_segments_follow_one_another() {
    let s = small();
    let planned = plan(&s);
    let parts: f64 = presenter::time_parts(&planned)
        .iter()
        .map(|(_, time)| time)
        .sum();
    assert!((parts - planned.summary.seconds).abs() <= 1e-9 * parts);
    assert_eq!(planned.times.elapsed.len(), 30);
    let mut next = 1;
    for segment in &planned.segments {
        assert_eq!(segment.from, next);
        next = segment.to + 1;
    }
    assert_eq!(next, 31);
    for token in 1..=30 {
        let segment = planned.segment(token).expect("a segment");
        assert!((segment.from..=segment.to).contains(&token));
        assert_eq!(segment.layout.heads_on(4).iter().sum::<usize>(), 32);
    }
    assert!(planned.segment(31).is_none() && planned.segment(0).is_none());
    let moved: f64 = planned.moves.iter().map(|m| m.seconds).sum();
    let moving: f64 = planned.times.moving.iter().sum();
    assert!((moved - moving).abs() <= 1e-9 * moving.max(1.0));
    let table = presenter::tokens(&planned);
    assert_eq!(table.rows.len(), 30);
    assert!(
        table
            .rows
            .iter()
            .all(|row| row.len() == table.columns.len())
    );
}

fn whole_networks(s: Scenario) -> Scenario {
    Scenario {
        draws: engine::scenario::heads::Draws {
            networks: true,
            ..s.draws
        },
        ..s
    }
}

/// All draws of a scenario, the last one first.
pub(crate) fn compared(s: &Scenario) -> Comparison {
    let mut all = comparison(s);
    let mut seeds: Vec<u64> = seeds(s).collect();
    seeds.reverse();
    for seed in seeds {
        assert_eq!(presenter::against(s, &all), None, "draws are missing");
        match ask(s, &HeadsRequest::Draw { seed }) {
            HeadsResult::Draw(drawn) => all.add(drawn.seed, drawn.sums),
            other => panic!("{other:?}"),
        }
    }
    all
}

/// Networks that are drawn for the comparison are of the comparison alone: what is shown of the listed devices is
/// about them, changes and records included.
#[test]
fn drawn_networks_leave_the_listed_devices_alone() {
    let s = small();
    let whole = whole_networks(s.clone());
    let network = whole.network(1).expect("a network");
    let mut supply = network.supply;
    for (device, free) in s.devices.iter().zip(&supply.next(1).compute) {
        assert!(*free <= 1e9 * device.compute_gops, "{free} {device:?}");
    }
    assert_eq!(plan(&whole), plan(&s));
    let greedy = HeadsRequest::Track(Strategy::Greedy);
    assert_eq!(ask(&whole, &greedy), ask(&s, &greedy));
    let faster = HeadsRequest::Instead(HeadsVariant::Links { times: 4.0 });
    let HeadsResult::Instead(sum) = ask(&whole, &faster) else {
        panic!("no answer");
    };
    assert!(sum.seconds < plan(&whole).summary.seconds);
    let several = HeadsRequest::Layers {
        layers: 3,
        token: 5,
    };
    assert_eq!(ask(&whole, &several), ask(&s, &several));
    let mut recorded = whole.clone();
    recorded.recorded = Some((0..4).map(|device| (1, device, 0.5, 4.0)).collect());
    assert!(plan(&recorded).summary.seconds > 2.0 * plan(&whole).summary.seconds);

    // The draws themselves have nothing of the listed devices but their number.
    let (of_list, of_draws) = (compared(&s), compared(&whole));
    assert_eq!(of_list.runs()[0][0], plan(&s).summary);
    assert_ne!(of_draws.runs()[0][0], plan(&whole).summary);
    let mut other = whole.clone();
    other.devices.iter_mut().for_each(|d| d.compute_gops *= 2.0);
    assert_eq!(compared(&other), of_draws);
    assert_ne!(plan(&other), plan(&whole));
}

/// What the lead says is the mean over draws, each beside itself, and not that of one.
#[test]
fn ours_is_held_against_the_next_best_over_all_draws() {
    let s = small();
    let all = compared(&s);
    assert_eq!(all.seeds(), [1, 2, 3, 4, 5]);
    let rival = (1..all.strategies().len())
        .filter(|at| !all.strategies()[*at].splits_blocks())
        .min_by(|a, b| {
            let mean = |at: &usize| {
                let times = all.runs().iter().map(|runs| runs[*at].seconds);
                times.sum::<f64>()
            };
            mean(a).total_cmp(&mean(b))
        })
        .expect("a rival");
    let later = all.runs().iter();
    let later: Vec<f64> = later
        .map(|runs| runs[rival].seconds - runs[0].seconds)
        .collect();
    let mean = later.iter().sum::<f64>() / 5.0;
    let words = presenter::against(&s, &all).expect("all draws").to_string();
    assert!(words.starts_with("Over 5 draws "), "{words}");
    assert!(
        words.contains(&presenter::rule_name(all.strategies()[rival])),
        "{words}"
    );
    let figure = engine::units::seconds(mean.abs());
    assert!(words.contains(&format!("{figure} ")), "{figure}: {words}");
    assert!(
        later
            .iter()
            .any(|one| engine::units::seconds(*one) != figure),
        "one draw would say the same"
    );
    let told = edgewise(&["run", &link::of(&s)], "");
    assert!(told.out.contains(&words), "{}", told.out);
    let table = presenter::comparison(&all).to_text();
    assert!(told.out.contains(&table), "{}", told.out);
    let whole = whole_networks(s);
    let words = presenter::against(&whole, &compared(&whole)).expect("all draws");
    assert!(
        words.to_string().contains("Over 5 drawn networks "),
        "{words}"
    );
}

/// Who is ranked and who is not is said in the sentence, in the table and in the document.
#[test]
fn rules_that_split_blocks_are_shown_and_not_ranked() {
    let s = small();
    let all = compared(&s);
    let places = 0..all.strategies().len();
    let split: Vec<usize> = places
        .filter(|at| all.strategies()[*at].splits_blocks())
        .collect();
    let mean = |at: usize| all.seconds(at).expect("all draws").spread.mean;
    let place = |rule: Strategy| all.strategies().iter().position(|one| *one == rule);
    let best = place(Strategy::Galaxy { devices: 4 }).expect("Galaxy");
    let widest = place(Strategy::ExactSplit).expect("the wider class");
    assert!(
        mean(best) < mean(0),
        "the case is there: Galaxy is faster than the best placement"
    );
    let words = presenter::against(&s, &all).expect("all draws").to_string();
    for part in [
        "the next best placement of whole blocks".to_owned(),
        format!(
            "Splitting projection and FFN over devices as well would take {} against {} on average (optimal at each token, proven)",
            engine::units::seconds(mean(widest)),
            engine::units::seconds(mean(0))
        ),
        format!(
            "{} splits them too and takes {}",
            presenter::rule_name(all.strategies()[best]),
            engine::units::seconds(mean(best))
        ),
        "These are not ranked here, because this plan keeps both whole.".to_owned(),
    ] {
        assert!(words.contains(&part), "{part}: {words}");
    }
    let table = presenter::comparison(&all);
    let column = table
        .columns
        .iter()
        .position(|column| column.key == "blocks");
    let column = column.expect("a column for the class");
    for (at, row) in table.rows.iter().enumerate() {
        assert_eq!(
            row[column].display_text() == "whole",
            !split.contains(&at),
            "{row:?}"
        );
    }
    let planned = plan(&s);
    let document = planner::heads::document(&s, &planned, &all, None).expect("a document");
    let json: serde_json::Value = serde_json::from_str(&document.to_json()).expect("JSON");
    assert_eq!(json["plan_class"], "whole-blocks");
    let told = &json["comparison"];
    assert_eq!(told["draws"], serde_json::json!([1, 2, 3, 4, 5]));
    assert_eq!(told["rules"][best]["class"], "split-blocks");
    assert_eq!(told["rules"][best]["mean_s"].as_f64(), Some(mean(best)));
    assert_eq!(told["rules"][0]["class"], "whole-blocks");
    assert_eq!(told["split_optimum"].as_u64(), Some(widest as u64));
    assert_eq!(told["rules"][widest]["unproved"], 0);
    let next = told["next_best"].as_u64().expect("a rival") as usize;
    assert!(!split.contains(&next) && next > 0);
    assert!(
        told["note"]
            .as_str()
            .is_some_and(|note| note.contains("not ranked"))
    );
    // While draws are missing nothing is compared.
    let none = planner::heads::document(&s, &planned, &comparison(&s), None).expect("a document");
    let none: serde_json::Value = serde_json::from_str(&none.to_json()).expect("JSON");
    assert!(none["comparison"].is_null());
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
            let words = presenter::against(&s, &all).expect("all draws").to_string();
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

/// Times of some milliseconds are read as such, and rules that differ are distinguished.
#[test]
fn short_runs_have_digits_enough() {
    for name in ["heads-flat", "heads-small"] {
        let table = presenter::comparison(&compared(&Scenario {
            new_tokens: 4.0,
            ..preset(name)
        }));
        let shown = table.for_readers();
        let at = table
            .columns
            .iter()
            .position(|column| column.key == "mean_s")
            .expect("means");
        for (row, read) in table.rows.iter().zip(&shown.rows) {
            let read = read[at].display_text();
            let digits = read.trim_start_matches(['0', '.']).replace('.', "");
            assert!(digits.len() >= 2, "{name}: {read} of {:?}", row[at]);
        }
        for (a, one) in table.rows.iter().enumerate() {
            for (b, other) in table.rows.iter().enumerate().skip(a + 1) {
                let differ = match (&one[at], &other[at]) {
                    (Cell::Number(x, _), Cell::Number(y, _)) => (x - y).abs() > 0.001 * x.max(*y),
                    _ => false,
                };
                let same = shown.rows[a][at].display_text() == shown.rows[b][at].display_text();
                assert!(!(differ && same), "{name}: {:?} {:?}", one[at], other[at]);
            }
        }
    }
}
