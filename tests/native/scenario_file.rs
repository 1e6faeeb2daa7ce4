//! Scenario files: every field is checked by name, tables and own channels too, and older formats are read with the same bits.

use crate::instances::Draw;
use crate::link::{decode, deflated, link_of, paper};
use engine::problem::Code;
use engine::scenario::link::{self, LONGEST};
use engine::scenario::{
    ChannelPart, Decode, LayerRow, LayerTable, Model, Scenario, fields, presets,
};
use engine::solve::{Limits, NoProgress};
use planner::cold_start::{ColdStartMethod, answer};

#[test]
fn a_scenario_file_is_refused_by_field_version_and_kind() {
    let json = presets::paper().to_json();
    let fault = |old: &str, new: &str| {
        assert!(json.contains(old), "{old}");
        let wrong = json.replacen(old, new, 1);
        Scenario::from_json(&wrong).expect_err("a bad scenario")
    };
    for (old, new, code, path) in [
        ("\"format\":3", "\"format\":5", Code::Link, "format"),
        (
            "\"format\":3",
            "\"format\":5,\"new\":0",
            Code::Link,
            "format",
        ),
        ("\"format\":3", "\"format\":0", Code::Link, "format"),
        ("\"format\":3,", "", Code::Missing, "format"),
        ("\"cold-start\"", "\"hot-start\"", Code::Range, "question"),
        (
            "\"d_m\":1.0",
            "\"d_m\":1.0,\"q\":1",
            Code::Unknown,
            "devices[0].q",
        ),
        ("\"d_m\":3.0", "\"d_m\":\"3\"", Code::Type, "devices[1].d_m"),
        ("\"d_m\":3.0", "\"d_m\":0", Code::Range, "devices[1].d_m"),
        (
            "\"layers\":40.0",
            "\"layers\":40.5",
            Code::Range,
            "model.layers",
        ),
        (
            "\"prompt_tokens\":256.0",
            "\"prompt_tokens\":0",
            Code::Range,
            "prompt_tokens",
        ),
        ("\"title\":\"", "\"title\":\"\\n", Code::Range, "title"),
        ("\"off\":false,", "", Code::Missing, "devices[0].off"),
        ("\"off\":false", "\"off\":0", Code::Type, "devices[0].off"),
        (
            "\"d_ff\":17408.0",
            "\"d_ff\":null",
            Code::Type,
            "model.d_ff",
        ),
        (",\"d_ff\":17408.0", "", Code::Missing, "model.d_ff"),
        (
            "\"layers\":40.0",
            "\"layers\":\"40\"",
            Code::Type,
            "model.layers",
        ),
        (
            "\"layers\":40.0",
            "\"layers\":[]",
            Code::Unknown,
            "model.d_model",
        ),
        (
            "\"relay\":\"slower-hop\"",
            "\"relay\":\"pigeon\"",
            Code::Range,
            "relay",
        ),
    ] {
        let found = fault(old, new);
        assert_eq!(
            (found.code, found.path.as_str()),
            (code, path),
            "{new}: {found}"
        );
    }
    for newer in ["\"format\":5", "\"format\":5,\"new\":0"] {
        let found = fault("\"format\":3", newer);
        assert!(found.message.contains("newer"), "{found}");
    }
    let problem = "{\"layers\":[],\"devices\":[]}";
    let found = Scenario::from_json(problem).expect_err("a problem file");
    assert!(found.message.contains("edgewise solve"), "{found}");
    let problem = "{\"model\":{},\"t\":1,\"link\":{},\"devices\":[]}";
    let found = Scenario::from_json(problem).expect_err("a problem file");
    assert!(found.message.contains("edgewise solve"), "{found}");
}

