#!/usr/bin/env bash
# tools/mutants.sh [BEGIN...]: breaks a copy of the source in one place at a time; the tests must notice every time.
# With arguments only by the mutants whose names begin so. With EDGEWISE_MUTANTS_PARTS=N only by every N-th, beginning
# with one that the commit decides, so that commits take turns; that all others still apply is checked all the same.
#
# Each file tests/mutants/*.mutant is one mutant:
#
#   # What is broken, in one line.
#   file: src/evaluate/cold_start.rs
#   --- old
#   the exact text to replace: one or more whole lines, or a part of one line
#   --- new
#   the text that takes its place; may be empty
#   --- end
#
# The old text must occur exactly once in the file. The line breaks next to the three markers do not belong to the
# texts. The mutated copy must compile; only a failing test counts as caught. A run longer than ten minutes counts
# as neither and ends the script.
#
# The native tests come first, for they notice most mutants; the library's own are compiled and run only for those
# that the native ones let pass. A mutant survives when both pass.
#
# The copy is compiled in the folder of the clone's own builds, so that libraries are compiled only once. It has a
# version of its own: by name and version alone cargo would take a mutant's programs for those of the clone, and the
# clone's next test would run them.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/env.sh

at_least=109 # as many mutants the tests are known to catch; a removed file is noticed

mutants=(tests/mutants/*.mutant)
[ -e "${mutants[0]}" ] || fail "tests/mutants holds no mutant"
[ ${#mutants[@]} -ge $at_least ] || fail "tests/mutants holds ${#mutants[@]} mutants, $at_least are expected"

if [ $# -gt 0 ]; then
  mutants=()
  for begin in "$@"; do
    mutants+=(tests/mutants/"$begin"*.mutant)
  done
  for mutant in "${mutants[@]}"; do
    [ -e "$mutant" ] || fail "no mutant is named $(basename "$mutant")"
  done
fi

all=("${mutants[@]}")
parts=${EDGEWISE_MUTANTS_PARTS:-1}
if [ $# = 0 ] && [ "$parts" -gt 1 ]; then
  commit=$(git rev-parse --short=6 HEAD 2>/dev/null || echo 0)
  first=$((16#${commit:0:6} % parts))
  mutants=()
  for at in "${!all[@]}"; do
    if [ $((at % parts)) = $first ]; then mutants+=("${all[$at]}"); fi
  done
  echo "one part of $parts: ${#mutants[@]} of ${#all[@]} mutants"
fi

mkdir -p "$target_dir/mutants"
target_dir=$(cd "$target_dir" && pwd)
copy="$target_dir/mutants/copy"
log="$target_dir/mutants/log"
export CARGO_TARGET_DIR="$target_dir/mutants/out" CARGO_BUILD_BUILD_DIR="${CARGO_BUILD_BUILD_DIR:-$target_dir}"
limit=()
if command -v timeout >/dev/null; then limit=(timeout 600); fi

rm -rf "$copy"
mkdir "$copy"
# Fresh times (-m), so that cargo never takes an earlier run's mutant for the source.
tar -cf - --exclude=./target --exclude=./dist --exclude=./.git . | tar -xmf - -C "$copy"

sed -i -e '1,/^version = /s/^version = "\(.*\)"$/version = "\1-mutant"/' "$copy/Cargo.toml"
grep -q '^version = ".*-mutant"$' "$copy/Cargo.toml" || fail "the copy's version could not be changed"

suites=("--test native" --lib)

in_copy() { (cd "$copy" && "$@") >"$log" 2>&1 </dev/null; }

# suites_pass LABEL: the exit code of the first of the suites that does not pass, 0 if all do. What does not compile
# ends the script.
suites_pass() {
  local suite code
  for suite in "${suites[@]}"; do
    # Unquoted: a suite may be two words.
    in_copy cargo test $suite --no-run || { cat "$log"; fail "$1 does not compile"; }
    code=0
    in_copy ${limit[@]+"${limit[@]}"} cargo test $suite || code=$?
    [ $code = 0 ] || return $code
  done
}

# section FILE NAME: the text between "--- NAME" and the next marker, without its last line break.
section() {
  awk -v name="--- $2" '
    inside && /^--- (old|new|end)$/ { exit }
    inside { printf "%s%s", (n++ ? "\n" : ""), $0 }
    $0 == name { inside = 1 }
  ' "$1"
}

# replace FILE: prints FILE with the text OLD replaced by NEW, both from the environment. Fails unless OLD occurs once.
replace() {
  awk '
    { text = text $0 "\n" }
    END {
      old = ENVIRON["OLD"]
      at = index(text, old)
      rest = substr(text, at + length(old))
      if (old == "" || at == 0 || index(rest, old) > 0) exit 1
      printf "%s%s%s", substr(text, 1, at - 1), ENVIRON["NEW"], rest
    }
  ' "$1"
}

for mutant in "${all[@]}"; do
  file=$(sed -n 's/^file: *//p' "$mutant" | head -n 1)
  [ -n "$file" ] && [ -f "$file" ] || fail "$(basename "$mutant"): names no file of the source"
  OLD=$(section "$mutant" old) NEW=$(section "$mutant" new) replace "$file" >/dev/null ||
    fail "$(basename "$mutant") no longer applies: its old text does not occur exactly once in $file"
done

started=$SECONDS
suites_pass "the unchanged copy" || { cat "$log"; fail "the tests fail without any mutant"; }
echo "unchanged copy: passes, $((SECONDS - started)) s"

caught=0 survived=0 number=0
for mutant in "${mutants[@]}"; do
  number=$((number + 1))
  name=$(basename "$mutant" .mutant)
  label="mutant $number, $name"
  started=$SECONDS
  file=$(sed -n 's/^file: *//p' "$mutant" | head -n 1)
  [ -n "$file" ] && [ -f "$file" ] || fail "$label: names no file of the source"
  grep -qx -- '--- end' "$mutant" || fail "$label: has no line '--- end'"
  OLD=$(section "$mutant" old) NEW=$(section "$mutant" new) replace "$file" >"$copy/$file" ||
    fail "$label no longer applies: its old text does not occur exactly once in $file"

  code=0
  suites_pass "$label" || code=$?
  case $code in
    0)
      survived=$((survived + 1))
      echo "$label: SURVIVED, $((SECONDS - started)) s"
      ;;
    124) fail "$label: the tests did not end within ten minutes" ;;
    *)
      grep -q '^test result: FAILED' "$log" || { cat "$log"; fail "$label: the tests stopped without a result"; }
      caught=$((caught + 1))
      witness=$(sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$log" | head -n 1)
      echo "$label: caught by $witness, $((SECONDS - started)) s"
      ;;
  esac

  cp "$file" "$copy/$file"
done

echo "mutants: $caught caught, $survived survived"
[ $survived = 0 ]
