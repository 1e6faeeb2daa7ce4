//! The operators cut over devices as the page has them: what is known at once follows every order, the chains of the search are
//! aggregated once edits pause, the paper’s search goes on in rounds after a click, other devices are computed on demand.

use super::charts::{self, place};
use super::presenter::{OperatorsQuery as Asked, PlannedGraph, STEP, every, step, turning};
use super::sections::{self, OperatorsFacts, SplitFacts};
use super::started_queries::{PLACES, TRIED, genetic, over, variants};
use super::{
    SplitSummary, bound_words, capacity_summary, curve_table, longest, maker_about, maker_name,
    split_comparison, split_table,
};
use chart::{ChartSpec, LineChart, LineStyle};
use document::quantity::millis;
use document::{
    Block, CellGraphic, Chart, Choice, DeferredSlot, Edit, Name, Patch, RichCell, RichRow,
    RichTable, RowAction, Section, Sentence, Table, Trigger, Walk, list,
};
use engine::plan::OperatorOrder;
use engine::problem::Invalid;
use engine::scenario::operators::{Dims, Scenario};
use engine::units::{InOrder, capital, count, percent};
use planner::operators::{
    AnnealChain, Cut, DeviceChange, DeviceVariant, Documented, GeneticIsland, Maker,
    OperatorsRequest, OperatorsResult, SplitDocument, Splits, answer, best,
};
use protocol::{FileSpec, SubtaskResult, packed, read, unpacked, written};
use serde::{Deserialize, Serialize};
use std::cell::{OnceCell, RefCell};

/// The slot of the immediate query, and the slot of the chains.
const CUTS: Name = "cuts";
const CHAINS: Name = "chains";
const NOTHING_YET: &str = "This search has found nothing yet.";
/// The longest bar takes this much of its cell [%].
const LONGEST: f64 = 66.0;

/// A query.
#[derive(Serialize, Deserialize)]
pub(in crate::operators) enum SplitQuery {
    /// The splits that need no search.
    Splits,
    /// The chains of the search.
    Chains,
    /// A round of the paper’s search.
    Islands,
    /// Splits over other devices.
    Variants(usize),
}

/// A piece of that.
#[derive(Serialize, Deserialize)]
pub(super) enum SplitSubtask {
    /// A chain of the search.
    Chain(u32),
    /// An island of the paper’s search, by its place in what goes along.
    Island(usize),
    /// Other devices.
    Variant(DeviceChange),
}

/// Results so far.
#[derive(Default)]
pub(in crate::operators) struct SplitResults {
    /// The splits that need no search.
    splits: OnceCell<Result<Splits, Invalid>>,
    /// The search, once it has come to its end.
    cuts: RefCell<Option<SplitFacts>>,
}

pub(super) fn query_key(ask: SplitQuery) -> String {
    written(&Asked::Split(ask))
}

fn split_query(
    scenario: &Scenario,
    ask: &OperatorsRequest,
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<OperatorsResult, Invalid> {
    answer(scenario, ask, &mut |done, of, _| on_progress(done, of))
}

fn splits<'a>(
    scenario: &Scenario,
    planned: &'a PlannedGraph,
) -> Option<(&'a OperatorOrder, &'a Result<Splits, Invalid>)> {
    let order = &planned.main()?.order;
    let known = planned.split.splits.get_or_init(|| {
        let order = order.clone();
        match split_query(
            scenario,
            &OperatorsRequest::Splits { order },
            &mut |_, _| (),
        )? {
            OperatorsResult::Splits(splits) => Ok(*splits),
            _ => unreachable!("splits are answered with some"),
        }
    });
    Some((order, known))
}

/// Sections of the split itself.
const SPLIT_SECTIONS: [Name; 3] = [CUTS, "slices", "cuts-comparison"];

/// Returns true if a section belongs to the split.
pub(in crate::operators) fn is_own(section: Name) -> bool {
    SPLIT_SECTIONS.contains(&section)
}

