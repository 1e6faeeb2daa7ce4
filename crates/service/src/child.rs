//! A process that searches: one task after the other from standard input, answers to standard output.
//!
//! It ends when standard input does, so that none outlives the service, however that ended.

use crate::limits::ANSWER;
use crate::task::{Course, FromWorker, SolveTask, TaskAnswer, ToWorker, read, write};
use nix::sys::resource::{Resource, setrlimit};
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

/// Answers a task: the command line, whose verbs write into the answer.
pub type AnswerFn = fn(&SolveTask, &ProgressSink) -> TaskAnswer;

/// Progress and cancellation of one task.
#[derive(Debug)]
pub struct ProgressSink {
    is_over: Arc<AtomicBool>,
    said: Option<Mutex<io::Stdout>>,
    /// The longest that a search may take.
    pub patience: Duration,
}

impl ProgressSink {
    /// Creates one without a listener, which ends the task after `patience`.
    #[must_use]
    pub fn without_listener(patience: Duration) -> Self {
        Self {
            is_over: Arc::default(),
            said: None,
            patience,
        }
    }

    /// `Break` once an answer is wanted at once.
    pub fn goes_on(&self) -> ControlFlow<()> {
        match self.is_over.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Reports the progress of a search.
    pub fn report(&self, course: Course) {
        if let Some(said) = &self.said
            && let Ok(mut out) = said.lock()
            && write(&mut *out, &FromWorker::Course(course)).is_err()
        {
            self.is_over.store(true, Ordering::Relaxed); // the client has gone
        }
    }
}

/// Answers tasks until there are no more; no more than `megabytes` are taken.
///
/// # Errors
/// The limit cannot be set, or the pipe is broken.
pub fn run(answers: AnswerFn, megabytes: u64) -> io::Result<()> {
    let bytes = megabytes.saturating_mul(1_000_000);
    setrlimit(Resource::RLIMIT_DATA, bytes, bytes)?;
    let is_over = Arc::new(AtomicBool::new(false));
    let (tasks, next) = mpsc::channel();
    let flag = is_over.clone();
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        // What is no message comes from no client.
        while let Ok(Some(message)) = read::<ToWorker<SolveTask>>(&mut input) {
            match message {
                ToWorker::Stop => flag.store(true, Ordering::Relaxed),
                ToWorker::Ask(task, seconds) => {
                    flag.store(false, Ordering::Relaxed);
                    if tasks.send((task, seconds)).is_err() {
                        break;
                    }
                }
            }
        }
        std::process::exit(0);
    });
    for (task, seconds) in next {
        let sink = ProgressSink {
            is_over: is_over.clone(),
            said: task.wants_progress.then(|| Mutex::new(io::stdout())),
            patience: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
        };
        let mut answer = answers(&task, &sink);
        if answer.out.len() > ANSWER {
            answer.out = Vec::new();
            answer.code = TOO_LONG;
        }
        write(&mut io::stdout(), &FromWorker::Done(answer))?;
    }
    Ok(())
}

/// The code of an answer that is longer than [`ANSWER`].
pub(crate) const TOO_LONG: u8 = u8::MAX;
