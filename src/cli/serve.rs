//! `serve`: the other verbs over HTTP. A request is carried out as the command line that it stands for, on a console of
//! its own.

use super::args::{Args, Serve, ServeWorker};
use super::console::{Console, ConsoleListener, FileAccess, SeekableSource};
use super::{Refused, answer, parsed};
use engine::problem::{Code, Invalid};
use serde_json::Value;
use service::child::{self, ProgressSink};
use service::limits::ServiceLimits;
use service::routes::RouteVerb;
use service::task::{Course, SolveTask, TaskAnswer, TaskAttachment};
use service::{ServiceConfig, serve};
use std::ffi::OsString;
use std::io::{self, Cursor};
use std::ops::ControlFlow;
use std::path::Path;

/// Answers over HTTP until it is asked to stop.
pub fn run(con: &Console<'_>, args: &Serve) -> io::Result<u8> {
    let config = match config(args) {
        Ok(config) => config,
        Err(fault) => return con.write_fault(&fault, false),
    };
    serve(config, |address| {
        // A parent process may read the address; none has to.
        let _ = con.print_text(&format!("listening on http://{address}\n"));
    })?;
    Ok(super::ANSWERED)
}

/// Answers the tasks that come over standard input, for [`run`] in another process.
pub fn work(args: &ServeWorker) -> io::Result<u8> {
    child::run(of_task, args.memory_limit)?;
    Ok(super::ANSWERED)
}

fn config(args: &Serve) -> Result<ServiceConfig, Invalid> {
    let fault = |path: &str, value: Value, message: String| {
        Invalid::new(Code::Option, path, value, message)
    };
    let token = args.token_file.as_deref().map(|path| {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|why| {
            let message = format!("{shown} cannot be read: {why}");
            Invalid::new(Code::Io, "token-file", shown.as_str(), message)
        })?;
        let token = text.trim().to_owned();
        if token.len() < SHORTEST_TOKEN {
            let message =
                format!("{shown} must hold a token of {SHORTEST_TOKEN} or more characters");
            return Err(fault("token-file", shown.into(), message));
        }
        Ok(token)
    });
    let token = token.transpose()?;
    if !args.listen.ip().is_loopback() && token.is_none() && !args.open {
        let listen = args.listen.to_string();
        let message = format!(
            "--listen {listen} is open to other machines: give --token-file, or say --open to answer everybody"
        );
        return Err(fault("listen", listen.into(), message));
    }
    let program = std::env::current_exe();
    let build = program
        .as_ref()
        .map_err(|_| ())
        .and_then(|path| std::fs::read(path).map_err(|_| ()));
    let (Ok(program), Ok(build)) = (program, build) else {
        let message = "the program cannot find itself to start its searches".to_owned();
        return Err(Invalid::new(Code::Io, "", Value::Null, message));
    };
    let memory = format!("--memory-limit={}", args.memory_limit);
    let threads = args.threads.map_or_else(
        || std::thread::available_parallelism().map_or(1, |count| count.get() as u64),
        u64::from,
    );
    let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    Ok(ServiceConfig {
        listen: args.listen,
        prefix: args.prefix.clone().unwrap_or_default(),
        limits: ServiceLimits {
            threads: size(threads),
            queue: size(args.queue),
            seconds: args.time_limit,
            memory: args.memory_limit,
            body: size(args.body_limit),
            connections: size(args.connections),
            cache: size(args.cache),
        },
        token,
        origins: args.allow_origin.clone(),
        program: vec![program.into(), "serve-worker".into(), memory.into()],
        answers: of_task,
        flags: super::openapi::flags(),
        version: env!("CARGO_PKG_VERSION"),
        build,
    })
}

/// The fewest characters of a token: 96 bits in base64.
const SHORTEST_TOKEN: usize = 16;

/// The files that came with a request. None is opened anywhere else.
struct Given<'t>(&'t [TaskAttachment]);

