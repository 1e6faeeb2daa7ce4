//! Who asks the worker for an answer, and for all that is found out about it besides.

use super::gather::Gathering;
use super::{Change, Lies, Reading, ToTell, Told, Wish, section, take};
use crate::ui::desk::{Desk, Document};
use crate::ui::jobs::{Asked, Asks};
use crate::ui::shell::Busy;
use crate::ui::solver::Solver;
use gloo::timers::callback::Timeout;
use leptos::prelude::*;
use std::ops::Deref;
use std::sync::Arc;
use story::{Fill, Lasts, More, Name, Packed, Section, When};
use tell::worker::Sent;
use tell::{About, Answer as Found, Ask, Piece, Tell, Telling, changed, with_number};

/// What stands below the lead is asked for so long after the last answer [ms]: while a number is dragged, only the lead follows.
const BELOW_MS: u32 = 50;

/// What is asked for soon begins so long after all of the answer was told [ms].
const SOON_MS: u32 = 100;

/// An answer that is there sooner is shown when it is whole [ms].
const SHOW_PARTS_AFTER_MS: f64 = 400.0;

/// The state of an answer that is told. Cheap to copy.
pub struct Teller<S: ToTell, D: Lies<S> = Desk<S>> {
    pub(super) desk: D,
    /// The answer on show.
    pub told: Told,
    /// The scenario that it belongs to.
    pub of: RwSignal<Option<Arc<S>>>,
    pub(super) group: StoredValue<u32>,
    pub(super) begin: StoredValue<Option<Timeout>, LocalStorage>,
    pub(super) slow: StoredValue<Option<Timeout>, LocalStorage>,
    /// What has been asked besides the answer.
    pub(super) asked: StoredValue<Vec<String>>,
    /// What was found out that holds for other scenarios too, by what was asked.
    pub(super) lasting: StoredValue<Vec<(String, Lasts, Vec<Fill>)>>,
    /// Pieces that have come, and for which scenarios they hold.
    pub(super) pieces: StoredValue<Vec<(String, Lasts, Piece)>>,
    /// Whether the answer has rested for as long as what is asked for soon waits.
    pub(super) rests: StoredValue<bool>,
    /// What was being gathered that holds for all scenarios: it goes on once there is an answer to this one.
    going: StoredValue<Vec<String>>,
    /// What is being gathered of pieces.
    pub(super) gathering: StoredValue<Vec<Gathering>>,
    /// When the answer was asked for [ms].
    pub(super) asked_at: StoredValue<f64>,
    /// The places whose settings are asked for, each with those that it has been turned to since.
    pub(super) turning: StoredValue<Vec<(Name, Option<Vec<f64>>)>>,
}

impl<S: ToTell, D: Lies<S>> Clone for Teller<S, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ToTell, D: Lies<S>> Copy for Teller<S, D> {}

impl<S: ToTell, D: Lies<S>> Deref for Teller<S, D> {
    type Target = D;

    fn deref(&self) -> &D {
        &self.desk
    }
}

impl<S: Document + About> Teller<S> {
    /// The state of a question, asked while it is open. What else it asks is in groups beyond `group`.
    pub fn open(desk: Desk<S>, group: u32) -> Self {
        let teller = Self::about(desk, group);
        desk.keep_planned(
            move |_| {
                // What waits for the answer before this one waits for this one.
                let going = teller.going.get_value().into_iter();
                let going = going.chain(teller.going_on()).collect();
                teller.end();
                teller.going.set_value(going);
            },
            move |solver, scenario| {
                teller.asked_at.set_value(js_sys::Date::now());
                solver.plan(teller, Sent(scenario), Tell::<S>::of(Ask::Lead));
            },
        );
        desk.name_files(move || teller.told.of(|told| told.stem.clone()));
        teller
    }

    /// Something of the answer, where it is that of the scenario on the desk.
    pub fn now<T>(&self, read: impl Fn(&Told) -> T) -> Option<T> {
        let now = self.scenario.get();
        let is_now = self
            .of
            .with(|of| of.as_ref().is_some_and(|of| **of == *now));
        is_now.then(|| read(&self.told))
    }
}

