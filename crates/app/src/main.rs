//! The program of the page and of its workers, one for both, so that what both need is loaded once: the core above all, which reads
//! scenarios on one side and solves them on the other. Neither side knows the other but by what they say to each other.

fn main() {
    #[cfg(target_arch = "wasm32")]
    match web_sys::window() {
        Some(_) => edgewise::ui::run(),
        None => worker::run(),
    }
}
