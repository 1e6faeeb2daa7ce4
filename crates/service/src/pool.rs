//! Processes that search, kept warm: one request has one of them to itself.
//!
//! A process can be ended at any moment, whatever its solver does, and what it has taken goes with it. So a client that
//! hangs up, a search that wants too much memory and one that goes wrong all end the same way: the process is killed and
//! another takes its place.

use crate::child::TOO_LONG;
use crate::limits::{STOP_SECONDS, ServiceLimits};
use crate::metrics::{Counted, ServiceMetrics};
use crate::problem::Problem;
use crate::task::{Course, FromWorker, SolveTask, TaskAnswer, ToWorker, frame, message};
use axum::http::StatusCode;
use nix::sys::signal::Signal;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout};

/// How long a process may take beyond its time for what comes after a search.
const GRACE: Duration = Duration::from_millis(900);

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The search took more memory than it may.
    Memory(u64),
    /// It cannot be interrupted, and was not done in time [s].
    Time(f64),
    /// The service stops.
    Stopping,
    /// The answer is too long.
    Long,
    /// The process ended: a bug.
    Died,
    /// The process was killed from outside or by the kernel.
    Killed,
    /// No process can be started.
    NoProcess(io::Error),
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let unfit = StatusCode::UNPROCESSABLE_ENTITY;
        match failure {
            Failure::Memory(megabytes) => Self::new(
                unfit,
                "memory",
                "",
                format!(
                    "the search needs more than {megabytes} MB of memory, the limit of this service"
                ),
            )
            .with(megabytes),
            Failure::Time(seconds) => Self::new(
                unfit,
                "time",
                "",
                format!("there was no answer after {seconds} s, the time limit of this service"),
            )
            .with(seconds),
            Failure::Stopping => stopping(),
            Failure::Long => Self::new(
                unfit,
                "length",
                "",
                "the answer is longer than this service passes on: use the command line",
            ),
            Failure::Died => Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "bug",
                "",
                "the search ended without an answer: this is a bug; the log of the service has more",
            ),
            Failure::Killed => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "process",
                "",
                "the process of this search was killed from outside, perhaps because the machine has no more memory",
            ),
            Failure::NoProcess(fault) => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "process",
                "",
                format!("no process can be started for the search: {fault}"),
            ),
        }
    }
}

/// Returns the refusal of requests while the service stops.
pub(crate) fn stopping() -> Problem {
    let detail = "the service is stopping and takes no more requests";
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", "", detail)
}

/// The processes.
#[derive(Debug)]
pub(crate) struct ProcessPool {
    program: Vec<OsString>,
    limits: ServiceLimits,
    idle: Mutex<Vec<Process>>,
    slots: Semaphore,
    stop: watch::Sender<bool>,
    metrics: Arc<ServiceMetrics>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    /// The last line of standard error that speaks of memory.
    complaint: JoinHandle<bool>,
}

impl ProcessPool {
    /// A pool of processes that run `program`, a path and its arguments.
    pub(crate) fn new(
        program: Vec<OsString>,
        limits: ServiceLimits,
        metrics: Arc<ServiceMetrics>,
    ) -> Arc<Self> {
        Arc::new(Self {
            program,
            slots: Semaphore::new(limits.threads),
            limits,
            idle: Mutex::default(),
            stop: watch::Sender::new(false),
            metrics,
        })
    }

    /// Starts all processes.
    pub(crate) fn warm(&self) -> io::Result<()> {
        let started = (0..self.limits.threads).map(|_| self.start());
        let started = started.collect::<io::Result<Vec<_>>>()?;
        self.idle().extend(started);
        Ok(())
    }