impl<S: ToTell, D: Lies<S>> Teller<S, D> {
    /// An answer about what lies there; what it asks is in groups beyond `group`.
    pub fn about(desk: D, group: u32) -> Self {
        // What it shows asks it in turn.
        let itself = StoredValue::new(None::<Self>);
        let told = Told {
            telling: RwSignal::new(None),
            sections: RwSignal::new(Arc::default()),
            millis: RwSignal::new(0.0),
            runs: RwSignal::new(Vec::new()),
            faults: RwSignal::new(Vec::new()),
            searching: RwSignal::new(Vec::new()),
            turned: StoredValue::new(Vec::new()),
            hidden: RwSignal::new(Vec::new()),
            flags_of: RwSignal::new(String::new()),
            is_led: RwSignal::new(false),
            is_slow: RwSignal::new(false),
            rested: RwSignal::new(0),
            noted: StoredValue::new(Arc::default()),
            reading: RwSignal::new(Reading::Idle),
            ask: Callback::new(move |wish| {
                itself.with_value(|teller| teller.iter().for_each(|it| it.grant(&wish)));
            }),
            edit: Callback::new(move |change| {
                itself.with_value(|teller| teller.is_some_and(|it| it.change(&change)))
            }),
        };
        let teller = Self {
            desk,
            told,
            of: RwSignal::new(None),
            group: StoredValue::new(group),
            begin: StoredValue::new_local(None),
            slow: StoredValue::new_local(None),
            asked: StoredValue::new(Vec::new()),
            lasting: StoredValue::new(Vec::new()),
            rests: StoredValue::new(false),
            pieces: StoredValue::new(Vec::new()),
            going: StoredValue::new(Vec::new()),
            gathering: StoredValue::new(Vec::new()),
            asked_at: StoredValue::new(0.0),
            turning: StoredValue::new(Vec::new()),
        };
        itself.set_value(Some(teller));
        teller
    }

    /// Asks for the answer to this, besides what the user waits for.
    pub fn begin(&self, of: Arc<S>) {
        self.end();
        let group = self.group.get_value();
        self.with_solver(|solver| solver.points(*self, group, &Sent(of), [Tell::of(Ask::Story)]));
    }

    /// Forgets the answer.
    pub fn forget(&self) {
        self.end();
        self.of.set(None);
        self.told.is_led.set(false);
        self.told.sections.set(Arc::default());
        self.told.telling.set(None);
    }

    fn grant(&self, wish: &Wish) {
        match wish {
            Wish::Open(section) => {
                self.ask_more(|of, more| of == *section && more.when == When::Opened);
                self.begin_runs();
            }
            Wish::Press(place) => {
                self.ask_more(|_, more| more.when.place() == Some(place));
            }
            Wish::Turn(place, at) => self.turn(place, at.clone()),
            Wish::TurnPressed(place, at) => {
                self.told.searching.update(|all| all.push((place, None)));
                self.turn(place, at.clone());
            }
            Wish::File(what) => self.ask([self.file(what)]),
            Wish::Bring(place, name, text) => self.bring(place, name, text),
            Wish::Scenario => {
                let of = self.of.get_untracked();
                of.iter()
                    .for_each(|of| self.save("scenario", "json", of.to_file()));
            }
            Wish::Again(section) => {
                self.ask_soon();
                self.grant(&Wish::Open(section));
            }
            Wish::End => {
                // What waited for the answer is asked for now that it is what it is.
                let was_hunting = self.is_hunting();
                self.end();
                if was_hunting {
                    self.rest();
                }
                self.ask_below();
            }
            Wish::Stop => {
                self.end();
                self.with_solver(Solver::stop);
                self.busy.set(Busy::GivenUp);
            }
            Wish::Retry => self.desk.ask_again(),
        }
    }

    fn change(&self, change: &Change) -> bool {
        let now = self.desk.now();
        let (step, after) = match change {
            Change::Edit(edit) => (&edit.step, changed(&*now, edit)),
            Change::Number(step, pointer, value) => (step, with_number(&*now, pointer, *value)),
        };
        // An answer belongs to one scenario; one that has changed since says so by refusing.
        let done = after.and_then(|after| self.desk.put(step, after));
        if let Err(fault) = &done {
            self.say(format!("Not changed: {fault}."));
        }
        done.is_ok()
    }

