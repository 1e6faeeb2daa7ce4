#!/usr/bin/env bash
# Checks the files of this folder with the tools of those who read them: schemas of Kubernetes, hadolint, systemd.
set -euo pipefail
cd "$(dirname "$0")"
tools=../target/deploy-tools
[ -x $tools/bin/hadolint ] || { python3 -m venv $tools && $tools/bin/pip install --quiet --requirement requirements.txt; }
$tools/bin/kubernetes-validate --strict kubernetes.yaml
$tools/bin/hadolint Containerfile
if command -v systemd-analyze >/dev/null; then
  unit=$(mktemp --suffix=.service)
  trap 'rm -f "$unit"' EXIT
  # The program need not be installed for its unit to be right.
  sed "s|/usr/local/bin/edgewise|$(command -v true)|" edgewise.service >"$unit"
  systemd-analyze verify "$unit"
fi
echo "all files passed"
