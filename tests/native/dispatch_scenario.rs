//! Scenarios of the device-or-server question: presets, links, faults by name, logs of one's own; and the answers of the
//! page about them.

use crate::cli::{edgewise, file};
use engine::plan::dispatch::Scarce;
use engine::problem::migration::Winner;
use engine::scenario::dispatch::log::{self, LogColumn, MOST_ROWS};
use engine::scenario::dispatch::{
    Estimate, FirstToken, Goal, MOST_BINS, Measured, Prompts, Replies, Scenario, Side, difference,
    presets,
};
use engine::scenario::{Any, Question, link};
use planner::dispatch::{
    BudgetSweep, DispatchPlan, DispatchRequest, DispatchResult, ImportedLog, Rule, answer,
    imported, request, waits_of, zones,
};
use presenters::dispatch as presenter;
use serde_json::Value;

fn preset(name: &str) -> Scenario {
    let found = presets::all().into_iter().find(|p| p.name == name);
    found.expect("a preset").scenario
}

fn ask(scenario: &Scenario, ask: &DispatchRequest) -> DispatchResult {
    answer(scenario, ask, &mut |_, _| ()).expect("an answer")
}

fn plan(scenario: &Scenario) -> DispatchPlan {
    match ask(scenario, &DispatchRequest::Plan) {
        DispatchResult::Plan(planned) => *planned,
        other => panic!("{other:?}"),
    }
}

fn sweep(scenario: &Scenario) -> BudgetSweep {
    match ask(scenario, &DispatchRequest::Sweep) {
        DispatchResult::Sweep(sweep) => sweep,
        other => panic!("{other:?}"),
    }
}

fn import(text: &str, bare: LogColumn) -> Result<ImportedLog, String> {
    imported("log", text, bare).map_err(|fault| fault.message)
}

#[test]
fn presets_are_valid_and_survive_files_and_links() {
    for preset in presets::all() {
        let s = preset.scenario;
        s.validate().expect("valid");
        assert_eq!(Scenario::from_json(&s.to_json()), Ok(s.clone()));
        let fragment = link::of(&s);
        assert!(fragment.starts_with("#dispatch/4."), "{fragment}");
        match link::decode(&fragment).expect("a link") {
            Any::Dispatch(again) => assert_eq!(*again, s),
            other => panic!("{other:?}"),
        }
        assert!(!preset.about.is_empty());
    }
    assert_eq!(preset("dispatch-paper"), presets::paper());
    assert_eq!(Question::find("dispatch"), Some(Question::Dispatch));
}