    /// Asks for what is still to be found out, as far as nobody has. While only the lead is of the answer, what belongs to the
    /// other sections waits for them.
    fn ask_more(&self, wanted: impl Fn(Name, &More) -> bool) {
        let asked = self.asked.get_value();
        let is_led = self.told.is_led.get_untracked();
        let may_go = |more: &More| {
            let is_at_once = matches!(more.when, When::Now(_)) && more.pieces.is_empty();
            if is_led && !is_at_once {
                self.going.update_value(|all| all.push(more.ask.clone()));
            }
            is_at_once || !is_led
        };
        let all: Vec<(Name, More)> = self.told.sections.with_untracked(|sections| {
            let all = sections
                .iter()
                .flat_map(|section| section.more.iter().map(|more| (section.id, more)));
            all.filter(|(of, more)| wanted(of, more) && !asked.contains(&more.ask))
                .filter(|(_, more)| may_go(more))
                .map(|(of, more)| (of, more.clone()))
                .collect()
        });
        let (whole, gathered): (Vec<_>, Vec<_>) =
            (all.into_iter()).partition(|(_, more)| more.pieces.is_empty());
        for (_, more) in whole.iter().chain(&gathered) {
            self.asked
                .update_value(|asked| asked.push(more.ask.clone()));
            if let Some(place) = more.when.place() {
                self.told.searching.update(|all| all.push((place, None)));
            }
        }
        self.ask(whole.into_iter().map(|(_, more)| match more.when {
            When::Now(_) => Ask::AtOnce(more.ask),
            _ => Ask::More(more.ask),
        }));
        gathered
            .into_iter()
            .for_each(|(of, more)| self.gather(of, more));
    }

    pub(super) fn ask(&self, asks: impl IntoIterator<Item = Ask>) {
        let Some(of) = self.of.get_untracked() else {
            return;
        };
        let asks: Vec<Tell<S>> = asks.into_iter().map(|ask| self.asked_of(ask)).collect();
        let group = self.group.get_value();
        self.with_solver(|solver| solver.points(*self, group, &Sent(of), asks));
    }

    /// Something asked of the story on show.
    pub(super) fn asked_of(&self, ask: Ask) -> Tell<S> {
        // A piece is about the scenario alone.
        match ask {
            Ask::Piece(..) => Tell::of(ask),
            _ => Tell::about(ask, self.told.noted.get_value()),
        }
    }

    /// Asks for what is found out without being asked for, once the answer rests.
    fn ask_soon(&self) {
        if !self.is_hunting() {
            // What has come stays; the rest is asked once more.
            self.ask_more(|_, more| more.when == When::Soon);
            self.begin_runs();
        }
    }

    /// The answer rests: what waited for that is asked for.
    fn rest(&self) {
        if self.told.is_led.get_untracked() {
            return;
        }
        self.rests.set_value(true);
        self.ask_soon();
        if !self.is_hunting() {
            self.told.rested.update(|count| *count += 1);
        }
    }

    /// Nothing more comes of what was asked besides the answer.
    pub fn end(&self) {
        self.begin.set_value(None);
        self.rests.set_value(false);
        self.end_runs();
        if self.told.searching.with_untracked(|all| !all.is_empty()) {
            self.told.searching.set(Vec::new());
        }
        let group = self.group.get_value();
        self.group.set_value(group + 1);
        self.with_solver(|solver| solver.cancel(group));
        // What has not come can be asked again.
        self.asked.set_value(Vec::new());
        self.going.set_value(Vec::new());
        self.gathering.set_value(Vec::new());
        self.turning.set_value(Vec::new());
    }

    /// What is asked, and for which section.
    pub(super) fn asked_in(&self, ask: &str) -> Option<(Name, More)> {
        self.told.sections.with_untracked(|all| {
            let mut all = all
                .iter()
                .flat_map(|section| section.more.iter().map(|more| (section.id, more)));
            all.find(|(_, more)| more.ask == ask)
                .map(|(section, more)| (section, more.clone()))
        })
    }

