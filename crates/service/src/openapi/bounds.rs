//! Units and bounds of numbers, out of where they are said once: the table of ranges for scenarios, and the last clause of
//! a field's description (`Disk read rate [B/s]; above 0.`) for problem files.

use engine::scenario::fields;
use serde_json::{Map, Value, json};

/// Where the bounds of numbers are said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundText {
    /// In the table of ranges, by the name of the field; in the description of what the table does not know.
    Table,
    /// In the description.
    Words,
    /// Nowhere: an answer holds what it holds, and null in the place of a number that is infinite.
    Nowhere,
}

/// Puts units and bounds on every number of a schema.
pub fn put(schema: &mut Value, said: BoundText) {
    match schema {
        Value::Array(all) => all.iter_mut().for_each(|one| put(one, said)),
        Value::Object(object) => {
            if said == BoundText::Nowhere {
                may_be_infinite(object);
            } else if object.get("format") == Some(&json!("uint32")) {
                object.entry("maximum").or_insert(u32::MAX.into());
            }
            let about = object.get("description").cloned();
            if let Some(Value::Object(fields)) = object.get_mut("properties") {
                // A variant with a value is an object of one field, which the variant describes.
                if let (Some(about), 1) = (about, fields.len()) {
                    let only = fields.values_mut().filter_map(Value::as_object_mut);
                    only.for_each(|field| _ = field.entry("description").or_insert(about.clone()));
                }
                for (name, field) in fields.iter_mut() {
                    put_on_field(name, field, said);
                }
            }
            let inner = object
                .iter_mut()
                .filter(|(key, _)| !DATA.contains(&key.as_str()));
            inner.for_each(|(_, one)| put(one, said));
        }
        _ => {}
    }
}

/// The keyword of a unit.
pub const UNIT: &str = "x-unit";
/// Keywords whose values are no schemas.
const DATA: [&str; 4] = ["default", "examples", "enum", "const"];

/// A number of an answer that is infinite is written as null.
fn may_be_infinite(schema: &mut Map<String, Value>) {
    if schema.get("type") == Some(&json!("number")) {
        schema.insert("type".into(), json!(["number", "null"]));
    }
}

fn put_on_field(name: &str, field: &mut Value, said: BoundText) {
    let words = field["description"].as_str().unwrap_or_default().to_owned();
    let Some(field) = field.as_object_mut() else {
        return;
    };
    let unit = unit_of(&words).map(str::to_owned);
    let (bounds, unit) = match said {
        BoundText::Table => {
            let range = fields::of(name);
            let unit = range.map(|range| range.unit.to_owned()).or(unit);
            // Where a type says it itself, the name means another field in the table.
            let said = field.contains_key("minimum");
            let in_table = range.filter(|_| !said).map(Bounds::of_range);
            (in_table.or_else(|| Bounds::of_words(&words)), unit)
        }
        BoundText::Words => (Bounds::of_words(&words), unit),
        BoundText::Nowhere => (None, unit),
    };
    let mut numbers = Vec::new();
    innermost(field, &mut numbers);
    if numbers.is_empty() {
        return;
    }
    if let Some(bounds) = bounds {
        numbers.into_iter().for_each(|number| bounds.put(number));
    }
    if let Some(unit) = unit.filter(|unit| !unit.is_empty()) {
        field.insert(UNIT.into(), unit.into());
    }
}

/// The schemas of the numbers that a field holds: its own, or those of its elements.
fn innermost<'s>(schema: &'s mut Map<String, Value>, found: &mut Vec<&'s mut Map<String, Value>>) {
    if ["number", "integer"]
        .iter()
        .any(|name| is_type(schema, name))
    {
        found.push(schema);
        return;
    }
    for (key, inner) in schema.iter_mut() {
        match (key.as_str(), inner) {
            ("items", Value::Object(items)) => innermost(items, found),
            ("anyOf" | "oneOf", Value::Array(all)) => {
                let each = all.iter_mut().filter_map(Value::as_object_mut);
                each.for_each(|one| innermost(one, found));
            }
            _ => {}
        }
    }
}

/// Returns true if a schema allows values of the JSON type `name`.
fn is_type(schema: &Map<String, Value>, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

/// The unit in a description: what is in brackets in its first sentence.
fn unit_of(words: &str) -> Option<&str> {
    let (_, rest) = words.split_once(" [")?;
    let (unit, _) = rest.split_once(']')?;
    (!unit.contains('[')).then_some(unit)
}

/// Allowed range of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bounds {
    is_integer: bool,
    least: Option<f64>,
    above: Option<f64>,
    most: Option<f64>,
    exclusive_maximum: Option<f64>,
}

