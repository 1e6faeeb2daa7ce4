//! Head placement as a view of the scenario of all questions.

use super::schema::OBJECTS;
use super::{Draws, FORMAT, HeadDevice, HeadModel, Scenario, presets};
use crate::problem::Invalid;
use crate::scenario::rows::Shift;
use crate::scenario::schema::read as read_json;
use crate::scenario::world::{FactResolver, Names, Shared, SharedFacts, read, rows};
use crate::scenario::{Model, Question, fields};
use crate::sim::Background;

/// How much wider than the hidden size the feed-forward of the paper's layer is.
const FEED_FORWARD: f64 = 4.0;
/// Keys of the layer and of the shared model.
const MODEL: Names = &[("heads", "h_q"), ("width", "d_model")];

impl Scenario {
    /// Takes the layer by its dimensions: as the model has it where demands are physical, else the paper's.
    fn read_dimensions(&mut self, ask: &mut FactResolver<'_>) {
        self.model = HeadModel {
            name: ask.model_name(),
            ..HeadModel::default()
        };
        ask.model(&mut self.model, MODEL);
        let (heads, width) = (self.model.heads, self.model.width);
        let [groups, head_width, inner] =
            ["h_k", "d_head", "d_ff"].map(|key| ask.number_of_model(key));
        let is_papers = [groups, head_width, inner] == [heads, width / heads, FEED_FORWARD * width];
        if self.demands.is_physical() && !is_papers && ask.body().is_none() {
            self.model.layers = Some(ask.of_model("layers", "layers").value);
            self.model.h_k = Some(ask.of_model("h_k", "h_k").value);
            self.model.d_head = Some(ask.of_model("d_head", "d_head").value);
            self.model.d_ff = Some(ask.of_model("d_ff", "d_ff").value);
            return;
        }
        (self.model.h_k, self.model.d_head, self.model.d_ff) = (None, None, None);
        if libm::fmod(width, heads) != 0.0 {
            let width = heads * libm::ceil(width / heads);
            self.model.width = width;
            ask.replace(
                "d_model",
                width,
                "a multiple of the heads, as the paper\u{2019}s layer needs it",
            );
        }
        if groups != heads {
            let why = format!(
                "the paper\u{2019}s layer has keys and values for every head, where {heads} heads of the model share {groups}"
            );
            ask.replace("h_k", heads, &why);
        }
        let wide = FEED_FORWARD * self.model.width;
        if inner != wide {
            let why = "the paper\u{2019}s layer has two matrices of four times the hidden size, and no experts";
            ask.replace("d_ff", wide, why);
        }
    }
}

impl Shared for Scenario {
    rows!(devices: HeadDevice);
    const QUESTION: Question = Question::HeadPlacement;
    const SHARED_PARTS: &'static [(&'static str, &'static str)] = &[
        (
            "model",
            r#"{"name":"","heads":1,"width":1,"value_bytes":1}"#,
        ),
        ("prompt_tokens", "1"),
        ("new_tokens", "1"),
        ("devices", "[]"),
        ("links.gbit_s", "1"),
    ];
    const ROW_NAMES: Names = &[("memory_gb", "m_gb")];
    const MOST_ROWS: usize = fields::MOST_DEVICES;

    fn opening() -> Self {
        presets::physical()
    }

    fn blank() -> HeadDevice {
        HeadDevice {
            name: String::new(),
            off: false,
            compute_gops: 0.0,
            memory_gb: 0.0,
        }
    }

    // The drawn background is one of the paper's network; without it all draws are alike.
    fn of_own_machines() -> Self {
        let opening = presets::physical();
        Self {
            background: Background::Quiet,
            draws: Draws {
                seeds: 1.0,
                ..opening.draws
            },
            ..opening
        }
    }

    fn write_facts(&self, sheet: &mut SharedFacts) {
        sheet.model.name.clone_from(&self.model.name);
        sheet.model.numbers = read(&self.model, MODEL, None);
        sheet.model.body = self.model.body().map(Model::Blocks);
        sheet.model.stored = self.model.stored();
        sheet.network = read(&self.links, &[], None);
        sheet.request = read(self, &[("new_tokens", "answer_tokens")], None);
        let is_length = |key: &str| matches!(key, "prompt_tokens" | "answer_tokens");
        sheet.request.retain(|key, _| is_length(key));
    }

    fn read_facts(&mut self, ask: &mut FactResolver<'_>) {
        let is_physical = self.demands.is_physical();
        let body = ask.body().and_then(Model::blocks).filter(|_| is_physical);
        let known = body.and_then(HeadModel::of_blocks);
        let stored = ask.stored();
        match known {
            Some(model) => {
                let value = ask.of_model("value_bytes", "value_bytes").value;
                self.model = HeadModel {
                    value_bytes: value,
                    ..model
                };
            }
            None => self.read_dimensions(ask),
        }
        (self.model.weights, self.model.cache) = (stored.weights, stored.cache);
        ask.network(&mut self.links, &[]);
        self.prompt_tokens = ask.of_request("prompt_tokens", "prompt_tokens").value;
        self.new_tokens = ask.of_request("answer_tokens", "new_tokens").value;
        // The device that holds the input may have been switched off elsewhere.
        Self::follow(self, Shift::Switched);
    }

    fn follow(&mut self, shift: Shift) {
        Self::follow(self, shift);
    }

    // What goes by places is moved before anything is checked, so there must be such places.
    fn unchecked(text: &str) -> Result<Self, Invalid> {
        let scenario: Self = read_json(text, &OBJECTS, FORMAT)?;
        scenario.links.validate(fields::MOST_DEVICES)?;
        let mut recorded = scenario.recorded.iter().flatten().enumerate();
        match recorded.find(|(_, row)| row.1 >= fields::MOST_DEVICES) {
            None => Ok(scenario),
            Some((at, row)) => {
                let allowed = format!("a whole number below {}", fields::MOST_DEVICES);
                Err(Invalid::range(
                    format!("recorded[{at}][1]"),
                    row.1,
                    &allowed,
                ))
            }
        }
    }
}