    /// Something asked has come or is not to be had; what it was, and in which section.
    pub(super) fn came(&self, ask: &str) -> Option<(Name, More)> {
        let found = self.asked_in(ask)?;
        // It is not asked for again, unless its button is pressed once more.
        if found.1.when.place().is_some() {
            self.asked.update_value(|all| all.retain(|one| one != ask));
        } else {
            self.told.sections.update(|all| {
                for section in Arc::make_mut(all) {
                    section.more.retain(|more| more.ask != ask);
                }
            });
        }
        if let Some(place) = found.1.when.place() {
            let searching = self.told.searching;
            searching.update(|all| all.retain(|(one, _)| *one != place));
        }
        if found.1.when.place().is_none() {
            self.told.runs.update(|runs| {
                let run = runs.iter_mut().find(|run| run.of == found.0);
                if let Some(run) = run {
                    run.ended += found.1.pieces.len().max(1);
                }
            });
            self.count_runs();
        }
        Some(found)
    }

    /// How far what a place asked for is.
    pub(super) fn so_far(&self, place: Name, share: Option<f64>) {
        self.told.searching.update(|all| {
            let found = all.iter_mut().filter(|(of, _)| *of == place);
            found.for_each(|(_, done)| *done = share);
        });
    }

    fn fill(&self, fills: &[Fill]) {
        self.told.sections.update(|all| {
            for section in Arc::make_mut(all) {
                fills.iter().for_each(|fill| section.fill(fill));
            }
        });
    }

    /// Sections were told anew at other settings: what they ask for takes the place of what was asked for them before.
    fn ask_anew(&self, fills: &[Fill]) {
        if let Some(is_new) = told_anew(fills) {
            self.told
                .runs
                .update(|runs| runs.retain(|run| !is_new(run.of)));
            let anew = fills.iter().flat_map(|fill| match fill {
                Fill::Section(section) => section.more.as_slice(),
                _ => &[],
            });
            let asks: Vec<&String> = anew.map(|more| &more.ask).collect();
            self.asked
                .update_value(|asked| asked.retain(|ask| !asks.contains(&ask)));
            self.gathering
                .update_value(|all| all.retain(|one| !is_new(one.of())));
            self.ask_more(|of, more| matches!(more.when, When::Now(_)) && is_new(of));
            self.ask_soon();
        }
    }

    /// Asks for what sections that were told anew still ask for.
    fn go_on(&self, fills: &[Fill]) {
        if let Some(is_new) = told_anew(fills) {
            self.ask_more(|of, more| matches!(more.when, When::Now(_)) && is_new(of));
            if self.rests.get_value() {
                self.ask_soon();
            }
        }
    }

    /// Remembers what holds for other scenarios too.
    fn keep(&self, More { ask, lasts, .. }: &More, fills: Vec<Fill>) {
        if *lasts == Lasts::Once {
            return;
        }
        self.lasting.update_value(|known| {
            known.retain(|(before, ..)| before != ask);
            known.push((ask.clone(), *lasts, fills));
        });
    }

    /// Another scenario is told of: what does not hold for it is forgotten.
    fn keep_lasting(&self, scenario: &S) {
        let holds = self.of.with_untracked(|before| {
            let before = before.as_deref();
            before.is_some_and(|before| scenario.keeps_of(before))
        });
        let stays = |lasts: &Lasts| *lasts == Lasts::Always || (holds && *lasts == Lasts::Alike);
        self.lasting
            .update_value(|known| known.retain(|(_, lasts, _)| stays(lasts)));
        self.pieces
            .update_value(|known| known.retain(|(_, lasts, _)| stays(lasts)));
    }

    /// Fills in what is known already.
    fn fill_lasting(&self, telling: &mut Telling) {
        self.lasting.with_value(|known| {
            for section in &mut telling.sections {
                for (ask, _, fills) in known {
                    let is_it = |more: &More| more.lasts != Lasts::Once && more.ask == *ask;
                    if section.more.iter().any(is_it) {
                        fills.iter().for_each(|fill| section.fill(fill));
                    }
                    // A button can be pressed again; what is gathered is added up anew, for this scenario.
                    let stays = |more: &More| {
                        more.when.place().is_some() || !more.pieces.is_empty() || !is_it(more)
                    };
                    section.more.retain(stays);
                }
            }
        });
    }

