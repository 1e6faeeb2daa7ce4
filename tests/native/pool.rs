//! The pool of workers against made-up workers: what is sent to whom and when, and, over random sequences of
//! events, that no job is lost, none is tried a third time, and nobody dead or busy is sent anything.

use crate::cases::properties;
use engine::pool::{Action, FailedJob, MOST_FAILURES, OVERTAKEN_MS, PoolEvent, WorkerPool};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

type Act = Action<u32, &'static str>;

/// A pool of two workers whose first has just said that it is ready.
fn started() -> WorkerPool<u32, &'static str> {
    let (mut pool, actions) = WorkerPool::new(2);
    assert_eq!(actions, [Action::Start { worker: 1 }]);
    assert_eq!(pool.ready(1, 0.0), []);
    pool
}

fn send(worker: u32, id: u32, jobs: &[u32]) -> Act {
    Action::Send {
        worker,
        id,
        jobs: jobs.to_vec(),
    }
}

fn done(job: u32, millis: f64) -> Act {
    Action::Report(PoolEvent::Done {
        job,
        answer: "yes",
        millis,
    })
}

fn replaced(outcome: FailedJob<u32>) -> Act {
    Action::Report(PoolEvent::Replaced {
        message: "gone".into(),
        outcome,
    })
}

fn swap(old: u32, new: u32) -> [Act; 2] {
    [
        Action::Terminate { worker: old },
        Action::Start { worker: new },
    ]
}

#[test]
fn a_plan_waits_for_the_first_worker_only() {
    let (mut pool, _) = WorkerPool::<u32, &str>::new(8);
    assert_eq!(pool.plan(1, 0.0), []);
    assert_eq!(pool.next_tick(), None);
    assert_eq!(pool.ready(1, 5.0), [send(1, 1, &[1])]);
    assert_eq!(pool.answered(1, 1, 0, "yes", 9.0), [done(1, 4.0)]);
    assert_eq!(pool.open().count(), 0);
}

/// Parts of answers are passed on while somebody waits for the whole, and end nothing.
#[test]
fn bundles_are_shown_which_others_are_needed() {
    let mut pool = started();
    let part = |job| {
        Action::Report(PoolEvent::Partial {
            job,
            answer: "half",
        })
    };
    assert_eq!(pool.plan(1, 0.0), [send(1, 1, &[1])]);
    assert_eq!(pool.partial_answer(1, 1, 0, "half"), [part(1)]);
    assert_eq!(pool.partial_answer(1, 9, 0, "half"), [], "another request");
    assert_eq!(pool.partial_answer(1, 1, 1, "half"), [], "no such job");
    assert_eq!(pool.partial_answer(7, 1, 0, "half"), [], "no such worker");
    assert_eq!(pool.plan(2, 10.0), []);
    assert_eq!(pool.partial_answer(1, 1, 0, "half"), [], "overtaken");
    let next = pool.answered(1, 1, 0, "yes", 20.0);
    assert_eq!(next, [send(1, 2, &[2]), done(1, 20.0)]);
    assert_eq!(pool.partial_answer(1, 1, 0, "half"), [], "answered");
    assert_eq!(pool.partial_answer(1, 2, 0, "half"), [part(2)]);
}

#[test]
fn the_newest_plan_wins_and_an_overtaken_search_is_ended() {
    let mut pool = started();
    assert_eq!(pool.plan(1, 0.0), [send(1, 1, &[1])]);
    assert_eq!(pool.plan(2, 10.0), []);
    assert_eq!(pool.plan(3, 20.0), []);
    assert_eq!(pool.open().copied().collect::<Vec<_>>(), [3]);
    assert_eq!(pool.next_tick(), Some(10.0 + OVERTAKEN_MS));
    assert_eq!(pool.tick(209.0), []);
    assert_eq!(pool.tick(210.0), swap(1, 2));
    assert_eq!(pool.answered(1, 1, 0, "late", 211.0), []);
    assert_eq!(pool.ready(2, 220.0), [send(2, 2, &[3])]);
}