#[test]
fn a_fleet_has_at_least_one_and_not_too_many_devices() {
    let mut scenario = presets::paper();
    let device = scenario.devices[0].clone();
    scenario.devices = vec![device; fields::MOST_DEVICES];
    assert_eq!(scenario.validate(), Ok(()));
    scenario.devices.push(scenario.devices[0].clone());
    let path = |scenario: &Scenario| scenario.validate().map_err(|fault| fault.path);
    assert_eq!(path(&scenario), Err("devices".to_owned()));
    scenario.devices.clear();
    assert_eq!(path(&scenario), Err("devices".to_owned()));
}

#[test]
fn a_device_s_own_channel_is_used_and_checked() {
    let mut scenario = presets::paper();
    let shared = scenario.problem().expect("the paper's scenario");
    scenario.devices[1].link = Some(ChannelPart {
        B_mhz: Some(20.0),
        ..ChannelPart::default()
    });
    let own = scenario.problem().expect("a valid scenario");
    assert!(own.machines()[1].up < shared.machines()[1].up);
    assert_eq!(own.machines()[0], shared.machines()[0]);
    scenario.devices[1].link = Some(ChannelPart {
        B_mhz: Some(0.0),
        ..ChannelPart::default()
    });
    let fault = scenario.problem().expect_err("no bandwidth");
    assert_eq!(fault.path, "devices[1].link.B_mhz");
}

/// A table of so many layers with numbers that need all their digits.
fn long_table(layers: usize, draw: &mut Draw) -> Model {
    let row = |_| LayerRow {
        W: draw.between(1e12, 9e12) / 3.0,
        A: draw.between(1e6, 9e6) / 3.0,
        P: draw.between(1e8, 9e8) / 3.0,
    };
    Model::Table(LayerTable {
        name: "A table".into(),
        layers: (0..layers).map(row).collect(),
    })
}

#[test]
fn a_table_of_layers_is_refused_by_row_and_column() {
    let mut scenario = presets::paper();
    scenario.model = long_table(3, &mut Draw::new(5));
    let json = scenario.to_json();
    let third = json.rfind("{\"W\":").expect("a last row");
    for (new, code, path) in [
        ("{\"W\":0,", Code::Range, "model.layers[2].W"),
        ("{\"W\":\"x\",", Code::Type, "model.layers[2].W"),
        ("{\"q\":1,\"W\":1,", Code::Unknown, "model.layers[2].q"),
        ("{", Code::Missing, "model.layers[2].W"),
    ] {
        let rest = &json[third..];
        let rest = &rest[rest.find(',').expect("A behind W") + 1..];
        let wrong = format!("{}{new}{rest}", &json[..third]);
        let found = Scenario::from_json(&wrong).expect_err("a bad row");
        assert_eq!(
            (found.code, found.path.as_str()),
            (code, path),
            "{new}: {found}"
        );
    }
    let wrong = json.replacen("\"layers\":[{", "\"layers\":[[1,2,3],{", 1);
    let found = Scenario::from_json(&wrong).expect_err("a row that is a list");
    assert_eq!(
        (found.code, found.path.as_str()),
        (Code::Type, "model.layers[0]")
    );
    for (count, good) in [(0, false), (1, true), (1000, true), (1001, false)] {
        scenario.model = long_table(count, &mut Draw::new(6));
        let checked = scenario.validate().map_err(|fault| fault.path);
        assert_eq!(checked.is_ok(), good, "{count} layers");
        assert_eq!(good, checked != Err("model.layers".to_owned()));
    }
}

