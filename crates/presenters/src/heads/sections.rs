//! Sections of an answer about attention heads, in the order of the page.

use super::charts::{TokenSeries, map_of, ranges, times_of, tracks};
use super::{
    about as about_rule, against, at_token, changes, comparison, devices, figures, layer_words,
    layers_table, layers_words, moves, rule_name, table_notes, tokens, tracks_table, verdict,
};
use chart::ChartSpec;
use document::{Block, Cell, Chart, Section, Table};
use engine::plan::HeadRunSummary;
use engine::scenario::heads::Scenario;
use planner::heads::{HeadsPlan, HeadsVariant, Layers, RunSetting, Track, rules};
use planner::heads_run::Comparison;

/// Results for a scenario. Those that need runs of their own may be missing.
#[derive(Debug, Clone, Copy)]
pub struct HeadsFacts<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The plan of every interval.
    pub planned: &'a HeadsPlan,
    /// Devices and background load of the run.
    pub setting: Option<&'a RunSetting>,
    /// All rules on every draw.
    pub drawn: Option<&'a Comparison>,
    /// Other rules over the tokens.
    pub tracks: &'a [Track],
    /// The plan with something changed.
    pub variants: &'a [(HeadsVariant, Option<HeadRunSummary>)],
    /// Several layers together.
    pub layers: Option<&'a Layers>,
}

/// The scenario in a line.
#[must_use]
pub fn about(scenario: &Scenario) -> Vec<String> {
    vec![format!(
        "{}, {} tokens in, {} out",
        layer_words(scenario),
        scenario.prompt_tokens,
        scenario.new_tokens
    )]
}

/// All that is known, the answer first.
#[must_use]
pub fn sections(known: &HeadsFacts<'_>) -> Vec<Section> {
    let HeadsFacts {
        scenario, planned, ..
    } = *known;
    let words = verdict(scenario, planned, true);
    let notes = table_notes(scenario).into_iter();
    let notes = notes.map(|note| format!("Note: {note}"));
    let answer = Section::new("answer", "Answer")
        .with(Block::Answer(words))
        .and(figures(scenario, planned))
        .and(notes);
    let mut all = vec![answer];
    let done = planned.times.elapsed.len();
    all.extend((done > 0).then(|| picture(known)));
    all.extend(compared(known));
    all.extend(over_tokens(known));
    all.push(what_rules_do(scenario));
    if !known.variants.is_empty() {
        let section = Section::new("changes", "One change at a time").folded();
        all.push(section.with(changes(scenario, planned, known.variants)));
    }
    if done > 0 {
        all.extend(load(known, done as u32));
        all.push(each_token(known));
    }
    all.extend(known.layers.map(|layers| {
        Section::new("layers", "Several layers")
            .folded()
            .with(layers_words(scenario, layers))
            .with(layers_table(scenario, planned, layers))
    }));
    all
}

/// Heads by device and token over the time of each token; the numbers follow.
fn picture(known: &HeadsFacts<'_>) -> Section {
    let (map, times) = (
        map_of(known.scenario, known.planned),
        times_of(known.planned),
    );
    Section::new("picture", "Heads by device and token")
        .with(Chart::new(
            "heads",
            format!("Heads by device and token: {}", known.scenario.title),
            ChartSpec::Heads(map, times),
        ))
        .with(devices(known.scenario, known.planned))
}

fn each_token(known: &HeadsFacts<'_>) -> Section {
    Section::new("tokens", "Time per token and moves")
        .folded()
        .with(tokens(known.planned))
        .with(moves(known.scenario, known.planned))
}

/// Returns the section on the work of each device at the last token.
fn load(known: &HeadsFacts<'_>, last: u32) -> Option<Section> {
    let HeadsFacts {
        scenario, planned, ..
    } = *known;
    let now = at_token(scenario, planned, known.setting?, last)?;
    Some(Section::new("load", now.title.clone()).folded().with(now))
}

/// Ours beside other rules over draws.
fn compared(known: &HeadsFacts<'_>) -> Option<Section> {
    let drawn = known.drawn.filter(|drawn| !drawn.seeds().is_empty())?;
    let section = Section::new("comparison", "Against other placements")
        .and(against(known.scenario, drawn))
        .with(
            Chart::new(
                "comparison",
                format!("Time of all tokens: {}", known.scenario.title),
                ChartSpec::Ranges(ranges(drawn)),
            )
            .with_table(comparison(drawn)),
        )
        .with(RANKED.to_owned());
    Some(section)
}

fn what_rules_do(scenario: &Scenario) -> Section {
    let row = |rule| vec![Cell::text(rule_name(rule)), Cell::text(about_rule(rule))];
    let what = Table::new(
        "rules",
        "What the rules do",
        &[("rule", "rule", ""), ("about", "what it does", "")],
        rules(scenario).into_iter().map(row).collect(),
    );
    Section::new("rules", "What the rules do")
        .folded()
        .with(what)
}

/// Which plans are ranked, and what the figures of a comparison are.
pub const RANKED: &str = "All plans but Galaxy and \u{201c}Edgewise, layer split\u{201d} keep every block whole on one device, and \
                          \u{201c}optimal\u{201d} means the best of those. Galaxy also splits projection and FFN over several \
                          devices; \u{201c}Edgewise, layer split\u{201d} is the best plan of either kind, interval by interval. \
                          Both are shown without a rank. A rule that found no placement for an interval kept the previous one if \
                          that still fitted. \u{201c}Faster by\u{201d} is the mean over the draws that both plans completed, \
                          compared draw by draw.";

/// Every rule over the tokens; nothing where none but ours was run.
fn over_tokens(known: &HeadsFacts<'_>) -> Option<Section> {
    if known.tracks.is_empty() {
        return None;
    }
    let chart = |(id, what): (&'static str, TokenSeries)| {
        let lines = tracks(known.scenario, known.planned, known.tracks, what);
        (!lines.series.is_empty())
            .then(|| Chart::new(id, lines.title.clone(), ChartSpec::Lines(lines)))
    };
    let all = [
        ("tracks-time", TokenSeries::Time),
        ("tracks-memory", TokenSeries::Memory),
        ("tracks-optimum", TokenSeries::Gap),
    ];
    let section = Section::new("tracks", "Rules over the tokens").folded();
    let section = section.and(all.into_iter().filter_map(chart));
    Some(section.with(tracks_table(known.tracks)))
}
