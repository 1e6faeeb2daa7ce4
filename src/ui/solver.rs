//! The browser's side of the pool: a `Worker` for each of its workers, their messages in, its actions out.
//!
//! What is sent to whom, and what becomes of the job of a worker that fails, [`engine::pool`] decides. A fresh
//! worker starts from what the page already holds, without any request.

use super::state::Kind;
use engine::graph::onnx;
use engine::pool::{Action, Pool};
use engine::scenario::{self, Scenario, tiers};
use gloo::timers::callback::Timeout;
use job::cold_start_hunt::{Piece, Share};
use job::cold_start_more;
use job::tiers::Ask;
use job::worker::{FILE, Reply, Request, Work};
use job::{dispatch, heads, operators};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, Event, File, MessageEvent, Worker};

/// The most workers, however many processors there are: each holds a program and its tables.
const MOST_WORKERS: f64 = 8.0;

/// Something to solve.
#[derive(Debug, Clone)]
pub enum Job {
    /// Of the cold-start question.
    ColdStart(ColdStartJob),
    /// A share of a search that goes on after the first answer to it.
    Hunt(HuntJob),
    /// Something about a cold start besides its plan.
    More(MoreJob),
    /// Of the head-placement question.
    Heads(HeadsJob),
    /// Of the device-or-server question.
    Dispatch(DispatchJob),
    /// Of the tiers question.
    Tiers(TiersJob),
    /// Of the operator-graph question.
    Operators(OperatorsJob),
    /// A file that holds an operator graph.
    Onnx(OnnxJob),
}

/// A cold start to solve.
#[derive(Debug, Clone)]
pub struct ColdStartJob {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// Prompt length to answer for.
    pub tokens: f64,
    /// Whether this is the plan itself, not a point of a sweep.
    pub is_plan: bool,
}

/// A share of a piece of a search for a cold start.
#[derive(Debug, Clone)]
pub struct HuntJob {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The piece.
    pub piece: Arc<Piece>,
    /// Which share of it.
    pub share: Share,
    /// The group it was asked for in: a late answer is of another one.
    pub group: u32,
}

/// Something about a cold start to find out besides its plan.
#[derive(Debug, Clone)]
pub struct MoreJob {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// What is asked of it.
    pub ask: cold_start_more::Ask,
    /// The kind of its round.
    pub kind: Kind,
    /// The group it was asked for in: a late answer is of another one.
    pub group: u32,
    /// Its place in the round.
    pub at: usize,
}

/// Something about attention heads to find out.
#[derive(Debug, Clone)]
pub struct HeadsJob {
    /// The scenario.
    pub scenario: Arc<scenario::heads::Scenario>,
    /// What is asked of it.
    pub ask: heads::Ask,
}

/// Something about device and server to find out.
#[derive(Debug, Clone)]
pub struct DispatchJob {
    /// The scenario.
    pub scenario: Arc<scenario::dispatch::Scenario>,
    /// What is asked of it.
    pub ask: dispatch::Ask,
}

/// Something about tiers to find out.
#[derive(Debug, Clone)]
pub struct TiersJob {
    /// The scenario.
    pub scenario: Arc<tiers::Scenario>,
    /// What is asked of it.
    pub ask: Ask,
}

/// Something about an operator graph to find out.
#[derive(Debug, Clone)]
pub struct OperatorsJob {
    /// The scenario.
    pub scenario: Arc<scenario::operators::Scenario>,
    /// What is asked of it.
    pub ask: operators::Ask,
}

/// A file to read. The browser hands its bytes out piece by piece, so that the job can be tried again.
#[derive(Debug, Clone)]
pub struct OnnxJob {
    /// The file.
    pub file: File,
    /// Its name, as messages have it.
    pub name: String,
    /// How it is read.
    pub options: onnx::Options,
}