    /// An answer is told of another scenario.
    fn begin_with(&self, scenario: Arc<S>) {
        self.keep_lasting(&scenario);
        self.told.runs.set(Vec::new());
        self.told.faults.set(Vec::new());
        self.of.set(Some(scenario));
    }

    /// Puts what leads an answer on show; the rest stands as it stood, and is asked for once this rests.
    fn lead(&self, mut telling: Telling, scenario: Arc<S>, millis: f64) {
        self.begin_with(scenario);
        self.told.is_led.set(true);
        let before = self.told.telling.get_untracked();
        if let Some(before) = &before {
            telling.files.clone_from(&before.files);
            telling.chains.clone_from(&before.chains);
        }
        let sections = self
            .told
            .sections
            .with_untracked(|stood| beside(&telling.sections, stood));
        self.put(telling, sections, millis);
        if self.is_newest() {
            self.desk.is_answered();
            self.ask_more(|_, more| matches!(more.when, When::Now(_)));
            // The first one need not rest.
            let wait = if before.is_some() { BELOW_MS } else { 0 };
            let teller = *self;
            let later = Timeout::new(wait, move || teller.ask_below());
            self.begin.set_value(Some(later));
        }
    }

    /// Asks for what stands below the lead.
    fn ask_below(&self) {
        if let Some(of) = self.of.get_untracked()
            && self.told.is_led.get_untracked()
            && self.busy.get_untracked() == Busy::Idle
        {
            let group = self.group.get_value();
            let ask = self.asked_of(Ask::Story);
            self.with_solver(|solver| solver.ahead(*self, group, Sent(of), ask));
        }
    }

    /// Puts the rest of an answer on show under its lead, which may have been filled or told anew meanwhile.
    fn follow(&self, mut telling: Telling) {
        if !self.told.is_led.get_untracked() {
            return;
        }
        self.fill_lasting(&mut telling);
        let sections = self.anew(&telling);
        let millis = self.told.millis.get_untracked();
        self.put(telling, sections, millis);
        self.is_told();
    }

    /// What stands below the lead is not to be had, and what stood there is of another answer.
    fn is_alone(&self, why: &str) {
        self.told.is_led.set(false);
        self.told
            .sections
            .update(|all| Arc::make_mut(all).retain(|section| section::leads(section.id)));
        let under = self
            .told
            .sections
            .with_untracked(|all| all.last().map(|section| section.id));
        let said = format!("What stands below could not be computed: {why}.");
        self.told
            .faults
            .set(under.map(|under| (under, said)).into_iter().collect());
    }

    /// All of an answer is on show: what it says is to be found out is asked for.
    fn is_told(&self) {
        self.told.is_led.set(false);
        self.ask_more(|_, more| matches!(more.when, When::Now(_)));
        let going = self.going.get_value();
        self.ask_more(|_, more| going.contains(&more.ask));
        let teller = *self;
        let later = Timeout::new(SOON_MS, move || teller.rest());
        self.begin.set_value(Some(later));
    }

    /// Puts all of an answer on show.
    fn show(&self, mut telling: Telling, scenario: Arc<S>, millis: f64) {
        self.begin_with(scenario);
        self.fill_lasting(&mut telling);
        let sections = telling.sections.clone();
        self.put(telling, sections, millis);
        if self.is_newest() {
            self.desk.is_answered();
            self.is_told();
        }
    }

    fn put(&self, mut telling: Telling, sections: Vec<Section>, millis: f64) {
        let noted = Arc::new(Piece::from(std::mem::take(&mut telling.noted)));
        self.told.noted.set_value(noted);
        self.stand(sections);
        self.told.millis.set(millis);
        self.told.telling.set(Some(Arc::new(telling)));
    }

