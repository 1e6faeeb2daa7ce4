//! Links and scenario files: what was written is read, and nothing else ever passes for it.

use crate::cases::{cases, properties};
use crate::instances::Draw;
use engine::network::Relay;
use engine::problem::{Code, HeuristicReading};
use engine::scenario::Any;
use engine::scenario::link::{self, LONGEST, LinkError, encode};
use engine::scenario::{
    BlockModel, BlockRun, Channel, ChannelPart, Decode, Device, Dimensions, FORMAT, LayerRow,
    LayerTable, Memory, Model, Question, Ranges, Scenario, presets, ranges,
};
use engine::solve::{Deaf, Limits};
use job::cold_start::{Method, answer};
use proptest::prelude::*;

/// A cold-start link, opened.
fn decode(link: &str) -> Result<Scenario, LinkError> {
    match link::decode(link)? {
        Any::ColdStart(scenario) => Ok(*scenario),
        other => panic!("{:?} is another question", other.question()),
    }
}

/// Any number that the page accepts in a field.
fn within(field: &'static str) -> impl Strategy<Value = f64> {
    let range = ranges::of(field).expect("a field of the schema");
    let any = (range.min..=range.max).prop_map(
        move |value| {
            if range.whole { value.round() } else { value }
        },
    );
    prop_oneof![8 => any, 1 => Just(range.min), 1 => Just(range.max)]
}

/// Any text that the page accepts, in every script.
fn text(longest: usize) -> impl Strategy<Value = String> {
    let letter = any::<char>().prop_filter("on one line", |c| !c.is_control());
    proptest::collection::vec(letter, 0..=longest).prop_map(|letters| letters.into_iter().collect())
}

#[allow(non_snake_case)] // the names of the schema
fn channel() -> impl Strategy<Value = Channel> {
    (
        within("mu"),
        within("B_mhz"),
        within("N0_dbm_hz"),
        within("d0_m"),
        within("zeta"),
        within("beta0_db"),
    )
        .prop_map(|(mu, B_mhz, N0_dbm_hz, d0_m, zeta, beta0_db)| Channel {
            mu,
            B_mhz,
            N0_dbm_hz,
            d0_m,
            zeta,
            beta0_db,
        })
}

fn own_channel() -> impl Strategy<Value = Option<ChannelPart>> {
    let part = (channel(), any::<[bool; 6]>()).prop_map(|(c, set)| ChannelPart {
        mu: set[0].then_some(c.mu),
        B_mhz: set[1].then_some(c.B_mhz),
        N0_dbm_hz: set[2].then_some(c.N0_dbm_hz),
        d0_m: set[3].then_some(c.d0_m),
        zeta: set[4].then_some(c.zeta),
        beta0_db: set[5].then_some(c.beta0_db),
    });
    proptest::option::of(part)
}

fn device() -> impl Strategy<Value = Device> {
    let numbers = (
        within("c_peak_tflops"),
        within("a"),
        within("b"),
        within("r_mb_s"),
        within("m_gb"),
        within("pu_dbm"),
        within("pd_dbm"),
        within("d_m"),
    );
    let rest = (own_channel(), proptest::bool::weighted(0.2));
    (text(ranges::LONGEST_NAME), numbers, rest).prop_map(|(name, n, (link, off))| Device {
        name,
        off,
        c_peak_tflops: n.0,
        a: n.1,
        b: n.2,
        r_mb_s: n.3,
        m_gb: n.4,
        pu_dbm: n.5,
        pd_dbm: n.6,
        d_m: n.7,
        link,
        bandwidth_gb_s: None,
        ranges: Ranges::new(),
    })
}

fn model() -> impl Strategy<Value = Model> {
    prop_oneof![4 => dimensions(), 1 => layer_table(), 1 => blocks()]
}

fn dimensions() -> impl Strategy<Value = Model> {
    let numbers = (
        within("layers"),
        within("d_model"),
        within("h_q"),
        within("h_k"),
        within("d_head"),
        within("d_ff"),
    );
    (text(ranges::LONGEST_NAME), numbers).prop_map(|(name, n)| {
        Model::Dimensions(Dimensions {
            name,
            layers: n.0,
            d_model: n.1,
            h_q: n.2,
            h_k: n.3,
            d_head: n.4,
            d_ff: n.5,
        })
    })
}

