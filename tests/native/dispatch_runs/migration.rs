//! Hand-overs: cases worked by hand, a plain second reading of the rules, and the laws that hold for every request.

use crate::cases::{cases, properties};
use engine::evaluate::migration::{ReaderTimeline, timeline};
use engine::problem::migration::{CaseNumbers, MOST_OUTPUT, MigrationCase, Prices, Winner};
use methods::dispatch::migration::{decide, handover};
use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};

/// Command, which won, and Bloom-560M on a Pixel 7 Pro, whose energy is cheap.
fn command() -> CaseNumbers {
    CaseNumbers {
        l: 19.0,
        n_out: 128.0,
        n_exp: 128.0,
        winner: Winner::Server,
        r_dev: 20.14,
        r_srv: 60.0,
        r_c: 4.78,
        k: 1.0 / 51.8,
        c: 0.0,
        srv_ttft_est: 0.266,
        srv_ttft_actual: 0.3,
        net: 0.0,
        cost: Prices {
            dev_p: 0.135,
            dev_d: 0.126,
            srv_p: 1.25,
            srv_d: 2.0,
        },
    }
}

#[track_caller]
fn case(numbers: CaseNumbers) -> MigrationCase {
    MigrationCase::new(numbers).expect("valid numbers")
}

#[track_caller]
fn played(numbers: CaseNumbers) -> ReaderTimeline {
    let case = case(numbers);
    timeline(&case, decide(&case))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1.0)
}

#[test]
fn a_request_worked_by_hand() {
    // Token 4 comes at 0.05 s, one is read; 3 wait, and 4.78 (19 + 4)/51.8 = 2.12 are needed, so 3.
    let run = played(command());
    let moved = run.handover.expect("it pays");
    assert_eq!((moved.tokens, moved.buffer_tokens), (4, 3.0));
    assert!(close(moved.buffer, 4.78 * 23.0 / 51.8));
    assert!(close(moved.from, 0.05));
    assert!(close(moved.first, 0.05 + 23.0 / 51.8));
    assert_eq!((run.late, run.max_stall), (0, 0.0));
    assert!(close(run.tbt_p99, 1.0 / 4.78));
    let without = 19.0 * 1.25 + 128.0 * 2.0;
    assert!(close(run.cost_without, without));
    let cost = 19.0 * 1.25 + 4.0 * 2.0 + 23.0 * 0.135 + 124.0 * 0.126;
    assert!(close(run.cost, cost));
    // After two tokens it would have saved five sixths.
    let early = timeline(&case(command()), Some(2));
    assert!((1.0 - early.cost / early.cost_without - 0.834).abs() < 5e-4);
    // The device would not hand over to the dearer end.
    let device = CaseNumbers {
        winner: Winner::Device,
        ..command()
    };
    assert_eq!(played(device).handover, None);
}

#[test]
fn a_late_server_is_waited_for() {
    // The device wins and is dear; its second token is the first that waits.
    let numbers = CaseNumbers {
        winner: Winner::Device,
        r_dev: 20.0,
        r_srv: 40.0,
        r_c: 5.0,
        n_out: 10.0,
        srv_ttft_est: 0.4,
        srv_ttft_actual: 1.0,
        net: 0.1,
        cost: Prices {
            dev_p: 1.0,
            dev_d: 4.0,
            srv_p: 0.1,
            srv_d: 0.5,
        },
        ..command()
    };
    // B = 5 * 0.5 = 2.5, so 3: token 4 comes at 0.15 s while the first is read, which leaves 3.
    let run = played(numbers);
    let moved = run.handover.expect("it pays");
    assert_eq!((moved.tokens, moved.buffer), (4, 2.5));
    assert!(close(moved.prefill_from, 0.25) && close(moved.first, 1.25));
    // Wanted at 0.8, 1.0, 1.2, 1.4, ...; there at 1.25, 1.275, 1.3, 1.325, ...
    assert_eq!(run.late, 3);
    assert!(close(run.max_stall, 0.45));
    assert!(close(run.displayed[3], 0.6) && close(run.displayed[4], 1.25));
    assert!(close(run.displayed[5], 1.45));
    assert!(close(run.tbt_p99, 0.65)); // the longest of nine
    let levels: Vec<u32> = run.buffered().iter().map(|(_, level)| *level).collect();
    assert_eq!(levels[..7], [1, 0, 1, 2, 3, 2, 1]);
    assert_eq!((levels.len(), levels[19]), (20, 0));
}

