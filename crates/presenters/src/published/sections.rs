//! The sections of every question: what page and command line show of the figures that its paper publishes.

use super::hyperion_runs as runs;
use super::memorianova_split as split;
use super::section::{Make, TablePart, TableSection};
use super::{cold_start, disco, headwise, hyperion, memorianova};
use engine::papers::{CSGO, DISCO, HEADWISE, HYPERION, MEMORIANOVA};
use engine::problem::ColdStart;
use engine::scenario::{Scenario, presets};
use planner::cold_start::Answer;
use planner::operators::{OrderCase, SplitCase};
use planner::{dispatch_published, heads_published, tiers_published};

/// Notes that are the same whatever is known.
fn notes(notes: &[&str]) -> Vec<String> {
    notes.iter().map(|note| (*note).to_owned()).collect()
}

/// Results behind the figures about cold starts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ColdStarts {
    /// The paper’s own scenario at [`cold_start::LENGTHS`], as far as it has been answered.
    pub paper: Vec<(ColdStart, Answer)>,
    /// Another scenario at the same lengths; empty until all of them are answered.
    pub yours: Option<Vec<(ColdStart, Answer)>>,
}

/// Returns true if a scenario is the paper’s, whatever its prompt length and title.
#[must_use]
pub fn is_paper(scenario: &Scenario) -> bool {
    let paper = presets::paper();
    let alike = Scenario {
        prompt_tokens: paper.prompt_tokens,
        title: paper.title.clone(),
        ..scenario.clone()
    };
    alike == paper
}

/// Returns the subject of the figures about cold starts.
const fn cold_start_about(known: &ColdStarts) -> &'static str {
    if known.yours.is_none() {
        "The paper\u{2019}s own scenario, Qwen3-14B on the four devices of Table 1, which is yours; 256 to 8192 tokens."
    } else {
        "The paper\u{2019}s own scenario, Qwen3-14B on the four devices of Table 1, whatever yours is; 256 to 8192 \
         tokens. Yours is different: its figures are shown as well, and are not comparable with the published ones."
    }
}

/// Cold start: claims, readings of the heuristic, what else was tried.
pub const COLD_START: TableSection<ColdStarts> = TableSection {
    about: cold_start_about,
    tables: &[
        TablePart::claims("claims", "Published beside ours, cold start", |known| {
            Some(cold_start::claims(&known.paper, known.yours.as_deref()))
        }),
        TablePart {
            about: "The heuristic\u{2019}s first answer in seconds at six lengths, its layers strongest device first, and the gains \
                    over these lengths.",
            has_mark: true,
            ..TablePart::table("readings", "All ten readings of the heuristic", |known| {
                let read = planner::readings::readings(&known.paper);
                Some(cold_start::readings(&read))
            })
        },
        TablePart::table("tried", "What else was tried", |_| {
            Some(cold_start::tried_table())
        }),
    ],
    notes: |known| cold_start::notes(&known.paper),
    paper: &CSGO,
    places: "section 5.2",
};

/// Attention heads.
pub const HEADS: TableSection<heads_published::HeadsMeasurements> = TableSection {
    about: |_| "The paper\u{2019}s own comparisons, independent of your scenario, on networks drawn from the ranges it gives.",
    tables: &[
        TablePart::claims(
            "heads-claims",
            "Published beside ours, attention heads",
            |known| Some(headwise::claims(known)),
        ),
        TablePart::table("measured-small", "Every rule on small networks", |known| {
            Some(headwise::table(known, heads_published::ModelSize::Small))
        }),
        TablePart::table("measured-medium", "Every rule on 25 devices", |known| {
            Some(headwise::table(known, heads_published::ModelSize::Medium))
        }),
    ],
    notes: |_| notes(&headwise::NOTES),
    paper: &HEADWISE,
    places: "section V",
};

/// Device or server.
pub const DISPATCH: TableSection<dispatch_published::DispatchMeasurements> = TableSection {
    about: |_| {
        "The paper\u{2019}s own services, phones and budgets, independent of your scenario, with assumed distributions of first \
         tokens and prompts: its traces are not public."
    },
    tables: &[
        TablePart::claims(
            "dispatch-claims",
            "Published beside ours, device or server",
            |known| Some(disco::claims(known)),
        ),
        TablePart::table(
            "dispatch-measured",
            "Every service, phone and side",
            |known| Some(disco::table(known)),
        ),
    ],
    notes: |_| notes(&disco::NOTES),
    paper: &DISCO,
    places: "Tables 2, 3, 5, 6 and 7, sections 4 and 5",
};

