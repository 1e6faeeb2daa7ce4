//! The shelf: no order of what two tabs do loses anything, and a file is checked by its places.

use super::*;
use crate::scenario::{dispatch, presets, tiers};
use std::collections::{BTreeMap, VecDeque};

const COLD: Question = Question::ColdStart;

#[derive(Debug, Clone, Default)]
struct Library {
    texts: BTreeMap<String, String>,
    /// Keys that were written since the last look.
    dirty: Vec<String>,
    is_full: bool,
}

impl KeyValueStore for Library {
    fn get(&self, key: &str) -> Option<String> {
        self.texts.get(key).cloned()
    }

    fn set(&mut self, key: &str, text: &str) -> bool {
        if !self.is_full {
            self.texts.insert(key.to_owned(), text.to_owned());
            self.dirty.push(key.to_owned());
        }
        !self.is_full
    }

    fn remove(&mut self, key: &str) {
        self.texts.remove(key);
        self.dirty.push(key.to_owned());
    }

    fn keys(&self) -> Vec<String> {
        self.texts.keys().cloned().collect()
    }
}

impl Library {
    /// Names with their links, in order.
    fn all(&self) -> Vec<(String, String)> {
        let read = ids(self)
            .into_iter()
            .map(|id| SavedEntry::read(&self.texts[&key(&id)]));
        let mut all: Vec<_> = read
            .map(|entry| entry.expect("every entry is read"))
            .map(|entry| (entry.name, entry.link))
            .collect();
        all.sort();
        all
    }

    fn holds(&self, link: &str) -> bool {
        self.all().iter().any(|(_, other)| other == link)
    }

    /// Names of the list, what was changed last first.
    fn names(&self) -> Vec<String> {
        list(self).into_iter().map(|line| line.name).collect()
    }
}

/// New ids and a clock that goes on.
struct Clock(u32);

impl Clock {
    fn now(&mut self) -> WriteStamp {
        self.0 += 1;
        WriteStamp {
            id: format!("id{}", self.0),
            time: format!(
                "2026-01-01T00:{:02}:{:02}.000Z",
                self.0 / 60 % 60,
                self.0 % 60
            ),
        }
    }
}

fn pair(name: &str, link: &str) -> (String, String) {
    (name.to_owned(), link.to_owned())
}

/// The link of the paper's scenario with another prompt.
fn link(tokens: u32) -> String {
    let mut scenario = presets::paper();
    scenario.prompt_tokens = tokens.into();
    link::of(&scenario)
}

#[test]
fn a_viewed_scenario_is_not_saved_and_a_changed_one_is() {
    let (mut shelf, mut clock, mut tab) = (Library::default(), Clock(0), Tab::default());
    tab.load("#as-found", "first".to_owned());
    let mut save =
        |tab: &mut Tab, link: &str| tab.save(&mut shelf, COLD, link, "Paper", &clock.now());
    assert_eq!(save(&mut tab, "#as-found"), Saved::Same);
    assert_eq!(save(&mut tab, "#a"), Saved::Saved);
    assert_eq!(save(&mut tab, "#b"), Saved::Saved);
    assert_eq!(save(&mut tab, "#b"), Saved::Same);
    assert_eq!(shelf.all(), [pair("Paper", "#b")]);

    // Another one beside it, and back by a step that is undone.
    tab.load("#preset", "second".to_owned());
    tab.save(&mut shelf, COLD, "#preset-changed", "Paper", &clock.now());
    tab.go("first");
    tab.save(&mut shelf, COLD, "#c", "Paper", &clock.now());
    assert_eq!(
        shelf.all(),
        [pair("Paper", "#c"), pair("Paper (2)", "#preset-changed")]
    );
}