impl FileAccess for Given<'_> {
    fn open(&self, path: &Path) -> io::Result<Box<dyn SeekableSource + '_>> {
        let found = self.0.iter().find(|part| Path::new(&part.name) == path);
        let found = found.ok_or_else(|| {
            io::Error::other(
                "the service opens no files; send it as a part of the same request, with this file name",
            )
        })?;
        Ok(Box::new(Cursor::new(&found.bytes[..])))
    }
}

/// The client, seen from a search.
struct Client<'e>(&'e ProgressSink);

impl ConsoleListener for Client<'_> {
    fn goes_on(&self) -> ControlFlow<()> {
        self.0.goes_on()
    }

    fn on_progress(&self, course: &Course) {
        self.0.report(*course);
    }
}

/// Returns the answer of the command line to a task.
pub(super) fn of_task(task: &SolveTask, ear: &ProgressSink) -> TaskAnswer {
    let (mut input, mut out, mut notes) = (Cursor::new(&task.input[..]), Vec::new(), Vec::new());
    let (files, client) = (Given(&task.files), Client(ear));
    let con =
        Console::new(&mut input, &mut out, &mut notes, &files).with_listener(&client, ear.patience);
    let read = arguments(task).and_then(|arguments| args_of(&arguments));
    let is_unread = read.is_err();
    let done = match read {
        Ok(args) => answer(&con, args.verb),
        Err(fault) => con.write_fault(&fault, false),
    };
    let code = done.unwrap_or(super::BAD_INPUT);
    let fault = con
        .fault()
        .and_then(|fault| serde_json::to_string(&fault).ok());
    let is_cut = con.is_cut();
    let notes = String::from_utf8_lossy(&notes);
    let notes = notes
        .lines()
        .map(|line| line.trim_start_matches("edgewise: ").to_owned());
    TaskAnswer {
        code,
        notes: notes.collect(),
        fault,
        is_unread,
        is_cut,
        out,
    }
}

fn args_of(arguments: &[OsString]) -> Result<Args, Invalid> {
    parsed(arguments).map_err(|refused| match refused {
        Refused::Fault(fault, _) => fault,
        Refused::Help(_) => Invalid::new(Code::Option, "", Value::Null, "help is for terminals"),
    })
}

/// The command line that a task stands for: documents on standard input, files by name.
fn arguments(task: &SolveTask) -> Result<Vec<OsString>, Invalid> {
    let mut all: Vec<String> = vec!["edgewise".to_owned(), task.verb.name().to_owned()];
    for (name, value) in &task.options {
        match (name.as_str(), value.as_str()) {
            ("allow-empty" | "classifier", "true") => all.push(format!("--{name}")),
            ("allow-empty" | "classifier", "false") => {}
            ("allow-empty" | "classifier", _) => {
                let message = format!("{name} must be true or false, it is {value:?}");
                return Err(Invalid::new(Code::Option, name, value.as_str(), message));
            }
            _ => all.push(format!("--{name}={value}")),
        }
    }
    if task.is_line {
        all.push("--jsonl".to_owned());
    }
    // A file is what is asked about where there is no document beside it.
    let is_document = !task.input.is_empty() || task.files.is_empty();
    let (asked, beside): (Vec<&TaskAttachment>, Vec<&TaskAttachment>) =
        task.files.iter().partition(|_| !is_document);
    if matches!(task.verb, RouteVerb::Run | RouteVerb::Gains) {
        let named = beside.iter().filter(|part| part.field != "file");
        all.extend(named.map(|part| format!("--{}={}", part.field, part.name)));
    }
    all.push("--".to_owned());
    all.extend(task.word.clone());
    match task.verb {
        RouteVerb::Run | RouteVerb::Gains | RouteVerb::Spread if is_document => {
            all.push("-".to_owned())
        }
        RouteVerb::Published if !task.input.trim_ascii().is_empty() => all.push("-".to_owned()),
        _ => all.extend(asked.iter().map(|part| part.name.clone())),
    }
    Ok(all.into_iter().map(OsString::from).collect())
}
