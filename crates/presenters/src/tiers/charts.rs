//! An answer about tiers as charts: blocks on tiers, requests in time, compromises, latency against load.

use super::tier_name;
use chart::{
    HopBox, LineChart, NodeRow, PassBar, RequestRun, Series, SeriesRole, TierBox, TierDiagram,
};
use engine::scenario::tiers::{Placed, Scenario};
use planner::tiers::{Plan, Planned, TierTimeline};

/// A plan as a network of tiers with the blocks on them.
#[must_use]
pub fn network(scenario: &Scenario, plan: &Plan) -> TierDiagram {
    let last = plan.stages.len().saturating_sub(1);
    let block = scenario.with_costs(|costs| costs.largest_block()) / 1e9;
    let tiers = plan.stages.iter().enumerate().map(|(at, stage)| {
        let tier = &scenario.tiers[stage.tier];
        let blocks = stage.first - 1..stage.last;
        // What a split counts on the tier besides blocks.
        let beside = scenario.with_costs(|costs| {
            let ends = match scenario.cost.blocks_only {
                true => 0.0,
                false => costs.memory(&blocks).ends,
            };
            (ends + costs.buffers(&blocks)) / 1e9
        });
        TierBox {
            name: tier_name(scenario, stage.tier),
            shade: stage.tier,
            nodes: tier.nodes as usize,
            first: stage.first,
            last: stage.last,
            block_capacity: Some(
                libm::floor((stage.room - beside + 1e-9) / block).max(0.0) as usize
            ),
            embedding: at == 0,
            head: at == last,
            pass_s: stage.decode,
            prefill_s: stage.prefill,
            head_s: stage.head,
            memory_gb: stage.memory,
            room_gb: stage.room,
            fits: stage.mem_ok,
            full_at: stage.full_at,
        }
    });
    let hops = plan.hops.iter().map(|hop| HopBox {
        prefill_s: hop.prefill,
        decode_s: hop.decode,
    });
    TierDiagram {
        tiers: tiers.collect(),
        hops: hops.collect(),
        slowest: Some(plan.slowest),
        total_s: plan.per_token,
        return_s: plan.return_delay,
    }
}

/// A simulated run as rows of nodes over time; `None` where it is not one of these tiers.
#[must_use]
pub fn requests(
    scenario: &Scenario,
    placed: &[Placed],
    timeline: &TierTimeline,
) -> Option<RequestRun> {
    if placed.len() != timeline.nodes.len() {
        return None;
    }
    let mut nodes = Vec::new();
    for (at, (placed, count)) in placed.iter().zip(&timeline.nodes).enumerate() {
        let name = tier_name(scenario, placed.tier);
        nodes.extend((1..=*count).map(|n| NodeRow {
            name: format!("{name} {n}"),
            tier: at,
            shade: placed.tier,
        }));
    }
    let passes = timeline.segments.iter().map(|segment| PassBar {
        node: segment.resource as usize,
        task: segment.task as usize,
        pass: segment.pass,
        from: segment.from,
        to: segment.to,
    });
    Some(RequestRun {
        nodes,
        passes: passes.collect(),
        arrivals: timeline.arrival.clone(),
        end_s: timeline.completion.iter().copied().fold(0.0, f64::max),
        marked: None,
    })
}

/// The compromises between the slowest stage and a single request; empty where there is but one.
#[must_use]
pub fn front(planned: &Planned) -> LineChart {
    if planned.front.len() < 2 {
        return LineChart::default();
    }
    let points = planned.front.iter();
    let points = points.map(|point| (point.bottleneck, Some(point.request)));
    let now = planned.plan.as_ref().and_then(|plan| {
        let found = planned.front.iter().find(|p| p.placed == plan.placed);
        found.map(|point| point.bottleneck)
    });
    LineChart {
        title: "Single request and slowest stage".into(),
        x_title: "Slowest stage of a request, s".into(),
        y_title: "Single request".into(),
        y_unit: "s".into(),
        decimals: 3,
        now,
        limit: None,
        series: vec![Series {
            name: "Best splits".into(),
            role: SeriesRole::Ours,
            points: points.collect(),
        }],
        ..LineChart::default()
    }
}