/// The sections of the split: their previous content stays until they are replaced.
pub(in crate::operators) fn waiting(planned: &PlannedGraph) -> Vec<Section> {
    if planned.main().is_none() {
        return Vec::new();
    }
    let [first, others @ ..] = SPLIT_SECTIONS.map(|id| Section::new(id, ""));
    let first = first.with_query(
        Trigger::Now(CUTS),
        query_key(SplitQuery::Splits),
        "No split over devices",
    );
    std::iter::once(first).chain(others).collect()
}

/// Returns the sections after them: the searches, and other devices.
pub(in crate::operators) fn more_sections(
    scenario: &Scenario,
    planned: &PlannedGraph,
) -> Vec<Section> {
    let Some(main) = planned.main() else {
        return Vec::new();
    };
    let load = packed(&main.order);
    let chains = 0..scenario.split.search.islands as u32;
    let chains = chains.map(|chain| written(&SplitSubtask::Chain(chain)));
    let search = Section::new("convergence", "The search")
        .folded()
        .holding("how the split was found")
        .with(Block::Deferred(DeferredSlot {
            id: CHAINS,
            button: None,
            blocks: vec![NOTHING_YET.to_owned().into()],
        }))
        .with_split_query(
            Trigger::Idle,
            query_key(SplitQuery::Chains),
            chains.collect(),
            "The search",
        )
        .loaded(load.clone());
    vec![
        search,
        genetic(scenario, &main.order, None),
        variants(scenario, planned, load),
    ]
}

/// Returns the patches from splits that need no search.
pub(in crate::operators) fn at_once(
    scenario: &Scenario,
    planned: &PlannedGraph,
) -> Result<Vec<Patch>, Invalid> {
    let Some((order, known)) = splits(scenario, planned) else {
        return Err(Invalid::range(
            "ask",
            "",
            "one about an order that was found",
        ));
    };
    let splits = match known {
        Ok(splits) => splits.clone(),
        Err(fault) => return Ok(none(fault)),
    };
    let cuts = SplitFacts {
        order: order.clone(),
        best: splits.start.clone(),
        splits,
        chains: Vec::new(),
    };
    let summary = split_sections(scenario, planned, &cuts);
    Ok(summary.into_iter().map(Patch::Section).collect())
}

/// Returns the patches of an answer without a split, with the reason.
fn none(fault: &Invalid) -> Vec<Patch> {
    let said = format!("No split over devices: {fault}.");
    let why = Section::new(CUTS, "Cut over devices").with(Sentence::default().plain(said));
    let others = [
        "slices",
        "cuts-comparison",
        "convergence",
        "genetic",
        "variants",
    ];
    let others = others.map(|id| Section::new(id, ""));
    let all = std::iter::once(why).chain(others);
    all.map(Patch::Section).collect()
}

/// Describes the best split so far: sentences, slices, other splits.
fn split_sections(scenario: &Scenario, planned: &PlannedGraph, cuts: &SplitFacts) -> Vec<Section> {
    let known = OperatorsFacts {
        scenario,
        graph: &planned.graph,
        plan: &planned.plan,
        drawn: None,
        cuts: Ok(None),
        variants: &[],
    };
    let first = Section::new(CUTS, "Cut over devices");
    let Some(all) = sections::cut(&known, cuts, first) else {
        return Vec::new(); // every split that is shown says who makes what
    };
    let mut reason = None;
    let summary = all.into_iter().filter_map(|section| match section.id {
        CUTS => {
            reason = section.verdict().map(|words| words.reason.clone());
            Some(section.and(way_out(scenario, cuts)))
        }
        "slices" => Some(slices(section, reason.take(), scenario, planned, cuts)),
        "cuts-comparison" => Some(compared(section, scenario, cuts)),
        _ => None,
    });
    summary.collect()
}

