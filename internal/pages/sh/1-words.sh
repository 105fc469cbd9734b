# ---- words: arguments, versions, and how a check is told ----
set -u
LC_ALL=C
export LC_ALL
strict=0
as=
fails=0
warns=0
results=' '

usage() {
  echo 'usage: verify-cuda.sh [--strict] [--as ci|linux|wsl2]'
  echo 'Holds this machine against the CUDA contract of the project. Exit code: 0 met, 1 not met, 2 called wrongly.'
  echo '  --strict    warnings count as failures'
  echo '  --as NAME   take the machine for another platform; ci: for a runner'
}

while [ $# -gt 0 ]; do
  case $1 in
    --strict) strict=1 ;;
    --as)
      case ${2-} in
        ci | linux | wsl2) as=$2 ;;
        *) usage >&2; exit 2 ;;
      esac
      shift
      ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done

tell() { # STATUS ID EXPECTED FOUND
  case $1 in
    fail) fails=$((fails + 1)) ;;
    warn) warns=$((warns + 1)) ;;
  esac
  results="$results$2=$1 "
  printf '%s %s: expected %s, found %s\n' "$1" "$2" "$3" "$4"
}

skip() { # ID WHY
  results="$results$1=skipped "
  printf 'skipped %s: %s\n' "$1" "$2"
}

unchecked() { skip "$1" 'not checked by this script'; } # ID

passed() { # ID
  case $results in
    *" $1=pass "* | *" $1=warn "*) return 0 ;;
  esac
  return 1
}

# after ID NEEDED…: true when a check that had to pass first did not; the check is then told as skipped.
after() {
  after_id=$1
  shift
  for needed in "$@"; do
    case $results in
      *" $needed="*)
        if ! passed "$needed"; then
          skip "$after_id" "after $needed"
          return 0
        fi
        ;;
    esac
  done
  return 1
}

# ver A OP B compares dotted numbers, missing parts counting as 0. OP: lt, le, eq, ge, gt.
ver() {
  awk -v a="$1" -v op="$2" -v b="$3" 'BEGIN {
    n = split(a, x, "."); m = split(b, y, "."); c = 0
    for (i = 1; i <= 4 && c == 0; i++) {
      p = i <= n ? x[i] + 0 : 0; q = i <= m ? y[i] + 0 : 0
      c = p < q ? -1 : p > q ? 1 : 0
    }
    ok = (op == "lt" && c < 0) || (op == "le" && c <= 0) || (op == "eq" && c == 0) || (op == "ge" && c >= 0) || (op == "gt" && c > 0)
    exit !ok
  }'
}

# in_range LOW HIGH V: from LOW on and below HIGH; an empty bound is none, an empty V is never in it.
in_range() {
  [ -n "$3" ] || return 1
  [ -z "$1" ] || ver "$3" ge "$1" || return 1
  [ -z "$2" ] || ver "$3" lt "$2"
}

# fit LOW HIGH V: inside, outside, or maybe: 3.22 may be 3.22.0, which a bound of 3.22.1 leaves out.
fit() {
  next=$(printf '%s\n' "$3" | awk 'BEGIN { FS = OFS = "." } { $NF = $NF + 1; print }')
  if [ -z "$3" ] || { [ -n "$2" ] && ver "$3" ge "$2"; } || { [ -n "$1" ] && ver "$1" ge "$next"; }; then
    echo outside
  elif { [ -n "$1" ] && ver "$3" lt "$1"; } || { [ -n "$2" ] && ver "$2" lt "$next"; }; then
    echo maybe
  else
    echo inside
  fi
}

covers() { # V W: 13.0 covers 13.0.2, and 13.0.2 only itself
  case $2. in
    "$1".*) [ -n "$1" ] ;;
    *) return 1 ;;
  esac
}

short() { printf '%s\n' "$1" | sed 's/^\([0-9]*\.[0-9]*\)\..*/\1/'; } # V: X.Y
number() { sed -n 's/^[^0-9]*\([0-9][0-9]*\(\.[0-9][0-9]*\)*\).*/\1/p' | head -n 1; }
real() { readlink -f "$1" 2>/dev/null || printf '%s\n' "$1"; } # PATH
value_of() { eval "printf '%s\\n' \"\${$1-}\""; } # NAME of a variable, letters and digits only
is_set() { eval "[ -n \"\${$1+x}\" ]"; }

# which_all NAME: every program of that name on PATH, in order.
which_all() {
  printf '%s\n' "$PATH" | tr ':' '\n' | while IFS= read -r dir; do
    [ -n "$dir" ] || dir=.
    if [ -f "$dir/$1" ] && [ -x "$dir/$1" ]; then printf '%s\n' "$dir/$1"; fi
  done
}
which_first() { which_all "$1" | head -n 1; }

# row RELEASE COLUMN: a column of the table of releases, by release, else by its X.Y; "none" is for no toolkit.
row() {
  releases | awk -F '|' -v v="${1:-none}" -v s="$(short "$1")" -v c="$2" '$1 == v { print $c; done = 1; exit } $1 == s { by = $c } END { if (!done && by != "") print by }'
}

platform() { # sets platform, machine and ci
  kernel=$(cat /proc/sys/kernel/osrelease 2>/dev/null || uname -r)
  platform=linux
  case $(printf '%s\n' "$kernel" | tr '[:upper:]' '[:lower:]') in
    *wsl2* | *microsoft-standard*) platform=wsl2 ;;
  esac
  if [ "$platform" = linux ] && [ -e /etc/nv_tegra_release ]; then platform=jetson; fi
  machine=$platform # what it is, whatever it is taken for
  ci=
  for name in GITHUB_ACTIONS GITLAB_CI BUILDKITE CIRCLECI TF_BUILD JENKINS_URL CI; do
    case $(value_of "$name") in
      '' | false | 0) ;;
      *) ci=yes ;;
    esac
  done
  case $as in
    ci) ci=yes ;;
    ?*) platform=$as ci= ;;
  esac
}