/// Tiers: the published splits.
pub const TIERS: TableSection<()> = TableSection {
    about: |()| "The paper\u{2019}s two models over its three tiers, independent of your scenario: blocks of equal work, no memory limit.",
    tables: &[
        TablePart::claims("claims", "Published beside ours, splits", |()| {
            Some(hyperion::splits())
        }),
        TablePart::table("readings", "Which speeds give which split", |()| {
            Some(hyperion::readings_table())
        }),
    ],
    notes: |()| notes(&hyperion::NOTES),
    paper: &HYPERION,
    places: "",
};

/// Tiers: requests, alone and many.
pub const TIERS_RUNS: TableSection<tiers_published::TierMeasurements> = TableSection {
    about: |_| "The paper\u{2019}s own requests through its tiers, independent of your scenario.",
    tables: &[
        TablePart::claims(
            "one-request",
            "One request: Table II, Fig. 9 and 10",
            |_| Some(runs::one_request()),
        ),
        TablePart::claims(
            "many-requests",
            "Many requests: Fig. 5 and 6",
            runs::many_requests,
        ),
        TablePart::table(
            "modes",
            "Many requests under every reading",
            runs::many_requests_table,
        ),
        TablePart::claims(
            "topologies",
            "Two, three and four tiers: Fig. 12",
            runs::topologies,
        ),
        TablePart::claims(
            "busy",
            "How busy the devices are: Table II",
            runs::utilisation,
        ),
        TablePart::claims("memory", "Memory: Table II", |_| Some(runs::memory())),
    ],
    notes: |_| runs::notes(),
    paper: &HYPERION,
    places: "Tables I and II",
};

/// A table whose rows are the models of the catalogue.
const fn by_model<K>(
    id: &'static str,
    title: &'static str,
    make: fn(&K) -> Option<document::Table>,
) -> TablePart<K> {
    TablePart {
        id,
        title,
        about: "",
        has_mark: true,
        make: Make::Table(make),
    }
}

/// Operator graphs: orders.
pub const OPERATORS: TableSection<Vec<OrderCase>> = TableSection {
    about: |_| "The paper\u{2019}s own models, independent of your scenario.",
    tables: &[
        TablePart::claims(
            "operators-claims",
            "Published beside ours, orders of operators",
            |cases| Some(memorianova::claims(cases)),
        ),
        by_model(
            "table-4",
            "Table 4, sums as the paper counts them",
            |cases| Some(memorianova::table_4(cases)),
        ),
        by_model(
            "table-held",
            "The same models, memory actually held",
            |cases| Some(memorianova::memory_table(cases)),
        ),
        TablePart::table(
            "table-5",
            "Table 5, branches of the paper\u{2019}s search",
            |cases| Some(memorianova::table_5(cases)),
        ),
        TablePart::table("table-2", "Table 2, three orders of four operators", |_| {
            Some(memorianova::table_2())
        }),
    ],
    notes: |_| notes(&memorianova::NOTES),
    paper: &MEMORIANOVA,
    places: "Tables 2, 4 and 5",
};

/// Operator graphs: splits over devices.
pub const SPLITS: TableSection<Vec<SplitCase>> = TableSection {
    about: |_| "The paper\u{2019}s own models cut over devices, independent of your scenario.",
    tables: &[
        TablePart::claims(
            "split-claims",
            "Published beside ours, operators over devices",
            |cases| Some(split::claims(cases)),
        ),
        TablePart::table(
            "split-latencies",
            "Latencies over the devices of Table 3",
            |cases| Some(split::latencies(cases)),
        ),
        TablePart::table(
            "table-6",
            "Table 6, the size of the search space",
            |cases| Some(split::table_6(cases)),
        ),
        TablePart::table(
            "thresholds",
            "Table 8, the memory that one device needs",
            |cases| Some(split::thresholds(cases)),
        ),
        TablePart::table("table-8", "Table 8, as published", |_| {
            Some(split::table_8())
        }),
        TablePart::table(
            "fig-10",
            "Fig. 10, latency and the number of devices",
            |cases| Some(split::fig_10(cases)),
        ),
        TablePart::table("fig-11", "Fig. 11, mixes of devices", |cases| {
            Some(split::fig_11(cases))
        }),
        TablePart::table(
            "table-7",
            "Table 7, hours of the paper\u{2019}s search",
            |_| Some(split::table_7()),
        ),
    ],
    notes: |cases| split::notes(cases),
    paper: &MEMORIANOVA,
    places: "Tables 1, 6, 7 and 8, Fig. 7, 10 and 11",
};
