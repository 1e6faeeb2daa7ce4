//! The browser's side of the pool: a `Worker` for each of its workers, their messages in, its actions out.
//!
//! [`engine::pool`] decides which worker gets which task, and what happens to the task of a worker that fails. A new worker
//! starts from what the page already holds, without any request.

use super::jobs::{Job, JobResult, OwnedTask, TaskOwner};
use super::wire::{Js, Messages};
use engine::pool::{Action, WorkerPool};
use gloo::timers::callback::Timeout;
use protocol::worker::{Codec, FILE, WorkerRequest, WorkerResponse, WorkerTask};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, Event, MessageEvent, Worker};

/// The most workers, however many processors there are: each holds a program and its tables.
const MOST_WORKERS: f64 = 8.0;

/// Events of the worker pool.
pub type SolverEvent = engine::pool::PoolEvent<Job, JobResult>;

type Actions = Vec<Action<Job, JobResult>>;
type Listener = Rc<dyn Fn(SolverEvent)>;

struct Inner {
    pool: WorkerPool<Job, JobResult>,
    workers: BTreeMap<u32, Attached>,
    listener: Listener,
    timer: Option<Timeout>,
}

/// A worker with its event handlers.
struct Attached {
    worker: Worker,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _error: Closure<dyn FnMut(Event)>,
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// A handle to the one solver of the page.
#[derive(Clone)]
pub struct SolverHandle {
    inner: Rc<RefCell<Inner>>,
}

impl SolverHandle {
    /// Creates a solver that reports events to `listener`; its first worker starts at once.
    pub fn new(listener: impl Fn(SolverEvent) + 'static) -> Self {
        let (pool, actions) = WorkerPool::new(most_workers());
        let solver = Self {
            inner: Rc::new(RefCell::new(Inner {
                pool,
                workers: BTreeMap::new(),
                listener: Rc::new(listener),
                timer: None,
            })),
        };
        solver.act(actions);
        solver
    }

    /// Asks for a plan. It overtakes every plan before it.
    pub fn plan<E: WorkerTask>(&self, by: impl TaskOwner<E>, scenario: E::Scenario, ask: E) {
        let asked = OwnedTask {
            scenario,
            task: ask,
            group: None,
        };
        self.with_pool(|pool, now| pool.plan(Job::new(by, asked), now));
    }

    /// Asks for more about a scenario, to be answered when no plan is wanted. What is in one group is of one kind and about
    /// one scenario.
    pub fn points<E: WorkerTask>(
        &self,
        by: impl TaskOwner<E>,
        group: u32,
        scenario: &E::Scenario,
        tasks: impl IntoIterator<Item = E>,
    ) {
        let jobs = tasks.into_iter().map(|ask| {
            let asked = OwnedTask {
                scenario: scenario.clone(),
                task: ask,
                group: Some(group),
            };
            Job::new(by, asked)
        });
        self.with_pool(|pool, now| pool.points(group, jobs, now));
    }

    /// Asks for something in a group that goes before what else waits.
    pub fn ahead<E: WorkerTask>(
        &self,
        by: impl TaskOwner<E>,
        group: u32,
        scenario: E::Scenario,
        ask: E,
    ) {
        let asked = OwnedTask {
            scenario,
            task: ask,
            group: Some(group),
        };
        self.with_pool(|pool, now| pool.ahead(group, Job::new(by, asked), now));
    }

    /// Cancels the tasks of a group.
    pub fn cancel(&self, group: u32) {
        self.with_pool(|pool, now| pool.cancel(group, now));
    }

    /// Ends every search in flight; what was asked is not wanted any more.
    pub fn stop(&self) {
        self.with_pool(WorkerPool::stop);
    }

    fn with_pool(&self, ask: impl FnOnce(&mut WorkerPool<Job, JobResult>, f64) -> Actions) {
        let actions = ask(&mut self.inner.borrow_mut().pool, now_ms());
        self.act(actions);
    }

    fn act(&self, actions: Actions) {
        for action in actions {
            match action {
                Action::Start { worker } => match spawn() {
                    Ok(started) => {
                        let attached = self.attach(worker, started);
                        self.inner.borrow_mut().workers.insert(worker, attached);
                    }
                    Err(message) => {
                        self.with_pool(|pool, now| pool.not_started(worker, message, now));
                    }
                },
                Action::Send { worker, id, jobs } => self.send(worker, id, &jobs),
                Action::Terminate { worker } => {
                    let attached = self.inner.borrow_mut().workers.remove(&worker);
                    // A closure must not be dropped from inside its own call, and this may be one.
                    wasm_bindgen_futures::spawn_local(async move { drop(attached) });
                }
                Action::Report(news) => {
                    let listener = self.inner.borrow().listener.clone();
                    listener(news);
                }
            }
        }
        self.wake();
    }

    fn send(&self, worker: u32, id: u32, jobs: &[Job]) {
        let Ok(message) = message(id, jobs) else {
            return; // plain data always goes
        };
        if let Some(attached) = self.inner.borrow().workers.get(&worker) {
            // Posting plain data to a live worker does not fail; a dead one is noticed by its error event.
            let _ = attached.worker.post_message(&message);
        }
    }

