//! The command line: everything is in [`edgewise::cli`].

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    // A panic is a bug of ours; it has said so on standard error, and its exit status is 1.
    std::panic::catch_unwind(edgewise::cli::main).unwrap_or(std::process::ExitCode::from(1))
}

// The wasm build builds no command line.
#[cfg(target_arch = "wasm32")]
fn main() {}