#[allow(non_snake_case)] // the names of the schema
fn layer_table() -> impl Strategy<Value = Model> {
    let row = (within("W"), within("A"), within("P")).prop_map(|(W, A, P)| LayerRow { W, A, P });
    let rows = proptest::collection::vec(row, 1..=60);
    (text(ranges::LONGEST_NAME), rows)
        .prop_map(|(name, layers)| Model::Table(LayerTable { name, layers }))
}

fn blocks() -> impl Strategy<Value = Model> {
    let run = (
        within("weight_bytes"),
        within("token_flop"),
        within("pair_flop"),
        proptest::option::of(within("window")),
    );
    let run = run.prop_map(|(weight_bytes, token_flop, pair_flop, window)| BlockRun {
        repeat: 3.0,
        weight_bytes,
        token_flop,
        pair_flop,
        window,
        kv_bytes: window.map(|window| 0.5 * window),
    });
    let runs = proptest::collection::vec(run, 1..=60);
    (text(ranges::LONGEST_NAME), within("token_bytes"), runs).prop_map(
        |(name, token_bytes, blocks)| {
            Model::Blocks(BlockModel {
                name,
                token_bytes,
                blocks,
            })
        },
    )
}

fn scenario() -> impl Strategy<Value = Scenario> {
    (
        text(ranges::LONGEST_TITLE),
        model(),
        within("prompt_tokens"),
        channel(),
        any::<bool>(),
        0..HeuristicReading::ALL.len(),
        proptest::collection::vec(device(), 1..=ranges::MOST_DEVICES),
    )
        .prop_map(
            |(title, model, prompt_tokens, channel, stored, reading, mut devices)| {
                devices[0].off = false; // one is always on
                Scenario {
                    format: FORMAT,
                    question: Question::ColdStart,
                    title,
                    model,
                    prompt_tokens,
                    channel,
                    relay: if stored {
                        Relay::StoreAndForward
                    } else {
                        Relay::SlowerHop
                    },
                    heuristic: HeuristicReading::ALL[reading],
                    devices,
                    decode: None,
                    memory: stored.then_some(Memory::USUAL),
                    ranges: Ranges::new(),
                }
            },
        )
}

proptest! {
    #![proptest_config(properties(200))]

    #[test]
    fn what_a_link_says_is_what_was_written_to_the_bit(written in scenario()) {
        prop_assert_eq!(written.validate(), Ok(()));
        let link = encode(&written);
        let payload = link.split_once('.').map_or(0, |(_, payload)| payload.len());
        prop_assert!(payload < LONGEST, "{payload} characters");
        let read = decode(&link).map_err(|fault| TestCaseError::fail(fault.to_string()))?;
        // Texts compare bits: they tell 0.0 from -0.0 as well.
        prop_assert_eq!(read.to_json(), written.to_json());
        prop_assert_eq!(encode(&read), link);
        prop_assert_eq!(Scenario::from_json(&written.to_json()), Ok(written));
    }
}

/// The paper's scenario and its link.
fn paper() -> (Scenario, String) {
    let scenario = presets::paper();
    let link = encode(&scenario);
    (scenario, link)
}

#[test]
fn a_link_is_short_and_of_letters_that_every_program_keeps() {
    let (_, link) = paper();
    assert!(link.len() < 700, "{} characters", link.len());
    let rest = link
        .strip_prefix("#cold-start/3.")
        .expect("question and format");
    assert!(
        rest.chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
    );
}

#[test]
fn a_fragment_without_its_sign_and_a_whole_address_are_read() {
    let (scenario, link) = paper();
    for form in [
        link.clone(),
        link[1..].to_owned(),
        format!("  {link}\n"),
        format!("https://example.org/edgewise/{link}"),
        format!("http://127.0.0.1:8080/?x=1{link}"),
        format!("file:///home/me/a%23b/index.html{link}"),
    ] {
        assert_eq!(decode(&form).as_ref(), Ok(&scenario), "{form}");
    }
}

