//! The hook of a build: divides both programs of the page. See the library.

fn main() -> anyhow::Result<()> {
    pieces::divide_build(&pieces::Build::of_hook()?)
}
