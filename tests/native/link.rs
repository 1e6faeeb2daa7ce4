//! Links and scenario files: what was written is read, and nothing else ever passes for it.

use crate::cases::{cases, properties};
use crate::instances::Draw;
use engine::network::Relay;
use engine::problem::{Code, HeuristicReading};
use engine::scenario::link::{self, LONGEST, LinkError};
use engine::scenario::world::World;
use engine::scenario::{
    Any, BlockModel, BlockRun, Channel, ChannelPart, Device, Dimensions, FORMAT, LayerRow,
    LayerTable, Loading, Memory, Model, Question, Ranges, Scenario, WeightSource, fields, presets,
};
use proptest::prelude::*;

/// A cold-start link, opened.
pub(crate) fn decode(link: &str) -> Result<Scenario, LinkError> {
    match link::decode(link)? {
        Any::ColdStart(scenario) => Ok(*scenario),
        other => panic!("{:?} is another question", other.question()),
    }
}

/// Any number that the page accepts in a field.
fn within(field: &'static str) -> impl Strategy<Value = f64> {
    let range = fields::of(field).expect("a field of the schema");
    let any = (range.min..=range.max).prop_map(move |value| {
        if range.is_integer {
            value.round()
        } else {
            value
        }
    });
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
    (text(fields::LONGEST_NAME), numbers, rest).prop_map(|(name, n, (link, off))| Device {
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
        ..presets::paper().devices[0].clone()
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
    (text(fields::LONGEST_NAME), numbers).prop_map(|(name, n)| {
        Model::Dimensions(Dimensions {
            name,
            layers: n.0,
            d_model: n.1,
            h_q: n.2,
            h_k: n.3,
            d_head: n.4,
            d_ff: n.5,
            weights: None,
            cache: None,
        })
    })
}

#[allow(non_snake_case)] // the names of the schema
fn layer_table() -> impl Strategy<Value = Model> {
    let row = (within("W"), within("A"), within("P")).prop_map(|(W, A, P)| LayerRow { W, A, P });
    let rows = proptest::collection::vec(row, 1..=60);
    (text(fields::LONGEST_NAME), rows)
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
        experts: window.map(|_| 8.0),
        experts_used: window.map(|_| 2.0),
        expert_bytes: window.map(|_| weight_bytes / 16.0),
        ..BlockRun::default()
    });
    let runs = proptest::collection::vec(run, 1..=60);
    (text(fields::LONGEST_NAME), within("token_bytes"), runs).prop_map(
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
        text(fields::LONGEST_TITLE),
        model(),
        within("prompt_tokens"),
        channel(),
        any::<bool>(),
        0..HeuristicReading::ALL.len(),
        proptest::collection::vec(device(), 1..=fields::MOST_DEVICES),
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
                    loading: stored.then(|| Loading {
                        cached_pct: 12.5,
                        streams: true,
                        ..Loading::of(WeightSource::HostCache)
                    }),
                    ranges: Ranges::new(),
                }
            },
        )
}

proptest! {
    #![proptest_config(properties(200))]

    #[test]
    fn a_link_decodes_to_the_encoded_scenario_to_the_bit(written in scenario()) {
        prop_assert_eq!(written.validate(), Ok(()));
        let link = link::of(&written);
        let payload = link.split_once('.').map_or(0, |(_, payload)| payload.len());
        prop_assert!(payload < LONGEST, "{payload} characters");
        let read = decode(&link).map_err(|fault| TestCaseError::fail(fault.to_string()))?;
        // Texts compare bits: they tell 0.0 from -0.0 as well.
        prop_assert_eq!(read.to_json(), written.to_json());
        prop_assert_eq!(link::of(&read), link);
        prop_assert_eq!(Scenario::from_json(&written.to_json()), Ok(written));
    }
}

/// The paper's scenario and its link.
pub(crate) fn paper() -> (Scenario, String) {
    let scenario = presets::paper();
    let link = link::of(&scenario);
    (scenario, link)
}

#[test]
fn a_link_is_short_and_of_letters_that_every_program_keeps() {
    let (_, link) = paper();
    assert!(link.len() < 700, "{} characters", link.len());
    let rest = link
        .strip_prefix("#cold-start/4.")
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
    let start = "#cold-start/4.".len();
    assert_eq!(decode(&link), Ok(scenario.clone()));
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
    let newer = link.replacen("/4.", "/5.", 1);
    assert_eq!(decode(&newer), Err(LinkError::Newer { got: 5, known: 4 }));
    let older = link.replacen("/4.", "/1.", 1);
    let (outside, inside) = (1, 4);
    assert_eq!(
        decode(&older),
        Err(LinkError::TwoFormats { outside, inside })
    );
    for bad in ["0", "01x", "-1", "", "99999999999999999999"] {
        let wrong = link.replacen("/4.", &format!("/{bad}."), 1);
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
pub(crate) fn link_of(packed: &[u8]) -> String {
    use base64::Engine;
    let payload = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(packed);
    format!("#cold-start/3.{payload}")
}

pub(crate) fn deflated(text: &[u8]) -> Vec<u8> {
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
fn a_plain_link_is_the_scenario_in_percents() {
    let world = World::of(&presets::paper().into());
    let plain = link::encode_plain(&world);
    assert!(plain.starts_with("#json=%7B"), "{}", &plain[..40]);
    assert_eq!(
        link::open(&plain),
        Ok(link::open(&link::encode(&world)).expect("it opens"))
    );
    // Written by a script, or by hand without encoding anything.
    let json = world.to_json();
    for written in [
        format!("#json={json}"),
        format!("https://example.org/edgewise/#json={json}"),
        format!("{plain}."),
        format!("({plain})"),
        plain.replacen("%2C", "%2C\n", 3),
    ] {
        assert_eq!(
            link::open(&written).map(|world| world.to_json()),
            link::open(&plain).map(|world| world.to_json())
        );
    }
    let cut = &plain[..plain.len() / 2];
    assert!(
        matches!(link::open(cut), Err(LinkError::CutShort { .. })),
        "{:?}",
        link::open(cut)
    );
    let odd = link::open("#json=%7B%22question%22%3A7%7D").expect_err("it is no scenario");
    assert!(odd.to_string().contains("question"), "{odd}");
    assert!(link::open(&format!("#json={}", "%20".repeat(400_000))).is_err());
}

#[test]
fn what_chats_and_mails_add_does_not_break_a_link() {
    let world = World::of(&presets::paper().into());
    let short = format!("https://example.org/{}", link::encode(&world));
    let middle = short.len() / 2;
    for wrapped in [
        format!("{short}."),
        format!("({short})"),
        format!("<{short}>"),
        format!("{short}),"),
        format!("\u{201c}{short}\u{201d}."),
        format!("{}\r\n {}", &short[..middle], &short[middle..]),
    ] {
        assert_eq!(link::open(&wrapped), link::open(&short), "{wrapped}");
    }
}
