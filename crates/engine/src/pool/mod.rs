//! Scheduling of jobs over a pool of workers, as a state machine that knows neither clock nor browser.
//!
//! The owner of the workers reports events with their times, and carries out the [`Action`]s that the pool returns. The plan
//! comes before the points of a sweep, and only the newest plan counts. A worker that fails is never used again: a new one takes
//! its place, and its job is tried once more. A job that is no longer needed may run on for a moment, then its worker is
//! terminated, because a worker busy in one call reads no messages. Further workers are started only once there is more to do
//! than one finishes in a moment.

mod flight;

use flight::{InFlight, Lane, QueuedJob, Worker};
use std::collections::VecDeque;

/// How long work that no caller waits for may go on before its worker is replaced [ms].
pub const OVERTAKEN_MS: f64 = 200.0;
/// Failures in a row after which no further worker is started.
pub const MOST_FAILURES: u32 = 4;
/// How much work goes to a worker at once [ms]: little enough that points come in order and all workers end
/// together, enough that the way to the worker and back does not count.
const BATCH_MS: f64 = 25.0;
/// The most jobs sent to a worker at once.
const MOST_AT_ONCE: usize = 16;
/// A further worker is started for each so much work that waits [ms]; starting one takes about as long.
const SPREAD_MS: f64 = 50.0;

/// Instructions to the owner of the workers, in this order.
#[derive(Debug, Clone, PartialEq)]
pub enum Action<J, A> {
    /// Start a worker under this number; numbers are never used twice.
    Start {
        /// Its number.
        worker: u32,
    },
    /// Send jobs to a worker, which answers them one by one in this order.
    Send {
        /// The worker.
        worker: u32,
        /// Number of the request.
        id: u32,
        /// The jobs: a plan, or points of one group.
        jobs: Vec<J>,
    },
    /// End a worker and listen to it no longer.
    Terminate {
        /// The worker.
        worker: u32,
    },
    /// Pass on what happened.
    Report(PoolEvent<J, A>),
}

/// Events for the owners of jobs.
#[derive(Debug, Clone, PartialEq)]
pub enum PoolEvent<J, A> {
    /// The search for the newest plan goes on.
    Searching {
        /// Share done, where known.
        share: Option<f64>,
    },
    /// A worker is so far with a point.
    Reached {
        /// The job.
        job: J,
        /// Share done, where known.
        share: Option<f64>,
    },
    /// A part of an answer is known.
    Partial {
        /// The job.
        job: J,
        /// As much of its answer.
        answer: A,
    },
    /// A job is answered.
    Done {
        /// The job.
        job: J,
        /// Its answer.
        answer: A,
        /// How long its worker took [ms].
        millis: f64,
    },
    /// A worker failed; another takes over.
    Replaced {
        /// Last message of the worker.
        message: String,
        /// Outcome for its job.
        outcome: FailedJob<J>,
    },
    /// No worker can be started; whatever was asked is not answered.
    Dead {
        /// Message of the last worker.
        message: String,
    },
}

/// Outcome for the job of a worker that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailedJob<J> {
    /// There was none that anybody waits for.
    Idle,
    /// It is tried once more.
    Retried(J),
    /// It had been tried before and is given up.
    GivenUp(J),
}

/// The pool. `J` is a job, `A` its answer. Times are milliseconds of any clock that does not run backwards.
#[derive(Debug)]
pub struct WorkerPool<J, A> {
    most: usize,
    workers: Vec<Worker<J>>,
    plan: Option<QueuedJob<J>>,
    plan_since: f64,
    points: VecDeque<QueuedJob<J>>,
    last_worker: u32,
    last_id: u32,
    plans_requested: u64,
    plan_answered: u64,
    failures: u32,
    /// Time of a job, from the last request that was answered [ms].
    pace: Option<f64>,
    actions: Vec<Action<J, A>>,
}

impl<J: Clone, A> WorkerPool<J, A> {
    /// A pool of at most `most` workers (at least one); the first is to be started at once.
    pub fn new(most: usize) -> (Self, Vec<Action<J, A>>) {
        let mut pool = Self {
            most: most.max(1),
            workers: Vec::new(),
            plan: None,
            plan_since: 0.0,
            points: VecDeque::new(),
            last_worker: 0,
            last_id: 0,
            plans_requested: 0,
            plan_answered: 0,
            failures: 0,
            pace: None,
            actions: Vec::new(),
        };
        pool.start_one_more();
        let actions = pool.take_actions();
        (pool, actions)
    }

