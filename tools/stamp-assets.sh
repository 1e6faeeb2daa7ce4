#!/usr/bin/env bash
# Gives every file of a finished build a name that changes with its content: boot.js becomes
# boot-<first 16 digits of its SHA-256>.js, and everything that names it is rewritten. Only index.html keeps its
# name, so a host may keep all other files forever, and a new page never meets an old worker.
#
# Trunk calls this as a post_build hook, after index.html is written and before the folder becomes dist/.
# It fails if a file is missing, if a file is there that nothing names, or if an old name is left over.
# Before that, both programs are divided into pieces (tools/pieces), and the first answers are painted (tools/paint).
set -euo pipefail
(cd "${TRUNK_SOURCE_DIR:?is set by Trunk}" && cargo run --quiet --locked --package edgewise-pieces)
(cd "${TRUNK_SOURCE_DIR:?is set by Trunk}" && cargo run --quiet --locked --package edgewise-paint -- "${TRUNK_STAGING_DIR:?is set by Trunk; this script is its post_build hook}")
cd "${TRUNK_STAGING_DIR:?is set by Trunk; this script is its post_build hook}"

fail() { echo "stamp-assets: $*" >&2; exit 1; }

digest() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -c1-16
}

# Whether file $1 names $2 as a whole: "app.js" is not named by "my-app.js" or by "app.json".
names() { LC_ALL=C grep -Eq "(^|[^A-Za-z0-9_.-])${2//./\\.}([^A-Za-z0-9_.-]|\$)" "$1"; }

# Renames $1, and rewrites its name in the other files given.
stamp() {
  local file=$1 by new
  shift
  test -s "$file" || fail "$file is missing or empty"
  new="${file%.*}-$(digest "$file").${file##*.}"
  mv "$file" "$new"
  for by in "$@"; do
    LC_ALL=C sed -E "s#(^|[^A-Za-z0-9_.-])${file//./\\.}([^A-Za-z0-9_.-]|\$)#\\1$new\\2#g" "$by" >"$by.tmp"
    mv "$by.tmp" "$by"
  done
  names index.html "$new" || names boot.js "$new" || fail "nothing names $file"
}

# What is named comes before what names it.
# Every style sheet that the page names is among them.
packs=(app_[!b]*.wasm worker_[!b]*.wasm)
files=("${packs[@]}" app_bg.wasm worker_bg.wasm app.js worker.js boot.js theme.js first.js *.css favicon.svg)

test -s index.html || fail "index.html is missing or empty"
for file in "${files[@]}"; do
  # Three files name others: the page, the app's JavaScript its own module, and what starts the page its packs.
  case $file in
    app_bg.wasm) stamp "$file" index.html app.js ;;
    app_* | worker_[!b]*) stamp "$file" boot.js ;;
    worker_bg.wasm) stamp "$file" index.html worker.js ;;
    *) stamp "$file" index.html ;;
  esac
done

while IFS= read -r file; do
  [[ $file == index.html || $file =~ ^[a-z_]+-[0-9a-f]{16}\.[a-z]+$ ]] ||
    fail "$file has no content hash in its name: add it to the list in this script"
done < <(find . -type f | sed 's#^\./##')

for file in "${files[@]}"; do
  ! names index.html "$file" || fail "index.html still names $file"
done
! LC_ALL=C grep -Eoh 'url\([^)]*' ./*.css | grep -Evq "^url\([\"']?(#|data:)" ||
  fail "a style sheet names another file by url(): its name must be rewritten too"
