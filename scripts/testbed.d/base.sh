# Words every part uses: progress lines, the right to install, apt with a state of its own.

say() { printf 'testbed %4ds  %s\n' "$SECONDS" "$*" >&2; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# need PACKAGE…: install those that are missing.
need() {
  local missing=() p
  for p; do installed "$p" || missing+=("$p"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "$part: installing ${missing[*]}"
  alone install_now "${missing[@]}"
}
installed() { dpkg-query -W -f '${Status}\n' "$1" 2> /dev/null | grep -q '^install ok installed'; }

# alone COMMAND…: parts are fetched side by side, but only one apt-get at a time may touch the system.
alone() {
  mkdir -p "$bed/.state"
  ( flock 8; "$@" ) 8> "$bed/.state/apt.lock"
}
install_now() {
  if [ -z "$(package_lists)" ]; then update_now; fi
  # An old list names files that the mirror no longer has: read it anew once.
  apt_install "$@" || { update_now && apt_install "$@"; }
}
package_lists() { find /var/lib/apt/lists -name '*_Packages*' -print -quit 2> /dev/null; }
update_now() { as_root apt-get update -qq >&2; }
# Archives lie in a folder of their own: images made for containers delete the system's after every `apt-get update`, that of another
# part too, and then dpkg does not find what has just been downloaded.
apt_install() {
  local log=$bed/.state/apt.log debs code=0
  debs=$(mktemp -d) && chmod 755 "$debs" && mkdir "$debs/partial"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 -o Dir::Cache::archives="$debs" "$@" > "$log" 2>&1 || { code=1; tail -n 20 "$log" >&2; }
  as_root rm -rf "$debs"
  return "$code"
}

# system_part PACKAGE…: a part that is only packages on the system; its folder says which.
system_part() {
  need "$@"
  dpkg-query -W -f '${Package} ${Version}\n' "$@" > "$new/packages"
}

# rust_tools: cargo and rustc, from wherever they are; else Debian's newer ones (its plain cargo is too old for the crates of the
# consumer harness).
rust_tools() {
  if ! command -v cargo > /dev/null || ! command -v rustc > /dev/null; then need cargo-web rustc-web; fi
  { cargo --version; rustc --version; } > "$new/versions"
}
