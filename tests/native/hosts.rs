//! How fast a host launches kernels, as a number of the machine: usual, slow, or not known.

use crate::cli::{edgewise, file};
use crate::token_costs::alone;
use engine::hardware::calibration::{HOSTS, of_name};
use engine::scenario::world::World;
use engine::scenario::{Any, Device, Question, Scenario, link};

const SLOW: f64 = HOSTS.slow_factor;

fn with_host(machine: &str, factor: Option<f64>) -> World {
    let mut scenario = alone(machine, "Llama-3.1-8B", 256.0);
    let device = &mut scenario.devices[0];
    (device.host_factor, device.layer_us) = (factor, None);
    World::of(&scenario.into())
}

fn cold_start(world: &World) -> Scenario {
    match world.view(Question::ColdStart).expect("a view").scenario {
        Any::ColdStart(scenario) => *scenario,
        other => panic!("{:?}", other.question()),
    }
}

fn device(world: &World) -> Device {
    cold_start(world).devices[0].clone()
}

fn answer(world: &World) -> serde_json::Value {
    let path = file("hosts.json", world.to_json());
    edgewise(&["run", &path, "--format", "json"], "").json()
}

fn words(world: &World) -> String {
    let path = file("hosts-words.json", world.to_json());
    let ran = edgewise(&["run", &path, "--format", "md"], "");
    ran.out + &ran.err
}

#[test]
fn the_time_of_a_layer_follows_the_host() {
    let (_, terms) = of_name("RTX 4090").expect("a card that was measured");
    let usual = terms.decode.usual_host_us.expect("hosts were compared");
    let layer = |factor| device(&with_host("RTX 4090", factor)).layer_us;
    assert_eq!(layer(None), Some(terms.decode.layer_us));
    assert_eq!(layer(Some(1.0)), Some(usual));
    let slow = layer(Some(SLOW)).expect("a time");
    assert!((slow / (SLOW * usual) - 1.0).abs() < 0.005, "{slow}");

    let rate = |factor| {
        let summary = answer(&with_host("RTX 4090", factor))["summary"].clone();
        let error = summary["calibration"]["median_error"].as_f64();
        (summary["decode_tok_s"].as_f64().expect("a rate"), error)
    };
    let [unknown, good, bad] = [None, Some(1.0), Some(SLOW)].map(rate);
    assert!(
        good.0 > unknown.0 && unknown.0 > 1.8 * bad.0,
        "{unknown:?} {good:?} {bad:?}"
    );
    assert_eq!((good.1, bad.1), (Some(HOSTS.known.median_error), good.1));
    assert_ne!(unknown.1, good.1);
    // 32 layers, nothing else differs.
    let more = 32.0 * 1e-6 * (slow - usual);
    assert!(((1.0 / bad.0 - 1.0 / good.0) / more - 1.0).abs() < 1e-6);
}

#[test]
fn an_unknown_host_may_be_a_slow_one_and_that_is_said() {
    let slow = answer(&with_host("RTX 4090", Some(SLOW)))["summary"]["decode_tok_s"]
        .as_f64()
        .expect("a rate");
    let said = words(&with_host("RTX 4090", None));
    assert!(said.contains("launches kernels slowly"), "{said}");
    let least = format!("here {} to", engine::units::tokens_a_second(slow));
    assert!(said.contains(&least), "{least}: {said}");
    for factor in [1.0, SLOW] {
        let said = words(&with_host("RTX 4090", Some(factor)));
        assert!(!said.contains("launches kernels slowly"), "{said}");
        assert!(said.contains("times the 105"), "{said}");
    }
    // Rates that other questions assume reach as far down.
    let least = |factor| {
        let view = with_host("RTX 4090", factor).view(Question::Dispatch);
        let assumed = view.expect("a view").assumed;
        let rate = assumed.iter().find(|one| one.key == "decode_tok_s");
        rate.and_then(|rate| rate.range).expect("a range").low
    };
    let low = least(None);
    assert!((low / slow - 1.0).abs() < 0.05, "{low}, not {slow}");
    assert!(least(Some(1.0)) > 1.3 * slow);
}

#[test]
fn a_host_that_is_said_later_moves_what_was_assumed() {
    for held in [false, true] {
        let mut world = with_host("RTX 4090", None);
        if held {
            world = link::open(&link::encode(&world)).expect("a link");
        }
        let before = device(&world).layer_us.expect("a time");
        let view = world.view(Question::ColdStart).expect("a view");
        let mut after = cold_start(&world);
        after.devices[0].host_factor = Some(SLOW);
        let seen = world
            .absorb(&view, &after.into(), &view.rows)
            .expect("a view");
        let Any::ColdStart(seen) = seen.scenario else {
            panic!("not a cold start")
        };
        assert!(
            seen.devices[0].layer_us > Some(4.0 * before),
            "held: {held}"
        );
    }
}

#[test]
fn where_hosts_were_not_compared_that_is_said() {
    let world = with_host("Ryzen 7 5800X", Some(3.0));
    assert_eq!(
        device(&world).layer_us,
        device(&with_host("Ryzen 7 5800X", None)).layer_us
    );
    let said = words(&world);
    assert!(
        said.contains("hosts of such machines were not compared"),
        "{said}"
    );
    let mut scenario = cold_start(&with_host("RTX 4090", None));
    scenario.devices[0].host_factor = Some(0.0);
    let fault = scenario.validate().expect_err("no time at all");
    assert_eq!(fault.path, "devices[0].host_factor");
}
