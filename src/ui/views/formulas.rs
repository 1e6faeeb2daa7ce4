//! The figures under a headline: a whole as its parts with a bar, and others beside them. Each tells where it comes from: its
//! formula while the pointer or the focus is on its name, with its inputs and their sources once that is pressed.

use super::answer::figure;
use super::icons::{Glyph, Icon};
use super::terms::{Explained, FILLED, FORMULA, SOURCE};
use crate::ui::pins::Pins;
use crate::ui::shell::Shell;
use document::quantity::ROUNDED;
use document::{Figures, Quantity};
use leptos::prelude::*;
use protocol::inputs::describe;
use std::sync::Arc;
use wasm_bindgen::JsCast;

/// The quantity whose formula is under the figures.
pub type OpenFormula = RwSignal<Option<String>>;

/// Figures.
#[component]
pub fn FiguresView(
    figures: Figures,
    /// The class of the question.
    class: &'static str,
    /// Line below all of it.
    #[prop(default = None)]
    foot: Option<String>,
    /// Which one is asked for its formula, where something else may ask as well.
    #[prop(optional)]
    asked: Option<OpenFormula>,
    /// The section that it is in, where that is not the answer’s own.
    #[prop(optional)]
    within: &'static str,
) -> impl IntoView {
    let id = |name: &str| match within {
        "" => name.to_owned(),
        within => format!("{within}-{name}"),
    };
    let formula = id("formula");
    let pins = expect_context::<Pins>();
    let asked = asked.unwrap_or_else(|| RwSignal::new(None));
    let (shares, label) = figures.shares();
    let parts = || figures.shares.iter().zip(&shares);
    // Factors that add up to less than 1 would leave a part of the bar empty: they are not the parts themselves, which may be milliseconds.
    let bar = parts()
        .map(|(part, share)| view! { <i class=part.class.clone() style:flex-grow=share.percent.to_string()></i> })
        .collect_view();
    let controls = formula.clone();
    let cell = move |one: &Quantity, class: Option<&str>, figures: AnyView, note: String| {
        let key = one.key.clone();
        let swatch = class.map(|class| view! { <i class=format!("swatch {class}")></i> });
        view! {
            <div>
                <dt>{swatch}<Name of=one.clone() asked=asked controls=controls.clone()/></dt>
                <dd data-exact=one.exact()>{figures}</dd>
                <dd class="sub">{note}</dd>
                {move || pins.pinned_values(&key).map(|was| view! { <dd class="sub pinned">"pinned "{was}</dd> })}
            </div>
        }
    };
    let cells = parts().map(|(part, share)| {
        let shown = figure(&share.text).into_any();
        cell(&part.quantity, Some(&part.class), shown, share.note.clone())
    });
    let cells = cells.collect_view();
    let others = figures.other_quantities.iter();
    let others =
        others.map(|one| cell(one, None, figure(&one.text()).into_any(), one.note.clone()));
    let others = others.collect_view();
    let has_parts = !figures.shares.is_empty();
    view! {
        <div class=format!("figures {class}") id=id("figures")>
            {has_parts.then(|| view! {
                <dl class="kpi parts">{cells}</dl>
                <div class="splitbar" role="img" aria-label=label>{bar}</div>
            })}
            <dl class="kpi others">{others}</dl>
            {foot.map(|foot| view! { <p class="foot warn-note">{foot}</p> })}
            <FormulaLine figures=Arc::new(figures) asked=asked id=formula/>
        </div>
    }
}

/// A quantity’s name; a button where it has a formula.
#[component]
fn Name(of: Quantity, asked: OpenFormula, controls: String) -> impl IntoView {
    match of.formula {
        None => view! { <Explained text=of.name/> }.into_any(),
        Some(_) => {
            let text = of.name.clone();
            view! { <WhyButton of=of text=text asked=asked controls=controls/> }.into_any()
        }
    }
}

/// Words that tell a formula: beside them while they are pointed at, under the figures once they are pressed.
#[component]
pub fn WhyButton(
    of: Quantity,
    #[prop(into)] text: String,
    asked: OpenFormula,
    /// The id of the formula under the figures.
    #[prop(default = "formula".to_owned())]
    controls: String,
) -> impl IntoView {
    let key = of.key.clone();
    let is_open = {
        let key = key.clone();
        move || asked.with(|asked| asked.as_ref() == Some(&key))
    };
    let id = format!("why-{key}");
    let press = move |_| {
        asked.update(|asked| {
            *asked = (asked.as_ref() != Some(&key)).then(|| key.clone());
        });
    };
    let formula = of
        .formula
        .unwrap_or_else(|| document::Formula::new("", "", "", &[]));
    let button = view! {
        <button class="why" id=id aria-expanded=move || is_open().to_string() aria-controls=controls on:click=press>
            {text}
        </button>
    };
    button
        .attr(FORMULA, formula.symbols)
        .attr(FILLED, formula.filled)
        .attr(SOURCE, formula.source)
}

/// The formula that was asked for, its inputs and where they are from.
#[component]
fn FormulaLine(figures: Arc<Figures>, asked: OpenFormula, id: String) -> impl IntoView {
    let filled = format!("{id}-filled");
    let common = expect_context::<Shell>().common;
    let formula_text = move || {
        let key = asked.get()?;
        let one = figures.all().find(|one| one.key == key)?.clone();
        let formula = one.formula?;
        // The scenario as it stands: an answer that is out of date goes with the next one.
        let view = common.view.get_untracked();
        let inputs = common.with(|world| describe(world, &view, &formula.inputs));
        let close = move |_| {
            asked.set(None);
            // The way back: to the figure that was asked.
            let button = document().get_element_by_id(&format!("why-{key}"));
            if let Some(button) = button {
                let _ = button.unchecked_into::<web_sys::HtmlElement>().focus();
            }
        };
        let inputs = inputs
            .into_iter()
            .map(|input| view! { <li>{input}</li> })
            .collect_view();
        Some(view! {
            <div class="formula">
                <p>
                    <b>{one.name}</b>
                    <span class="symbols">{formula.symbols}</span>
                    <span class="source">{formula.source}</span>
                </p>
                <p class="filled" id=filled.clone()>{formula.filled}</p>
                {formula.rounded.then(|| view! { <p class="source">{ROUNDED}</p> })}
                <ul class="source">{inputs}</ul>
                <button class="btn quiet small icon" aria-label="Close the formula" on:click=close>
                    <Icon glyph=Glyph::Close/>
                </button>
            </div>
        })
    };
    view! { <div class="formula-of" id=id role="status">{formula_text}</div> }
}
