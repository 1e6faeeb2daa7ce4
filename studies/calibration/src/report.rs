//! The fit of every class with its errors, as a table for the engine and as a document.

use crate::fit::{DECODE, DECODE_BY_MEMORY, FitRow, Form, Groups, MakerFit, PREFILL, TERMS, fit};
use crate::groups::{ALL, MAKERS, class_of, decode_generation_of, generation_of};
use crate::hosts::{HostReport, HostRun};
use crate::measurements::{Measurement, Measurements};
use crate::statistics::{Errors, quantile};
use engine::hardware::calibration::CalibrationClass;
use engine::units::rounded;
use std::collections::{BTreeMap, BTreeSet};
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
    pub terms: [f64; TERMS],
    /// An 80 % interval of each term, by the jackknife over accelerators.
    pub between: [[f64; 2]; TERMS],
}

/// A form that was fitted to a class.
#[derive(Debug)]
pub struct FormReport {
    /// Its generations by name.
    pub generations: Vec<GenerationReport>,
    /// Terms of generations that were measured in other classes of the maker.
    pub elsewhere: Vec<(String, [f64; TERMS])>,
    /// Terms of a generation that was not measured.
    pub unknown: [f64; TERMS],
    /// Errors of the data sheet alone.
    pub naive: Errors,
    /// Errors on accelerators that were left out, over medians of accelerator and model.
    pub left_out: Errors,
    /// Pairs of models on one accelerator, and errors on the second of them once the first was measured.
    pub after_one: Option<(usize, Errors)>,
    /// Measured over predicted rate: the range that is shown with a prediction.
    pub range: [f64; 2],
    /// Share of accelerators and models that are in the range that the others give.
    pub coverage: f64,
    /// Predicted over measured rate of each accelerator and model, by a fit without the accelerator.
    ratios: Vec<f64>,
    /// Single runs, by the same fits.
    runs: Vec<HostRun>,
}

impl FormReport {
    /// Terms of all generations of the maker.
    fn all_terms(&self) -> BTreeMap<&str, &[f64; TERMS]> {
        let own = self.generations.iter();
        let own = own.map(|one| (one.name.as_str(), &one.terms));
        let elsewhere = self.elsewhere.iter();
        own.chain(elsewhere.map(|(name, terms)| (name.as_str(), terms)))
            .collect()
    }
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
    /// Generation of tokens.
    pub decode: FormReport,
    /// Prompts.
    pub prefill: FormReport,
}

impl ClassReport {
    /// Its single runs of generation.
    pub fn runs(&self) -> impl Iterator<Item = &HostRun> {
        self.decode.runs.iter()
    }
}

/// A rate that is fitted: its form, its generations, and what data sheets alone predict.
struct FittedRate {
    form: &'static Form,
    generation: fn(&Measurement) -> &str,
    naive: fn(&Measurement) -> f64,
}

impl FittedRate {
    const fn decode(has_compute_term: bool) -> Self {
        Self {
            form: match has_compute_term {
                true => &DECODE,
                false => &DECODE_BY_MEMORY,
            },
            generation: decode_generation_of,
            naive: |row| row.memory_rate / row.bytes / row.decode,
        }
    }

    const PREFILL: Self = Self {
        form: &PREFILL,
        generation: generation_of,
        naive: |row| row.peak / row.prompt_work / row.prefill,
    };

    /// Fits the classes of a maker, and predicts each accelerator without it. Rows have their classes.
    fn reports(
        &self,
        rows: &[(CalibrationClass, &Measurement)],
    ) -> BTreeMap<CalibrationClass, FormReport> {
        let mut counts: BTreeMap<(&str, &str), f64> = BTreeMap::new();
        for (_, row) in rows {
            *counts.entry((&row.accelerator, row.model)).or_default() += 1.0;
        }
        let one = |(class, row)| FitRow {
            row,
            class,
            generation: (self.generation)(row),
            weight: 1.0 / libm::sqrt(counts[&(row.accelerator.as_str(), row.model)]),
        };
        let all: Vec<FitRow<'_>> = rows.iter().copied().map(one).collect();
        let pairs = all.iter().map(|one| (one.class, one.generation.to_owned()));
        let groups = Groups::of(pairs);
        let whole = fit(self.form, &groups, &all, None);
        let accelerators = distinct(rows.iter().map(|(_, row)| row.accelerator.as_str()));
        let without = accelerators.into_iter().map(|accelerator| {
            let others = all.iter().filter(|one| one.row.accelerator != accelerator);
            let others: Vec<FitRow<'_>> = others.copied().collect();
            (accelerator, fit(self.form, &groups, &others, Some(&whole)))
        });
        let without: BTreeMap<&str, MakerFit> = without.collect();
        let mut classes: BTreeMap<CalibrationClass, Vec<FitRow<'_>>> = BTreeMap::new();
        for one in all {
            classes.entry(one.class).or_default().push(one);
        }
        let report = |(class, rows): (CalibrationClass, Vec<FitRow<'_>>)| {
            (class, self.report(class, &rows, &whole, &without))
        };
        classes.into_iter().map(report).collect()
    }

