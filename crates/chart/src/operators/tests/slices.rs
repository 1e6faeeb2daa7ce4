//! Operators cut over devices: columns at every size, what is said of one, what is drawn of it.

use super::*;
use crate::ink::Ink;
use crate::{SlicePicture, SliceStep, layout_slices, slices_legend};

fn picture(n: usize, devices: u32, step: Option<usize>) -> SlicePicture {
    let of = |at: usize| {
        let length = 4 * devices + (at % 7) as u32;
        let mut marks: Vec<u32> = (0..=devices).map(|k| k * length / devices).collect();
        if at % 5 == 4 {
            // One device makes everything.
            marks[1..].fill(length);
        }
        SliceStep {
            name: format!("stage{}.conv{at}", at % 9),
            unit: if at % 3 == 2 { "channels" } else { "rows" }.to_owned(),
            by_channels: at % 3 == 2,
            marks,
            comm_ms: 0.1 * (at % 4) as f64,
            compute_ms: 0.5 + (at % 11) as f64 / 7.0,
            sent_b: 1024.0 * (at % 4) as f64,
            ..SliceStep::default()
        }
    };
    SlicePicture {
        devices: Arc::new((0..devices).map(|k| format!("D{}", k + 1)).collect()),
        steps: Arc::new((0..n).map(of).collect()),
        step,
        ..SlicePicture::default()
    }
}

#[test]
fn columns_and_words_are_inside_at_every_size() {
    for n in [0usize, 1, 2, 4, 71, 421, 2000] {
        // Thousands of columns are narrower than a pixel, whatever makes them: the most devices at every width show it.
        let counts: &[u32] = if n > 421 { &[12] } else { &[1, 4, 12] };
        for &devices in counts {
            for width in WIDTHS {
                let last = n.checked_sub(1);
                for step in [None, Some(0), last, Some(n + 3)] {
                    let chart = layout_slices(&picture(n, devices, step), width);
                    sound(&chart, &format!("{n} {devices} {width} {step:?}"));
                    assert_eq!(chart.hits.len(), n);
                }
            }
        }
    }
    both_themes(&layout_slices(&picture(71, 4, Some(21)), 358.0).picture);
    let names = [
        "D1".to_owned(),
        "a device with a very long name indeed".to_owned(),
    ];
    for width in WIDTHS {
        let legend = slices_legend(&names, width);
        assert!(legend.width <= width + 1.0 && legend.height > 0.0);
    }
}

#[test]
fn a_column_says_who_makes_what() {
    let chart = layout_slices(&picture(71, 4, Some(21)), 968.0);
    has(
        &chart.picture,
        &["Share of the operator", "Time, ms", "Step", "71"],
    );
    assert_eq!(
        card_text(&chart, 6),
        [
            "Step 7, stage6.conv6",
            "Cut into: 22 rows",
            "D1: 0 to 4 (5)",
            "D2: 5 to 10 (6)",
            "D3: 11 to 15 (5)",
            "D4: 16 to 21 (6)",
            "Sent: 2.00 KiB",
            "Receiving: 0.200 ms",
            "Computing: 1.357 ms",
        ]
    );
    assert_eq!(card_text(&chart, 4)[3], "D2: nothing");
    assert_eq!(chart.hits[6].pick, Some(6.0));
    // The shares of a column are as high as the plot together.
    let edged = |ink: Ink| {
        let own = chart
            .picture
            .marks
            .iter()
            .filter(move |mark| mark.ink == ink);
        own.filter_map(|mark| match &mark.shape {
            MarkShape::Rect { rect, .. } => Some(rect.h),
            _ => None,
        })
    };
    let all: f64 = (0..4).flat_map(|k| edged(Ink::device(k))).sum();
    assert!((all - 71.0 * 88.0).abs() < 1e-6, "{all}");
    let by_channels = chart
        .picture
        .marks
        .iter()
        .filter(|mark| matches!(mark.shape, MarkShape::Marker { .. }));
    assert_eq!(by_channels.count(), 23);
    assert!(
        chart
            .picture
            .title
            .starts_with("71 operators cut over D1, D2, D3, D4: ")
    );
}

#[test]
fn steps_that_are_seen_fill_the_plot_and_no_others_are_drawn() {
    let view = Some(crate::TimeView {
        from_s: 20.5,
        to_s: 31.0,
    });
    let near = SlicePicture {
        view,
        ..picture(71, 4, Some(21))
    };
    let chart = layout_slices(&near, 968.0);
    sound(&chart, "near");
    let picks: Vec<f64> = chart.hits.iter().filter_map(|spot| spot.pick).collect();
    assert_eq!(picks, (20..31).map(f64::from).collect::<Vec<f64>>());
    for mark in &chart.picture.marks {
        if let MarkShape::Rect { rect, .. } = &mark.shape {
            let plot = &chart.plot;
            let inside = rect.x >= plot.x - 1e-6 && rect.right() <= plot.right() + 1e-6;
            assert!(inside, "{mark:?}");
        }
    }
}
