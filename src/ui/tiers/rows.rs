//! The tiers: what is their own about the table of a fleet.

use super::TiersState;
use crate::ui::views::fleet::{FleetRows, FleetTable, OwnColumns, RowPart};
use engine::scenario::fields::{Number, NumberFields};
use engine::scenario::tiers::{Link, MOST_TIERS, Scenario, Tier, presets};
use engine::units::NARROW;
use leptos::prelude::*;
use std::sync::Arc;

impl FleetRows for Scenario {
    const TITLE: &'static str = "Tiers";
    const MOST: usize = MOST_TIERS;
    const COLUMNS: &'static [&'static str] = &["nodes", "bandwidth_gb_s", "tops", "usable_gb"];
    const DETAILS_TITLE: &'static str = "Link to the next tier";

    fn size(&self) -> String {
        let nodes: f64 = self.switched_on().map(|(_, tier)| tier.nodes).sum();
        let nodes = if nodes == 1.0 {
            "1 device".to_owned()
        } else {
            format!("{nodes} devices")
        };
        match self.switched_on().count() {
            1 => format!("1 tier, {nodes}"),
            tiers => format!("{tiers} tiers, {nodes}"),
        }
    }

    fn rename(row: &mut Tier, name: String) {
        row.name = name;
    }

    fn off(row: &mut Tier) -> Option<&mut bool> {
        Some(&mut row.off)
    }

    fn first() -> Option<Tier> {
        presets::paper().tiers.into_iter().next()
    }

    /// Its link to the next tier; a tier has both numbers of its own or none.
    fn row_details() -> Vec<RowPart<Self>> {
        let part = |number: &'static Number<Link>| RowPart {
            key: format!("link {}", number.field.key),
            field: number.field,
            head: Signal::derive(move || number.field.title()),
            get: Arc::new(move |s: &Self, at| {
                let link = s.tiers.get(at)?.link;
                link.and_then(|link| (number.get)(&link))
            }),
            set: Arc::new(move |s: &mut Self, at, value| {
                let shared = s.link;
                if let Some(tier) = s.tiers.get_mut(at) {
                    tier.link = value.map(|value| {
                        let mut link = tier.link.unwrap_or(shared);
                        (number.set)(&mut link, Some(value));
                        link
                    });
                }
            }),
            shared: |s, field| {
                let number = Link::number(field.key);
                let shared = number.and_then(|number| (number.get)(&s.link));
                shared.unwrap_or_default()
            },
        };
        Link::NUMBERS.iter().map(part).collect()
    }

    fn derived(&self, at: usize) -> Option<String> {
        let tier = self.tiers.get(at)?;
        let (pass, block) = self.with_costs(|costs| {
            let blocks = 0..self.blocks();
            let all = costs
                .model
                .sum(&blocks, |block| costs.block(&tier.node(), block).decode);
            (all / blocks.len() as f64, costs.largest_block() / 1e9)
        });
        let room = libm::floor((tier.usable_gb + 1e-9) / block);
        let own = if tier.link.is_some() {
            ", own link"
        } else {
            ""
        };
        Some(format!(
            "{:.2}{NARROW}ms per block   room for {room:.0} blocks{own}",
            1e3 * pass
        ))
    }
}

/// The table with its tools.
#[component]
pub fn Tiers() -> impl IntoView {
    let state = expect_context::<TiersState>();
    view! { <FleetTable editor=*state own=OwnColumns::default()/> }
}
