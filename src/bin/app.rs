//! The page: everything is in [`edgewise::ui`].

fn main() {
    #[cfg(target_arch = "wasm32")]
    edgewise::ui::run();
}
