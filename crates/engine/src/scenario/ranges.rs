//! Ranges in the place of points: which numbers of a scenario can carry one, what makes one valid, what becomes of it when
//! its number changes, and the scenario at a draw.
//!
//! A range is kept with the object whose number it is about, under the name of the field, so that a device takes its ranges
//! along when it is copied, moved or removed. Numbers that are counts of layers, and layers given as a table, carry none:
//! a plan is made for so many layers.

use super::fields::{self, Field, NumberFields};
use super::{Device, Scenario};
use crate::problem::{Code, Invalid};
use crate::units::{NARROW, rounded};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The range of one input. In JSON `[low, high]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(from = "(f64, f64)", into = "(f64, f64)")]
pub struct Span {
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
}

impl From<(f64, f64)> for Span {
    fn from((low, high): (f64, f64)) -> Self {
        Self { low, high }
    }
}

impl From<Span> for (f64, f64) {
    fn from(span: Span) -> Self {
        (span.low, span.high)
    }
}

/// Ranges by the field they are of.
pub type Ranges = BTreeMap<String, Span>;

/// Where a number is in a scenario.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The device, counted from 0 as the scenario lists them; `None` for a number of the scenario itself.
    pub device: Option<usize>,
    /// The field within it: `r_mb_s`, `link.mu`, `channel.B_mhz`.
    pub key: String,
}

impl Place {
    /// A number of the scenario itself.
    #[must_use]
    pub fn shared(key: &str) -> Self {
        Self {
            device: None,
            key: key.to_owned(),
        }
    }

    /// A number of a device.
    #[must_use]
    pub fn of_device(device: usize, key: &str) -> Self {
        Self {
            device: Some(device),
            key: key.to_owned(),
        }
    }

    /// The name of the field in the table of ranges: `mu` of `channel.mu`.
    #[must_use]
    pub fn field(&self) -> &str {
        self.key.rsplit('.').next().unwrap_or_default()
    }

    /// Where its range is in a file: `devices[1].ranges.r_mb_s`.
    #[must_use]
    pub fn path(&self) -> String {
        match self.device {
            Some(device) => format!("devices[{device}].ranges.{}", self.key),
            None => format!("ranges.{}", self.key),
        }
    }
}

/// A number that can carry a range.
#[derive(Debug, Clone, PartialEq)]
pub struct SpanInput {
    /// Where it stands.
    pub place: Place,
    /// Label: `D3 disk`, `Wi-Fi bandwidth`.
    pub label: String,
    /// Its name in the table of ranges.
    pub field: &'static str,
    /// Its unit, empty for a pure number.
    pub unit: &'static str,
    /// True for whole numbers only.
    pub is_integer: bool,
    /// The number itself.
    pub value: f64,
    /// Its range, where it has one.
    pub span: Option<Span>,
    /// True if its device is switched off, so that nothing depends on it.
    pub off: bool,
}

impl Span {
    /// The number at a share `unit` of the way, from 0 to 1 without 1: uniform between the ends, and over whole numbers each
    /// as likely.
    #[must_use]
    pub fn at(&self, unit: f64, whole: bool) -> f64 {
        let at = if whole {
            self.low + libm::floor(unit * (self.high - self.low + 1.0))
        } else {
            self.low + unit * (self.high - self.low)
        };
        at.clamp(self.low, self.high)
    }

    /// Returns true if a value is in the range.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        value >= self.low && value <= self.high
    }

    /// A range about a value: so many percent of it to either side, as far as the field allows. Decibels, whose zero is
    /// arbitrary, take the share of the value's size as well.
    #[must_use]
    pub fn about(field: &str, value: f64, percent: f64) -> Self {
        let half = value.abs() * percent / 100.0;
        Self {
            low: value - half,
            high: value + half,
        }
        .within(field, value)
    }

    /// Returns the range moved to another value: scaled with it, or of equal width for levels in decibels.
    #[must_use]
    pub fn recentred(&self, field: &str, value: f64) -> Self {
        let middle = 0.5 * (self.low + self.high);
        let half = 0.5 * (self.high - self.low);
        let is_level = fields::of(field).is_some_and(|range| range.unit.starts_with("dB"));
        let half = if is_level || middle == 0.0 {
            half
        } else {
            half * (value / middle).abs()
        };
        Self {
            low: value - half,
            high: value + half,
        }
        .within(field, value)
    }

    /// As much of it as the field allows, in numbers that can be read, and still with the value in it.
    fn within(self, field: &str, value: f64) -> Self {
        let Some(range) = fields::of(field) else {
            return self;
        };
        let (low, high) = if range.is_integer {
            (libm::floor(self.low), libm::ceil(self.high))
        } else {
            (rounded(self.low, 6), rounded(self.high, 6))
        };
        Self {
            low: low.max(range.min).min(value),
            high: high.min(range.max).max(value),
        }
    }

    /// `4500 to 5500 MB/s`.
    #[must_use]
    pub fn text(&self, unit: &str) -> String {
        let (low, high) = (self.low, self.high);
        if unit.is_empty() {
            return format!("{low} to {high}");
        }
        format!("{low} to {high}{NARROW}{unit}")
    }
}

/// Returns the name of a device, or its index if it has none.
fn name_of(device: &Device, at: usize) -> String {
    match device.name.trim() {
        "" => format!("D{}", at + 1),
        name => name.to_owned(),
    }
}

/// A number: its key, its field, what it is.
type Keyed = (String, &'static Field, f64);

/// Numbers of an object within the owner of the ranges.
fn keyed(
    object: &'static str,
    numbers: impl Iterator<Item = (&'static Field, f64)>,
) -> impl Iterator<Item = Keyed> {
    numbers.map(move |(field, value)| (format!("{object}{}", field.key), field, value))
}

/// The numbers of the scenario itself that can carry a range, in file order.
fn own_numbers(scenario: &Scenario) -> Vec<Keyed> {
    // Layers are no quantity that could be measured.
    let dims = scenario.model.dimensions();
    let dims = dims.into_iter().flat_map(|dims| dims.numbers());
    let mut all = Vec::new();
    all.extend(keyed(
        "model.",
        dims.filter(|(field, _)| field.key != "layers"),
    ));
    all.extend(keyed("", scenario.numbers()));
    all.extend(keyed("channel.", scenario.channel.numbers()));
    if let Some(decode) = &scenario.decode {
        all.extend(keyed("decode.", decode.numbers()));
    }
    all
}

/// The numbers of a device that can carry a range, in file order.
fn numbers_of(device: &Device) -> Vec<Keyed> {
    let mut all: Vec<Keyed> = keyed("", device.numbers()).collect();
    let own = device.link.iter().flat_map(|link| link.numbers());
    all.extend(keyed("link.", own));
    all
}

impl Scenario {
    /// All numbers that can carry a range, those of the scenario first, then device by device.
    ///
    /// # Complexity
    /// O(devices).
    #[must_use]
    pub fn inputs(&self) -> Vec<SpanInput> {
        let of = |place: Place,
                  label: String,
                  (field, value): (&'static Field, f64),
                  spans: &Ranges,
                  off: bool| {
            SpanInput {
                label,
                field: field.key,
                unit: field.unit,
                is_integer: field.is_integer,
                value,
                span: spans.get(&place.key).copied(),
                off,
                place,
            }
        };
        let mut all = Vec::new();
        for (key, field, value) in own_numbers(self) {
            let place = Place::shared(&key);
            let noun = field.noun;
            let label = match key.split_once('.') {
                Some(("channel", _)) => format!("Wi-Fi {noun}"),
                Some(("model", _)) => format!("model {noun}"),
                _ => noun.to_owned(),
            };
            all.push(of(place, label, (field, value), &self.ranges, false));
        }
        for (at, device) in self.devices.iter().enumerate() {
            let name = name_of(device, at);
            for (key, field, value) in numbers_of(device) {
                let place = Place::of_device(at, &key);
                let noun = field.noun;
                let own = if key.starts_with("link.") { "own " } else { "" };
                let label = format!("{name} {own}{noun}");
                all.push(of(place, label, (field, value), &device.ranges, device.off));
            }
        }
        all
    }

    /// The numbers that carry a range and matter: those of devices that are switched off are left out.
    #[must_use]
    pub fn spanned(&self) -> Vec<SpanInput> {
        let mut all = self.inputs();
        all.retain(|input| input.span.is_some() && !input.off);
        all
    }

    /// Returns true if any number has a range, on a device that is switched off as well.
    #[must_use]
    pub fn has_spans(&self) -> bool {
        !self.ranges.is_empty() || self.devices.iter().any(|d| !d.ranges.is_empty())
    }

    /// The number at a place.
    #[must_use]
    pub fn number_at(&self, place: &Place) -> Option<f64> {
        let all = match place.device {
            Some(at) => numbers_of(self.devices.get(at)?),
            None => own_numbers(self),
        };
        let found = all.into_iter().find(|(key, ..)| *key == place.key);
        found.map(|(.., value)| value)
    }

    /// Sets the number at a place; whether there is one.
    pub fn set_number(&mut self, place: &Place, value: f64) -> bool {
        let (object, key) = place.key.rsplit_once('.').unwrap_or(("", &place.key));
        let device = match place.device.map(|at| self.devices.get_mut(at)) {
            Some(None) => return false,
            Some(device) => device,
            None => None,
        };
        match (device, object) {
            (Some(device), "") => device.set_number(key, value),
            (Some(device), "link") => {
                let link = device.link.as_mut();
                link.is_some_and(|link| link.set_number(key, value))
            }
            (None, "") => NumberFields::set_number(self, key, value),
            (None, "channel") => self.channel.set_number(key, value),
            (None, "model") if key != "layers" => {
                let dims = self.model.dimensions_mut();
                dims.is_some_and(|dims| dims.set_number(key, value))
            }
            (None, "decode") => {
                let decode = self.decode.as_mut();
                decode.is_some_and(|decode| decode.set_number(key, value))
            }
            _ => false,
        }
    }

    /// The range at a place.
    #[must_use]
    pub fn span_at(&self, place: &Place) -> Option<Span> {
        let spans = match place.device {
            Some(at) => &self.devices.get(at)?.ranges,
            None => &self.ranges,
        };
        spans.get(&place.key).copied()
    }

    /// Puts a range on the number at a place, or takes it away.
    pub fn set_span(&mut self, place: &Place, span: Option<Span>) {
        let spans = match place.device {
            Some(at) => match self.devices.get_mut(at) {
                Some(device) => &mut device.ranges,
                None => return,
            },
            None => &mut self.ranges,
        };
        match span {
            Some(span) => drop(spans.insert(place.key.clone(), span)),
            None => drop(spans.remove(&place.key)),
        }
    }

    /// Returns the scenario without ranges.
    #[must_use]
    pub fn without_spans(&self) -> Self {
        let mut plain = self.clone();
        plain.ranges.clear();
        for device in &mut plain.devices {
            device.ranges.clear();
        }
        plain
    }

    /// Checks every range: it is about a number that there is, its ends are in order and in the range of the field, and
    /// the number itself is between them.
    ///
    /// # Errors
    /// The first that is not so, by its path.
    pub(super) fn validate_spans(&self) -> Result<(), Invalid> {
        check_all(None, &self.ranges, || own_numbers(self))?;
        for (at, device) in self.devices.iter().enumerate() {
            check_all(Some(at), &device.ranges, || numbers_of(device))?;
        }
        Ok(())
    }

    /// Has ranges follow their numbers after an edit, and says in sentences which did: a number that has left its range
    /// takes it along, as wide for its size; a range whose number is gone goes with it. `before` is the scenario before this
    /// edit, `origin` that before the first of the edits that are one step, so that a number that was dragged out and back
    /// finds its range as it was. Where only a range has changed nothing follows.
    pub fn update_spans(&mut self, before: &Self, origin: &Self) -> Vec<String> {
        if !self.has_spans() {
            return Vec::new();
        }
        let mut said = Vec::new();
        let own: Vec<String> = self.ranges.keys().cloned().collect();
        let mut places: Vec<Place> = own.iter().map(|key| Place::shared(key)).collect();
        for (at, device) in self.devices.iter().enumerate() {
            places.extend(device.ranges.keys().map(|key| Place::of_device(at, key)));
        }
        // Rows that were moved, removed or added since have other neighbours.
        let names =
            |s: &Self| -> Vec<String> { s.devices.iter().map(|d| d.name.clone()).collect() };
        let is_same_fleet = names(self) == names(before);
        for place in places {
            let Some(now) = self.span_at(&place) else {
                continue;
            };
            let Some(value) = self.number_at(&place) else {
                self.set_span(&place, None);
                said.push(format!(
                    "{} was removed together with its range.",
                    place.key
                ));
                continue;
            };
            let is_known = is_same_fleet || place.device.is_none();
            if is_known && before.number_at(&place) == Some(value) {
                continue;
            }
            // Computed from where the step began.
            let began = origin.span_at(&place).filter(|_| is_known).unwrap_or(now);
            let next = if began.contains(value) {
                began
            } else {
                began.recentred(place.field(), value)
            };
            if next != now {
                self.set_span(&place, Some(next));
            }
            if next != began {
                let inputs = self.inputs();
                let input = inputs.iter().find(|input| input.place == place);
                let name = input.map_or(place.key.as_str(), |input| &input.label);
                let unit = input.map_or("", |input| input.unit);
                said.push(format!(
                    "The range of {name} moved along: {}.",
                    next.text(unit)
                ));
            }
        }
        said
    }
}

fn check_all(
    device: Option<usize>,
    spans: &Ranges,
    numbers: impl Fn() -> Vec<Keyed>,
) -> Result<(), Invalid> {
    if spans.is_empty() {
        return Ok(());
    }
    let numbers = numbers();
    for (key, span) in spans {
        let place = Place {
            device,
            key: key.clone(),
        };
        check(&place, span, &numbers)?;
    }
    Ok(())
}

/// Checks one range against the numbers beside it.
fn check(place: &Place, span: &Span, numbers: &[Keyed]) -> Result<(), Invalid> {
    let path = || -> String {
        let path = place.path();
        path.chars().filter(|c| !c.is_control()).take(80).collect()
    };
    let shown = serde_json::json!([span.low, span.high]);
    let fault = |message: String| Err(Invalid::new(Code::Range, path(), shown.clone(), message));
    let own = numbers.iter().find(|(key, ..)| *key == place.key);
    let Some((_, range, value)) = own else {
        let names: Vec<&str> = numbers.iter().map(|(key, ..)| key.as_str()).collect();
        return fault(format!(
            "{} is not a number of this scenario; these can have a range: {}",
            path(),
            names.join(", ")
        ));
    };
    let allowed = range.range_text();
    if !range.allows(span.low) || !range.allows(span.high) || span.low > span.high {
        return fault(format!(
            "{} must be [low, high], low at most high, each {allowed}; it is {shown}",
            path()
        ));
    }
    if !span.contains(*value) {
        return fault(format!(
            "{} must contain the number itself, {value}; it is {shown}",
            path()
        ));
    }
    Ok(())
}

/// A scenario to be drawn from.
#[derive(Debug, Clone)]
pub struct SpanDraws {
    plain: Scenario,
    inputs: Vec<(Place, Span, bool)>,
}

impl SpanDraws {
    /// Of a scenario and the numbers of it that carry a range.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        let spanned = scenario.spanned().into_iter();
        let mut plain = scenario.without_spans();
        for (drawn, device) in plain.devices.iter_mut().zip(&scenario.devices) {
            // That it is usable memory is said by its range.
            if device.has_usable_memory() {
                let range = device.ranges.get_key_value("m_gb");
                drawn
                    .ranges
                    .extend(range.map(|(key, span)| (key.clone(), *span)));
            }
        }
        Self {
            plain,
            inputs: spanned
                .filter_map(|input| Some((input.place, input.span?, input.is_integer)))
                .collect(),
        }
    }

    /// How many numbers vary.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Returns true if no number varies.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// The numbers at a draw, one for each that varies; `unit` has a share from 0 to 1 for each.
    #[must_use]
    pub fn numbers(&self, unit: &[f64]) -> Vec<f64> {
        let pairs = self.inputs.iter().zip(unit);
        pairs
            .map(|((_, span, whole), u)| span.at(*u, *whole))
            .collect()
    }

    /// The scenario with these numbers.
    #[must_use]
    pub fn scenario(&self, numbers: &[f64]) -> Scenario {
        let mut drawn = self.plain.clone();
        for ((place, ..), number) in self.inputs.iter().zip(numbers) {
            drawn.set_number(place, *number);
        }
        drawn
    }

    /// The numbers at a corner of the box: bit n of `corner` says whether number n is at its high end.
    #[must_use]
    pub fn corner(&self, corner: usize) -> Vec<f64> {
        let end = |(at, (_, span, _)): (usize, &(Place, Span, bool))| {
            if corner >> at & 1 == 1 {
                span.high
            } else {
                span.low
            }
        };
        self.inputs.iter().enumerate().map(end).collect()
    }
}
