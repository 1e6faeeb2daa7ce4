//! What the command line says agrees with the tables under it, in scenarios where the usual sentence would not.

use crate::cli::{edgewise, file};
use engine::scenario::{dispatch, presets, tiers};

/// What `run` prints for a scenario, narrow spaces as wide ones.
fn said(scenario: &str) -> String {
    plain(&edgewise(&["run", "-"], scenario).out)
}

fn plain(text: &str) -> String {
    text.replace(['\u{202f}', '\u{a0}'], " ")
}

fn of_tiers(name: &str, change: impl Fn(&mut tiers::Scenario)) -> String {
    let mut scenario = tiers::presets::named(name).expect("a preset").scenario;
    change(&mut scenario);
    said(&scenario.to_json())
}

fn of_dispatch(name: &str, change: impl Fn(&mut dispatch::Scenario)) -> String {
    let mut scenario = dispatch::presets::named(name).expect("a preset").scenario;
    change(&mut scenario);
    said(&scenario.to_json())
}

#[test]
fn tiers_that_cannot_keep_up_say_so() {
    let over = of_tiers("hyperion-phi", |_| ());
    assert!(
        over.contains("The tiers cannot keep up. 0.200 requests/s arrive and the split saturates at 0.125 requests/s")
            && over.contains("here 60."),
        "{over}"
    );
    assert!(!of_tiers("hyperion-paper", |_| ()).contains("cannot keep up"));
}

#[test]
fn a_split_is_praised_by_the_goal_it_was_made_for() {
    let by = |goal| of_tiers("hyperion-paper", |scenario| scenario.goal = goal);
    let slowest = by(tiers::Goal::Bottleneck);
    assert!(
        slowest.contains(" has a shorter slowest stage, not counting the output head. The split with the shortest slowest stage does not answer fastest: 1 / 1 / 30 is "),
        "{slowest}"
    );
    let rate = by(tiers::Goal::Rate);
    assert!(
        rate.contains("(Optimal for the request rate, proven)")
            && rate.contains(" sustains a higher request rate, ")
            && rate.contains("The split with the highest request rate does not answer fastest"),
        "{rate}"
    );
    let single = by(tiers::Goal::Request);
    assert!(
        single.contains(" answers a single request faster, ")
            && !single.contains("does not answer"),
        "{single}"
    );
    // The published split is not the best one, and the gap belongs to the slowest stage, not to the figure before it.
    let own = of_tiers("hyperion-phi-split", |_| ());
    assert!(
        own.contains("(Yours, slowest stage 18.2 % above the best)")
            && !own.contains("does not answer"),
        "{own}"
    );
}

#[test]
fn splits_name_their_tiers_where_the_order_is_another_one() {
    let any = of_tiers("hyperion-paper", |scenario| {
        scenario.order = tiers::Order::Any
    });
    assert!(
        any.contains("Fits, split Nano 5, AGX 18, NX 9, weights in memory: "),
        "{any}"
    );
    let one = of_tiers("hyperion-paper", |scenario| drop(scenario.tiers.drain(..2)));
    assert!(
        one.contains("128 out, 1 tier\n")
            && one.contains("Fits all on AGX, weights in memory: first token in "),
        "{one}"
    );
}

#[test]
fn a_split_that_fits_without_its_ends_alone_is_distinguished() {
    // Eleven blocks leave the Nano no room for the embedding, which the paper's split does not count.
    let text = of_tiers("hyperion-paper", |_| ());
    let row = text
        .lines()
        .find(|line| line.starts_with("GPipe, equal"))
        .expect("a row");
    assert!(row.ends_with("blocks only"), "{row}");
    let ours = text
        .lines()
        .find(|line| line.starts_with("Edgewise, slowest"))
        .expect("a row");
    assert!(ours.ends_with("yes"), "{ours}");
    let own = of_tiers("hyperion-paper", |scenario| {
        scenario.split = Some(vec![11.0, 11.0, 10.0])
    });
    assert!(
        own.contains("The split does not count embedding and output head"),
        "{own}"
    );
}

