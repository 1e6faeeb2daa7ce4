//! Problems worked out by hand, and what every method has to say about them.

use super::{alike, exact, paper, split};
use engine::evaluate::tiers::score;
use engine::problem::TierPartition;
use engine::solve::{Limits, NoPlan, NoProgress, StopReason};
use methods::tiers::partition::{Objective, baseline, brute, front, hypsplit, order};

/// Six unlike blocks on three tiers; exactly four partitions fit.
fn first() -> TierPartition {
    TierPartition::new(
        &[2.0, 1.0, 3.0, 2.0, 4.0, 1.0],
        &[1.0, 1.0, 2.0, 1.0, 2.0, 1.0],
        &[1.0, 2.0, 3.0],
        &[3.0, 4.0, 5.0],
    )
    .expect("a valid problem")
}

/// A heavy block behind a tier that holds only light ones.
fn trap() -> TierPartition {
    let m = [1.0, 1.0, 5.0, 1.0];
    TierPartition::new(&[1.0; 4], &m, &[1.0; 3], &[5.0, 1.0, 6.0]).expect("a valid problem")
}

#[test]
fn six_blocks_on_three_tiers() {
    let problem = first();
    assert_eq!(exact(&problem, Objective::Max), Ok((vec![1, 3], 7.0 / 3.0)));
    let (cuts, sum) = exact(&problem, Objective::Sum).expect("a partition");
    assert_eq!(cuts, [1, 3]);
    assert!((sum - 19.0 / 3.0).abs() < 1e-12);
    let fitting = brute::all(&problem).into_iter();
    let fitting: Vec<_> = fitting.filter(|(_, s)| s.mem_ok).map(|(p, _)| p).collect();
    assert_eq!(fitting, [[1, 3], [1, 4], [2, 3], [2, 4]]);
}

#[test]
fn the_papers_bisection_takes_fourteen_halvings() {
    let found = hypsplit(&first(), 1e-3, &Limits::default(), &mut NoProgress).expect("a partition");
    assert_eq!(found.cuts, [1, 3]);
    assert_eq!((found.tau, found.halvings), (2.333_953_857_421_875, 14));
    assert!(found.low < 7.0 / 3.0 && found.tau - found.low < 1.001e-3);
    // The same bisection ends where it is told to, with what it has.
    let limits = Limits {
        steps: Some(3),
        ..Limits::default()
    };
    let found = hypsplit(&first(), 1e-3, &limits, &mut NoProgress).expect("a partition");
    assert_eq!(
        (found.halvings, found.stopped),
        (2, Some(StopReason::Steps))
    );
    let limits = Limits {
        steps: Some(0),
        ..Limits::default()
    };
    let none = hypsplit(&first(), 1e-3, &limits, &mut NoProgress);
    assert_eq!(none, Err(NoPlan::Stopped(StopReason::Steps)));
}

#[test]
fn greed_would_find_nothing_where_the_exact_method_does() {
    assert_eq!(exact(&trap(), Objective::Max), Ok((vec![1, 2], 2.0)));
    assert_eq!(paper(&trap(), 1e-6).map(|(cuts, _)| cuts), Ok(vec![1, 2]));
    assert_eq!(
        baseline::heft(&trap()),
        [2, 3],
        "first fit overflows tier 2"
    );
    // With tiers that may be empty, greed is exact: tier 2 is left out.
    let free = trap().with_empty_tiers(true);
    assert_eq!(exact(&free, Objective::Max), Ok((vec![2, 2], 2.0)));
}

#[test]
fn the_published_model_sizes_on_memory_rates_and_on_tops() {
    let rates = [68.0, 102.4, 204.8];
    let tops = [67.0, 157.0, 200.0];
    for (blocks, speeds, expected) in [
        (32, rates, "5/9/18"),
        (32, tops, "5/12/15"),
        (40, rates, "7/11/22"),
        (40, tops, "6/15/19"),
    ] {
        let problem = alike(blocks, &speeds);
        let (cuts, _) = exact(&problem, Objective::Max).expect("a partition");
        assert_eq!(split(&cuts, blocks), expected);
        let (cuts, _) = paper(&problem, 1e-6).expect("a partition");
        assert_eq!(split(&cuts, blocks), expected);
    }
    for (caps, expected) in [
        ([7.0, 13.0, 20.0], "7/13/20"),
        ([7.0, 40.0, 20.0], "7/13/20"),
        ([40.0, 40.0, 20.0], "8/12/20"),
    ] {
        let problem = TierPartition::new(&[1.0; 40], &[1.0; 40], &rates, &caps).expect("valid");
        let (cuts, _) = exact(&problem, Objective::Max).expect("a partition");
        assert_eq!(split(&cuts, 40), expected);
    }
}

