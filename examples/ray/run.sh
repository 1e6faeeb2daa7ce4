#!/usr/bin/env bash
# examples/ray/run.sh [SCENARIOS] [OPTION...]: builds edgewise, installs Ray into target/, and runs the study (study.py --help
# has the options). Run it again after a stop: it goes on where it was. Results and plot are in target/ray-study/SCENARIOS/.
# EDGEWISE is a program to take instead of building one.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=target/ray/bin/python
[ -n "${EDGEWISE:-}" ] || cargo build --release --bin edgewise
[ -x $python ] || python3 -m venv target/ray
$python -m pip install --quiet --disable-pip-version-check --requirement examples/ray/requirements.txt
count=${1:-100000}
$python examples/ray/study.py target/ray-study/"$count" --edgewise "${EDGEWISE:-target/release/edgewise}" \
  --scenarios "$count" "${@:2}"
