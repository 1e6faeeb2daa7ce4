//! The catalogue: the devices of the paper, machines that people own, published links and models beside those that the user
//! keeps as their own, each row with its source. One form for all three kinds, so that one table, one search and one form to fill in serve them.

pub mod machines;
mod own_rows;

pub use own_rows::{Broken, OwnRows, VERSION};

use super::fields::{self, NumberFields};
use super::{BlockModel, Channel, Device, Dimensions, LayerTable, Model, Ranges};
use crate::hardware::{self, catalog::DEVICES, machines::all};
use crate::model::catalog::MODELS;
use crate::network::catalog::CHANNELS;
use crate::problem::{Code, Invalid};

/// The most characters of a source.
pub const LONGEST_SOURCE: usize = 120;

/// Kind of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatalogueKind {
    /// A device.
    Device,
    /// The link that devices share.
    Link,
    /// A model.
    Model,
}

impl CatalogueKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Device, Self::Link, Self::Model];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Link => "link",
            Self::Model => "model",
        }
    }

    /// The names of its numbers in the schema, in the order of a row.
    #[must_use]
    pub fn fields(self) -> Vec<&'static str> {
        match self {
            Self::Device => needed_keys::<Device>(),
            Self::Link => needed_keys::<Channel>(),
            Self::Model => needed_keys::<Dimensions>(),
        }
    }
}

/// The names of the numbers that an object has to have.
fn needed_keys<T: NumberFields>() -> Vec<&'static str> {
    let all = T::NUMBERS.iter().filter(|number| !number.is_optional);
    all.map(|number| number.field.key).collect()
}

/// The numbers of an object that it has to have.
fn needed<T: NumberFields>(object: &T) -> Vec<f64> {
    let all = T::NUMBERS.iter().filter(|number| !number.is_optional);
    all.filter_map(|number| (number.get)(object)).collect()
}

/// A row of the catalogue.
#[derive(Debug, Clone, PartialEq)]
pub struct CatalogueRow {
    /// Kind.
    pub kind: CatalogueKind,
    /// Its name.
    pub name: String,
    /// Where its numbers were read.
    pub source: String,
    /// Note; empty for most.
    pub note: String,
    /// Its numbers, in the order of [`CatalogueKind::fields`]. Empty when a model is a table of layers or has the blocks of a file.
    pub numbers: Vec<f64>,
    /// Numbers of a device that are known as a range only, by field.
    pub ranges: Ranges,
    /// Memory rate [GB/s]: of machines that people own.
    pub bandwidth_gb_s: Option<f64>,
    /// The layers of such a model.
    pub layers: Option<LayerTable>,
    /// The blocks of a model that a file was read for.
    pub blocks: Option<BlockModel>,
}

impl CatalogueRow {
    fn new(kind: CatalogueKind, name: &str, source: &str, numbers: Vec<f64>) -> Self {
        Self {
            kind,
            name: name.to_owned(),
            source: source.to_owned(),
            note: String::new(),
            numbers,
            ranges: Ranges::new(),
            bandwidth_gb_s: None,
            layers: None,
            blocks: None,
        }
    }

    /// A device as a row.
    #[must_use]
    pub fn of_device(device: &Device, source: &str) -> Self {
        Self::new(CatalogueKind::Device, &device.name, source, needed(device))
    }

    /// A link as a row.
    #[must_use]
    pub fn of_channel(name: &str, channel: &Channel, source: &str) -> Self {
        Self::new(CatalogueKind::Link, name, source, needed(channel))
    }

    /// A model as a row, whichever form it has.
    #[must_use]
    pub fn of_model(model: &Model, source: &str) -> Self {
        let numbers = model.dimensions().map_or_else(Vec::new, needed);
        let layers = match model {
            Model::Table(table) => Some(table.clone()),
            Model::Dimensions(_) | Model::Blocks(_) => None,
        };
        Self {
            layers,
            blocks: model.blocks().cloned(),
            ..Self::new(CatalogueKind::Model, model.name(), source, numbers)
        }
    }

    /// Returns true for a machine that people own, false for a device of a paper.
    #[must_use]
    pub fn is_machine(&self) -> bool {
        self.bandwidth_gb_s.is_some()
    }

