# Compiler caches that cupel is measured against, for make bench only.

# sccache_peer VERSION: built by cargo. Without its default features it keeps a cache on the local disk, which is all that is measured;
# the profile is the crate's own, as people install it. CARGO_BUILD_JOBS and nice are the caller's.
sccache_peer() {
  "$scripts/testbed" one rust
  say "$part: cargo install sccache $1, some minutes"
  cargo install --quiet --locked --no-default-features --root "$new" --target-dir "$new.target" --no-track "sccache@$1" >&2
  "$new/bin/sccache" --version > "$new/version"
}

# ccache_peer SUITE: Debian's package with the libc and the libraries of its own suite, unpacked and not installed: projects that look for
# ccache must not find it. The machine's libc may be older than the package wants, so patchelf gives the program the loader and the
# libraries of the unpacked tree: a wrapper would add the start of a process to each call that is timed.
ccache_peer() {
  local deb loader
  need patchelf
  apt_private "$1"
  private download $(ccache_needs)
  for deb in "$state"/debs/*.deb; do dpkg -x "$deb" "$new"; done
  for loader in usr/lib lib; do # of trixie on, and before
    if [ -e "$new/$loader/x86_64-linux-gnu/ld-linux-x86-64.so.2" ]; then break; fi
  done
  loader=$loader/x86_64-linux-gnu/ld-linux-x86-64.so.2
  mkdir "$new/bin"
  cp "$new/usr/bin/ccache" "$new/bin/ccache"
  # The loader is named at the part's place, not in the folder where it is made: so the proof names the loader itself.
  patchelf --set-interpreter "$bed/$part/$loader" --force-rpath --set-rpath '$ORIGIN/../usr/lib/x86_64-linux-gnu:$ORIGIN/../lib/x86_64-linux-gnu' "$new/bin/ccache"
  "$new/$loader" "$new/bin/ccache" --version > "$new/version"
}

# ccache_needs: the package and what it depends on in the suite of apt_private, less what is no library.
ccache_needs() {
  private_cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances ccache |
    grep -E '^(ccache|lib[a-z0-9.+-]+|gcc-[0-9]+-base)$' | sort -u
}
private_cache() {
  apt-cache -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$state/parts" -o Dir::State::lists="$state/lists" -o Dir::Cache="$state/cache" "$@"
}
