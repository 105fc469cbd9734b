# Source packages of other projects, as their registries hand them out, for `cupel init` to read. Versions are fixed: tests name lines of
# the files. pip asks an sdist for its metadata when it downloads it, so only those are here that answer without torch or a toolkit.
# --no-binary names them one by one: for all, pip would also make the build tools they ask for (CMake) from source.

source_packages() {
  "$scripts/testbed" one rust
  crate_source candle-kernels 0.11.1
  BUILD_NO_CUDA=1 pip_quiet download --no-deps --no-binary=lightgbm,cuvec,gsplat --no-cache-dir --dest "$new.sdists" lightgbm==4.7.0 cuvec==6.0.1 gsplat==1.5.3
  local sdist
  for sdist in "$new.sdists"/*.tar.gz; do tar -xzf "$sdist" -C "$new" --no-same-owner; done
}

# crate_source NAME VERSION: a crate as cargo unpacks it, and in vendor/ all that it is built with.
crate_source() {
  mkdir -p "$new.crate/src"
  : > "$new.crate/src/lib.rs"
  printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\n%s = "=%s"\n\n[workspace]\n' "$1" "$2" > "$new.crate/Cargo.toml"
  (cd "$new.crate" && cargo vendor --quiet --versioned-dirs vendor > /dev/null)
  mv "$new.crate/vendor/$1-$2" "$new/"
  mv "$new.crate/vendor" "$new/vendor"
}