    /// The report of one class, by the fit to all and the fits without one accelerator.
    fn report(
        &self,
        class: CalibrationClass,
        rows: &[FitRow<'_>],
        whole: &MakerFit,
        without: &BTreeMap<&str, MakerFit>,
    ) -> FormReport {
        let accelerators = distinct(rows.iter().map(|one| one.row.accelerator.as_str())).len();
        let left_out = medians(rows, |one| {
            let fit = &without[one.row.accelerator.as_str()];
            (self.form.ratio)(&fit.terms(class, Some(one.generation)), one.row)
        });
        let ratios: Vec<f64> = left_out.iter().map(|(_, ratio)| *ratio).collect();
        let is_covered = |(accelerator, ratio): &(&str, f64)| {
            let others = left_out.iter().filter(|(other, _)| other != accelerator);
            let others: Vec<f64> = others.map(|(_, ratio)| *ratio).collect();
            is_within(range_of(&others, accelerators), *ratio)
        };
        let covered = left_out.iter().filter(|one| is_covered(one)).count();
        let naive = medians(rows, |one| (self.naive)(one.row)).into_iter();
        let naive: Vec<f64> = naive.map(|(_, ratio)| ratio).collect();
        let one = |name: &str| GenerationReport {
            name: name.to_owned(),
            rows: rows.iter().filter(|one| one.generation == name).count(),
            terms: whole.terms(class, Some(name)),
            between: between(
                without.values(),
                |fit| fit.terms(class, Some(name)),
                &whole.terms(class, Some(name)),
            ),
        };
        let generations = distinct(rows.iter().map(|one| one.generation));
        let elsewhere = whole
            .generations()
            .filter(|name| !generations.contains(name));
        let elsewhere = elsewhere.map(|name| (name.to_owned(), whole.terms(class, Some(name))));
        FormReport {
            elsewhere: elsewhere.collect(),
            generations: generations.iter().copied().map(one).collect(),
            unknown: whole.terms(class, None),
            naive: Errors::of(&naive),
            left_out: Errors::of(&ratios),
            after_one: self.after_one(class, rows, without),
            range: range_of(&ratios, accelerators),
            coverage: covered as f64 / left_out.len().max(1) as f64,
            ratios,
            runs: rows
                .iter()
                .map(|one| {
                    let fit = &without[one.row.accelerator.as_str()];
                    HostRun::of(one, &fit.terms(class, Some(one.generation)))
                })
                .collect(),
        }
    }
}

impl FittedRate {
    /// Errors on a model once another one was measured on the same accelerator, whose terms are of a fit without it. `None` where
    /// the engine has no rule for it, or no accelerator ran two models.
    fn after_one(
        &self,
        class: CalibrationClass,
        rows: &[FitRow<'_>],
        without: &BTreeMap<&str, MakerFit>,
    ) -> Option<(usize, Errors)> {
        let after = self.form.after?;
        let mut ratios: BTreeMap<(&str, &str, &str), Vec<f64>> = BTreeMap::new();
        for measured in rows {
            let accelerator = measured.row.accelerator.as_str();
            let terms = without[accelerator].terms(class, Some(measured.generation));
            let own = after(&terms, measured.row);
            let is_other = |one: &&FitRow<'_>| {
                one.row.accelerator == accelerator && one.row.model != measured.row.model
            };
            for other in rows.iter().filter(is_other) {
                let key = (accelerator, measured.row.model, other.row.model);
                ratios
                    .entry(key)
                    .or_default()
                    .push((self.form.ratio)(&own, other.row));
            }
        }
        let medians = ratios.values().filter_map(|all| quantile(all, 0.5));
        let medians: Vec<f64> = medians.collect();
        (!medians.is_empty()).then(|| (medians.len(), Errors::of(&medians)))
    }
}

/// The different names, sorted.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    names.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Median ratio of each accelerator and model.
fn medians<'a>(rows: &[FitRow<'a>], ratio: impl Fn(&FitRow<'a>) -> f64) -> Vec<(&'a str, f64)> {
    let mut groups: BTreeMap<(&str, &str), Vec<f64>> = BTreeMap::new();
    for one in rows {
        let key = (one.row.accelerator.as_str(), one.row.model);
        groups.entry(key).or_default().push(ratio(one));
    }
    let one = |((accelerator, _), ratios): ((&'a str, &str), Vec<f64>)| {
        (accelerator, quantile(&ratios, 0.5).unwrap_or(1.0))
    };
    groups.into_iter().map(one).collect()
}

/// Range of the measured rate over the predicted one.
fn range_of(ratios: &[f64], accelerators: usize) -> [f64; 2] {
    let tail = if accelerators < FEW { 0.05 } else { 0.1 };
    let measured: Vec<f64> = ratios.iter().map(|ratio| 1.0 / ratio).collect();
    [tail, 1.0 - tail].map(|share| quantile(&measured, share).unwrap_or(1.0))
}

/// True if a measured rate is in the range around a prediction; `ratio` is predicted over measured.
fn is_within([low, high]: [f64; 2], ratio: f64) -> bool {
    (low..=high).contains(&(1.0 / ratio))
}

/// Fits every class and predicts each of its accelerators without it.
#[must_use]
pub fn classes(all: &Measurements) -> Vec<ClassReport> {
    let mut classes = Vec::new();
    for maker in MAKERS {
        let own = |row: &'_ Measurement| class_of(row).filter(|class| maker.contains(class));
        let rows = all.rows.iter().filter_map(|row| Some((own(row)?, row)));
        let rows: Vec<(CalibrationClass, &Measurement)> = rows.collect();
        let has_compute_term = maker.iter().all(|class| class.has_compute_term());
        let mut decode = FittedRate::decode(has_compute_term).reports(&rows);
        for (class, prefill) in FittedRate::PREFILL.reports(&rows) {
            let own = rows.iter().filter(|(one, _)| *one == class);
            let names = own.clone().map(|(_, row)| row.accelerator.as_str());
            classes.extend(decode.remove(&class).map(|decode| ClassReport {
                class,
                rows: own.count(),
                accelerators: distinct(names).len(),
                decode,
                prefill,
            }));
        }
    }
    classes.sort_by_key(|class| class.class);
    let forms: [fn(&mut ClassReport) -> &mut FormReport; 2] =
        [|class| &mut class.decode, |class| &mut class.prefill];
    for form in forms {
        let all = classes
            .iter_mut()
            .flat_map(|class| form(class).ratios.clone());
        let all: Vec<f64> = all.collect();
        let few = |class: &&mut ClassReport| class.accelerators < TOO_FEW;
        for class in classes.iter_mut().filter(few) {
            let range = range_of(&all, class.accelerators);
            let form = form(class);
            let covered = form.ratios.iter().filter(|ratio| is_within(range, **ratio));
            form.coverage = covered.count() as f64 / form.ratios.len().max(1) as f64;
            form.range = range;
        }
    }
    classes
}

/// Standard errors from the middle of a normal distribution to the ends of its middle 80 %.
const STANDARD_ERRORS: f64 = 1.2816;

/// An 80 % interval for each term of a generation: the jackknife over accelerators, in logarithms.
fn between<'a>(
    without: impl Iterator<Item = &'a MakerFit>,
    terms: impl Fn(&MakerFit) -> [f64; TERMS],
    whole: &[f64; TERMS],
) -> [[f64; 2]; TERMS] {
    let all: Vec<[f64; TERMS]> = without.map(|fit| terms(fit).map(libm::log)).collect();
    std::array::from_fn(|term| {
        let value = libm::log(whole[term]);
        let count = all.len() as f64;
        let mean = all.iter().map(|one| one[term]).sum::<f64>() / count;
        let square = |one: &[f64; TERMS]| (one[term] - mean) * (one[term] - mean);
        let squares: f64 = all.iter().map(square).sum();
        let error = libm::sqrt(squares * (count - 1.0) / count);
        let half = STANDARD_ERRORS * error;
        [value - half, value + half].map(libm::exp)
    })
}

