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
    assert!(any.contains("Blocks split Nano 5, AGX 18, NX 9: "), "{any}");
    let one = of_tiers("hyperion-paper", |scenario| drop(scenario.tiers.drain(..2)));
    assert!(
        one.contains("128 out, 1 tier\n") && one.contains("Blocks all on AGX: a single request"),
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
fn changes_say_what_they_are_compared_with() {
    let gains = |scenario: &engine::scenario::Scenario| {
        let path = file("sentences-gains.json", scenario.to_json());
        plain(&edgewise(&["gains", &path], "").out)
    };
    let home = gains(&presets::home());
    assert!(
        home.contains("in 29.68 s, ")
            && home.contains("Every change is compared with the best single plan, 30.98 s"),
        "{home}"
    );
    assert!(!gains(&presets::paper()).contains("is compared with"));
}
