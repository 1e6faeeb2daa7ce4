//! Ranges in the place of points, for any question.

use crate::sensitivity::{answered, small};
use engine::scenario::fields;
use engine::scenario::world::{LocatedField, World};
use engine::scenario::{Any, Question, Span, tiers};
use planner::ranges::{
    RangeDraws, RangeSpread, RangesRequest, RangesResult, inputs, measure_range, range_requests,
    spread, sum_up,
};
use presenters::ranges::{order, quantiles, summary, table, text};
use std::ops::ControlFlow;

/// A scenario with ranges on some of its numbers, by the names that all questions know them by.
fn ranged(any: &Any, ranges: &[(&str, f64, f64)]) -> World {
    let mut world = World::of(any);
    let view = world.view(world.question).expect("a view");
    for (key, below, above) in ranges {
        let known = number(&world, key);
        let ends = (known.value * below, known.value * above);
        world
            .put_range(&view, &known, Some(ends.into()))
            .expect("a range");
    }
    // Only a cold start shows ranges itself.
    if world.question != Question::ColdStart {
        let seen = world.view(world.question).expect("a view");
        assert_eq!(seen.scenario, *any);
    }
    world
}

/// The first number of this name.
fn number(world: &World, key: &str) -> LocatedField {
    let view = world.view(world.question).expect("a view");
    let all = world.spots(&view).into_iter();
    let mut named = all.filter(|known| known.location.key == key);
    named.next().unwrap_or_else(|| panic!("no {key}"))
}

fn drawn(world: &World, draws: u32, seed: u32) -> RangeSpread {
    let found = spread(world, (draws, seed), &mut |_, _| ControlFlow::Continue(()));
    found.expect("it can be drawn")
}

/// A number of each question on which its answer depends.
fn telling(question: Question) -> &'static str {
    match question {
        Question::ColdStart => "r_mb_s",
        Question::HeadPlacement => "compute_gops",
        Question::Dispatch => "prefill_tok_s",
        Question::Tiers => "bandwidth_gb_s",
        Question::Operators => "factor",
    }
}

#[test]
fn every_draw_is_a_scenario_answered_by_itself() {
    for question in Question::ALL {
        let any = small(question);
        let world = ranged(&any, &[(telling(question), 0.5, 2.0)]);
        let drawing = RangeDraws::new(&world).expect("ranges");
        let ask = RangesRequest::Draws {
            seed: 7,
            from: 2,
            to: 5,
        };
        let RangesResult::Drawn(values) = measure_range(&world, ask).expect("draws") else {
            panic!("draws were asked for");
        };
        assert_eq!(values.len(), 3);
        let mut draw = engine::sim::Draw::new(7, 71);
        let units: Vec<f64> = (0..5).map(|_| draw.unit()).collect();
        for (value, unit) in values.iter().zip(&units[2..]) {
            let view = drawing.view(&[*unit]).expect("a draw");
            let direct = answered(&view.scenario);
            assert_eq!(
                value.map(f64::to_bits),
                direct.map(f64::to_bits),
                "{question:?}"
            );
        }
        let found = drawn(&world, 50, 7);
        assert_eq!(found.draws, 50);
        let at = found.at_values.as_ref().and_then(|reading| reading.value);
        assert_eq!(at.map(f64::to_bits), answered(&any).map(f64::to_bits));
        let (p5, p95) = (found.p5.expect("answers"), found.p95.expect("answers"));
        assert!(p5 < p95, "{question:?}: {p5} {p95}");
        assert!(
            found.inputs[0].share.expect("a share") > 0.5,
            "{question:?}"
        );
    }
}