/// A number of the table: three digits are more precise than any of its intervals.
fn three(value: f64) -> String {
    format!("{:?}", rounded(value, 3))
}

/// The terms of a generation as the engine's table has them.
fn table_row(
    class: CalibrationClass,
    name: &str,
    rates: [&[f64; TERMS]; 2],
    hosts: &HostReport,
) -> String {
    let [decode, prefill] = rates;
    let usual = hosts.usual.get(name).filter(|_| class.waits_for_host());
    let usual = usual.map_or_else(
        || "None".to_owned(),
        |seconds| format!("Some({})", three(1e6 * seconds)),
    );
    let compute = match class.has_compute_term() {
        true => format!("Some({})", three(decode[2])),
        false => "None".to_owned(),
    };
    format!(
        "GenerationTerms {{ generation: {name:?}, decode: DecodeTerms {{ memory_share: {}, layer_us: {}, usual_host_us: {usual}, compute_share: {compute} }}, \
         prefill: PrefillTerms {{ share: {}, batch_us: {}, attention_share: {} }} }}",
        three(decode[0]),
        three(1e6 * decode[1]),
        three(prefill[0]),
        three(1e6 * prefill[1]),
        three(prefill[2])
    )
}

/// The module that is compiled into the engine.
#[must_use]
pub fn table(classes: &[ClassReport], hosts: &HostReport) -> String {
    let mut text = String::from(
        "//! Written by `cargo run --package edgewise-calibration`; a test compares it with the fit.\n\n\
         #[rustfmt::skip]\n\
         use super::{Accuracy, CalibrationClass, ClassCalibration, DecodeTerms, GenerationTerms, HostAccuracy, PrefillTerms};\n\n\
         /// Every class with its generations.\n\
         #[rustfmt::skip] // a table: one line a row\n\
         pub(super) static CLASSES: &[ClassCalibration] = &[\n",
    );
    for report in classes {
        let class = report.class;
        let accuracy = |form: &FormReport| {
            format!(
                "Accuracy {{ median_error: {}, p90_error: {}, range: [{}, {}] }}",
                three(form.left_out.median),
                three(form.left_out.p90),
                three(form.range[0]),
                three(form.range[1])
            )
        };
        let unknown = [&report.decode.unknown, &report.prefill.unknown];
        let _ = write!(
            text,
            "    ClassCalibration {{\n        class: CalibrationClass::{class:?},\n        rows: {},\n        accelerators: {},\n        \
             decode: {},\n        prefill: {},\n        unknown: {},\n        generations: &[\n",
            report.rows,
            report.accelerators,
            accuracy(&report.decode),
            accuracy(&report.prefill),
            table_row(class, "", unknown, hosts),
        );
        let decode = report.decode.all_terms();
        for (name, prefill) in report.prefill.all_terms() {
            let own = decode.get(name).or_else(|| decode.get(ALL));
            let own = own.copied().unwrap_or(&report.decode.unknown);
            let row = table_row(class, name, [own, prefill], hosts);
            let _ = writeln!(text, "            {row},");
        }
        text += "        ],\n    },\n";
    }
    let _ = write!(
        text,
        "];\n\n/// Hosts of NVIDIA cards.\n#[rustfmt::skip] // a table: one line a row\npub const HOSTS: HostAccuracy = HostAccuracy {{ slow_factor: {}, slow_runs: {}, runs: {}, \
         known: Accuracy {{ median_error: {}, p90_error: {}, range: [{}, {}] }} }};\n",
        three(hosts.slow_factor()),
        hosts.slow_runs,
        hosts.runs,
        three(hosts.known.median),
        three(hosts.known.p90),
        three(hosts.range[0]),
        three(hosts.range[1]),
    );
    text
}

