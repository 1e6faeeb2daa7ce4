//! Keyboard input of a chart.

use super::{ChartController, KeyboardStepper};
use crate::ui::views::interaction::zoom::STEP;
use chart::NeighbourKey;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

/// The part of the view that a key moves it by.
const PAN_SHARE: f64 = 0.2;

impl ChartController {
    pub fn key(&self, event: &KeyboardEvent) {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let key = event.key();
        let zooms = self.zoom.is_some();
        let step = match key.as_str() {
            "+" | "=" if zooms => return self.zoom_by_key(event, STEP),
            "-" | "_" if zooms => return self.zoom_by_key(event, 1.0 / STEP),
            "0" if zooms => {
                if let Some(zoom) = self.zoom {
                    zoom.view.set(None);
                }
                return self.announce();
            }
            "t" | "T" => {
                if let Some(turn) = self.on_table {
                    turn.run(());
                }
                return;
            }
            "Escape" => return self.leave(),
            "Enter" | " " => {
                event.prevent_default();
                self.hover.set(None);
                self.open.give_to(self.id);
                let selected = self.selected.get_untracked();
                match selected {
                    Some(at) => {
                        self.activate(at);
                    }
                    None if self.walk.is_none() => self.step(NeighbourKey::First),
                    None => {}
                }
                return;
            }
            "ArrowLeft" => NeighbourKey::Earlier,
            "ArrowRight" => NeighbourKey::Later,
            "ArrowUp" => NeighbourKey::Above,
            "ArrowDown" => NeighbourKey::Below,
            "Home" => NeighbourKey::First,
            "End" => NeighbourKey::Last,
            "c" | "C" => NeighbourKey::Chain,
            _ => return,
        };
        event.prevent_default();
        if event.shift_key() {
            return self.shift(step);
        }
        match self.walk {
            Some(walk) => self.walk_on(walk, step),
            None => self.step(step),
        }
    }

    /// With Shift, arrows move the current value where there is one, and else the view.
    fn shift(&self, step: NeighbourKey) {
        if self.chart.with_untracked(|chart| chart.now().is_some()) {
            let next = self.chart.with_untracked(|chart| chart.moved(step));
            if let Some((next, on_pick)) = next.zip(self.on_pick) {
                on_pick.run(next);
            }
            return;
        }
        let by = |share: f64| {
            let seen = self.visible_range();
            self.show(seen.panned(share * seen.span_s(), self.end_s()));
            self.announce();
        };
        let height = self.chart.with_untracked(|chart| chart.picture().height);
        match (step, self.across) {
            (NeighbourKey::Earlier, _) => by(-PAN_SHARE),
            (NeighbourKey::Later, _) => by(PAN_SHARE),
            (NeighbourKey::Above, Some(across)) => across.run(-PAN_SHARE * height),
            (NeighbourKey::Below, Some(across)) => across.run(PAN_SHARE * height),
            _ => {}
        }
    }

    /// Takes the setting that a key leads to.
    fn walk_on(&self, walk: KeyboardStepper, step: NeighbourKey) {
        self.open.give_to(self.id);
        self.hover.set(None);
        let (now, last) = (walk.now.get_untracked(), walk.last.get_untracked());
        self.walks.set(true);
        let next = match step {
            NeighbourKey::Earlier => now.saturating_sub(1) as f64,
            NeighbourKey::Later => (now + 1).min(last) as f64,
            NeighbourKey::First => 0.0,
            NeighbourKey::Last => last as f64,
            NeighbourKey::Above | NeighbourKey::Below | NeighbourKey::Chain => {
                let here = untrack(|| self.chosen());
                let pick = self
                    .chart
                    .with_untracked(|chart| chart.pick(chart.neighbour(here?, step)?));
                pick.unwrap_or(now as f64)
            }
        };
        if let Some(on_pick) = self.on_pick {
            on_pick.run(next);
        }
    }

    fn step(&self, step: NeighbourKey) {
        self.open.give_to(self.id);
        self.hover.set(None);
        let next = self.chart.with_untracked(|chart| {
            let at = match self.selected.get_untracked() {
                None => chart.first()?,
                Some(at) => chart.neighbour(at, step).unwrap_or(at),
            };
            Some((at, chart.place(at)?))
        });
        let Some((at, place)) = next else { return };
        // A mark of a chart without an axis, or one that is seen, is where it is.
        if self.is_zoomed() && self.chart.with_untracked(|chart| chart.axis().is_some()) {
            self.show(
                self.visible_range()
                    .showing(place.from_s, place.to_s, self.end_s()),
            );
        }
        self.selected.set(Some(at));
        self.scroll_to_row(place.row);
    }

    /// Scrolls the rows so that one of them is seen.
    fn scroll_to_row(&self, row: usize) {
        let Some(rows) = self.rows.get_untracked() else {
            return;
        };
        let (band, axis) = self.chart.with_untracked(|chart| {
            (
                chart.bands().get(row).copied(),
                chart.axis().map(|a| a.height),
            )
        });
        let (Some(band), Some(axis)) = (band, axis) else {
            return;
        };
        let (top, height) = (
            f64::from(rows.scroll_top()),
            f64::from(rows.client_height()),
        );
        if band.y - axis < top {
            rows.set_scroll_top((band.y - axis) as i32);
        } else if band.bottom() > top + height {
            rows.set_scroll_top((band.bottom() - height) as i32 + 1);
        }
    }

    /// About the selected mark where it is seen, else about the middle.
    fn zoom_by_key(&self, event: &KeyboardEvent, factor: f64) {
        event.prevent_default();
        let seen = self.visible_range();
        let chosen = self.chart.with_untracked(|chart| {
            let (left, right) = chart.scale()?.ends_px();
            let rect = chart.place(untrack(|| self.chosen())?)?.rect?;
            let middle = (rect.x.max(left) + rect.right().min(right)) / 2.0;
            Some(chart.scale()?.s_from_px(middle))
        });
        let set = self.walk.map(|walk| walk.at.get_untracked() + 0.5);
        let set = set.filter(|at| (seen.from_s..=seen.to_s).contains(at));
        let middle = (seen.from_s + seen.to_s) / 2.0;
        self.zoom_by(factor, chosen.or(set).unwrap_or(middle));
        self.announce();
    }

    fn announce(&self) {
        let (seen, end_s) = (self.visible_range(), self.end_s());
        let span = self
            .chart
            .with_untracked(|chart| chart.span_text(seen, end_s));
        self.announced.set(format!("Shown: {span}"));
    }
}