#[test]
fn a_range_without_an_effect_has_no_share() {
    let any = small(Question::Tiers);
    // What a tier draws is asked by nobody here.
    let alone = drawn(&ranged(&any, &[("power_w", 0.5, 2.0)]), 50, 1);
    assert_eq!(alone.inputs[0].share, Some(0.0));
    assert!(
        summary(&alone)
            .to_string()
            .contains("None of the ranges matters")
    );
    let at = answered(&any).expect("an answer").to_bits();
    assert!(alone.quantiles.iter().all(|value| value.to_bits() == at));
    let world = ranged(&any, &[("power_w", 0.5, 2.0), ("bandwidth_gb_s", 0.5, 2.0)]);
    // By chance alone some of these would give it a share.
    for seed in 0..8 {
        let beside = drawn(&world, 100, seed);
        let share = |key: &str| {
            let mut all = beside.inputs.iter();
            let input = all.find(|input| input.number.location.key == key);
            input.and_then(|input| input.share).expect("a share")
        };
        assert_eq!(share("power_w"), 0.0, "{seed}");
        assert!(share("bandwidth_gb_s") > 0.7, "{seed}");
        assert_eq!(order(&beside)[0].number.location.key, "bandwidth_gb_s");
    }
}

#[test]
fn a_range_without_a_width_gives_the_answer_to_the_value() {
    for question in Question::ALL {
        let any = small(question);
        let found = drawn(&ranged(&any, &[(telling(question), 1.0, 1.0)]), 50, 3);
        let at = answered(&any).map(f64::to_bits);
        for value in [found.median, found.p5, found.p95] {
            assert_eq!(value.map(f64::to_bits), at, "{question:?}");
        }
        assert_eq!(found.inputs[0].share, Some(0.0));
        assert_eq!(found.unanswered, 0);
    }
}

#[test]
fn the_same_seed_gives_the_same_bits_however_draws_are_shared_out() {
    let any = small(Question::Tiers);
    let world = ranged(
        &any,
        &[("bandwidth_gb_s", 0.5, 2.0), ("prompt_tokens", 0.5, 2.0)],
    );
    let whole = drawn(&world, 70, 5);
    let asks = range_requests(whole.inputs.len(), 70, 5);
    assert_eq!(asks.len(), 1 + 4 + 2);
    let mut told: Vec<Option<RangesResult>> = vec![None; asks.len()];
    for at in (0..asks.len()).rev() {
        told[at] = Some(measure_range(&world, asks[at]).expect("draws"));
    }
    let again = sum_up(&world, 5, &asks, &told).expect("draws");
    assert_eq!(text(&again), text(&whole));
    assert_eq!(quantiles(&again), quantiles(&whole));
    let other = drawn(&world, 70, 6);
    assert_ne!(other.median, whole.median);
    // As far as it is known: no share before a number was drawn again.
    told[6] = None;
    let part = sum_up(&world, 5, &asks, &told).expect("draws");
    assert_eq!((part.draws, part.inputs[1].share), (70, None));
    assert_eq!(table(&part).rows.len(), 2);
}

#[test]
fn whole_numbers_stay_whole_and_memory_grows_with_its_use() {
    let any = small(Question::Tiers);
    let world = ranged(&any, &[("prompt_tokens", 0.5, 2.0), ("m_gb", 0.9, 9.0)]);
    let drawing = RangeDraws::new(&world).expect("ranges");
    for at in 0..20 {
        let unit = f64::from(at) / 20.0;
        let view = drawing.view(&[unit, unit]).expect("a draw");
        let Any::Tiers(drawn) = view.scenario else {
            panic!("another question");
        };
        assert_eq!(drawn.prompt_tokens.fract(), 0.0);
        assert!(drawn.tiers[0].usable_gb <= drawn.tiers[0].memory_gb);
    }
}

#[test]
fn ranges_of_what_is_assumed_are_drawn_as_well() {
    let mut world = World::of(&small(Question::ColdStart));
    world.question = Question::Tiers;
    let view = world.view(Question::Tiers).expect("a view");
    let assumed = view
        .assumed
        .iter()
        .filter(|one| one.range.is_some())
        .count();
    assert!(assumed > 0);
    assert!(!inputs(&world, &view).is_empty());
}

#[test]
fn draws_without_an_answer_are_counted() {
    let mut scenario = tiers::presets::paper();
    scenario.split = None;
    let any: Any = scenario.into();
    let keys = ["m_gb"];
    let mut world = World::of(&any);
    let view = world.view(Question::Tiers).expect("a view");
    let all = world.spots(&view).into_iter();
    for known in all.filter(|known| keys.contains(&known.location.key)) {
        let range = Some(Span::from((0.0, known.value)));
        world.put_range(&view, &known, range).expect("a range");
    }
    let found = drawn(&world, 100, 2);
    assert!(
        found.unanswered > 0 && found.unanswered < 100,
        "{}",
        found.unanswered
    );
    assert!(text(&found).contains("Nothing fits in"));
}

