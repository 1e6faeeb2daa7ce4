//! Where a verb reads, writes and waits: a terminal and its files, or a request that the service passes on.

use super::{BAD_INPUT, one_line};
use document::text::Width;
use engine::problem::{Code, Invalid};
use engine::scenario::open;
use engine::solve::SearchEvent;
use serde::Serialize;
use serde_json::Value;
use service::task::Course;
use std::cell::{Cell, RefCell};
use std::io::{self, BufRead, Read, Seek, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A source that can be read from any position.
pub trait SeekableSource: Read + Seek {}

impl<S: Read + Seek> SeekableSource for S {}

/// The files that a verb may open by name.
pub trait FileAccess {
    /// Opens one.
    ///
    /// # Errors
    /// Why it cannot be opened.
    fn open(&self, path: &Path) -> io::Result<Box<dyn SeekableSource + '_>>;
    /// The files of a folder by name; `None` if it is none.
    fn folder(&self, _path: &Path) -> io::Result<Option<Vec<PathBuf>>> {
        Ok(None)
    }
}

/// The files of this machine.
#[derive(Debug, Clone, Copy)]
pub struct LocalMachine;

impl FileAccess for LocalMachine {
    fn open(&self, path: &Path) -> io::Result<Box<dyn SeekableSource + '_>> {
        Ok(Box::new(std::fs::File::open(path)?))
    }

    fn folder(&self, path: &Path) -> io::Result<Option<Vec<PathBuf>>> {
        if !path.is_dir() {
            return Ok(None);
        }
        let entries = std::fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
        let mut files = entries.collect::<io::Result<Vec<PathBuf>>>()?;
        files.sort();
        Ok(Some(files))
    }
}

/// Receives the progress of a search, and may cancel it.
pub trait ConsoleListener {
    /// `Break` ends the search with the best plan so far; asked at every step, so it must be quick.
    fn goes_on(&self) -> ControlFlow<()>;
    /// Called now and then.
    fn on_progress(&self, course: &Course);
}

/// Time between two reports of a search.
const BETWEEN: Duration = Duration::from_millis(100);

/// Where a verb reads, writes and waits.
pub struct Console<'c> {
    input: RefCell<&'c mut dyn BufRead>,
    out: RefCell<&'c mut dyn Write>,
    notes: RefCell<&'c mut dyn Write>,
    files: &'c dyn FileAccess,
    listener: Option<&'c dyn ConsoleListener>,
    /// The longest that any search may take.
    patience: Option<Duration>,
    width: Width,
    fault: RefCell<Option<Invalid>>,
    is_cut: Cell<bool>,
}

impl<'c> Console<'c> {
    /// Standard streams or others, with the files that names stand for.
    pub fn new(
        input: &'c mut dyn BufRead,
        out: &'c mut dyn Write,
        notes: &'c mut dyn Write,
        files: &'c dyn FileAccess,
    ) -> Self {
        Self {
            input: RefCell::new(input),
            out: RefCell::new(out),
            notes: RefCell::new(notes),
            files,
            listener: None,
            patience: None,
            width: Width::ANY,
            fault: RefCell::new(None),
            is_cut: Cell::new(false),
        }
    }

    /// Returns the console with a listener for searches and a time limit for each.
    pub fn with_listener(self, listener: &'c dyn ConsoleListener, patience: Duration) -> Self {
        Self {
            listener: Some(listener),
            patience: Some(patience),
            ..self
        }
    }

    /// The fault that was written, if one was.
    pub fn fault(&self) -> Option<Invalid> {
        self.fault.borrow().clone()
    }

    /// Returns true if a time limit or the listener has ended a search.
    pub fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    /// A line for people.
    pub fn note(&self, message: &str) {
        // Where no one listens to notes, the answer counts all the same.
        let _ = writeln!(self.notes.borrow_mut(), "edgewise: {}", one_line(message));
    }

    /// Says what is wrong with an input, for people and, where the output is JSON, for programs.
    pub fn write_fault(&self, fault: &Invalid, json: bool) -> io::Result<u8> {
        self.note(&fault.message);
        *self.fault.borrow_mut() = Some(fault.clone());
        if json {
            self.print_json(&serde_json::json!({ "error": fault }))?;
        }
        Ok(BAD_INPUT)
    }

