//! The schemas of what routes read and write, out of the types that read and write it.

use super::bounds::{self, BoundText};
use super::{computed_examples, examples};
use crate::child::AnswerFn;
use crate::routes::RouteVerb;
use engine::scenario::{self, Question};
use planner::problem_file as files;
use planner::problem_file::ProblemKind;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Named schemas, as `components.schemas` holds them.
#[derive(Debug, Default)]
pub struct Schemas(pub Map<String, Value>);

/// A reference to a named schema.
#[must_use]
pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Schemas under one name: that of the root, and with a dot behind it those of what it is made of.
struct Space {
    name: String,
    bound_text: BoundText,
    generator: SchemaGenerator,
}

impl Space {
    fn new(name: impl Into<String>, said: BoundText) -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
        let settings = match said {
            BoundText::Nowhere => settings.for_serialize(),
            BoundText::Table | BoundText::Words => settings.for_deserialize(),
        };
        Self {
            name: name.into(),
            bound_text: said,
            generator: settings.into_generator(),
        }
    }

    /// The schema of a type as it stands, not by reference.
    fn inline_schema<T: JsonSchema>(&mut self) -> Value {
        let mut schema = Value::from(T::json_schema(&mut self.generator));
        bounds::put(&mut schema, self.bound_text);
        schema
    }

    /// Puts the root and all that it refers to among the named schemas.
    fn close(mut self, root: Value, examples: &[Value], into: &mut Schemas) {
        let mut named = self.generator.take_definitions(false);
        named
            .values_mut()
            .for_each(|schema| bounds::put(schema, self.bound_text));
        named.insert(String::new(), root);
        let mut used = BTreeSet::from([String::new()]);
        referred(&named, &named[""], &mut used);
        named.retain(|name, _| used.contains(name));
        examples::spread(&mut named, examples);
        for (name, mut schema) in named {
            fill(&mut schema);
            relocate(&mut schema, &self.name);
            into.0.insert(joined(&self.name, &name), schema);
        }
    }
}

/// `ColdStart`, or `ColdStart.Layer` for a part of it.
fn joined(space: &str, part: &str) -> String {
    if part.is_empty() {
        space.to_owned()
    } else {
        format!("{space}.{part}")
    }
}

/// The names of all that a schema refers to within its space, and what that refers to.
fn referred(named: &Map<String, Value>, schema: &Value, used: &mut BTreeSet<String>) {
    match schema {
        Value::Array(all) => all.iter().for_each(|one| referred(named, one, used)),
        Value::Object(object) => {
            let target = object.get("$ref").and_then(Value::as_str);
            if let Some(part) = target.and_then(|target| target.strip_prefix("#/$defs/"))
                && used.insert(part.to_owned())
            {
                referred(named, &named[part], used);
            }
            object.values().for_each(|one| referred(named, one, used));
        }
        _ => {}
    }
}

/// Turns references within a space into references within the document.
fn relocate(schema: &mut Value, space: &str) {
    match schema {
        Value::Array(all) => all.iter_mut().for_each(|one| relocate(one, space)),
        Value::Object(object) => {
            if let Some(Value::String(target)) = object.get_mut("$ref")
                && let Some(part) = target.strip_prefix("#/$defs/")
            {
                *target = format!("#/components/schemas/{}", joined(space, part));
            }
            object.values_mut().for_each(|one| relocate(one, space));
        }
        _ => {}
    }
}

/// `cold-start` as a name of a schema: `ColdStart`.
#[must_use]
pub fn camel(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    };
    name.split('-').map(word).collect()
}

/// The fields of a problem file of which one holds what `evaluate` scores; none where it scores nothing.
#[must_use]
pub const fn scored_fields(kind: ProblemKind) -> &'static [&'static str] {
    match kind {
        ProblemKind::ColdStart => &["plan"],
        ProblemKind::HeadPlacement => &["placement", "split"],
        ProblemKind::TiersPartition => &["p"],
        ProblemKind::OperatorOrder => &["order"],
        ProblemKind::OperatorPartition => &["X"],
        _ => &[],
    }
}

