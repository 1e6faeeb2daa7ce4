//! A worker, and the request it is at.

/// Purpose of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    /// The plan itself.
    Plan,
    /// Points of a sweep.
    Points,
}

/// A job on its way.
#[derive(Debug, Clone)]
pub(super) struct QueuedJob<J> {
    pub(super) job: J,
    pub(super) lane: Lane,
    /// Of plans, which one it is; of points, their group.
    pub(super) serial: u64,
    /// True if a worker has failed at it.
    pub(super) failed: bool,
}

impl<J> QueuedJob<J> {
    pub(super) fn new(job: J, lane: Lane, serial: u64) -> Self {
        Self {
            job,
            lane,
            serial,
            failed: false,
        }
    }
}

/// A worker that has been asked for.
#[derive(Debug)]
pub(super) struct Worker<J> {
    pub(super) number: u32,
    /// True once it has reported that it reads requests.
    pub(super) ready: bool,
    pub(super) flight: Option<InFlight<J>>,
}

impl<J> Worker<J> {
    pub(super) fn new(number: u32) -> Self {
        Self {
            number,
            ready: false,
            flight: None,
        }
    }

    pub(super) fn is_free(&self) -> bool {
        self.ready && self.flight.is_none()
    }

    /// Marks its job as no longer needed, if `which` selects it.
    pub(super) fn overtake(&mut self, which: impl Fn(&InFlight<J>) -> bool, now: f64) {
        if let Some(flight) = self.flight.as_mut().filter(|flight| which(flight)) {
            flight.overtaken_since.get_or_insert(now);
        }
    }
}

/// A request at a worker.
#[derive(Debug)]
pub(super) struct InFlight<J> {
    pub(super) id: u32,
    pub(super) lane: Lane,
    pub(super) serial: u64,
    /// Its jobs; those that are answered are gone.
    jobs: Vec<Option<QueuedJob<J>>>,
    /// When it was sent [ms].
    pub(super) since: f64,
    /// When its last answer came, or it was sent [ms].
    pub(super) last: f64,
    /// Since when no caller waits for it [ms].
    pub(super) overtaken_since: Option<f64>,
}

/// A job that is answered.
pub(super) struct Landed<J> {
    pub(super) entry: QueuedJob<J>,
    pub(super) millis: f64,
}

impl<J> InFlight<J> {
    pub(super) fn new(id: u32, lane: Lane, serial: u64, jobs: Vec<QueuedJob<J>>, now: f64) -> Self {
        Self {
            id,
            lane,
            serial,
            jobs: jobs.into_iter().map(Some).collect(),
            since: now,
            last: now,
            overtaken_since: None,
        }
    }

    /// Takes the job that is answered; `None` when it has been answered before or never was.
    pub(super) fn land(&mut self, at: usize, now: f64) -> Option<Landed<J>> {
        let entry = self.jobs.get_mut(at)?.take()?;
        let millis = now - self.last;
        self.last = now;
        Some(Landed { entry, millis })
    }

    /// The job at a place, while it is not answered.
    pub(super) fn job(&self, at: usize) -> Option<&J> {
        let entry = self.jobs.get(at)?.as_ref();
        entry.map(|entry| &entry.job)
    }

    pub(super) fn is_over(&self) -> bool {
        self.jobs.iter().all(Option::is_none)
    }

    /// Time of one of its jobs [ms].
    pub(super) fn pace(&self, now: f64) -> f64 {
        (now - self.since) / self.jobs.len() as f64
    }

    /// The job that the worker is at: jobs are answered in order.
    pub(super) fn take_first(&mut self) -> Option<QueuedJob<J>> {
        self.jobs.iter_mut().find_map(Option::take)
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = &QueuedJob<J>> {
        self.jobs.iter().flatten()
    }

    pub(super) fn into_entries(self) -> impl DoubleEndedIterator<Item = QueuedJob<J>> {
        self.jobs.into_iter().flatten()
    }
}
