//! The worker's program: hears requests of the page and answers them with the solvers, off the page's thread.

#[cfg(target_arch = "wasm32")]
mod blob;
#[cfg(target_arch = "wasm32")]
mod listen;
#[cfg(target_arch = "wasm32")]
mod pieces;
#[cfg(target_arch = "wasm32")]
mod wire;

fn main() {
    #[cfg(target_arch = "wasm32")]
    listen::run();
}
