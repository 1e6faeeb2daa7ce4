#!/usr/bin/env bash
# tools/setup.sh serve|test: installs what is missing to build and serve the page, or also to run every test.
# What is there already is checked by its version and left alone. Nothing is written into the clone.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/env.sh
. tools/clock.sh

purpose=${1:-serve}
case $purpose in serve | test) ;; *) fail "usage: tools/setup.sh serve|test" ;; esac

found() { printf '%-26s %s\n' "$1" "$2"; }

# System packages, all of them before anything else is done.

compiles_c() {
  local out
  out=$(mktemp)
  echo 'int main(void) { return 0; }' | cc -x c - -o "$out" 2>/dev/null
  local code=$?
  rm -f "$out"
  return $code
}

has_certificates() {
  local file
  for file in "${SSL_CERT_FILE:-}" /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/cert.pem; do
    [ -n "$file" ] && [ -s "$file" ] && return 0
  done
  return 1
}

browser() {
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" && return 0
  done
  return 1
}

driver() { command -v "${CHROMEDRIVER:-chromedriver}"; }

# Most tests of the page run in Chromium's engine alone, which Debian has in a package of its own; elsewhere in the browser.
has_headless_shell() {
  local path
  path=$(browser) || path=/usr/bin/chromium
  [ "$path" != /usr/bin/chromium ] || [ ! -e /etc/debian_version ] || command -v chromium-headless-shell >/dev/null
}

# The accessibility rules that the page's tests run; checked by what is in the file, not by its name.
has_axe() { echo "$axe_sha256  $axe" | sha256sum --check --status 2>/dev/null; }

missing_packages() {
  compiles_c || echo gcc libc6-dev
  has_certificates || echo ca-certificates
  if [ "$purpose" = test ]; then
    browser >/dev/null || echo chromium
    driver >/dev/null || echo chromium-driver
    has_headless_shell || echo chromium-headless-shell
    python3 -c 'import ensurepip' 2>/dev/null || echo python3-venv
    command -v parallel >/dev/null || echo parallel
    has_axe || command -v npm >/dev/null || echo npm
  fi
}

packages=$(missing_packages | tr '\n' ' ')
packages=${packages% }
if [ -n "$packages" ]; then
  echo "Missing system packages: $packages"
  install="apt-get install -y --no-install-recommends $packages"
  command -v apt-get >/dev/null || fail "install them (Debian's names) with this system's package manager, then run this again"
  if [ "$(id -u)" != 0 ]; then
    echo "Installing them needs root. Run this, then run the same command again:"
    echo "  sudo apt-get update && sudo $install"
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  echo "Installing them; about half a minute on a fast connection."
  apt-get update -q </dev/null
  # shellcheck disable=SC2086 # a list of words
  $install </dev/null
  packages=$(missing_packages | tr '\n' ' ')
  [ -z "$packages" ] || fail "still missing after the installation: $packages"
fi

# Rust.

if ! command -v cargo >/dev/null; then
  echo "Rust is missing. Install rustup, then run the same command again:"
  echo "  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal --default-toolchain none"
  exit 1
fi

rust_is() { rustc --version 2>/dev/null | grep -q "^rustc ${rust_version//./\\.} "; }
has_wasm() { [ -d "$(rustc --print sysroot)/lib/rustlib/$wasm_target/lib" ]; }
has_parts() { cargo clippy --version >/dev/null 2>&1 && cargo fmt --version >/dev/null 2>&1; }

if ! { rust_is && has_wasm && has_parts; }; then
  [ -z "${RUSTUP_TOOLCHAIN:-}" ] ||
    fail "RUSTUP_TOOLCHAIN=$RUSTUP_TOOLCHAIN overrules rust-toolchain.toml, and is not Rust $rust_version with all it names"
  command -v rustup >/dev/null ||
    fail "needs Rust $rust_version with clippy, rustfmt and the target $wasm_target; without rustup they have to come from elsewhere"
  echo "Installing Rust $rust_version with clippy, rustfmt and $wasm_target; about a minute."
  rustup toolchain install "$rust_version" --profile minimal -c clippy -c rustfmt -t "$wasm_target" --no-self-update
fi
rust_is || fail "rustc is $(rustc --version 2>&1), not $rust_version"
has_wasm || fail "the target $wasm_target is still missing"
has_parts || fail "clippy or rustfmt is still missing"
found "rustc $rust_version" "$(rustc --print sysroot)"