#[test]
fn invalid_ranges_are_refused_by_name() {
    let world = World::of(&small(Question::Tiers));
    let none = spread(&world, (50, 0), &mut |_, _| ControlFlow::Continue(()));
    assert_eq!(none.expect_err("nothing to draw").path, "ranges");
    let world = ranged(&small(Question::Tiers), &[("bandwidth_gb_s", 0.5, 2.0)]);
    let fault = |ask| measure_range(&world, ask).expect_err("no such draw").path;
    let draws = |from, to| RangesRequest::Draws { seed: 0, from, to };
    assert_eq!(fault(draws(0, 2001)), "draws");
    assert_eq!(fault(draws(5, 4)), "draws");
    assert_eq!(fault(RangesRequest::Alone { seed: 0, input: 1 }), "input");
    let mut world = World::of(&small(Question::Tiers));
    let view = world.view(Question::Tiers).expect("a view");
    let known = number(&world, "m_gb");
    for ends in [(-1.0, 20.0), (1.0, f64::NAN), (1.0, 1e9), (0.0, 0.5)] {
        let fault = world.put_range(&view, &known, Some(ends.into()));
        assert!(fault.is_err(), "{ends:?}");
    }
}

#[test]
fn a_range_is_read_as_it_is_typed() {
    let disk = fields::of("r_mb_s").expect("a field");
    let read =
        |text: &str| Span::typed(disk, 3000.0, text).map(|span| span.map(<(f64, f64)>::from));
    for (text, ends) in [
        ("1500-7000", (1500.0, 7000.0)),
        ("1500 to 7000", (1500.0, 7000.0)),
        ("1.5e3 \u{2013} 7e3", (1500.0, 7000.0)),
        ("2 GB/s-4 GB/s", (2000.0, 4000.0)),
        ("2-4 GB/s", (2000.0, 4000.0)),
        ("20 %", (2400.0, 3600.0)),
        ("\u{b1}20%", (2400.0, 3600.0)),
        ("3000-3000", (3000.0, 3000.0)),
    ] {
        assert_eq!(read(text).expect(text), Some(ends), "{text}");
    }
    assert_eq!(read("  "), Ok(None));
    for text in [
        "many",
        "3000",
        "1-2",
        "4000-2000",
        "-5 %",
        "150 %",
        "nan-nan",
        "1-1e99",
        "-",
        "%",
    ] {
        let fault = read(text).expect_err(text);
        assert_eq!(fault.path, "r_mb_s", "{text}");
        assert!(fault.message.starts_with("disk must"), "{fault}");
    }
    // In place of a number it brings its value along.
    let typed = |field, text| Span::in_place_of_number(fields::of(field).expect("a field"), text);
    let both = |field, text| typed(field, text).map(|(value, span)| (value, span.low, span.high));
    assert_eq!(both("m_gb", "10 to 20"), Some((15.0, 10.0, 20.0)));
    assert_eq!(both("m_gb", "10-20"), Some((15.0, 10.0, 20.0)));
    assert_eq!(both("m_gb", "8\u{2013}16 GB"), Some((12.0, 8.0, 16.0)));
    assert_eq!(both("m_gb", "512-1024 MB"), Some((0.768, 0.512, 1.024)));
    assert_eq!(both("prompt_tokens", "1-4"), Some((3.0, 1.0, 4.0)));
    assert_eq!(
        both("b", "0.001-0.003 1/token"),
        Some((0.002, 0.001, 0.003))
    );
    for text in ["15", "-5", "10-", "10-10", "many", "10 to 1e9"] {
        assert_eq!(both("m_gb", text), None, "{text}");
    }
    let power = fields::of("pu_dbm").expect("a field");
    let span = Span::typed(power, -5.0, "-10--1").expect("a range");
    assert_eq!(span.map(<(f64, f64)>::from), Some((-10.0, -1.0)));
}