    /// Sets the clock for the pool's next moment.
    fn wake(&self) {
        let next = self.inner.borrow().pool.next_tick();
        let timer = next.map(|next| {
            let solver = self.clone();
            let millis = (next - now_ms()).ceil().max(0.0) as u32;
            Timeout::new(millis, move || solver.with_pool(WorkerPool::tick))
        });
        let before = std::mem::replace(&mut self.inner.borrow_mut().timer, timer);
        if before.is_some() {
            // A timer that rings just now must not be dropped from inside its own call.
            wasm_bindgen_futures::spawn_local(async move { drop(before) });
        }
    }

    fn attach(&self, number: u32, worker: Worker) -> Attached {
        let solver = self.clone();
        let message =
            Closure::<dyn FnMut(MessageEvent)>::new(
                move |event: MessageEvent| match Messages::read::<WorkerResponse<Js>>(Js(
                    event.data()
                )) {
                    Ok(reply) => solver.on_response(number, reply),
                    Err(fault) => {
                        let message = format!("the solver sent an unreadable message: {fault}");
                        solver.with_pool(|pool, now| pool.failed(number, message, now));
                    }
                },
            );
        let solver = self.clone();
        let error = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            event.prevent_default();
            let mut message = event
                .dyn_ref::<ErrorEvent>()
                .map(ErrorEvent::message)
                .unwrap_or_default();
            if message.is_empty() {
                message = "the solver could not start".into();
            }
            solver.with_pool(|pool, now| pool.failed(number, message, now));
        });
        worker.set_onmessage(Some(message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(error.as_ref().unchecked_ref()));
        Attached {
            worker,
            _message: message,
            _error: error,
        }
    }

    fn on_response(&self, worker: u32, reply: WorkerResponse<Js>) {
        self.with_pool(|pool, now| match reply {
            WorkerResponse::Ready { version } if version == env!("CARGO_PKG_VERSION") => {
                pool.ready(worker, now)
            }
            WorkerResponse::Ready { version } => {
                let here = env!("CARGO_PKG_VERSION");
                pool.die(format!(
                    "page {here} and solver {version} do not match: reload the page"
                ))
            }
            WorkerResponse::Panic { message } => pool.failed(worker, message, now),
            WorkerResponse::Progress { id, done, of } => {
                pool.searching(worker, id, of.map(|of| done / of))
            }
            WorkerResponse::Partial { id, at, answer } => {
                pool.partial_answer(worker, id, at as usize, Ok(answer))
            }
            WorkerResponse::Answered { id, at, answer } => {
                pool.answered(worker, id, at as usize, Ok(answer), now)
            }
            WorkerResponse::Refused { id, at, fault } => {
                pool.answered(worker, id, at as usize, Err(fault), now)
            }
        });
    }
}

/// The request for jobs: those that are sent together are of one group, which has one kind and one scenario.
fn message(id: u32, jobs: &[Job]) -> Result<JsValue, String> {
    let first = jobs.first().ok_or("there is nothing to ask")?;
    let tasks = jobs.iter().map(|job| job.encode_request().map(|ask| ask.0));
    let tasks: js_sys::Array = tasks
        .collect::<Result<Vec<JsValue>, String>>()?
        .into_iter()
        .collect();
    let request = Messages::write(&WorkerRequest {
        id,
        kind: first.kind().to_owned(),
        first: jobs.iter().all(|job| job.is_first()),
        scenario: first.scenario()?,
        tasks: Js(tasks.into()),
    })?;
    if let Some(file) = first.file() {
        // A file goes as the browser's own handle beside the request: nothing of it is read here.
        let _ = js_sys::Reflect::set(&request.0, &FILE.into(), &file); // a request is an object
    }
    Ok(request.0)
}

/// As many workers as processors, one less where there are more than two: the page needs one while they work,
/// but with two it mostly waits for them.
fn most_workers() -> usize {
    let processors = web_sys::window().map_or(1.0, |w| w.navigator().hardware_concurrency());
    let most = if processors > 2.0 {
        processors - 1.0
    } else {
        processors
    };
    most.clamp(1.0, MOST_WORKERS) as usize
}

/// Asks the start-up script for a worker made from what it has kept.
fn spawn() -> Result<Worker, String> {
    let described = |fault: JsValue| format!("no solver can be started: {fault:?}");
    let kept = js_sys::Reflect::get(&js_sys::global(), &"edgewise".into()).map_err(described)?;
    let start = js_sys::Reflect::get(&kept, &"startWorker".into()).map_err(described)?;
    let start: js_sys::Function = start.dyn_into().map_err(described)?;
    start
        .call0(&kept)
        .map_err(described)?
        .dyn_into()
        .map_err(described)
}

fn now_ms() -> f64 {
    web_sys::window()
        .and_then(|window| window.performance())
        .map_or(0.0, |clock| clock.now())
}