#[test]
fn an_overtaken_plan_that_comes_in_time_is_shown_on_the_way() {
    let mut pool = started();
    pool.plan(1, 0.0);
    pool.plan(2, 10.0);
    let actions = pool.answered(1, 1, 0, "yes", 30.0);
    assert_eq!(actions, [send(1, 2, &[2]), done(1, 30.0)]);
}

#[test]
fn the_progress_of_a_point_is_shown_during_the_search() {
    let mut pool = started();
    let sent = pool.points(7, [1, 2], 0.0);
    assert_eq!(sent[0], send(1, 1, &[1]));
    let told = Action::Report(PoolEvent::Reached {
        job: 1,
        share: Some(0.25),
    });
    assert_eq!(pool.searching(1, 1, Some(0.25)), [told]);
    assert_eq!(pool.searching(1, 2, Some(0.25)), []);
    pool.cancel(7, 10.0);
    assert_eq!(pool.searching(1, 1, Some(0.5)), []);
}

#[test]
fn an_older_plan_never_takes_the_place_of_a_newer_one() {
    let mut pool = with_two_workers();
    assert_eq!(pool.plan(1, 0.0), [send(1, 3, &[1])]);
    assert_eq!(pool.plan(2, 1.0), [send(2, 4, &[2])]);
    assert_eq!(pool.searching(1, 3, Some(0.5)), []);
    let told = Action::Report(PoolEvent::Searching { share: Some(0.5) });
    assert_eq!(pool.searching(2, 4, Some(0.5)), [told]);
    assert_eq!(pool.answered(2, 4, 0, "yes", 3.0), [done(2, 2.0)]);
    assert_eq!(pool.answered(1, 3, 0, "yes", 4.0), []);
}

/// Both workers run and are free; two requests have been answered.
fn with_two_workers() -> WorkerPool<u32, &'static str> {
    let mut pool = started();
    assert_eq!(pool.points(0, [1, 2], 0.0), [send(1, 1, &[1])]);
    assert_eq!(pool.tick(60.0), [Action::Start { worker: 2 }]);
    assert_eq!(pool.ready(2, 70.0), [send(2, 2, &[2])]);
    assert_eq!(pool.answered(1, 1, 0, "yes", 80.0), [done(1, 80.0)]);
    assert_eq!(pool.answered(2, 2, 0, "yes", 80.0), [done(2, 10.0)]);
    pool
}

#[test]
fn a_plan_goes_before_points_and_further_workers_start_only_when_there_is_much_to_do() {
    let mut pool = started();
    pool.plan(100, 0.0);
    pool.answered(1, 1, 0, "yes", 2.0);
    // Six points of two milliseconds: one worker, and the points go to it at once.
    assert_eq!(
        pool.points(1, 0..6, 10.0),
        [send(1, 2, &[0, 1, 2, 3, 4, 5])]
    );
    assert_eq!(pool.plan(101, 11.0), []);
    for at in 0..5 {
        assert_eq!(pool.answered(1, 2, at, "yes", 12.0).len(), 1);
    }
    let last = pool.answered(1, 2, 5, "yes", 22.0);
    assert_eq!(last, [send(1, 3, &[101]), done(5, 10.0)]);
    pool.answered(1, 3, 0, "yes", 24.0);
    // Sixty-four of them: another worker.
    let many = pool.points(2, 0..64, 30.0);
    assert_eq!(many[1], Action::Start { worker: 2 });
    assert_eq!(many.len(), 2);
    let Action::Send { jobs, .. } = &many[0] else {
        panic!("{many:?}");
    };
    assert!(jobs.len() > 4 && jobs[0] == 0, "{jobs:?}");
}