    /// Asks every search for the best answer that it has by now.
    pub(crate) fn stop(&self) {
        self.stop.send_replace(true);
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Process>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A process that waits for work. One that was killed meanwhile is left out.
    fn free(&self) -> Option<Process> {
        let mut idle = self.idle();
        std::iter::from_fn(|| idle.pop()).find_map(|mut process| {
            let is_alive = matches!(process.child.try_wait(), Ok(None));
            is_alive.then_some(process)
        })
    }

    fn start(&self) -> io::Result<Process> {
        let [program, arguments @ ..] = &self.program[..] else {
            return Err(io::Error::other("there is no program"));
        };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A key that ends the service must not reach searches before it.
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let gone = || io::Error::other("a pipe is missing");
        let stderr = child.stderr.take().ok_or_else(gone)?;
        Ok(Process {
            stdin: child.stdin.take().ok_or_else(gone)?,
            stdout: BufReader::new(child.stdout.take().ok_or_else(gone)?),
            complaint: tokio::spawn(wants_memory(stderr)),
            child,
        })
    }

    /// Answers a task once a process is free; dropping the future ends the search.
    pub(crate) async fn answer(
        self: &Arc<Self>,
        task: &SolveTask,
        mut on_progress: impl FnMut(Course),
    ) -> Result<TaskAnswer, Failure> {
        let waiting = Counted::new(&self.metrics.waiting);
        let slot = self.slots.acquire().await;
        let _slot = slot.map_err(|_| Failure::Stopping)?;
        drop(waiting);
        let mut lease = Lease {
            pool: self.clone(),
            process: None,
            outcome: "hung_up",
            _running: Counted::new(&self.metrics.running),
        };
        let process = match self.free() {
            Some(process) => process,
            None => self.start().map_err(Failure::NoProcess)?,
        };
        let process = lease.process.insert(process);
        let answered = self.send_request(process, task, &mut on_progress).await;
        let failure = match answered {
            Ok(answer) if answer.code == TOO_LONG => Failure::Long,
            Ok(answer) => {
                lease.outcome = outcome(&answer);
                lease.give_back();
                return Ok(answer);
            }
            Err(Some(failure)) => failure,
            // The pipe is closed.
            Err(None) => match lease.process.take() {
                Some(process) => self.last_words(process).await,
                None => Failure::Died,
            },
        };
        lease.outcome = match failure {
            Failure::Memory(_) => "memory",
            Failure::Time(_) | Failure::Stopping => "time",
            Failure::Long => "too_long",
            Failure::Died | Failure::Killed | Failure::NoProcess(_) => "died",
        };
        Err(failure)
    }

    /// Asks a process; fails without a word if it has ended.
    async fn send_request(
        &self,
        process: &mut Process,
        task: &SolveTask,
        on_progress: &mut impl FnMut(Course),
    ) -> Result<TaskAnswer, Option<Failure>> {
        let mut stop = self.stop.subscribe();
        let seconds = self.limits.seconds;
        let patience = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let asked = frame(&ToWorker::Ask(task, seconds)).map_err(|_| Some(Failure::Long))?;
        process.stdin.write_all(&asked).await.map_err(|_| None)?;
        drop(asked);
        let mut end = Instant::now() + patience + GRACE;
        let mut is_stopping = false;
        let Process { stdin, stdout, .. } = process;
        loop {
            let mut reading = std::pin::pin!(read_reply(stdout));
            let said = loop {
                tokio::select! {
                    said = &mut reading => break said,
                    () = sleep_until(end) => return Err(Some(match is_stopping {
                        true => Failure::Stopping,
                        false => Failure::Time(seconds),
                    })),
                    () = stopped(&mut stop), if !is_stopping => {
                        is_stopping = true;
                        end = end.min(Instant::now() + Duration::from_secs(STOP_SECONDS));
                        let stop_frame = frame(&ToWorker::<&SolveTask>::Stop).map_err(|_| None)?;
                        stdin.write_all(&stop_frame).await.map_err(|_| None)?;
                    }
                }
            };
            match said.map_err(|_| None)? {
                FromWorker::Course(course) => on_progress(course),
                FromWorker::Done(answer) => return Ok(answer),
            }
        }
    }

    /// Why a process has ended.
    async fn last_words(&self, mut process: Process) -> Failure {
        let second = Duration::from_secs(1);
        let ended = timeout(second, process.child.wait()).await;
        let is_killed =
            matches!(ended, Ok(Ok(status)) if status.signal() == Some(Signal::SIGKILL as i32));
        match timeout(second, &mut process.complaint).await {
            Ok(Ok(true)) => Failure::Memory(self.limits.memory),
            _ if is_killed => Failure::Killed,
            _ => Failure::Died,
        }
    }
}

fn outcome(answer: &TaskAnswer) -> &'static str {
    match answer.code {
        0 if answer.is_cut => "cut",
        0 => "answered",
        3 => "infeasible",
        4 => "stopped",
        _ => "refused",
    }
}

/// Waits until the service stops.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}

async fn read_reply(from: &mut BufReader<ChildStdout>) -> io::Result<FromWorker> {
    let length = from.read_u32_le().await?;
    let mut bytes = vec![0; length as usize];
    from.read_exact(&mut bytes).await?;
    message(&bytes)
}

/// Passes standard error on; whether it ends with the sentence of a program that gets no memory.
async fn wants_memory(stderr: ChildStderr) -> bool {
    let mut lines = BufReader::new(stderr).lines();
    let mut wants = false;
    while let Ok(Some(line)) = lines.next_line().await {
        wants |= line.contains("memory allocation of");
        eprintln!("edgewise: search: {line}");
    }
    wants
}

/// A process in use.
struct Lease {
    pool: Arc<ProcessPool>,
    process: Option<Process>,
    outcome: &'static str,
    _running: Counted,
}

impl Lease {
    fn give_back(&mut self) {
        if let Some(process) = self.process.take() {
            self.pool.idle().push(process);
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.pool.metrics.search(self.outcome);
        if matches!(
            self.outcome,
            "hung_up" | "memory" | "time" | "died" | "too_long"
        ) {
            // Dropped, it is killed; another takes its place.
            self.process = None;
            let pool = self.pool.clone();
            tokio::spawn(async move {
                if !*pool.stop.borrow()
                    && let Ok(process) = pool.start()
                {
                    let mut idle = pool.idle();
                    if idle.len() < pool.limits.threads {
                        idle.push(process);
                    }
                }
            });
        }
    }
}
