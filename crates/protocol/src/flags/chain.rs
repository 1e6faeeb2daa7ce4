//! Layer maps: who runs which layers of a model, in running order.

use super::{host, plain};
use engine::problem::{Code, Invalid};
use serde::{Deserialize, Serialize};

/// A device with its layers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainPart {
    /// The user’s name of the device.
    pub name: String,
    /// Its index among the user's devices, from 0.
    pub device: usize,
    /// First layer, from 1.
    pub first: usize,
    /// Last layer, from 1, inclusive.
    pub last: usize,
}

impl ChainPart {
    /// How many layers it runs: at least one.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.last + 1 - self.first
    }
}

/// A layer map: every layer of a model on one device, consecutive layers together, in running order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerMap {
    model: String,
    layers: usize,
    parts: Vec<ChainPart>,
    pub(super) tied: Option<bool>,
    /// Tokens of context that the plan has room for, where it counts them.
    pub(super) context: Option<u64>,
    pub(super) caveats: Vec<String>,
}

impl LayerMap {
    /// A layer map of a model with so many layers.
    ///
    /// # Errors
    /// A map that leaves a layer out, names one twice, has an empty stage or a device twice; `plan[i]` says where.
    ///
    /// # Complexity
    /// O(S²) for S stages.
    pub fn new(model: &str, layers: usize, parts: Vec<ChainPart>) -> Result<Self, Invalid> {
        let fault = |at: usize, message: &str| {
            Err(Invalid::new(
                Code::Plan,
                format!("plan[{at}]"),
                at,
                format!("plan[{at}] {message}"),
            ))
        };
        let mut next = 1;
        for (at, part) in parts.iter().enumerate() {
            if part.first != next {
                return fault(at, "must begin where the stage before it ends");
            }
            if part.last < part.first || part.last > layers {
                return fault(at, "must hold at least one of the model\u{2019}s layers");
            }
            if parts[..at].iter().any(|other| other.device == part.device) {
                return fault(at, "must be on a device that no other stage has");
            }
            next = part.last + 1;
        }
        if next != layers + 1 || parts.is_empty() {
            return fault(parts.len(), "is missing: the last layers have no device");
        }
        Ok(Self {
            model: model.to_owned(),
            layers,
            parts,
            tied: None,
            context: None,
            caveats: Vec::new(),
        })
    }

    /// Says whether embedding and output head are one matrix; unknown otherwise.
    #[must_use]
    pub const fn with_tied(mut self, tied: Option<bool>) -> Self {
        self.tied = tied;
        self
    }

    /// Says how many tokens of context the plan has room for, where it counts them.
    #[must_use]
    pub const fn with_context(mut self, tokens: Option<u64>) -> Self {
        self.context = tokens;
        self
    }

    /// Adds a note that holds whatever the tool.
    #[must_use]
    pub fn with_caveat(mut self, caveat: impl Into<String>) -> Self {
        self.caveats.push(caveat.into());
        self
    }

    /// The model's name.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// How many layers the model has.
    #[must_use]
    pub const fn layers(&self) -> usize {
        self.layers
    }

    /// Returns the devices with their layers, in the order of the pipeline: at least one.
    #[must_use]
    pub fn devices(&self) -> &[ChainPart] {
        &self.parts
    }

    /// The tokens of context, or what stands for them.
    pub(super) fn context_text(&self) -> String {
        self.context
            .map_or_else(|| "CTX".to_owned(), |tokens| tokens.to_string())
    }

    /// The number of layers of each stage, in running order.
    pub(super) fn counts(&self) -> Vec<usize> {
        self.parts.iter().map(ChainPart::count).collect()
    }

    /// The name of a stage's device as comments may hold it, or its place where nothing of it is left.
    #[must_use]
    pub fn name_of(&self, stage: usize) -> String {
        let name = self.parts.get(stage).map(|part| plain(&part.name));
        let name = name.filter(|name| name.chars().any(char::is_alphanumeric));
        name.unwrap_or_else(|| format!("stage {}", stage + 1))
    }

    /// The model's name as comments may hold it.
    pub(super) fn model_name(&self) -> String {
        let name = plain(&self.model);
        if name.chars().any(char::is_alphanumeric) {
            name
        } else {
            "the model".to_owned()
        }
    }

    /// Describes a stage as a comment: `stage 2 of 4, on D4, HOST2, layers 8 to 12`.
    pub(super) fn stage_line(&self, stage: usize) -> String {
        let part = &self.parts[stage];
        let layers = if part.count() == 1 {
            format!("layer {}", part.first)
        } else {
            format!("layers {} to {}", part.first, part.last)
        };
        format!(
            "# Stage {} of {}, on {}, {}, {layers}",
            stage + 1,
            self.parts.len(),
            self.name_of(stage),
            host(stage)
        )
    }
}
