//! What is said and tabled of operators cut over devices.

use document::Cell;
use document::Tone;
use document::steps::{slice_table, slice_words};
use engine::graph::Graph;
use engine::plan::{Dim, OperatorOrder};
use engine::scenario::operators::{Dims, Scenario, presets};
use engine::units::NARROW;
use planner::operators::{
    AnnealChain, Cut, DeviceChange, DeviceVariant, OperatorsRequest, OperatorsResult, Splits,
    answer, best,
};
use presenters::operators::{
    Curve, SplitSummary, capacity_summary, charts, curve_table, device_table, gap,
    split_comparison, split_table, split_words, variant_table,
};

struct Found {
    graph: Graph,
    order: OperatorOrder,
    splits: Splits,
    chains: Vec<AnnealChain>,
    best: Cut,
}

fn ask(scenario: &Scenario, ask: &OperatorsRequest) -> OperatorsResult {
    answer(scenario, ask, &mut |_, _, _| ()).expect("a scenario that can be cut")
}

fn found(scenario: &Scenario) -> Found {
    let OperatorsResult::Plan(plan) = ask(scenario, &OperatorsRequest::Plan) else {
        panic!("a plan was asked for");
    };
    let order = plan.ours.expect("an order").order;
    let OperatorsResult::Splits(splits) = ask(
        scenario,
        &OperatorsRequest::Splits {
            order: order.clone(),
        },
    ) else {
        panic!("splits were asked for");
    };
    let chain = |chain| {
        let order = order.clone();
        match ask(scenario, &OperatorsRequest::Chain { order, chain }) {
            OperatorsResult::Chain(chain) => *chain,
            other => panic!("{other:?}"),
        }
    };
    let chains: Vec<AnnealChain> = (0..2).map(chain).collect();
    let all = chains.iter().map(|chain| &chain.best);
    let best = best(all.chain([&splits.start])).expect("a split").clone();
    Found {
        graph: scenario.graph().expect("a graph"),
        order,
        splits: *splits,
        chains,
        best,
    }
}

fn quick(name: &str) -> Scenario {
    let mut scenario = presets::named(name).expect("a preset").scenario;
    scenario.split.search.moves = 5_000.0;
    scenario
}

fn plain(text: &dyn ToString) -> String {
    text.to_string().replace(NARROW, " ")
}

#[test]
fn a_split_is_shown_with_its_gap_and_tabled_by_step_and_device() {
    let scenario = quick("googlenet");
    let found = found(&scenario);
    let told = SplitSummary::of(&scenario, &found.graph, &found.order, &found.best);
    let told = told.expect("it can be cut").expect("marks");
    let words = split_words(&told, &found.splits, None);
    let headline = plain(&words.headline);
    let expected = format!(
        "On four devices it takes {:.1} ms; no split takes less than {:.1} ms.",
        found.best.latency_ms, found.splits.bound_ms
    );
    assert_eq!(headline, expected);
    let share = 100.0 * gap(found.best.latency_ms, found.splits.bound_ms);
    assert_eq!(
        plain(&words.proof),
        format!("Split best found, gap {share:.1} %")
    );
    assert_eq!(words.tone, Tone::Open);
    assert!(
        plain(&words.summary).contains(" faster than "),
        "{}",
        words.summary
    );
    assert!(plain(&words.reason).contains(" takes longest. Step "));
    assert!(told.dims_words().contains("of 57 convolutions "));
    let table = split_table(&told);
    assert_eq!((table.rows.len(), table.columns.len()), (71, 5 + 4 + 4 + 4));
    let score = found.best.score.as_ref().expect("a score");
    let partition = found.best.partition.as_ref().expect("marks");
    let mut sum = 0.0;
    let slices = charts::slices(&told);
    for (step, (row, v)) in table.rows.iter().zip(&found.order).enumerate() {
        let v = *v as usize;
        let marks: Vec<String> = partition.cuts.of(v).iter().map(u32::to_string).collect();
        assert_eq!(row[4], Cell::Text(marks.join(" ")));
        assert_eq!(row[12], Cell::Number(score.op_ms[v], 3));
        sum += score.op_ms[v];
        let parts = told.device_parts(v);
        assert_eq!(parts.len(), 4);
        let length = *partition.cuts.of(v).last().expect("marks") as usize;
        let told = slice_table(&slices, step);
        assert_eq!(told.rows.len(), 4);
        let made = told.rows.iter().map(|row| match row[2] {
            Cell::Number(made, _) => made as usize,
            _ => panic!("{row:?}"),
        });
        assert_eq!(made.sum::<usize>(), length);
        let words = slice_words(&slices, step).expect("a step");
        assert!(
            words.starts_with(&format!("Step {} of 71: ", step + 1)),
            "{words}"
        );
        let slowest = parts.iter().map(|part| part.comm_ms + part.compute_ms);
        assert_eq!(slowest.fold(0.0, f64::max), score.op_ms[v]);
    }
    assert!((sum - found.best.latency_ms).abs() < 1e-9);
    let devices = told.devices(&found.splits.alone_ms);
    for (k, device) in devices.iter().enumerate() {
        assert_eq!(device.peak, score.peak_bytes[k]);
        assert!(device.compute_ms + device.comm_ms <= found.best.latency_ms + 1e-9);
        assert_eq!(device.limit, Some(50.0 * 1_048_576.0));
    }
    assert_eq!(device_table(&told, &found.splits.alone_ms).rows.len(), 4);
    let beside = split_comparison(&found.best, &found.splits, Some(&found.chains[1].best));
    assert_eq!(beside.rows.len(), 3 + found.splits.others.len());
    assert_eq!(beside.rows[0][0], Cell::text("Edgewise"));
}