/// The name of the schema of a problem file, for `evaluate` with what is to be scored.
#[must_use]
pub fn problem_name(kind: ProblemKind, scored: bool) -> String {
    camel(kind.name()) + if scored { "PlanGiven" } else { "Problem" }
}

/// The name of the schema of an answer to a problem file.
#[must_use]
pub fn answer_name(kind: ProblemKind, scored: bool) -> String {
    camel(kind.name()) + if scored { "Score" } else { "Answer" }
}

/// The name of the schema of a scenario.
#[must_use]
pub fn scenario_name(question: Question) -> String {
    camel(question.name()) + "Scenario"
}

/// The name of the schema of what `run` makes of a scenario.
#[must_use]
pub fn run_name(question: Question) -> String {
    camel(question.name()) + "Run"
}

impl Schemas {
    /// All that routes read and write; `answers` makes the examples of what verbs answer to scenarios.
    #[must_use]
    pub fn all(answers: AnswerFn) -> Self {
        let mut all = Self::default();
        let examples_of = |verb, word, input: &Value| {
            let example = computed_examples::ran(answers, verb, word, input);
            example.into_iter().collect::<Vec<Value>>()
        };
        for kind in ProblemKind::ALL {
            all.problem(kind, false);
            all.answer(kind, false);
            if !scored_fields(kind).is_empty() {
                all.problem(kind, true);
                all.answer(kind, true);
            }
        }
        for question in Question::ALL {
            all.scenario(question);
            all.run(
                question,
                &examples_of(RouteVerb::Run, None, &computed_examples::quick(question)),
            );
        }
        let story = computed_examples::example_answer(
            answers,
            &computed_examples::quick(Question::ColdStart),
        );
        all.add::<document::Story>("Story", None, &Vec::from_iter(story));
        let cold = Some(Question::ColdStart);
        let gains = examples_of(
            RouteVerb::Gains,
            None,
            &computed_examples::quick(Question::ColdStart),
        );
        all.add::<presenters::cold_start::gains::Document<'_>>("Gains", cold, &gains);
        let spread = examples_of(RouteVerb::Spread, None, &computed_examples::with_ranges());
        all.add::<presenters::cold_start::spread::Documented<'_>>("Spread", cold, &spread);
        // Other questions have changes and ranges of one kind.
        let ranged = computed_examples::with_a_range();
        let helps = examples_of(RouteVerb::Gains, None, &ranged);
        all.add::<presenters::sensitivity::Document<'_>>("GainsOfOthers", None, &helps);
        let ranges = examples_of(RouteVerb::Spread, None, &ranged);
        all.add::<presenters::ranges::Document<'_>>("SpreadOfOthers", None, &ranges);
        for name in ["GainsOfOthers", "SpreadOfOthers"] {
            let others = Question::ALL.into_iter().filter(|q| Some(*q) != cold);
            let scenarios: Vec<Value> = others.map(|q| reference(&scenario_name(q))).collect();
            all.0[name]["properties"]["scenario"] = json!({ "oneOf": scenarios });
        }
        let word = Some(Question::ColdStart.name());
        let published = examples_of(RouteVerb::Published, word, &Value::Null);
        all.add::<presenters::published::section::Document<'_>>("Published", cold, &published);
        let model = examples_of(RouteVerb::Model, None, &computed_examples::config());
        all.add::<protocol::import::Document<'_>>("Model", None, &model);
        all.add::<crate::problem::Problem>("Problem", None, &[computed_examples::problem()]);
        all
    }

    /// Adds a type that is only written. The scenario in it is of `question`.
    fn add<T: JsonSchema>(&mut self, name: &str, question: Option<Question>, examples: &[Value]) {
        let mut space = Space::new(name, BoundText::Nowhere);
        let mut root = space.inline_schema::<T>();
        if let Some(question) = question {
            root["properties"]["scenario"] = reference(&scenario_name(question));
        }
        if !examples.is_empty() {
            root["examples"] = examples.into();
        }
        space.close(root, examples, self);
    }