#[test]
fn an_eps_that_is_too_coarse_gives_a_worse_split() {
    // Loads of a token are tens of milliseconds: an eps of 10 ms is not small beside them.
    let speeds = [68.0, 102.4, 204.8].map(|rate| 0.6 * rate / 0.436_748);
    let problem = alike(32, &speeds);
    let (cuts, tau) = paper(&problem, 1e-2).expect("a partition");
    assert_eq!(split(&cuts, 32), "4/9/19");
    assert!(tau <= 18.0 / speeds[2] + 1e-2);
}

#[test]
fn baselines_are_blind_in_their_own_ways() {
    let memory = [8.0, 16.0, 32.0];
    let problem = |blocks: usize, need: f64| {
        let m = vec![need; blocks];
        TierPartition::new(&vec![1.0; blocks], &m, &[68.0, 102.4, 204.8], &memory).expect("valid")
    };
    assert_eq!(split(&baseline::gpipe(&problem(32, 0.4)), 32), "11/11/10");
    assert_eq!(split(&baseline::gpipe(&problem(40, 0.4)), 40), "14/13/13");
    let shares = |blocks| {
        split(
            &baseline::memory_proportional(&problem(blocks, 0.4)),
            blocks,
        )
    };
    assert_eq!(shares(32), "5/9/18");
    assert_eq!(shares(40), "6/11/23");
    // 14 blocks of 0.68 GB are 9.5 GB, more than the first tier has.
    let phi = problem(40, 0.681_595);
    let scored = score(&phi, &baseline::gpipe(&phi)).expect("cuts");
    assert_eq!(scored.fits, [false, true, true]);
    assert_eq!(split(&baseline::gpipe_repaired(&phi), 40), "11/16/13");
    assert_eq!(split(&baseline::heft(&phi), 40), "11/23/6");
}

#[test]
fn the_front_of_a_large_model_goes_from_throughput_to_latency() {
    // Llama-3-8B in fp16, seconds a token: 436.224 MB at 60% of the memory rate.
    let block = 436.224e6;
    let costs = [68.0, 102.4, 204.8].map(|rate| vec![block / (0.6 * rate * 1e9); 32]);
    let m = [0.436_224; 32];
    let problem = TierPartition::from_costs(&costs, &m, &[5.2, 13.0, 28.0]).expect("valid");
    let points = front(&problem, usize::MAX);
    assert_eq!(points.len(), 13);
    let told: Vec<(String, f64, f64)> = points
        .iter()
        .map(|p| (split(&p.cuts, 32), p.bottleneck * 1e3, p.sum * 1e3))
        .collect();
    for (split, bottleneck, sum) in [
        ("5/9/18", 63.9, 181.3),
        ("1/10/21", 74.5, 156.2),
        ("1/1/30", 106.5, 124.3),
    ] {
        let point = told.iter().find(|(own, ..)| own == split);
        let (_, b, s) = point.unwrap_or_else(|| panic!("{split} of {told:?}"));
        assert!(
            (b - bottleneck).abs() < 0.051 && (s - sum).abs() < 0.051,
            "{split}: {b} {s}"
        );
    }
    assert_eq!(told[0].0, "5/9/18");
    assert_eq!(told[12].0, "1/1/30");
    assert_eq!(front(&problem, 3).len(), 3);
}

#[test]
fn a_tier_of_many_nodes_counts_as_fast_as_all_of_them() {
    let problem = alike(32, &[68.0, 102.4, 204.8]).with_replicas(&[3, 3, 2]);
    let balanced = problem.expect("valid").balanced_over_replicas();
    let (cuts, value) = exact(&balanced, Objective::Max).expect("a partition");
    assert_eq!(split(&cuts, 32), "7/11/14");
    assert!((value - 11.0 / 307.2).abs() < 1e-12);
}

#[test]
fn the_largest_tier_alone_is_best_for_one_request_unless_the_prompt_starts_elsewhere() {
    let problem = alike(32, &[68.0, 102.4, 204.8]);
    let free = order::best(&problem, Objective::Sum, &order::OrderRules::default());
    let free = free.expect("a pipeline");
    assert_eq!((free.order, free.counts), (vec![2], vec![32]));
    let rules = order::OrderRules {
        first: Some(0),
        ..order::OrderRules::default()
    };
    let fixed = order::best(&problem, Objective::Sum, &rules).expect("a pipeline");
    assert_eq!((fixed.order, fixed.counts), (vec![0, 2], vec![1, 31]));
    // A slow link between the two makes the way through the middle worth its time.
    let (slow, fast) = (1.0, 1e-3);
    let links = [
        vec![0.0, fast, slow],
        vec![fast, 0.0, fast],
        vec![slow, fast, 0.0],
    ];
    let rules = order::OrderRules {
        links: &links,
        ..rules
    };
    let around = order::best(&problem, Objective::Sum, &rules).expect("a pipeline");
    assert_eq!(
        (around.order, around.counts),
        (vec![0, 1, 2], vec![1, 1, 30])
    );
    assert!((around.communication - 2.0 * fast).abs() < 1e-15);
}