#[test]
fn edges_of_the_rules() {
    let moves = |change: fn(&mut CaseNumbers)| {
        let mut numbers = command();
        change(&mut numbers);
        played(numbers).handover.map(|moved| moved.tokens)
    };
    assert_eq!(moves(|_| ()), Some(4));
    // A single token leaves nothing to hand over, and its reader no gap.
    assert_eq!(moves(|n| n.n_out = 1.0), None);
    let single = played(CaseNumbers {
        n_out: 1.0,
        ..command()
    });
    assert_eq!(
        (single.tbt_p99, single.late, single.max_stall),
        (0.0, 0, 0.0)
    );
    // The answer ends before the buffer is full, or just after.
    assert_eq!(moves(|n| n.n_out = 4.0), None);
    assert_eq!(moves(|n| n.n_out = 5.0), Some(4));
    // What is expected decides, not what comes.
    assert_eq!(moves(|n| n.n_exp = 4.0), None);
    assert_eq!(moves(|n| n.n_exp = 5.0), None, "1.874 < 23 * 0.135");
    assert_eq!(moves(|n| n.n_exp = 6.0), Some(4), "2 * 1.874 > 3.105");
    assert_eq!(moves(|n| n.n_exp = 0.0), None);
    // Equal prices, and a saving equal to the overhead, are no reason to move.
    assert_eq!(moves(|n| n.cost.dev_d = 2.0), None);
    let tie = |n: &mut CaseNumbers| {
        n.cost.dev_d = 1.0;
        n.cost.dev_p = 1.0;
        n.n_exp = 27.0; // 1 * 23 = 1 * 23
    };
    assert_eq!(moves(tie), None);
    assert_eq!(
        moves(|n| {
            n.cost.dev_d = 1.0;
            n.cost.dev_p = 1.0;
            n.n_exp = 27.5;
        }),
        Some(4)
    );
    // A source no faster than its reader never gets ahead.
    assert_eq!(moves(|n| n.r_srv = n.r_c), None);
    assert_eq!(moves(|n| n.r_srv = 0.5 * n.r_c), None);
    // A target that is ready at once needs no buffer.
    assert_eq!(moves(|n| n.k = 0.0), Some(1));
    // A need of three tokens and less than the slack more is three.
    let exact = |n: &mut CaseNumbers| {
        n.k = 0.0;
        n.c = 0.75;
        n.r_c = 4.0;
    };
    assert_eq!(moves(exact), Some(4));
    assert_eq!(
        moves(|n| {
            n.k = 0.0;
            n.c = 0.75 + 1e-10;
            n.r_c = 4.0;
        }),
        Some(4)
    );
    assert_eq!(
        moves(|n| {
            n.k = 0.0;
            n.c = 0.75 + 1e-9;
            n.r_c = 4.0;
        }),
        Some(5)
    );
    // What is read by the time of a token that comes just as another is wanted has been read: at g = 16, 0.25 s.
    let many = |n: &mut CaseNumbers| {
        n.k = 0.0;
        n.c = 3.5;
        n.r_c = 4.0;
    };
    assert_eq!(moves(many), Some(15), "14 wait at 14/60 s");
    let more = |n: &mut CaseNumbers| {
        n.k = 0.0;
        n.c = 3.75;
        n.r_c = 4.0;
    };
    assert_eq!(
        moves(more),
        Some(17),
        "token 16 comes with the second reading"
    );
    // The guard is off unless asked for.
    let slow = CaseNumbers {
        r_dev: 3.0,
        ..command()
    };
    assert_eq!(decide(&case(slow)), Some(4));
    assert_eq!(decide(&case(slow).with_guard(true)), None);
    assert!(played(slow).late > 0);
    assert_eq!(decide(&case(command()).with_guard(true)), Some(4));
    let mut extra = *case(command()).migration();
    extra.extra = 1e9;
    assert_eq!(handover(&extra, 19.0, 128), None);
    // What is asked for outside the answer does not take place.
    for g in [0, 128, 4000] {
        let run = timeline(&case(command()), Some(g));
        assert_eq!((run.handover, run.cost), (None, run.cost_without));
    }
}

