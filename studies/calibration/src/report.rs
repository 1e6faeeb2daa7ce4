//! The fit of every class with its errors, as a table for the engine and as a document.

use crate::fit::{ClassFit, FitRow, FittedTerms, fit};
use crate::groups::group_of;
use crate::measurements::{Measurement, Measurements};
use crate::statistics::{Errors, quantile};
use engine::hardware::calibration::CalibrationClass;
use engine::units::rounded;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Classes with fewer accelerators get a wider range.
const FEW: usize = 20;
/// Classes with fewer accelerators get the range of all machines: their own says too little.
const TOO_FEW: usize = 6;

/// One generation of a class.
#[derive(Debug)]
pub struct GenerationReport {
    /// Its name; "all" where a class has one.
    pub name: String,
    /// Rows of it.
    pub rows: usize,
    /// Its terms.
    pub terms: FittedTerms,
    /// An 80 % interval of its terms, by the jackknife over accelerators.
    pub between: [FittedTerms; 2],
}

/// One class.
#[derive(Debug)]
pub struct ClassReport {
    /// The class.
    pub class: CalibrationClass,
    /// Rows of it.
    pub rows: usize,
    /// Accelerators of it.
    pub accelerators: usize,
    /// Its generations by name.
    pub generations: Vec<GenerationReport>,
    /// Terms of a generation that was not measured.
    pub unknown_generation: FittedTerms,
    /// Errors of bytes over the memory rate.
    pub naive: Errors,
    /// Errors on accelerators that were left out, over medians of accelerator and model.
    pub left_out: Errors,
    /// Measured over predicted rate: the range that is shown with a prediction.
    pub range: [f64; 2],
    /// Share of accelerators and models that are in the range that the others give.
    pub coverage: f64,
    /// Predicted over measured rate of each accelerator and model, by a fit without the accelerator.
    ratios: Vec<f64>,
}

/// Median ratio of each accelerator and model.
fn medians(rows: &[&Measurement], ratio: impl Fn(&Measurement) -> f64) -> Vec<(String, f64)> {
    let mut groups: BTreeMap<(String, &str), Vec<f64>> = BTreeMap::new();
    for row in rows {
        let key = (row.accelerator.clone(), row.model);
        groups.entry(key).or_default().push(ratio(row));
    }
    let one = |((accelerator, _), ratios): ((String, &str), Vec<f64>)| {
        (accelerator, quantile(&ratios, 0.5).unwrap_or(1.0))
    };
    groups.into_iter().map(one).collect()
}

/// Fits rows of a class, whose generations have these names.
fn fit_rows(rows: &[&Measurement], generations: &[String], class: CalibrationClass) -> ClassFit {
    let mut counts: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for row in rows {
        *counts.entry((&row.accelerator, row.model)).or_default() += 1.0;
    }
    let of = |row: &&'_ Measurement| -> Option<usize> {
        let (_, generation) = group_of(row)?;
        generations.iter().position(|name| name == generation)
    };
    let rows: Vec<FitRow<'_>> = rows
        .iter()
        .filter_map(|row| {
            Some(FitRow {
                row,
                generation: of(row)?,
                weight: 1.0 / libm::sqrt(counts[&(row.accelerator.as_str(), row.model)]),
            })
        })
        .collect();
    fit(&rows, generations.len(), class.has_compute_term())
}

/// Ranges of the measured rate over the predicted one.
fn range_of(ratios: &[f64], accelerators: usize) -> [f64; 2] {
    let tail = if accelerators < FEW { 0.05 } else { 0.1 };
    let measured: Vec<f64> = ratios.iter().map(|ratio| 1.0 / ratio).collect();
    [tail, 1.0 - tail].map(|share| quantile(&measured, share).unwrap_or(1.0))
}

/// Fits every class and predicts each of its accelerators without it.
#[must_use]
pub fn classes(all: &Measurements) -> Vec<ClassReport> {
    let of = |class: CalibrationClass| {
        let rows: Vec<&Measurement> = all
            .rows
            .iter()
            .filter(|row| group_of(row).is_some_and(|(own, _)| own == class))
            .collect();
        class_report(class, &rows)
    };
    let mut classes: Vec<ClassReport> = CalibrationClass::ALL.into_iter().map(of).collect();
    let all: Vec<f64> = classes.iter().flat_map(|one| one.ratios.clone()).collect();
    for class in &mut classes {
        if class.accelerators < TOO_FEW {
            class.range = range_of(&all, class.accelerators);
            let [low, high] = class.range;
            let covered = class
                .ratios
                .iter()
                .filter(|ratio| (low..=high).contains(&(1.0 / **ratio)));
            class.coverage = covered.count() as f64 / class.ratios.len().max(1) as f64;
        }
    }
    classes
}

