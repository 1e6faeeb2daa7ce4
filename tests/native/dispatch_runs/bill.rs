//! The bill of a policy against plain enumeration: every length, act, time of the server, output length and time of the
//! server in the hand-over, each played out token by token.

use crate::cases::cases;
use crate::instances::Draw;
use engine::evaluate::dispatch_cost::{Bill, bill};
use engine::evaluate::migration::timeline;
use engine::plan::dispatch::{Policy, Scarce, Starts};
use engine::plan::moves::Moves;
use engine::problem::dispatch::{DispatchDevice, DispatchProblem, PromptLengths, ServerTimes};
use engine::problem::dispatch_terms::{Charging, Outputs, Terms};
use engine::problem::migration::{CaseNumbers, End, MigrationCase, Prices, Winner};
use methods::dispatch::migration::moves;

/// A small instance with everything in it: two devices, mixtures of acts, times with weights.
fn random(draw: &mut Draw, slow: bool) -> (DispatchProblem, Policy, Scarce, Terms) {
    let lengths: Vec<(u32, f64)> = (0..3)
        .map(|_| (1 + draw.below(40) as u32, draw.between(0.2, 2.0)))
        .collect();
    let prompts = PromptLengths::new(&lengths).expect("lengths");
    let times: Vec<(f64, f64)> = (0..5)
        .map(|_| (draw.between(0.05, 3.0), draw.between(0.1, 1.0)))
        .collect();
    let times = ServerTimes::of_counts(&times).expect("times");
    let devices: Vec<DispatchDevice> = (0..2)
        .map(|_| DispatchDevice {
            prefill_rate: draw.between(5.0, 60.0),
            constant: draw.between(0.0, 0.3),
        })
        .collect();
    let scarce = [Scarce::Device, Scarce::Server][draw.below(2)];
    let act = |draw: &mut Draw| {
        let m = draw.below(2);
        match draw.below(4) {
            0 => Starts::SERVER,
            1 => Starts::device(m),
            2 => Starts::race(m, Some(0.0)),
            // A wait that is one of the times is a tie that the server wins.
            _ => Starts::race(m, Some(times.values()[draw.below(times.values().len())])),
        }
    };
    let mixtures = prompts.lengths().iter().map(|_| {
        let share = draw.unit();
        vec![(share, act(draw)), (1.0 - share, act(draw))]
    });
    let policy = Policy {
        acts: mixtures.collect(),
    };
    let reader = draw.between(3.0, 8.0);
    let rate = |draw: &mut Draw| {
        if slow {
            draw.between(1.0, 12.0)
        } else {
            draw.between(reader, 40.0)
        }
    };
    let end = |draw: &mut Draw| End {
        rate: rate(draw),
        prefill: draw.between(0.0, 0.5),
        decode: draw.between(0.0, 4.0),
    };
    let outputs: Vec<(u32, f64)> = (0..4)
        .map(|_| (1 + draw.below(60) as u32, draw.between(0.2, 1.0)))
        .collect();
    let terms = Terms {
        devices: vec![end(draw), end(draw)],
        server: end(draw),
        reader,
        net: draw.between(0.0, 0.2),
        expected: draw.between(0.0, 80.0),
        estimate: draw.between(0.05, 2.0),
        extra: 0.0,
        guard: false,
        charging: [Charging::Full, Charging::ProRata][draw.below(2)],
        outputs: Outputs::new(&outputs).expect("outputs"),
    };
    let problem = DispatchProblem::new(prompts, times, devices, 0.5, 0.1).expect("an instance");
    let terms = terms.checked().expect("terms");
    (problem, policy, scarce, terms)
}

/// One request of known everything.
fn case(
    terms: &Terms,
    device: &DispatchDevice,
    m: usize,
    l: u32,
    n: u32,
    winner: Winner,
    t: f64,
) -> MigrationCase {
    MigrationCase::new(CaseNumbers {
        l: f64::from(l),
        n_out: f64::from(n),
        n_exp: terms.expected,
        winner,
        r_dev: terms.devices[m].rate,
        r_srv: terms.server.rate,
        r_c: terms.reader,
        k: 1.0 / device.prefill_rate,
        c: device.constant,
        srv_ttft_est: terms.estimate,
        srv_ttft_actual: t,
        net: terms.net,
        cost: Prices {
            dev_p: terms.devices[m].prefill,
            dev_d: terms.devices[m].decode,
            srv_p: terms.server.prefill,
            srv_d: terms.server.decode,
        },
    })
    .expect("a request")
}

fn p99(mut rows: Vec<(f64, f64)>) -> f64 {
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = rows.iter().map(|row| row.1).sum();
    let mut sum = 0.0;
    for (value, weight) in &rows {
        sum += weight;
        if sum >= (0.99 - 1e-9) * total {
            return *value;
        }
    }
    0.0
}

