//! The answer about attention heads as the page has it: the run while it goes on, other rules and draws as they come, one token
//! that is looked at, several layers.

use super::charts::{TokenSeries, map_of, ranges, times_of, tracks};
use super::sections::{self, RANKED};
use super::{
    about as about_rule, against, at_token, change_words, changes, comparison, devices, figures,
    gaps, layers_table, layers_words, moves, rule_name, table_notes, tokens, verdict,
};
use crate::presenting::{AggregateResult, AnswerPresenter, PartialProgress, for_file, solved};
use crate::published::reproductions;
use chart::{ChartSpec, LineStyle};
use document::{
    Block, Chart, ChartInteraction, Choice, Control, ControlGroup, ControlInput, DeferredSlot,
    Name, Patch, Section, Sentence, Trigger, counted,
};
use engine::problem::Invalid;
use engine::scenario::heads::{Scenario, presets};
use engine::units::seconds;
use planner::heads::{
    HeadsPlan, HeadsRequest, HeadsResult, HeadsVariant, MOST_LAYERS, RunSetting, Track, answer,
    changed, document, first_draw, rules, seeds, setting, worth_a_try,
};
use planner::heads_published::HeadsMeasurements;
use planner::heads_run::Comparison;
use protocol::names::heads::TOKEN;
use protocol::{AnswerView, FileSpec, SubtaskResult, difference, read, written};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use std::sync::Arc;

/// Places for what is found out later.
const OVER: Name = "comparison-over";
const FIGURES: Name = "comparison-figures";
const TRACKS: Name = "tracks-told";
const AT_TOKEN: Name = "at-token";
const LAYERS: Name = "layers-found";
/// Layers that are planned by default: those of a model of 7 billion parameters.
const USUAL_LAYERS: f64 = 32.0;

/// A query, split into one subtask for each [`HeadsRequest`].
#[derive(Serialize, Deserialize)]
enum More {
    /// Other rules on the devices shown, and all rules on other draws.
    Compared,
    /// Our run with something changed.
    Changes,
}

/// A run with what it was planned on.
struct PlannedRun {
    planned: HeadsPlan,
    setting: RunSetting,
}

fn planned_run(
    scenario: &Scenario,
    on_progress: &mut planner::heads::Listener<'_>,
) -> Result<Rc<PlannedRun>, Invalid> {
    solved(scenario, || {
        let HeadsResult::Plan(planned) = answer(scenario, &HeadsRequest::Plan, on_progress)? else {
            unreachable!("a plan is answered with one");
        };
        Ok(PlannedRun {
            planned: *planned,
            setting: setting(scenario, scenario.draws.first_seed as u64)?,
        })
    })
}

fn silently(scenario: &Scenario) -> Result<Rc<PlannedRun>, Invalid> {
    planned_run(scenario, &mut |_, _, _| ())
}

impl AnswerPresenter for Scenario {
    fn summarize(&self, on_progress: &mut PartialProgress<'_>) -> Result<AnswerView, Invalid> {
        let mut on_progress = |done, of, so_far: &mut dyn FnMut() -> Option<HeadsResult>| {
            on_progress(done, of, &mut || match so_far()? {
                HeadsResult::Plan(planned) => Some(summary_view(self, &planned, false)),
                _ => None,
            });
        };
        let known = planned_run(self, &mut on_progress)?;
        Ok(summary_view(self, &known.planned, true))
    }

    fn present(&self, on_progress: &mut PartialProgress<'_>) -> Result<AnswerView, Invalid> {
        let mut telling = self.summarize(on_progress)?;
        telling
            .sections
            .extend(detail_sections(self, &silently(self)?.planned));
        telling.files = files(self);
        Ok(telling)
    }