    /// Requests a plan. It replaces every plan before it.
    pub fn plan(&mut self, job: J, now: f64) -> Vec<Action<J, A>> {
        if self.is_dead() {
            return Vec::new();
        }
        for worker in &mut self.workers {
            worker.overtake(|flight| flight.lane == Lane::Plan, now);
        }
        self.plans_requested += 1;
        let entry = QueuedJob::new(job, Lane::Plan, self.plans_requested);
        if self.plan.replace(entry).is_none() {
            self.plan_since = now;
        }
        self.go_on(now)
    }

    /// Requests points of a sweep, from the left. A group can be cancelled as a whole.
    pub fn points(
        &mut self,
        group: u32,
        jobs: impl IntoIterator<Item = J>,
        now: f64,
    ) -> Vec<Action<J, A>> {
        if self.is_dead() {
            return Vec::new();
        }
        let entries = jobs
            .into_iter()
            .map(|job| QueuedJob::new(job, Lane::Points, u64::from(group)));
        self.points.extend(entries);
        self.go_on(now)
    }

    /// Requests a point before all others: the aggregation of finished ones.
    pub fn ahead(&mut self, group: u32, job: J, now: f64) -> Vec<Action<J, A>> {
        if self.is_dead() {
            return Vec::new();
        }
        let entry = QueuedJob::new(job, Lane::Points, u64::from(group));
        self.points.push_front(entry);
        self.go_on(now)
    }

    /// Cancels the points of a group. Nothing more is reported about them.
    pub fn cancel(&mut self, group: u32, now: f64) -> Vec<Action<J, A>> {
        let serial = u64::from(group);
        self.points.retain(|entry| entry.serial != serial);
        for worker in &mut self.workers {
            let is_of_group =
                |flight: &InFlight<J>| flight.lane == Lane::Points && flight.serial == serial;
            worker.overtake(is_of_group, now);
        }
        self.go_on(now)
    }

    /// Cancels everything: busy workers are terminated at once.
    pub fn stop(&mut self, now: f64) -> Vec<Action<J, A>> {
        self.plan = None;
        self.points.clear();
        for at in 0..self.workers.len() {
            if self.workers[at].flight.is_some() {
                self.replace(at);
            }
        }
        self.go_on(now)
    }

    /// A worker has started and reads requests.
    pub fn ready(&mut self, worker: u32, now: f64) -> Vec<Action<J, A>> {
        if let Some(at) = self.find(worker) {
            self.workers[at].ready = true;
        }
        self.go_on(now)
    }

    /// Handles progress of a worker: for plans only of the newest request, for points of any that is still awaited.
    pub fn searching(&mut self, worker: u32, id: u32, share: Option<f64>) -> Vec<Action<J, A>> {
        let newest = self.plans_requested;
        let flight = self
            .find(worker)
            .and_then(|at| self.workers[at].flight.as_ref())
            .filter(|flight| flight.id == id);
        let news = flight.and_then(|flight| match flight.lane {
            Lane::Plan => (flight.serial == newest).then_some(PoolEvent::Searching { share }),
            Lane::Points if flight.overtaken_since.is_some() => None,
            Lane::Points => {
                let job = flight.entries().next()?.job.clone();
                Some(PoolEvent::Reached { job, share })
            }
        });
        news.map(Action::Report).into_iter().collect()
    }

    /// Handles a partial answer to the task at index `at` of request `id`. Only tasks that are still awaited
    /// is passed on.
    pub fn partial_answer(
        &mut self,
        worker: u32,
        id: u32,
        at: usize,
        answer: A,
    ) -> Vec<Action<J, A>> {
        let newest = self.plans_requested;
        let flight = self
            .find(worker)
            .and_then(|at| self.workers[at].flight.as_ref());
        let wanted = flight.filter(|flight| {
            let is_newest = flight.lane == Lane::Points || flight.serial == newest;
            flight.id == id && flight.overtaken_since.is_none() && is_newest
        });
        let job = wanted.and_then(|flight| flight.job(at)).cloned();
        job.map(|job| Action::Report(PoolEvent::Partial { job, answer }))
            .into_iter()
            .collect()
    }

    /// A worker answers the job at place `at` of request `id`. Late answers of ended workers are ignored.
    pub fn answered(
        &mut self,
        worker: u32,
        id: u32,
        at: usize,
        answer: A,
        now: f64,
    ) -> Vec<Action<J, A>> {
        let Some(slot) = self.find(worker) else {
            return Vec::new();
        };
        let Some(flight) = self.workers[slot].flight.as_mut().filter(|f| f.id == id) else {
            return Vec::new();
        };
        let Some(landed) = flight.land(at, now) else {
            return Vec::new();
        };
        self.failures = 0;
        let is_wanted = match landed.entry.lane {
            // An overtaken plan is still worth showing, unless a newer one has been shown.
            Lane::Plan => landed.entry.serial > self.plan_answered,
            Lane::Points => flight.overtaken_since.is_none(),
        };
        if flight.is_over() {
            self.pace = Some(flight.pace(now));
            self.workers[slot].flight = None;
        }
        if landed.entry.lane == Lane::Plan && is_wanted {
            self.plan_answered = landed.entry.serial;
        }
        // Waiting tasks are sent before the event is reported: the worker need not wait for the listener.
        let mut actions = self.go_on(now);
        if is_wanted {
            actions.push(Action::Report(PoolEvent::Done {
                job: landed.entry.job,
                answer,
                millis: landed.millis,
            }));
        }
        actions
    }