#[test]
fn a_fault_names_its_field() {
    let cases = [
        (r#""budget":0.2"#, r#""budget":1.2"#, "budget"),
        (r#""budget":0.2"#, r#""budget":-0.1"#, "budget"),
        (
            r#""prefill_tok_s":79.9"#,
            r#""prefill_tok_s":0.0"#,
            "devices[0].prefill_tok_s",
        ),
        (
            r#""decode_tok_s":60.0"#,
            r#""decode_tok_s":0.0"#,
            "server.decode_tok_s",
        ),
        (
            r#""log_sd":0.426"#,
            r#""log_sd":-1.0"#,
            "server.first_token.log_normal.log_sd",
        ),
        (
            r#""least_tokens":4.0"#,
            r#""least_tokens":600.0"#,
            "prompts.log_normal.least_tokens",
        ),
        (
            r#""quantile":0.99"#,
            r#""quantile":1.0"#,
            "handover.server_start.quantile",
        ),
        (r#""tail_share":0.1"#, r#""tail_share":0.0"#, "tail_share"),
        (r#""charge":"full""#, r#""charge":"half""#, "charge"),
        (r#""net_s":0.0,"#, "", "handover.net_s"),
        (
            r#""net_s":0.0"#,
            r#""net_s":0.0,"speed":1.0"#,
            "handover.speed",
        ),
        (
            r#""question":"dispatch""#,
            r#""question":"tiers""#,
            "question",
        ),
    ];
    let text = presets::paper().to_json();
    for (old, new, path) in cases {
        assert!(text.contains(old), "{old} in {text}");
        let fault = Scenario::from_json(&text.replacen(old, new, 1)).expect_err(new);
        assert_eq!(fault.path, path, "{fault}");
        assert!(
            fault
                .message
                .contains(path.rsplit('.').next().expect("a name")),
            "{fault}"
        );
    }
}

#[test]
fn measured_bins_are_checked_one_by_one() {
    let with = |bins: Vec<(f64, f64)>| {
        let mut s = presets::paper();
        s.server.first_token = FirstToken::Measured(Measured {
            name: "mine".into(),
            bins,
            exact: true,
        });
        s
    };
    with(vec![(0.1, 1.0), (0.2, 3.0)])
        .validate()
        .expect("two bins");
    let path = |s: &Scenario| s.validate().expect_err("a fault").path;
    let at = "server.first_token.measured.bins";
    assert_eq!(path(&with(Vec::new())), at);
    assert_eq!(path(&with(vec![(0.1, 1.0); MOST_BINS + 1])), at);
    assert_eq!(path(&with(vec![(0.0, 1.0)])), format!("{at}[0][0]"));
    assert_eq!(
        path(&with(vec![(0.2, 1.0), (0.1, 1.0)])),
        format!("{at}[1][0]")
    );
    assert_eq!(path(&with(vec![(0.2, 0.0)])), format!("{at}[0][1]"));
    let mut s = presets::paper();
    s.prompts = Prompts::Measured(Measured {
        name: "mine".into(),
        bins: vec![(4.5, 1.0)],
        exact: true,
    });
    assert!(
        s.validate()
            .expect_err("a fault")
            .path
            .starts_with("prompts.measured.bins[0][0]")
    );
}

/// The figures of the specification's section 14.3, which has 300 quantiles where the page has more.
#[test]
fn the_opening_scenario_is_the_one_of_the_mock() {
    let planned = plan(&presets::paper());
    assert_eq!(planned.scarce, Scarce::Device);
    let mean = |rule| planned.scored(rule).expect("a rule").outcome.mean;
    assert!(
        (mean(Rule::AllServer) - 0.931).abs() < 2e-3,
        "{}",
        mean(Rule::AllServer)
    );
    assert!(
        (mean(Rule::Disco) - 0.685).abs() < 2e-3,
        "{}",
        mean(Rule::Disco)
    );
    assert!(
        (mean(Rule::Edgewise) - 0.592).abs() < 2e-3,
        "{}",
        mean(Rule::Edgewise)
    );
    assert!(planned.gap() < 1e-9, "{}", planned.gap());
    let ours = planned.ours();
    let disco = planned.scored(Rule::Disco).expect("DiSCo-D");
    assert!(ours.outcome.p99 <= disco.outcome.p99);
    assert!(ours.outcome.device_share <= 0.2 + 1e-9);
    assert!(disco.outcome.device_share <= 0.2 + 1e-9);
    let zones = zones(&planned, ours);
    assert_eq!(zones.at_once_to, Some(12));
    assert!(
        zones.never_from.is_some_and(|n| (24..=27).contains(&n)),
        "{zones:?}"
    );
    let said = presenter::verdict(&presets::paper(), &planned);
    assert_eq!(said.proof, "Optimal, proven");
    assert!(
        said.headline
            .to_string()
            .starts_with("Mean time to first token 0.59"),
        "{}",
        said.headline
    );
    assert!(
        said.summary
            .to_string()
            .contains("starts at once for prompts of up to 12 tokens"),
        "{}",
        said.summary
    );
}

#[test]
fn ours_is_never_later_than_disco_at_its_tail_and_budget() {
    for preset in presets::all() {
        for goal in [Goal::MeanKeptTail, Goal::Mean, Goal::Tail] {
            for budget in [0.0, 0.05, 0.35, 1.0] {
                let s = Scenario {
                    goal,
                    budget,
                    ..preset.scenario.clone()
                };
                let planned = plan(&s);
                let (ours, disco) = (planned.ours(), planned.scored(Rule::Disco).expect("DiSCo"));
                let exact = planned.scored(Rule::DiscoExact).expect("DiSCo");
                let used = |o: &engine::evaluate::dispatch::Outcome| match planned.scarce {
                    Scarce::Device => o.device_share,
                    Scarce::Server => o.server_share,
                };
                let name = format!("{} {goal:?} {budget}", preset.name);
                assert!(
                    used(&ours.outcome) <= budget + 1e-9,
                    "{name}: {}",
                    used(&ours.outcome)
                );
                assert!(used(&disco.outcome) <= budget + 1e-9, "{name}");
                assert!(
                    (used(&exact.outcome) - budget).abs() < 1e-9
                        || planned.scarce == Scarce::Device,
                    "{name}"
                );
                match goal {
                    Goal::Tail => assert!(ours.outcome.p99 <= disco.outcome.p99 + 1e-12, "{name}"),
                    Goal::Mean => assert!(ours.outcome.mean <= disco.outcome.mean + 1e-9, "{name}"),
                    _ => {
                        assert!(ours.outcome.mean <= disco.outcome.mean + 1e-9, "{name}");
                        assert!(ours.outcome.p99 <= disco.outcome.p99 + 1e-9, "{name}");
                    }
                }
                assert!(planned.gap() < 1e-6, "{name}: {}", planned.gap());
                let shares = &ours.outcome;
                let sum = shares.server_only
                    + shares.device_only
                    + shares.device_wins
                    + shares.server_wins;
                assert!((sum - 1.0).abs() < 1e-9, "{name}: {sum}");
            }
        }
    }
}

#[test]
fn a_limit_that_no_policy_keeps_is_said() {
    let s = Scenario {
        goal: Goal::MeanUnder(0.1),
        ..presets::paper()
    };
    let planned = plan(&s);
    assert!(planned.missed);
    assert_eq!(
        presenter::verdict(&s, &planned).proof,
        "No policy keeps the limit, proven"
    );
    let tail = plan(&Scenario {
        goal: Goal::Tail,
        ..s.clone()
    });
    assert_eq!(planned.value, tail.value);
    let kept = Scenario {
        goal: Goal::MeanUnder(tail.value),
        ..s
    };
    assert!(!plan(&kept).missed);
}

#[test]
fn the_sweep_goes_through_the_plan() {
    for name in ["dispatch-paper", "dispatch-server"] {
        let s = preset(name);
        let (planned, swept) = (plan(&s), sweep(&s));
        assert_eq!(swept.points.len(), 21);
        let same = |budget: f64| (budget - s.budget).abs() < 1e-9;
        let point = swept
            .points
            .iter()
            .find(|p| same(p.budget))
            .expect("its budget");
        for rule in [Rule::Edgewise, Rule::Disco, Rule::Stochastic] {
            let (a, b) = (
                point.of(rule).expect("a rule"),
                planned.scored(rule).expect("a rule"),
            );
            assert!((a.mean - b.outcome.mean).abs() < 1e-12, "{name} {rule:?}");
            assert_eq!(a.p99, b.outcome.p99, "{name} {rule:?}");
            assert!((a.with - b.cost.with).abs() < 1e-9, "{name} {rule:?}");
        }
        // More budget is never a later mean.
        let means: Vec<f64> = swept
            .points
            .iter()
            .map(|p| p.of(Rule::Disco).expect("DiSCo").mean)
            .collect();
        assert!(
            means.windows(2).all(|pair| pair[1] <= pair[0] + 1e-9),
            "{means:?}"
        );
    }
}

#[test]
fn the_scarce_side_can_be_chosen() {
    let s = Scenario {
        scarce: Side::Server,
        ..presets::paper()
    };
    let planned = plan(&s);
    assert_eq!(
        (planned.dearer, planned.scarce),
        (Scarce::Device, Scarce::Server)
    );
    assert_eq!(planned.printed_share, None);
    assert!(
        presenter::verdict(&s, &planned)
            .summary
            .to_string()
            .contains("the server is used")
    );
}

#[test]
fn several_devices_are_no_later_than_one() {
    let s = preset("dispatch-two");
    let planned = plan(&s);
    let several = planned.several.clone().expect("two devices");
    let alone = plan(&Scenario {
        goal: Goal::Mean,
        ..s.clone()
    });
    assert_eq!(several.places, vec![0, 2]);
    assert_eq!(several.budgets, vec![0.1, 0.3]);
    assert!(several.outcome.mean <= alone.ours().outcome.mean + 1e-9);
    assert!((several.outcome.mean - several.bound).abs() < 1e-9 * several.bound);
    for (share, budget) in several.shares.iter().zip(&several.budgets) {
        assert!(share <= &(budget + 1e-9), "{several:?}");
    }
    assert_eq!(presenter::several(&s, &planned).rows.len(), 2);
}

/// The text has the figures of both devices and of the first one alone, as the JSON does.
#[test]
fn the_text_states_what_all_devices_come_to() {
    let s = preset("dispatch-two");
    let planned = plan(&s);
    let found = planned.several.as_ref().expect("two devices");
    let [mean, p99] = [found.outcome.mean, found.outcome.p99].map(engine::units::seconds);
    let headline = presenter::verdict(&s, &planned).headline.to_string();
    assert!(
        headline.contains(&format!("; mean {mean}, P99 {p99} with both devices, ")),
        "{headline}"
    );
    let first = engine::units::seconds(planned.ours().outcome.mean);
    assert!(
        headline.contains(&first) && headline.contains("as the only device"),
        "{headline}"
    );
    let words = presenter::several_words(&s, &planned)
        .expect("two devices")
        .to_string();
    assert!(words.contains(&mean) && words.contains("proven"), "{words}");
    let told = edgewise(&["run", &link::of(&s)], "").out;
    assert!(told.contains(&headline) && told.contains(&words), "{told}");
    let one = presets::paper();
    assert_eq!(presenter::several_words(&one, &plan(&one)), None);
    assert!(
        !presenter::verdict(&one, &plan(&one))
            .headline
            .to_string()
            .contains("only device")
    );
}

/// Every prompt length is in one clause: none is left out between "at once" and "never".
#[test]
fn the_sentence_on_devices_leaves_no_length_out() {
    let s = preset("dispatch-gpt");
    let planned = plan(&s);
    let found = zones(&planned, planned.ours());
    let (first, last) = found.between.expect("a length that is randomised");
    assert_eq!(
        (found.at_once_to, found.never_from),
        (Some(first - 1), Some(last + 1))
    );
    let lead = presenter::verdict(&s, &planned).summary.to_string();
    let at = if first == last {
        format!("at {first} tokens it ")
    } else {
        format!("from {first} to {last} tokens it ")
    };
    for part in [
        format!("for prompts of up to {} tokens", first - 1),
        at,
        format!("from {} tokens on it never starts", last + 1),
    ] {
        assert!(lead.contains(&part), "{part}: {lead}");
    }
    let table = presenter::sweep(&sweep(&s));
    assert_eq!(table.columns[5].key, "between");
    for preset in presets::all() {
        let planned = plan(&preset.scenario);
        let waits = waits_of(&planned, planned.ours());
        let found = zones(&planned, planned.ours());
        let between = waits.iter().filter(|at| {
            found.at_once_to.is_none_or(|to| at.tokens > to)
                && found.never_from.is_none_or(|from| at.tokens < from)
        });
        let range = (
            between.clone().map(|at| at.tokens).min(),
            between.map(|at| at.tokens).max(),
        );
        assert_eq!(found.between, range.0.zip(range.1), "{}", preset.name);
    }
}

/// A column in which nothing is known is not shown, and stays in the files.
#[test]
fn columns_without_a_figure_are_not_shown() {
    let s = preset("dispatch-gpt");
    let planned = plan(&s);
    let costs = presenter::bills(&planned);
    let shown = costs.for_readers();
    for (at, column) in costs.columns.iter().enumerate() {
        let is_known = costs
            .rows
            .iter()
            .any(|row| row[at] != ::document::Cell::Missing);
        let is_shown = shown.columns.iter().any(|other| other.key == column.key);
        assert_eq!(is_known, is_shown, "{}", column.key);
        assert!(costs.to_json().contains(column.key));
    }
}

#[test]
fn a_request_is_followed_token_by_token() {
    let s = presets::paper();
    let planned = plan(&s);
    let asked = request(&s, &planned, 12, 0.5).expect("a request");
    assert_eq!((asked.tokens, asked.winner), (12, Winner::Device));
    assert!((asked.first_token - 12.0 / 79.9).abs() < 1e-12);
    let moved = asked
        .timeline
        .handover
        .expect("energy is dear: it goes to the server");
    assert_eq!(asked.timeline.available.len(), 128);
    assert_eq!(asked.timeline.late, 0);
    assert!(moved.tokens > 10 && moved.tokens < 20, "{}", moved.tokens);
    let said = presenter::request_words(&s, &planned, &asked).to_string();
    assert!(
        said.contains("The reader does not notice the hand-over."),
        "{said}"
    );
    // A long prompt is the server's alone.
    let long = request(&s, &planned, 300, 0.5).expect("a request");
    assert_eq!((long.winner, long.device_time), (Winner::Server, None));
    // A hand-over that counts on the mean start meets later ones: tokens come late then.
    let hasty = Scenario {
        handover: engine::scenario::dispatch::Handover {
            server_start: Estimate::Mean,
            ..s.handover
        },
        ..s
    };
    let planned = plan(&hasty);
    let late = request(&hasty, &planned, 12, 0.99).expect("a request");
    assert!(late.timeline.late > 0);
    assert!(
        presenter::request_words(&hasty, &planned, &late)
            .to_string()
            .contains("The reader waits.")
    );
}

#[test]
fn hand_overs_save_money_or_are_not_made() {
    for preset in presets::all() {
        let planned = plan(&preset.scenario);
        for scored in &planned.policies {
            assert!(
                scored.cost.with <= scored.cost.without + 1e-9,
                "{} {:?}",
                preset.name,
                scored.rule
            );
        }
        let mut off = preset.scenario;
        off.handover.on = false;
        let planned = plan(&off);
        assert!(
            planned
                .policies
                .iter()
                .all(|p| p.cost.with == p.cost.without && p.cost.bill.moved == 0.0)
        );
    }
}

#[test]
fn waits_are_shown_length_by_length() {
    let s = presets::paper();
    let planned = plan(&s);
    let all = waits_of(&planned, planned.scored(Rule::Disco).expect("DiSCo-D"));
    assert_eq!(all.len(), planned.prompts.len());
    let waits: Vec<f64> = all
        .iter()
        .map(|at| at.wait.unwrap_or(f64::INFINITY))
        .collect();
    assert!(waits.windows(2).all(|pair| pair[0] <= pair[1]));
    let table = presenter::waits(&s, &planned);
    assert_eq!(table.rows.len(), all.len());
    let csv = table.to_csv();
    assert!(
        csv.starts_with("prompt [tokens],"),
        "{}",
        csv.lines().next().unwrap_or_default()
    );
}

#[test]
fn logs_are_read_in_every_usual_form() {
    let both = import(
        "ttft_ms,prompt_tokens,model\n500,10,a\n1500,20,b\n250,5,a\n",
        LogColumn::Prompts,
    )
    .expect("a log");
    let (times, compacted) = both.first_tokens.expect("times");
    assert_eq!(times.bins, vec![(0.25, 1.0), (0.5, 1.0), (1.5, 1.0)]);
    assert!(times.exact);
    assert_eq!((compacted.samples, compacted.mean_moved), (3, 0.0));
    assert_eq!(
        both.prompts.expect("prompts").0.bins,
        vec![(5.0, 1.0), (10.0, 1.0), (20.0, 1.0)]
    );
    assert_eq!(both.unused, vec!["model"]);
    assert!(both.correlation.is_some_and(|r| r > 0.9));
    let forms = [
        "0.5\n0.5\n1.5\n",
        "ttft\n0.5\n\n# a remark\n0.5\n1.5",
        "\u{feff}TTFT (s)\r\n0.5\r\n0.5\r\n1.5\r\n",
        "ttft;other\n0.5;x\n0.5;y\n1.5;z\n",
        "{\"ttft\": 0.5}\n{\"ttft\": 0.5, \"n\": 1}\n\n{\"ttft_ms\": 1500}\n",
        "[0.5, 0.5, 1.5]",
        "[{\"ttft\": 0.5}, {\"ttft\": 0.5}, {\"ttft\": 1.5}]",
    ];
    for text in forms {
        let read =
            import(text, LogColumn::FirstTokens).unwrap_or_else(|why| panic!("{text:?}: {why}"));
        let bins = read.first_tokens.expect("times").0.bins;
        assert_eq!(bins, vec![(0.5, 2.0), (1.5, 1.0)], "{text:?}");
    }
}

/// Nobody waits a quarter of an hour for a first token: without a unit such numbers are asked about, not taken.
#[test]
fn times_that_can_only_be_milliseconds_are_asked_about() {
    for text in [
        "850\n900\n780\n",
        "ttft\n850\n900",
        "[850, 0.5, 900]",
        "{\"ttft\": 850}",
    ] {
        let why = import(text, LogColumn::FirstTokens).expect_err(text);
        assert!(
            why.contains("are these milliseconds? Name the column ttft_ms"),
            "{text:?}: {why}"
        );
    }
    for (text, taken) in [
        ("ttft_ms\n850\n850\n", 0.85),
        ("ttft_s\n850\n850\n", 850.0),
        ("TTFT (s)\n850\n850\n", 850.0),
        ("ttft\n59.5\n59.5\n", 59.5),
    ] {
        let read = import(text, LogColumn::FirstTokens).expect(text);
        assert_eq!(
            read.first_tokens.expect("times").0.bins,
            vec![(taken, 2.0)],
            "{text:?}"
        );
    }
    // Prompts have no such unit.
    assert!(import("850\n900\n", LogColumn::Prompts).is_ok());
}

#[test]
fn faults_of_a_log_are_named_by_line() {
    let many = "1\n".repeat(MOST_ROWS + 2);
    let cases = [
        ("", "no row with a number"),
        ("ttft\n", "no row with a number"),
        (
            "ttft\n0.5\nsoon\n",
            "ttft in line 3 must be a number, it is \"soon\"",
        ),
        ("0.5\n-1\n", "ttft in line 2 must be a number from"),
        ("0.5\n0\n", "ttft in line 2"),
        ("0.5\nNaN\n", "ttft in line 2"),
        ("0.5\ninf\n", "ttft in line 2"),
        (
            "ttft,prompt_tokens\n0.5,10\n0.5\n",
            "line 3 has 1 columns where those before have 2",
        ),
        ("0.5,10\n0.6,11\n", "none is called ttft"),
        ("ttft,ttft_ms\n0.5,500\n", "two columns hold ttft"),
        (
            "ttft,prompt_tokens\n0.5,10.5\n",
            "prompt_tokens in line 2 must be a whole number",
        ),
        ("{\"ttft\": 0.5}\n{\"ttft\": \"x\"}\n", "ttft in line 2"),
        ("{\"ttft\": 0.5}\n{oops\n", "line 2 is not JSON"),
        ("{\"n\": 0.5}\n", "line 1 has neither"),
        ("[1, \"x\"]", "line 2 must be an object or a number"),
        (&many, "more than 1000000 rows"),
    ];
    for (text, part) in cases {
        let shown: String = text.chars().take(40).collect();
        let why = import(text, LogColumn::FirstTokens).expect_err(&shown);
        assert!(why.contains(part), "{shown:?}: {why}");
    }
}

/// A large log travels as a histogram that says what it changed, and still fits a link.
#[test]
fn a_large_log_becomes_a_histogram_that_hardly_moves_anything() {
    let law = engine::sim::law::LogNormal {
        log_mean: 0.4,
        log_sd: 0.5,
    };
    let samples = law.samples(20_000);
    let (measured, compacted) = log::compacted("big", &samples, LogColumn::FirstTokens);
    assert!(!measured.exact && measured.bins.len() <= MOST_BINS);
    assert_eq!((measured.samples(), compacted.distinct), (20_000.0, 20_000));
    assert!(compacted.mean_moved.abs() < 1e-9, "{compacted:?}");
    // P99 is the mean of the last bin before the finer ones of the tail.
    assert!(compacted.p99_moved.abs() < 2.5e-2, "{compacted:?}");
    let mut s = presets::paper();
    s.server.first_token = FirstToken::Measured(measured);
    s.validate().expect("valid");
    let fragment = link::of(&s);
    assert!(fragment.len() < 20_000, "{}", fragment.len());
    assert_eq!(
        link::decode(&fragment),
        Ok(Any::Dispatch(Box::new(s.clone())))
    );
    let (full, short) = (plan(&presets::paper()), plan(&s));
    assert!(full.policies.len() == short.policies.len());
    let prompts: Vec<f64> = (0..50_000).map(|n| f64::from(1 + n % 3000)).collect();
    let (measured, compacted) = log::compacted("prompts", &prompts, LogColumn::Prompts);
    assert!(
        measured
            .bins
            .iter()
            .all(|(tokens, _)| libm::trunc(*tokens) == *tokens)
    );
    assert!(measured.bins.windows(2).all(|pair| pair[0].0 < pair[1].0));
    assert!(compacted.mean_moved.abs() < 1e-3, "{compacted:?}");
}

#[test]
fn a_step_is_named_after_what_it_changed() {
    let old = presets::paper();
    let ids: Vec<u32> = (0..old.devices.len() as u32).collect();
    let step = |change: &dyn Fn(&mut Scenario)| {
        let mut new = old.clone();
        change(&mut new);
        difference((&old, &ids), (&new, &ids))
    };
    assert_eq!(
        step(&|s| s.budget = 0.35),
        "budget 20\u{202f}% to 35\u{202f}%"
    );
    assert_eq!(
        step(&|s| s.replies = Replies::Alike(64.0)),
        "reply 128 to 64 tokens"
    );
    assert_eq!(
        step(&|s| s.devices[0].prefill_tok_s = 60.0),
        "Xiaomi 14, Qwen1.5-0.5B prefill 79.9 to 60 tok/s"
    );
    assert_eq!(step(&|s| s.goal = Goal::Tail), "goal: tail");
    assert_eq!(step(&|s| s.handover.on = false), "without hand-over");
    assert_eq!(
        step(&|s| s.server.input_usd = 1.0),
        "price of a prompt 0.4 to 1 $ per 10\u{2076} tokens"
    );
    assert_eq!(
        step(&|s| s.devices[1].own_budget = Some(0.3)),
        "Pixel 7 Pro, Bloom-560M budget 30\u{202f}%"
    );
}

#[test]
fn the_command_line_answers_links_and_files() {
    let s = presets::paper();
    let path = file("dispatch.json", s.to_json());
    let ran = edgewise(&["run", &path, "--format", "json"], "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
    let planned = plan(&s);
    let ours = &planned.ours().outcome;
    assert_eq!(answer["edgewise"]["mean_ttft"].as_f64(), Some(ours.mean));
    assert_eq!(answer["edgewise"]["limit_kept"], true);
    assert_eq!(answer["scenario"]["question"], "dispatch");
    let figure = |rule: Rule| planned.scored(rule).expect("a rule").outcome.clone();
    assert_eq!(
        answer["disco_d"]["mean_ttft"].as_f64(),
        Some(figure(Rule::Disco).mean)
    );
    assert_eq!(
        answer["baselines"]["stoch-d"]["p99"].as_f64(),
        Some(figure(Rule::Stochastic).p99)
    );
    let link = link::of(&s);
    let ran = edgewise(&["run", &link, "--format", "text"], "");
    assert_eq!(ran.code, 0);
    for part in ["Optimal, proven", "DiSCo-D", "as printed it would use"] {
        assert!(ran.out.contains(part), "{}", ran.out);
    }
    let ran = edgewise(&["run", &link, "--format", "csv"], "");
    assert_eq!(ran.code, 0);
    assert_eq!(ran.out.lines().count(), 1 + planned.prompts.len());
    let missed = Scenario {
        goal: Goal::MeanUnder(0.01),
        ..s
    };
    let ran = edgewise(&["run", &link::of(&missed)], "");
    assert_eq!(ran.code, 3);
    let ran = edgewise(&["presets", "dispatch-two"], "");
    assert_eq!(ran.code, 0);
    assert_eq!(Scenario::from_json(&ran.out), Ok(preset("dispatch-two")));
}

/// The published figures use the prices, rates and laws that the catalogue has.
#[test]
fn services_and_phones_are_those_of_the_published_figures() {
    use engine::scenario::dispatch::profiles;
    use planner::dispatch_published::{PHONES, SERVICES};
    let known = profiles::servers();
    let order = ["GPT", "LLaMA", "DeepSeek", "Command"];
    for ((service, server), name) in SERVICES.iter().zip(&known).zip(order) {
        assert_eq!(service.name, name);
        assert!(server.name.starts_with(name), "{}", server.name);
        assert_eq!(service.prefill, server.input_usd);
        assert_eq!(service.decode, server.output_usd);
        let law = FirstToken::LogNormal {
            log_mean: service.law.log_mean,
            log_sd: service.law.log_sd,
        };
        assert_eq!(server.first_token, law);
        assert!(profiles::law_source(&server.name).is_some());
    }
    assert!(profiles::law_source(&known[5].name).is_none());
    for ((prefill, decode), device) in PHONES.iter().zip(profiles::devices()) {
        assert_eq!(
            (*prefill, *decode),
            (device.prefill_tok_s, device.decode_tok_s)
        );
    }
}
