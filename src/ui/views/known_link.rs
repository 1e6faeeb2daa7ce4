//! A menu of links as people know them, which fills in rate and delay, and says what was filled in.

use super::icons::{Glyph, Icon};
use engine::network::links::{LINKS, Link, find};
use leptos::prelude::*;

/// The menu; `take` gets what was chosen.
#[component]
pub fn KnownLinks(id: &'static str, take: Callback<&'static Link>) -> impl IntoView {
    let said = RwSignal::new(String::new());
    let choose = move |event: web_sys::Event| {
        let chosen = event_target_value(&event);
        let select: web_sys::HtmlSelectElement = event_target(&event);
        select.set_value("");
        if let Some(link) = find(&chosen) {
            take.run(link);
            said.set(words(link));
        }
    };
    view! {
        <div>
            <div class="select small">
                <select id=id aria-label="Fill in from a known link" prop:value="" on:change=choose>
                    <option value="" selected>"Fill in from"</option>
                    {LINKS.iter().map(|link| view! { <option value=link.name>{link.name}</option> }).collect_view()}
                </select>
                <Icon glyph=Glyph::Down/>
            </div>
            <p class="foot" role="status">{said}</p>
        </div>
    }
}

/// What is known of a link: its rate with its range and source, its delay.
fn words(link: &Link) -> String {
    let spread = |range: Option<(f64, f64)>| {
        let (low, high) = range.unwrap_or_default();
        format!("{low} to {high}")
    };
    let (rate, latency) = (link.rate, link.latency);
    let by = if rate.is_assumed() {
        "assumed for "
    } else {
        ""
    };
    format!(
        "{}: {} Mbit/s ({}; {by}{}), {} ms ({}).",
        link.name,
        rate.value,
        spread(rate.range),
        rate.origin.words(),
        latency.value,
        spread(latency.range)
    )
}
