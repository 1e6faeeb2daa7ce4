//! Opens whatever may hold a scenario: a scenario file, a plan that was saved with its scenario, a link in a
//! text. The page and the command line open through here.

use super::link::{self, LinkError};
use super::world::World;
use super::{Any, schema};
use crate::problem::{Code, Invalid};
use serde::Deserialize;
use serde_json::value::RawValue;

/// Reads the scenario that a file holds, as the question that it opens on sees it.
///
/// # Errors
/// The file is something else, or one of its fields is wrong.
pub fn read(text: &str) -> Result<Any, Invalid> {
    let world = world(text)?;
    Ok(world.view(world.question)?.scenario)
}

/// Reads the scenario that a file holds, for all questions.
///
/// # Errors
/// As [`read`].
pub fn world(text: &str) -> Result<World, Invalid> {
    let text = text.trim_start_matches('\u{feff}').trim();
    // A mail may have broken a link into lines.
    let is_address = text.starts_with(['#', '<']) || text.starts_with("http");
    if !text.starts_with('{') && text.contains('#') && (is_address || text.lines().count() == 1) {
        return link::open(text).map_err(|fault| match fault {
            LinkError::Scenario(inner) => inner,
            other => Invalid::new(Code::Link, "", "", other.to_string()),
        });
    }
    match saved(text) {
        Some(inner) => World::read(inner).map_err(|fault| fault.within("scenario")),
        None => World::read(text),
    }
}

/// The scenario in a plan that the page or `edgewise run --format json` wrote.
fn saved(text: &str) -> Option<&str> {
    #[derive(Deserialize)]
    struct Saved<'a> {
        #[serde(borrow)]
        scenario: &'a RawValue,
    }
    if schema::format_of(text).is_some() {
        return None;
    }
    let saved: Saved = serde_json::from_str(text).ok()?;
    Some(saved.scenario.get())
}

/// The text of a file: UTF-8, UTF-16 as spreadsheets write it, or Latin-1. What is no text at all comes out as
/// signs that no reader takes.
///
/// # Complexity
/// O(length).
#[must_use]
pub fn text_of(bytes: &[u8]) -> String {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        char::decode_utf16(units)
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::presets;

    #[test]
    fn a_scenario_is_found_in_a_file_a_plan_and_a_link() {
        let paper = presets::paper();
        let json = paper.to_json();
        let link = link::of(&paper);
        for text in [
            json.clone(),
            format!("\u{feff}\n{json}\n"),
            format!("{{\"scenario\":{json},\"status\":\"optimal\",\"T\":2.5}}"),
            link.clone(),
            format!("https://example.org/{link}\n"),
        ] {
            assert_eq!(read(&text), Ok(paper.clone().into()), "{text}");
        }
    }

    /// Formats of different questions do not compare: a scenario under the name of another question is no newer one.
    #[test]
    fn a_link_is_of_the_question_that_its_scenario_asks() {
        let paper = presets::paper();
        let under = link::of(&paper).replacen("cold-start", "tiers", 1);
        assert_eq!(read(&under), Ok(paper.into()));
        let tiers = crate::scenario::tiers::presets::paper();
        let under = link::of(&tiers).replacen("tiers", "cold-start", 1);
        assert_eq!(link::decode(&under), Ok(tiers.into()));
    }

    #[test]
    fn other_kinds_of_files_are_named() {
        let json = presets::paper().to_json().replace("\"mu\":0.5", "\"mu\":7");
        for (text, path, part) in [
            (
                "{\"nodes\":[],\"edges\":[],\"version\":3}",
                "format",
                "its fields are edges, nodes, version",
            ),
            (
                "{\"layers\":[],\"devices\":[]}",
                "format",
                "this is a problem file",
            ),
            ("name,memory\na,3", "", "not readable as JSON"),
            ("", "", "not readable as JSON"),
            ("{\"nodes\":[],\n}", "", "trailing comma (line 2, column 1)"),
            (
                "{\"question\":\"tiers\",\"title\":nan}",
                "title",
                "nan is not a JSON value (line 1, column",
            ),
            ("{\"scenario\":{\"format\":9}}", "scenario.format", "newer"),
            ("{\"scenario\":7}", "scenario", "must be an object"),
            ("#cold-start/3.AAA", "", "damaged"),
            (json.as_str(), "channel.mu", "it is 7"),
        ] {
            let fault = read(text).expect_err(text);
            assert_eq!(fault.path, path, "{fault}");
            assert!(fault.message.contains(part), "{text}: {fault}");
        }
    }

    #[test]
    fn a_file_is_decoded_as_what_it_is() {
        let text = "W\tA\nµ\t1";
        let wide = |unit: fn(u16) -> [u8; 2], mark: [u8; 2]| {
            let bytes = text.encode_utf16().flat_map(unit);
            mark.into_iter().chain(bytes).collect::<Vec<u8>>()
        };
        for bytes in [
            text.as_bytes().to_vec(),
            wide(u16::to_le_bytes, [0xff, 0xfe]),
            wide(u16::to_be_bytes, [0xfe, 0xff]),
            b"W\tA\n\xb5\t1".to_vec(),
        ] {
            assert_eq!(text_of(&bytes), text);
        }
        assert!(text_of(&[0x50, 0x4b, 3, 4, 0xff]).contains(char::is_control));
    }
}