#[test]
fn work_goes_on_under_another_name_also_for_steps_that_are_undone() {
    let (mut shelf, mut clock, mut tab) = (Library::default(), Clock(0), Tab::default());
    tab.load("#found", "first".to_owned());
    tab.save(&mut shelf, COLD, "#a", "Mine", &clock.now());
    let saved = tab.save_as(&mut shelf, COLD, "#a", "Mine", &clock.now());
    assert_eq!(saved, Saved::Saved);
    tab.go("first");
    tab.save(&mut shelf, COLD, "#b", "Mine", &clock.now());
    assert_eq!(shelf.all(), [pair("Mine", "#a"), pair("Mine (2)", "#b")]);
}

#[test]
fn of_two_tabs_the_second_to_change_goes_on_with_a_copy() {
    let (mut shelf, mut clock) = (Library::default(), Clock(0));
    let (start, one, two) = (link(1), link(2), link(3));
    let mut first = Tab::default();
    first.load("#found", "x".to_owned());
    first.save(&mut shelf, COLD, &start, "Fleet", &clock.now());
    let mut second = Tab::default();
    assert!(second.open(&shelf, "x").is_ok());
    assert_eq!(
        second.save(&mut shelf, COLD, &two, "", &clock.now()),
        Saved::Saved
    );
    let beside = Saved::SavedCopy {
        from: "Fleet".to_owned(),
        name: "Fleet (2)".to_owned(),
    };
    assert_eq!(first.save(&mut shelf, COLD, &one, "", &clock.now()), beside);
    // Said once: from here on each has its own.
    assert_eq!(
        first.save(&mut shelf, COLD, &start, "", &clock.now()),
        Saved::Saved
    );
    assert_eq!(
        second.save(&mut shelf, COLD, &one, "", &clock.now()),
        Saved::Saved
    );
    assert_eq!(
        shelf.all(),
        [pair("Fleet", &one), pair("Fleet (2)", &start)]
    );

    // A new name is no change of the scenario.
    rename(&mut shelf, "x", "Office", &clock.now());
    assert_eq!(
        second.save(&mut shelf, COLD, &two, "", &clock.now()),
        Saved::Saved
    );
    assert_eq!(shelf.all()[1], pair("Office", &two));

    // What is deleted in one tab and changed in another is there again.
    let gone = delete(&mut shelf, "x").expect("it was there");
    assert_eq!(
        second.save(&mut shelf, COLD, &start, "", &clock.now()),
        Saved::Saved
    );
    assert!(restore(&mut shelf, "x", &gone, &clock.now()));
    assert!(shelf.holds(&two) && shelf.holds(&start));
}

#[test]
fn a_newer_entry_is_never_written_over_and_goes_along() {
    let (mut shelf, mut clock, mut tab) = (Library::default(), Clock(0), Tab::default());
    tab.load("#found", "x".to_owned());
    tab.save(&mut shelf, COLD, &link(2), "Fleet", &clock.now());
    let newer = "{\"format\":2,\"name\":\"Fleet of tomorrow\",\"more\":[1]}";
    shelf.set(&key("x"), newer);
    shelf.set(&key("y"), "no JSON");
    let saved = tab.save(&mut shelf, COLD, &link(3), "", &clock.now());
    assert!(matches!(saved, Saved::SavedCopy { .. }), "{saved:?}");
    assert_eq!(shelf.texts[&key("x")], newer);
    assert!(tab.open(&shelf, "x").is_err());
    assert_eq!(rename(&mut shelf, "x", "Mine", &clock.now()), None);
    let faults: Vec<_> = list(&shelf)
        .into_iter()
        .map(|line| (line.name, line.fault.unwrap_or_default()))
        .collect();
    assert_eq!(
        faults,
        [
            pair("Fleet", ""),
            pair("Fleet of tomorrow", "made by a newer Edgewise"),
            pair("y", "cannot be read"),
        ]
    );
    // A link of a newer format, in an entry of this one.
    let later = link(2).replace("/4.", "/9.");
    tab.load("#found", "z".to_owned());
    tab.save(&mut shelf, COLD, &later, "Later", &clock.now());
    assert_eq!(list(&shelf)[0].fault.as_deref(), Some(BY_A_NEWER));

    let file = export(&shelf);
    assert!(
        file.contains("\"more\":[1]") && file.contains("\"no JSON\""),
        "{file}"
    );
    let back = import(&file).expect("it is such a file");
    assert_eq!(back.entries.len(), 1);
    let faults: Vec<String> = back.faults.iter().map(Invalid::to_string).collect();
    assert_eq!(faults.len(), 3);
    for part in [
        "].format: made by a newer Edgewise (format 2, this one reads up to 1)",
        "] must be an object, it is \"no JSON\"",
        "].link: This link comes from a newer Edgewise (format 9",
    ] {
        assert!(
            faults.iter().any(|fault| fault.contains(part)),
            "{part}: {faults:?}"
        );
    }
}

