//! Free memory and compute of devices, interval by interval: their own minus drawn background load, or a recorded table.
//!
//! A table has the columns `token,device,compute_gops,memory_gb`, separated by commas, semicolons or tabs, with those
//! names above. A row says what is free on a device from that token on, until the next row of the device; before its
//! first row a device has all that it owns. Rows come in the order of tokens; a table that jumps back, or says two
//! things of one device at one token, is refused by row and column. A device is called by its number, from 0, or by its
//! name; a whole number is never a name. Lines that begin with # are comments.
//!
//! Complexity: reading O(length), an interval O(devices) and what changes in it.

use super::{Background, Loads, SplitMix};
use crate::problem::{Code, Invalid};

/// The most rows of a table.
pub const MOST_FREE_ROWS: usize = 200_000;

/// The last token of which a table may speak.
pub const LAST_TOKEN: u32 = 10_000_000;

const COLUMNS: [&str; 4] = ["token", "device", "compute_gops", "memory_gb"];

/// A row of a table, in its own units, so that it is written as it was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeRow {
    /// From which token on, from 1.
    pub token: u32,
    /// Which device, from 0.
    pub device: usize,
    /// Free compute [10^9 operations/s].
    pub compute_gops: f64,
    /// Free memory [10^9 B].
    pub memory_gb: f64,
}

/// Reads a table. `devices` are the names of the devices, "" for one that has none; of two with one name, the first.
///
/// # Errors
/// [`Invalid`] at `rows[i].token` and the like, `i` from 0 without the row of names; the message says the line.
pub fn read_free(text: &str, devices: &[impl AsRef<str>]) -> Result<Vec<FreeRow>, Invalid> {
    let text = text.trim_start_matches('\u{feff}');
    let trimmed = text.lines().map(str::trim);
    let first = trimmed
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .find_map(|line| line.chars().find(|c| [',', ';', '\t'].contains(c)));
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .delimiter(first.map_or(b',', |c| c as u8))
        .from_reader(text.as_bytes());
    let mut rows: Vec<FreeRow> = Vec::new();
    let mut last = vec![0; devices.len()]; // the token of each device's last row
    let mut named = false;
    for record in reader.records() {
        let record = record.map_err(|fault| {
            let message = format!("the table cannot be read: {fault}");
            Invalid::new(Code::Syntax, "", serde_json::Value::Null, message)
        })?;
        let line = record.position().map_or(0, csv::Position::line);
        let cells: Vec<&str> = record.iter().collect();
        if !std::mem::replace(&mut named, true) {
            names(&cells, line)?;
            continue;
        }
        if rows.len() == MOST_FREE_ROWS {
            let message =
                format!("the table has more than {MOST_FREE_ROWS} rows, the most allowed");
            return Err(Invalid::new(Code::Range, "rows", rows.len() + 1, message));
        }
        let at = Place {
            row: rows.len(),
            line,
        };
        let row = at.read(&cells, devices)?;
        if let Some(before) = rows.last().filter(|before| row.token < before.token) {
            let allowed = format!("at least {}, as in the row before", before.token);
            return Err(at.fault("token", cells[0], &allowed));
        }
        if std::mem::replace(&mut last[row.device], row.token) == row.token {
            let allowed = "a device not yet named for this token";
            return Err(at.fault("device", cells[1], allowed));
        }
        rows.push(row);
    }
    if rows.is_empty() {
        let message = format!(
            "the table must have names, {}, and a row",
            COLUMNS.join(",")
        );
        return Err(Invalid::new(Code::Range, "rows", 0, message));
    }
    Ok(rows)
}

fn names(cells: &[&str], line: u64) -> Result<(), Invalid> {
    let alike = cells.len() == COLUMNS.len()
        && cells
            .iter()
            .zip(COLUMNS)
            .all(|(cell, name)| cell.eq_ignore_ascii_case(name));
    if alike {
        return Ok(());
    }
    let message = format!("line {line} must name the columns {}", COLUMNS.join(","));
    let shown: String = cells.join(",").chars().take(60).collect();
    Err(Invalid::new(Code::Syntax, "", shown, message))
}

/// Where a row stands.
struct Place {
    row: usize,
    line: u64,
}

impl Place {
    fn fault(&self, column: &str, cell: &str, allowed: &str) -> Invalid {
        let path = format!("rows[{}].{column}", self.row);
        let shown: String = cell.chars().take(40).collect();
        let line = self.line;
        let message = format!("{path} (line {line}) must be {allowed}, it is {shown:?}");
        Invalid::new(Code::Range, path, shown, message)
    }

