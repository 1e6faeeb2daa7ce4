//! Tiers as a view of the scenario of all questions: a tier is a machine, and the like nodes beside it.

use super::schema::OBJECTS;
use super::{FORMAT, Link, MOST_TIERS, Precision, Scenario, Tier, presets};
use crate::problem::Invalid;
use crate::scenario::Question;
use crate::scenario::rows::Shift;
use crate::scenario::schema::read as read_json;
use crate::scenario::world::{FactResolver, Names, Shared, SharedFacts, read, rows};

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

    fn blank() -> Tier {
        Tier {
            name: String::new(),
            off: false,
            nodes: 1.0,
            tops: 0.0,
            bandwidth_gb_s: 0.0,
            memory_gb: 0.0,
            usable_gb: 0.0,
            power_w: 0.0,
            link: None,
        }
    }

    fn write_facts(&self, sheet: &mut SharedFacts) {
        for (row, tier) in sheet.machines.iter_mut().zip(&self.tiers) {
            row.link = tier.link.as_ref().map(|link| read(link, &[], None));
        }
        sheet.model.name.clone_from(&self.model.name);
        sheet.model.numbers = read(&self.model, &[], None);
        sheet.model.tied = Some(self.model.tied_embeddings);
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
        self.model.name = ask.model_name();
        self.model.tied_embeddings = ask.is_tied();
        ask.model(&mut self.model, &[]);
        // Files of before the model knew it have it among the settings of this question.
        let stored = ask.stored();
        self.cost.weights = stored.weights.unwrap_or(self.cost.weights);
        self.cost.cache = stored.cache.or(self.cost.cache);
        let layers = self.model.layers;
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