#[test]
fn a_full_store_is_said_and_the_next_write_tries_again() {
    let (mut shelf, mut clock, mut tab) = (Library::default(), Clock(0), Tab::default());
    tab.load("#found", "x".to_owned());
    shelf.is_full = true;
    assert_eq!(
        tab.save(&mut shelf, COLD, "#a", "A", &clock.now()),
        Saved::Refused
    );
    shelf.is_full = false;
    assert_eq!(
        tab.save(&mut shelf, COLD, "#a", "A", &clock.now()),
        Saved::Saved
    );
}

#[test]
fn a_tab_is_as_it_was_left_and_a_new_one_has_what_was_changed_last() {
    let (mut shelf, mut clock, mut tab) = (Library::default(), Clock(0), Tab::default());
    let nothing = tab.resume(&shelf, None, "n".to_owned());
    assert!(nothing.is_none());
    for (id, tokens) in [("x", 2), ("y", 3)] {
        tab.load("#found", id.to_owned());
        tab.save(&mut shelf, COLD, &link(tokens), id, &clock.now());
    }
    let resumed = |last: Option<&str>| {
        let mut tab = Tab::default();
        let any = tab.resume(&shelf, last, "n".to_owned());
        (any.map(|world| link::encode(&world)), tab.at().to_owned())
    };
    assert_eq!(resumed(None), (Some(link(3)), "y".to_owned()));
    assert_eq!(resumed(Some("x")), (Some(link(2)), "x".to_owned()));
    assert_eq!(resumed(Some("gone")), (Some(link(3)), "y".to_owned()));
    assert_eq!(resumed(Some(&link(9))), (Some(link(9)), "n".to_owned()));
    // A link is that of an entry, or of none.
    for (tokens, last, at) in [(2, None, "x"), (3, Some("x"), "y"), (4, Some("x"), "n")] {
        let world = link::open(&link(tokens)).expect("it is whole");
        tab.arrive(&shelf, &world, &link(tokens), last, "n".to_owned());
        assert_eq!(tab.at(), at, "{tokens}");
    }
}

#[test]
fn data_of_an_earlier_version_is_migrated_once() {
    let (mut shelf, mut clock) = (Library::default(), Clock(0));
    let tiers = link::of(&tiers::presets::paper());
    for (key, link) in [
        ("edgewise.scenario", link(2)),
        ("edgewise.scenario.tiers", tiers),
        ("edgewise.scenario.dispatch", "#dispatch/1.AAA".to_owned()),
    ] {
        shelf.set(key, &Value::from(link).to_string());
    }
    let before = shelf.texts.clone();
    take_over(&mut shelf, &clock.now().time);
    assert!(before.iter().all(|(key, text)| shelf.texts[key] == *text));
    let mut names = shelf.names();
    names.sort();
    let mut titles = [
        presets::paper().title,
        tiers::presets::paper().title,
        "dispatch".into(),
    ];
    titles.sort();
    assert_eq!(names, titles);
    for id in ids(&shelf) {
        delete(&mut shelf, &id);
    }
    take_over(&mut shelf, &clock.now().time);
    assert_eq!(shelf.names(), [""; 0]);
}