    /// One document on one line, flushed, so that a reader of a stream sees it at once.
    pub fn print_json(&self, value: &impl Serialize) -> io::Result<()> {
        let mut out = self.out.borrow_mut();
        serde_json::to_writer(&mut **out, value)?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// How wide a text may be.
    pub fn width(&self) -> Width {
        self.width
    }

    /// Returns the console with a line width.
    pub fn within_width(self, width: Width) -> Self {
        Self { width, ..self }
    }

    /// Prints bytes as they are.
    pub fn print_bytes(&self, bytes: &[u8]) -> io::Result<()> {
        let mut out = self.out.borrow_mut();
        out.write_all(bytes)?;
        out.flush()
    }

    /// Prints a text as it is.
    pub fn print_text(&self, text: &str) -> io::Result<()> {
        self.print_bytes(text.as_bytes())
    }

    /// Opens a file.
    ///
    /// # Errors
    /// Says which file cannot be read, and why.
    pub fn open(&self, path: &Path) -> Result<Box<dyn SeekableSource + '_>, Invalid> {
        self.files.open(path).map_err(|fault| cannot(path, &fault))
    }

    /// The files of a folder by name; `None` if it is none.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn folder(&self, path: &Path) -> Result<Option<Vec<PathBuf>>, Invalid> {
        self.files
            .folder(path)
            .map_err(|fault| cannot(path, &fault))
    }

    /// The input, to be read as far as it is needed.
    pub const fn standard_input(&self) -> StandardInput<'_, 'c> {
        StandardInput(self)
    }

    /// Reads the next line of a file, or of the input where there is none; 0 at the end.
    pub fn read_line(
        &self,
        file: Option<&mut dyn BufRead>,
        line: &mut Vec<u8>,
    ) -> io::Result<usize> {
        match file {
            Some(file) => file.read_until(b'\n', line),
            None => self.input.borrow_mut().read_until(b'\n', line),
        }
    }

    /// Reads a file, or the input when there is none, as text.
    ///
    /// # Errors
    /// Says what cannot be read, or is no text.
    pub fn read_input(&self, file: Option<&Path>) -> Result<String, Invalid> {
        let mut bytes = Vec::new();
        let read = match file {
            Some(path) => self.open(path)?.read_to_end(&mut bytes),
            None => self.input.borrow_mut().read_to_end(&mut bytes),
        };
        let named = file.unwrap_or(Path::new("standard input"));
        read.map_err(|fault| cannot(named, &fault))?;
        // Sixteen bits a character, as some editors write it.
        if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = bytes[..] {
            return Ok(open::text_of(&bytes));
        }
        String::from_utf8(bytes).map_err(|_| {
            let message = format!("{} is not UTF-8 text", named.display());
            Invalid::new(Code::Syntax, "", Value::Null, message)
        })
    }

    /// A watch over a search that starts now.
    pub fn watch(&self, limit: Option<Duration>) -> SearchWatch<'_> {
        let limits = [limit, self.patience];
        SearchWatch {
            begun: Instant::now(),
            limit: limits.into_iter().flatten().min(),
            listener: self.listener,
            is_cut: &self.is_cut,
            course: Course::default(),
            last_report: Duration::ZERO,
        }
    }
}

/// The input of a console as a source of bytes.
pub struct StandardInput<'a, 'c>(&'a Console<'c>);

impl Read for StandardInput<'_, '_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.input.borrow_mut().read(into)
    }
}

/// A path that cannot be read, and why.
pub fn cannot(path: &Path, fault: &io::Error) -> Invalid {
    let place = path.display().to_string();
    let message = format!("{place} cannot be read: {fault}");
    Invalid::new(Code::Io, "", place, message)
}

/// Ends a search when its time is over, and passes on how far it is.
pub struct SearchWatch<'w> {
    begun: Instant,
    limit: Option<Duration>,
    listener: Option<&'w dyn ConsoleListener>,
    is_cut: &'w Cell<bool>,
    course: Course,
    last_report: Duration,
}

impl SearchWatch<'_> {
    /// Receives the events of a search.
    pub fn on_event<P>(&mut self, event: SearchEvent<'_, P>) -> ControlFlow<()> {
        match event {
            SearchEvent::Incumbent { claimed, .. } => self.course.best = Some(claimed),
            SearchEvent::Bound(bound) => self.course.bound = Some(bound),
            SearchEvent::Step { done, of } => (self.course.done, self.course.of) = (done, of),
        }
        self.look()
    }

    /// Reports that a search goes on, without a number of steps.
    pub fn look(&mut self) -> ControlFlow<()> {
        if self.limit.is_none() && self.listener.is_none() {
            return ControlFlow::Continue(());
        }
        let so_far = self.begun.elapsed();
        let mut next = match self.limit {
            Some(limit) if so_far >= limit => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        if let Some(listener) = self.listener {
            if listener.goes_on().is_break() {
                next = ControlFlow::Break(());
            }
            if so_far >= self.last_report + BETWEEN {
                self.last_report = so_far;
                listener.on_progress(&self.course);
            }
        }
        if next.is_break() {
            self.is_cut.set(true);
        }
        next
    }
}
