//! How long models take to load, and to answer once they are: what a cold device adds to its first token.
//!
//! Source: DiSCo (arXiv:2502.11417), Table 4: Qwen2.5 in 16 bits, a short prompt. Load times grow with the number of
//! parameters; the lines through them are ours.

/// A graphics card with its measured models.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelCard {
    /// Its name.
    pub name: &'static str,
    /// For each model: parameters in 10^9, load time [s], time to the first token [s].
    pub measured: &'static [(f64, f64, f64)],
    /// The line through load times: at no parameters [s], and what 10^9 of them add [s].
    pub line: (f64, f64),
}

impl ModelCard {
    /// The load time of a model of so many parameters, in 10^9, by the line [s].
    #[must_use]
    pub fn load(&self, parameters: f64) -> f64 {
        self.line.0 + self.line.1 * parameters
    }
}

/// The measured cards.
pub const CARDS: [ModelCard; 2] = [
    ModelCard {
        name: "RTX 3060 12GB",
        measured: &[(0.5, 1.29, 0.051), (1.5, 2.48, 0.105), (3.0, 4.45, 0.145)],
        line: (0.63, 1.27),
    },
    ModelCard {
        name: "A40 48GB",
        measured: &[
            (0.5, 1.53, 0.025),
            (1.5, 3.12, 0.026),
            (3.0, 5.72, 0.033),
            (7.0, 13.43, 0.033),
        ],
        line: (0.41, 1.85),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_least_squares() {
        for card in CARDS {
            let count = card.measured.len() as f64;
            let sum = |f: fn(&(f64, f64, f64)) -> f64| card.measured.iter().map(f).sum::<f64>();
            let (x, y) = (sum(|m| m.0) / count, sum(|m| m.1) / count);
            let xy = sum(|m| m.0 * m.1) / count - x * y;
            let xx = sum(|m| m.0 * m.0) / count - x * x;
            let slope = xy / xx;
            assert!(
                (slope - card.line.1).abs() < 0.006,
                "{}: {slope}",
                card.name
            );
            assert!((y - slope * x - card.line.0).abs() < 0.012, "{}", card.name);
            for (parameters, load, first_token) in card.measured {
                assert!((card.load(*parameters) - load).abs() < 0.25);
                assert!(load / first_token > 20.0, "loading dominates");
            }
        }
    }
}