    fn run_subtask(
        &self,
        piece: &str,
        _: &[u8],
        on_progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<u8>, Invalid> {
        if reproductions::is_of::<HeadsMeasurements>(piece) {
            return reproductions::run_subtask::<HeadsMeasurements>(&(), piece, on_progress);
        }
        let found = answer(self, &read(piece)?, &mut |done, of, _| {
            on_progress(done, of)
        })?;
        Ok(written(&found).into_bytes())
    }

    fn aggregate(
        &self,
        ask: &str,
        _: &[u8],
        pieces: &[Option<SubtaskResult>],
    ) -> Result<AggregateResult, Invalid> {
        if reproductions::is_of::<HeadsMeasurements>(ask) {
            return reproductions::aggregate::<HeadsMeasurements>(&(), pieces, None);
        }
        let known = silently(self)?;
        let planned = &known.planned;
        let fills = match read::<More>(ask)? {
            More::Compared => {
                let others = OtherRules::of(self, planned, pieces);
                compared(self, planned, &others)
            }
            More::Changes => {
                let found = worth_a_try(self, planned).into_iter().zip(pieces);
                let found: Vec<_> = found
                    .map(|(instead, piece)| match unpacked(piece.as_ref()) {
                        Some(HeadsResult::Instead(summary)) => (instead, Some(summary)),
                        _ => (instead, None),
                    })
                    .collect();
                let rows = changes(self, planned, &found).rows.into_iter().zip(0..);
                let row = |(cells, at)| Patch::Row {
                    table: "changes",
                    at,
                    cells,
                };
                rows.map(row).collect()
            }
        };
        Ok(AggregateResult::Fills(fills))
    }

    fn with_controls(&self, place: &str, at: &[f64]) -> Result<Vec<Patch>, Invalid> {
        let known = silently(self)?;
        match (place, at) {
            (AT_TOKEN, &[token]) => {
                let now = at_token(self, &known.planned, &known.setting, token as u32);
                Ok(vec![placed(AT_TOKEN, now)])
            }
            (LAYERS, &[layers, token]) => {
                let (layers, token) = (layers as u32, token as u32);
                let ask = HeadsRequest::Layers { layers, token };
                let HeadsResult::Layers(found) = answer(self, &ask, &mut |_, _, _| ())? else {
                    unreachable!("layers are answered with some");
                };
                let table = layers_table(self, &known.planned, &found);
                let said = Block::from(layers_words(self, &found));
                let table = (!table.rows.is_empty()).then(|| table.into());
                let blocks = std::iter::once(said).chain(table);
                Ok(vec![placed::<Block>(LAYERS, blocks)])
            }
            _ => Err(Invalid::range("place", place, "one with settings")),
        }
    }

    fn file(&self, name: &str) -> Result<String, Invalid> {
        self.file_of(name, &[])
    }

    fn file_of(&self, name: &str, pieces: &[Option<SubtaskResult>]) -> Result<String, Invalid> {
        let known = silently(self)?;
        let others = OtherRules::of(self, &known.planned, pieces);
        match name {
            "plan" => document(self, &known.planned, &others.drawn, None).map(|d| d.to_json()),
            "to-the-optimum" => Ok(gaps(&others.tracks).to_csv()),
            _ => Err(Invalid::range("file", name, "plan or to-the-optimum")),
        }
    }
}

fn unpacked(piece: Option<&SubtaskResult>) -> Option<HeadsResult> {
    serde_json::from_slice(piece?).ok()
}

fn placed<B: Into<Block>>(id: Name, blocks: impl IntoIterator<Item = B>) -> Patch {
    Patch::Place {
        id,
        blocks: blocks.into_iter().map(Into::into).collect(),
    }
}

/// Results of other rules so far.
struct OtherRules {
    tracks: Vec<Track>,
    drawn: Comparison,
}

impl OtherRules {
    /// Returns the subtasks: every other rule on the shown devices, and all rules on each draw but the first, which is the shown
    /// run. Where networks are drawn, the first draw is one like the others.
    fn subtasks(scenario: &Scenario) -> Vec<String> {
        let rules = rules(scenario).into_iter().skip(1).map(HeadsRequest::Track);
        let known = usize::from(!scenario.draws.networks);
        let draws = seeds(scenario).skip(known);
        let draws = draws.map(|seed| HeadsRequest::Draw { seed });
        rules.chain(draws).map(|ask| written(&ask)).collect()
    }