fn class_report(class: CalibrationClass, rows: &[&Measurement]) -> ClassReport {
    let generation = |row: &Measurement| group_of(row).map_or("", |(_, name)| name).to_owned();
    let mut generations: Vec<String> = rows.iter().map(|row| generation(row)).collect();
    generations.sort();
    generations.dedup();
    let mut accelerators: Vec<&str> = rows.iter().map(|row| row.accelerator.as_str()).collect();
    accelerators.sort_unstable();
    accelerators.dedup();
    let whole = fit_rows(rows, &generations, class);
    let mut left_out: Vec<(String, f64)> = Vec::new();
    let mut fits = Vec::new();
    for accelerator in &accelerators {
        let is_it = |row: &&&Measurement| row.accelerator == *accelerator;
        let others: Vec<&Measurement> = rows.iter().filter(|row| !is_it(row)).copied().collect();
        let own: Vec<&Measurement> = rows.iter().filter(is_it).copied().collect();
        let found = fit_rows(&others, &generations, class);
        left_out.extend(medians(&own, |row| {
            let at = generations.iter().position(|name| *name == generation(row));
            found.terms(at).ratio(row)
        }));
        fits.push(found);
    }
    let ratios: Vec<f64> = left_out.iter().map(|(_, ratio)| *ratio).collect();
    let is_covered = |(accelerator, ratio): &(String, f64)| {
        let others: Vec<f64> = left_out
            .iter()
            .filter(|(other, _)| other != accelerator)
            .map(|(_, ratio)| *ratio)
            .collect();
        let [low, high] = range_of(&others, accelerators.len());
        (low..=high).contains(&(1.0 / ratio))
    };
    let covered = left_out.iter().filter(|one| is_covered(one)).count();
    let naive = medians(rows, |row| row.memory_rate / row.bytes / row.decode);
    let naive: Vec<f64> = naive.into_iter().map(|(_, ratio)| ratio).collect();
    let one = |(at, name): (usize, &String)| GenerationReport {
        name: name.clone(),
        rows: rows.iter().filter(|row| generation(row) == *name).count(),
        terms: whole.terms(Some(at)),
        between: between(&whole, &fits, at),
    };
    ClassReport {
        class,
        rows: rows.len(),
        accelerators: accelerators.len(),
        generations: generations.iter().enumerate().map(one).collect(),
        unknown_generation: whole.terms(None),
        naive: Errors::of(&naive),
        left_out: Errors::of(&ratios),
        range: range_of(&ratios, accelerators.len()),
        coverage: covered as f64 / left_out.len().max(1) as f64,
        ratios,
    }
}

/// Standard errors from the middle of a normal distribution to the ends of its middle 80 %.
const STANDARD_ERRORS: f64 = 1.2816;

/// An 80 % interval for the terms of a generation: the jackknife over accelerators, in logarithms.
fn between(whole: &ClassFit, fits: &[ClassFit], at: usize) -> [FittedTerms; 2] {
    let interval = |of: &dyn Fn(&FittedTerms) -> f64| {
        let value = libm::log(of(&whole.terms(Some(at))));
        let all: Vec<f64> = fits
            .iter()
            .map(|fit| libm::log(of(&fit.terms(Some(at)))))
            .collect();
        let count = all.len() as f64;
        let mean = all.iter().sum::<f64>() / count;
        let squares: f64 = all.iter().map(|one| (one - mean) * (one - mean)).sum();
        let error = libm::sqrt(squares * (count - 1.0) / count);
        let half = STANDARD_ERRORS * error;
        [value - half, value + half].map(libm::exp)
    };
    let has_compute = whole.terms(None).compute_share.is_some();
    let share = interval(&|terms| terms.memory_share);
    let layer = interval(&|terms| terms.layer);
    let compute = interval(&|terms| terms.compute_share.unwrap_or(1.0));
    [0, 1].map(|end| FittedTerms {
        memory_share: share[end],
        layer: layer[end],
        compute_share: has_compute.then_some(compute[end]),
    })
}

/// A number of the table: three digits are more precise than any of its intervals.
fn three(value: f64) -> String {
    format!("{:?}", rounded(value, 3))
}

/// The module that is compiled into the engine.
#[must_use]
pub fn table(classes: &[ClassReport]) -> String {
    let mut text = String::from(
        "//! Written by `cargo run --package edgewise-calibration`; a test compares it with the fit.\n\n\
         use super::{CalibrationClass, DecodeCalibration, GenerationTerms};\n\n\
         /// Every class with its generations.\n\
         #[rustfmt::skip] // a table: one line a row\n\
         pub(super) static CLASSES: &[DecodeCalibration] = &[\n",
    );
    for class in classes {
        let row = |name: &str, terms: &FittedTerms| {
            let compute = terms
                .compute_share
                .map_or("None".to_owned(), |share| format!("Some({})", three(share)));
            format!(
                "GenerationTerms {{ generation: {name:?}, memory_share: {}, layer_us: {}, compute_share: {compute} }}",
                three(terms.memory_share),
                three(1e6 * terms.layer)
            )
        };
        let generations: Vec<String> = class
            .generations
            .iter()
            .map(|one| row(&one.name, &one.terms))
            .collect();
        let _ = write!(
            text,
            "    DecodeCalibration {{\n        class: CalibrationClass::{:?},\n        rows: {},\n        accelerators: {},\n        \
             median_error: {},\n        p90_error: {},\n        range: [{}, {}],\n        unknown: {},\n        generations: &[\n",
            class.class,
            class.rows,
            class.accelerators,
            three(class.left_out.median),
            three(class.left_out.p90),
            three(class.range[0]),
            three(class.range[1]),
            row("", &class.unknown_generation),
        );
        for generation in generations {
            let _ = writeln!(text, "            {generation},");
        }
        text += "        ],\n    },\n";
    }
    text + "];\n"
}

