//! The answer about tiers as the page has it.

use super::queries::{as_split, in_time, over_counts, over_rates, query_result};
use super::{about, rule_name, sections, split_words};
use crate::chains;
use crate::presenting::{AggregateResult, AnswerPresenter, PartialProgress, for_file, solved};
use crate::published::reproductions;
use document::{Block, Choice, Edit, Patch, Section, counted};
use engine::problem::Invalid;
use engine::scenario::tiers::Scenario;
use engine::units::seconds;
use planner::tiers::{Documented, Plan, Planned, TierRule, planned};
use planner::tiers_published::TierMeasurements;
use protocol::flags::LayerMap;
use protocol::{AnswerView, FileSpec, SubtaskResult};

impl AnswerPresenter for Scenario {
    fn summarize(&self, _: &mut PartialProgress<'_>) -> Result<AnswerView, Invalid> {
        self.validate()?;
        let planned = solved(self, || planned(self))?;
        let plan = planned.plan.as_ref();
        let figure = plan.map_or_else(|| "No plan".to_owned(), |plan| seconds(plan.request));
        let tiers = counted(self.switched_on().count(), "tier", "tiers");
        let led = match plan {
            Some(_) => &figure,
            None => "Does not fit",
        };
        let stem = plan.map_or_else(
            || "no-plan".to_owned(),
            |plan| format!("{:.0}ms", 1e3 * plan.request),
        );
        Ok(AnswerView {
            about: sections::about(self),
            sections: summary_sections(self, &planned),
            tab: format!("{led}: {} over {tiers}", self.model.name()),
            stem: format!("edgewise-tiers-{}-{stem}", for_file(self.model.name())),
            checked: plan.map(checked).unwrap_or_default(),
            figure,
            ..AnswerView::default()
        })
    }

    fn present(&self, on_progress: &mut PartialProgress<'_>) -> Result<AnswerView, Invalid> {
        let mut telling = self.summarize(on_progress)?;
        let planned = solved(self, || planned(self))?;
        telling.sections.extend(detail_sections(self, &planned));
        telling.files = files(planned.plan.as_ref());
        telling.chains = chains(self, &planned);
        Ok(telling)
    }

    fn more(
        &self,
        ask: &str,
        on_progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<Patch>, Invalid> {
        query_result(self, ask, on_progress)
    }

    fn run_subtask(
        &self,
        piece: &str,
        _: &[u8],
        on_progress: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<Vec<u8>, Invalid> {
        reproductions::run_subtask::<TierMeasurements>(&(), piece, on_progress)
    }

    fn aggregate(
        &self,
        _: &str,
        _: &[u8],
        results: &[Option<SubtaskResult>],
    ) -> Result<AggregateResult, Invalid> {
        reproductions::aggregate::<TierMeasurements>(&(), results, None)
    }

    fn file(&self, name: &str) -> Result<String, Invalid> {
        match name {
            "plan" => {
                let answer = solved(self, || planned(self))?;
                Ok(protocol::written(&Documented::new(self, &answer)))
            }
            _ => Err(Invalid::range("file", name, "plan")),
        }
    }
}

/// The answer and its picture, with the way back from a split set by the user.
fn summary_sections(scenario: &Scenario, planned: &Planned) -> Vec<Section> {
    let mut all = sections::summary(scenario, planned);
    let picture = all.iter_mut().find(|section| section.id == "picture");
    if let Some(picture) = picture.filter(|_| scenario.split.is_some()) {
        let back = Choice {
            id: "best-split",
            words: "Back to the best split".into(),
            edit: Edit::of("/split", "null"),
        };
        picture.blocks.push(Block::Try(String::new(), vec![back]));
    }
    all
}

/// Builds the details of the page: the shared sections, variants to try, and deferred queries.
fn detail_sections(scenario: &Scenario, planned: &Planned) -> Vec<Section> {
    let known = sections::TiersFacts {
        scenario,
        planned,
        load: None,
        timeline: None,
    };
    let mut all = sections::details(&known);
    let compared = all.iter_mut().find(|section| section.id == "comparison");
    if let Some(compared) = compared {
        compared.blocks.extend(to_try(scenario, planned));
        compared.blocks.push(rules());
    }
    if let Some(plan) = planned.plan.as_ref().filter(|plan| plan.mem_ok) {
        // Beside the comparison, before what few ask for.
        let after = all.iter().position(|section| section.id == "comparison");
        let at = after.map_or(all.len(), |at| at + 1);
        let runs = [
            over_rates(scenario, planned, plan),
            in_time(plan),
            over_counts(scenario, planned, plan),
        ];
        all.splice(at..at, runs);
    }
    all.push(reproductions::section::<TierMeasurements>(&()));
    all
}

/// The splits of other rules, each once.
fn to_try(scenario: &Scenario, planned: &Planned) -> Option<Block> {
    let mut all: Vec<Choice> = Vec::new();
    for other in &planned.others {
        let plan = other.plan.as_ref().filter(|plan| plan.mem_ok);
        let found = plan.and_then(|plan| Some((plan, as_split(scenario, &plan.placed)?)));
        if let Some((plan, edit)) = found {
            let words = split_words(&plan.placed);
            if all.iter().all(|choice| choice.words != words) {
                all.push(Choice {
                    id: "",
                    words,
                    edit,
                });
            }
        }
    }
    (!all.is_empty()).then(|| Block::Try("Try a split:".into(), all))
}

/// Describes each rule.
fn rules() -> Block {
    let terms = TierRule::ALL.map(|rule| (rule_name(rule).to_owned(), about(rule).to_owned()));
    let energy = "Energy is that of a single request at the nodes\u{2019} nameplate power, without idling: an upper bound for \
                  the work, and still an estimate.";
    Block::Fold(
        "What the rules do".into(),
        vec![Block::Terms(terms.into()), energy.to_owned().into()],
    )
}

fn checked(plan: &Plan) -> String {
    let fit = plan.stages.iter().filter(|stage| stage.mem_ok).count();
    format!(
        "Every split is scored again, block by block, before it is shown: {fit} of {} stages fit.",
        plan.stages.len()
    )
}

fn files(plan: Option<&Plan>) -> Vec<(String, Vec<FileSpec>)> {
    let mut groups = vec![
        ("Scenario".to_owned(), vec![FileSpec::scenario()]),
        (
            "Plan".to_owned(),
            vec![FileSpec::from_worker("save-plan", "plan")],
        ),
    ];
    if plan.is_some() {
        let table = FileSpec::table;
        groups.push((
            "Stages".to_owned(),
            vec![
                table("save-stages", "stages", "csv", "CSV"),
                table("save-stages-json", "stages", "json", "JSON"),
            ],
        ));
        groups.push((
            "Comparison and front".to_owned(),
            vec![
                table("save-comparison", "comparison", "csv", "Comparison, CSV"),
                table("save-front", "front", "csv", "Front, CSV"),
            ],
        ));
    }
    groups
}

fn chains(scenario: &Scenario, planned: &Planned) -> Vec<(String, LayerMap)> {
    let ours = planned.plan.iter().map(|plan| ("This split", plan));
    let others = planned.others.iter();
    let others = others.filter_map(|other| Some((rule_name(other.who), other.plan.as_ref()?)));
    ours.chain(others)
        .filter_map(|(name, plan)| Some((name.to_owned(), chains::of_tiers(scenario, plan).ok()?)))
        .collect()
}
