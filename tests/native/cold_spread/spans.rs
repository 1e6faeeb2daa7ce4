//! Ranges as part of a scenario: which numbers carry one, what is refused, what becomes of one when its number changes.

use super::{paper_with_ranges, span};
use engine::scenario::ranges::{Place, Span, SpanDraws};
use engine::scenario::{Any, ChannelPart, Decode, Scenario, difference, link, presets};
use serde_json::{Value, json};

#[test]
fn every_number_that_can_carry_a_range_can_be_read_and_set() {
    let mut scenario = presets::paper();
    scenario.decode = Some(Decode {
        least_tok_s: Some(5.0),
        ..Decode::USUAL
    });
    scenario.devices[1].bandwidth_gb_s = Some(100.0);
    for device in &mut scenario.devices {
        (device.memory_share, device.layer_us) = (Some(0.9), Some(100.0));
    }
    scenario.devices[3].off = true;
    let own = ChannelPart {
        mu: Some(0.4),
        zeta: Some(2.5),
        ..ChannelPart::default()
    };
    scenario.devices[2].link = Some(own);
    let inputs = scenario.inputs();
    // 5 dimensions, the prompt, 6 of the channel, 4 of decode; 8 a device; one memory rate, two own values.
    assert_eq!(inputs.len(), 16 + 40 + 1 + 2);
    let labels: Vec<&str> = inputs.iter().map(|input| input.label.as_str()).collect();
    for label in [
        "prompt",
        "Wi-Fi bandwidth",
        "model hidden size",
        "latency per hop",
        "D1 disk",
        "D2 memory rate",
        "D3 own efficiency",
    ] {
        assert!(labels.contains(&label), "{label}: {labels:?}");
    }
    for input in &inputs {
        assert_eq!(scenario.number_at(&input.place), Some(input.value));
        assert_eq!(input.off, input.place.device == Some(3));
        let mut changed = scenario.clone();
        let next = if input.is_integer {
            input.value + 1.0
        } else {
            input.value * 1.01
        };
        assert!(changed.set_number(&input.place, next), "{}", input.label);
        assert_eq!(changed.number_at(&input.place), Some(next));
        // Nothing else has moved.
        changed.set_number(&input.place, input.value);
        assert_eq!(changed, scenario);
        // A range of some percent is valid, holds the number, and is in the file and in the link.
        let about = Span::about(input.place.field(), input.value, 20.0);
        changed.set_span(&input.place, Some(about));
        assert!(about.contains(input.value));
        changed
            .validate()
            .unwrap_or_else(|fault| panic!("{}: {fault}", input.label));
        let read = Scenario::from_json(&changed.to_json()).expect("a scenario");
        assert_eq!(read, changed);
        let opened = link::decode(&link::of(&changed)).expect("a link");
        assert_eq!(opened, Any::from(changed.clone()));
        assert_eq!(changed.spanned().len(), usize::from(!input.off));
        assert_eq!(changed.without_spans(), scenario);
    }
    for place in [
        Place::shared("layers"),
        Place::shared("model.layers"),
        Place::shared("channel.speed"),
        Place::of_device(0, "name"),
        Place::of_device(0, "link.mu"),
        Place::of_device(9, "r_mb_s"),
    ] {
        assert_eq!(scenario.number_at(&place), None, "{place:?}");
        assert!(!scenario.set_number(&place, 1.0), "{place:?}");
    }
}

/// The paper's scenario with a range written into its JSON.
fn with(device: Option<usize>, key: &str, value: Value) -> String {
    let mut document: Value = serde_json::from_str(&presets::paper().to_json()).expect("JSON");
    match device {
        Some(at) => document["devices"][at]["ranges"] = json!({ key: value }),
        None => document["ranges"] = json!({ key: value }),
    }
    document.to_string()
}