/// A share in percent.
fn percent(value: f64) -> String {
    format!("{:.0}", 100.0 * value)
}

/// Writes the errors of every class.
fn write_errors(text: &mut String, classes: &[ClassReport], form: fn(&ClassReport) -> &FormReport) {
    *text += ERRORS_HEAD;
    for class in classes {
        let found = form(class);
        let [low, high] = found.range;
        let _ = writeln!(
            text,
            "| {} | {} / {} | {} | {} | {} | {} | {:.2} to {:.2} | {} |",
            class.class.name(),
            class.rows,
            class.accelerators,
            percent(found.naive.median),
            percent(found.left_out.median),
            percent(found.left_out.p90),
            percent(found.left_out.bias),
            low,
            high,
            percent(found.coverage),
        );
    }
}

/// Writes what a measurement of one model says of others.
fn write_after_one(text: &mut String, classes: &[ClassReport]) {
    *text += AFTER_ONE_HEAD;
    for class in classes {
        let Some((pairs, errors)) = &class.decode.after_one else {
            continue;
        };
        let _ = writeln!(
            text,
            "| {} | {pairs} | {} | {} | {} |",
            class.class.name(),
            percent(errors.median),
            percent(errors.p90),
            percent(errors.bias),
        );
    }
}

/// Writes how hosts differ.
fn write_hosts(text: &mut String, hosts: &HostReport) {
    let usual: Vec<String> = hosts
        .usual
        .iter()
        .map(|(name, seconds)| format!("{name} {}", three(1e6 * seconds)))
        .collect();
    let [low, high] = hosts.range;
    let _ = write!(
        text,
        "\n## Hosts of NVIDIA cards\n\n\
         Of {} runs on desktop, workstation and data-centre cards since Volta, {} took more than {:.1} ms for each layer besides reading,\n\
         {:.2} ms in the median; the others {:.2} ms. There are few between: it is the host that launches kernels slowly. `host_factor` of a\n\
         machine says it: 1 for a usual host, {} for a slow one. Left out, the terms below hold, and a slow host is the lower end of the rate\n\
         that is shown. With the host known, rates on accelerators that were not fitted are off by {} % in the median and {} % in one of\n\
         ten, with four fifths between {:.2} and {:.2} times the prediction. Hosts were told by the outcome, so this is the best that\n\
         knowing them could bring.\n\n\
         Time per layer on usual hosts [us]: {}.\n",
        hosts.runs,
        hosts.slow_runs,
        1e3 * crate::hosts::SLOW_LAYER,
        1e3 * hosts.slow,
        1e3 * hosts.all_usual,
        three(hosts.slow_factor()),
        percent(hosts.known.median),
        percent(hosts.known.p90),
        low,
        high,
        usual.join(", "),
    );
}