#[test]
fn an_invalid_request_is_refused_by_name() {
    let fault = |change: fn(&mut CaseNumbers)| {
        let mut numbers = command();
        change(&mut numbers);
        MigrationCase::new(numbers).expect_err("no request").path
    };
    assert_eq!(fault(|n| n.l = -1.0), "l");
    assert_eq!(fault(|n| n.l = 2.5), "l");
    assert_eq!(fault(|n| n.n_out = 0.0), "n_out");
    assert_eq!(fault(|n| n.n_out = f64::from(MOST_OUTPUT) + 1.0), "n_out");
    assert_eq!(fault(|n| n.n_out = f64::NAN), "n_out");
    assert_eq!(fault(|n| n.n_exp = -0.5), "n_exp");
    assert_eq!(fault(|n| n.r_dev = 0.0), "r_dev");
    assert_eq!(fault(|n| n.r_srv = -1.0), "r_srv");
    assert_eq!(fault(|n| n.r_c = f64::INFINITY), "r_c");
    assert_eq!(fault(|n| n.k = -1e-9), "k");
    assert_eq!(fault(|n| n.c = f64::NAN), "c");
    assert_eq!(fault(|n| n.srv_ttft_est = -1.0), "srv_ttft_est");
    assert_eq!(fault(|n| n.srv_ttft_actual = -1.0), "srv_ttft_actual");
    assert_eq!(fault(|n| n.net = -1.0), "net");
    assert_eq!(fault(|n| n.cost.dev_p = -1.0), "cost.dev_p");
    assert_eq!(fault(|n| n.cost.srv_d = f64::NAN), "cost.srv_d");
}

#[test]
fn the_longest_answer_takes_no_time_to_speak_of() {
    let long = CaseNumbers {
        n_out: f64::from(MOST_OUTPUT),
        n_exp: f64::from(MOST_OUTPUT),
        k: 1e9,
        ..command()
    };
    let run = played(long);
    assert_eq!((run.handover, run.available.len()), (None, 1_000_000));
    assert!(close(run.displayed[999_999], 999_999.0 / 4.78));
}

/// The rules of section 8 again, plainly: the reader is moved on in steps of a token, nothing is shared.
fn plainly(n: &CaseNumbers) -> (Option<u32>, u32, f64) {
    let server = n.winner == Winner::Server;
    let (rate, then) = if server {
        (n.r_srv, n.r_dev)
    } else {
        (n.r_dev, n.r_srv)
    };
    let c = &n.cost;
    let (dear, cheap, again) = if server {
        (c.srv_d, c.dev_d, c.dev_p)
    } else {
        (c.dev_d, c.srv_d, c.srv_p)
    };
    let takes = |g: u32, ttft: f64| {
        let prefill = n.k * (n.l + f64::from(g)) + n.c;
        n.net + if server { prefill } else { ttft }
    };
    let mut moved = None;
    if dear > cheap {
        for g in 1..n.n_out as u32 {
            let now = f64::from(g - 1) / rate;
            let left = n.n_exp - f64::from(g);
            if left <= 0.0 {
                break;
            }
            let mut read = 1;
            while read < g && f64::from(read) <= n.r_c * f64::from(g - 1) / rate + 1e-9 {
                read += 1;
            }
            let mut need = 0;
            while f64::from(need) < n.r_c * takes(g, n.srv_ttft_est) - 1e-9 {
                need += 1;
                if need > g {
                    break;
                }
            }
            if g - read >= need {
                if (dear - cheap) * left > again * (n.l + f64::from(g)) {
                    moved = Some((g, now + takes(g, n.srv_ttft_actual)));
                }
                break;
            }
        }
    }
    let mut late = 0;
    let mut stall = 0.0_f64;
    for j in 0..n.n_out as u32 {
        let there = match moved {
            Some((g, first)) if j >= g => first + f64::from(j - g) / then,
            _ => f64::from(j) / rate,
        };
        let wanted = f64::from(j) / n.r_c;
        late += u32::from(there - wanted > 1e-9);
        stall = stall.max(there - wanted);
    }
    (moved.map(|(g, _)| g), late, stall)
}

