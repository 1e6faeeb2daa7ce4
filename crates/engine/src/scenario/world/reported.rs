//! Output of tools that measure machines and networks: llama-bench (its table, or `-o json`), iperf3 (`-J`), fio (`--output-format=json`).

use super::fact::{find_fact, put};
use super::{FactOrigin, Given, MeasuredRun, World, WorldMachine, of_llama_bench};
use crate::hardware::machines;
use crate::problem::{Code, Invalid, json};
use serde::Deserialize;
use serde_json::Value;

/// A measurement of a tool.
#[derive(Debug, Clone, PartialEq)]
pub enum Reported {
    /// Runs of llama-bench, and the accelerator or processor that it names.
    Runs {
        /// The name; empty where the tool has none.
        machine: String,
        /// Rates of prompts and of generation.
        runs: Vec<MeasuredRun>,
    },
    /// The rate of a link [Mbit/s].
    Link(f64),
    /// The rate at which a disk is read [MB/s].
    Disk(f64),
}

#[derive(Deserialize)]
struct BenchTest {
    #[serde(default)]
    gpu_info: String,
    #[serde(default)]
    cpu_info: String,
}

impl Reported {
    /// Reads what a tool printed; `None` for a text that is of none of these.
    ///
    /// # Errors
    /// It is of one of these and cannot be read: a model that is not known, a test that was broken off.
    ///
    /// # Complexity
    /// O(length).
    #[must_use]
    pub fn read(text: &str) -> Option<Result<Self, Invalid>> {
        let text = text.trim_start_matches('\u{feff}').trim();
        if let Some(tests) = tests_of_table(text) {
            return Some(tests.and_then(|tests| Self::of_bench(&tests)));
        }
        let value: Value = serde_json::from_str(text).ok()?;
        if value.pointer("/0/avg_ts").is_some() {
            return Some(Self::of_bench(text));
        }
        if value.get("start").is_some() && value.get("end").is_some() {
            return Some(Self::of_iperf(&value));
        }
        value.get("fio version").map(|_| Self::of_fio(&value))
    }

    fn of_bench(text: &str) -> Result<Self, Invalid> {
        let runs = of_llama_bench(text)?;
        let tests: Vec<BenchTest> = json::read(text, &[])?;
        let named = tests.first().map(|test| match test.gpu_info.trim() {
            "" => test.cpu_info.trim().to_owned(),
            gpu => gpu.to_owned(),
        });
        let machine = named.unwrap_or_default();
        Ok(Self::Runs { machine, runs })
    }

    fn of_iperf(value: &Value) -> Result<Self, Invalid> {
        if let Some(fault) = value.get("error").and_then(Value::as_str) {
            let shown: String = fault.chars().filter(|c| !c.is_control()).take(80).collect();
            let message = format!("iperf3 measured nothing: {shown}");
            return Err(Invalid::new(Code::Missing, "end", Value::Null, message));
        }
        let ends = [
            "/end/sum_received/bits_per_second",
            "/end/sum/bits_per_second",
        ];
        let rate = ends.iter().find_map(|end| value.pointer(end)?.as_f64());
        let rate = rate.filter(|rate| *rate > 0.0).ok_or_else(|| {
            let message = "this is what iperf3 -J prints, and it has no rate that was received (end.sum_received.bits_per_second)";
            Invalid::new(Code::Missing, "end", Value::Null, message)
        })?;
        Ok(Self::Link(rate / 1e6))
    }

    fn of_fio(value: &Value) -> Result<Self, Invalid> {
        let jobs = value.get("jobs").and_then(Value::as_array);
        let rate_of = |job: &Value| job.pointer("/read/bw_bytes").and_then(Value::as_f64);
        let rates = jobs.into_iter().flatten().filter_map(rate_of);
        let rate: f64 = rates.sum();
        if rate > 0.0 {
            return Ok(Self::Disk(rate / 1e6));
        }
        let message = "this is what fio prints as JSON, and no job of it reads (jobs[].read.bw_bytes): run it with --rw=read";
        Err(Invalid::new(Code::Missing, "jobs", Value::Null, message))
    }
}

