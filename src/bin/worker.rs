//! The worker: everything is in [`edgewise::ui::worker`].

fn main() {
    #[cfg(target_arch = "wasm32")]
    edgewise::ui::worker::run();
}