#[test]
fn a_plan_that_waits_behind_long_points_ends_one_of_them_and_no_point_is_lost() {
    let mut pool = started();
    assert_eq!(pool.points(1, [1, 2], 0.0), [send(1, 1, &[1])]);
    assert_eq!(pool.tick(60.0), [Action::Start { worker: 2 }]);
    assert_eq!(pool.ready(2, 70.0), [send(2, 2, &[2])]);
    assert_eq!(pool.plan(9, 100.0), []);
    assert_eq!(pool.next_tick(), Some(300.0));
    assert_eq!(pool.tick(300.0), swap(2, 3));
    assert_eq!(pool.ready(3, 310.0), [send(3, 3, &[9])]);
    assert_eq!(
        pool.answered(3, 3, 0, "yes", 320.0),
        [send(3, 4, &[2]), done(9, 10.0)]
    );
}

#[test]
fn a_cancelled_group_is_silent_and_long_work_for_it_is_ended() {
    let (mut pool, _) = WorkerPool::new(1);
    pool.ready(1, 0.0);
    pool.plan(100, 0.0);
    pool.answered(1, 1, 0, "yes", 2.0);
    pool.points(1, [1, 2], 10.0);
    pool.points(2, [3], 10.0);
    assert_eq!(pool.cancel(1, 20.0), []);
    assert_eq!(pool.answered(1, 2, 0, "yes", 21.0), []);
    assert_eq!(pool.next_tick(), Some(220.0));
    assert_eq!(pool.tick(220.0), swap(1, 2));
    assert_eq!(pool.ready(2, 230.0), [send(2, 3, &[3])]);
}

#[test]
fn urgent_jobs_are_sent_before_waiting_ones_but_not_before_a_plan() {
    let (mut pool, _) = WorkerPool::new(1);
    pool.ready(1, 0.0);
    assert_eq!(pool.points(1, [1, 2, 3], 0.0), [send(1, 1, &[1])]);
    assert_eq!(pool.ahead(1, 9, 5.0), []);
    pool.plan(100, 6.0);
    let next = pool.answered(1, 1, 0, "yes", 50.0);
    assert_eq!(next, [send(1, 2, &[100]), done(1, 50.0)]);
    let next = pool.answered(1, 2, 0, "yes", 100.0);
    assert_eq!(next, [send(1, 3, &[9]), done(100, 50.0)]);
    let next = pool.answered(1, 3, 0, "yes", 150.0);
    assert_eq!(next, [send(1, 4, &[2]), done(9, 50.0)]);
}

#[test]
fn the_job_of_a_worker_that_fails_is_tried_once_more_alone_and_then_given_up() {
    let mut pool = started();
    pool.plan(100, 0.0);
    pool.answered(1, 1, 0, "yes", 2.0);
    assert_eq!(pool.points(1, [1, 2, 3], 10.0), [send(1, 2, &[1, 2, 3])]);
    assert_eq!(pool.answered(1, 2, 0, "yes", 12.0), [done(1, 2.0)]);
    let [end, start] = swap(1, 2);
    assert_eq!(
        pool.failed(1, "gone".into(), 13.0),
        [end, start, replaced(FailedJob::Retried(2))]
    );
    assert_eq!(pool.ready(2, 20.0), [send(2, 3, &[2])]);
    let [end, start] = swap(2, 3);
    assert_eq!(
        pool.failed(2, "gone".into(), 21.0),
        [end, start, replaced(FailedJob::GivenUp(2))]
    );
    assert_eq!(pool.ready(3, 30.0), [send(3, 4, &[3])]);
    assert_eq!(pool.answered(3, 4, 0, "yes", 32.0), [done(3, 2.0)]);
}

#[test]
fn a_plan_of_a_failed_worker_is_tried_again_unless_a_newer_one_waits() {
    let mut pool = started();
    pool.plan(1, 0.0);
    let news = pool.failed(1, "gone".into(), 1.0);
    assert_eq!(news[2], replaced(FailedJob::Retried(1)));
    assert_eq!(pool.ready(2, 2.0), [send(2, 2, &[1])]);
    pool.plan(2, 3.0);
    let news = pool.failed(2, "gone".into(), 4.0);
    assert_eq!(news[2], replaced(FailedJob::Idle));
    assert_eq!(pool.ready(3, 5.0), [send(3, 3, &[2])]);
}