    fn of(scenario: &Scenario, planned: &HeadsPlan, pieces: &[Option<SubtaskResult>]) -> Self {
        let mut others = Self {
            tracks: Vec::new(),
            drawn: planner::heads::comparison(scenario),
        };
        let mut draws = Vec::new();
        for piece in pieces {
            match unpacked(piece.as_ref()) {
                Some(HeadsResult::Track(track)) => others.tracks.push(track),
                Some(HeadsResult::Draw(drawn)) => draws.push(drawn),
                _ => {}
            }
        }
        let first = first_draw(scenario, planned, &others.tracks);
        for one in first.into_iter().chain(draws) {
            others.drawn.add(one.seed, one.sums);
        }
        others
    }
}

/// Builds the summary; for a run that goes on, of its part so far.
fn summary_view(scenario: &Scenario, planned: &HeadsPlan, is_whole: bool) -> AnswerView {
    let (tokens, count) = (scenario.new_tokens, planned.places.len());
    let devices = counted(count, "device", "devices");
    let took = match planned.failed_at {
        None => Some(planned.summary.seconds),
        Some(_) => None,
    };
    let figure = took.map(seconds);
    let led = figure.clone().unwrap_or_else(|| "Does not fit".into());
    let stem = took.map_or_else(
        || "no-plan".to_owned(),
        |took| format!("{:.0}ms", 1e3 * took),
    );
    AnswerView {
        about: sections::about(scenario),
        sections: summary_sections(scenario, planned, is_whole),
        tab: format!("{led}: {tokens} tokens on {devices}"),
        stem: format!("edgewise-heads-{}-{stem}", for_file(&scenario.model.name)),
        checked: match is_whole {
            true => "Every placement is scored again, token by token, by a separate evaluator before it is shown.".into(),
            false => String::new(),
        },
        figure: figure.unwrap_or_else(|| "No plan".into()),
        ..AnswerView::default()
    }
}

/// The answer and its picture.
fn summary_sections(scenario: &Scenario, planned: &HeadsPlan, is_whole: bool) -> Vec<Section> {
    let mut all = vec![the_answer(scenario, planned, is_whole, None)];
    all.extend(about_table(scenario));
    let done = planned.times.elapsed.len() as f64;
    if done > 0.0 {
        all.push(picture(scenario, planned, done));
    }
    all
}

/// Builds the details.
fn detail_sections(scenario: &Scenario, planned: &HeadsPlan) -> Vec<Section> {
    let done = planned.times.elapsed.len() as f64;
    let mut all = vec![
        comparing(scenario, planned),
        over_tokens(),
        one_change(scenario, planned),
    ];
    all.extend((done > 0.0).then(|| load(scenario, planned, done)));
    let is_done = planned.failed_at.is_none();
    all.extend(is_done.then(|| several_layers(done)));
    all.push(reproductions::pressed::<HeadsMeasurements>(
        reproductions::empty(),
        &(),
        ["Run the paper\u{2019}s comparisons", "Running"],
    ));
    all
}

/// The answer; what other rules come to beside it belongs to its lead.
fn the_answer(
    scenario: &Scenario,
    planned: &HeadsPlan,
    is_whole: bool,
    note: Option<Sentence>,
) -> Section {
    let mut words = verdict(scenario, planned, is_whole);
    if let Some(note) = note {
        words.summary = words.summary.followed(note);
    }
    Section::new("answer", "Answer")
        .with(Block::Answer(words))
        .and(figures(scenario, planned))
}

/// Returns the section on faults of the published demands, beside physical ones, if the scenario uses them.
fn about_table(scenario: &Scenario) -> Option<Section> {
    let notes = table_notes(scenario);
    if notes.is_empty() {
        return None;
    }
    let honest = Scenario {
        demands: presets::PHYSICAL,
        ..scenario.clone()
    };
    let said = Sentence::default()
        .strong("Table I")
        .plain(" of the paper sets these numbers, and it does not count what devices really do:");
    let honest = Choice {
        id: "honest",
        words: "Use physical demands".into(),
        edit: difference(scenario, &honest),
    };
    let section = Section::new("table-notes", "What is wrong with the paper\u{2019}s table");
    let section = section.with(said).and(notes.into_iter().map(Block::Note));
    Some(section.with(Block::Try(String::new(), vec![honest])))
}

fn token_control(id: Name, last: f64) -> Control {
    let dial = Control::new(id, "Token", (1.0, last), last).sets(TOKEN);
    dial.unit(format!("of {last}"))
}

/// Heads by device and token, the time of each token, and one of them that is looked at.
fn picture(scenario: &Scenario, planned: &HeadsPlan, last: f64) -> Section {
    let chart = Chart::new(
        "heads",
        format!("Heads by device and token: {}", scenario.title),
        ChartSpec::Heads(map_of(scenario, planned), times_of(planned)),
    );
    let dial = token_control("scrub", last).by(ControlInput::Plays);
    let moves = vec![moves(scenario, planned).into()];
    Section::new("picture", "Heads by device and token")
        .with(
            chart
                .with_table(tokens(planned))
                .with_interaction(ChartInteraction::SetsControl(TOKEN)),
        )
        .with(Block::Controls(ControlGroup::of("", vec![dial])))
        .with(Block::Fold("Every move as a table".into(), moves))
}

fn deferred_block(id: Name, blocks: Vec<Block>) -> Block {
    Block::Deferred(DeferredSlot {
        id,
        button: None,
        blocks,
    })
}

/// Ours beside other rules, as they come.
fn comparing(scenario: &Scenario, planned: &HeadsPlan) -> Section {
    let others = OtherRules::of(scenario, planned, &[]);
    let drawing = ChartSpec::Ranges(ranges(&others.drawn));
    let title = format!("Time of all tokens: {}", scenario.title);
    let term = |rule| (rule_name(rule), about_rule(rule).to_owned());
    let terms = rules(scenario).into_iter().map(term).collect();
    Section::new("comparison", "Against other placements")
        .with(deferred_block(
            OVER,
            vec![over(scenario, &others.drawn).into()],
        ))
        .with(Chart::new("ranges", title, drawing))
        .with(RANKED.to_owned())
        .with(Block::Fold(
            "All figures".into(),
            vec![deferred_block(
                FIGURES,
                vec![comparison(&others.drawn).into()],
            )],
        ))
        .with(Block::Fold(
            "What the rules do".into(),
            vec![Block::Terms(terms)],
        ))
        .with_split_query(
            Trigger::Idle,
            written(&More::Compared),
            OtherRules::subtasks(scenario),
            "Not all runs were made",
        )
}

/// Describes the draws of a comparison.
fn over(scenario: &Scenario, drawn: &Comparison) -> String {
    let of = if scenario.draws.networks {
        "drawn networks, each with its own background load; your devices and your record play no part"
    } else {
        "backgrounds on these devices"
    };
    format!(
        "Total time of {} tokens: mean, min and max of {} of {} {of}, from seed {} on. Every rule gets the same draw and is \
         scored by the same evaluator.",
        scenario.new_tokens,
        drawn.seeds().len(),
        scenario.draws.seeds,
        scenario.draws.first_seed
    )
}

/// Returns the results of other rules as patches.
fn compared(scenario: &Scenario, planned: &HeadsPlan, others: &OtherRules) -> Vec<Patch> {
    let drawn = &others.drawn;
    let mut all = vec![
        placed(OVER, [over(scenario, drawn)]),
        placed(FIGURES, [comparison(drawn)]),
        Patch::Drawn {
            chart: "ranges",
            drawing: Arc::new(ChartSpec::Ranges(ranges(drawn))),
        },
        placed(TRACKS, [tracks_block(scenario, planned, &others.tracks)]),
    ];
    let note = against(scenario, drawn).filter(|_| planned.failed_at.is_none());
    let answer = note.map(|note| the_answer(scenario, planned, true, Some(note)));
    all.extend(answer.map(Patch::Section));
    all
}

/// Every rule over the tokens, once some have come.
fn over_tokens() -> Section {
    let wait = Block::Note("Running the other rules.".into());
    Section::new("tracks", "Rules over the tokens")
        .folded()
        .holding("time, memory and distance from the optimum")
        .with(deferred_block(TRACKS, vec![wait]))
}

fn tracks_block(scenario: &Scenario, planned: &HeadsPlan, others: &[Track]) -> Block {
    let way = |(id, name, what, words): (Name, &str, TokenSeries, &str)| {
        let mut lines = tracks(scenario, planned, others, what);
        lines.style = LineStyle {
            steps: what == TokenSeries::Memory,
            log: what == TokenSeries::Gap,
            thinned: true,
            even: true,
        };
        let chart = (!lines.series.is_empty()).then(|| {
            let chart = Chart::new(id, lines.title.clone(), ChartSpec::Lines(lines));
            chart
                .with_interaction(ChartInteraction::SetsControl(TOKEN))
                .into()
        });
        let blocks = chart.into_iter().chain([words.to_owned().into()]);
        (name.to_owned(), blocks.collect())
    };
    let ways = [
        (
            "tracks-time",
            "Time",
            TokenSeries::Time,
            "Elapsed time at each token, moves included, on the devices of the scenario.",
        ),
        (
            "tracks-memory",
            "Memory",
            TokenSeries::Memory,
            "The most memory used on any device. All devices together use the same under every placement, because each block \
             exists once.",
        ),
        (
            "tracks-optimum",
            "\u{d7} optimum",
            TokenSeries::Gap,
            "The objective of each choice over the least one possible from the placement the rule itself had before: 1 is the \
             optimum, found by counting. For long answers, means over neighbouring tokens are plotted. A rule whose choices \
             look good here can still be far off in the end, because a poor placement makes the next moves expensive.",
        ),
    ];
    Block::Tabs("What the lines show".into(), ways.map(way).into())
}

/// Returns the section on changes to our run under the same background load.
fn one_change(scenario: &Scenario, planned: &HeadsPlan) -> Section {
    let all = worth_a_try(scenario, planned);
    let unknown: Vec<_> = all.iter().map(|instead| (*instead, None)).collect();
    let choice = |instead: &HeadsVariant| {
        let after = changed(scenario, *instead).ok()?;
        Some(Choice {
            id: "",
            words: change_words(scenario, *instead),
            edit: difference(scenario, &after),
        })
    };
    let choices = all.iter().filter_map(choice).collect();
    let asks = all
        .iter()
        .map(|instead| written(&HeadsRequest::Instead(*instead)));
    Section::new("changes", "One change at a time")
        .folded()
        .holding("faster devices, links, more memory, one device fewer")
        .with(changes(scenario, planned, &unknown))
        .with(Block::Try("Try it:".into(), choices))
        .with("Each row is a separate run under the same background load.".to_owned())
        .with_split_query(
            Trigger::Opened,
            written(&More::Changes),
            asks.collect(),
            // A change that leaves no scenario is a gap.
            "",
        )
}

/// Returns the section on the work of each device at the selected token and over the whole run.
fn load(scenario: &Scenario, planned: &HeadsPlan, last: f64) -> Section {
    let dial = token_control("load-token", last);
    Section::new("load", "Devices at a token")
        .folded()
        .holding("memory, work and links of each")
        .with(Block::Controls(ControlGroup::of(AT_TOKEN, vec![dial])))
        .with(deferred_block(AT_TOKEN, Vec::new()))
        .with(Sentence::default().strong("Over the whole run"))
        .with(devices(scenario, planned))
}

/// Several layers of the same kind together, when they are asked for.
fn several_layers(last: f64) -> Section {
    let ends = (1.0, f64::from(MOST_LAYERS));
    let count = Control::new("layers-count", "Layers", ends, USUAL_LAYERS).by(ControlInput::Typed);
    let dials = ControlGroup::of(LAYERS, vec![count, token_control("layers-token", last)]);
    let said = "A model has many such layers. They run one after the other for every token; each receives the output of the \
                previous one from the device of its FFN, and all share the memory of the devices.";
    Section::new("layers", "Several layers")
        .folded()
        .holding("layers that share the memory of the devices")
        .with(said.to_owned())
        .with(Block::Controls(dials.pressed(
            "Place them all",
            "Searching for a plan and a bound",
        )))
        .with(deferred_block(LAYERS, Vec::new()))
}

fn files(scenario: &Scenario) -> Vec<(String, Vec<FileSpec>)> {
    let pieces = OtherRules::subtasks(scenario);
    let csv = |id, what| FileSpec::table(id, what, "csv", "CSV");
    let json = |id, what| FileSpec::table(id, what, "json", "JSON");
    let gaps = FileSpec {
        ending: "csv",
        label: "Choices compared with the optimum, CSV",
        ..FileSpec::from_subtasks("save-gaps", "to-the-optimum", pieces.clone())
    };
    let groups = [
        ("Scenario", vec![FileSpec::scenario()]),
        (
            "Plan",
            vec![FileSpec::from_subtasks("save-plan", "plan", pieces)],
        ),
        (
            "Tokens",
            vec![
                csv("save-tokens", "tokens"),
                json("save-tokens-json", "tokens"),
            ],
        ),
        (
            "Moves",
            vec![csv("save-moves", "moves"), json("save-moves-json", "moves")],
        ),
        ("Devices", vec![csv("save-devices", "devices")]),
        (
            "Comparison",
            vec![
                csv("save-comparison", "comparison"),
                json("save-comparison-json", "comparison"),
                gaps,
            ],
        ),
    ];
    groups
        .map(|(title, files)| (title.to_owned(), files))
        .into()
}