    fn problem(&mut self, kind: ProblemKind, scored: bool) {
        let mut space = Space::new(problem_name(kind, scored), BoundText::Words);
        let mut root = match kind {
            ProblemKind::ColdStart | ProblemKind::ColdStartFront => one_of(
                kind,
                vec![
                    space.inline_schema::<files::cold_start::Low>(),
                    space.inline_schema::<files::cold_start::High>(),
                ],
            ),
            ProblemKind::HeadPlacement => space.inline_schema::<files::head_placement::Document>(),
            ProblemKind::HeadPlacementRun => {
                space.inline_schema::<files::head_placement_run::Document>()
            }
            ProblemKind::Dispatch => space.inline_schema::<files::dispatch::Document>(),
            ProblemKind::TiersPartition => {
                space.inline_schema::<files::tiers_partition::Document>()
            }
            ProblemKind::TiersSchedule => space.inline_schema::<files::tiers_schedule::Document>(),
            ProblemKind::TiersSimulate => space.inline_schema::<files::tiers_simulate::Document>(),
            ProblemKind::Migration => space.inline_schema::<files::migration::Document>(),
            ProblemKind::OperatorOrder if scored => one_of(
                kind,
                vec![
                    space.inline_schema::<files::operator_order::Problem>(),
                    space.inline_schema::<files::operator_order::Named>(),
                ],
            ),
            ProblemKind::OperatorOrder => space.inline_schema::<files::operator_order::Problem>(),
            ProblemKind::OperatorPartition => {
                space.inline_schema::<files::operator_partition::Problem>()
            }
        };
        match kind {
            ProblemKind::ColdStartFront => require_one_of(&mut root, &["plan"], scored),
            _ => require_one_of(&mut root, scored_fields(kind), scored),
        }
        let examples = examples::problems(kind, scored);
        root["examples"] = examples.clone().into();
        space.close(root, &examples, self);
    }

    fn answer(&mut self, kind: ProblemKind, scored: bool) {
        use files::Output;
        let mut space = Space::new(answer_name(kind, scored), BoundText::Nowhere);
        let mut root = match (kind, scored) {
            (ProblemKind::ColdStart, false) => {
                space.inline_schema::<Output<files::cold_start::Solved>>()
            }
            (ProblemKind::ColdStart, true) => {
                space.inline_schema::<Output<files::cold_start::Scored>>()
            }
            (ProblemKind::ColdStartFront, _) => {
                space.inline_schema::<Output<files::cold_start_front::Fronts>>()
            }
            (ProblemKind::HeadPlacement, false) => {
                space.inline_schema::<Output<planner::head_placement::Answer>>()
            }
            (ProblemKind::HeadPlacement, true) => {
                space.inline_schema::<Output<planner::head_placement::Evaluation>>()
            }
            (ProblemKind::HeadPlacementRun, _) => {
                space.inline_schema::<files::head_placement_run::Output>()
            }
            (ProblemKind::Dispatch, _) => space.inline_schema::<Output<files::dispatch::Answer>>(),
            (ProblemKind::TiersPartition, false) => {
                space.inline_schema::<Output<planner::tiers_partition::Answer>>()
            }
            (ProblemKind::TiersPartition, true) => {
                space.inline_schema::<Output<planner::tiers_partition::Evaluation>>()
            }
            (ProblemKind::TiersSchedule, _) => {
                space.inline_schema::<files::tiers_schedule::Output>()
            }
            (ProblemKind::TiersSimulate, _) => {
                space.inline_schema::<files::tiers_simulate::Output>()
            }
            (ProblemKind::Migration, _) => space.inline_schema::<files::migration::Output>(),
            (ProblemKind::OperatorOrder, false) => {
                space.inline_schema::<Output<planner::operator_order::Answer>>()
            }
            (ProblemKind::OperatorOrder, true) => {
                space.inline_schema::<Output<planner::operator_order::Evaluation>>()
            }
            (ProblemKind::OperatorPartition, false) => {
                space.inline_schema::<Output<planner::operator_partition::Answer>>()
            }
            (ProblemKind::OperatorPartition, true) => {
                space.inline_schema::<Output<planner::operator_partition::Evaluation>>()
            }
        };
        let examples = examples::answers(kind, scored);
        root["examples"] = examples.clone().into();
        space.close(root, &examples, self);
    }

