//! Statistics of measured times: histograms for charts, a compact one for links, and the dependence between two columns. Buckets
//! have equal ratios, since times spread over powers of ten.

use crate::units::rounded;

/// Many samples in few values.
#[derive(Debug, Clone, PartialEq)]
pub struct Compact {
    /// Values, ascending, each with the number of samples that it stands for.
    pub rows: Vec<(f64, f64)>,
    /// The largest difference between a sample and the value that stands for it, as a share of the sample: no quantile is off
    /// by more.
    pub largest_shift: f64,
    /// How much larger the mean is than that of the samples, as a share.
    pub mean_shift: f64,
}

/// Puts samples above 0, in ascending order, into at most `most` buckets of equal ratio between the least and the greatest.
/// Each value is the mean of its samples, to six digits; few different samples are kept as they are. Nothing for none.
///
/// # Complexity
/// O(n).
#[must_use]
pub fn compact(sorted: &[f64], most: usize) -> Option<Compact> {
    let (least, greatest) = (*sorted.first()?, *sorted.last()?);
    let mut rows: Vec<(f64, f64)> = Vec::new();
    for value in sorted {
        match rows.last_mut() {
            Some((known, count)) if known == value => *count += 1.0,
            _ => rows.push((*value, 1.0)),
        }
    }
    if rows.len() <= most.max(1) {
        return Some(Compact {
            rows,
            largest_shift: 0.0,
            mean_shift: 0.0,
        });
    }
    let width = libm::log(greatest / least);
    let bucket = |value: f64| {
        let at = libm::log(value / least) / width * most as f64;
        (at as usize).min(most - 1)
    };
    let mut kept: Vec<(f64, f64)> = Vec::with_capacity(most);
    let (mut largest_shift, mut sum, mut from) = (0.0_f64, 0.0, 0);
    while from < rows.len() {
        let at = bucket(rows[from].0);
        let inside = rows[from..].iter().take_while(|row| bucket(row.0) == at);
        let (count, total) =
            inside.fold((0.0, 0.0), |(n, sum), row| (n + row.1, sum + row.0 * row.1));
        let to = from + rows[from..].partition_point(|row| bucket(row.0) <= at);
        let value = rounded(total / count, 6);
        for (sample, _) in [rows[from], rows[to - 1]] {
            largest_shift = largest_shift.max((value - sample).abs() / sample);
        }
        sum += value * count;
        match kept.last_mut() {
            // Rounding may have made two values equal.
            Some((known, n)) if *known >= value => *n += count,
            _ => kept.push((value, count)),
        }
        from = to;
    }
    let exact: f64 = sorted.iter().sum();
    Some(Compact {
        rows: kept,
        largest_shift,
        mean_shift: sum / exact - 1.0,
    })
}

/// A bar of a histogram: from, to, and the share of samples in between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HistogramBar {
    /// Lower end.
    pub from: f64,
    /// Upper end.
    pub to: f64,
    /// Share of samples.
    pub share: f64,
}

/// Bars of equal ratio between the least and the greatest of values above 0 with weights, in ascending order. The last bar
/// has its upper end. One bar if all values are equal, none for none. O(n + bars).
#[must_use]
pub fn histogram(sorted: &[(f64, f64)], bars: usize) -> Vec<HistogramBar> {
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else {
        return Vec::new();
    };
    let (least, greatest) = (first.0, last.0);
    if least == greatest || bars < 2 {
        return vec![HistogramBar {
            from: least,
            to: greatest,
            share: 1.0,
        }];
    }
    let width = libm::log(greatest / least);
    let edge = |i: usize| {
        if i == bars {
            greatest
        } else {
            least * libm::exp(width * i as f64 / bars as f64)
        }
    };
    let total: f64 = sorted.iter().map(|row| row.1).sum();
    let mut from = 0;
    let bar = |i: usize| {
        let to = if i + 1 == bars {
            sorted.len()
        } else {
            let upper = edge(i + 1);
            from + sorted[from..].partition_point(|row| row.0 < upper)
        };
        let weight: f64 = sorted[from..to].iter().map(|row| row.1).sum();
        from = to;
        HistogramBar {
            from: edge(i),
            to: edge(i + 1),
            share: weight / total,
        }
    };
    (0..bars).map(bar).collect()
}

