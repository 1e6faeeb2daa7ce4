//! The command line, run as a program: what comes in, what goes out, with which exit status.

pub(crate) mod decode;
pub(crate) mod dispatch;
mod documents;
mod faults;
mod fleet;
mod gains;
pub(crate) mod heads;
pub(crate) mod heads_run;
mod import;
pub(crate) mod migration;
pub(crate) mod operator_partition;
mod operator_partition_faults;
mod operator_partition_limits;
pub(crate) mod operators;
mod plan;
mod published;
mod scenarios;
mod solve;
mod spread;
mod stream;
pub(crate) mod tiers_partition;
pub(crate) mod tiers_sim;

use crate::openapi::assert_run_as_described;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// The one JSON document on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "one document a line: {self:?}");
        serde_json::from_str(&self.out).expect("standard output is JSON")
    }

    /// The answer of a run that went well: nothing on standard error.
    #[track_caller]
    fn answer(&self) -> Value {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{self:?}");
        self.json()
    }

    /// Refused: with this code at this place, and the same words for people and for programs.
    #[track_caller]
    fn refused(&self, code: &str, path: &str) -> &str {
        assert_eq!(self.code, 2, "{self:?}");
        let fault = &self.json()["error"];
        assert_eq!(
            (&fault["code"], &fault["path"]),
            (&json!(code), &json!(path)),
            "{fault}"
        );
        assert_eq!(fault["message"], self.complaint());
        self.complaint()
    }

    /// The one line for people on standard error.
    #[track_caller]
    pub(crate) fn complaint(&self) -> &str {
        assert_eq!(self.err.lines().count(), 1, "one line: {self:?}");
        let line = self.err.trim_end().strip_prefix("edgewise: ");
        line.unwrap_or_else(|| panic!("it says who speaks: {self:?}"))
    }
}

/// Runs the program with arguments and standard input; what it answers is held against the description of the service.
#[track_caller]
pub(crate) fn edgewise(arguments: &[&str], input: impl AsRef<[u8]>) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_edgewise"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let input = input.as_ref().to_vec();
    let written = input.clone();
    // From a thread: a program that answers line by line may fill its output before it has read all input.
    let writer = std::thread::spawn(move || {
        // A program that refuses its options does not read, and that is fine.
        let _ = stdin.write_all(&written);
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("writing does not panic");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let ran = Ran {
        code: output.status.code().expect("it ends by itself"),
        out: text(output.stdout),
        err: text(output.stderr),
    };
    assert_run_as_described(arguments, &input, &ran);
    ran
}

pub(crate) fn solve(document: &str) -> Ran {
    edgewise(&["solve", "cold-start"], document)
}

fn evaluate(document: &str) -> Ran {
    edgewise(&["evaluate", "cold-start"], document)
}

/// Writes a file with this text to a folder of the running test, as tests run side by side, and returns its path.
pub(crate) fn file(name: &str, text: impl AsRef<[u8]>) -> String {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("unnamed").replace("::", "-");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("a folder for files of tests");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file can be written");
    path.to_str().expect("paths are text here").to_owned()
}

/// Two layers, two devices, worked out by hand: the best plan is device 0, then device 1, T = 2.35 s.
/// Device 0 loads layer 1 for 1 s and computes for 1 s; device 1 has loaded for 2 s by then, receives 1 MB over
/// the slower hop, 80 Mbit/s, for 0.1 s and computes for 0.25 s.
pub(crate) const SMALL: &str = r#"{"layers":[{"W":1e12,"A":1e6,"P":1e9},{"W":1e12,"A":1e6,"P":2e9}],"devices":[{"name":"slow","c":1e12,"r":1e9,"bu":80e6,"bd":160e6,"m":4e9},{"name":"fast","c":4e12,"r":1e9,"bu":80e6,"bd":160e6,"m":4e9}]}"#;

/// The same with something put in place of something.
#[track_caller]
pub(crate) fn small_with(old: &str, new: &str) -> String {
    assert!(SMALL.contains(old), "{old}");
    SMALL.replacen(old, new, 1)
}

/// The small problem with one more field.
pub(crate) fn small_and(field: &str) -> String {
    small_with("{\"layers\"", &format!("{{{field},\"layers\""))
}

/// The paper's scenario as a problem file, with its prompt length given as `length`.
fn paper(length: &str) -> String {
    let devices = [
        "165,0.4,5.1e-4,5000,20,20,1",
        "70,0.7,8.7e-4,4000,10,18,3",
        "30,0.8,1.1e-3,3000,8,15,5",
        "20,0.8,1.8e-3,2000,8,15,7",
    ];
    let keys = ["c_peak_tflops", "a", "b", "r_mb_s", "m_gb", "pu_dbm", "d_m"];
    let device = |numbers: &&str| {
        let fields: Vec<String> = keys
            .iter()
            .zip(numbers.split(','))
            .map(|(key, number)| format!("\"{key}\":{number}"))
            .collect();
        format!("{{{},\"pd_dbm\":25}}", fields.join(","))
    };
    let devices: Vec<String> = devices.iter().map(device).collect();
    format!(
        r#"{{"model":{{"layers":40,"d_model":5120,"h_q":40,"h_k":8,"d_head":128,"d_ff":17408}},{length},"link":{{"mu":0.5,"B_mhz":160,"N0_dbm_hz":-174,"d0_m":1,"zeta":3,"beta0_db":-47.2}},"devices":[{}]}}"#,
        devices.join(",")
    )
}

#[test]
fn the_documents_of_these_tests_are_what_they_say() {
    for text in [SMALL.to_owned(), small_and("\"id\":1"), paper("\"t\":256")] {
        let document: Value = serde_json::from_str(&text).expect("JSON");
        assert!(document["devices"].as_array().is_some_and(|d| d.len() > 1));
    }
}
