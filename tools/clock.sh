# Sourced by the scripts that say how long things take: wall seconds, and CPU seconds beside them, because a busy
# machine stretches the first and not the second.

clock_file=$(mktemp)
trap 'rm -f "$clock_file"' EXIT

# cpu_tenths: sets cpu_tenths to the tenths of CPU seconds, user and system, of this shell and all it has waited for.
# `times` is told to a file because in a subshell it would speak of the subshell.
cpu_tenths() {
  times >"$clock_file"
  cpu_tenths=$(tr -s ' ' '\n' <"$clock_file" | awk -F '[ms]' 'NF > 1 { n += 600 * $1 + 10 * $2 } END { printf "%d", n }')
}

# lap: what has passed since the lap before, as "12 s, 20 s of CPU", in $lap.
lap_wall=$SECONDS
cpu_tenths
lap_cpu=$cpu_tenths
lap() {
  cpu_tenths
  lap="$((SECONDS - lap_wall)) s, $(((cpu_tenths - lap_cpu) / 10)) s of CPU"
  lap_wall=$SECONDS lap_cpu=$cpu_tenths
}

# elapsed: the same since the script began.
elapsed() {
  cpu_tenths
  elapsed="$SECONDS s, $((cpu_tenths / 10)) s of CPU"
}