    /// Its numbers with their field names.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let fields = self.kind.fields().into_iter();
        fields.zip(self.numbers.iter().copied())
    }

    /// The device, if the row is one.
    #[must_use]
    pub fn device(&self) -> Option<Device> {
        let fields = self.fields();
        let is_device =
            self.kind == CatalogueKind::Device && fields.count() == self.kind.fields().len();
        is_device.then(|| {
            let mut device = Device {
                bandwidth_gb_s: self.bandwidth_gb_s,
                ranges: self.ranges.clone(),
                ..Device::from_hardware(&self.name, &hardware::DeviceHardware::default())
            };
            for (field, value) in self.fields() {
                device.set_number(field, value);
            }
            device
        })
    }

    /// The link, if the row is one.
    #[must_use]
    pub fn channel(&self) -> Option<Channel> {
        let [mu, mhz, noise, d0_m, zeta, beta0_db] = *self.numbers.as_slice() else {
            return None;
        };
        Some(Channel {
            mu,
            B_mhz: mhz,
            N0_dbm_hz: noise,
            d0_m,
            zeta,
            beta0_db,
        })
    }

    /// The model, if the row is one.
    #[must_use]
    pub fn model(&self) -> Option<Model> {
        if let Some(table) = &self.layers {
            let name = self.name.clone();
            return Some(Model::Table(LayerTable {
                name,
                ..table.clone()
            }));
        }
        if let Some(blocks) = &self.blocks {
            let name = self.name.clone();
            return Some(Model::Blocks(BlockModel {
                name,
                ..blocks.clone()
            }));
        }
        let [layers, d_model, h_q, h_k, d_head, d_ff] = *self.numbers.as_slice() else {
            return None;
        };
        Some(Model::Dimensions(Dimensions {
            name: self.name.clone(),
            layers,
            d_model,
            h_q,
            h_k,
            d_head,
            d_ff,
            weights: None,
            cache: None,
        }))
    }

    /// Checks name, source and every number.
    ///
    /// # Errors
    /// The first that is not as it must be.
    pub fn validate(&self) -> Result<(), Invalid> {
        if self.name.trim().is_empty() {
            return Err(Invalid::new(
                Code::Range,
                "name",
                self.name.clone(),
                "name must not be empty",
            ));
        }
        fields::text("name", &self.name, fields::LONGEST_NAME)?;
        fields::text("source", &self.source, LONGEST_SOURCE)?;
        for (field, value) in self.fields() {
            fields::check("", field, value)?;
        }
        match self.model().filter(|model| model.dimensions().is_none()) {
            Some(model) if self.kind == CatalogueKind::Model => model.validate(),
            _ => Ok(()),
        }
    }

    /// The rank of a row among those that match `query`, the first 0: every word of it is a word of the name, a part of the name,
    /// or elsewhere in the row. Ignores case.
    #[must_use]
    pub fn rank(&self, query: &str) -> u8 {
        let name = self.name.to_lowercase();
        let is_word = |word: &str| name.split([' ', ',']).any(|own| own == word);
        match query.to_lowercase().split_whitespace().all(is_word) {
            true => 0,
            false if holds_all(&self.name, query) => 1,
            false => 2,
        }
    }

    /// Returns true if every word of `query` is in name, source, note or numbers. Ignores case.
    #[must_use]
    pub fn matches(&self, query: &str) -> bool {
        let mut text = format!("{} {} {}", self.name, self.source, self.note);
        for (field, value) in self.fields() {
            let unit = fields::of(field).map_or("", |field| field.unit);
            text.push_str(&format!(" {} {value} {unit}", fields::noun(field)));
        }
        holds_all(&text, query)
    }
}

/// Returns true if every word of `query` is in a text. Ignores case.
fn holds_all(text: &str, query: &str) -> bool {
    let text = text.to_lowercase();
    let query = query.to_lowercase();
    query.split_whitespace().all(|word| text.contains(word))
}

/// The published rows of a kind, in the order of their catalogues.
#[must_use]
pub fn published(kind: CatalogueKind) -> Vec<CatalogueRow> {
    match kind {
        CatalogueKind::Device => {
            let whole = DEVICES.iter().map(|entry| {
                CatalogueRow::of_device(
                    &Device::from_hardware(entry.name, &entry.device),
                    entry.source,
                )
            });
            whole.chain(all().map(machines::row)).collect()
        }
        CatalogueKind::Link => CHANNELS
            .iter()
            .map(|entry| CatalogueRow::of_channel(entry.name, &entry.channel.into(), entry.source))
            .collect(),
        CatalogueKind::Model => MODELS
            .iter()
            .map(|entry| {
                CatalogueRow::of_model(&Model::from_dims(entry.name, &entry.dims), entry.source)
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::presets::paper;

    #[test]
    fn every_published_row_is_valid_has_a_source_and_keeps_its_numbers() {
        for kind in CatalogueKind::ALL {
            let rows = published(kind);
            assert!(!rows.is_empty());
            for row in rows {
                assert_eq!(row.validate(), Ok(()), "{}", row.name);
                assert!(!row.source.is_empty(), "{}", row.name);
                assert_eq!(row.numbers.len(), kind.fields().len());
            }
        }
        let devices = published(CatalogueKind::Device);
        let first = devices[0].device().expect("the paper gives all numbers");
        assert_eq!(
            Device {
                name: "D1".into(),
                ..first
            },
            paper().devices[0]
        );
        assert_eq!(
            published(CatalogueKind::Link)[0].channel(),
            Some(paper().channel)
        );
        assert_eq!(
            published(CatalogueKind::Model)[0].model(),
            Some(paper().model)
        );
    }

    #[test]
    fn a_search_takes_every_word_in_any_place() {
        let names = |kind, query: &str| -> Vec<String> {
            let rows = published(kind).into_iter();
            rows.filter(|row| row.matches(query))
                .map(|row| row.name)
                .collect()
        };
        assert_eq!(
            names(CatalogueKind::Device, "").len(),
            published(CatalogueKind::Device).len()
        );
        let found = names(CatalogueKind::Device, "csgo 5000 mb/s");
        assert_eq!(found[0], "Device 1");
        assert_eq!(names(CatalogueKind::Device, "3000 csgo mb/s"), ["Device 3"]);
        assert_eq!(names(CatalogueKind::Device, "jetson ORIN nano").len(), 3);
        assert_eq!(names(CatalogueKind::Device, "super ORIN nano").len(), 1);
        assert_eq!(
            names(CatalogueKind::Model, "qwen width 17408"),
            ["Qwen3-14B"],
            "numbers count as words"
        );
        assert_eq!(names(CatalogueKind::Model, "qwen llama"), [""; 0]);
    }
}