/// Limits that work, where these do not.
fn way_out(scenario: &Scenario, cuts: &SplitFacts) -> Option<Block> {
    let room = cuts.least_limits().filter(|_| !cuts.best.is_feasible)?;
    let summary = capacity_summary(room);
    let limits = |id, words: String, all: &[Option<f64>]| {
        let place = |at| format!("/split/devices/{at}/limit_mib");
        let json = |mib: &Option<f64>| mib.map_or("null".to_owned(), |mib| mib.to_string());
        let sets = all.iter().enumerate();
        Choice {
            id,
            words,
            edit: Edit {
                step: String::new(),
                sets: sets.map(|(at, mib)| (place(at), json(mib))).collect(),
            },
        }
    };
    let none = vec![None; scenario.split.devices.len()];
    Some(Block::Try(
        String::new(),
        vec![
            limits("set-limits", summary.label, &summary.limits_mib),
            limits("no-limits", "Remove the limits".into(), &none),
        ],
    ))
}

/// Returns the slices and totals of each device.
fn slices(
    section: Section,
    reason: Option<Sentence>,
    scenario: &Scenario,
    planned: &PlannedGraph,
    cuts: &SplitFacts,
) -> Section {
    let Ok(Some(summary)) = SplitSummary::of(scenario, &planned.graph, &cuts.order, &cuts.best)
    else {
        return section;
    };
    let tables = || vec![split_table(&summary)];
    let every = every(
        "Every operator as a table",
        planned.graph.len(),
        "operators",
        tables,
    );
    let mut blocks = Vec::new();
    for block in section.blocks {
        match block {
            Block::Chart(_) => {
                let (dial, blocks_of) = (step(planned), vec![turning(block)]);
                blocks.push(Block::Walk(Walk {
                    control: dial,
                    blocks: blocks_of,
                }));
                blocks.extend(reason.clone().map(Block::Paragraph));
            }
            Block::Table(table) if table.name == "slowest" => {
                blocks.push(slowest(&summary, table).into())
            }
            Block::Table(table) => blocks.push(Block::Fold(
                "What each device does".into(),
                vec![table.into()],
            )),
            block => blocks.push(block),
        }
    }
    blocks.push(every);
    Section { blocks, ..section }
        .folded()
        .holding("what each device computes")
}

/// The operators that take longest, each leading to its step.
fn slowest(summary: &SplitSummary<'_>, table: Table) -> RichTable {
    let pieces = summary.operator_slices();
    let all = longest(&pieces);
    let most = all.first().map_or(1.0, |at| pieces[*at].ms).max(1e-9);
    let row = |at: &usize| {
        let piece = &pieces[*at];
        let parts = piece
            .marks
            .windows(2)
            .enumerate()
            .filter_map(|(device, ends)| {
                let made = f64::from(ends[1] - ends[0]);
                (made > 0.0).then(|| (format!("dev d{}", device % 8 + 1), made, count(made)))
            });
        let made = |(name, ends): (String, &[u32])| format!("{name} {}", ends[1] - ends[0]);
        let made: Vec<String> = summary
            .names()
            .into_iter()
            .zip(piece.marks.windows(2))
            .map(made)
            .collect();
        let share = |ms: f64| LONGEST * ms / most;
        let time = [
            ("k-transfer", piece.comm_ms),
            ("k-compute", piece.ms - piece.comm_ms),
        ];
        let time = time.map(|(class, ms)| (class.to_owned(), share(ms)));
        let figure = |ms: f64, decimals: usize| format!("{ms:.decimals$}");
        let label = format!("Look at step {}, {}", at + 1, piece.name);
        RichRow::of(vec![
            RichCell::of(format!("{}", at + 1)),
            RichCell::of(piece.name.clone()),
            RichCell::of(piece.dim.name()),
            RichCell::of(list(&made)).drawn(CellGraphic::Strip(parts.collect())),
            RichCell::of(figure(piece.sent_b / 1024.0, 1)),
            RichCell::of(figure(piece.ms, 3)).drawn(CellGraphic::Bar(time.into())),
        ])
        .acting(Some(RowAction::Look(STEP, *at as f64, label)))
    };
    let made = format!("Rows or channels on {}", summary.names().join(", "));
    let heads = [
        ("Step", "n"),
        ("Operator", ""),
        ("Cut", ""),
        (&*made, ""),
        ("Sent, KiB", "n sec"),
        ("Time, ms", ""),
        ("Step to look at", "sr"),
    ];
    let rows = all.iter().map(row).collect();
    let title = match pieces.len() > all.len() {
        true => "The ten slowest operators",
        false => "Operators by time",
    };
    RichTable::new(("slow", "slow"), title, &heads, rows)
        .with_table(table)
        .titled()
}