/// Writes the terms of every generation of a class, the time in microseconds.
fn write_terms(text: &mut String, class: &ClassReport, form: &FormReport, has_third: bool) {
    for one in &form.generations {
        let cell = |term: usize| {
            let unit = if term == 1 { 1e6 } else { 1.0 };
            let [low, high] = one.between[term].map(|end| three(unit * end));
            format!("{} ({low} to {high})", three(unit * one.terms[term]))
        };
        let third = if has_third { cell(2) } else { "-".to_owned() };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {third} |",
            class.class.name(),
            one.name,
            one.rows,
            cell(0),
            cell(1),
        );
    }
}

/// The document: errors by class, terms by generation.
#[must_use]
pub fn document(all: &Measurements, classes: &[ClassReport], hosts: &HostReport) -> String {
    let mut text = String::from(INTRODUCTION);
    text += "\n### Tokens\n";
    write_errors(&mut text, classes, |class| &class.decode);
    text += "\n### Prompts\n";
    write_errors(&mut text, classes, |class| &class.prefill);
    write_after_one(&mut text, classes);
    write_hosts(&mut text, hosts);
    text += DECODE_TERMS_HEAD;
    for class in classes {
        let has_compute = class.class.has_compute_term();
        write_terms(&mut text, class, &class.decode, has_compute);
    }
    text += PREFILL_TERMS_HEAD;
    for class in classes {
        write_terms(&mut text, class, &class.prefill, true);
    }
    text += "\n## Rows that are not used\n\n";
    for (rule, count) in &all.excluded {
        let _ = writeln!(text, "* {}: {count}", rule.rule());
    }
    text += CAVEATS;
    text
}