    /// Puts sections on show.
    fn stand(&self, mut sections: Vec<Section>) {
        // A section that nothing is told of yet stands as it did, until something is.
        self.told.sections.with_untracked(|stood| {
            for section in sections.iter_mut().filter(|one| one.blocks.is_empty()) {
                if let Some(before) = stood.iter().find(|before| before.id == section.id) {
                    let more = std::mem::take(&mut section.more);
                    *section = Section {
                        more,
                        ..before.clone()
                    };
                }
            }
        });
        self.told.sections.set(Arc::new(sections));
    }

    /// A search that goes on has told the answer anew. Sections that it says nothing new of stay as they are.
    fn tell_again(&self, telling: Telling, millis: f64) {
        let before = self.told.telling.get_untracked();
        let sections = self.anew(&telling);
        let is_search = |told: &Telling| {
            let mut more = told.sections.iter().flat_map(|section| &section.more);
            more.any(|more| matches!(more.when, When::Now(_)))
        };
        let was_hunting = before.as_deref().is_some_and(is_search);
        self.put(telling, sections, self.told.millis.get_untracked() + millis);
        self.ask_more(|_, more| matches!(more.when, When::Now(_)));
        match was_hunting {
            true => self.rest(),
            false => self.ask_soon(),
        }
    }

    /// The sections of what is told anew, those that it says nothing new of as they stand.
    fn anew(&self, telling: &Telling) -> Vec<Section> {
        let before = self.told.telling.get_untracked();
        let said = self.told.sections.get_untracked();
        let stands = |section: &Section| {
            let told = before.as_ref().and_then(|told| told.section(section.id));
            let stands = said.iter().find(|stands| stands.id == section.id);
            stands.filter(|_| told == Some(section)).cloned()
        };
        let sections = telling.sections.iter();
        let sections = sections.map(|section| stands(section).unwrap_or_else(|| section.clone()));
        sections.collect()
    }

    /// Whether the answer itself is still being looked for.
    fn is_hunting(&self) -> bool {
        let sections = self.told.sections.get_untracked();
        let searching = self.told.searching.get_untracked();
        let mut all = sections.iter().flat_map(|section| &section.more);
        let is_on = |place: Name| searching.iter().any(|(of, _)| *of == place);
        all.any(|more| matches!(more.when, When::Now(place) if is_on(place)))
    }

    /// Whether something besides the answer is still waited for.
    fn is_wanted(&self, job: &Asked<Tell<S>>) -> bool {
        job.group == Some(self.group.get_value())
    }

    fn is_newest(&self) -> bool {
        let of = self.of.get_untracked();
        of.is_some_and(|of| self.desk.is_now(&of))
    }

    /// Whether what is on show is led by the answer to this one.
    fn is_of(&self, scenario: &Arc<S>) -> bool {
        self.of
            .with_untracked(|of| of.as_ref().is_some_and(|of| Arc::ptr_eq(of, scenario)))
    }
}

impl<S: ToTell, D: Lies<S>> Asks<Tell<S>> for Teller<S, D> {
    fn answered(&self, job: &Asked<Tell<S>>, answer: Packed<Found>, millis: f64) {
        match (answer.0, &job.ask.ask) {
            (Found::Brought(words, edit), _) => self.take(words, &edit),
            (Found::Story(telling), Ask::Lead) => {
                self.lead(telling, job.scenario.0.clone(), millis)
            }
            // A late one is of another answer.
            (_, _) if !self.is_wanted(job) => {}
            (Found::Story(telling), Ask::Story) if self.is_of(&job.scenario.0) => {
                self.follow(telling)
            }
            (Found::Story(telling), Ask::Story) => {
                self.show(telling, job.scenario.0.clone(), millis)
            }
            (Found::More(fills), Ask::AtOnce(ask) | Ask::More(ask)) => {
                let found = self.came(ask);
                self.fill(&fills);
                self.go_on(&fills);
                if let Some((_, more)) = found {
                    self.keep(&more, fills);
                }
            }
            (Found::Piece(piece), Ask::Piece(at, _, _)) => self.piece_came(*at, Some(piece)),
            (Found::More(fills), Ask::Gathered(ask, ..)) => {
                self.fill(&fills);
                let whole = self.was_gathered(ask);
                self.go_on(&fills);
                if let Some(more) = whole {
                    self.keep(&more, fills);
                }
            }
            (Found::Story(telling), Ask::Gathered(ask, ..)) => {
                self.was_gathered(ask);
                self.tell_again(telling, millis);
            }
            (Found::More(fills), Ask::Turned(place, _)) => {
                self.fill(&fills);
                self.ask_anew(&fills);
                self.turned(place);
            }
            (Found::File(content), Ask::File(what) | Ask::FileOf(what, _)) => {
                take::save(&self.told, &self.desk, what, &content)
            }
            _ => {}
        }
    }