    /// A worker failed. It is in an undefined state and never used again; the job it was at is tried once
    /// more, by itself, and those that were to follow it are as if they had never been sent.
    pub fn failed(&mut self, worker: u32, message: String, now: f64) -> Vec<Action<J, A>> {
        let Some(at) = self.find(worker) else {
            return Vec::new();
        };
        self.failures += 1;
        let flight = self.workers[at].flight.take();
        let outcome = match flight {
            Some(flight) if flight.overtaken_since.is_none() => self.retry(flight, now),
            _ => FailedJob::Idle,
        };
        if self.failures >= MOST_FAILURES {
            return self.die(message);
        }
        self.replace(at);
        let mut actions = self.go_on(now);
        actions.push(Action::Report(PoolEvent::Replaced { message, outcome }));
        actions
    }

    /// A worker could not even be asked for. The others do its share; without any, this is the end.
    pub fn not_started(&mut self, worker: u32, message: String, now: f64) -> Vec<Action<J, A>> {
        let Some(at) = self.find(worker) else {
            return Vec::new();
        };
        let lost = self.workers.remove(at).flight;
        debug_assert!(lost.is_none(), "a worker that never was has no job");
        if self.workers.is_empty() {
            return self.die(message);
        }
        self.most = self.workers.len();
        self.go_on(now)
    }

    /// Page and workers do not belong together, or the like: everything ends.
    pub fn die(&mut self, message: String) -> Vec<Action<J, A>> {
        self.plan = None;
        self.points.clear();
        let ends = self.workers.drain(..).map(|worker| Action::Terminate {
            worker: worker.number,
        });
        self.actions.extend(ends);
        self.actions
            .push(Action::Report(PoolEvent::Dead { message }));
        self.take_actions()
    }

    /// Time has passed.
    pub fn tick(&mut self, now: f64) -> Vec<Action<J, A>> {
        self.go_on(now)
    }

    /// When [`WorkerPool::tick`] has to be called next, if nothing else happens before.
    #[must_use]
    pub fn next_tick(&self) -> Option<f64> {
        let flights = || self.workers.iter().filter_map(|w| w.flight.as_ref());
        let ends = flights().filter_map(|flight| flight.overtaken_since);
        let plan = self.must_preempt().then_some(self.plan_since);
        let ends = ends.chain(plan).map(|since| since + OVERTAKEN_MS);
        let spreads = flights()
            .filter(|_| self.may_spread())
            .map(|flight| flight.last + SPREAD_MS);
        ends.chain(spreads).reduce(f64::min)
    }

