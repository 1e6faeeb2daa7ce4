//! What reading the weights of a plan from disk takes in joules: said of a device, answered for a plan, and no plan depends on it.

use crate::cli::{SMALL, edgewise, solve};
use engine::scenario::{Scenario, difference, link, presets};
use serde_json::{Value, json};

/// The small problem of the command line with energies per byte of both disks.
fn small(first: &str, second: &str) -> String {
    let with = |text: String, old: &str, energy: &str| {
        assert!(text.contains(old), "{old}");
        text.replacen(old, &format!("{old}{energy}"), 1)
    };
    let text = with(SMALL.to_owned(), "\"name\":\"slow\"", first);
    with(text, "\"name\":\"fast\"", second)
}

#[test]
fn energy_is_weights_times_energy_per_byte_over_the_devices_in_use() {
    // Layer 1, 1 GB, on the slow device at 1.5 J/GB; layer 2, 2 GB, on the fast one at 0.8 J/GB.
    let known = small(",\"j_per_b\":1.5e-9", ",\"j_per_b\":8e-10");
    let answer = solve(&known).json();
    assert_eq!(answer["plan"], json!([[0, 1, 1], [1, 2, 2]]));
    let near = |value: &Value, joules: f64| {
        let found = value.as_f64().unwrap_or(f64::NAN);
        assert!((found - joules).abs() < 1e-12, "{value} is not {joules}");
    };
    near(&answer["load_energy_j"], 3.1);
    near(&answer["timeline"][0]["load_j"], 1.5);
    near(&answer["timeline"][1]["load_j"], 1.6);
    let planned = known.replacen('{', "{\"plan\":[[1,1,2]],", 1);
    let scored = edgewise(&["evaluate", "cold-start"], planned).json();
    near(&scored["load_energy_j"], 2.4);

    // One device in use does not say it: the sum is not known, the other stage is.
    let half = solve(&small(",\"j_per_b\":1.5e-9", "")).json();
    assert_eq!(half.get("load_energy_j"), None);
    near(&half["timeline"][0]["load_j"], 1.5);
    assert_eq!(half["timeline"][1].get("load_j"), None);
    // Nothing else of the answer knows it.
    let none = solve(SMALL).json();
    for field in ["T", "bound", "plan", "baselines", "ordered"] {
        assert_eq!(answer[field], none[field], "{field}");
    }
}

