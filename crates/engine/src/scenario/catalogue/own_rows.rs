//! Rows that the user keeps as their own: versioned JSON, read row by row. A row that is damaged is not taken, but its
//! text is kept and written back, so that nothing is lost by what this version cannot read.

use super::{CatalogueKind, CatalogueRow};
use crate::problem::{Code, Invalid};
use crate::scenario::{BlockModel, LayerTable, fields};
use serde_json::{Map, Value, json};

/// The version of the form that this program writes.
pub const VERSION: u64 = 1;
/// The most rows that are kept.
const MOST_ROWS: usize = 500;

/// A row that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Reason: row, field, allowed values.
    pub why: String,
    /// Its text as it was found.
    pub raw: String,
}

/// Everything that the user keeps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OwnRows {
    /// The rows.
    pub rows: Vec<CatalogueRow>,
    /// Rows that could not be read.
    pub broken: Vec<Broken>,
}

impl OwnRows {
    /// Reads what was kept. Nothing makes this fail: what is no row is kept as text, with the reason.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let whole = |why: String| Self {
            rows: Vec::new(),
            broken: vec![Broken {
                why,
                raw: text.to_owned(),
            }],
        };
        let document: Value = match serde_json::from_str(crate::problem::json::unmarked(text)) {
            Ok(document) => document,
            Err(fault) => return whole(format!("The list is not readable as JSON: {fault}")),
        };
        match document.get("version").and_then(Value::as_u64) {
            Some(VERSION) => {}
            Some(other) if other > VERSION => {
                return whole(format!(
                    "The list comes from a newer Edgewise (version {other}; this page reads {VERSION})"
                ));
            }
            _ => {
                return whole(format!("version must be {VERSION} in the list of own rows"));
            }
        }
        let Some(rows) = document.get("rows").and_then(Value::as_array) else {
            return whole("rows must be a list in the list of own rows".to_owned());
        };
        let mut own = Self::default();
        for (at, value) in rows.iter().enumerate() {
            match row(value) {
                Ok(row) if own.rows.len() < MOST_ROWS => own.rows.push(row),
                Ok(_) => own.broken.push(Broken {
                    why: format!("Own row {} is one more than {MOST_ROWS}", at + 1),
                    raw: value.to_string(),
                }),
                Err(fault) => own.broken.push(Broken {
                    why: format!("{}: {fault}", title(at, value)),
                    raw: value.to_string(),
                }),
            }
        }
        let kept = document.get("broken").and_then(Value::as_array);
        for pair in kept.into_iter().flatten() {
            let part = |key| pair.get(key).and_then(Value::as_str).unwrap_or_default();
            own.broken.push(Broken {
                why: part("why").to_owned(),
                raw: part("raw").to_owned(),
            });
        }
        own
    }

    /// Everything as text, for [`OwnRows::read`].
    #[must_use]
    pub fn to_json(&self) -> String {
        let broken = self
            .broken
            .iter()
            .map(|broken| json!({ "why": broken.why, "raw": broken.raw }));
        json!({
            "version": VERSION,
            "rows": self.rows.iter().map(value).collect::<Vec<_>>(),
            "broken": broken.collect::<Vec<_>>(),
        })
        .to_string()
    }
}

/// "Own row 2, “Laptop”".
fn title(at: usize, value: &Value) -> String {
    let name = value.get("name").and_then(Value::as_str);
    let name: String = name
        .unwrap_or_default()
        .chars()
        .take(fields::LONGEST_NAME)
        .collect();
    match name.as_str() {
        "" => format!("Own row {}", at + 1),
        name => format!("Own row {}, \u{201c}{name}\u{201d}", at + 1),
    }
}

fn value(row: &CatalogueRow) -> Value {
    let mut object = Map::new();
    object.insert("kind".into(), row.kind.name().into());
    object.insert("name".into(), row.name.clone().into());
    object.insert("source".into(), row.source.clone().into());
    for (field, value) in row.fields() {
        object.insert(field.into(), value.into());
    }
    if let Some(table) = &row.layers {
        object.insert("layers".into(), json!(table.layers));
    }
    if let Some(model) = &row.blocks {
        object.insert("token_bytes".into(), json!(model.token_bytes));
        object.insert("blocks".into(), json!(model.blocks));
    }
    Value::Object(object)
}

