#!/usr/bin/env bash
# tools/test.sh [STEP...]: runs every test, or only the named steps: native web service build hosted page mutants. The page's
# tests drive what was built last: by build, quickly, or by hosted, as it ships. Ends with a table of the steps beside their
# budgets, which are in tools/budgets.
# Assumes what tools/setup.sh test installs. Logs are in target/test-logs/.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/env.sh
. tools/clock.sh

logs="$target_dir/test-logs"
mkdir -p "$logs"
cores=$(nproc)

# Counts the tests of folder $1 by the attribute $2, and the passed tests in the log of step $1.
declared() { grep -rhE "^[[:space:]]*#\[$2(\]|\()" "tests/$1" --include='*.rs' | wc -l | tr -d ' '; }
passed() { sed -nE 's/^test result: (ok|FAILED)\. ([0-9]*) passed.*/\2/p' "$logs/$1.log" | awk '{ n += $1 } END { print n + 0 }'; }

# A browser test that did not run is a failure: as many must have passed as there are.
all_ran() {
  local expected ran
  expected=$(declared "$1" "$2")
  ran=$(passed "$1")
  [ "$expected" -gt 0 ] || fail "tests/$1 holds no test"
  [ "$ran" = "$expected" ] || fail "$1: $ran tests passed, but tests/$1 holds $expected"
}

# More threads than cores: some tests of the service wait for time limits.
native() {
  cargo test -- --test-threads $((cores + 2)) &&
    cargo test --package edgewise-finish --package edgewise-pieces &&
    cargo test --package edgewise-mutants
}
# The profile of ./dev serve: nothing is optimised across crates, and the page's build finds the libraries made.
web() { cargo test --profile serve --target "$wasm_target" --package edgewise-web-tests; }
# Clients written in Python: the contract that the service describes, and the examples.
service() {
  local python=$target_dir/service-tests
  cargo build --bin edgewise
  [ -x "$python/bin/pip" ] || python3 -m venv "$python"
  "$python/bin/pip" install --quiet --disable-pip-version-check --requirement tests/service/requirements.txt
  EDGEWISE_COMMAND=$target_dir/debug/edgewise "$python/bin/python" -B -m pytest -p no:cacheprovider tests/service
}

# The page as it is served while it is written, and as it is hosted: the same source.
build() { trunk build --dist "$target_dir/page"; }
hosted() { trunk build --release; }
page_tests() {
  EDGEWISE_DIST=$page_dist EDGEWISE_AXE=$axe EDGEWISE_COMMAND=$target_dir/debug/edgewise \
    cargo test --package edgewise-page-tests --test page -- "$@"
}

# Tests that measure time run alone, after all others. Of the others, one and a half browsers a core keep the machine busy:
# with more, pages answer too late.
all_page_tests() {
  local code=0
  page_tests --test-threads $((cores * 3 / 2)) --skip timing:: || code=$?
  page_tests --test-threads 1 timing:: || code=$?
  return $code
}

# A browser on a busy machine can be late. A page test that fails is run once more, alone, and listed; one that fails again
# has failed.
page() {
  local failed name
  EDGEWISE_PAGE=$page_dist cargo build --bin edgewise
  if all_page_tests 2>&1 | tee "$logs/page-first.log"; then return; fi
  failed=$(sed -nE 's/^test ([a-z0-9_:]+) \.\.\. FAILED$/\1/p' "$logs/page-first.log")
  [ -n "$failed" ] || return 1
  [ "$(wc -l <<<"$failed")" -le 3 ] || return 1
  printf '\n== failed at first, run again: %s\n' $failed
  # shellcheck disable=SC2086 # names of tests hold no blanks
  page_tests --exact --test-threads 1 $failed
  for name in $failed; do printf 'rerun\t%s\n' "$name" >>"$steps_file"; done
}
mutants() { cargo run --quiet --package edgewise-mutants; }

result() {
  case $1 in
    native)
      [ "$(passed native)" -gt 0 ] || fail "no native test ran"
      echo "$(passed native) passed"
      ;;
    web) all_ran web wasm_bindgen_test && echo "$(passed web) passed, all that there are" ;;
    page) all_ran page 'tokio::test' && echo "$(passed page) passed, all that there are" ;;
    service) sed -nE 's/^=+ ([0-9]+ passed).* =+$/\1/p' "$logs/service.log" | grep . ;;
    build | hosted) echo "$page_dist" ;;
    mutants) sed -n 's/^mutants: //p' "$logs/mutants.log" ;;
  esac
}

run_step() {
  local name=$1 outcome
  printf '\n== %s\n' "$name"
  case $name in
    build) page_dist=$target_dir/page ;;
    hosted) page_dist=$PWD/dist ;;
  esac
  if ! "$name" 2>&1 </dev/null | tee "$logs/$name.log"; then
    lap
    fail "step $name failed after $lap"
  fi
  outcome=$(result "$name") || exit 1
  record_step "$name" "$outcome"
  printf '== %s: %s, %s\n' "$name" "$outcome" "$lap"
}

[ $# -gt 0 ] || set -- native web service build page mutants
for step in "$@"; do
  case $step in native | web | service | build | hosted | page | mutants) ;; *) fail "no step is called $step" ;; esac
done
page_dist=$target_dir/page
for step in "$@"; do run_step "$step"; done

# The caller that set the variable prints the table.
[ -z "${EDGEWISE_STEPS_FILE:-}" ] || exit 0
printf '\nAll tests passed.\n'
print_steps || fail "a step is far over its budget"