    fn read(&self, cells: &[&str], devices: &[impl AsRef<str>]) -> Result<FreeRow, Invalid> {
        let [token, device, compute, memory] = *cells else {
            let path = format!("rows[{}]", self.row);
            let message = format!(
                "{path} (line {}) must have 4 cells: {}; it has {}",
                self.line,
                COLUMNS.join(","),
                cells.len()
            );
            return Err(Invalid::new(Code::Range, path, cells.len(), message));
        };
        let amount = |column: &str, cell: &str| {
            let value: Option<f64> = cell.parse().ok();
            value
                .filter(|value| value.is_finite() && *value >= 0.0)
                .ok_or_else(|| self.fault(column, cell, "a number, 0 or above"))
        };
        let token_number: Option<u32> = token.parse().ok();
        let token_number = token_number
            .filter(|token| (1..=LAST_TOKEN).contains(token))
            .ok_or_else(|| {
                let allowed = format!("a whole number from 1 to {LAST_TOKEN}");
                self.fault("token", token, &allowed)
            })?;
        let found = match device.parse::<usize>() {
            Ok(number) => Some(number).filter(|at| *at < devices.len()),
            Err(_) => devices.iter().position(|name| name.as_ref() == device),
        };
        let device = found.filter(|_| !device.is_empty()).ok_or_else(|| {
            let last = devices.len().saturating_sub(1);
            let allowed = format!("the name of a device, or its number from 0 to {last}");
            self.fault("device", device, &allowed)
        })?;
        Ok(FreeRow {
            token: token_number,
            device,
            compute_gops: amount("compute_gops", compute)?,
            memory_gb: amount("memory_gb", memory)?,
        })
    }
}