/// Other cuts as bars, the bound below them.
fn compared(section: Section, scenario: &Scenario, cuts: &SplitFacts) -> Section {
    let SplitFacts {
        splits, best: ours, ..
    } = cuts;
    let all = || std::iter::once(ours).chain(&splits.others).enumerate();
    let most = all().map(|(_, cut)| cut.latency_ms).fold(1e-9, f64::max);
    let bar =
        |class: &str, ms: f64| CellGraphic::Bar(vec![(class.to_owned(), LONGEST * ms / most)]);
    let row = |(at, cut): (usize, &Cut)| {
        let (is_ours, ms) = (at == 0, cut.latency_ms);
        let maker = if is_ours { Maker::Best } else { cut.maker };
        let faster = match !is_ours && ours.is_feasible && cut.is_feasible {
            true => {
                let by = ms - ours.latency_ms;
                let word = if by < 0.0 { "slower by " } else { "" };
                let share = percent(100.0 * by.abs() / ms.max(1e-9), 1);
                RichCell {
                    aside: share,
                    ..RichCell::of(format!("{word}{}", millis(by.abs())))
                }
            }
            false => RichCell::default(),
        };
        let broken = (!cut.is_feasible).then(|| "breaks a limit".to_owned());
        RichRow::of(vec![
            RichCell::of(maker_name(maker))
                .with([under(maker, scenario.split.dims).to_owned()])
                .with(broken),
            RichCell::exact(millis(ms), format!("{ms} ms"))
                .drawn(bar(if is_ours { "k-ours" } else { "cell" }, ms)),
            faster,
        ])
        .classed(if is_ours { "ours" } else { "" })
    };
    let bound = RichRow::of(vec![
        RichCell::of("Lower bound").with(["of splits within the limits".to_owned()]),
        RichCell::exact(millis(splits.bound_ms), format!("{} ms", splits.bound_ms))
            .drawn(bar("limit", splits.bound_ms)),
        RichCell::default(),
    ]);
    let heads = [
        ("Method", ""),
        ("All operators", ""),
        ("Edgewise faster by", "n"),
    ];
    let rows = all().map(row).chain([bound]).collect();
    let table = split_comparison(ours, splits, None);
    let makers = [
        Maker::Best,
        Maker::Ga,
        Maker::Coedge,
        Maker::Deepthings,
        Maker::Proportional,
        Maker::Local,
    ];
    let terms = makers.map(|maker| (maker_name(maker).to_owned(), maker_about(maker).to_owned()));
    Section {
        blocks: vec![
            RichTable::new(
                ("cuts-table", "cmp orders cuts"),
                "Splits by time",
                &heads,
                rows,
            )
            .with_table(table.clone())
            .into(),
            capital(&bound_words(splits)).into(),
            Block::Fold(
                "As a table, with bytes sent and held".into(),
                vec![table.into()],
            ),
            Block::Fold(
                "How the cuts are made".into(),
                vec![Block::Terms(terms.into())],
            ),
        ],
        ..section
    }
    .folded()
    .holding("simple cuts of the same operators")
}