/// Pearson's correlation of two columns, from -1 to 1; nothing where one of them does not vary. O(n).
#[must_use]
pub fn pearson(rows: &[(f64, f64)]) -> Option<f64> {
    let count = rows.len() as f64;
    let (a, b) = rows
        .iter()
        .fold((0.0, 0.0), |(a, b), row| (a + row.0, b + row.1));
    let (a, b) = (a / count, b / count);
    let (mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0);
    for (x, y) in rows {
        let (x, y) = (x - a, y - b);
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    let both = libm::sqrt(aa) * libm::sqrt(bb);
    (both > 0.0).then(|| (ab / both).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Draw;
    use crate::sim::law::LogNormal;

    const LAW: LogNormal = LogNormal {
        log_mean: -0.2,
        log_sd: 0.4,
    };

    fn ones(samples: &[f64]) -> Vec<(f64, f64)> {
        samples.iter().map(|x| (*x, 1.0)).collect()
    }

    #[test]
    fn a_compact_histogram_says_what_it_changes() {
        let mut draw = Draw::new(4, 0);
        let mut samples: Vec<f64> = (0..50_000)
            .map(|_| LAW.quantile(draw.unit().max(1e-9)))
            .collect();
        samples.sort_by(f64::total_cmp);
        let small = compact(&samples, 256).expect("samples");
        assert!(small.rows.len() <= 256 && small.rows.len() > 150);
        let count: f64 = small.rows.iter().map(|row| row.1).sum();
        assert_eq!(count, 50_000.0);
        assert!(small.rows.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(small.mean_shift.abs() < 1e-5, "{}", small.mean_shift);
        // Every sample is within the shift of its value, and one of them that far.
        let mut at = 0;
        let mut worst = 0.0_f64;
        for (value, count) in &small.rows {
            for sample in &samples[at..at + *count as usize] {
                worst = worst.max((value - sample).abs() / sample);
            }
            at += *count as usize;
        }
        assert!((worst - small.largest_shift).abs() < 1e-12, "{worst}");
        assert!(small.largest_shift < 0.02);
        let few = compact(&[0.1, 0.1, 0.123_456_789], 256).expect("samples");
        assert_eq!(few.rows, [(0.1, 2.0), (0.123_456_789, 1.0)]);
        assert_eq!((few.largest_shift, few.mean_shift), (0.0, 0.0));
        assert_eq!(compact(&[], 256), None);
        let one = compact(&[1.0, 2.0, 4.0], 1).expect("samples");
        assert_eq!(one.rows, [(2.333_33, 3.0)]);
    }

    #[test]
    fn bars_hold_every_sample_once() {
        let samples = LAW.samples(999);
        let bars = histogram(&ones(&samples), 24);
        assert_eq!(bars.len(), 24);
        let total: f64 = bars.iter().map(|bar| bar.share).sum();
        assert!((total - 1.0).abs() < 1e-12);
        assert!(bars.windows(2).all(|pair| pair[0].to == pair[1].from));
        assert_eq!((bars[0].from, bars[23].to), (samples[0], samples[998]));
        assert!(bars[23].share > 0.0 && bars[0].share > 0.0);
        assert_eq!(histogram(&[(2.0, 5.0)], 9).len(), 1);
        assert!(histogram(&[], 9).is_empty());
    }

    #[test]
    fn correlation_has_its_sign_and_none_without_variation() {
        let line = |slope: f64| {
            (0..9)
                .map(|x| (f64::from(x), slope * f64::from(x)))
                .collect::<Vec<_>>()
        };
        assert!((pearson(&line(2.0)).expect("varies") - 1.0).abs() < 1e-12);
        assert!((pearson(&line(-0.5)).expect("varies") + 1.0).abs() < 1e-12);
        assert_eq!(pearson(&line(0.0)), None);
        assert_eq!(pearson(&[]), None);
        let mut draw = Draw::new(9, 0);
        let rows: Vec<(f64, f64)> = (0..10_000).map(|_| (draw.unit(), draw.unit())).collect();
        assert!(pearson(&rows).expect("varies").abs() < 0.03);
    }
}
