# Sourced by the other scripts, from the root of the repository: versions, paths and a clean environment.
# Versions have one home each: Rust in rust-toolchain.toml, Trunk and wasm-bindgen in Trunk.toml, axe-core here.

quoted() { sed -n "s/^$2 *= *\"=\{0,1\}\([^\"]*\)\".*/\1/p" "$1" | head -n 1; }

rust_version=$(quoted rust-toolchain.toml channel)
trunk_version=$(quoted Trunk.toml trunk-version)
wasm_bindgen_version=$(quoted Trunk.toml wasm_bindgen)
axe_version=4.14.1
axe_sha256=29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c
wasm_target=wasm32-unknown-unknown

# Tools are built once per user, outside the clone, so that a second clone finds them.
cache="${XDG_CACHE_HOME:-$HOME/.cache}/edgewise"
trunk_root="$cache/trunk-$trunk_version"
wasm_bindgen_root="$cache/wasm-bindgen-cli-$wasm_bindgen_version"
axe="$cache/axe-core-$axe_version/axe.min.js"
target_dir="${CARGO_TARGET_DIR:-$PWD/target}"

export PATH="$trunk_root/bin:$wasm_bindgen_root/bin:$PATH:${CARGO_HOME:-$HOME/.cargo}/bin"
export TRUNK_SKIP_VERSION_CHECK=true # otherwise Trunk asks the network for news

# These would silently replace what .cargo/config.toml says (SIMD among it).
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS CARGO_BUILD_TARGET

# .cargo/config.toml names Debian's place of chromedriver; a set variable wins over it.
if [ -z "${CHROMEDRIVER:-}" ] && [ ! -x /usr/bin/chromedriver ] && command -v chromedriver >/dev/null; then
  CHROMEDRIVER=$(command -v chromedriver)
  export CHROMEDRIVER
fi

fail() {
  echo "error: $*" >&2
  exit 1
}