#[test]
fn the_largest_scenario_of_the_page_fits_into_a_link() {
    let mut draw = Draw::new(7);
    let mut scenario = presets::paper();
    scenario.model = long_table(fields::MOST_LAYERS, &mut draw);
    let device = scenario.devices[0].clone();
    scenario.devices = vec![device; fields::MOST_DEVICES];
    for device in &mut scenario.devices {
        let name = |_| char::from_u32(draw.whole(0x1_f300, 0x1_f5ff) as u32).unwrap_or('x');
        device.name = (0..fields::LONGEST_NAME).map(name).collect();
        device.c_peak_tflops = draw.between(1.0, 999.0) / 3.0;
        device.r_mb_s = draw.between(1.0, 999.0) / 3.0;
        device.m_gb = draw.between(1.0, 999.0) / 3.0;
        device.link = Some(ChannelPart {
            mu: Some(draw.between(0.1, 0.9) / 3.0),
            B_mhz: Some(draw.between(1.0, 999.0) / 3.0),
            N0_dbm_hz: Some(-draw.between(200.0, 600.0) / 3.0),
            d0_m: Some(draw.between(1.0, 9.0) / 3.0),
            zeta: Some(draw.between(1.0, 9.0) / 3.0),
            beta0_db: Some(-draw.between(1.0, 99.0) / 3.0),
        });
    }
    let link = link::of(&scenario);
    assert!(link.len() < LONGEST / 2, "{} characters", link.len());
    let read = decode(&link).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(read == scenario, "it reads as another scenario");
}

#[test]
fn a_table_poses_the_problem_that_the_same_block_poses_at_its_prompt_length() {
    let dims = presets::paper();
    let problem = dims.problem().expect("the paper's scenario");
    let mut table = dims.clone();
    table.model = Model::Table(LayerTable {
        name: "The same as numbers".into(),
        layers: dims
            .model
            .layers_at(dims.prompt_tokens)
            .iter()
            .map(|l| LayerRow {
                W: l.work,
                A: l.activation,
                P: l.weights,
            })
            .collect(),
    });
    assert_eq!(table.problem(), Ok(problem));
    assert_eq!(
        table.model.hint().replace('\u{202f}', " "),
        "40 layers of 661 MB, 26.4 GB in all"
    );
    // Another prompt: the layers stay, the devices are used better.
    let longer = table.problem_at(1024.0).expect("a prompt length in range");
    let here = table.problem().expect("a valid table");
    assert_eq!(longer.layers(), here.layers());
    assert!(longer.machines()[0].compute > here.machines()[0].compute);
}

#[test]
fn a_device_that_is_off_is_left_out_and_keeps_its_number() {
    let mut scenario = presets::paper();
    scenario.devices[1].off = true;
    scenario.devices[3].d_m = 1e5;
    scenario.devices[3].pu_dbm = -60.0;
    scenario.devices[3].link = Some(ChannelPart {
        zeta: Some(10.0),
        d0_m: Some(0.01),
        ..ChannelPart::default()
    });
    // The faint device is the third of the problem and the fourth of the fleet.
    let fault = scenario.problem().expect_err("no rate at all");
    assert_eq!(fault.path, "devices[3]");
    let mut scenario = presets::paper();
    scenario.devices[1].off = true;
    let problem = scenario.problem().expect("three devices");
    let names: Vec<&str> = problem.machines().iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["D1", "D3", "D4"]);
    for device in &mut scenario.devices {
        device.off = true;
    }
    assert_eq!(
        scenario.validate().map_err(|fault| fault.path),
        Err("devices".to_owned())
    );
}

/// What the program wrote when the format was 1: links, files and answers.
const FORMAT_1: &str = include_str!("../data/format1.json");

