//! Device or server: the referee, the paper's algorithms, and the best policies beside a general linear program.

mod fits;
mod laws;
mod oracle;
mod policies;
mod published;
mod referee;
mod simplex;

/// Equal but for rounding.
#[track_caller]
fn near(found: f64, wanted: f64) {
    let hair = 1e-9 * wanted.abs().max(1e-3);
    assert!((found - wanted).abs() <= hair, "{found}, not {wanted}");
}