#[test]
fn no_truncation_of_a_link_reads_as_another_scenario() {
    let (scenario, link) = paper();
    let mut passed = 0;
    for end in 0..link.len() {
        match decode(&link[..end]) {
            // Only the checksum is gone, which another program would not have written.
            Ok(read) => {
                assert_eq!(read, scenario, "cut to {end}");
                passed += 1;
            }
            Err(fault) => {
                let in_payload = end > "#cold-start/3.".len();
                assert!(
                    !in_payload || matches!(fault, LinkError::CutShort { .. }),
                    "cut to {end}: {fault}"
                );
            }
        }
    }
    assert!(passed <= 1, "{passed} truncations were read");
}

#[test]
fn no_single_wrong_character_changes_a_scenario_in_silence() {
    let (scenario, link) = paper();
    let letters: Vec<char> = ('0'..='9')
        .chain('A'..='Z')
        .chain('a'..='z')
        .chain("-_#/.= \u{e9}".chars())
        .collect();
    let (mut refused, mut harmless) = (0, 0);
    for at in 0..link.len() {
        for &letter in &letters {
            let mut wrong: Vec<char> = link.chars().collect();
            if wrong[at] == letter {
                continue;
            }
            wrong[at] = letter;
            match decode(&wrong.into_iter().collect::<String>()) {
                Ok(read) => {
                    assert_eq!(read, scenario, "{letter:?} at {at}");
                    harmless += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(
        refused > 100 * harmless,
        "{refused} refused, {harmless} harmless"
    );
}

#[test]
fn two_wrong_characters_or_two_swapped_change_nothing_in_silence() {
    let (scenario, link) = paper();
    let start = "#cold-start/3.".len();
    let mut draw = Draw::new(31);
    for _ in 0..cases(5_000) {
        let mut wrong = link.clone().into_bytes();
        let (a, b) = (
            draw.whole(start, link.len() - 1),
            draw.whole(start, link.len() - 1),
        );
        if draw.one_in(2) {
            wrong.swap(a, b);
        } else {
            wrong[a] = b'A' + draw.below(26) as u8;
            wrong[b] = b'a' + draw.below(26) as u8;
        }
        let wrong = String::from_utf8(wrong).expect("ASCII");
        if let Ok(read) = decode(&wrong) {
            assert_eq!(read, scenario, "{wrong}");
        }
    }
}

#[test]
fn a_link_of_a_newer_format_or_of_another_question_says_so() {
    let (_, link) = paper();
    let newer = link.replacen("/3.", "/4.", 1);
    assert_eq!(decode(&newer), Err(LinkError::Newer { got: 4, known: 3 }));
    let older = link.replacen("/3.", "/1.", 1);
    let (outside, inside) = (1, 3);
    assert_eq!(
        decode(&older),
        Err(LinkError::TwoFormats { outside, inside })
    );
    for bad in ["0", "01x", "-1", "", "99999999999999999999"] {
        let wrong = link.replacen("/3.", &format!("/{bad}."), 1);
        assert!(
            matches!(decode(&wrong), Err(LinkError::BadFormat(_))),
            "{bad:?}"
        );
    }
    let other = link.replacen("cold-start", "warm-start", 1);
    assert_eq!(
        decode(&other),
        Err(LinkError::UnknownQuestion("warm-start".into()))
    );
    for nothing in [
        "",
        "#",
        "https://example.org/",
        "#top",
        "#cold-start",
        "#cold-start/1",
    ] {
        assert_eq!(decode(nothing), Err(LinkError::NoScenario), "{nothing:?}");
    }
}

/// A link whose payload is these bytes.
fn link_of(packed: &[u8]) -> String {
    use base64::Engine;
    let payload = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(packed);
    format!("#cold-start/3.{payload}")
}

fn deflated(text: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec(text, 9)
}

#[test]
fn a_link_without_the_checksum_is_read_and_one_with_a_wrong_checksum_is_not() {
    let (scenario, _) = paper();
    let mut packed = deflated(scenario.to_json().as_bytes());
    assert_eq!(decode(&link_of(&packed)), Ok(scenario));
    packed.extend([1, 2, 3, 4]);
    assert!(matches!(
        decode(&link_of(&packed)),
        Err(LinkError::Damaged { .. })
    ));
    packed.extend([5; 40]);
    assert!(matches!(
        decode(&link_of(&packed)),
        Err(LinkError::Damaged { .. })
    ));
}

#[test]
fn a_link_of_a_million_characters_is_not_looked_at() {
    let long = format!("#cold-start/3.{}", "A".repeat(1 << 20));
    assert_eq!(decode(&long), Err(LinkError::TooLong { got: 1 << 20 }));
    let limit = format!("#cold-start/3.{}", "A".repeat(LONGEST));
    assert!(!matches!(decode(&limit), Err(LinkError::TooLong { .. })));
}

#[test]
fn a_small_link_that_unpacks_to_very_much_is_stopped() {
    let bomb = link_of(&deflated(&vec![b' '; 40 << 20]));
    assert!(bomb.len() < LONGEST, "{}", bomb.len());
    assert_eq!(decode(&bomb), Err(LinkError::Bomb));
}

#[test]
fn a_link_that_holds_something_else_says_what_is_wrong_with_it() {
    let fault = |text: &str| match decode(&link_of(&deflated(text.as_bytes()))) {
        Err(LinkError::Scenario(fault)) => fault,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(fault("{}").code, Code::Missing);
    assert_eq!(fault("[]").code, Code::Type);
    assert_eq!(fault("hello").code, Code::Syntax);
    assert_eq!(fault("").code, Code::Syntax);
    let json = presets::paper().to_json();
    let wrong = json.replacen("\"mu\":0.5", "\"mu\":-0.5", 1);
    assert_eq!(fault(&wrong).path, "channel.mu");
    let binary = link_of(&deflated(&[0xff, 0xfe, 0x00]));
    assert!(matches!(decode(&binary), Err(LinkError::Damaged { .. })));
    for noise in [&[0xff; 20][..], &[0x06; 9], &[7, 7, 7]] {
        assert!(decode(&link_of(noise)).is_err(), "{noise:?}");
    }
}

#[test]
fn a_scenario_file_is_refused_by_field_version_and_kind() {
    let json = presets::paper().to_json();
    let fault = |old: &str, new: &str| {
        assert!(json.contains(old), "{old}");
        let wrong = json.replacen(old, new, 1);
        Scenario::from_json(&wrong).expect_err("a bad scenario")
    };
    for (old, new, code, path) in [
        ("\"format\":3", "\"format\":4", Code::Link, "format"),
        (
            "\"format\":3",
            "\"format\":4,\"new\":0",
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
    for newer in ["\"format\":4", "\"format\":4,\"new\":0"] {
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
    scenario.devices = vec![device; ranges::MOST_DEVICES];
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
    scenario.model = long_table(ranges::MOST_LAYERS, &mut draw);
    let device = scenario.devices[0].clone();
    scenario.devices = vec![device; ranges::MOST_DEVICES];
    for device in &mut scenario.devices {
        let name = |_| char::from_u32(draw.whole(0x1_f300, 0x1_f5ff) as u32).unwrap_or('x');
        device.name = (0..ranges::LONGEST_NAME).map(name).collect();
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
    let link = encode(&scenario);
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
fn what_format_1_wrote_is_read_and_answered_with_the_same_bits() {
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
            Method::Exact,
            scenario.heuristic,
            &Limits::default(),
            &mut Deaf,
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
fn what_format_2_wrote_is_read_and_says_nothing_that_came_later() {
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
fn what_follows_the_first_answer_is_checked_by_field() {
    let mut written = paper().0;
    written.decode = Some(Decode::USUAL);
    let json = written.to_json();
    assert_eq!(Scenario::from_json(&json).as_ref(), Ok(&written));
    assert_eq!(decode(&encode(&written)), Ok(written));
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