#[test]
fn links_of_format_1_are_read_and_answered_with_the_same_bits() {
    let cases: Vec<serde_json::Value> = serde_json::from_str(FORMAT_1).expect("a list of cases");
    assert_eq!(cases.len(), 6);
    for case in &cases {
        let name = &case["name"];
        let link = case["link"].as_str().expect("a link");
        assert!(link.starts_with("#cold-start/1."), "{name}");
        let scenario = decode(link).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!(
            Scenario::from_json(&case["file"].to_string()).as_ref(),
            Ok(&scenario),
            "{name}"
        );
        // The present form of it differs in nothing but what is new.
        let mut now: serde_json::Value =
            serde_json::from_str(&scenario.to_json()).expect("a scenario is JSON");
        now["format"] = 1.into();
        for device in now["devices"].as_array_mut().expect("devices") {
            let off = device.as_object_mut().and_then(|d| d.remove("off"));
            assert_eq!(off, Some(false.into()), "{name}");
        }
        assert_eq!(now, case["file"], "{name}");
        let problem = scenario.problem().expect("it was valid");
        let answer = answer(
            &problem,
            ColdStartMethod::Exact,
            scenario.heuristic,
            &Limits::default(),
            &mut NoProgress,
        );
        let answer = serde_json::to_value(&answer).expect("an answer is JSON");
        for field in ["status", "T", "plan", "timeline", "baselines"] {
            let value = &case["answer"][field];
            assert_eq!(&answer[field], value, "{name}: {field}");
        }
    }
    let file = cases[0]["file"].to_string();
    for (old, new, path) in [
        (
            "\"devices\":[{",
            "\"devices\":[{\"off\":false,",
            "devices[0].off",
        ),
        ("\"layers\":40.0", "\"layers\":[]", "model.layers"),
    ] {
        let wrong = file.replacen(old, new, 1);
        assert_ne!(wrong, file, "{old}");
        let found = Scenario::from_json(&wrong).expect_err("format 1 has no such thing");
        assert_eq!(found.path, path, "{found}");
    }
}

#[test]
fn links_of_format_2_are_read_without_later_fields() {
    let (scenario, _) = paper();
    let written = scenario
        .to_json()
        .replacen("\"format\":3", "\"format\":2", 1);
    assert_eq!(Scenario::from_json(&written).as_ref(), Ok(&scenario));
    let link = link_of(&deflated(written.as_bytes())).replacen("/3.", "/2.", 1);
    assert_eq!(decode(&link), Ok(scenario));
    let decode = r#""decode":{"answer_tokens":9,"requests":1,"hop_ms":2,"goal":"whole-answer","least_tok_s":null}"#;
    for (old, new, path) in [
        (
            "\"link\":null}",
            "\"link\":null,\"bandwidth_gb_s\":9}",
            "devices[0].bandwidth_gb_s",
        ),
        (
            "\"link\":null}",
            "\"link\":null,\"ranges\":{\"r_mb_s\":[1,2]}}",
            "devices[0].ranges",
        ),
        ("\"title\"", &format!("{decode},\"title\""), "decode"),
        (
            "\"title\"",
            "\"ranges\":{\"prompt_tokens\":[1,2]},\"title\"",
            "ranges",
        ),
    ] {
        let wrong = written.replacen(old, new, 1);
        assert_ne!(wrong, written, "{old}");
        let found = Scenario::from_json(&wrong).expect_err("format 2 has no such thing");
        assert_eq!(found.path, path, "{found}");
    }
}

#[test]
fn settings_of_decoding_are_validated_by_field() {
    let mut written = paper().0;
    written.decode = Some(Decode::USUAL);
    for device in &mut written.devices {
        (device.memory_share, device.layer_us) = (Some(0.9), Some(100.0));
    }
    let json = written.to_json();
    assert_eq!(Scenario::from_json(&json).as_ref(), Ok(&written));
    assert_eq!(decode(&link::of(&written)), Ok(written));
    for (old, new, path) in [
        ("200.0", "0", "decode.answer_tokens"),
        ("200.0", "1.5", "decode.answer_tokens"),
        ("\"requests\":1.0", "\"requests\":0", "decode.requests"),
        ("\"hop_ms\":2.0", "\"hop_ms\":-1", "decode.hop_ms"),
        ("\"hop_ms\":2.0,", "", "decode.hop_ms"),
        ("first-answer", "last-answer", "decode.goal"),
        ("first-answer", "throughput", "decode.least_tok_s"),
        (
            "\"least_tok_s\":null",
            "\"least_tok_s\":0",
            "decode.least_tok_s",
        ),
    ] {
        let wrong = json.replacen(old, new, 1);
        assert_ne!(wrong, json, "{old}");
        let found = Scenario::from_json(&wrong).expect_err("a bad number");
        assert_eq!(found.path, path, "{found}");
    }
}