/// Everything by enumeration.
fn plainly(
    problem: &DispatchProblem,
    policy: &Policy,
    scarce: Scarce,
    terms: &Terms,
    moves: &Moves,
) -> Bill {
    let mut sum = Bill::default();
    let (mut gaps, mut buffers) = (Vec::new(), Vec::new());
    let times = problem.times();
    let atoms: Vec<(f64, f64)> = times
        .values()
        .iter()
        .zip(times.weights())
        .map(|(value, weight)| (*value, weight / times.total()))
        .collect();
    for (i, l) in problem.prompts().lengths().iter().enumerate() {
        let tokens = f64::from(*l);
        for (probability, act) in &policy.acts[i] {
            for (ts, mass) in &atoms {
                let p = problem.prompts().p()[i] * probability * mass;
                let starts = act.device.filter(|(_, wait)| !act.server || ts > wait);
                let cut = starts.map_or(f64::INFINITY, |(m, wait)| {
                    wait + problem.devices()[m].first_token(*l)
                });
                let server_wins =
                    act.server && (*ts < cut || *ts == cut && scarce == Scarce::Device);
                let mut source = None;
                if let Some((m, wait)) = starts {
                    let price = terms.devices[m].prefill;
                    if server_wins {
                        let rate = problem.devices()[m].prefill_rate;
                        let done = match terms.charging {
                            Charging::Full => tokens,
                            Charging::ProRata => ((ts - wait) * rate).floor().min(tokens),
                        };
                        sum.lost_prefill += p * price * done;
                    } else {
                        source = Some(m);
                        sum.device_prefill += p * price * tokens;
                    }
                }
                if act.server {
                    let paid = p * terms.server.prefill * tokens;
                    if server_wins {
                        sum.server_prefill += paid;
                    } else {
                        sum.lost_prefill += paid;
                    }
                }
                for (n, share) in terms.outputs.rows() {
                    let (winner, m, g) = match source {
                        Some(m) => (Winner::Device, m, moves.from_device[m][i]),
                        None => {
                            let to = moves.from_server[i];
                            (Winner::Server, to.map_or(0, |to| to.0), to.map(|to| to.1))
                        }
                    };
                    for (drawn, again) in &atoms {
                        let p = p * share * again;
                        let device = &problem.devices()[m];
                        let case = case(terms, device, m, *l, *n, winner, *drawn);
                        let run = timeline(&case, g);
                        let late = f64::from(run.late);
                        sum.late += p * late;
                        sum.max_stall = sum.max_stall.max(run.max_stall);
                        let shown = run.displayed.windows(2);
                        gaps.extend(shown.map(|pair| (pair[1] - pair[0], p)));
                        let count = f64::from(*n);
                        let kept = run.handover.map_or(count, |h| f64::from(h.tokens));
                        let source = case.migration().source.decode * kept * p;
                        let target = case.migration().target.decode * (count - kept) * p;
                        let (server, device) = match winner {
                            Winner::Server => (source, target),
                            Winner::Device => (target, source),
                        };
                        sum.server_decode += server;
                        sum.device_decode += device;
                        if let Some(h) = run.handover {
                            let again = case.migration().target.prefill * (tokens + kept) * p;
                            match winner {
                                Winner::Server => {
                                    sum.device_prefill += again;
                                    sum.moved_to_device += p;
                                }
                                Winner::Device => sum.server_prefill += again,
                            }
                            sum.moved += p;
                            sum.late_of_moved += p * late;
                            buffers.push((h.buffer, p));
                        }
                    }
                }
            }
        }
    }
    if sum.moved > 0.0 {
        sum.late_of_moved /= sum.moved;
        let mean = buffers.iter().map(|(b, p)| b * p).sum::<f64>() / sum.moved;
        sum.buffer_mean = Some(mean);
        sum.buffer_p99 = Some(p99(buffers));
    }
    sum.tbt_p99 = p99(gaps);
    sum.total = sum.server_prefill
        + sum.server_decode
        + sum.device_prefill
        + sum.device_decode
        + sum.lost_prefill;
    sum
}

#[track_caller]
fn assert_same(ours: &Bill, theirs: &Bill, what: &str) {
    let figures = |bill: &Bill| {
        [
            bill.total,
            bill.server_prefill,
            bill.server_decode,
            bill.device_prefill,
            bill.device_decode,
            bill.lost_prefill,
            bill.moved,
            bill.moved_to_device,
            bill.buffer_mean.unwrap_or(-1.0),
            bill.buffer_p99.unwrap_or(-1.0),
            bill.late,
            bill.late_of_moved,
            bill.max_stall,
            bill.tbt_p99,
        ]
    };
    for (at, (a, b)) in figures(ours).iter().zip(figures(theirs)).enumerate() {
        let close = (a - b).abs() <= 1e-8 * b.abs().max(1.0);
        assert!(close, "figure {at}: {a}, plainly {b}: {what}");
    }
}

#[test]
fn the_bill_is_that_of_plain_enumeration() {
    let mut draw = Draw::new(91);
    let (mut to_device, mut to_server, mut late, mut longer) = (0, 0, 0, 0);
    for round in 0..cases(120) {
        let slow = round % 3 == 0;
        let (problem, policy, scarce, terms) = random(&mut draw, slow);
        let mut chosen = moves(&problem, &terms);
        if round % 4 == 0 {
            // Any hand-over can be scored, also one that nobody would choose.
            chosen.from_server[0] = Some((1, 1 + draw.below(70) as u32));
            chosen.from_device[0][0] = Some(1 + draw.below(9) as u32);
        }
        let ours = bill(&problem, &policy, scarce, &terms, &chosen);
        let theirs = plainly(&problem, &policy, scarce, &terms, &chosen);
        assert_same(&ours, &theirs, &format!("round {round}"));
        to_device += usize::from(ours.moved_to_device > 0.0);
        to_server += usize::from(ours.moved > ours.moved_to_device + 1e-9);
        late += usize::from(ours.late > 0.0);
        longer += usize::from(ours.tbt_p99 > 1.0 / terms.reader + 1e-6);
        let none = Moves::none(problem.prompts().lengths().len(), 2);
        let without = bill(&problem, &policy, scarce, &terms, &none);
        let plain = plainly(&problem, &policy, scarce, &terms, &none);
        assert_same(&without, &plain, &format!("round {round} without moves"));
    }
    assert!(
        to_device >= 30 && to_server >= 30 && late >= 40 && longer >= 30,
        "{to_device} {to_server} {late} {longer}"
    );
}