/// Reads one row.
///
/// # Errors
/// Names the field, what it holds and what is allowed.
fn row(value: &Value) -> Result<CatalogueRow, Invalid> {
    let typed =
        |path: &str, allowed: &str, value: &Value| Invalid::range(path, value.clone(), allowed);
    let Some(object) = value.as_object() else {
        return Err(typed("it", "an object", value));
    };
    let missing = |path: &str| {
        Invalid::new(
            Code::Missing,
            path,
            Value::Null,
            format!("{path} is missing"),
        )
    };
    let get = |key: &str| object.get(key).ok_or_else(|| missing(key));
    let kind = get("kind")?;
    let Some(kind) = CatalogueKind::ALL
        .into_iter()
        .find(|known| kind.as_str() == Some(known.name()))
    else {
        return Err(typed("kind", "device, link or model", kind));
    };
    let text = |key: &str| {
        let value = get(key)?;
        let text = value.as_str().map(str::to_owned);
        text.ok_or_else(|| typed(key, "text", value))
    };
    let mut row = CatalogueRow::new(kind, &text("name")?, &text("source")?, Vec::new());
    let is_table =
        kind == CatalogueKind::Model && object.get("layers").is_some_and(Value::is_array);
    let has_blocks =
        kind == CatalogueKind::Model && object.get("blocks").is_some_and(Value::is_array);
    if has_blocks {
        let blocks = serde_json::from_value(get("blocks")?.clone()).map_err(|fault| {
            let message = format!("blocks must be a list of runs of blocks: {fault}");
            Invalid::new(Code::Type, "blocks", Value::Null, message)
        })?;
        let bytes = get("token_bytes")?;
        row.blocks = Some(BlockModel {
            name: row.name.clone(),
            token_bytes: bytes
                .as_f64()
                .ok_or_else(|| typed("token_bytes", "a number", bytes))?,
            blocks,
        });
    } else if is_table {
        let layers = serde_json::from_value(get("layers")?.clone()).map_err(|fault| {
            let message = format!("layers must be a list of rows with W, A and P: {fault}");
            Invalid::new(Code::Type, "layers", Value::Null, message)
        })?;
        row.layers = Some(LayerTable {
            name: row.name.clone(),
            layers,
        });
    } else {
        for field in kind.fields() {
            let value = get(field)?;
            let range = fields::of(field).expect("every number of the schema has a range");
            match value.as_f64() {
                Some(number) if range.allows(number) => row.numbers.push(number),
                _ => {
                    let noun = fields::noun(field);
                    return Err(typed(
                        &format!("{noun} ({field})"),
                        &range.range_text(),
                        value,
                    ));
                }
            }
        }
    }
    let known = |key: &str| {
        matches!(key, "kind" | "name" | "source")
            || row.kind.fields().contains(&key)
            || has_blocks && matches!(key, "token_bytes" | "blocks")
    };
    if let Some((key, value)) = object.iter().find(|(key, _)| !known(key)) {
        let message = format!("{key} is not a field of a {}", kind.name());
        return Err(Invalid::new(
            Code::Unknown,
            key.as_str(),
            value.clone(),
            message,
        ));
    }
    row.validate().map(|()| row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::presets::paper;
    use crate::scenario::{LayerRow, Model};

    fn mine() -> OwnRows {
        let paper = paper();
        let table = Model::Table(LayerTable {
            name: "Mine".into(),
            layers: vec![
                LayerRow {
                    W: 1e9,
                    A: 1e6,
                    P: 1e8
                };
                3
            ],
        });
        OwnRows {
            rows: vec![
                CatalogueRow::of_device(&paper.devices[1], "measured in May"),
                CatalogueRow::of_channel("Office", &paper.channel, ""),
                CatalogueRow::of_model(&paper.model, "as published"),
                CatalogueRow::of_model(&table, "a profile"),
            ],
            broken: Vec::new(),
        }
    }

    #[test]
    fn written_values_are_read_back() {
        assert_eq!(OwnRows::read(&mine().to_json()), mine());
        assert_eq!(mine().rows[3].model().map(|m| m.layers_count()), Some(3));
    }

    /// The own rows after one was edited in the browser's store.
    fn edited(at: usize, edit: impl FnOnce(&mut Value)) -> OwnRows {
        let mut document: Value = serde_json::from_str(&mine().to_json()).expect("it is JSON");
        edit(&mut document["rows"][at]);
        OwnRows::read(&document.to_string())
    }

    #[test]
    fn an_invalid_row_is_named_and_kept_as_text() {
        type Edit = fn(&mut Value);
        let cases: [(Edit, &str); 9] = [
            (
                |row| row["r_mb_s"] = json!("fast"),
                "Own row 1, \u{201c}D2\u{201d}: disk (r_mb_s) must be a number from 0.01 to 1000000 MB/s, it is \"fast\"",
            ),
            (
                |row| row["m_gb"] = json!(-1),
                "memory (m_gb) must be a number from 0 to 100000 GB, it is -1",
            ),
            (|row| row["m_gb"] = Value::Null, "it is null"),
            (
                |row| row["kind"] = json!("toaster"),
                "kind must be device, link or model, it is \"toaster\"",
            ),
            (|row| row["name"] = json!(7), "name must be text, it is 7"),
            (|row| row["name"] = json!(" "), "name must not be empty"),
            (
                |row| row["colour"] = json!("red"),
                "colour is not a field of a device",
            ),
            (
                |row| {
                    if let Some(object) = row.as_object_mut() {
                        object.remove("d_m");
                    }
                },
                "d_m is missing",
            ),
            (
                |row| *row = json!([1, 2]),
                "Own row 1: it must be an object, it is [1,2]",
            ),
        ];
        for (edit, why) in cases {
            let own = edited(0, edit);
            assert_eq!(own.rows, mine().rows[1..], "{why}");
            assert_eq!(own.broken.len(), 1, "{why}");
            assert!(own.broken[0].why.contains(why), "{}", own.broken[0].why);
            // Writing and reading again loses nothing.
            assert_eq!(OwnRows::read(&own.to_json()), own);
        }
        let own = edited(3, |row| row["layers"][1]["P"] = json!("big"));
        assert!(
            own.broken[0].why.contains("layers"),
            "{}",
            own.broken[0].why
        );
        let own = edited(3, |row| row["layers"] = json!([]));
        assert!(
            own.broken[0].why.contains("1 to 1000"),
            "{}",
            own.broken[0].why
        );
    }

    #[test]
    fn a_damaged_list_is_kept_whole() {
        for text in [
            "",
            "{",
            "[]",
            "null",
            "{\"version\":9,\"rows\":[]}",
            "{\"version\":1}",
        ] {
            let own = OwnRows::read(text);
            assert_eq!(own.rows, []);
            assert_eq!(own.broken.len(), 1, "{text}");
            assert_eq!(own.broken[0].raw, text);
            assert!(!own.broken[0].why.is_empty());
            assert_eq!(OwnRows::read(&own.to_json()), own);
        }
        let newer = OwnRows::read("{\"version\":9,\"rows\":[]}");
        assert!(newer.broken[0].why.contains("newer Edgewise"));
    }
}