#[test]
fn ranges_that_are_none_are_refused_by_name() {
    let cases: [(Option<usize>, &str, Value, &str, &str); 13] = [
        (
            Some(1),
            "r_mb_s",
            json!([5000, 4000]),
            "devices[1].ranges.r_mb_s",
            "low at most high",
        ),
        (
            Some(1),
            "r_mb_s",
            json!([1000, 2000]),
            "devices[1].ranges.r_mb_s",
            "must contain the number itself, 4000",
        ),
        (
            Some(1),
            "r_mb_s",
            json!([0, 5000]),
            "devices[1].ranges.r_mb_s",
            "a number from 0.01",
        ),
        (
            Some(1),
            "r_mb_s",
            json!([3000, 1e9]),
            "devices[1].ranges.r_mb_s",
            "a number from 0.01",
        ),
        (
            Some(1),
            "speed",
            json!([1, 2]),
            "devices[1].ranges.speed",
            "these can have a range: c_peak_tflops",
        ),
        (
            Some(1),
            "link.mu",
            json!([0.1, 0.9]),
            "devices[1].ranges.link.mu",
            "is not a number of this scenario",
        ),
        (
            Some(1),
            "bandwidth_gb_s",
            json!([1, 2]),
            "devices[1].ranges.bandwidth_gb_s",
            "is not a number of this scenario",
        ),
        (
            Some(1),
            "prompt_tokens",
            json!([1, 512]),
            "devices[1].ranges.prompt_tokens",
            "is not a number of this scenario",
        ),
        (
            None,
            "prompt_tokens",
            json!([200.5, 512]),
            "ranges.prompt_tokens",
            "a whole number",
        ),
        (
            None,
            "prompt_tokens",
            json!([300, 512]),
            "ranges.prompt_tokens",
            "must contain the number itself",
        ),
        (
            None,
            "model.layers",
            json!([30, 50]),
            "ranges.model.layers",
            "is not a number of this scenario",
        ),
        (
            None,
            "r_mb_s",
            json!([1, 50]),
            "ranges.r_mb_s",
            "is not a number of this scenario",
        ),
        (
            None,
            "decode.hop_ms",
            json!([1, 50]),
            "ranges.decode.hop_ms",
            "is not a number of this scenario",
        ),
    ];
    for (device, key, value, path, said) in cases {
        let fault = Scenario::from_json(&with(device, key, value)).expect_err(key);
        assert_eq!(fault.path, path, "{fault}");
        assert!(fault.message.contains(said), "{fault}");
    }
    // Not even two numbers.
    for value in [
        json!([1]),
        json!([1, 2, 3]),
        json!("wide"),
        json!({"low": 1}),
        json!([null, 2]),
    ] {
        let fault = Scenario::from_json(&with(Some(0), "r_mb_s", value)).expect_err("no range");
        assert!(fault.path.starts_with("devices[0].ranges"), "{fault}");
    }
    // What no file can say.
    for (low, high) in [
        (f64::NAN, 5000.0),
        (4000.0, f64::INFINITY),
        (f64::NAN, f64::NAN),
    ] {
        let mut scenario = presets::paper();
        scenario.set_span(&Place::of_device(0, "r_mb_s"), span(low, high));
        assert!(scenario.validate().is_err(), "{low} {high}");
    }
    // A range that is a point is one.
    assert!(Scenario::from_json(&with(Some(1), "r_mb_s", json!([4000, 4000]))).is_ok());
}

#[test]
fn a_number_that_leaves_its_range_takes_it_along() {
    let disk = Place::of_device(2, "r_mb_s");
    let before = paper_with_ranges();
    let edited = |value: f64| {
        let mut after = before.clone();
        after.set_number(&disk, value);
        let said = after.update_spans(&before, &before);
        after.validate().expect("it has settled");
        (after.span_at(&disk).expect("it keeps its range"), said)
    };
    // Within it, nothing happens.
    assert_eq!(
        edited(3500.0),
        (
            Span {
                low: 2000.0,
                high: 3600.0
            },
            vec![]
        )
    );
    // Outside: as wide for its size, 800 in 2800.
    let (moved, said) = edited(5600.0);
    assert_eq!(
        moved,
        Span {
            low: 4000.0,
            high: 7200.0
        }
    );
    let sentence = "The range of D3 disk moved along: 4000 to 7200\u{202f}MB/s.";
    assert_eq!(said, [sentence]);
    // As far as the field allows.
    assert_eq!(edited(1_000_000.0).0.high, 1_000_000.0);

    // Dragged out and back within one step: the range is as it was.
    let mut dragged = before.clone();
    for value in [3700.0, 9000.0, 20.0, 3000.0] {
        let last = dragged.clone();
        dragged.set_number(&disk, value);
        dragged.update_spans(&last, &before);
        dragged.validate().expect("it has settled");
    }
    assert_eq!(dragged.span_at(&disk), before.span_at(&disk));

    // An end that is put beyond the number is left to be refused.
    let mut narrow = before.clone();
    narrow.set_span(&disk, span(3200.0, 3600.0));
    assert!(narrow.update_spans(&before, &before).is_empty());
    let fault = narrow.validate().expect_err("3000 is not in it");
    assert_eq!(fault.path, "devices[2].ranges.r_mb_s");

    // Decibels keep their width; whole numbers stay whole.
    let power = Place::of_device(0, "pu_dbm");
    let mut levels = before.clone();
    levels.set_span(&power, span(17.0, 23.0));
    let began = levels.clone();
    levels.set_number(&power, -10.0);
    levels.set_number(&Place::shared("prompt_tokens"), 1001.0);
    levels.update_spans(&began, &began);
    assert_eq!(levels.span_at(&power), span(-13.0, -7.0));
    assert_eq!(
        levels.span_at(&Place::shared("prompt_tokens")),
        span(667.0, 1335.0)
    );
    levels.validate().expect("it has settled");
}