#[test]
fn a_budget_is_explained_only_where_it_buys_something() {
    let none = of_dispatch("dispatch-paper", |scenario| scenario.budget = 0.0);
    assert!(
        none.contains("never starts. That is")
            && none.contains("The budget is zero, so the device never runs.")
            && none.contains("it never starts the device to protect the tail."),
        "{none}"
    );
    let slow = of_dispatch("dispatch-paper", |scenario| {
        scenario.devices[0].prefill_tok_s = 0.5
    });
    assert!(
        slow.contains("does not help for any prompt length."),
        "{slow}"
    );
    let server = of_dispatch("dispatch-server", |scenario| scenario.budget = 0.0);
    assert!(
        server.contains("The budget is zero, so the server is never used."),
        "{server}"
    );
    for text in [none, slow, server] {
        assert!(!text.contains("get the budget"), "{text}");
    }
    let usual = of_dispatch("dispatch-paper", |_| ());
    assert!(
        usual.contains("Short prompts get the budget.") && usual.contains("within the same budget"),
        "{usual}"
    );
}

#[test]
fn a_rule_with_a_lower_mean_is_named() {
    // Random routing answers earlier on average there, and breaks the tail that the goal keeps.
    let alike = of_dispatch("dispatch-paper", |scenario| {
        scenario.prompts = dispatch::Prompts::Alike(20.0);
    });
    assert!(
        alike.contains("Stochastic has a lower mean, but a P99 of 2.212 s.")
            && alike.contains("All prompts have the same length"),
        "{alike}"
    );
    assert!(!of_dispatch("dispatch-paper", |_| ()).contains("has a lower mean"));
}

#[test]
fn one_device_never_waits_and_is_no_gain_over_itself() {
    let mut scenario = presets::paper();
    scenario.devices.truncate(1);
    scenario.devices[0].m_gb = 200.0;
    let text = said(&scenario.to_json());
    assert!(
        text.contains("256 tokens, 1 device\n")
            && text.contains("No simple split is faster, and no other order")
            && !text.contains("waits for another")
            && !text.contains("as fast as one device"),
        "{text}"
    );
}

#[test]
fn changes_are_compared_with_the_plan_of_the_headline() {
    let gains = |scenario: &engine::scenario::Scenario| {
        let path = file("sentences-gains.json", scenario.to_json());
        plain(&edgewise(&["gains", &path], "").out)
    };
    let home = gains(&presets::home());
    assert!(
        home.contains("; all 200 tokens in 30.98 s. (Optimal, proven)")
            && home.contains("Without NX or Nano the answer is as fast."),
        "{home}"
    );
    // What does nothing has no row.
    let rows = home.lines().filter(|line| line.contains(" to "));
    assert!(
        !rows.clone().any(|row| row.trim_end().ends_with(" 0.00 s")),
        "{home}"
    );
    assert_eq!(
        rows.filter(|row| row.contains(" NX ") || row.starts_with("NX "))
            .count(),
        0,
        "{home}"
    );
}

/// The rows of a section of a text, in the order of the page.
fn section<'t>(text: &'t str, title: &str) -> Vec<&'t str> {
    let lines = text.lines().skip_while(|line| *line != title).skip(1);
    lines.take_while(|line| !line.is_empty()).collect()
}

/// The cells of a row; columns are two blanks apart.
fn cells(row: &str) -> Vec<&str> {
    row.split("  ")
        .map(str::trim)
        .filter(|cell| !cell.is_empty())
        .collect()
}

fn number(cell: &str) -> f64 {
    cell.replace(' ', "")
        .replace('\u{2212}', "-")
        .parse()
        .unwrap_or_else(|_| panic!("{cell}"))
}