impl Bounds {
    const NONE: Self = Self {
        is_integer: false,
        least: None,
        above: None,
        most: None,
        exclusive_maximum: None,
    };

    const fn of_range(range: &fields::Field) -> Self {
        Self {
            is_integer: range.is_integer,
            least: Some(range.min),
            most: Some(range.max),
            ..Self::NONE
        }
    }

    /// The last clause: "above 0", "0 or above", "above 0 and below 1", "whole, from 1 to 10", "each 0 or above".
    fn of_words(words: &str) -> Option<Self> {
        let flowing = words.replace('\n', " ");
        let (_, clause) = flowing.strip_suffix('.')?.rsplit_once("; ")?;
        let clause = clause.strip_prefix("each ").unwrap_or(clause);
        let (whole, clause) = match clause.strip_prefix("whole, ") {
            Some(rest) => (true, rest),
            None => (false, clause),
        };
        let number = |text: &str| text.parse::<f64>().ok();
        let bounds = if let Some(rest) = clause.strip_prefix("from ") {
            let (least, most) = rest.split_once(" to ")?;
            Self {
                least: Some(number(least)?),
                most: Some(number(most)?),
                ..Self::NONE
            }
        } else if let Some(least) = clause.strip_suffix(" or above") {
            Self {
                least: Some(number(least)?),
                ..Self::NONE
            }
        } else {
            let rest = clause.strip_prefix("above ")?;
            let (above, most, below) = if let Some((above, below)) = rest.split_once(" and below ")
            {
                (above, None, Some(number(below)?))
            } else if let Some((above, most)) = rest.split_once(" and at most ") {
                (above, Some(number(most)?), None)
            } else {
                (rest, None, None)
            };
            Self {
                above: Some(number(above)?),
                most,
                exclusive_maximum: below,
                ..Self::NONE
            }
        };
        Some(Self {
            is_integer: whole,
            ..bounds
        })
    }

    fn put(self, schema: &mut Map<String, Value>) {
        let keywords = [
            ("minimum", self.least),
            ("exclusiveMinimum", self.above),
            ("maximum", self.most),
            ("exclusiveMaximum", self.exclusive_maximum),
        ];
        for (keyword, bound) in keywords {
            if let Some(bound) = bound {
                schema.insert(keyword.into(), plain(bound));
            }
        }
        if self.is_integer {
            // A whole number may be written as 3.0, which JSON Schema calls an integer too.
            let nullable = is_type(schema, "null");
            let name = if nullable {
                json!(["integer", "null"])
            } else {
                json!("integer")
            };
            schema.insert("type".into(), name);
            schema.remove("format");
        }
    }
}

/// A bound as it is read best: 10, not 10.0.
fn plain(bound: f64) -> Value {
    let whole = bound as i64;
    if whole as f64 == bound && bound.abs() < 1e15 {
        return whole.into();
    }
    bound.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_clause_of_a_description_is_a_bound() {
        let of = |words| {
            Bounds::of_words(words)
                .map(|b| (b.is_integer, b.least, b.above, b.most, b.exclusive_maximum))
        };
        for (words, wanted) in [
            (
                "Memory [B]; 0 or above.",
                (false, Some(0.0), None, None, None),
            ),
            (
                "Speeds; left out: 1; each above 0.",
                (false, None, Some(0.0), None, None),
            ),
            (
                "Blocks; whole, from 1 to 10.",
                (true, Some(1.0), None, Some(10.0), None),
            ),
            (
                "A share; above 0 and below 1.",
                (false, None, Some(0.0), None, Some(1.0)),
            ),
            (
                "Limits; each from 1e-100\nto 1e100.",
                (false, Some(1e-100), None, Some(1e100), None),
            ),
        ] {
            assert_eq!(of(words), Some(wanted), "{words}");
        }
        for words in [
            "Memory [B].",
            "How it is drawn; above all.",
            "A label; of no consequence.",
        ] {
            assert_eq!(of(words), None, "{words}");
        }
        assert_eq!(unit_of("Disk read rate [B/s]; above 0."), Some("B/s"));
        assert_eq!(unit_of("A plan, `[[device, first, last], …]`."), None);
    }
}