impl Job {
    /// Whether this is the plan itself, for which the user waits.
    pub fn is_plan(&self) -> bool {
        match self {
            Self::ColdStart(job) => job.is_plan,
            Self::Heads(job) => job.is_plan(),
            Self::Dispatch(job) => job.is_plan(),
            Self::Tiers(job) => job.is_plan(),
            Self::Operators(job) => job.is_plan(),
            Self::Hunt(_) | Self::More(_) | Self::Onnx(_) => false,
        }
    }
}

impl HeadsJob {
    /// Whether this is our own run, for which the user waits.
    pub fn is_plan(&self) -> bool {
        self.ask == heads::Ask::Plan
    }
}

impl DispatchJob {
    /// Whether this is the policy itself, for which the user waits.
    pub fn is_plan(&self) -> bool {
        self.ask == dispatch::Ask::Plan
    }
}

impl TiersJob {
    /// Whether this is the plan itself, for which the user waits.
    pub fn is_plan(&self) -> bool {
        self.ask == Ask::Plan
    }
}

impl OperatorsJob {
    /// Whether this is the order itself, for which the user waits.
    pub fn is_plan(&self) -> bool {
        self.ask == operators::Ask::Plan
    }
}

/// What the solver tells the page: a worker's answer or refusal is boxed, it is large.
pub type News = engine::pool::News<Job, Box<Reply>>;

type Actions = Vec<Action<Job, Box<Reply>>>;
type Listener = Rc<dyn Fn(News)>;

struct Inner {
    pool: Pool<Job, Box<Reply>>,
    workers: BTreeMap<u32, Attached>,
    listener: Listener,
    timer: Option<Timeout>,
}

/// A worker with the closures that hear it.
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
pub struct Solver {
    inner: Rc<RefCell<Inner>>,
}

