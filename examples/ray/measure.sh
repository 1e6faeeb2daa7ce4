#!/usr/bin/env bash
# examples/ray/measure.sh [SCENARIOS]: the study on one and on two cores beside the plain pipe on one, same scenarios.
# Assumes that run.sh has run, which installs and builds what this needs.
set -euo pipefail
cd "$(dirname "$0")/../.."
count=${1:-20000}
python=target/ray/bin/python
edgewise=target/release/edgewise
out=target/ray-measure
rm -rf $out
mkdir -p $out
$python examples/fleets.py "$count" >$out/lines.jsonl
TIMEFORMAT="%R s, %U s of it CPU"
echo "plain pipe, one core:"
time taskset --cpu-list 0 $edgewise solve cold-start --jsonl <$out/lines.jsonl >$out/answers.jsonl
TIMEFORMAT="%R s in all"
for workers in 1 2; do
  echo "Ray, $workers of the cores:"
  time taskset --cpu-list 0-$((workers - 1)) $python examples/ray/study.py $out/$workers \
    --edgewise $edgewise --scenarios "$count" --workers $workers 2>/dev/null | grep after | tail -1
done