/// The table of these rows, as [`read_free`] reads it; devices without a name are written by number.
#[must_use]
pub fn write_free(rows: &[FreeRow], devices: &[impl AsRef<str>]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut put = |cells: [&str; 4]| {
        writer
            .write_record(cells)
            .expect("memory takes rows of four cells");
    };
    put(COLUMNS);
    for row in rows {
        let number = row.device.to_string();
        let name = devices.get(row.device).map(AsRef::as_ref);
        // Only a name that is read as this device and no other: not a number, not empty, not an earlier one's.
        let own = |name: &&str| {
            let first = devices.iter().position(|other| other.as_ref() == *name);
            let kept = !name.is_empty() && name.trim() == *name;
            kept && name.parse::<usize>().is_err() && first == Some(row.device)
        };
        put([
            &row.token.to_string(),
            name.filter(own).unwrap_or(&number),
            &row.compute_gops.to_string(),
            &row.memory_gb.to_string(),
        ]);
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// Free memory and compute of every device in an interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Free {
    /// Memory of each device [B].
    pub memory: Vec<f64>,
    /// Compute of each device [operations/s].
    pub compute: Vec<f64>,
}

/// Where the free resources of an interval come from. A copy gives the same intervals again.
#[derive(Debug, Clone, PartialEq)]
pub struct Supply {
    owned: Free,
    now: Free,
    source: Source,
}

#[derive(Debug, Clone, PartialEq)]
enum Source {
    Drawn(Box<Loads>),
    /// Rows in order of tokens, and how many are in force.
    Recorded(Vec<FreeRow>, usize),
}

impl Supply {
    /// Devices under background that is drawn from a stream.
    ///
    /// # Errors
    /// [`Invalid`] as [`Background::check`].
    pub fn drawn(owned: Free, background: Background, chance: SplitMix) -> Result<Self, Invalid> {
        let loads = Loads::new(background, owned.compute.len(), chance)?;
        Ok(Self {
            now: owned.clone(),
            owned,
            source: Source::Drawn(Box::new(loads)),
        })
    }

    /// Devices whose free resources are those of a table; what the table does not say is free as owned.
    ///
    /// # Errors
    /// [`Invalid`] at `rows[i].device` for a device that is none, and at `rows[i].token` for one that jumps back.
    pub fn recorded(owned: Free, rows: Vec<FreeRow>) -> Result<Self, Invalid> {
        let devices = owned.compute.len();
        for (at, row) in rows.iter().enumerate() {
            if row.device >= devices {
                let path = format!("rows[{at}].device");
                let allowed = format!("below the number of devices, {devices}");
                return Err(Invalid::range(path, row.device, &allowed));
            }
            if at > 0 && row.token < rows[at - 1].token {
                let path = format!("rows[{at}].token");
                let allowed = format!("at least {}, as in the row before", rows[at - 1].token);
                return Err(Invalid::range(path, row.token, &allowed));
            }
        }
        Ok(Self {
            now: owned.clone(),
            owned,
            source: Source::Recorded(rows, 0),
        })
    }

    /// Returns the resources of the next interval, whose first token is `token`, from 1. Rows of a table for later tokens of the
    /// interval apply from the next interval on: resources do not change within one.
    pub fn next(&mut self, token: u32) -> &Free {
        let Self { owned, now, source } = self;
        match source {
            Source::Drawn(loads) => loads.next(|device, taken| {
                now.compute[device] = owned.compute[device] * (1.0 - taken.compute);
                now.memory[device] = owned.memory[device] * (1.0 - taken.memory);
            }),
            Source::Recorded(rows, used) => {
                for row in &rows[*used..] {
                    if row.token > token {
                        break;
                    }
                    now.compute[row.device] = row.compute_gops * 1e9;
                    now.memory[row.device] = row.memory_gb * 1e9;
                    *used += 1;
                }
            }
        }
        now
    }

    /// Returns the resources of the devices without other load.
    #[must_use]
    pub fn owned(&self) -> &Free {
        &self.owned
    }

    /// The table of the first intervals, one row per device and interval where something changed: what a person keeps of
    /// drawn background. `each` is the tokens of an interval. O(intervals · devices).
    #[must_use]
    pub fn record(&self, tokens: u32, each: u32) -> Vec<FreeRow> {
        let mut supply = self.clone();
        let mut before: Option<Free> = None;
        let mut rows = Vec::new();
        let mut token = 1;
        while token <= tokens {
            let now = supply.next(token);
            for device in 0..now.compute.len() {
                let same = before.as_ref().is_some_and(|before| {
                    before.compute[device] == now.compute[device]
                        && before.memory[device] == now.memory[device]
                });
                if !same {
                    rows.push(FreeRow {
                        token,
                        device,
                        compute_gops: now.compute[device] / 1e9,
                        memory_gb: now.memory[device] / 1e9,
                    });
                }
            }
            before = Some(now.clone());
            token = token.saturating_add(each.max(1));
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["laptop", "phone, old", ""];

    fn row(token: u32, device: usize, compute_gops: f64, memory_gb: f64) -> FreeRow {
        FreeRow {
            token,
            device,
            compute_gops,
            memory_gb,
        }
    }

    #[test]
    fn a_table_is_read_and_written_back() {
        let text = "token,device,compute_gops,memory_gb\n\
                    1,laptop,12.5,0.1\n\
                    1,\"phone, old\",0,3\n\
                    40,2,1e-7,0.30000000000000004\n\
                    41,laptop,7,2\n";
        let rows = vec![
            row(1, 0, 12.5, 0.1),
            row(1, 1, 0.0, 3.0),
            row(40, 2, 1e-7, 0.300_000_000_000_000_04),
            row(41, 0, 7.0, 2.0),
        ];
        assert_eq!(read_free(text, &NAMES), Ok(rows.clone()));
        let written = write_free(&rows, &NAMES);
        assert!(written.contains("\"phone, old\"") && written.contains("\n40,2,"));
        assert_eq!(read_free(&written, &NAMES), Ok(rows.clone()));
        assert_eq!(
            write_free(&rows, &NAMES),
            write_free(&read_free(&written, &NAMES).expect("it was"), &NAMES)
        );
        let other =
            "\u{feff}# a record\nToken;Device;COMPUTE_GOPS;memory_gb\r\n\r\n 3 ; 1 ; 5 ; 6\r\n";
        assert_eq!(read_free(other, &NAMES), Ok(vec![row(3, 1, 5.0, 6.0)]));
    }

    #[test]
    fn names_that_lead_elsewhere_are_written_as_numbers() {
        let names = ["1", "0", "same", "same", " spaced"];
        let rows: Vec<FreeRow> = (0..5).map(|at| row(1, at, 1.0, 1.0)).collect();
        let written = write_free(&rows, &names);
        assert_eq!(read_free(&written, &names), Ok(rows));
        assert!(written.contains("\n1,same,1,1\n1,3,1,1\n"), "{written}");
    }

    #[test]
    fn faults_are_named_by_row_column_and_line() {
        const HEAD: &str = "token,device,compute_gops,memory_gb\n";
        for (text, path, word) in [
            ("", "rows", "a row"),
            (HEAD, "rows", "a row"),
            ("1,0,5,6\n", "", "line 1"),
            (
                "token,device,memory_gb,compute_gops\n1,0,5,6",
                "",
                "compute_gops,memory_gb",
            ),
        ] {
            let fault = read_free(text, &NAMES).expect_err(text);
            assert_eq!(fault.path, path, "{text}: {fault}");
            assert!(fault.message.contains(word), "{text}: {fault}");
        }
        for (rows, path, word) in [
            ("0,0,5,6", "rows[0].token", "from 1"),
            ("1.5,0,5,6", "rows[0].token", "whole"),
            ("10000001,0,5,6", "rows[0].token", "to 10000000"),
            ("1,tablet,5,6", "rows[0].device", "tablet"),
            ("1,3,5,6", "rows[0].device", "0 to 2"),
            ("1,,5,6", "rows[0].device", "line 2"),
            ("1,0,-5,6", "rows[0].compute_gops", "0 or above"),
            ("1,0,5,NaN", "rows[0].memory_gb", "0 or above"),
            ("1,0,5,6\n2,0,5,inf", "rows[1].memory_gb", "line 3"),
            ("2,0,5,6\n1,0,5,6", "rows[1].token", "at least 2"),
            ("2,0,5,6\n2,1,5,6\n2,laptop,5,6", "rows[2].device", "line 4"),
            ("1,0,5", "rows[0]", "4 cells"),
            ("1,0,5,6,7", "rows[0]", "it has 5"),
        ] {
            let fault = read_free(&format!("{HEAD}{rows}\n"), &NAMES).expect_err(rows);
            assert_eq!(fault.path, path, "{rows}: {fault}");
            assert!(fault.message.contains(word), "{rows}: {fault}");
        }
        let long = format!(
            "{HEAD}{}",
            (1..=MOST_FREE_ROWS + 1)
                .map(|t| format!("{t},0,1,1\n"))
                .collect::<String>()
        );
        assert_eq!(read_free(&long, &NAMES).expect_err("too long").path, "rows");
    }

    fn owned() -> Free {
        Free {
            memory: vec![8e9, 4e9],
            compute: vec![1e10, 2e10],
        }
    }

    #[test]
    fn rows_are_in_force_from_their_token_on() {
        let rows = vec![
            row(2, 1, 5.0, 1.0),
            row(3, 0, 1.0, 1.0),
            row(4, 1, 0.0, 0.5),
        ];
        let mut each = Supply::recorded(owned(), rows.clone()).expect("two devices");
        let compute: Vec<Vec<f64>> = (1..=5)
            .map(|token| each.next(token).compute.clone())
            .collect();
        assert_eq!(compute[0], [1e10, 2e10]);
        assert_eq!(compute[1], [1e10, 5e9]);
        assert_eq!(compute[2], [1e9, 5e9]);
        assert_eq!(compute[3], [1e9, 0.0]);
        assert_eq!(each.next(6).memory, [1e9, 5e8]);
        // In intervals of three tokens, the rows for 2 and 3 wait until 4.
        let mut threes = Supply::recorded(owned(), rows).expect("two devices");
        assert_eq!(threes.next(1), &owned());
        assert_eq!(threes.next(4).compute, [1e9, 0.0]);

        let fault = |rows| Supply::recorded(owned(), rows).expect_err("bad").path;
        assert_eq!(fault(vec![row(1, 2, 1.0, 1.0)]), "rows[0].device");
        assert_eq!(
            fault(vec![row(2, 0, 1.0, 1.0), row(1, 1, 1.0, 1.0)]),
            "rows[1].token"
        );
    }

    #[test]
    fn drawn_background_repeats_and_can_be_kept_as_a_table() {
        let fresh =
            || Supply::drawn(owned(), Background::default(), SplitMix::new(4)).expect("it is");
        let (mut one, mut two) = (fresh(), fresh());
        let table = one.record(6, 2);
        assert_eq!(table.len(), 3 * 2);
        let mut kept = Supply::recorded(owned(), table).expect("two devices");
        for token in [1, 3, 5] {
            let (one, kept) = (one.next(token).clone(), kept.next(token));
            assert_eq!(&one, two.next(token));
            let near =
                |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-15 * a);
            assert!(near(&one.compute, &kept.compute) && near(&one.memory, &kept.memory));
            assert!(one.memory[0] >= 0.7 * 8e9 && one.memory[0] < 8e9);
        }
        let quiet = Supply::drawn(owned(), Background::Quiet, SplitMix::new(4)).expect("it is");
        assert_eq!(quiet.record(1000, 1).len(), 2, "nothing changes");
        assert_eq!(quiet.owned(), &owned());
    }
}
