//! Reads JSON so that a fault names its field, its value and what is allowed.
//!
//! The typed reader does the work; its errors are translated once, here. A document nested deeper than 128
//! levels, a number beyond 64-bit range and text behind the document are all refused.

use super::invalid::excerpt;
use super::{Code, Invalid};
use serde::de::{DeserializeOwned, Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::error::Category;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// How the fault of a list begins that is longer than it may be.
const MORE_THAN: &str = "more than ";

/// A list of at most so many elements. What comes behind them is not read, so a list that is far too long costs no
/// more than the longest that is taken.
#[derive(Debug)]
pub struct AtMost<T, const MOST: usize>(pub Vec<T>);

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for AtMost<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct Elements<T, const MOST: usize>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for Elements<T, MOST> {
            type Value = Vec<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sequence")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
                let mut elements = Vec::new();
                while elements.len() < MOST {
                    match list.next_element()? {
                        Some(element) => elements.push(element),
                        None => return Ok(elements),
                    }
                }
                match list.next_element::<IgnoredAny>()? {
                    Some(_) => Err(A::Error::custom(format_args!("{MORE_THAN}{MOST}"))),
                    None => Ok(elements),
                }
            }
        }

        reader
            .deserialize_seq(Elements::<T, MOST>(PhantomData))
            .map(Self)
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl<T: schemars::JsonSchema, const MOST: usize> schemars::JsonSchema for AtMost<T, MOST> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AtMost".into()
    }

    fn json_schema(schemas: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let items = schemas.subschema_for::<T>();
        schemars::json_schema!({"type": "array", "items": items, "maxItems": MOST})
    }
}

