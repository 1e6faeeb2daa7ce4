//! Tiers as a view of the scenario of all questions: a tier is a machine, and the like nodes beside it.

use super::schema::OBJECTS;
use super::{
    FORMAT, Link, MOST_TIERS, Mode, Precision, Scenario, Tier, TierBlocks, TierDimensions,
    TierModel, presets,
};
use crate::problem::Invalid;
use crate::scenario::rows::Shift;
use crate::scenario::schema::read as read_json;
use crate::scenario::world::{FactResolver, Names, RUNTIME_TERMS, Shared, SharedFacts, read, rows};
use crate::scenario::{Model, Question};

impl Shared for Scenario {
    rows!(tiers: Tier);
    const QUESTION: Question = Question::Tiers;
    const SHARED_PARTS: &'static [(&'static str, &'static str)] = &[
        (
            "model",
            r#"{"name":"","layers":1,"d_model":1,"h_q":1,"h_k":1,"d_head":1,"d_ff":1,"vocabulary":1,"tied_embeddings":false}"#,
        ),
        ("prompt_tokens", "1"),
        ("out_tokens", "1"),
        ("link", r#"{"rate_mbit_s":1,"latency_ms":0}"#),
        ("tiers", "[]"),
    ];
    const ROW_NAMES: Names = &[("usable_gb", "m_gb")];
    const MOST_ROWS: usize = MOST_TIERS;

    fn opening() -> Self {
        presets::paper()
    }

    // The paper's profiles are those of its Jetsons.
    fn of_own_machines() -> Self {
        Self {
            cost: presets::RUNTIME,
            ..presets::paper()
        }
    }

    fn blank() -> Tier {
        Tier {
            nodes: 1.0,
            ..Tier::default()
        }
    }

    fn assumed_terms(&self) -> &'static [&'static str] {
        match self.cost.mode {
            Mode::Runtime => RUNTIME_TERMS,
            Mode::Flops | Mode::Roofline => &[],
        }
    }

    fn write_facts(&self, sheet: &mut SharedFacts) {
        for (row, tier) in sheet.machines.iter_mut().zip(&self.tiers) {
            row.link = tier.link.as_ref().map(|link| read(link, &[], None));
        }
        self.model.name().clone_into(&mut sheet.model.name);
        match &self.model {
            TierModel::Dense(dims) => sheet.model.numbers = read(dims, &[], None),
            TierModel::Blocks(blocks) => {
                sheet.model.numbers = read(blocks, &[], None);
                sheet.model.numbers.retain(|key, _| *key != "token_bytes");
                sheet.model.body = Some(Model::Blocks(blocks.body()));
            }
        }
        sheet.model.tied = Some(self.model.has_tied_embeddings());
        let mut stored = self.cost.stored();
        // As everywhere where it is not given.
        stored.weights = stored.weights.filter(|one| *one != Precision::default());
        sheet.model.stored = stored;
        sheet.network = read(&self.link, &[], None);
        sheet.request = read(self, &[("out_tokens", "answer_tokens")], None);
    }

    fn read_facts(&mut self, ask: &mut FactResolver<'_>) {
        for (at, tier) in self.tiers.iter_mut().enumerate() {
            let mut link = Link {
                rate_mbit_s: 0.0,
                latency_ms: 0.0,
            };
            let found = ask.link(at, &mut link);
            tier.link = found.filter(|found| found.len() == 2).map(|_| link);
        }
        let on = self.switched_on().count();
        let is_tied = ask.is_tied();
        self.model = match ask.body().and_then(Model::blocks) {
            Some(body) => {
                let mut blocks = TierBlocks::of(body, 0.0, is_tied);
                blocks.vocabulary = ask.of_model("vocabulary", "vocabulary").value;
                blocks.embedding_bytes = ask.known_of_model("embedding_bytes");
                blocks.head_bytes = ask.known_of_model("head_bytes");
                TierModel::Blocks(blocks)
            }
            None => {
                let mut dims = TierDimensions {
                    name: ask.model_name(),
                    tied_embeddings: is_tied,
                    ..TierDimensions::default()
                };
                ask.model(&mut dims, &[]);
                TierModel::Dense(dims)
            }
        };
        // Files of before the model knew it have it among the settings of this question.
        let stored = ask.stored();
        self.cost.weights = stored.weights.unwrap_or(self.cost.weights);
        self.cost.cache = stored.cache.or(self.cost.cache);
        let layers = self.model.blocks() as f64;
        let fits = |split: &Vec<f64>| split.len() == on && split.iter().sum::<f64>() == layers;
        self.split = self.split.take().filter(fits);
        ask.network(&mut self.link, &[]);
        self.prompt_tokens = ask.of_request("prompt_tokens", "prompt_tokens").value;
        self.out_tokens = ask.of_request("answer_tokens", "out_tokens").value;
    }

    // Another list of tiers leaves no split of the user's.
    fn follow(&mut self, _shift: Shift) {
        self.split = None;
    }

    fn clear_shared(&mut self) {
        self.cost.weights = Precision::default();
        self.cost.cache = None;
    }

    fn unchecked(text: &str) -> Result<Self, Invalid> {
        read_json(text, &OBJECTS, FORMAT)
    }
}