    /// As much of an answer as there is; what else it asks for waits until it is whole.
    fn part(&self, job: &Asked<Tell<S>>, part: Packed<Found>) {
        let is_plan = job.is_plan();
        let is_newest = self.desk.is_now(&job.scenario.0);
        let waited = js_sys::Date::now() - self.asked_at.get_value();
        if let Found::Story(telling) = part.0
            && is_plan
            && is_newest
            && waited > SHOW_PARTS_AFTER_MS
        {
            self.told.runs.set(Vec::new());
            self.told.is_led.set(true);
            self.of.set(Some(job.scenario.0.clone()));
            let sections = self
                .told
                .sections
                .with_untracked(|stood| beside(&telling.sections, stood));
            self.put(telling, sections, 0.0);
        }
    }

    fn reached(&self, job: &Asked<Tell<S>>, share: Option<f64>) {
        let ask = match &job.ask.ask {
            Ask::AtOnce(ask) | Ask::More(ask) => ask,
            Ask::Piece(at, ..) => return self.piece_reached(*at, share),
            _ => return,
        };
        if let Some(place) = self.asked_in(ask).and_then(|(_, more)| more.when.place()) {
            self.so_far(place, share);
        }
    }

    fn refused(&self, job: &Asked<Tell<S>>, why: String) {
        let of = match &job.ask.ask {
            Ask::Turned(place, _) => {
                self.turned(place);
                return self.fault_at(place, &why);
            }
            Ask::AtOnce(ask) | Ask::More(ask) => self.came(ask),
            Ask::Gathered(ask, ..) => self.not_gathered(ask),
            Ask::Piece(at, ..) => self.piece_refused(*at),
            Ask::Brought(..) => return self.told.reading.set(Reading::Refused(why)),
            Ask::Story if self.told.is_led.get_untracked() => return self.is_alone(&why),
            Ask::Lead | Ask::Story | Ask::File(_) | Ask::FileOf(..) => None,
        };
        let when = of.as_ref().map(|(_, more)| more.when);
        if matches!(when, Some(When::Now(_))) {
            self.rest();
        }
        if let Some((section, more)) = of.filter(|(_, more)| !more.refused.is_empty()) {
            let fault = (section, format!("{}: {why}.", more.refused));
            self.told.faults.update(|all| {
                if !all.contains(&fault) {
                    all.push(fault);
                }
            });
        }
    }

    fn left_out(&self, job: &Asked<Tell<S>>) -> String {
        self.refused(job, "the solver failed twice on one of its runs".to_owned());
        "It failed again on a run, so that run was left out. Nothing else is lost.".to_owned()
    }
}

/// What leads an answer, and the sections that stand beside it until they are told: each where it stood.
fn beside(leads: &[Section], stood: &[Section]) -> Vec<Section> {
    let mut all: Vec<Section> = stood.to_vec();
    all.retain(|one| !section::leads(one.id) || leads.iter().any(|lead| lead.id == one.id));
    let mut next = 0;
    for lead in leads {
        match all.iter().position(|one| one.id == lead.id) {
            Some(at) => {
                all[at] = lead.clone();
                next = at + 1;
            }
            None => {
                all.insert(next, lead.clone());
                next += 1;
            }
        }
    }
    all
}

/// Which sections are told anew; nothing where none is.
fn told_anew(fills: &[Fill]) -> Option<impl Fn(Name) -> bool + Copy> {
    let tells = |fill: &Fill, of: Name| matches!(fill, Fill::Section(section) if section.id == of);
    let is_any = fills.iter().any(|fill| matches!(fill, Fill::Section(_)));
    is_any.then_some(move |of: Name| fills.iter().any(|fill| tells(fill, of)))
}
