//! Forecasts of the server's time: against the plain formulas, on logs that can be foretold and on such that cannot.

use crate::dispatch_runs_made::SERVICES;
use crate::golden_dispatch_runs::logged;
use engine::papers::DISCO;
use methods::dispatch::predict::{Predictor, forecasts, score};

#[test]
fn averages_are_those_of_their_formulas() {
    let log = logged(SERVICES[0].law, 207);
    let from = 207 - 41;
    let mean = forecasts(&log, Predictor::MovingAverage).expect("a log");
    let smooth = forecasts(&log, Predictor::Smoothing).expect("a log");
    assert_eq!((mean.len(), smooth.len()), (41, 41));
    for (at, (mean, smooth)) in mean.iter().zip(&smooth).enumerate() {
        let before = &log[..from + at];
        let last: f64 = before[before.len() - 10..].iter().sum::<f64>() / 10.0;
        assert!((mean - last).abs() < 1e-12);
        let mut level = before[0];
        for time in &before[1..] {
            level = 0.3 * time + 0.7 * level;
        }
        assert!((smooth - level).abs() < 1e-12, "{smooth}, {level}");
    }
    let found = score(&log, Predictor::MovingAverage).expect("a log");
    let off = mean.iter().zip(&log[from..]).map(|(f, x)| (f - x).abs());
    assert!((found.mae - off.sum::<f64>() / 41.0).abs() < 1e-12);
    assert_eq!(found.count, 41);
}

#[test]
fn independent_times_are_foretold_no_better_than_was_published() {
    for service in SERVICES {
        let printed = |group| {
            let mut rows = DISCO.group(group);
            let row = rows.find(|row| row.name() == service.name);
            row.expect("a row of the table").at(0)
        };
        let log = logged(service.law, 6000);
        // The law is chosen to have just this error.
        let found = score(&log, Predictor::MovingAverage).expect("a log");
        for (ours, printed) in [
            (100.0 * found.mape, printed("error/moving-average")),
            (found.mae, printed("error-s/moving-average")),
        ] {
            assert!(
                (ours / printed - 1.0).abs() < 0.1,
                "{found:?}, {}",
                service.name
            );
        }
    }
    let log = logged(SERVICES[1].law, 500);
    let mape = |predictor| score(&log, predictor).expect("a log").mape;
    let average = mape(Predictor::MovingAverage);
    for predictor in Predictor::ALL {
        let found = mape(predictor);
        assert!(
            (0.75..1.35).contains(&(found / average)),
            "{predictor:?}: {found}"
        );
    }
}

#[test]
fn trees_see_a_pattern_that_averages_do_not() {
    let pattern = [0.4, 0.9, 1.7, 0.6, 1.1];
    let log: Vec<f64> = (0..200).map(|at| pattern[at % 5]).collect();
    let mape = |predictor| score(&log, predictor).expect("a log").mape;
    assert!(mape(Predictor::MovingAverage) > 0.3);
    assert!(mape(Predictor::Forest) < 1e-9);
    assert!(mape(Predictor::Boosting) < 0.02);
}

#[test]
fn an_invalid_log_is_refused_by_name() {
    let mut log = logged(SERVICES[0].law, 60);
    for predictor in Predictor::ALL {
        assert!(score(&log[..49], predictor).is_err(), "too short");
        assert!(score(&log[..50], predictor).is_ok(), "{predictor:?}");
    }
    log[31] = 0.0;
    let fault = score(&log, Predictor::Forest).expect_err("no time");
    assert_eq!(fault.path, "[31]");
    log[31] = f64::NAN;
    assert!(score(&log, Predictor::MovingAverage).is_err());
    // Nothing to learn, nothing to be wrong about.
    for predictor in Predictor::ALL {
        let found = score(&[0.5; 80], predictor).expect("a log");
        assert!(found.mae < 1e-9, "{predictor:?}: {found:?}");
    }
}
