#!/usr/bin/env bash
# examples/parallel/run.sh FOLDER [SCENARIOS]: the scenarios of the study over all cores by GNU parallel; the answers, in order,
# are in FOLDER/answers.jsonl. Run it again after a stop: blocks that are done are not solved again.
# EDGEWISE is the program, BLOCK the scenarios per process.
set -euo pipefail
fleets=$(cd "$(dirname "$0")/.." && pwd)/fleets.py
edgewise=$(realpath "$(command -v "${EDGEWISE:-edgewise}")")
export edgewise
count=${2:-100000}
mkdir -p "$1"
cd "$1"

if [ ! -e study.sha256 ]; then
  python3 "$fleets" "$count" >lines.jsonl
  split --lines "${BLOCK:-500}" --numeric-suffixes --suffix-length 6 --additional-suffix .jsonl lines.jsonl block-
  sha256sum "$edgewise" lines.jsonl >study.part
  mv study.part study.sha256
fi
# Another program or another number of scenarios is another study.
sha256sum --check --quiet study.sha256
[ "$(wc -l <lines.jsonl)" = "$count" ] || { echo "$1 holds another number of scenarios" >&2 && exit 1; }

# A block that is there is whole: an answer file gets its name when its process has ended well.
# shellcheck disable=SC2016 # parallel's shell fills these in
parallel --joblog jobs.log --resume-failed --retries 3 \
  '"$edgewise" solve cold-start --jsonl <{} >{.}.$$ && mv {.}.$$ {.}.answers' ::: block-*.jsonl
cat block-*.answers >answers.jsonl
