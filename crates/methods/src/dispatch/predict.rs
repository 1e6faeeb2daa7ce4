//! Forecasts of the server's next time to the first token: why requests are not simply sent where it will be shorter.
//!
//! Source: DiSCo (arXiv:2502.11417), Table 5, which gives errors but neither windows nor coefficients. Here: the mean of the
//! last 10 times; exponential smoothing with 0.3; a random forest and gradient boosting, 100 trees each, on the last 10
//! times. The first four fifths of a log are learnt from, the last fifth is forecast, one time ahead of what is known by then.
//!
//! The trees are those of `smartcore`, which builds for browsers too. Its random numbers come from the generator that is the
//! same on every machine, and only the forest draws any.
//!
//! Complexity: O(n) for the first two; O(trees · m log² m) for the trees, m being what they learn from, at most
//! [`MOST_LEARNT`].

use engine::problem::Invalid;
use serde::{Deserialize, Serialize};
use smartcore::ensemble::random_forest_regressor::{
    RandomForestRegressor, RandomForestRegressorParameters,
};
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::xgboost::{XGRegressor, XGRegressorParameters};

/// How many of the last times a forecast looks at.
pub const WINDOW: usize = 10;
/// The weight of the newest time in exponential smoothing.
pub const SMOOTHING: f64 = 0.3;
/// Trees of a forest, and steps of boosting.
pub const TREES: usize = 100;
/// The most times that trees learn from: the newest.
pub const MOST_LEARNT: usize = 2000;
/// The least times that there is anything to learn from.
pub const LEAST_SAMPLES: usize = 5 * WINDOW;

/// A way to forecast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Predictor {
    /// The mean of the last times.
    MovingAverage,
    /// Old times fade.
    Smoothing,
    /// Many trees on samples of the log, averaged.
    Forest,
    /// Small trees, each on what those before have left over.
    Boosting,
}

impl Predictor {
    /// All of them, as the published table has them.
    pub const ALL: [Self; 4] = [
        Self::MovingAverage,
        Self::Smoothing,
        Self::Forest,
        Self::Boosting,
    ];

    /// Returns its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MovingAverage => "Moving average",
            Self::Smoothing => "Exponential smoothing",
            Self::Forest => "Random forest",
            Self::Boosting => "Gradient boosting",
        }
    }
}

/// How far off forecasts are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct Score {
    /// Mean of |forecast - time| / time.
    pub mape: f64,
    /// Mean of |forecast - time| [s].
    pub mae: f64,
    /// How many times were forecast.
    pub count: usize,
}

/// Forecasts the last fifth of a log and says how far off that is.
///
/// # Errors
/// As [`forecasts`].
pub fn score(times: &[f64], predictor: Predictor) -> Result<Score, Invalid> {
    let forecast = forecasts(times, predictor)?;
    let real = &times[times.len() - forecast.len()..];
    let count = forecast.len();
    let (mut share, mut seconds) = (0.0, 0.0);
    for (forecast, real) in forecast.iter().zip(real) {
        let off = (forecast - real).abs();
        seconds += off;
        share += off / real;
    }
    Ok(Score {
        mape: share / count as f64,
        mae: seconds / count as f64,
        count,
    })
}

/// Forecasts of the last fifth of a log [s], in its order.
///
/// # Errors
/// Fewer than [`LEAST_SAMPLES`] times, or one that is not above 0 and finite (`[i]`).
pub fn forecasts(times: &[f64], predictor: Predictor) -> Result<Vec<f64>, Invalid> {
    if times.len() < LEAST_SAMPLES {
        let allowed = format!("a list with at least {LEAST_SAMPLES} times");
        return Err(Invalid::range("", times.len(), &allowed));
    }
    let bad = times
        .iter()
        .position(|time| !(time.is_finite() && *time > 0.0));
    if let Some(i) = bad {
        let allowed = "a finite number above 0";
        return Err(Invalid::range(format!("[{i}]"), times[i], allowed));
    }
    // The first that is forecast; at least ten come before it.
    let from = times.len() - times.len() / 5;
    match predictor {
        Predictor::MovingAverage => {
            let mean = |to: usize| times[to - WINDOW..to].iter().sum::<f64>() / WINDOW as f64;
            Ok((from..times.len()).map(mean).collect())
        }
        Predictor::Smoothing => {
            let mut level = times[0];
            let next = times.iter().map(|time| {
                let before = level;
                level = SMOOTHING * time + (1.0 - SMOOTHING) * level;
                before
            });
            // What is forecast for the first time of all is that time itself.
            Ok(next.skip(from).collect())
        }
        Predictor::Forest | Predictor::Boosting => trees(times, from, predictor),
    }
}

/// Forecasts from place `from` on, learnt from what comes before it.
fn trees(times: &[f64], from: usize, predictor: Predictor) -> Result<Vec<f64>, Invalid> {
    let first = from.saturating_sub(MOST_LEARNT).max(WINDOW);
    let window = |to: usize| times[to - WINDOW..to].to_vec();
    let table = |range: std::ops::Range<usize>| {
        DenseMatrix::from_2d_vec(&range.map(window).collect::<Vec<_>>()).map_err(refused)
    };
    let (known, asked) = (table(first..from)?, table(from..times.len())?);
    let learnt = times[first..from].to_vec();
    if predictor == Predictor::Forest {
        let parameters = RandomForestRegressorParameters::default()
            .with_n_trees(TREES)
            .with_m(WINDOW)
            .with_seed(0);
        let forest = RandomForestRegressor::fit(&known, &learnt, parameters).map_err(refused)?;
        return forest.predict(&asked).map_err(refused);
    }
    let mean = learnt.iter().sum::<f64>() / learnt.len() as f64;
    let parameters = XGRegressorParameters::default()
        .with_n_estimators(TREES)
        .with_max_depth(3)
        .with_learning_rate(0.1)
        .with_base_score(mean)
        .with_seed(0);
    let model = XGRegressor::fit(&known, &learnt, parameters).map_err(refused)?;
    model.predict(&asked).map_err(refused)
}

/// Converts the library's error about a log that it cannot learn from.
fn refused(fault: smartcore::error::Failed) -> Invalid {
    let message = format!("no trees can be learnt from these times: {fault}");
    Invalid::new(
        engine::problem::Code::Range,
        "",
        serde_json::Value::Null,
        message,
    )
}