/// Any request: half of the winners are the dearer end.
fn any_case() -> impl Strategy<Value = CaseNumbers> {
    let lengths = (1_u32..300, 1_u32..200, 0_u32..250);
    let rates = (2.0..30.0, 2.0..90.0, 1.0..20.0);
    let times = (0.0..0.05, 0.0..1.0, 0.0..4.0, 0.0..4.0);
    let net = prop_oneof![Just(0.0), 0.0..0.5];
    let price = || prop_oneof![Just(0.0), Just(1.0), 0.0..10.0];
    let prices = (price(), price(), price(), price());
    (lengths, rates, times, net, prices, any::<bool>()).prop_map(
        |((l, n_out, n_exp), (r_dev, r_srv, r_c), (k, c, est, actual), net, prices, server)| {
            CaseNumbers {
                l: f64::from(l),
                n_out: f64::from(n_out),
                n_exp: f64::from(n_exp),
                winner: if server {
                    Winner::Server
                } else {
                    Winner::Device
                },
                r_dev,
                r_srv,
                r_c,
                k,
                c,
                srv_ttft_est: est,
                srv_ttft_actual: actual,
                net,
                cost: Prices {
                    dev_p: prices.0 / 10.0,
                    dev_d: prices.1,
                    srv_p: prices.2 / 10.0,
                    srv_d: prices.3,
                },
            }
        },
    )
}

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn every_request_is_as_a_plain_reading_has_it(numbers in any_case()) {
        let run = played(numbers);
        let (g, late, stall) = plainly(&numbers);
        prop_assert_eq!(run.handover.map(|moved| moved.tokens), g);
        prop_assert_eq!(run.late, late);
        prop_assert!((run.max_stall - stall).abs() <= 1e-9);
    }

    #[test]
    fn hand_overs_keep_their_laws(numbers in any_case(), exact in any::<bool>(), known in any::<bool>()) {
        let mut numbers = numbers;
        if exact {
            numbers.srv_ttft_actual = numbers.srv_ttft_est;
        }
        if known {
            numbers.n_exp = numbers.n_out;
        }
        let run = played(numbers);
        let (source, target) = {
            let case = case(numbers);
            (case.migration().source, case.migration().target)
        };
        // Every token once and in order, shown no sooner than it is there and than the reader can.
        prop_assert_eq!(run.available.len(), numbers.n_out as usize);
        prop_assert!(run.available.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12));
        let gap = 1.0 / numbers.r_c;
        prop_assert!(run.displayed.windows(2).all(|pair| pair[1] - pair[0] >= gap - 1e-9));
        prop_assert!(run.displayed.iter().zip(&run.available).all(|(shown, there)| shown >= there));
        let buffered = run.buffered();
        prop_assert_eq!(buffered.last().map(|(_, level)| *level), Some(0));
        prop_assert!(buffered.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        if let Some(moved) = run.handover {
            prop_assert!(source.decode > target.decode);
            prop_assert!(moved.tokens >= 1 && f64::from(moved.tokens) < numbers.n_out);
            prop_assert!(f64::from(moved.tokens) < numbers.n_exp);
            if known {
                prop_assert!(run.cost < run.cost_without);
            }
            if (exact || numbers.winner == Winner::Server) && target.rate >= numbers.r_c {
                prop_assert_eq!(run.late, 0);
                prop_assert!(run.max_stall <= 1e-9);
            }
        } else {
            prop_assert_eq!(run.cost, run.cost_without);
        }
    }
}

#[test]
fn about_half_of_the_random_requests_move() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut moved = [0, 0];
    for _ in 0..cases(400) {
        let numbers = any_case().new_tree(&mut runner).expect("a value").current();
        let side = usize::from(numbers.winner == Winner::Server);
        moved[side] += usize::from(played(numbers).handover.is_some());
    }
    assert!(moved.iter().all(|count| *count >= 20), "{moved:?}");
}