#[test]
fn too_many_failures_in_a_row_are_the_end() {
    let mut pool = started();
    for n in 1..MOST_FAILURES {
        pool.failed(n, "gone".into(), 0.0);
    }
    let dead = Action::Report(PoolEvent::Dead {
        message: "gone".into(),
    });
    let end = Action::Terminate {
        worker: MOST_FAILURES,
    };
    assert_eq!(
        pool.failed(MOST_FAILURES, "gone".into(), 0.0),
        [end, dead.clone()]
    );
    assert!(pool.is_dead());
    assert_eq!(pool.plan(1, 1.0), []);
    assert_eq!(pool.points(1, [1], 1.0), []);
    assert_eq!(pool.next_tick(), None);

    let (mut pool, _) = WorkerPool::<u32, &str>::new(2);
    assert_eq!(pool.not_started(1, "gone".into(), 0.0), [dead]);
}

#[test]
fn a_stopped_search_is_ended_and_an_idle_worker_is_kept() {
    let mut pool = started();
    assert_eq!(pool.stop(0.0), []);
    pool.plan(1, 0.0);
    assert_eq!(pool.stop(1.0), swap(1, 2));
    assert_eq!(pool.open().count(), 0);
    assert_eq!(pool.ready(2, 2.0), []);
}

/// Something that happens; numbers choose among whatever is there.
#[derive(Debug, Clone)]
enum Event {
    Plan,
    Points(u32, u32),
    Cancel(u32),
    Ready(usize),
    NotStarted(usize),
    Answer(usize),
    Late(usize),
    Fail(usize),
    Wait(u32),
    Stop,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        3 => Just(Event::Plan),
        3 => (0..3_u32, 1..40_u32).prop_map(|(group, count)| Event::Points(group, count)),
        1 => (0..3_u32).prop_map(Event::Cancel),
        6 => (0..8_usize).prop_map(Event::Ready),
        1 => (0..8_usize).prop_map(Event::NotStarted),
        20 => (0..8_usize).prop_map(Event::Answer),
        2 => (0..8_usize).prop_map(Event::Late),
        2 => (0..8_usize).prop_map(Event::Fail),
        6 => (0..120_u32).prop_map(Event::Wait),
        1 => Just(Event::Stop),
    ]
}

/// Workers that are ready, with the request they are at and how many of its jobs they have answered.
type Ready = BTreeMap<u32, Option<(u32, Vec<u32>, usize)>>;

/// Made-up workers, and everything that is known about every job.
#[derive(Default)]
struct World {
    now: f64,
    next_job: u32,
    starting: Vec<u32>,
    ready: Ready,
    ended: Vec<(u32, u32)>,
    seen: BTreeSet<u32>,
    plans: BTreeSet<u32>,
    group: BTreeMap<u32, u32>,
    wanted: BTreeSet<u32>,
    failures: BTreeMap<u32, u32>,
    over: BTreeMap<u32, &'static str>,
    /// The job whose answer is being heard.
    landing: Option<u32>,
    dead: bool,
    most: usize,
}

impl World {
    fn ask(&mut self) -> u32 {
        self.next_job += 1;
        self.wanted.insert(self.next_job);
        self.next_job
    }

    fn end(&mut self, job: u32, how: &'static str) {
        let before = self.over.insert(job, how);
        assert_eq!(before, None, "job {job} ended twice, now {how}");
        self.wanted.remove(&job);
    }

    fn free(&self) -> bool {
        self.ready.values().any(Option::is_none)
    }