#[test]
fn a_problem_file_names_an_energy_that_cannot_be() {
    let fault = |text: &str| {
        let ran = solve(text);
        assert_eq!(ran.code, 2, "{ran:?}");
        let fault = ran.json()["error"].clone();
        [&fault["path"], &fault["value"]].map(Value::to_string)
    };
    let wrong = small("", ",\"j_per_b\":-1");
    assert_eq!(fault(&wrong), ["\"devices[1].j_per_b\"", "-1.0"]);
    let device = r#""c_peak_tflops":1,"a":0.5,"b":0.001,"r_mb_s":1000,"m_gb":9,"pu_dbm":20,"pd_dbm":25,"d_m":1"#;
    let high = |energy: &str| {
        let model = r#"{"layers":2,"d_model":512,"h_q":8,"h_k":8,"d_head":64,"d_ff":2048}"#;
        let channel =
            r#"{"mu":0.5,"B_mhz":160,"N0_dbm_hz":-174,"d0_m":1,"zeta":3,"beta0_db":-47.2}"#;
        let device = format!("{{{device},\"disk_j_per_gb\":{energy}}}");
        format!(r#"{{"model":{model},"tokens":[64,128],"link":{channel},"devices":[{device}]}}"#)
    };
    assert_eq!(fault(&high("-2")), ["\"devices[0].disk_j_per_gb\"", "-2.0"]);
    let rows = solve(&high("1e9")).json();
    let weights = rows["rows"][0]["timeline"][0]["load_j"].as_f64();
    // A joule for each byte of the weights, at either length: two blocks of 2 (4 d² + 3 d f) bytes.
    let bytes = 2.0 * 2.0 * (4.0 * 512.0 * 512.0 + 3.0 * 512.0 * 2048.0);
    assert_eq!(weights, Some(bytes));
    assert_eq!(rows["rows"][1]["load_energy_j"], json!(bytes));
}

/// The paper's fleet with energies of these disks.
fn paper(energies: [Option<f64>; 4]) -> Scenario {
    let mut scenario = presets::paper();
    for (device, energy) in scenario.devices.iter_mut().zip(energies) {
        device.disk_j_per_gb = energy;
    }
    scenario
}

/// What the command line says of a scenario.
fn told(scenario: &Scenario, format: &str) -> String {
    let link = link::of(scenario);
    let ran = edgewise(&["run", &link, "--format", format], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.out.replace('\u{202f}', " ")
}

#[test]
fn a_scenario_says_it_in_words_and_tables() {
    // D3, D4, D1, D2 take 7, 5, 15 and 13 blocks of 660 602 880 bytes.
    let all = paper([1.0, 2.0, 3.0, 4.0].map(Some));
    let joules = 0.660_602_88 * (15.0 + 2.0 * 13.0 + 3.0 * 7.0 + 4.0 * 5.0);
    let words = told(&all, "text");
    let sentence = "Reading the weights of this plan from disk takes 54.2 J.";
    assert!(words.contains(sentence), "{words}");
    let answer: Value = serde_json::from_str(&told(&all, "json")).expect("JSON");
    let found = answer["load_energy_j"].as_f64().expect("all say it");
    assert!((found - joules).abs() < 1e-9, "{found}");
    let table = told(&all, "csv");
    let head = table.lines().next().unwrap_or_default();
    assert!(head.ends_with(",load energy [J]"), "{head}");

    let some = paper([Some(1.0), None, Some(3.0), None]);
    let words = told(&some, "text");
    let sentence = "is unknown: no disk energy is given for D4 and D2.";
    assert!(words.contains(sentence), "{words}");

    // Where nobody says it, nothing is said; and a link has the bytes that it had.
    let none = paper([None; 4]);
    assert_eq!(link::of(&none), link::of(&presets::paper()));
    for format in ["text", "json", "csv"] {
        let said = told(&none, format);
        assert!(
            ["disk energy", "load energy", "load_energy"]
                .iter()
                .all(|word| !said.contains(word)),
            "{said}"
        );
    }
}

#[test]
fn undo_names_ranges_and_files_have_it_from_its_row() {
    let (old, ids) = (presets::paper(), [0, 1, 2, 3]);
    let new = paper([None, Some(1.5), None, None]);
    let step = |a: &Scenario, b: &Scenario| difference((a, &ids), (b, &ids));
    assert_eq!(step(&old, &new), "D2 disk energy 1.5 J/GB");
    assert_eq!(step(&new, &old), "D2 disk energy unknown");
    let labels: Vec<String> = new.inputs().into_iter().map(|input| input.label).collect();
    assert!(labels.contains(&"D2 disk energy".to_owned()), "{labels:?}");
    assert_eq!(Scenario::from_json(&new.to_json()), Ok(new.clone()));
    assert_eq!(link::decode(&link::of(&new)), Ok(new.clone().into()));
    let wrong = new
        .to_json()
        .replacen("\"disk_j_per_gb\":1.5", "\"disk_j_per_gb\":-1", 1);
    let fault = Scenario::from_json(&wrong).expect_err("energy is not negative");
    assert_eq!(fault.path, "devices[1].disk_j_per_gb");
    let older = new.to_json().replacen("\"format\":3", "\"format\":2", 1);
    let fault = Scenario::from_json(&older).expect_err("format 2 has no such number");
    assert_eq!(fault.path, "devices[1].disk_j_per_gb");
    assert_eq!(
        engine::scenario::fields::parse("disk_j_per_gb", "250 pJ/bit"),
        Ok(2.0)
    );
}
