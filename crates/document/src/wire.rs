//! Stories on their way from a worker to the page: packed, with all that is needed to show them. Files leave out what only a
//! picture needs and add what a reader wants; both forms come from the same types.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;

/// A word of the program’s own, such as the name of a column. Page and worker come from one build, so there are only so many.
pub type Name = &'static str;

thread_local! {
    /// Names that came from a worker.
    static INTERNED_NAMES: RefCell<BTreeSet<Name>> = const { RefCell::new(BTreeSet::new()) };
}

/// The name that is written so, made once.
#[must_use]
pub fn interned(name: &str) -> Name {
    INTERNED_NAMES.with_borrow_mut(|all| {
        if let Some(known) = all.get(name) {
            return *known;
        }
        let new: Name = Box::leak(name.into());
        all.insert(new);
        new
    })
}

/// Reads a name.
///
/// # Errors
/// The value is not a string.
pub fn name<'de, D: Deserializer<'de>>(from: D) -> Result<Name, D::Error> {
    String::deserialize(from).map(|name| interned(&name))
}

/// Reads names.
pub(crate) fn names<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Name>, D::Error> {
    let names = Vec::<String>::deserialize(from)?;
    Ok(names.iter().map(|name| interned(name)).collect())
}

/// Types that files have in a form of their own, by `as_file`; packed they are what they are.
macro_rules! two_forms {
    ($($of:ty),* $(,)?) => {
        $(
            impl serde::Serialize for $of {
                fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                    match to.is_human_readable() {
                        true => self.as_file(to),
                        false => Self::serialize(self, to),
                    }
                }
            }

            impl<'de> serde::Deserialize<'de> for $of {
                fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                    Self::deserialize(from)
                }
            }
        )*
    };
}
pub(crate) use two_forms;

/// A value encoded as postcard bytes, whatever format it is embedded in.
#[derive(Debug, Clone, PartialEq)]
pub struct PackedBytes<T>(pub T);

/// Packs something into bytes.
///
/// # Errors
/// Why it cannot be packed.
pub fn pack(it: &impl Serialize) -> Result<Vec<u8>, postcard::Error> {
    postcard::to_allocvec(it)
}

/// Takes out what was packed.
///
/// # Errors
/// The bytes encode something else.
pub fn unpack<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, postcard::Error> {
    postcard::from_bytes(bytes)
}

impl<T: Serialize> Serialize for PackedBytes<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let bytes = pack(&self.0).map_err(serde::ser::Error::custom)?;
        to.serialize_bytes(&bytes)
    }
}

