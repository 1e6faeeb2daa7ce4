# Sourced by the scripts that say how long things take: wall seconds, and CPU seconds beside them, because a busy
# machine stretches the first and not the second.

budgets=tools/budgets
# The steps that were run, one a line: name, wall seconds, CPU seconds and outcome, with tabs between them; and a line
# "rerun" and a name for every page test that passed only when it was run again. A script that is started from another one
# adds to the same file.
steps_file=${EDGEWISE_STEPS_FILE:-}
clock_files=()
if [ -z "$steps_file" ]; then
  steps_file=$(mktemp)
  clock_files+=("$steps_file")
fi
clock_file=$(mktemp)
clock_files+=("$clock_file")
trap 'rm -f "${clock_files[@]}"' EXIT

# cpu_tenths: sets cpu_tenths to the tenths of CPU seconds, user and system, of this shell and all it has waited for.
# `times` writes to a file because in a subshell it would report the subshell.
cpu_tenths() {
  times >"$clock_file"
  cpu_tenths=$(tr -s ' ' '\n' <"$clock_file" | awk -F '[ms]' 'NF > 1 { n += 600 * $1 + 10 * $2 } END { printf "%d", n }')
}

# lap: what has passed since the lap before, in $lap_seconds and $lap_cpu_seconds, and as "12 s, 20 s of CPU" in $lap.
lap_start=$SECONDS
cpu_tenths
lap_start_cpu=$cpu_tenths
lap() {
  cpu_tenths
  lap_seconds=$((SECONDS - lap_start)) lap_cpu_seconds=$(((cpu_tenths - lap_start_cpu) / 10))
  lap="$lap_seconds s, $lap_cpu_seconds s of CPU"
  lap_start=$SECONDS lap_start_cpu=$cpu_tenths
}

# record_step NAME OUTCOME: ends a lap and adds it to the steps.
record_step() {
  lap
  printf '%s\t%s\t%s\t%s\n' "$1" "$lap_seconds" "$lap_cpu_seconds" "$2" >>"$steps_file"
}

# print_steps: the steps beside their budgets, then the page tests that were run again. Fails if a step has no budget or
# took more than one and a half times its CPU budget: wall time depends on what else the machine does.
print_steps() {
  awk -F '\t' -v budgets="$budgets" '
    BEGIN {
      while ((getline line <budgets) > 0)
        if (line !~ /^#/ && split(line, field, " ") == 3) { wall[field[1]] = field[2]; cpu[field[1]] = field[3] }
      printf "%-16s %7s %7s   %7s %7s\n", "step", "wall s", "budget", "CPU s", "budget"
    }
    $1 == "rerun" { reruns = reruns "\n  " $2; next }
    {
      verdict = $4
      if (!($1 in wall)) { verdict = "FAILED: " budgets " has no budget for it"; failed = 1 }
      else if ($3 > 1.5 * cpu[$1]) { verdict = "FAILED: more than 50 % over its CPU budget"; failed = 1 }
      else if ($3 > cpu[$1] && $2 > wall[$1]) verdict = "OVER BOTH BUDGETS  " $4
      else if ($3 > cpu[$1]) verdict = "OVER ITS CPU BUDGET  " $4
      else if ($2 > wall[$1]) verdict = "OVER ITS WALL BUDGET  " $4
      printf "%-16s %7d %7d   %7d %7d   %s\n", $1, $2, wall[$1], $3, cpu[$1], verdict
      all_wall += $2; all_cpu += $3; budget_wall += wall[$1]; budget_cpu += cpu[$1]
    }
    END {
      printf "%-16s %7d %7d   %7d %7d\n", "all", all_wall, budget_wall, all_cpu, budget_cpu
      print "Page tests that failed once and passed when they were run again:" (reruns ? reruns : " none")
      exit failed
    }' "$steps_file"
}
