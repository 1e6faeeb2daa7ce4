//! Links, the controller and a record go by the places of devices: they follow when devices come, go, move or are switched off.

use super::Scenario;
use crate::scenario::rows::Shift;

impl Scenario {
    /// Has everything that goes by places follow the devices. The first device that is on holds the input where the one before
    /// cannot; a record keeps the rows of the devices that are left.
    ///
    /// # Complexity
    /// O(links log links + recorded rows + devices).
    pub fn follow(&mut self, shift: Shift) {
        match shift {
            Shift::Inserted { at, like } => self.links.inserted(at, like),
            Shift::Removed(at) => self.links.removed(at),
            Shift::Moved { .. } => self
                .links
                .moved(|before| shift.place_of(before).unwrap_or(before)),
            Shift::Switched => {}
        }
        if let Some(rows) = self.recorded.take() {
            let rows: Vec<_> = rows
                .into_iter()
                .filter_map(|(token, device, compute, memory)| {
                    Some((token, shift.place_of(device)?, compute, memory))
                })
                .collect();
            self.recorded = (!rows.is_empty()).then_some(rows);
        }
        let is_first = matches!(shift, Shift::Inserted { .. }) && self.devices.len() == 1;
        let holder = shift.place_of(self.controller).filter(|_| !is_first);
        let holder = holder.filter(|at| self.devices.get(*at).is_some_and(|device| !device.off));
        let first = || self.switched_on().next().map_or(0, |(at, _)| at);
        self.controller = holder.unwrap_or_else(first);
    }
}