impl Solver {
    /// A solver that tells `listener` its news; its first worker starts at once.
    pub fn new(listener: impl Fn(News) + 'static) -> Self {
        let (pool, actions) = Pool::new(most_workers());
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

    /// Asks for a cold-start plan. It overtakes every plan before it.
    pub fn plan(&self, scenario: Arc<Scenario>) {
        let tokens = scenario.prompt_tokens;
        let job = Job::ColdStart(ColdStartJob {
            scenario,
            tokens,
            is_plan: true,
        });
        self.with_pool(|pool, now| pool.plan(job, now));
    }

    /// Asks for points of a sweep, to be answered when no plan is wanted.
    pub fn sweep(
        &self,
        group: u32,
        scenario: &Arc<Scenario>,
        lengths: impl IntoIterator<Item = f64>,
    ) {
        let jobs = lengths.into_iter().map(|tokens| {
            Job::ColdStart(ColdStartJob {
                scenario: scenario.clone(),
                tokens,
                is_plan: false,
            })
        });
        self.with_pool(|pool, now| pool.points(group, jobs, now));
    }

    /// Asks for the shares of a piece of a search.
    pub fn hunt(&self, group: u32, jobs: Vec<HuntJob>) {
        self.with_pool(|pool, now| pool.points(group, jobs.into_iter().map(Job::Hunt), now));
    }

    /// Asks for more about a cold start, to be answered when no plan is wanted.
    pub fn ask_more(&self, group: u32, jobs: Vec<MoreJob>) {
        self.with_pool(|pool, now| pool.points(group, jobs.into_iter().map(Job::More), now));
    }

    /// How many workers there may be.
    pub fn workers(&self) -> usize {
        most_workers()
    }

    /// Asks for our run of attention heads. It overtakes every plan before it.
    pub fn plan_heads(&self, scenario: Arc<scenario::heads::Scenario>) {
        let ask = heads::Ask::Plan;
        let job = Job::Heads(HeadsJob { scenario, ask });
        self.with_pool(|pool, now| pool.plan(job, now));
    }

    /// Asks for more about attention heads, to be answered when no plan is wanted.
    pub fn ask_heads(
        &self,
        group: u32,
        scenario: &Arc<scenario::heads::Scenario>,
        asks: Vec<heads::Ask>,
    ) {
        let jobs = asks.into_iter().map(|ask| {
            Job::Heads(HeadsJob {
                scenario: scenario.clone(),
                ask,
            })
        });
        self.with_pool(|pool, now| pool.points(group, jobs, now));
    }

    /// Asks for the policy of device and server. It overtakes every plan before it.
    pub fn plan_dispatch(&self, scenario: Arc<scenario::dispatch::Scenario>) {
        let ask = dispatch::Ask::Plan;
        let job = Job::Dispatch(DispatchJob { scenario, ask });
        self.with_pool(|pool, now| pool.plan(job, now));
    }

    /// Asks for more about device and server, to be answered when no plan is wanted.
    pub fn ask_dispatch(
        &self,
        group: u32,
        scenario: &Arc<scenario::dispatch::Scenario>,
        asks: Vec<dispatch::Ask>,
    ) {
        let jobs = asks.into_iter().map(|ask| {
            Job::Dispatch(DispatchJob {
                scenario: scenario.clone(),
                ask,
            })
        });
        self.with_pool(|pool, now| pool.points(group, jobs, now));
    }

    /// Asks for the split of the tiers. It overtakes every plan before it.
    pub fn plan_tiers(&self, scenario: Arc<tiers::Scenario>) {
        let ask = Ask::Plan;
        let job = Job::Tiers(TiersJob { scenario, ask });
        self.with_pool(|pool, now| pool.plan(job, now));
    }

    /// Asks for more about the tiers, to be answered when no plan is wanted.
    pub fn ask_tiers(&self, group: u32, scenario: &Arc<tiers::Scenario>, asks: Vec<Ask>) {
        let jobs = asks.into_iter().map(|ask| {
            Job::Tiers(TiersJob {
                scenario: scenario.clone(),
                ask,
            })
        });
        self.with_pool(|pool, now| pool.points(group, jobs, now));
    }

    /// Asks for the order of a graph. It overtakes every plan before it.
    pub fn plan_operators(&self, scenario: Arc<scenario::operators::Scenario>) {
        let ask = operators::Ask::Plan;
        let job = Job::Operators(OperatorsJob { scenario, ask });
        self.with_pool(|pool, now| pool.plan(job, now));
    }

    /// Asks for more about a graph, to be answered when no plan is wanted.
    pub fn ask_operators(
        &self,
        group: u32,
        scenario: &Arc<scenario::operators::Scenario>,
        asks: Vec<operators::Ask>,
    ) {
        let jobs = asks.into_iter().map(|ask| {
            Job::Operators(OperatorsJob {
                scenario: scenario.clone(),
                ask,
            })
        });
        self.with_pool(|pool, now| pool.points(group, jobs, now));
    }

    /// Asks for the graph in a file.
    pub fn import(&self, group: u32, job: OnnxJob) {
        self.with_pool(|pool, now| pool.points(group, [Job::Onnx(job)], now));
    }

    /// Nobody waits for the points of a group any more.
    pub fn cancel(&self, group: u32) {
        self.with_pool(|pool, now| pool.cancel(group, now));
    }

    /// Ends every search in flight, for good; what was asked is not wanted any more.
    pub fn stop(&self) {
        self.with_pool(Pool::stop);
    }

    fn with_pool(&self, ask: impl FnOnce(&mut Pool<Job, Box<Reply>>, f64) -> Actions) {
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
                Action::Tell(news) => {
                    let listener = self.inner.borrow().listener.clone();
                    listener(news);
                }
            }
        }
        self.wake();
    }

    fn send(&self, worker: u32, id: u32, jobs: &[Job]) {
        let mut file = None;
        // Jobs that are sent together are of one group, and a group has one scenario.
        let work = match jobs.first() {
            None => return,
            Some(Job::ColdStart(first)) => Work::ColdStart {
                scenario: Box::new((*first.scenario).clone()),
                tokens: jobs
                    .iter()
                    .filter_map(|job| match job {
                        Job::ColdStart(job) => Some(job.tokens),
                        _ => None,
                    })
                    .collect(),
            },
            Some(Job::Hunt(first)) => Work::ColdStartHunt {
                scenario: Box::new((*first.scenario).clone()),
                piece: Box::new((*first.piece).clone()),
                shares: jobs
                    .iter()
                    .filter_map(|job| match job {
                        Job::Hunt(job) => Some(job.share),
                        _ => None,
                    })
                    .collect(),
            },
            Some(Job::More(first)) => Work::ColdStartMore {
                scenario: Box::new((*first.scenario).clone()),
                asks: jobs
                    .iter()
                    .filter_map(|job| match job {
                        Job::More(job) => Some(job.ask.clone()),
                        _ => None,
                    })
                    .collect(),
            },
            Some(Job::Heads(first)) => Work::HeadPlacement {
                scenario: Box::new((*first.scenario).clone()),
                asks: jobs
                    .iter()
                    .filter_map(|job| match job {
                        Job::Heads(job) => Some(job.ask.clone()),
                        _ => None,
                    })
                    .collect(),
            },
            Some(Job::Dispatch(first)) => Work::Dispatch {
                scenario: Box::new((*first.scenario).clone()),
                asks: jobs
                    .iter()
                    .filter_map(|job| match job {
                        Job::Dispatch(job) => Some(job.ask.clone()),
                        _ => None,
                    })
                    .collect(),
            },
            Some(Job::Onnx(first)) => {
                file = Some(&first.file);
                Work::Onnx {
                    name: first.name.clone(),
                    options: first.options.clone(),
                }
            }
            Some(Job::Operators(first)) => Work::Operators {
                scenario: Box::new((*first.scenario).clone()),
                asks: jobs
                    .iter()
                    .filter_map(|job| match job {
                        Job::Operators(job) => Some(job.ask.clone()),
                        _ => None,
                    })
                    .collect(),
            },
            Some(Job::Tiers(first)) => Work::Tiers {
                scenario: Box::new((*first.scenario).clone()),
                asks: jobs
                    .iter()
                    .filter_map(|job| match job {
                        Job::Tiers(job) => Some(job.ask.clone()),
                        _ => None,
                    })
                    .collect(),
            },
        };
        let request = Request { id, work };
        let message = serde_wasm_bindgen::to_value(&request).unwrap_or(JsValue::NULL);
        if let Some(file) = file {
            // A file goes as the browser's own handle beside the request: nothing of it is read here.
            let _ = js_sys::Reflect::set(&message, &FILE.into(), file); // a request is an object
        }
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
            Timeout::new(millis, move || solver.with_pool(Pool::tick))
        });
        let before = std::mem::replace(&mut self.inner.borrow_mut().timer, timer);
        if before.is_some() {
            // A timer that rings just now must not be dropped from inside its own call.
            wasm_bindgen_futures::spawn_local(async move { drop(before) });
        }
    }

    fn attach(&self, number: u32, worker: Worker) -> Attached {
        let solver = self.clone();
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            match serde_wasm_bindgen::from_value::<Reply>(event.data()) {
                Ok(reply) => solver.hear(number, reply),
                Err(fault) => {
                    let message = format!("the solver sent an unreadable message: {fault}");
                    solver.with_pool(|pool, now| pool.failed(number, message, now));
                }
            }
        });
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

    fn hear(&self, worker: u32, reply: Reply) {
        self.with_pool(|pool, now| match reply {
            Reply::Ready { version } if version == env!("CARGO_PKG_VERSION") => {
                pool.ready(worker, now)
            }
            Reply::Ready { version } => {
                let here = env!("CARGO_PKG_VERSION");
                pool.die(format!(
                    "page {here} and solver {version} do not match: reload the page"
                ))
            }
            Reply::Panic { message } => pool.failed(worker, message, now),
            Reply::Progress { id, done, of } => pool.searching(worker, id, of.map(|of| done / of)),
            Reply::Part { id, at, .. } => pool.part(worker, id, at as usize, Box::new(reply)),
            Reply::Answered { id, at, .. } | Reply::Refused { id, at, .. } => {
                pool.answered(worker, id, at as usize, Box::new(reply), now)
            }
        });
    }
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
