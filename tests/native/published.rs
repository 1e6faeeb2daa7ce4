//! Our figures next to the published ones are computed, and so is every figure in their sentences.

use crate::data_table::records;
use document::{Cell, Claims};
use engine::network::Relay;
use engine::papers::CSGO;
use engine::problem::{ColdStart, HeuristicReading, LayerNumbers, MachineNumbers};
use engine::scenario::{Scenario, presets};
use engine::solve::{Limits, NoProgress};
use planner::cold_start::{Answer, ColdStartMethod, Summary, answer, summary};
use planner::readings::readings;
use presenters::published::{
    self, Agreement, Figure, LENGTHS, TRIED, TriedReading, claims, notes, tried_table,
};

fn asked(scenario: &Scenario, lengths: &[f64]) -> Vec<(ColdStart, Answer)> {
    let problems = lengths.iter().map(|t| scenario.problem_at(*t));
    problems
        .map(|problem| answered(problem.expect("the scenario is valid")))
        .collect()
}

fn answered(problem: ColdStart) -> (ColdStart, Answer) {
    let answer = answer(
        &problem,
        ColdStartMethod::Exact,
        HeuristicReading::Rate,
        &Limits::default(),
        &mut NoProgress,
    );
    (problem, answer)
}

/// Whether a value rounds to a printed one, which has two decimals at most.
fn rounds_to(value: f64, printed: f64) -> bool {
    let decimals = (0..=2).find(|d| {
        let scaled = printed * 10_f64.powi(*d);
        (scaled - scaled.round()).abs() < 1e-9
    });
    let half = 0.5 / 10_f64.powi(decimals.expect("two decimals at most"));
    (value - printed).abs() <= half * (1.0 + 1e-6)
}

#[test]
fn the_papers_claims_are_shown_next_to_figures_of_the_solver() {
    let paper = asked(&presets::paper(), &LENGTHS);
    let claims = claims(&paper, None);
    let gains = summary(paper.iter().map(|(_, answer)| answer));
    let gains = gains.paper_reading.expect("the paper's reading");
    let told: Vec<(String, String)> = claims
        .iter()
        .map(|c| (plain(&c.ours.text()), c.agreement.text()))
        .collect();
    let row = |ours: &str, agreement: &str| (ours.to_owned(), agreement.to_owned());
    assert_eq!(
        told,
        [
            row("8.82 %", "Within 1 point"),
            row("58.20 %", "Not reproduced"),
            row("18.51 %", "1.1 points off"),
            row("yes", "Agrees"),
            row("yes", "Agrees"),
            row("yes", "Agrees"),
        ]
    );
    let published: Vec<Figure> = CSGO.rows().iter().map(Figure::published).collect();
    assert_eq!(
        claims.iter().map(|c| c.published).collect::<Vec<_>>(),
        published
    );
    assert_eq!(claims[0].ours, Figure::percent(gains.gain_min_pct));
    assert_eq!(claims[1].ours, Figure::percent(gains.gain_max_pct));
    assert_eq!(claims[2].ours, Figure::percent(gains.gain_vs_best_mean_pct));
    assert_eq!(
        claims.iter().map(|c| plain(&c.reason)).collect::<Vec<_>>(),
        [
            "Over the heuristic at 256 tokens.",
            "Over one device alone at 256 tokens; 49.66 % at 2048 tokens. No reading of the heuristic changes it.",
            "It depends on how the heuristic is read; the table below has all ten readings.",
            "",
            "One device alone overtakes both between 4096 and 8192 tokens.",
            "D1 holds 15 layers at 256 tokens and 27 at 8192, D4 5 and 0."
        ]
    );
    let notes = notes(&paper);
    let (reproduced, chosen) = (plain(&notes[0]), plain(&notes[1]));
    let largest = CSGO.row("largest").printed(0);
    let words = format!(": {largest} % published, 58.20 % here, not reproduced. Mean gain");
    assert!(reproduced.contains(&words), "{reproduced}");
    assert!(
        chosen.contains("does not independently confirm"),
        "{chosen}"
    );
}

#[test]
fn a_figure_that_moves_moves_its_agreement() {
    let mut slow = presets::paper();
    for device in &mut slow.devices {
        device.r_mb_s *= 100.0;
    }
    let claims = claims(&asked(&slow, &LENGTHS), None);
    assert_ne!(claims[0].agreement, Agreement::WithinOnePoint);
    assert_eq!(
        claims[4].agreement,
        Agreement::NotReproduced,
        "{}",
        claims[4].reason
    );
}

#[test]
fn scenarios_without_an_answer_are_not_compared() {
    let paper = asked(&presets::paper(), &LENGTHS[..5]);
    let too_big = presets::named("csgo-too-big").expect("a preset").scenario;
    for part in [Vec::new(), paper.clone()] {
        let table = published::readings(&readings(&part));
        assert_eq!(table.rows.len(), 10);
        for row in table.rows {
            assert_eq!(row.len(), table.columns.len());
            assert!(
                row[1..].iter().all(|cell| *cell == Cell::Missing),
                "{row:?}"
            );
        }
    }
    for part in [paper, asked(&too_big, &LENGTHS)] {
        for claim in claims(&part, None) {
            assert_eq!(claim.ours, Figure::Missing, "{}", claim.name);
            assert_eq!(claim.agreement, Agreement::NotComparable);
        }
    }
}

