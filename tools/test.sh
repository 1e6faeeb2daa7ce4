#!/usr/bin/env bash
# tools/test.sh [STEP...]: runs every test, or only the named steps: native web build page mutants.
# Assumes what tools/setup.sh test installs. Logs are in target/test-logs/.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/env.sh

logs="$target_dir/test-logs"
mkdir -p "$logs"
summary=()

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

native() { cargo test; }
web() { cargo test --profile web --target "$wasm_target" -p edgewise-web-tests --test web; }
build() { trunk build --release; }
page_tests() {
  cargo build --bin edgewise
  EDGEWISE_DIST=$PWD/dist EDGEWISE_AXE=$axe EDGEWISE_COMMAND=$target_dir/debug/edgewise cargo test -p edgewise-page-tests --test page -- "$@"
}

# A browser on a busy machine can miss a beat. A page test that fails is run once more, alone, and named; one that
# fails again has failed.
page() {
  local failed
  if page_tests 2>&1 | tee "$logs/page-first.log"; then return; fi
  failed=$(sed -nE 's/^test ([a-z0-9_:]+) \.\.\. FAILED$/\1/p' "$logs/page-first.log")
  [ -n "$failed" ] || return 1
  [ "$(wc -l <<<"$failed")" -le 3 ] || return 1
  printf '\n== failed at first, run again: %s\n' $failed
  # shellcheck disable=SC2086 # names of tests hold no blanks
  page_tests --exact --test-threads 1 $failed
}
mutants() { tools/mutants.sh; }

result() {
  case $1 in
    native)
      [ "$(passed native)" -gt 0 ] || fail "no native test ran"
      echo "$(passed native) passed"
      ;;
    web) all_ran web wasm_bindgen_test && echo "$(passed web) passed, all that there are" ;;
    page) all_ran page 'tokio::test' && echo "$(passed page) passed, all that there are" ;;
    build) echo "dist/" ;;
    mutants) sed -n 's/^mutants: //p' "$logs/mutants.log" ;;
  esac
}

run_step() {
  local name=$1 started=$SECONDS outcome
  printf '\n== %s\n' "$name"
  if ! "$name" 2>&1 </dev/null | tee "$logs/$name.log"; then
    fail "step $name failed after $((SECONDS - started)) s"
  fi
  outcome=$(result "$name") || exit 1
  summary+=("$(printf '%-8s %4d s  %s' "$name" $((SECONDS - started)) "$outcome")")
  printf '== %s\n' "${summary[${#summary[@]} - 1]}"
}

[ $# -gt 0 ] || set -- native web build page mutants
for step in "$@"; do
  case $step in native | web | build | page | mutants) ;; *) fail "no step is called $step" ;; esac
done
for step in "$@"; do run_step "$step"; done

printf '\nAll passed, %d s:\n' "$SECONDS"
printf '  %s\n' "${summary[@]}"