    /// Returns true if no worker is left, and none will be started.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.workers.is_empty()
    }

    /// Jobs that a caller still waits for: the plan first, then points, those in flight before those that wait.
    pub fn open(&self) -> impl Iterator<Item = &J> {
        let flying = self.workers.iter().filter_map(|w| w.flight.as_ref());
        let flying = flying
            .filter(|flight| flight.overtaken_since.is_none())
            .flat_map(InFlight::entries);
        let all = self.plan.iter().chain(flying).chain(&self.points);
        all.map(|entry| &entry.job)
    }

    /// Ends what no caller waits for, sends what waits to those that are free, starts workers that are needed.
    fn go_on(&mut self, now: f64) -> Vec<Action<J, A>> {
        for at in 0..self.workers.len() {
            let flight = self.workers[at].flight.as_ref();
            let overtaken = flight.and_then(|flight| flight.overtaken_since);
            if overtaken.is_some_and(|since| now - since >= OVERTAKEN_MS) {
                self.replace(at);
            }
        }
        self.send(now);
        if self.must_preempt() && now - self.plan_since >= OVERTAKEN_MS {
            self.preempt();
        }
        self.spread(now);
        self.take_actions()
    }

    fn send(&mut self, now: f64) {
        while let Some(at) = self.workers.iter().position(Worker::is_free) {
            let batch = match self.plan.take() {
                Some(plan) => vec![plan],
                None => self.next_points(),
            };
            let Some(first) = batch.first() else {
                return;
            };
            self.last_id = self.last_id.wrapping_add(1);
            let jobs = batch.iter().map(|entry| entry.job.clone()).collect();
            self.actions.push(Action::Send {
                worker: self.workers[at].number,
                id: self.last_id,
                jobs,
            });
            let (lane, serial) = (first.lane, first.serial);
            let flight = InFlight::new(self.last_id, lane, serial, batch, now);
            self.workers[at].flight = Some(flight);
        }
    }

    /// The next points of one group. A job that has failed before goes alone, so that it harms no other.
    fn next_points(&mut self) -> Vec<QueuedJob<J>> {
        let share = self.points.len().div_ceil(self.workers.len().max(1));
        let most = match self.pace {
            Some(pace) if pace > 0.0 => (BATCH_MS / pace).clamp(1.0, MOST_AT_ONCE as f64) as usize,
            Some(_) => MOST_AT_ONCE,
            None => 1,
        };
        let Some(first) = self.points.front() else {
            return Vec::new();
        };
        let (group, alone) = (first.serial, first.failed);
        let most = if alone { 1 } else { most.min(share) };
        let goes_along = |entry: &&QueuedJob<J>| entry.serial == group && (alone || !entry.failed);
        let count = self.points.iter().take(most).take_while(goes_along).count();
        self.points.drain(..count).collect()
    }

    /// Returns true if a plan waits while all workers run points.
    fn must_preempt(&self) -> bool {
        let is_at_points = |worker: &Worker<J>| {
            let flight = worker.flight.as_ref();
            flight.is_some_and(|f| f.lane == Lane::Points && f.overtaken_since.is_none())
        };
        self.plan.is_some() && !self.workers.is_empty() && self.workers.iter().all(is_at_points)
    }

    /// Ends the worker that began last; its points wait again.
    fn preempt(&mut self) {
        let began = |at: &usize| self.workers[*at].flight.as_ref().map_or(0.0, |f| f.since);
        let youngest = (0..self.workers.len()).max_by(|a, b| began(a).total_cmp(&began(b)));
        if let Some(at) = youngest {
            if let Some(flight) = self.workers[at].flight.take() {
                self.put_back(flight);
            }
            self.replace(at);
        }
    }

    /// Points of an ended worker wait again, before all others.
    fn put_back(&mut self, flight: InFlight<J>) {
        for entry in flight.into_entries().rev() {
            self.points.push_front(entry);
        }
    }

    /// Decides about the job of a failed worker, and about those behind it.
    fn retry(&mut self, mut flight: InFlight<J>, now: f64) -> FailedJob<J> {
        let Some(mut entry) = flight.take_first() else {
            return FailedJob::Idle;
        };
        let job = entry.job.clone();
        self.put_back(flight);
        if entry.failed {
            return FailedJob::GivenUp(job);
        }
        entry.failed = true;
        match entry.lane {
            Lane::Plan => {
                self.plan = Some(entry);
                self.plan_since = now;
            }
            Lane::Points => self.points.push_front(entry),
        }
        FailedJob::Retried(job)
    }

    /// Returns true if more workers would help: points wait and no plan, no worker is free or starting, and more are allowed.
    fn may_spread(&self) -> bool {
        self.plan.is_none()
            && !self.points.is_empty()
            && self.workers.len() < self.most
            && self.workers.iter().all(|worker| worker.flight.is_some())
    }

    fn spread(&mut self, now: f64) {
        if !self.may_spread() {
            return;
        }
        let flights = self.workers.iter().filter_map(|w| w.flight.as_ref());
        let waited = flights.map(|flight| now - flight.last).fold(0.0, f64::max);
        let each = self.pace.unwrap_or(0.0).max(waited);
        let more = (each * self.points.len() as f64 / SPREAD_MS) as usize;
        for _ in 0..more.min(self.most - self.workers.len()) {
            self.start_one_more();
        }
    }

    fn start_one_more(&mut self) {
        self.last_worker += 1;
        let worker = self.last_worker;
        self.workers.push(Worker::new(worker));
        self.actions.push(Action::Start { worker });
    }

    /// Ends the worker at a place and starts another in it.
    fn replace(&mut self, at: usize) {
        self.last_worker += 1;
        let fresh = Worker::new(self.last_worker);
        let before = std::mem::replace(&mut self.workers[at], fresh);
        self.actions.push(Action::Terminate {
            worker: before.number,
        });
        self.actions.push(Action::Start {
            worker: self.last_worker,
        });
    }

    fn find(&self, worker: u32) -> Option<usize> {
        self.workers.iter().position(|own| own.number == worker)
    }

    fn take_actions(&mut self) -> Vec<Action<J, A>> {
        std::mem::take(&mut self.actions)
    }
}