#[test]
fn the_papers_rule_and_graphs_without_convolutions_are_distinguished() {
    let mut scenario = quick("vgg13");
    scenario.split.dims = Dims::Rule;
    let found_rule = found(&scenario);
    let told = SplitSummary::of(
        &scenario,
        &found_rule.graph,
        &found_rule.order,
        &found_rule.best,
    );
    let told = told.expect("it can be cut").expect("marks");
    assert!(told.dims_words().ends_with("by the paper\u{2019}s rule."));
    let (convs, ours, rule) = told.by_channels();
    assert_eq!((convs, ours), (10, rule));
    let bert = quick("bert");
    let found = found(&bert);
    let told = SplitSummary::of(&bert, &found.graph, &found.order, &found.best);
    let told = told.expect("it can be cut").expect("marks");
    assert!(told.dims_words().starts_with("There is no convolution"));
    assert!(
        told.operator_slices()
            .iter()
            .all(|piece| piece.dim == Dim::Len)
    );
}

#[test]
fn limits_that_nothing_keeps_are_shown_with_those_that_work() {
    let mut scenario = quick("googlenet");
    for board in &mut scenario.split.devices {
        board.limit_mib = Some(0.25);
    }
    let tight = found(&scenario);
    assert!(!tight.best.is_feasible);
    let told = SplitSummary::of(&scenario, &tight.graph, &tight.order, &tight.best);
    let told = told.expect("it can be cut").expect("marks");
    let room = tight.chains[0].room.as_ref().expect("room");
    let words = split_words(&told, &tight.splits, Some(room));
    assert!(
        plain(&words.headline).starts_with("No split "),
        "{}",
        words.headline
    );
    assert_eq!(
        words.tone,
        if room.is_proved {
            Tone::Bad
        } else {
            Tone::Open
        }
    );
    let lead = plain(&words.summary);
    assert!(lead.contains(" and has 0.25 MiB"), "{lead}");
    assert!(lead.contains("MiB there is none."), "{lead}");
    assert!(lead.starts_with("The nearest split takes "), "{lead}");
    let offered = capacity_summary(room);
    assert!(
        plain(&offered.label).starts_with("Set every limit to "),
        "{}",
        offered.label
    );
    let without = split_words(&told, &tight.splits, None);
    assert_eq!(without.tone, Tone::Open);
    for (board, limit) in scenario.split.devices.iter_mut().zip(&offered.limits_mib) {
        board.limit_mib = *limit;
    }
    // Little room takes a search that is worth its name.
    scenario.split.search.moves = 300_000.0;
    assert!(found(&scenario).best.is_feasible, "what is offered works");
}

#[test]
fn the_nearest_split_is_the_one_that_is_offered() {
    // What breaks few limits by much is not near.
    let mut scenario = quick("qwen2");
    scenario.split.search.moves = 20_000.0;
    let tight = found(&scenario);
    assert!(!tight.best.is_feasible);
    let room = tight.chains[0].room.as_ref().expect("room");
    let offered = tight.best.factor.expect("a factor helps");
    assert!(
        (offered - room.factor).abs() < 1e-2 * room.factor,
        "{offered} {}",
        room.factor
    );
    // No split of the table is nearer, and none as near is much sooner.
    for other in tight
        .splits
        .others
        .iter()
        .filter(|other| other.partition.is_some())
    {
        let factor = other.factor.expect("a factor helps");
        assert!(
            offered <= factor,
            "{:?}: {factor} and {offered}",
            other.maker
        );
    }
    assert!(
        tight.best.latency_ms < 4000.0,
        "{} ms",
        tight.best.latency_ms
    );
    let told = SplitSummary::of(&scenario, &tight.graph, &tight.order, &tight.best);
    let told = told.expect("it can be cut").expect("marks");
    let lead = plain(&split_words(&told, &tight.splits, Some(room)).summary);
    assert!(lead.contains(" and breaks "), "{lead}");
    assert!(lead.contains(" and has 50.00 MiB"), "{lead}");
}

#[test]
fn curves_and_other_devices_are_tables() {
    let curves = [Curve {
        name: "Chain 1".to_owned(),
        points: vec![(0.0, 80.0), (10.0, 70.0)],
    }];
    assert_eq!(curve_table(&curves, false).rows.len(), 2);
    let variant = DeviceVariant {
        change: DeviceChange::LimitMib(Some(2.0)),
        best_ms: 60.0,
        best_fits: true,
        coedge_ms: Some(65.0),
        coedge_fits: false,
        proportional_ms: 70.0,
        proportional_fits: true,
        bound_ms: 50.0,
    };
    let table = variant_table(&[variant]);
    assert_eq!(table.rows[0][0], Cell::text("2 MiB each"));
    assert_eq!(table.rows[0][2], Cell::Missing);
}