# Trunk and wasm-bindgen: the exact version from the cache or from PATH, else built into the cache.

grep -q "^wasm-bindgen = \"=$wasm_bindgen_version\"" Cargo.toml ||
  fail "Trunk.toml pins wasm-bindgen $wasm_bindgen_version, Cargo.toml another version; they must be equal"

version_is() { [ "$("$1" --version 2>/dev/null)" = "$1 $2" ]; }

# build_tool ROOT LEVEL ARGUMENTS...: cargo install, resumable when it is interrupted. A tool is built for a quick start and
# not for speed; LEVEL 1 is for the one that goes through the page's module at every rebuild.
build_tool() {
  local root=$1 level=$2 work
  work="$cache/unfinished/$(basename "$root")"
  shift 2
  mkdir -p "$work"
  CARGO_TARGET_DIR=$work CARGO_PROFILE_RELEASE_OPT_LEVEL=$level CARGO_PROFILE_RELEASE_LTO=off \
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=0 \
    cargo install --quiet --force --root "$root" "$@" </dev/null
  rm -rf "$work"
}

has_wasm_bindgen() {
  version_is wasm-bindgen "$wasm_bindgen_version" && version_is wasm-bindgen-test-runner "$wasm_bindgen_version"
}
has_trunk() { version_is trunk "$trunk_version"; }

building=()
if ! has_wasm_bindgen; then
  building+=("wasm-bindgen $wasm_bindgen_version")
  # Without --locked: its lock file names a version that the registry has withdrawn.
  build_tool "$wasm_bindgen_root" 1 wasm-bindgen-cli --version "$wasm_bindgen_version" --no-default-features \
    --bin wasm-bindgen --bin wasm-bindgen-test-runner &
  wasm_bindgen_build=$!
fi
if ! has_trunk; then
  building+=("Trunk $trunk_version")
  # Without news of its own versions.
  build_tool "$trunk_root" 0 trunk --version "$trunk_version" --locked --no-default-features --features rustls &
  trunk_build=$!
fi
if [ ${#building[@]} -gt 0 ]; then
  lap
  printf 'Building %s, once for this user. Both take about 4 minutes on two cores.\n' "$(printf '%s and ' "${building[@]}" | sed 's/ and $//')"
  code=0
  wait ${wasm_bindgen_build:+"$wasm_bindgen_build"} || code=$?
  wait ${trunk_build:+"$trunk_build"} || code=$?
  lap
  [ $code = 0 ] || fail "cargo install failed after $lap"
  echo "  done in $lap"
  hash -r
fi
has_wasm_bindgen || fail "wasm-bindgen $wasm_bindgen_version is still missing"
found "wasm-bindgen $wasm_bindgen_version" "$(command -v wasm-bindgen)"
has_trunk || fail "trunk $trunk_version is still missing"
found "trunk $trunk_version" "$(command -v trunk)"

# Chromium and its driver.

if [ "$purpose" = test ]; then
  version_of() { "$1" --version 2>/dev/null | grep -Eo '[0-9]+(\.[0-9]+)+' | head -n 1 || true; }
  browser_path=$(browser)
  driver_path=$(driver)
  browser_version=$(version_of "$browser_path")
  driver_version=$(version_of "$driver_path")
  [ -n "$browser_version" ] || fail "$browser_path does not tell its version"
  [ -n "$driver_version" ] || fail "$driver_path does not tell its version"
  [ "${browser_version%%.*}" = "${driver_version%%.*}" ] ||
    fail "$browser_path is $browser_version and $driver_path is $driver_version; their first numbers must be equal"
  found "Chromium $browser_version" "$browser_path"
  found "chromedriver $driver_version" "$driver_path"

  if ! has_axe; then
    echo "Fetching axe-core $axe_version, once for this user."
    work=$(mktemp -d)
    (cd "$work" && npm pack --silent "axe-core@$axe_version" >/dev/null && tar -xzf axe-core-*.tgz package/axe.min.js)
    mkdir -p "$(dirname "$axe")"
    mv "$work/package/axe.min.js" "$axe"
    rm -rf "$work"
  fi
  has_axe || fail "$axe is not axe-core $axe_version as it was pinned"
  found "axe-core $axe_version" "$axe"
fi