/// The tests of a table as llama-bench prints it by default, as the JSON that it prints with `-o json`; `None` for another text.
fn tests_of_table(text: &str) -> Option<Result<String, Invalid>> {
    let cells = |line: &str| -> Vec<String> {
        let line = line.trim().trim_start_matches('|').trim_end_matches('|');
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut lines = text.lines().filter(|line| line.contains('|'));
    let head = cells(lines.next()?);
    let at = |name: &str| head.iter().position(|cell| cell == name);
    let (model, test, rate) = (at("model")?, at("test")?, at("t/s")?);
    let rows = lines
        .map(cells)
        .filter(|row| row.get(test).is_some_and(|cell| !cell.contains("--")));
    let read = |row: Vec<String>| {
        let cell = |at: usize| row.get(at).map_or("", String::as_str);
        // "811.20 \u{b1} 3.05"
        let tok_s: Option<f64> = cell(rate)
            .split_whitespace()
            .next()
            .and_then(|n| n.parse().ok());
        let (kind, depth) = cell(test).split_once(" @ d").unwrap_or((cell(test), "0"));
        let count = |prefix: &str| {
            kind.strip_prefix(prefix)
                .and_then(|n| n.parse::<f64>().ok())
        };
        let counts = match (count("pp"), count("tg")) {
            (Some(prompt), None) => Some((prompt, 0.0)),
            (None, Some(answer)) => Some((0.0, answer)),
            _ if kind.starts_with("pp") => Some((1.0, 1.0)), // both at once: passed over
            _ => None,
        };
        let (Some(tok_s), Some((n_prompt, n_gen)), Ok(n_depth)) =
            (tok_s, counts, depth.parse::<f64>())
        else {
            let message = format!(
                "this is a table of llama-bench, and a row of it has the test \u{201c}{}\u{201d} at \u{201c}{}\u{201d} t/s: pp512 or tg128 and a rate are \
                 read",
                cell(test),
                cell(rate)
            );
            return Err(Invalid::new(Code::Syntax, "t/s", Value::Null, message));
        };
        Ok(serde_json::json!({
            "model_type": cell(model), "n_prompt": n_prompt, "n_gen": n_gen, "n_depth": n_depth, "avg_ts": tok_s
        }))
    };
    let tests: Result<Vec<Value>, Invalid> = rows.map(read).collect();
    Some(tests.map(|tests| Value::Array(tests).to_string()))
}

impl World {
    /// Puts what a tool measured in the place of what was known, and says what that was. `name` is the machine that is meant; without it
    /// the one that the tool names, or the only one.
    ///
    /// # Errors
    /// Which machine is meant is not clear, or it cannot reach the rate.
    pub fn put_reported(
        &mut self,
        reported: &Reported,
        name: Option<&str>,
    ) -> Result<Vec<String>, Invalid> {
        match reported {
            Reported::Link(mbit_s) => {
                let origin = FactOrigin::Measured("iperf3".into());
                let before = find_fact(&self.network, "rate_mbit_s").map(|fact| fact.value);
                put(
                    &mut self.network,
                    "rate_mbit_s",
                    Given::new(*mbit_s, None),
                    origin,
                );
                let before =
                    before.map_or_else(String::new, |n| format!(", in place of {n} Mbit/s"));
                Ok(vec![format!(
                    "Link: {mbit_s} Mbit/s measured by iperf3{before}."
                )])
            }
            Reported::Disk(mb_s) => {
                let at = self.meant(name, "")?;
                let machine = &mut self.machines[at];
                let before = find_fact(&machine.facts, "r_mb_s").map(|fact| fact.value);
                let origin = FactOrigin::Measured("fio".into());
                put(
                    &mut machine.facts,
                    "r_mb_s",
                    Given::new(*mb_s, None),
                    origin,
                );
                let before = before.map_or_else(String::new, |n| format!(", in place of {n} MB/s"));
                Ok(vec![format!(
                    "{}: disk {mb_s} MB/s measured by fio{before}.",
                    machine.name
                )])
            }
            Reported::Runs { machine, runs } => {
                let at = self.meant(name, machine)?;
                let (id, name) = (self.machines[at].id, self.machines[at].name.clone());
                for run in runs {
                    self.measure(id, run)?;
                }
                let sources = runs.iter().map(|run| run.source.as_str());
                let sources: Vec<&str> = sources.collect();
                Ok(vec![format!(
                    "{name}: what its runtime reaches is measured, in place of what its class reaches: {}.",
                    sources.join("; ")
                )])
            }
        }
    }

    /// The machine that is meant: by its name, else the only one that the tool may name, else the only one.
    fn meant(&self, name: Option<&str>, reported: &str) -> Result<usize, Invalid> {
        let is_reported = |machine: &&WorldMachine| {
            let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
            let row = machines::named(reported).map(|row| row.name);
            let own = machines::named(&machine.name).map(|row| row.name);
            same(&machine.name, reported) || row.is_some() && row == own
        };
        let found: Vec<usize> = match name {
            Some(name) => self.places(|machine| machine.name == name),
            None if self.machines.iter().any(|machine| is_reported(&machine)) => {
                self.places(|machine| is_reported(&machine))
            }
            None => self.places(|_| true),
        };
        match found.as_slice() {
            [at] => Ok(*at),
            _ => {
                let names: Vec<&str> = self.machines.iter().map(|m| m.name.as_str()).collect();
                let message = format!(
                    "which machine was measured? The name of one is needed: {}",
                    names.join(", ")
                );
                let found = name.unwrap_or(reported);
                Err(Invalid::new(Code::Missing, "machine", found, message))
            }
        }
    }

    fn places(&self, is: impl Fn(&WorldMachine) -> bool) -> Vec<usize> {
        let all = self.machines.iter().enumerate();
        all.filter(|(_, machine)| is(machine))
            .map(|(at, _)| at)
            .collect()
    }
}