/// A text without the mark of its encoding that some editors put before it.
#[must_use]
pub fn unmarked(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

/// Reads one document.
///
/// # Errors
/// [`Invalid`] with the path of the fault; a missing or unknown field is part of the path.
///
/// `objects` are the places where an object must stand, `""` for the document and `[]` for every element of a
/// list: the typed reader would also take a list of the right length for one.
///
/// # Complexity
/// O(length); the text is read twice, and the second time shows the value at fault or the shape.
pub fn read<T: DeserializeOwned>(text: &str, objects: &[&str]) -> Result<T, Invalid> {
    let text = unmarked(text);
    let mut reader = serde_json::Deserializer::from_str(text);
    match serde_path_to_error::deserialize(&mut reader) {
        Ok(value) => {
            reader.end().map_err(|fault| syntax(text, "", &fault))?;
            let keys = |place: &&str| place.replace("[]", ".[]");
            let text = text.trim_start();
            objects
                .iter()
                .try_for_each(|place| shaped(text, "", &keys(place)))?;
            Ok(value)
        }
        Err(fault) => {
            let path = fault.path().to_string();
            // "?" stands for a key that was not read to its end; the owner is the place to look.
            let path = path.strip_suffix('?').unwrap_or(&path);
            let path = path.strip_suffix('.').unwrap_or(path);
            Err(translate(text, path, fault.inner()))
        }
    }
}

/// Checks that no list is at the place that `keys` (`devices.[].link`) leads to. What is beside the way is
/// passed over unread, so a long document costs no memory to speak of.
fn shaped(text: &str, path: &str, keys: &str) -> Result<(), Invalid> {
    let (key, rest) = keys.split_once('.').unwrap_or((keys, ""));
    match key {
        "" if text.starts_with('[') => {
            let subject = if path.is_empty() {
                "the document"
            } else {
                path
            };
            let value: Value = serde_json::from_str(text).unwrap_or_default();
            let message = format!("{subject} must be an object, it is {}", excerpt(&value));
            Err(Invalid::new(Code::Type, path, value, message))
        }
        "" => Ok(()),
        // What is neither list nor object here is an optional field left null.
        "[]" => {
            let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
            let item = |(i, inner): (usize, &&RawValue)| {
                shaped(inner.get(), &format!("{path}[{i}]"), rest)
            };
            items.iter().enumerate().try_for_each(item)
        }
        key => {
            let fields: BTreeMap<String, &RawValue> =
                serde_json::from_str(text).unwrap_or_default();
            let field = |inner: &&RawValue| shaped(inner.get(), &join(path, key), rest);
            fields.get(key).map_or(Ok(()), field)
        }
    }
}

/// The letters and digits around a byte of a text, or behind a minus there.
fn word_at(text: &[u8], at: usize) -> String {
    let is_inside = |byte: &u8| byte.is_ascii_alphanumeric();
    let before = text.get(..at).unwrap_or_default();
    let inside = before.iter().rev().take_while(|byte| is_inside(byte));
    let start = at - inside.count();
    let rest = text.get(start..).unwrap_or_default();
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    let word = rest.iter().copied().take_while(is_inside).take(20);
    word.map(char::from).collect()
}

/// Returns true if a list or an object ends at a byte of a text, after a comma.
fn is_trailing_comma(text: &[u8], at: usize) -> bool {
    let ends = matches!(text.get(at), Some(b']' | b'}'));
    ends && text[..at].trim_ascii_end().ends_with(b",")
}

/// Describes the error of a text that is not JSON.
fn words_of(text: &str, fault: &serde_json::Error) -> String {
    let full = fault.to_string();
    let words = full.split(" at line ").next().unwrap_or_default();
    let lines = text
        .split_inclusive('\n')
        .take(fault.line().saturating_sub(1));
    let at = lines.map(str::len).sum::<usize>() + fault.column().saturating_sub(1);
    let word = word_at(text.as_bytes(), at);
    if is_trailing_comma(text.as_bytes(), at) {
        return "trailing comma".to_owned();
    }
    match words {
        "expected value" | "expected ident" | "invalid number" if !word.is_empty() => {
            format!("{word} is not a JSON value")
        }
        "expected value" => "a value is expected here".to_owned(),
        _ if words.starts_with("trailing characters") => {
            "there is text after the document".to_owned()
        }
        _ if words.starts_with("number out of range") => {
            "a number is beyond what 64 bits can hold".to_owned()
        }
        _ => match words.strip_prefix("EOF while parsing ") {
            Some(what) => format!("the text ends inside {what}"),
            None => words.to_owned(),
        },
    }
}

fn syntax(text: &str, path: &str, fault: &serde_json::Error) -> Invalid {
    let what = words_of(text, fault);
    let place = if fault.line() > 0 {
        format!(" (line {}, column {})", fault.line(), fault.column())
    } else {
        String::new()
    };
    let field = if path.is_empty() {
        String::new()
    } else {
        format!("{path}: ")
    };
    Invalid::new(
        Code::Syntax,
        path,
        Value::Null,
        format!("{field}not readable as JSON: {what}{place}"),
    )
}

fn translate(text: &str, path: &str, fault: &serde_json::Error) -> Invalid {
    let full = fault.to_string();
    // The one list of fixed length is a stage, and this one has more.
    let too_long = full.starts_with("trailing characters") && !path.is_empty();
    if too_long {
        let value = at(text, path);
        let allowed = "a list of three whole numbers [device, first, last]";
        let message = format!("{path} must be {allowed}, it is {}", excerpt(&value));
        return Invalid::new(Code::Type, path, value, message);
    }
    if fault.classify() != Category::Data {
        // The reader calls a number where a name has to stand a fault of the text, which it is not.
        let named = full.starts_with("expected value") && !path.is_empty();
        if named && serde_json::from_str::<Value>(text).is_ok() {
            let value = at(text, path);
            let message = format!("{path} must be text, it is {}", excerpt(&value));
            return Invalid::new(Code::Type, path, value, message);
        }
        return syntax(text, path, fault);
    }
    let words = full.split(" at line ").next().unwrap_or_default();
    if let Some(most) = words.strip_prefix(MORE_THAN) {
        let message = format!("{path} must hold at most {most} elements, it holds more");
        return Invalid::new(Code::Range, path, Value::Null, message);
    }
    // A text that is no JSON further on is that first: what is missing or unknown so far may be its fault.
    if let Err(fault) = serde_json::from_str::<IgnoredAny>(text)
        && fault.classify() != Category::Data
    {
        return syntax(text, "", &fault);
    }
    let named = || words.split('`').nth(1).unwrap_or_default();
    if words.starts_with("missing field") {
        let place = join(path, named());
        return Invalid::new(
            Code::Missing,
            place.as_str(),
            Value::Null,
            format!("{place} is missing"),
        );
    }
    if words.starts_with("unknown field") {
        let owner = path
            .strip_suffix(named())
            .map_or(path, |rest| rest.strip_suffix('.').unwrap_or(rest));
        let place = join(owner, named());
        let known = words.split_once(", ").map_or("", |(_, rest)| rest);
        let message = format!("{place} is not a field here, {}", known.replace('`', ""));
        return Invalid::new(Code::Unknown, place.as_str(), at(text, &place), message);
    }
    if words.starts_with("duplicate field") {
        let place = join(path, named());
        return Invalid::new(
            Code::Syntax,
            place.as_str(),
            at(text, &place),
            format!("{place} is given twice"),
        );
    }
    let value = at(text, path);
    let subject = if path.is_empty() {
        "the document"
    } else {
        path
    };
    if words.starts_with("unknown variant") {
        let known = words
            .split_once("expected ")
            .map_or("", |(_, rest)| rest)
            .replace('`', "");
        let message = format!("{subject} must be {known}, it is {}", excerpt(&value));
        return Invalid::new(Code::Range, path, value, message);
    }
    let expected = match words
        .rsplit_once("expected ")
        .map_or("something else", |(_, rest)| rest)
    {
        "f64" => "a number",
        "u32" if value.is_u64() => "a whole number, at most 4294967295",
        "usize" | "u32" | "u64" => "a whole number, 0 or above",
        "i64" => "a whole number",
        "a string" => "text",
        "a sequence" => "a list",
        "a boolean" => "true or false",
        "tuple of 3 elements" | "a tuple of size 3" => {
            "a list of three whole numbers [device, first, last]"
        }
        other if other.starts_with("struct ") => "an object",
        other => other,
    };
    Invalid::new(
        Code::Type,
        path,
        value.clone(),
        format!("{subject} must be {expected}, it is {}", excerpt(&value)),
    )
}

fn join(owner: &str, field: &str) -> String {
    if owner.is_empty() {
        field.to_owned()
    } else {
        format!("{owner}.{field}")
    }
}

/// The value that is at `path`, or null.
fn at(text: &str, path: &str) -> Value {
    let Ok(document) = serde_json::from_str::<Value>(text) else {
        return Value::Null;
    };
    let mut value = &document;
    for key in path.split(['.', '[']).filter(|key| !key.is_empty()) {
        let inner = match key
            .strip_suffix(']')
            .and_then(|index| index.parse::<usize>().ok())
        {
            Some(index) => value.get(index),
            None => value.get(key),
        };
        match inner {
            Some(inner) => value = inner,
            None => return Value::Null,
        }
    }
    value.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Document {
        list: AtMost<u32, 3>,
    }

    fn list(text: &str) -> Result<Vec<u32>, Invalid> {
        read::<Document>(text, &[""]).map(|document| document.list.0)
    }

    #[test]
    fn a_list_is_read_to_its_limit_and_no_further() {
        assert_eq!(list(r#"{"list":[]}"#), Ok(Vec::new()));
        assert_eq!(list(r#"{"list":[1,2,3]}"#), Ok(vec![1, 2, 3]));
        let message = "list must hold at most 3 elements, it holds more";
        let too_long = Invalid::new(Code::Range, "list", Value::Null, message);
        for behind in ["]}", ",5]}", ",\"text\"]}", " and no JSON"] {
            let text = format!("{{\"list\":[1,2,3,4{behind}");
            assert_eq!(list(&text), Err(too_long.clone()), "{text}");
        }
        for (text, path, words) in [
            (r#"{"list":[1,-2,3,4]}"#, "list[1]", "a whole number"),
            (
                r#"{"list":[1,4294967296]}"#,
                "list[1]",
                "at most 4294967295",
            ),
            (r#"{"list":7}"#, "list", "must be a list, it is 7"),
            (r#"{"list":[1,2,3"#, "list", "not readable as JSON"),
        ] {
            let fault = list(text).expect_err(text);
            assert_eq!(fault.path, path, "{fault}");
            assert!(fault.message.contains(words), "{fault}");
        }
    }
}
