//! Requests that meet: devices that serve one at a time, and models that have to be loaded.

use super::race::{Contest, PlannedMove, Raced, Wait, Winning};
use super::requests::{RequestSource, SimulatedRequest};
use super::setting::{Cold, RunSettings};
use engine::plan::dispatch::Scarce;
use engine::sim::{EventKey, EventQueue};
use std::collections::VecDeque;

/// Classes of events, in their order within an instant.
const FREE: u8 = 0;
const UNCONSTRAINED: u8 = 1;
const CONSTRAINED: u8 = 2;
const DEVICE_REQUEST: u8 = 3;
const MOVE: u8 = 4;
const ARRIVAL: u8 = 5;
/// The policy of an arrival, which belongs to all.
const ALL: u16 = u16::MAX;

/// An event: of the race in a slot, a device that becomes free, or the next arrival.
#[derive(Debug, Clone, Copy)]
enum Event {
    Arrival,
    Server(u32),
    Device(u32),
    DeviceRequest(u32),
    Move(u32),
    Free(u32),
}

/// How far a race has come.
#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    /// The wait is not over.
    Before,
    /// In line for the device.
    InLine,
    /// The device is at it, since this time [s].
    Prefill(f64),
    /// The server won, and the request will move to a device.
    Decided(Raced),
    /// Over; the slot is free as soon as nothing is in line under its number.
    Over,
}

/// A race under way.
#[derive(Debug, Clone, Copy)]
struct Race {
    request: SimulatedRequest,
    server: bool,
    wait: Wait,
    state: State,
}

/// A device of a policy.
#[derive(Debug, Clone, Default)]
struct Device {
    is_busy: bool,
    line: VecDeque<u32>,
    /// Until when it has been in use, or will be [s].
    used: Option<f64>,
}

/// All of it.
#[derive(Debug)]
pub(super) struct QueueingSimulation<'a> {
    setting: &'a RunSettings,
    queue: EventQueue<Event>,
    next: Option<SimulatedRequest>,
    begun: bool,
    races: Vec<Race>,
    spare: Vec<u32>,
    /// Policy by policy.
    devices: Vec<Vec<Device>>,
}

impl<'a> QueueingSimulation<'a> {
    pub fn new(setting: &'a RunSettings, policies: usize) -> Self {
        let devices = vec![Device::default(); setting.problem.devices().len()];
        Self {
            setting,
            queue: EventQueue::default(),
            next: None,
            begun: false,
            races: Vec::new(),
            spare: Vec::new(),
            devices: vec![devices; policies],
        }
    }

