//! Operator graphs as a view of the scenario of all questions: the graph is the question's own, the devices are shared.

use super::schema::OBJECTS;
use super::{Board, FORMAT, MOST_DEVICES, Scenario, presets};
use crate::problem::Invalid;
use crate::scenario::Question;
use crate::scenario::schema::read as read_json;
use crate::scenario::world::{
    FactResolver, Given, Names, OPERATOR_TERMS, Shared, SharedFacts, as_file,
};

impl Shared for Scenario {
    type Row = Board;
    const QUESTION: Question = Question::Operators;
    const SHARED_PARTS: &'static [(&'static str, &'static str)] =
        &[("split.devices", "[]"), ("split.mbps", "1")];
    const ROW_NAMES: Names = &[];
    const MOST_ROWS: usize = MOST_DEVICES;
    const CAN_SWITCH: bool = false;

    fn opening() -> Self {
        presets::paper()
    }

    fn blank() -> Board {
        Board {
            name: String::new(),
            factor: 1.0,
            limit_mib: None,
            op_us: None,
        }
    }

    fn rows(&self) -> &Vec<Board> {
        &self.split.devices
    }

    fn rows_mut(&mut self) -> &mut Vec<Board> {
        &mut self.split.devices
    }

    fn named(row: &Board) -> (&str, bool) {
        (&row.name, false)
    }

    fn name(row: &mut Board, name: &str, _off: bool) {
        name.clone_into(&mut row.name);
    }

    fn write_facts(&self, sheet: &mut SharedFacts) {
        let rate = Given::new(self.split.mbps, None);
        sheet.network.insert("rate_mbit_s", rate);
    }

    fn read_facts(&mut self, ask: &mut FactResolver<'_>) {
        self.split.mbps = ask.of_network("rate_mbit_s", "mbps");
    }

    fn assumed_terms(&self) -> &'static [&'static str] {
        OPERATOR_TERMS
    }

    fn unchecked(text: &str) -> Result<Self, Invalid> {
        read_json(text, &OBJECTS, FORMAT)
    }

    as_file!();

    fn for_link(&self) -> Option<Self> {
        Some(Self::for_link(self))
    }

    fn check(&self) -> Result<(), Invalid> {
        self.validate_fields()
    }
}
