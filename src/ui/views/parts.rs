//! What an answer is made of: parts of a time as figures and as a bar, and further figures beside them.

use super::answer::figure;
use super::terms::Explained;
use engine::units::{TimeFormat, percent, seconds};
use leptos::prelude::*;

/// A part of a time.
pub struct Part {
    /// What it is.
    pub name: String,
    /// Its colour, as a class.
    pub class: String,
    /// How long it is [s].
    pub time: f64,
}

/// A figure beside the parts.
pub struct Further {
    /// What it is.
    pub name: &'static str,
    /// The figure with its unit.
    pub figure: String,
    /// The same with all its digits, where there are more.
    pub exact: Option<String>,
    /// What stands under it.
    pub note: String,
}

/// Parts that add up to `total` seconds, in its unit, and further figures.
#[component]
pub fn PartsView(
    /// The class of the question.
    class: &'static str,
    total: f64,
    parts: Vec<Part>,
    others: Vec<Further>,
    /// What stands under all of it.
    #[prop(default = None)]
    foot: Option<String>,
) -> impl IntoView {
    // Parts that add up are shown in one unit, that of the whole.
    let unit = TimeFormat::of_largest(total);
    let share = |time: f64| percent(100.0 * time / total.max(f64::MIN_POSITIVE), 1);
    let spoken: Vec<String> = parts
        .iter()
        .map(|part| format!("{} {}", share(part.time), part.name))
        .collect();
    let label = format!("Of {}: {}", seconds(total), spoken.join(", "));
    let bar = parts
        .iter()
        .map(|part| {
            view! { <i class=part.class.clone() style:flex-grow=grow(part.time, total)></i> }
        })
        .collect_view();
    let cells = parts
        .into_iter()
        .map(|Part { name, class, time }| {
            view! {
                <div>
                    <dt><i class=format!("swatch {class}")></i><Explained text=name/></dt>
                    <dd data-exact=format!("{time} s")>{figure(&unit.with_unit(time))}</dd>
                    <dd class="sub">{share(time)}</dd>
                </div>
            }
        })
        .collect_view();
    let others = others
        .into_iter()
        .map(|other| {
            view! {
                <div>
                    <dt><Explained text=other.name/></dt>
                    <dd data-exact=other.exact>{figure(&other.figure)}</dd>
                    <dd class="sub">{other.note}</dd>
                </div>
            }
        })
        .collect_view();
    view! {
        <div class=format!("figures {class}") id="figures">
            <dl class="kpi parts">{cells}</dl>
            <div class="splitbar" role="img" aria-label=label>{bar}</div>
            <dl class="kpi others">{others}</dl>
            {foot.map(|foot| view! { <p class="foot warn-note">{foot}</p> })}
        </div>
    }
}

/// What a part of a bar grows by. Factors that add up to less than 1 would leave a part of the bar empty, so that they are not
/// the parts themselves, which may be milliseconds.
pub fn grow(part: f64, total: f64) -> String {
    (100.0 * part / total.max(f64::MIN_POSITIVE)).to_string()
}
