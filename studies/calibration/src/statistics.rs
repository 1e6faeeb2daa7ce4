//! Errors of predictions.

/// A quantile of numbers, between neighbours in proportion; `None` of none.
#[must_use]
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = share * sorted.len().checked_sub(1)? as f64;
    let (low, high) = (libm::floor(place) as usize, libm::ceil(place) as usize);
    let part = place - low as f64;
    Some(sorted[low] * (1.0 - part) + sorted[high] * part)
}

/// Errors of one class, over its accelerators and models.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Errors {
    /// Median of |predicted / measured - 1|.
    pub median: f64,
    /// The error that nine of ten predictions stay below.
    pub p90: f64,
    /// Median of predicted / measured, less one.
    pub bias: f64,
}

impl Errors {
    /// The errors of these ratios, predicted over measured.
    #[must_use]
    pub fn of(ratios: &[f64]) -> Self {
        let errors: Vec<f64> = ratios.iter().map(|ratio| (ratio - 1.0).abs()).collect();
        Self {
            median: quantile(&errors, 0.5).unwrap_or_default(),
            p90: quantile(&errors, 0.9).unwrap_or_default(),
            bias: quantile(ratios, 0.5).unwrap_or(1.0) - 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_between_neighbours() {
        assert_eq!(quantile(&[3.0, 1.0, 2.0], 0.5), Some(2.0));
        assert_eq!(quantile(&[1.0, 2.0], 0.75), Some(1.75));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
