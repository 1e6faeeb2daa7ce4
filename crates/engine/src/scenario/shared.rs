//! Cold start as a view of the scenario of all questions.

use super::rows::Shift;
use super::schema::OBJECTS;
use super::world::{
    FactResolver, Names, PREFILL_TERMS, RUNTIME_TERMS, Shared, SharedFacts, read, rows, spans,
};
use super::{ChannelPart, Device, Dimensions, Model, Question, Scenario, fields, presets};
use crate::hardware;
use crate::model::precision::Stored;
use crate::problem::{Invalid, json};

/// How the names of ranges of shared numbers begin.
const SHARED_RANGES: [&str; 4] = ["model.", "channel.", "prompt_tokens", ANSWER];
const ANSWER: &str = "decode.answer_tokens";
/// Numbers of a brought model that stand with the memory of a cold start.
const ENDS: [&str; 3] = ["vocabulary", "embedding_bytes", "head_bytes"];

impl Shared for Scenario {
    rows!(devices: Device);
    const QUESTION: Question = Question::ColdStart;
    const SHARED_PARTS: &'static [(&'static str, &'static str)] = &[
        (
            "model",
            r#"{"name":"","layers":1,"d_model":1,"h_q":1,"h_k":1,"d_head":1,"d_ff":1}"#,
        ),
        ("prompt_tokens", "1"),
        (
            "channel",
            r#"{"mu":0,"B_mhz":0,"N0_dbm_hz":0,"d0_m":0,"zeta":0,"beta0_db":0}"#,
        ),
        ("devices", "[]"),
        ("decode.answer_tokens", "1"),
    ];
    const ROW_NAMES: Names = &[];
    const MOST_ROWS: usize = fields::MOST_DEVICES;

    fn opening() -> Self {
        presets::paper()
    }

    fn blank() -> Device {
        Device::from_hardware("", &hardware::DeviceHardware::default())
    }

    fn write_facts(&self, sheet: &mut SharedFacts) {
        for (row, device) in sheet.machines.iter_mut().zip(&self.devices) {
            row.numbers = read(device, Self::ROW_NAMES, Some((&device.ranges, "")));
            let link = device.link.as_ref();
            row.link = link.map(|link| read(link, &[], Some((&device.ranges, "link."))));
        }
        self.model.name().clone_into(&mut sheet.model.name);
        match &self.model {
            Model::Dimensions(dims) => {
                sheet.model.numbers = read(dims, &[], Some((&self.ranges, "model.")));
                sheet.model.stored = dims.stored();
            }
            body => {
                sheet.model.body = Some(body.clone());
                // What the file says besides its blocks.
                let memory = self.memory.filter(|_| body.blocks().is_some());
                let numbers = memory.map(|memory| read(&memory, &[], None));
                let mut numbers = numbers.unwrap_or_default();
                numbers.retain(|key, _| ENDS.contains(key));
                sheet.model.numbers = numbers;
            }
        }
        sheet.network = read(&self.channel, &[], Some((&self.ranges, "channel.")));
        sheet.request = read(self, &[], Some((&self.ranges, "")));
        if let Some(decode) = &self.decode {
            let mut decode = read(decode, &[], Some((&self.ranges, "decode.")));
            decode.retain(|key, _| *key == "answer_tokens");
            sheet.request.extend(decode);
        }
    }

    fn read_facts(&mut self, ask: &mut FactResolver<'_>) {
        for (at, device) in self.devices.iter_mut().enumerate() {
            device.ranges = spans(ask.row(at), "");
            let mut link = ChannelPart::default();
            if let Some(found) = ask.link(at, &mut link) {
                device.ranges.extend(spans(&found, "link."));
                device.link = Some(link);
            }
        }
        self.model = match ask.body() {
            Some(body) => body.clone(),
            None => {
                let mut dims = Dimensions::named(ask.model_name(), ask.stored());
                let mut found = ask.model(&mut dims, &[]);
                // A plan is made for so many layers.
                found.retain(|(key, _)| *key != "layers");
                self.ranges.extend(spans(&found, "model."));
                Model::Dimensions(dims)
            }
        };
        let found = ask.network(&mut self.channel, &[]);
        self.ranges.extend(spans(&found, "channel."));
        let prompt = ask.of_request("prompt_tokens", "prompt_tokens");
        self.prompt_tokens = prompt.value;
        self.ranges.extend(spans(&[("prompt_tokens", prompt)], ""));
        if let Some(decode) = &mut self.decode {
            let answer = ask.of_request("answer_tokens", "answer_tokens");
            decode.answer_tokens = answer.value;
            self.ranges.extend(spans(&[(ANSWER, answer)], ""));
        }
    }

    fn assumed_terms(&self) -> &'static [&'static str] {
        match self.decode {
            Some(_) => RUNTIME_TERMS,
            None => PREFILL_TERMS,
        }
    }

    fn follow(&mut self, shift: Shift) {
        if let Some(loading) = &mut self.loading {
            loading.follow(shift);
        }
    }

    fn clear_shared(&mut self) {
        let is_shared = |key: &str| SHARED_RANGES.iter().any(|begin| key.starts_with(begin));
        self.ranges.retain(|key, _| !is_shared(key));
    }

    fn unchecked(text: &str) -> Result<Self, Invalid> {
        json::read(text, &OBJECTS)
    }
}

impl Dimensions {
    /// A model of this name, stored so, without numbers.
    fn named(name: String, stored: Stored) -> Self {
        Self {
            name,
            layers: 0.0,
            d_model: 0.0,
            h_q: 0.0,
            h_k: 0.0,
            d_head: 0.0,
            d_ff: 0.0,
            weights: stored.weights,
            cache: stored.cache,
        }
    }
}