/// A share in percent.
fn percent(value: f64) -> String {
    format!("{:.0}", 100.0 * value)
}

fn interval(between: &[f64; 2]) -> String {
    format!("{} to {}", three(between[0]), three(between[1]))
}

/// The document: errors by class, terms by generation.
#[must_use]
pub fn document(all: &Measurements, classes: &[ClassReport]) -> String {
    let mut text = String::from(INTRODUCTION);
    for class in classes {
        let [low, high] = class.range;
        let _ = writeln!(
            text,
            "| {} | {} / {} | {} | {} | {} | {} | {:.2} to {:.2} | {} |",
            class.class.name(),
            class.rows,
            class.accelerators,
            percent(class.naive.median),
            percent(class.left_out.median),
            percent(class.left_out.p90),
            percent(class.left_out.bias),
            low,
            high,
            percent(class.coverage),
        );
    }
    text += TERMS_HEAD;
    for class in classes {
        for one in &class.generations {
            let [low, high] = one.between;
            let compute = match (
                one.terms.compute_share,
                low.compute_share,
                high.compute_share,
            ) {
                (Some(share), Some(low), Some(high)) => {
                    format!("{} ({})", three(share), interval(&[low, high]))
                }
                _ => "-".to_owned(),
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} ({}) | {} ({}) | {compute} |",
                class.class.name(),
                one.name,
                one.rows,
                three(one.terms.memory_share),
                interval(&[low.memory_share, high.memory_share]),
                three(1e6 * one.terms.layer),
                interval(&[1e6 * low.layer, 1e6 * high.layer]),
            );
        }
    }
    text += "\n## Rows that are not used\n\n";
    for (rule, count) in &all.excluded {
        let _ = writeln!(text, "* {}: {count}", rule.rule());
    }
    text += CAVEATS;
    text
}

const INTRODUCTION: &str = "# Calibration of token generation

Written by `cargo run --package edgewise-calibration`; a test compares it with the fit.

A data sheet states a memory rate; a runtime reaches a share of it, and spends a fixed time on each layer. For a machine of the
catalogue Edgewise takes both from a fit to public LocalScore runs (llamafile of spring 2025; Llama-3.2-1B, Llama-3.1-8B and
Qwen2.5-14B at q4_K_M; medians of a table of 1218 runs, d893a/localscore-insights, commit a4f8174, July 2025):

    seconds per token = max(bytes read / (share of the memory rate × memory rate), work / (share of the peak × FP32 peak))
                        + layers × time per layer

Bytes read are the weights of the blocks and of the output head, and keys and values of 1837 tokens, the mean of the benchmark's
nine tests. Terms are fitted for each generation of a class with a loss that grows linearly beyond an error of 8 %, so that a
machine that was busy decides little. A generation is drawn to its class, a class to all machines.

## Errors on machines that were not fitted

Each accelerator is predicted once by a fit of its class without it. Errors are of the rate, |predicted / measured - 1|, over medians
of accelerator and model. \u{201c}Before\u{201d} is bytes over the memory rate of the data sheet. A range is that of the measured rate over
the predicted one: four fifths of the runs, nine tenths in classes of fewer than 20 accelerators, that of all machines in classes of
fewer than 6.

| class | rows / accelerators | before: median [%] | median [%] | P90 [%] | bias [%] | range | in the range of the others [%] |
|---|---|---|---|---|---|---|---|
";
const TERMS_HEAD: &str = "
## Terms

In brackets an interval of four fifths: the jackknife over accelerators.

| class | generation | rows | share of the memory rate | time per layer and token [us] | share of the peak |
|---|---|---|---|---|---|
";
const CAVEATS: &str = "
## What it cannot know

* Machines of other names. Leaving one out is kinder than a set that was kept back: a fit of a similar form, tried on 99 other
  accelerators, was off by 17 % on NVIDIA desktop cards and by 8 % on Macs, about twice what leaving one out said.
* The host. A fifth to a third of the runs on NVIDIA cards lose 0.4 to 1.5 ms per layer where 0.12 ms is usual; no data sheet shows
  this. The ranges of these classes are wide to the slow side for that reason.
* The runtime. Newer versions of llama.cpp are 1.2 to 2.6 times faster on some cards than the one that was measured.
* Data sheets. Most values of `studies/calibration/data/specs.csv` were written down from memory and are not yet checked.
* Data-sheet values of laptops (kind of memory, power limit) and all-core clocks are estimates.
* Prefill is not calibrated yet: it follows the utilisation curve of the scenario.
";