const INTRODUCTION: &str = "# Calibration of prompts and tokens

Written by `cargo run --package edgewise-calibration`; a test compares it with the fit.

A data sheet states a peak and a memory rate; a runtime reaches a share of both, and spends fixed times on each layer. For a machine
of the catalogue Edgewise takes these terms from a fit to public LocalScore runs (llamafile of spring 2025; Llama-3.2-1B,
Llama-3.1-8B and Qwen2.5-14B at q4_K_M; medians of a table of 1218 runs, d893a/localscore-insights, commit a4f8174, July 2025):

    seconds per token = max(bytes read / (share of the memory rate × memory rate), work / (share of the peak × FP32 peak))
                        + layers × time per layer
    seconds per prompt = work without attention / (share of the peak × FP32 peak)
                        + work of attention / (attention's share × share of the peak × FP32 peak)
                        + batches of 512 tokens × (weights / (0.8 × memory rate) + layers × time per layer and batch)

Bytes read are the weights of the blocks and of the output head, and keys and values of 1837 tokens, the mean of the benchmark's
nine tests. Attention of a prompt is computed in whole batches: each token with the tokens before its batch and all of its own. The
measured rate of prompts is the mean of the rates of prompts of 16 to 4096 tokens, and so is the predicted one. Terms are fitted for
each generation of a class with a loss that grows linearly beyond an error of 8 %, so that a machine that was busy decides little.
Classes of one maker are fitted together: a value of the maker, and deviations of the class, of the generation, and of the generation
in the class, each drawn to zero. A share of the FP32 peak may be above one: prompts are multiplied in
int8, which graphics cards do several times faster, by a factor that is fixed in a generation; peaks of tensor units predict worse.

## Errors on machines that were not fitted

Each accelerator is predicted once by a fit of its class without it. Errors are of the rate, |predicted / measured - 1|, over medians
of accelerator and model. \u{201c}Before\u{201d} is the data sheet alone: bytes over the memory rate, work over the FP32 peak. A range is that
of the measured rate over the predicted one: four fifths of the runs, nine tenths in classes of fewer than 20 accelerators, that of
all machines in classes of fewer than 6.
";
const ERRORS_HEAD: &str = "
| class | rows / accelerators | before: median [%] | median [%] | P90 [%] | bias [%] | range | in the range of the others [%] |
|---|---|---|---|---|---|---|---|
";
const AFTER_ONE_HEAD: &str = "
## After one measurement

Tokens of one model once another one was measured on the same accelerator (`run --measured`, \u{201c}Set measured speed\u{201d} in
the menu of a machine): on graphics chips the measurement sets the time per layer, on processors it scales memory rate and compute. All
pairs of models; the other terms are of a fit without the accelerator.

| class | pairs | median [%] | P90 [%] | bias [%] |
|---|---|---|---|---|
";
const DECODE_TERMS_HEAD: &str = "
## Terms of tokens

In brackets an interval of four fifths: the jackknife over accelerators.

| class | generation | rows | share of the memory rate | time per layer and token [us] | share of the peak |
|---|---|---|---|---|---|
";
const PREFILL_TERMS_HEAD: &str = "
## Terms of prompts

| class | generation | rows | share of the peak | time per layer and batch [us] | attention's share of that |
|---|---|---|---|---|---|
";
const CAVEATS: &str = "
Predictions beside published measurements that were not fitted: [measurements.md](measurements.md).

## What it cannot know

* Machines of other names. Leaving one out is kinder than a set that was kept back: a fit of a similar form, tried on 99 other
  accelerators, was off by 17 % on NVIDIA desktop cards and by 8 % on Macs, about twice what leaving one out said.
* The host, where it is not said: no data sheet shows how fast it launches kernels. The ranges of NVIDIA cards are wide to the slow side
  for that reason.
* The runtime. Newer versions of llama.cpp are 1.2 to 2.6 times faster on some cards than the one that was measured.
* Data sheets. Most values of `studies/calibration/data/specs.csv` were written down from memory and are not yet checked.
* Data-sheet values of laptops (kind of memory, power limit) and all-core clocks are estimates.
";