/// An earlier version may have stopped half-way. Its work is continued and not repeated.
#[test]
fn taking_over_goes_on_where_the_store_was_full() {
    let mut shelf = Library::default();
    shelf.set("edgewise.scenario", &Value::from(link(2)).to_string());
    shelf.is_full = true;
    take_over(&mut shelf, "2026-01-01T00:00:00.000Z");
    shelf.is_full = false;
    take_over(&mut shelf, "2026-01-01T00:00:00.000Z");
    shelf.texts.remove(MIGRATED_KEY);
    take_over(&mut shelf, "2026-01-01T00:00:00.000Z");
    assert_eq!(shelf.names().len(), 1);
}

#[test]
fn a_file_restores_everything_and_overwrites_nothing() {
    let (mut shelf, mut clock, mut tab) = (Library::default(), Clock(0), Tab::default());
    tab.load("#found", "x".to_owned());
    tab.save(
        &mut shelf,
        COLD,
        &link(2),
        "A \u{201c}name\u{201d} with \"signs\" \\",
        &clock.now(),
    );
    let dispatch = link::of(&dispatch::presets::paper());
    tab.load("#found", "y".to_owned());
    tab.save(&mut shelf, Question::Dispatch, &dispatch, "B", &clock.now());
    let file = export(&shelf);
    assert!(
        file.starts_with("{\n\"format\": 1,\n\"kind\": \"edgewise-workspace\","),
        "{file}"
    );
    let read = import(&file).expect("it is such a file");
    assert_eq!(read.faults, []);
    let mut other = Library::default();
    assert_eq!(import_entries(&mut other, &read.entries, || clock.now()), 2);
    assert_eq!(other.all(), shelf.all());
    let edited = |shelf: &Library| {
        list(shelf)
            .into_iter()
            .map(|l| l.edited)
            .collect::<Vec<_>>()
    };
    assert_eq!(edited(&other), edited(&shelf));
    assert_eq!(import_entries(&mut other, &read.entries, || clock.now()), 2);
    assert_eq!(other.all().len(), 4);
    assert!(other.names().contains(&"B (2)".to_owned()));
    other.is_full = true;
    assert_eq!(import_entries(&mut other, &read.entries, || clock.now()), 0);
}

/// A file of one scenario with a field that holds something else.
fn spoiled(field: &str, value: Value) -> Result<Import, Invalid> {
    let mut entry = json!({
        "name": "A",
        "question": "cold-start",
        "link": link(2),
        "edited": "2026-01-31T12:00:00Z",
    });
    entry[field] = value;
    let good = json!({"name": "B", "question": "cold-start", "link": link(3), "edited": "2026-01-31T12:00:00.123Z"});
    let file = json!({"format": 1, "kind": "edgewise-workspace", "scenarios": [good, entry]});
    import(&file.to_string())
}

