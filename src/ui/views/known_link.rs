//! A menu of links as people know them, which fills in rate and delay, and says what was filled in.

use super::form::Pick;
use engine::network::links::{KnownLink, LINKS};
use leptos::prelude::*;

/// The menu; `take` gets what was chosen.
#[component]
pub fn KnownLinks(id: &'static str, take: Callback<&'static KnownLink>) -> impl IntoView {
    let said = RwSignal::new(String::new());
    let choose = Callback::new(move |at: usize| {
        if let Some(link) = LINKS.get(at) {
            take.run(link);
            said.set(link_description(link));
        }
    });
    let options = LINKS.iter().map(|link| link.name.to_owned()).collect();
    view! {
        <div>
            <Pick id=id label="Fill in from" accessible_label="Fill in from a known link" options=options choose=choose/>
            <p class="foot" role="status">{said}</p>
        </div>
    }
}

/// Describes a link: rate with range and source, latency.
fn link_description(link: &KnownLink) -> String {
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
        rate.origin.description(),
        latency.value,
        spread(latency.range)
    )
}