    fn check(&mut self, actions: Vec<Act>) {
        for action in actions {
            match action {
                Action::Start { worker } => {
                    assert!(self.seen.insert(worker), "worker {worker} started twice");
                    self.starting.push(worker);
                    let count = self.starting.len() + self.ready.len();
                    assert!(count <= self.most, "{count} workers");
                }
                Action::Terminate { worker } => {
                    let was_starting = self.starting.contains(&worker);
                    self.starting.retain(|w| *w != worker);
                    let was_ready = self.ready.remove(&worker);
                    assert!(was_starting || was_ready.is_some(), "{worker} is unknown");
                    if let Some(Some((id, ..))) = was_ready {
                        self.ended.push((worker, id));
                    }
                }
                Action::Send { worker, id, jobs } => {
                    let place = self
                        .ready
                        .get_mut(&worker)
                        .expect("a live and ready worker");
                    assert!(place.is_none(), "worker {worker} is busy");
                    assert!(!jobs.is_empty());
                    let is_plan = self.plans.contains(&jobs[0]);
                    assert!(!is_plan || jobs.len() == 1);
                    let groups: BTreeSet<_> = jobs.iter().map(|j| self.group.get(j)).collect();
                    assert_eq!(groups.len(), 1, "one group at a time");
                    if !is_plan {
                        let waits = self.wanted.iter().any(|job| {
                            self.plans.contains(job)
                                && Some(*job) != self.landing
                                && !at_work(&self.ready, *job)
                        });
                        assert!(!waits, "a point goes before a plan");
                    }
                    for job in &jobs {
                        assert!(self.wanted.contains(job), "nobody waits for job {job}");
                        assert!(!at_work(&self.ready, *job), "job {job} at two workers");
                    }
                    self.ready.insert(worker, Some((id, jobs, 0)));
                }
                Action::Report(PoolEvent::Done { job, .. }) => self.end(job, "done"),
                Action::Report(PoolEvent::Replaced { outcome, .. }) => match outcome {
                    FailedJob::Idle => {}
                    FailedJob::Retried(job) => assert_eq!(self.failures[&job], 1),
                    FailedJob::GivenUp(job) => {
                        assert_eq!(self.failures[&job], 2);
                        self.end(job, "given up");
                    }
                },
                Action::Report(PoolEvent::Dead { .. }) => {
                    assert!(self.starting.is_empty() && self.ready.is_empty());
                    self.dead = true;
                    self.wanted.clear();
                }
                Action::Report(PoolEvent::Searching { .. } | PoolEvent::Reached { .. }) => {}
                Action::Report(PoolEvent::Partial { job, .. }) => {
                    assert!(
                        self.wanted.contains(&job),
                        "a part of {job}, which nobody waits for"
                    );
                }
            }
        }
    }

    fn forget(&mut self, which: impl Fn(&Self, u32) -> bool) {
        let mut gone: Vec<u32> = self.wanted.iter().copied().collect();
        gone.retain(|job| which(self, *job));
        for job in gone {
            self.wanted.remove(&job);
            if !self.plans.contains(&job) {
                self.over.insert(job, "cancelled");
            }
        }
    }