#[test]
fn faults_of_a_file_are_named_by_place_and_the_rest_is_offered() {
    for (field, value, said) in [
        ("name", json!(7), "scenarios[1].name must be text, it is 7"),
        ("name", json!("  "), "scenarios[1].name must not be empty"),
        (
            "name",
            json!("a\nb"),
            "scenarios[1].name must be text of at most 120 characters on one line",
        ),
        (
            "question",
            json!("tiers"),
            "scenarios[1].question must be \"cold-start\", which its link asks, it is \"tiers\"",
        ),
        (
            "question",
            Value::Null,
            "scenarios[1].question must be text, it is null",
        ),
        (
            "link",
            json!("#cold-start/3.AAA"),
            "scenarios[1].link: This link is damaged",
        ),
        (
            "link",
            json!(link(2).replace("/4.", "/5.")),
            "scenarios[1].link: This link comes from a newer Edgewise (format 5",
        ),
        (
            "link",
            json!("javascript:alert(1)"),
            "scenarios[1].link: This is not an Edgewise link",
        ),
        (
            "edited",
            json!("yesterday"),
            "scenarios[1].edited must be a time like",
        ),
        (
            "colour",
            json!("red"),
            "scenarios[1].colour is not a field here, its fields are name, question, link, edited",
        ),
        (
            "format",
            json!(2),
            "scenarios[1].format: made by a newer Edgewise",
        ),
    ] {
        let read = spoiled(field, value).expect("it is such a file");
        let names: Vec<&str> = read
            .entries
            .iter()
            .map(|entry| entry.name.as_str())
            .collect();
        assert_eq!(names, ["B"], "{said}");
        let found = read.faults[0].to_string();
        assert!(found.starts_with(said), "{found} is not {said}");
        assert!(read.faults[0].path.starts_with("scenarios[1]."), "{found}");
    }
    let many = format!("[{}0]", "0,".repeat(1000));
    for (text, said) in [
        ("", "not readable as JSON"),
        ("[1]", "the document must be an object"),
        (
            "{\"format\":1,\"scenarios\":[]}",
            "kind must be \"edgewise-workspace\" in a file of scenarios, it is null",
        ),
        (
            "{\"kind\":\"edgewise-workspace\",\"scenarios\":[]}",
            "format is missing",
        ),
        (
            "{\"format\":2,\"kind\":\"edgewise-workspace\",\"shelves\":[]}",
            "format: made by a newer Edgewise (format 2, this one reads up to 1)",
        ),
        (
            "{\"format\":\"1\",\"kind\":\"edgewise-workspace\"}",
            "format must be 1, it is \"1\"",
        ),
        (
            "{\"format\":1,\"kind\":\"edgewise-workspace\"}",
            "scenarios is missing",
        ),
        (
            "{\"format\":1,\"kind\":\"edgewise-workspace\",\"scenarios\":{}}",
            "scenarios must be a list of at most 1000 scenarios, it is {}",
        ),
        (
            &format!("{{\"format\":1,\"kind\":\"edgewise-workspace\",\"scenarios\":{many}}}"),
            "scenarios must be a list of at most 1000 scenarios, it is 1001",
        ),
        (
            "{\"format\":1,\"kind\":\"edgewise-workspace\",\"scenarios\":[],\"x\":1}",
            "x is not a field here",
        ),
    ] {
        let found = import(text).expect_err(text).to_string();
        assert!(found.contains(said), "{found} is not {said}");
    }
}

/// Two tabs with a copy each of what the browser keeps: what one writes is in its own copy at once and reaches the browser, and
/// from there the other tab, later. A tab that still waits for its own writes ignores what arrives under the same key.
struct Browser {
    kept: BTreeMap<String, String>,
    tabs: [(Tab, Library); 2],
    /// Writes of each tab that the browser has not seen.
    sent: [VecDeque<(String, Option<String>)>; 2],
    /// Events that each tab has yet to receive, its own included.
    inbox: [VecDeque<(usize, String, Option<String>)>; 2],
    clock: Clock,
}

impl Browser {
    fn send(&mut self, tab: usize) {
        let shelf = &mut self.tabs[tab].1;
        for key in std::mem::take(&mut shelf.dirty) {
            let text = shelf.texts.get(&key).cloned();
            self.sent[tab].push_back((key, text));
        }
    }

    /// A tab does something on its own copy.
    fn act<T>(
        &mut self,
        tab: usize,
        act: impl FnOnce(&mut Tab, &mut Library, WriteStamp) -> T,
    ) -> T {
        let now = self.clock.now();
        let (own, shelf) = &mut self.tabs[tab];
        let done = act(own, shelf, now);
        self.send(tab);
        done
    }