#[test]
fn the_same_figures_of_another_scenario_are_shown_as_well() {
    let paper = asked(&presets::paper(), &LENGTHS);
    let mut narrow = presets::paper();
    narrow.channel.B_mhz = 40.0;
    let claims = claims(&paper, Some(&asked(&narrow, &LENGTHS)));
    let yours: Vec<String> = claims.iter().map(|c| plain(&c.yours.text())).collect();
    assert_eq!(yours[..3], ["10.40 %", "57.13 %", "14.89 %"]);
    let told = claims.iter().map(published::claim_row).collect();
    let table = Claims::new("published", "Published beside ours", told).table();
    assert_eq!(table.rows[0][5], Cell::Number(pct(claims[0].yours), 2));
}

fn pct(figure: Figure) -> f64 {
    match figure {
        Figure::Percent(value, _) => value,
        other => panic!("{other:?} is no percentage"),
    }
}

#[test]
fn ten_readings_of_the_heuristic_in_one_table() {
    let paper = asked(&presets::paper(), &LENGTHS);
    let table = published::readings(&readings(&paper));
    let data = include_str!("../data/csgo_heuristic_readings.csv");
    let (heads, rows) = records(data);
    assert_eq!((rows.len(), table.rows.len()), (10, 10));
    let keys = [
        ("reading", "reading"),
        ("split_256", "split_256"),
        ("split_8192", "split_8192"),
        ("t256", "t256_s"),
        ("t512", "t512_s"),
        ("t1024", "t1024_s"),
        ("t2048", "t2048_s"),
        ("t4096", "t4096_s"),
        ("t8192", "t8192_s"),
        ("min", "gain_min_pct"),
        ("max", "gain_max_pct"),
        ("mean", "gain_mean_pct"),
    ];
    assert_eq!(table.columns.len(), keys.len());
    for (row, cells) in rows.iter().zip(&table.rows) {
        for (head, key) in keys {
            let at = heads.iter().position(|h| h == head).expect(head);
            let column = table.columns.iter().position(|c| c.key == key).expect(key);
            let cell = cells[column].display_text();
            assert_eq!(
                cell.trim_end_matches(" (default)"),
                &row[at],
                "{head} of {}",
                &row[0]
            );
        }
    }
}

/// The paper's problem with its numbers changed.
fn changed(tokens: f64, change: impl Fn(&mut MachineNumbers)) -> ColdStart {
    let problem = presets::paper().problem_at(tokens).expect("valid");
    let layers: Vec<LayerNumbers> = problem
        .layers()
        .iter()
        .map(|layer| LayerNumbers {
            work: layer.work.get(),
            activation: layer.activation.get(),
            weights: layer.weights.get(),
        })
        .collect();
    let machines: Vec<MachineNumbers> = problem
        .machines()
        .iter()
        .map(|m| {
            let mut numbers = MachineNumbers {
                name: m.name.clone(),
                compute: m.compute.get(),
                peak: Some(m.peak.get()),
                disk: m.disk.get(),
                up: m.up.get(),
                down: m.down.get(),
                memory: m.memory.get(),
            };
            change(&mut numbers);
            numbers
        })
        .collect();
    ColdStart::new(&layers, &machines, Relay::SlowerHop).expect("valid")
}

#[test]
fn an_applied_change_gives_the_stated_answer() {
    let with = |change: fn(&mut Scenario)| {
        let mut scenario = presets::paper();
        change(&mut scenario);
        asked(&scenario, &LENGTHS)
    };
    let numbers = |change: fn(&mut MachineNumbers)| -> Vec<(ColdStart, Answer)> {
        LENGTHS
            .iter()
            .map(|t| answered(changed(*t, change)))
            .collect()
    };
    let grid: Vec<f64> = (1..=32).map(|step| f64::from(256 * step)).collect();
    let found = [
        with(|s| s.relay = Relay::StoreAndForward),
        with(|s| s.channel.B_mhz = 40.0),
        numbers(|m| (m.up, m.down) = (8.0 * m.up, 8.0 * m.down)),
        with(|s| {
            s.devices
                .iter_mut()
                .for_each(|d| d.m_gb *= f64::from(1 << 30) / 1e9)
        }),
        asked(&presets::paper(), &grid),
        numbers(|m| {
            m.compute *= 0.35;
            m.peak = m.peak.map(|peak| 0.35 * peak);
            (m.up, m.down) = (0.5 * m.up, 0.5 * m.down);
        }),
    ];
    for (
        TriedReading {
            assumption: what,
            min,
            max,
            mean,
        },
        asked,
    ) in TRIED.into_iter().zip(found)
    {
        let Summary {
            gain_min_pct,
            gain_max_pct,
            gain_vs_best_mean_pct,
            ..
        } = *summary(asked.iter().map(|(_, answer)| answer))
            .paper_reading
            .expect("the paper's reading");
        for (found, printed) in [
            (gain_min_pct, min),
            (gain_max_pct, max),
            (gain_vs_best_mean_pct, mean),
        ] {
            let found = found.expect("a gain");
            assert!(
                rounds_to(found, printed),
                "{what}: {found}, printed {printed}"
            );
        }
    }
    assert_eq!(tried_table().rows.len(), 1 + TRIED.len());
}

fn plain(text: &str) -> String {
    text.replace(['\u{202f}', '\u{a0}'], " ")
}