    /// As `advance` of the simulator.
    pub fn advance(
        &mut self,
        requests: &mut RequestSource<'_>,
        contests: &mut [Contest<'_>],
        count: usize,
    ) -> bool {
        if !self.begun {
            self.begun = true;
            self.announce(requests);
        }
        let mut left = count;
        while left > 0 {
            let Some((key, event)) = self.queue.pop() else {
                return false;
            };
            let (now, policy) = (key.time(), key.second());
            if let Event::Arrival = event {
                left -= 1;
                let arrived = self.next.take();
                self.announce(requests);
                if let Some(request) = arrived {
                    for (at, contest) in contests.iter_mut().enumerate() {
                        self.arrive(contest, at as u16, request);
                    }
                }
                // The last one is played to its end.
                if self.next.is_none() {
                    left = usize::MAX;
                }
                continue;
            }
            let contest = &mut contests[usize::from(policy)];
            match event {
                Event::Arrival => {}
                Event::Server(slot) => self.server(contest, (now, policy), key.first(), slot),
                Event::Device(slot) => self.first_token(contest, (now, policy), key.first(), slot),
                Event::DeviceRequest(slot) => {
                    self.request_device(contest, (now, policy), key.first(), slot)
                }
                Event::Move(slot) => self.hand_over(contest, (now, policy), slot),
                Event::Free(device) => self.free(contest, (now, policy), device as usize),
            }
        }
        true
    }

    fn announce(&mut self, requests: &mut RequestSource<'_>) {
        self.next = requests.next();
        if let Some(request) = &self.next {
            let key = EventKey::new(request.arrival, ARRIVAL, request.number, ALL);
            self.queue.put(key, Event::Arrival);
        }
    }

    fn arrive(&mut self, contest: &mut Contest<'_>, policy: u16, request: SimulatedRequest) {
        let start = contest.start(&request);
        let race = start
            .device
            .filter(|wait| !start.server || request.server > wait.wait);
        let Some(wait) = race else {
            let raced = contest.server_alone(request.server);
            self.won_by_server(contest, policy, request, raced);
            return;
        };
        let slot = self.slot(Race {
            request,
            server: start.server,
            wait,
            state: State::Before,
        });
        if start.server {
            let class = match contest.scarce {
                Scarce::Device => UNCONSTRAINED,
                Scarce::Server => CONSTRAINED,
            };
            let time = request.arrival + request.server;
            let key = EventKey::new(time, class, request.number, policy);
            self.queue.put(key, Event::Server(slot));
        }
        let key = EventKey::new(
            request.arrival + wait.wait,
            DEVICE_REQUEST,
            request.number,
            policy,
        );
        self.queue.put(key, Event::DeviceRequest(slot));
    }

    fn slot(&mut self, race: Race) -> u32 {
        match self.spare.pop() {
            Some(slot) => {
                self.races[slot as usize] = race;
                slot
            }
            None => {
                self.races.push(race);
                (self.races.len() - 1) as u32
            }
        }
    }

    /// The race of a slot, if it still is that of the request and not over.
    fn race(&self, slot: u32, number: u32) -> Option<Race> {
        let race = self.races[slot as usize];
        (race.request.number == number && race.state != State::Over).then_some(race)
    }

    /// A request wants its device now.
    fn request_device(
        &mut self,
        contest: &mut Contest<'_>,
        at: (f64, u16),
        number: u32,
        slot: u32,
    ) {
        let Some(race) = self.race(slot, number) else {
            return;
        };
        let device = &mut self.devices[usize::from(at.1)][race.wait.device];
        if device.is_busy {
            self.races[slot as usize].state = State::InLine;
            device.line.push_back(slot);
            contest.tally.waited += 1.0;
        } else {
            self.begin(contest, at, slot);
        }
    }

    /// A device begins with the prompt of a request.
    fn begin(&mut self, contest: &mut Contest<'_>, (now, policy): (f64, u16), slot: u32) {
        let race = self.races[slot as usize];
        let from = now + self.load(contest, (now, policy), race.wait.device);
        self.races[slot as usize].state = State::Prefill(from);
        let device = &mut self.devices[usize::from(policy)][race.wait.device];
        device.is_busy = self.setting.queueing;
        let until = from + race.wait.first_token_s;
        device.used = Some(device.used.map_or(until, |used| used.max(until)));
        let class = match contest.scarce {
            Scarce::Device => CONSTRAINED,
            Scarce::Server => UNCONSTRAINED,
        };
        let key = EventKey::new(
            from + race.wait.first_token_s,
            class,
            race.request.number,
            policy,
        );
        self.queue.put(key, Event::Device(slot));
    }

    /// How long it takes until a device has its model [s].
    fn load(&self, contest: &mut Contest<'_>, (now, policy): (f64, u16), device: usize) -> f64 {
        let Some(Cold { load, idle }) = self.setting.cold else {
            return 0.0;
        };
        let device = &self.devices[usize::from(policy)][device];
        if device.is_busy || device.used.is_some_and(|used| now - used <= idle) {
            return 0.0;
        }
        contest.tally.loaded += 1.0;
        load
    }

    /// The server's first token of a race.
    fn server(&mut self, contest: &mut Contest<'_>, at: (f64, u16), number: u32, slot: u32) {
        let Some(race) = self.race(slot, number) else {
            return;
        };
        let m = race.wait.device;
        let device_started = match race.state {
            State::Prefill(from) => {
                let seconds = (at.0 - from).max(0.0);
                Some((m, contest.done(race.request.length, m, seconds)))
            }
            // It had not begun with it.
            _ => None,
        };
        let raced = Raced {
            device_started,
            ..contest.server_alone(race.request.server)
        };
        self.races[slot as usize].state = State::Over;
        if race.state != State::InLine {
            self.spare.push(slot);
        }
        if device_started.is_some() {
            self.free(contest, at, m);
        }
        self.won_by_server(contest, at.1, race.request, raced);
    }

    /// Handles a request that the server won.
    fn won_by_server(
        &mut self,
        contest: &mut Contest<'_>,
        policy: u16,
        request: SimulatedRequest,
        raced: Raced,
    ) {
        let Some(planned) = contest.planned(&request, Winning::Server) else {
            contest.finish(&request, &raced, None);
            return;
        };
        let wait = Wait {
            device: contest.target(&request),
            wait: 0.0,
            first_token_s: 0.0,
        };
        let slot = self.slot(Race {
            request,
            server: true,
            wait,
            state: State::Decided(raced),
        });
        let time = request.arrival + raced.ttft + planned.from;
        let key = EventKey::new(time, MOVE, request.number, policy);
        self.queue.put(key, Event::Move(slot));
    }

    /// A request moves from the server to its device, unless that is busy.
    fn hand_over(&mut self, contest: &mut Contest<'_>, (now, policy): (f64, u16), slot: u32) {
        let race = self.races[slot as usize];
        self.races[slot as usize].state = State::Over;
        self.spare.push(slot);
        let State::Decided(raced) = race.state else {
            return;
        };
        let Some(planned) = contest.planned(&race.request, Winning::Server) else {
            return;
        };
        let m = race.wait.device;
        if self.devices[usize::from(policy)][m].is_busy {
            contest.tally.blocked_share += 1.0;
            contest.finish(&race.request, &raced, None);
            return;
        }
        let takes = planned.duration_s + self.load(contest, (now, policy), m);
        let moved = PlannedMove {
            duration_s: takes,
            ..planned
        };
        contest.finish(&race.request, &raced, Some(moved));
        let tokens = race.request.output - planned.after - 1;
        let rate = self.setting.terms.devices[m].rate;
        self.occupy(
            (now, policy),
            m,
            race.request.number,
            takes + f64::from(tokens) / rate,
        );
    }

    /// A device is in use for a time [s] from now on.
    fn occupy(&mut self, (now, policy): (f64, u16), device: usize, number: u32, seconds: f64) {
        let state = &mut self.devices[usize::from(policy)][device];
        state.is_busy = self.setting.queueing;
        state.used = Some(
            state
                .used
                .map_or(now + seconds, |used| used.max(now + seconds)),
        );
        let key = EventKey::new(now + seconds, FREE, number, policy);
        self.queue.put(key, Event::Free(device as u32));
    }

    /// The device's first token of a race.
    fn first_token(&mut self, contest: &mut Contest<'_>, at: (f64, u16), number: u32, slot: u32) {
        let Some(race) = self.race(slot, number) else {
            return;
        };
        self.races[slot as usize].state = State::Over;
        self.spare.push(slot);
        let (request, m) = (race.request, race.wait.device);
        let raced = Raced {
            first: Winning::Device(m),
            ttft: at.0 - request.arrival,
            server_started: race.server,
            device_started: Some((m, 0.0)),
        };
        let moved = contest.planned(&request, raced.first);
        contest.finish(&request, &raced, moved);
        let last = moved.map_or(request.output, |moved| moved.after) - 1;
        let rate = self.setting.terms.devices[m].rate;
        self.occupy(at, m, request.number, f64::from(last) / rate);
    }

    /// A device becomes free, and begins with the first request in its queue.
    fn free(&mut self, contest: &mut Contest<'_>, at: (f64, u16), device: usize) {
        let state = &mut self.devices[usize::from(at.1)][device];
        if self.setting.queueing {
            // A cancelled prompt ends before its time.
            state.used = Some(at.0);
        }
        state.is_busy = false;
        while let Some(slot) = self.devices[usize::from(at.1)][device].line.pop_front() {
            if self.races[slot as usize].state == State::InLine {
                self.begin(contest, at, slot);
                return;
            }
            self.spare.push(slot);
        }
    }
}