    /// The browser takes what a tab wrote; says whether there was anything.
    fn commit(&mut self, tab: usize) -> bool {
        let Some((key, text)) = self.sent[tab].pop_front() else {
            return false;
        };
        match &text {
            Some(text) => self.kept.insert(key.clone(), text.clone()),
            None => self.kept.remove(&key),
        };
        for inbox in &mut self.inbox {
            inbox.push_back((tab, key.clone(), text.clone()));
        }
        true
    }

    /// A tab receives a write; says whether there was any.
    fn receive(&mut self, tab: usize) -> bool {
        let Some((from, key, text)) = self.inbox[tab].pop_front() else {
            return false;
        };
        if from == tab {
            return true;
        }
        let of_own =
            |(other, own, _): &(usize, String, Option<String>)| *other == tab && *own == key;
        let is_own =
            self.sent[tab].iter().any(|(own, _)| *own == key) || self.inbox[tab].iter().any(of_own);
        if !is_own {
            match &text {
                Some(text) => self.tabs[tab].1.texts.insert(key.clone(), text.clone()),
                None => self.tabs[tab].1.texts.remove(&key),
            };
        }
        if let Some(text) = text {
            self.act(tab, |tab, shelf, now| {
                tab.on_storage_event(shelf, &key, &text, &now)
            });
        }
        true
    }

    fn settle(&mut self) {
        while (0..2).any(|tab| self.commit(tab) || self.receive(tab)) {}
    }
}

#[test]
fn no_order_of_writes_in_two_tabs_loses_the_work_of_either() {
    use rand_pcg::rand_core::{Rng, SeedableRng};
    for seed in 0..1000 {
        let mut random = rand_pcg::Pcg32::seed_from_u64(seed);
        let mut draw = |below: u32| random.next_u32() % below;
        let mut browser = Browser {
            kept: BTreeMap::new(),
            tabs: [
                (Tab::default(), Library::default()),
                (Tab::default(), Library::default()),
            ],
            sent: Default::default(),
            inbox: Default::default(),
            clock: Clock(0),
        };
        // One scenario that both have open, and one that no one touches.
        browser.act(0, |tab, shelf, now| {
            for (id, name) in [("still", "Still"), ("x", "X")] {
                tab.load("#found", id.to_owned());
                tab.save(shelf, COLD, &link(2), name, &now);
            }
        });
        browser.settle();
        let opened = browser.act(1, |tab, shelf, _| tab.open(shelf, "x"));
        assert!(opened.is_ok());
        let mut last = [link(2), link(2)];
        let mut copies = 0;
        for step in 0..30 {
            let tab = draw(2) as usize;
            match draw(10) {
                0..4 => {
                    let next = format!("#work-{step}-of-{tab}");
                    browser.act(tab, |tab, shelf, now| {
                        tab.save(shelf, COLD, &next, "X", &now)
                    });
                    last[tab] = next;
                }
                4 | 5 => drop(browser.commit(tab)),
                6..8 => drop(browser.receive(tab)),
                8 => {
                    let copied = browser.act(tab, |_, shelf, now| duplicate(shelf, "still", &now));
                    copies += u32::from(copied.is_some());
                }
                _ => drop(browser.act(tab, |_, shelf, now| rename(shelf, "x", "New", &now))),
            }
        }
        browser.settle();
        let kept = Library {
            texts: browser.kept.clone(),
            ..Library::default()
        };
        for link in &last {
            assert!(
                kept.holds(link),
                "seed {seed}: {link} is not in {:?}",
                kept.all()
            );
        }
        let still = kept
            .all()
            .iter()
            .filter(|(name, _)| name.starts_with("Still"))
            .count();
        assert_eq!(still as u32, copies + 1, "seed {seed}");
        for (_, shelf) in &browser.tabs {
            assert_eq!(
                shelf.texts, browser.kept,
                "seed {seed}: the copies agree in the end"
            );
        }
    }
}