    fn scenario(&mut self, question: Question) {
        let mut space = Space::new(scenario_name(question), BoundText::Table);
        let (mut root, format) = match question {
            Question::ColdStart => (
                space.inline_schema::<scenario::Scenario>(),
                scenario::FORMAT,
            ),
            Question::HeadPlacement => (
                space.inline_schema::<scenario::heads::Scenario>(),
                scenario::heads::FORMAT,
            ),
            Question::Dispatch => (
                space.inline_schema::<scenario::dispatch::Scenario>(),
                scenario::dispatch::FORMAT,
            ),
            Question::Tiers => (
                space.inline_schema::<scenario::tiers::Scenario>(),
                scenario::tiers::FORMAT,
            ),
            Question::Operators => (
                space.inline_schema::<scenario::operators::Scenario>(),
                scenario::operators::FORMAT,
            ),
        };
        let fields = &mut root["properties"];
        fields["question"] = json!({ "const": question.name(), "description": "The question." });
        fields["format"] = json!({ "const": format, "description": "The version of this format." });
        let examples = examples::scenarios(question);
        root["examples"] = json!([examples[0]]);
        space.close(root, &examples, self);
    }

    fn run(&mut self, question: Question, examples: &[Value]) {
        let (name, of) = (run_name(question), Some(question));
        match question {
            Question::ColdStart => self.add::<planner::Documented<'_>>(&name, of, examples),
            Question::HeadPlacement => {
                self.add::<planner::heads::Document<'_>>(&name, of, examples)
            }
            Question::Dispatch => self.add::<planner::dispatch::Document<'_>>(&name, of, examples),
            Question::Tiers => self.add::<planner::tiers::WithLoad<'_>>(&name, of, examples),
            Question::Operators => {
                self.add::<planner::operators::Documented<'_>>(&name, of, examples)
            }
        }
    }
}

/// Where forms differ in the fields that they have to have, null is not one of them.
fn fill(schema: &mut Value) {
    match schema {
        Value::Array(all) => all.iter_mut().for_each(fill),
        Value::Object(object) => {
            for keyword in ["anyOf", "oneOf"] {
                let forms = object.get_mut(keyword).and_then(Value::as_array_mut);
                for form in forms.into_iter().flatten().filter_map(Value::as_object_mut) {
                    let fields = form.get("required").and_then(Value::as_array).cloned();
                    if let (Some(fields), 1) = (fields, form.len()) {
                        let of = |field: &Value| {
                            let field = field.as_str().unwrap_or_default().to_owned();
                            (field, json!({ "not": { "type": "null" } }))
                        };
                        let filled: Map<String, Value> = fields.iter().map(of).collect();
                        form.insert("properties".into(), filled.into());
                    }
                }
            }
            object.values_mut().for_each(fill);
        }
        _ => {}
    }
}

/// The forms that files of a kind have.
fn one_of(kind: ProblemKind, forms: Vec<Value>) -> Value {
    json!({ "description": format!("{}.", kind.about()), "oneOf": forms })
}

/// Asks for one of some fields in every form, or takes them away: `evaluate` needs what `solve` refuses.
fn require_one_of(schema: &mut Value, fields: &[&str], asked: bool) {
    if let Some(Value::Array(forms)) = schema.get_mut("oneOf") {
        forms
            .iter_mut()
            .for_each(|form| require_one_of(form, fields, asked));
    }
    let Some(Value::Object(all)) = schema.get_mut("properties") else {
        return;
    };
    for field in fields {
        if !asked {
            all.remove(*field);
        } else if let Some(Value::Array(types)) = all[*field].get_mut("type")
            && fields.len() == 1
        {
            types.retain(|name| name != "null");
        }
    }
    if !asked {
        return;
    }
    match fields {
        [] => {}
        [field] => {
            if let Some(Value::Array(required)) = schema.get_mut("required") {
                required.push((*field).into());
            }
        }
        several => {
            let forms = several.iter().map(|field| json!({ "required": [field] }));
            schema["anyOf"] = forms.collect();
        }
    }
}