    fn happen(&mut self, pool: &mut WorkerPool<u32, &'static str>, event: Event) {
        let pick = |count: usize, at: usize| (count > 0).then(|| at % count);
        let busy: Vec<u32> = self
            .ready
            .iter()
            .filter(|(_, at)| at.is_some())
            .map(|(worker, _)| *worker)
            .collect();
        match event {
            Event::Plan if !self.dead => {
                self.forget(|world, job| world.plans.contains(&job));
                let job = self.ask();
                self.plans.insert(job);
                let actions = pool.plan(job, self.now);
                self.check(actions);
            }
            Event::Points(group, count) if !self.dead => {
                let jobs: Vec<u32> = (0..count).map(|_| self.ask()).collect();
                self.group.extend(jobs.iter().map(|job| (*job, group)));
                let actions = pool.points(group, jobs, self.now);
                self.check(actions);
            }
            Event::Cancel(group) => {
                self.forget(|world, job| world.group.get(&job) == Some(&group));
                let actions = pool.cancel(group, self.now);
                self.check(actions);
            }
            Event::Ready(at) => {
                if let Some(at) = pick(self.starting.len(), at) {
                    let worker = self.starting.remove(at);
                    self.ready.insert(worker, None);
                    let actions = pool.ready(worker, self.now);
                    self.check(actions);
                }
            }
            Event::NotStarted(at) => {
                if let Some(at) = pick(self.starting.len(), at) {
                    let worker = self.starting.remove(at);
                    let actions = pool.not_started(worker, "no".into(), self.now);
                    self.check(actions);
                }
            }
            Event::Answer(at) => {
                if let Some(at) = pick(busy.len(), at) {
                    let place = self.ready.get_mut(&busy[at]).expect("a busy worker");
                    let (id, jobs, next) = place.clone().expect("a busy worker");
                    self.landing = Some(jobs[next]);
                    *place = (next + 1 < jobs.len()).then(|| (id, jobs, next + 1));
                    let actions = pool.answered(busy[at], id, next, "yes", self.now);
                    self.check(actions);
                    self.landing = None;
                }
            }
            Event::Late(at) => {
                if let Some(at) = pick(self.ended.len(), at) {
                    let (worker, id) = self.ended[at];
                    assert_eq!(pool.answered(worker, id, 0, "late", self.now), []);
                    assert_eq!(pool.failed(worker, "late".into(), self.now), []);
                    assert_eq!(pool.searching(worker, id, None), []);
                }
            }
            Event::Fail(at) => {
                let live: Vec<u32> = self.ready.keys().copied().collect();
                if let Some(at) = pick(live.len(), at) {
                    if let Some((_, jobs, next)) = &self.ready[&live[at]] {
                        let job = jobs[*next];
                        if self.wanted.contains(&job) {
                            *self.failures.entry(job).or_default() += 1;
                            assert!(self.failures[&job] <= 2, "job {job} was tried a third time");
                        }
                    }
                    let actions = pool.failed(live[at], "gone".into(), self.now);
                    self.check(actions);
                }
            }
            Event::Wait(millis) => {
                self.now += f64::from(millis);
                let actions = pool.tick(self.now);
                self.check(actions);
                let next = pool.next_tick();
                assert!(
                    next.is_none_or(|next| next > self.now),
                    "{next:?} has passed"
                );
            }
            Event::Stop => {
                self.forget(|_, _| true);
                let actions = pool.stop(self.now);
                self.check(actions);
                assert!(self.dead || self.ready.values().all(Option::is_none));
            }
            Event::Plan | Event::Points(..) => {}
        }
        let open: Vec<u32> = pool.open().copied().collect();
        let unique: BTreeSet<u32> = open.iter().copied().collect();
        assert_eq!(open.len(), unique.len(), "a job is in two places: {open:?}");
        assert_eq!(unique, self.wanted, "lost or forgotten jobs");
        let idle = self.free() && !self.wanted.is_empty();
        let all_at_work = self.wanted.iter().all(|job| at_work(&self.ready, *job));
        assert!(!idle || all_at_work, "a worker is free while a job waits");
    }
}

fn at_work(ready: &Ready, job: u32) -> bool {
    ready
        .values()
        .flatten()
        .any(|(_, jobs, next)| jobs[*next..].contains(&job))
}

proptest! {
    #![proptest_config(properties(400))]

    #[test]
    fn no_job_is_lost_whatever_happens(
        most in 1..5_usize,
        events in prop::collection::vec(event(), 1..160),
    ) {
        let (mut pool, actions) = WorkerPool::new(most);
        let mut world = World { most, ..World::default() };
        world.check(actions);
        for event in events {
            world.happen(&mut pool, event);
        }
        // From here on nothing fails any more: every job that is still wanted is answered.
        for _ in 0..100_000 {
            if world.dead || world.wanted.is_empty() {
                break;
            }
            for event in [Event::Ready(0), Event::Answer(0), Event::Wait(30)] {
                world.happen(&mut pool, event);
            }
        }
        prop_assert!(world.wanted.is_empty(), "never answered: {:?}", world.wanted);
    }
}
