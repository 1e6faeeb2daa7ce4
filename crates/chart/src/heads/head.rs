//! Head of a row, to its left or above it: shade and name of its device, tag and figure, and the share of tokens for which it has
//! projection and FFN.

use super::index::{HeadIndex, overlap};
use super::layout::{HeadsFrame, RowDensity};
use crate::ink::Ink;
use crate::mark::{Anchor, Mark, Rect, cut, fit, text_width};
use crate::rows::{self, NAME_CHARS, NAME_SIZE, NAME_X, RIGHT_PX, SMALL_SIZE};
use engine::units::{NARROW, percent};

/// From the gutter's words to the plot [px].
pub(super) const GUTTER_AIR_PX: f64 = 10.0;
/// Width of the tag of the controller [px].
const TAG_PX: f64 = 30.0;

/// The width of what is left of the plot [px].
pub(super) fn gutter(index: &HeadIndex, room: RowDensity, phone: bool) -> f64 {
    let data = &index.data;
    let small = |text: &str| text_width(text, SMALL_SIZE, false);
    let widest = |of: &mut dyn Iterator<Item = f64>| of.fold(0.0, f64::max);
    let name = |name: &str| text_width(&cut(name, NAME_CHARS), NAME_SIZE, false);
    let plain = NAME_X + widest(&mut data.devices.iter().map(|device| name(&device.name)));
    if phone {
        return rows::gutter(plain - NAME_X);
    }
    let tagged = data.devices.iter().map(|device| {
        let tag = if device.is_controller {
            8.0 + TAG_PX
        } else {
            0.0
        };
        NAME_X + name(&device.name) + tag
    });
    let tagged = widest(&mut { tagged });
    let shares = (0..data.rows.len()).map(|device| small(&share_text(index, device)));
    let shares = widest(&mut { shares });
    let notes = widest(&mut data.devices.iter().map(|device| small(&device.note)));
    let words = if room == RowDensity::Tall {
        let notes = data
            .devices
            .iter()
            .map(|device| NAME_X + small(&note_text(index, &device.note)));
        tagged.max(widest(&mut { notes }))
    } else {
        (tagged + 12.0 + notes).max(small(&data.note_title))
    };
    words.max(shares) + GUTTER_AIR_PX
}

/// `8.9 Gop/s`.
fn note_text(index: &HeadIndex, note: &str) -> String {
    if note.is_empty() {
        return String::new();
    }
    format!("{note}{NARROW}{}", index.data.note_title)
}

/// `proj, FFN 32 %`: for which share of all tokens a device has them.
fn share_text(index: &HeadIndex, device: usize) -> String {
    let row = &index.data.rows[device];
    let tokens = index.data.tokens;
    let share = |runs: &[(usize, usize)]| {
        let share = 100.0 * overlap(runs, 1, tokens) as f64 / tokens.max(1) as f64;
        percent(share, 0)
    };
    match (row.projection.is_empty(), row.ffn.is_empty()) {
        (true, true) => String::new(),
        (false, true) => format!("proj {}", share(&row.projection)),
        (true, false) => format!("FFN {}", share(&row.ffn)),
        (false, false) => {
            let (projection, ffn) = (share(&row.projection), share(&row.ffn));
            if projection == ffn {
                format!("proj, FFN {ffn}")
            } else {
                let bare = projection.trim_end_matches(['%', NARROW]);
                format!("proj {bare}, FFN {ffn}")
            }
        }
    }
}

/// Shade and name of a device, its tag and its figure, and what its strip holds.
pub(super) fn head(
    index: &HeadIndex,
    frame: &HeadsFrame,
    row: usize,
    device: usize,
    marks: &mut Vec<Mark>,
) {
    let of = &index.data.devices[device];
    let (left, _) = frame.scale.ends_px();
    let (y, h) = frame.bar(row);
    let is_roomy = frame.row_density == RowDensity::Tall;
    let base = match (frame.above, is_roomy) {
        (true, _) => frame.rows[row].1 + 16.0,
        (false, true) => y + 13.0,
        (false, false) => y + h / 2.0 + 4.5,
    };
    marks.push(Mark::shade(of.shade, (0.0, base - 9.5)));
    let small = |anchor, at, text: String| Mark::text(Ink::Text3, SMALL_SIZE, anchor, at, text);
    let gutter = if frame.above { 0.6 * frame.width } else { left };
    let tag = if of.is_controller && (frame.above || !frame.phone) {
        8.0 + TAG_PX
    } else {
        0.0
    };
    let note = match (frame.above || is_roomy, frame.phone && !frame.above) {
        (_, true) => String::new(),
        (true, _) => note_text(index, &of.note),
        (false, _) => of.note.clone(),
    };
    let beside = if frame.has_notes() {
        text_width(&note, SMALL_SIZE, false) + GUTTER_AIR_PX + 4.0
    } else {
        0.0
    };
    let name = fit(
        &cut(&of.name, NAME_CHARS),
        gutter - NAME_X - tag - beside - 4.0,
        NAME_SIZE,
    );
    let end = NAME_X + text_width(&name, NAME_SIZE, false);
    marks.push(Mark::text(
        Ink::Text,
        NAME_SIZE,
        Anchor::Start,
        (NAME_X, base),
        name,
    ));
    if tag > 0.0 {
        controller(end + 8.0, base, marks);
    }
    if !note.is_empty() {
        marks.push(if frame.above {
            small(Anchor::End, (frame.width - RIGHT_PX, base), note)
        } else if is_roomy {
            let note = fit(&note, gutter - NAME_X - 4.0, SMALL_SIZE);
            small(Anchor::Start, (NAME_X, base + 14.0), note)
        } else {
            small(Anchor::End, (left - GUTTER_AIR_PX, base), note)
        });
    }
    let share = share_text(index, device);
    if !frame.phone && !share.is_empty() && row + 1 < frame.rows.len() {
        let (y, h) = frame.strip(row + 1);
        let share = fit(&share, left - GUTTER_AIR_PX, SMALL_SIZE);
        let at = (left - GUTTER_AIR_PX, y + h / 2.0 + 4.0);
        marks.push(small(Anchor::End, at, share));
    }
}

/// The tag of the controller.
fn controller(x: f64, base: f64, marks: &mut Vec<Mark>) {
    let rect = Rect::new(x, base - 11.0, TAG_PX, 14.0);
    marks.push(Mark::edged(
        Ink::Background,
        (Ink::HandOver, &[]),
        3.0,
        rect,
    ));
    let at = (x + TAG_PX / 2.0, base);
    marks.push(Mark::text(
        Ink::Text2,
        SMALL_SIZE,
        Anchor::Middle,
        at,
        "ctrl",
    ));
}