/// Returns the line below a method’s name.
const fn under(maker: Maker, dims: Dims) -> &'static str {
    match (maker, dims) {
        (Maker::Best, Dims::Free) => "free cuts, annealing",
        (Maker::Best, _) => "the paper\u{2019}s cuts, annealing",
        (Maker::Ga, Dims::Free) => "free cuts, genetic",
        (Maker::Ga, _) => "the paper\u{2019}s cuts, genetic",
        (Maker::Coedge, _) => "height, best subset",
        (Maker::Deepthings, _) => "fused tiles",
        (Maker::Proportional, _) => "the paper\u{2019}s rule",
        (Maker::Local, _) => "one device, mean",
    }
}

/// A piece of a search.
pub(in crate::operators) fn run_subtask(
    scenario: &Scenario,
    piece: &str,
    load: &[u8],
    on_progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Vec<u8>, Invalid> {
    let order = || unpacked::<OperatorOrder>(load);
    let found = match read::<SplitSubtask>(piece)? {
        SplitSubtask::Chain(chain) => split_query(
            scenario,
            &OperatorsRequest::Chain {
                order: order()?,
                chain,
            },
            on_progress,
        )?,
        SplitSubtask::Variant(change) => split_query(
            scenario,
            &OperatorsRequest::Variant {
                order: order()?,
                change,
            },
            on_progress,
        )?,
        SplitSubtask::Island(at) => {
            let (order, mut round): (OperatorOrder, Vec<GeneticIsland>) = unpacked(load)?;
            let island = Box::new(round.swap_remove(at));
            split_query(
                scenario,
                &OperatorsRequest::Island { order, island },
                on_progress,
            )?
        }
    };
    Ok(match found {
        OperatorsResult::Chain(chain) => packed(&*chain),
        OperatorsResult::Island(island) => packed(&*island),
        OperatorsResult::Variant(variant) => packed(&*variant),
        _ => unreachable!("a piece is answered with one"),
    })
}

/// The pieces that have come, in the order of their places.
fn decoded_results<T: serde::de::DeserializeOwned>(
    pieces: &[Option<SubtaskResult>],
) -> Result<Vec<T>, Invalid> {
    let come = pieces.iter().flatten();
    come.map(|piece| unpacked(piece)).collect()
}

/// Aggregates subtask results to patches.
pub(in crate::operators) fn aggregate(
    scenario: &Scenario,
    planned: &PlannedGraph,
    ask: &SplitQuery,
    pieces: &[Option<SubtaskResult>],
) -> Result<Vec<Patch>, Invalid> {
    let Some((order, Ok(splits))) = splits(scenario, planned) else {
        return Ok(Vec::new());
    };
    Ok(match ask {
        SplitQuery::Splits => Vec::new(),
        SplitQuery::Chains => {
            let cuts = searched(order, splits, decoded_results(pieces)?);
            if pieces.iter().all(Option::is_some) {
                planned.split.cuts.replace(Some(cuts.clone()));
            }
            let curves = charts::chains(&cuts.chains);
            let summary = split_sections(scenario, planned, &cuts)
                .into_iter()
                .map(Patch::Section);
            let place = Patch::Place {
                id: CHAINS,
                blocks: convergence("convergence", &curves, false, splits.bound_ms),
            };
            summary.chain([place]).collect()
        }
        SplitQuery::Islands => {
            let round = decoded_results(pieces)?;
            vec![Patch::Section(genetic(
                scenario,
                order,
                Some((splits, &round)),
            ))]
        }
        SplitQuery::Variants(at) => {
            let mut come: Vec<DeviceVariant> = decoded_results(pieces)?;
            come.in_order_by(|a, b| place(&a.change).total_cmp(&place(&b.change)));
            vec![Patch::Place {
                id: PLACES[*at],
                blocks: over(scenario, *at, &come),
            }]
        }
    })
}

/// The best of the chains, or the split at their start.
fn searched(order: &OperatorOrder, splits: &Splits, chains: Vec<AnnealChain>) -> SplitFacts {
    let all = chains.iter().map(|chain| &chain.best);
    let best = best(all.chain([&splits.start])).expect("there is one at the start");
    SplitFacts {
        order: order.clone(),
        splits: splits.clone(),
        best: best.clone(),
        chains,
    }
}

/// How searches come nearer to the bound.
pub(super) fn convergence(
    id: Name,
    curves: &[super::Curve],
    is_ga: bool,
    bound: f64,
) -> Vec<Block> {
    let style = LineStyle {
        steps: true,
        log: true,
        even: true,
        thinned: true,
    };
    let lines = LineChart {
        style,
        ..charts::convergence(curves, is_ga, bound)
    };
    if lines.series.is_empty() {
        return vec![NOTHING_YET.to_owned().into()];
    }
    let table = Table {
        name: id,
        ..curve_table(curves, is_ga)
    };
    let chart = Chart::new(id, lines.title.clone(), ChartSpec::Lines(lines));
    vec![chart.with_table(table).into()]
}

/// The answer with the split, as `edgewise run --format json` has it.
pub(in crate::operators) fn document(scenario: &Scenario, planned: &PlannedGraph) -> String {
    let cuts = final_split(scenario, planned);
    let split = cuts.as_ref().map(|cuts| SplitDocument {
        best: &cuts.best,
        bound_ms: cuts.splits.bound_ms,
        others: &cuts.splits.others,
        alone_ms: &cuts.splits.alone_ms,
    });
    written(&Documented {
        scenario,
        plan: &planned.plan,
        split,
    })
}

/// The split after the whole search: the aggregated result, or searched again.
fn final_split(scenario: &Scenario, planned: &PlannedGraph) -> Option<SplitFacts> {
    if let Some(known) = planned.split.cuts.borrow().clone() {
        return Some(known);
    }
    let (order, Ok(splits)) = splits(scenario, planned)? else {
        return None;
    };
    let chains = (0..scenario.split.search.islands as u32).filter_map(|chain| {
        let order = order.clone();
        match split_query(
            scenario,
            &OperatorsRequest::Chain { order, chain },
            &mut |_, _| (),
        ) {
            Ok(OperatorsResult::Chain(chain)) => Some(*chain),
            _ => None,
        }
    });
    let cuts = searched(order, splits, chains.collect());
    planned.split.cuts.replace(Some(cuts.clone()));
    Some(cuts)
}

/// Every operator with its slices.
pub(in crate::operators) fn slices_csv(
    scenario: &Scenario,
    planned: &PlannedGraph,
) -> Result<String, Invalid> {
    let Some(cuts) = final_split(scenario, planned) else {
        return Ok(String::new());
    };
    let summary = SplitSummary::of(scenario, &planned.graph, &cuts.order, &cuts.best)?;
    Ok(summary
        .map(|summary| split_table(&summary).to_csv())
        .unwrap_or_default())
}

/// Returns the downloadable files.
pub(in crate::operators) fn files() -> Vec<(&'static str, Vec<FileSpec>)> {
    let csv = |id, what| FileSpec::table(id, what, "csv", "CSV");
    vec![
        (
            "Slices",
            vec![FileSpec::written("save-split", "split", "csv", "CSV")],
        ),
        ("Devices", vec![csv("save-devices", "devices")]),
        ("Other cuts", vec![csv("save-splits", "splits")]),
        (
            "Other devices",
            vec![
                FileSpec::table("save-variants", TRIED[0], "csv", "Number, CSV"),
                FileSpec::table("save-memory-tried", TRIED[1], "csv", "Memory, CSV"),
                FileSpec::table("save-factors-tried", TRIED[2], "csv", "Fig. 11, CSV"),
            ],
        ),
        (
            "Operator times",
            vec![FileSpec::written("take-times", "times", "csv", "CSV")],
        ),
    ]
}