impl<'de, T: serde::de::DeserializeOwned> Deserialize<'de> for PackedBytes<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl<'de> serde::de::Visitor<'de> for Bytes {
            type Value = Vec<u8>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.to_vec())
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
                Ok(bytes)
            }

            // Text has no bytes but a list of numbers.
            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut all: A,
            ) -> Result<Vec<u8>, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = all.next_element()? {
                    bytes.push(byte);
                }
                Ok(bytes)
            }
        }
        let bytes = from.deserialize_byte_buf(Bytes)?;
        unpack(&bytes).map(Self).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {

    use crate::{
        Block, Cell, Chart, ChartInteraction, Choice, DeferredSlot, Edit, FigurePart, Figures,
        Formula, Patch, Quantity, Section, Sentence, Table, Trigger, Unit,
    };
    use chart::{ChartSpec, LineChart, Series, SeriesRole};

    fn section() -> Section {
        let quantity = Quantity::new("first_token", "First token", 0.1 + 0.2, Unit::Seconds)
            .with_note("then one")
            .by(Formula::new(
                "a + b",
                "0.1 + 0.2",
                "equation 1",
                &["rate_mbit_s"],
            ));
        let part = FigurePart {
            quantity: quantity.clone(),
            class: "dev d1".to_owned(),
        };
        let columns = [("rate_per_s", "rate", "1/s"), ("mean_s", "mean", "s")];
        let rows = vec![vec![Cell::Number(f64::INFINITY, 2), Cell::Missing]];
        let table = Table::new("load", "Load", &columns, rows);
        let series = Series {
            name: "This split".to_owned(),
            role: SeriesRole::Ours,
            points: vec![(0.5, None), (1.0, None)],
        };
        let lines = LineChart {
            series: vec![series],
            ..LineChart::default()
        };
        let chart = Chart::new("load", "Load", ChartSpec::Lines(lines))
            .with_table(table.clone())
            .with_interaction(ChartInteraction::Sets {
                step: "rate".to_owned(),
                pointer: "/rate".to_owned(),
                per: 1.0,
            });
        let choice = Choice {
            id: "best",
            words: "6 / 8 / 18".to_owned(),
            edit: Edit::of("/split", "[6,8,18]").within("split"),
        };
        let figures = Figures {
            total: Some(quantity.clone()),
            shares: vec![part],
            quantities: Vec::new(),
            other_quantities: vec![quantity],
        };
        Section::new("load", "Under load")
            .with(Sentence::default().plain("a ").strong("b"))
            .with(figures)
            .with(Block::Tabs(
                "Show".to_owned(),
                vec![("Mean".to_owned(), vec![chart.into()])],
            ))
            .with(Block::Fold("All".to_owned(), vec![table.into()]))
            .with(Block::Try("Try:".to_owned(), vec![choice]))
            .with(Block::Deferred(DeferredSlot {
                id: "own",
                button: None,
                blocks: Vec::new(),
            }))
            .with_query(Trigger::Pressed("own"), "{}".to_owned(), "No runs")
    }

    #[test]
    fn a_section_arrives_as_it_was_sent() {
        let sent = section();
        let bytes = postcard::to_allocvec(&sent).expect("it packs");
        let arrived: Section = postcard::from_bytes(&bytes).expect("it unpacks");
        assert_eq!(arrived, sent);
        let again: Section = postcard::from_bytes(&bytes).expect("it unpacks");
        assert!(std::ptr::eq(arrived.id, again.id), "a name is made once");
    }

    #[test]
    fn files_have_numbers_and_no_pictures() {
        let file = serde_json::to_value(section()).expect("it is JSON");
        let figures = &file["blocks"][1]["figures"];
        assert_eq!(figures["parts"][0]["shown"], "0.300\u{202f}s");
        assert_eq!(file["blocks"][0]["say"], "a b");
        let chart = &file["blocks"][2]["ways"][1][0][1][0]["chart"];
        assert_eq!(
            chart["table"]["rows"][0]["rate_per_s"],
            serde_json::Value::Null
        );
        assert!(
            chart.get("drawing").is_none() && chart.get("hand").is_none(),
            "{chart}"
        );
    }

    #[test]
    fn a_section_of_places_alone_has_nothing_to_show_before_one_is_filled() {
        let later = DeferredSlot {
            id: "own",
            button: None,
            blocks: Vec::new(),
        };
        let mut alone = Section::new("runs", "Runs")
            .with("What runs are.".to_owned())
            .with(Block::Deferred(later));
        assert!(section().is_found() && !alone.is_found());
        alone.fill(&Patch::Place {
            id: "own",
            blocks: vec![Block::Note("Done.".to_owned())],
        });
        assert!(alone.is_found());
    }

    #[test]
    fn a_section_is_replaced_by_its_name() {
        let mut stands = section();
        let new = Section::new("load", "Under more load")
            .with_split_query(
                Trigger::Now("own"),
                "1".to_owned(),
                vec!["a".to_owned()],
                "",
            )
            .with_context(vec![7], vec![8]);
        let sent = Patch::Section(new.clone());
        let bytes = postcard::to_allocvec(&sent).expect("it packs");
        let arrived: Patch = postcard::from_bytes(&bytes).expect("it unpacks");
        let other = Patch::Section(Section::new("loads", "Another"));
        stands.fill(&other);
        assert_eq!(stands, section());
        stands.fill(&arrived);
        assert_eq!(stands, new);
        assert!(stands.is_awaited());
    }

    #[test]
    fn deferred_results_go_into_their_slots() {
        let mut section = section();
        section.fill(&Patch::Point {
            chart: "load",
            at: (0, 1),
            y: Some(7.0),
        });
        section.fill(&Patch::Row {
            table: "load",
            at: 0,
            cells: vec![Cell::Number(1.0, 2), Cell::Number(7.0, 2)],
        });
        section.fill(&Patch::Place {
            id: "own",
            blocks: vec![Block::Note("Done.".to_owned())],
        });
        // What has no place is left alone.
        section.fill(&Patch::Point {
            chart: "load",
            at: (4, 9),
            y: Some(1.0),
        });
        let found: Vec<&Block> = section.all_blocks().collect();
        let points = found.iter().find_map(|block| match block {
            Block::Chart(chart) => match &*chart.drawing {
                ChartSpec::Lines(lines) => Some(lines.series[0].points.clone()),
                _ => None,
            },
            _ => None,
        });
        assert_eq!(points, Some(vec![(0.5, None), (1.0, Some(7.0))]));
        assert!(found.iter().any(|block| matches!(block, Block::Note(_))));
        let rows = found.iter().find_map(|block| match block {
            Block::Table(table) => Some(table.rows[0][1].clone()),
            _ => None,
        });
        assert_eq!(rows, Some(Cell::Number(7.0, 2)));
    }
}