#[test]
fn a_whole_answer_is_compared_by_the_whole_answer() {
    let home = said(&presets::home().to_json());
    let compared = section(&home, "AGAINST SIMPLE SPLITS");
    let heads = cells(compared[0]);
    let at = |head: &str| heads.iter().position(|known| *known == head).expect(head);
    let (whole, by) = (at("whole answer [s]"), at("Edgewise faster by [s]"));
    let ours = number(cells(compared[1])[whole]);
    for row in &compared[2..] {
        let row = cells(row);
        let (theirs, by) = (number(row[whole]), number(row[by]));
        assert!((theirs - ours - by).abs() < 2e-4 && by >= 0.0, "{row:?}");
    }
    // Over prompt lengths the bound is of the same quantity as the value beside it.
    for row in &section(&home, "OVER PROMPT LENGTH")[1..] {
        let row = cells(row);
        let (ours, bound) = (number(row[1]), number(row[row.len() - 1]));
        assert!(bound <= ours, "{row:?}");
    }
    // Of what would help there are only rows that do something.
    for row in &section(&home, "WHAT WOULD HELP MOST")[1..] {
        assert!(!row.contains(" 0.00 s"), "{row}");
    }
}

#[test]
fn the_fastest_device_of_a_fleet_is_the_one_of_the_policies() {
    let two = |slow_first: bool| {
        let mut scenario = dispatch::presets::named("dispatch-two")
            .expect("a preset")
            .scenario;
        scenario.goal = dispatch::Goal::Mean;
        scenario.devices.retain(|device| !device.off);
        for device in &mut scenario.devices {
            device.own_budget = None;
        }
        if slow_first {
            scenario.devices.reverse();
        }
        scenario
    };
    let [usual, reversed] = [two(false), two(true)].map(|scenario| said(&scenario.to_json()));
    let headline = |text: &str| text.lines().nth(5).unwrap_or_default().to_owned();
    assert!(
        headline(&usual).contains("with Xiaomi 14, Qwen1.5-0.5B as the only device"),
        "{usual}"
    );
    assert_eq!(headline(&usual), headline(&reversed));
}

#[test]
fn what_is_proved_of_one_device_is_not_said_of_several() {
    let tail = of_dispatch("dispatch-two", |_| ());
    assert!(
        tail.contains(
            "mean 0.720 s, P99 2.626 s with both devices, for which the tail is not limited"
        ) && tail.contains("(Optimal with one device, proven)"),
        "{tail}"
    );
    let mean = of_dispatch("dispatch-two", |scenario| {
        scenario.goal = dispatch::Goal::Mean
    });
    assert!(mean.contains("(Optimal, proven)"), "{mean}");
}

#[test]
fn less_than_a_hundredth_is_no_gain() {
    // A budget so small that a thousandth of the prompts gains.
    let least = of_dispatch("dispatch-paper", |scenario| scenario.budget = 0.001);
    assert!(
        least.contains("That is no faster than the server alone"),
        "{least}"
    );
}

#[test]
fn the_first_tokens_of_another_model_are_named() {
    let paper = of_dispatch("dispatch-paper", |_| ());
    assert!(
        paper.contains(
            "of LLaMA-3-70b-Instruct in Table 5; prices are of LLaMA-3.1-70b, Hyperbolic"
        ),
        "{paper}"
    );
    let other = of_dispatch("dispatch-two", |_| ());
    assert!(!other.contains("Table 5; prices"), "{other}");
}

#[test]
fn a_better_plan_without_a_tier_is_offered_first() {
    let paper = of_tiers("hyperion-paper", |_| ());
    let lead = paper.lines().nth(4).unwrap_or_default();
    assert!(
        lead.starts_with(
            "Each tier holds a block here. Without that rule, Nano 1 / AGX 31 takes 16.58 s"
        ),
        "{lead}"
    );
}

#[test]
fn a_split_that_breaks_a_limit_has_no_gap() {
    let mut scenario = engine::scenario::operators::presets::named("vgg13")
        .expect("a preset")
        .scenario;
    for device in &mut scenario.split.devices {
        device.limit_mib = Some(5.0);
    }
    let text = said(&scenario.to_json());
    assert!(
        text.contains("No split was found that meets these memory limits.")
            || text.contains("No split meets these memory limits."),
        "{text}"
    );
    assert!(
        text.contains("no split within the limits is faster"),
        "{text}"
    );
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| cells(line).contains(&"no"))
        .collect();
    assert!(!rows.is_empty(), "{text}");
    for row in rows {
        // Nothing stands behind whether it fits, since the bound is of splits that do.
        let last = cells(row).last().copied().unwrap_or_default();
        assert!(["no", "\u{2013}"].contains(&last), "{row}");
    }
}