#[test]
fn a_range_goes_with_its_number_and_with_its_device() {
    let mut before = paper_with_ranges();
    before.devices[1].link = Some(ChannelPart {
        mu: Some(0.4),
        ..ChannelPart::default()
    });
    before.set_span(&Place::of_device(1, "link.mu"), span(0.3, 0.5));
    before.validate().expect("an own value can carry a range");
    let mut after = before.clone();
    after.devices[1].link = None;
    let said = after.update_spans(&before, &before);
    assert!(
        said.len() == 1 && said[0].contains("was removed together"),
        "{said:?}"
    );
    assert!(after.devices[1].ranges.is_empty());
    after.validate().expect("it has settled");

    // Moved, copied and removed with its device; a device that is off keeps it.
    let mut moved = before.clone();
    moved.devices.swap(0, 2);
    assert!(moved.update_spans(&before, &before).is_empty());
    assert_eq!(
        moved.span_at(&Place::of_device(0, "r_mb_s")),
        span(2000.0, 3600.0)
    );
    moved.validate().expect("ranges move along");
    moved.devices[0].off = true;
    assert!(
        moved
            .spanned()
            .iter()
            .all(|input| input.place.device != Some(0))
    );
    assert!(moved.has_spans());
    moved.validate().expect("what is off keeps its ranges");
}

#[test]
fn steps_that_change_ranges_are_named() {
    let ids = [0, 1, 2, 3];
    let words = |before: &Scenario, after: &Scenario| difference((before, &ids), (after, &ids));
    let paper = presets::paper();
    let mut disk = paper.clone();
    disk.set_span(&Place::of_device(2, "r_mb_s"), span(2500.0, 3500.0));
    assert_eq!(words(&paper, &disk), "D3 disk 2500 to 3500");
    assert_eq!(words(&disk, &paper), "D3 disk without a range");
    let mut prompt = paper.clone();
    prompt.set_span(&Place::shared("prompt_tokens"), span(128.0, 512.0));
    assert_eq!(words(&paper, &prompt), "prompt 128 to 512");
}

#[test]
fn draws_are_uniform_and_whole_where_they_must_be() {
    let scenario = paper_with_ranges();
    let drawing = SpanDraws::new(&scenario);
    assert_eq!(drawing.len(), 6);
    // The scenario's own numbers first, then by device, each in the order of its fields.
    let ends = |unit: f64| drawing.numbers(&[unit; 6]);
    assert_eq!(ends(0.0), [200.0, 0.25, 4000.0, 1.0, 20.0, 2000.0]);
    let middle = drawing.scenario(&ends(0.5));
    assert_eq!(middle.prompt_tokens, 300.0);
    assert_eq!(middle.devices[0].r_mb_s, 5000.0);
    assert!(!middle.has_spans() && middle.validate().is_ok());
    assert_eq!(drawing.corner(0), ends(0.0));
    let top = drawing.corner(63);
    assert!(drawing.scenario(&top).devices[2].r_mb_s == 3600.0);
    // 3 whole numbers are each as likely, the ends too.
    let few = Span {
        low: 1.0,
        high: 3.0,
    };
    let counts = (0..300).fold([0; 3], |mut counts, k| {
        counts[few.at(f64::from(k) / 300.0, true) as usize - 1] += 1;
        counts
    });
    assert_eq!(counts, [100; 3]);
    assert_eq!(few.at(0.25, false), 1.5);
}
