# ---- the toolkits that are here, and which one is meant ----
# The order is cupel's: CUPEL_TOOLKIT, .cupel/choice.toml, cupel.lock, the contract's recommended release, the first
# nvcc on PATH, the newest whole one. Looked at: PATH, the variables that name a root, /usr/local, /opt, /usr,
# the active Python environment, and what cupel installed.
toolkits= # a line for each: RELEASE|BUILD|POINTS|ROOT
newline='
'

nvcc_of() { # ROOT
  for file in "$1/lib/nvidia-cuda-toolkit/bin/nvcc" "$1/bin/nvcc"; do
    if [ -f "$file" ]; then printf '%s\n' "$file"; return; fi
  done
}

build_of() { # PROGRAM: its exact build, from the text in the file, else from what it prints
  [ -f "$1" ] || return 0
  build=$(grep -aoE 'release [0-9]+\.[0-9]+, V[0-9]+\.[0-9]+\.[0-9]+' "$1" 2>/dev/null | head -n 1)
  [ -n "$build" ] || build=$("$1" --version 2>/dev/null | grep -E 'release [0-9]+\.[0-9]+, V' | head -n 1)
  printf '%s\n' "$build" | sed -n 's/.*, V\([0-9.]*\).*/\1/p'
}

includes() { printf '%s\n' "$1/include" "$1/targets/x86_64-linux/include" "$1/targets/sbsa-linux/include" "$1/targets/aarch64-linux/include"; }
libs() {
  printf '%s\n' "$1/lib64" "$1/targets/x86_64-linux/lib" "$1/targets/sbsa-linux/lib" "$1/targets/aarch64-linux/lib" \
    "$1/lib/x86_64-linux-gnu" "$1/lib/aarch64-linux-gnu" "$1/lib"
}

# first_in NAME: the first of the folders on standard input that holds it.
first_in() {
  while IFS= read -r dir; do
    for file in "$dir"/$1; do # a pattern: not quoted
      if [ -f "$file" ]; then printf '%s\n' "$file"; return; fi
    done
  done
}

header_of() { # ROOT: X.Y of its cuda.h
  file=$(includes "$1" | first_in cuda.h)
  [ -n "$file" ] || return 0
  sed -n 's/^#define CUDA_VERSION \([0-9]*\).*/\1/p' "$file" | head -n 1 | awk '{ printf "%d.%d\n", $1 / 1000, ($1 % 1000) / 10 }'
}

release_of() { # ROOT BUILD: version.json, else the package, else by the build of nvcc, else cuda.h
  nvcc_build=$2
  said=
  if [ -f "$1/version.json" ]; then
    said=$(tr -d '\n' < "$1/version.json" | sed -n 's/.*"cuda"[[:space:]]*:[[:space:]]*{[^}]*"version"[[:space:]]*:[[:space:]]*"\([0-9.]*\)".*/\1/p')
  fi
  if [ -z "$said" ] && [ "$(basename "$(dirname "$1")")" = nvidia ]; then
    for file in "$(dirname "$(dirname "$1")")"/cuda_toolkit-*.dist-info; do
      [ -d "$file" ] && said=$(basename "$file" | sed 's/^cuda_toolkit-\([0-9]*\.[0-9]*\.[0-9]*\).*/\1/')
    done
  fi
  case $said in # some version.json have the day of the build where others have the update
    *.????????) [ -z "$nvcc_build" ] || said= ;;
  esac
  if [ -n "$said" ] && { [ -z "$nvcc_build" ] || [ "$(short "$said")" = "$(short "$nvcc_build")" ]; }; then
    printf '%s\n' "$said"
  elif [ -n "$nvcc_build" ]; then # an update may carry the nvcc of the one before it: then only X.Y is known
    releases | awk -F '|' -v n="$nvcc_build" -v s="$(short "$nvcc_build")" '$2 == n { v = $1; many++ } END { print many == 1 ? v : s }'
  else
    said=$(header_of "$1")
    [ -n "$said" ] || said=$(sed -n 's/^CUDA Version \([0-9.]*\).*/\1/p' "$1/version.txt" 2>/dev/null)
    printf '%s\n' "$said"
  fi
}

part() { # ROOT PART: its file
  case $2 in
    nvcc) nvcc_of "$1" ;;
    ptxas | cudafe++ | fatbinary | nvlink) printf '%s\n' "$1/bin" "$1/lib/nvidia-cuda-toolkit/bin" | first_in "$2" ;;
    cicc) printf '%s\n' "$1/nvvm/bin" "$1/lib/nvidia-cuda-toolkit/bin" | first_in cicc ;;
    libdevice) printf '%s\n' "$1/nvvm/libdevice" "$1/lib/nvidia-cuda-toolkit/libdevice" | first_in libdevice.10.bc ;;
    *.h) includes "$1" | first_in "$2" ;;
    *) libs "$1" | first_in "$2" ;;
  esac
}

missing_of() { # ROOT: the first part that a whole toolkit has and this one lacks
  for name in nvcc ptxas cicc cudafe++ fatbinary nvlink libdevice cuda.h cuda_runtime.h crt/host_config.h \
    libcudart.so 'libcudart.so.[0-9]*' libcudart_static.a libcudadevrt.a stubs/libcuda.so; do
    if [ -z "$(part "$1" "$name")" ]; then echo "$name"; return; fi
  done
}

add_root() { # PATH
  case $1 in
    /*) ;;
    *) return ;;
  esac
  root=$(real "$1")
  case $root in # the part of a toolkit for one processor is not a toolkit of its own
    */targets/*) if [ -f "${root%/targets/*}/bin/nvcc" ]; then root=${root%/targets/*}; fi ;;
  esac
  case $toolkits in
    *"|$root$newline"*) return ;;
  esac
  if [ -n "$(nvcc_of "$root")" ] || [ -f "$root/version.json" ] ||
    { [ -n "$(part "$root" 'libcudart*')" ] && { [ -n "$(part "$root" cuda.h)" ] || [ -n "$(part "$root" cuda_runtime.h)" ]; }; }; then
    nvcc_build=$(build_of "$(nvcc_of "$root")")
    toolkits="$toolkits$(release_of "$root" "$nvcc_build")|$nvcc_build|$(points_of "$root")|$root$newline"
  fi
}

# Of those asked for, a whole one comes first, then one that compiles at all, then the active one, then the newest.
points_of() { # ROOT: a number, higher is better
  points=0
  if [ -n "$(nvcc_of "$1")" ]; then points=2; fi
  if [ "$points" = 2 ] && [ -z "$(missing_of "$1")" ]; then points=6; fi
  if [ "$1" = "$active" ]; then points=$((points + 1)); fi
  echo "$points"
}

root_of() { # NVCC: the folder above the bin it really lies in
  file=$(real "$1")
  case $file in
    /usr/lib/nvidia-cuda-toolkit/bin/nvcc) echo /usr ;;
    */bin/nvcc) printf '%s\n' "${file%/bin/nvcc}" ;;
  esac
}

find_toolkits() {
  while IFS= read -r file; do
    [ -z "$file" ] || add_root "$(root_of "$file")"
  done << END
$(which_all nvcc)
END
  for name in CUDA_PATH CUDA_HOME CUDA_ROOT CUDA_TOOLKIT_ROOT_DIR CUDAToolkit_ROOT CUDA_TOOLKIT_PATH; do
    add_root "$(value_of "$name")"
  done
  for file in "${CUDACXX-}" "${NVCC-}"; do
    case $file in
      */nvcc) add_root "$(root_of "$file")" ;;
    esac
  done
  for dir in /usr/local/cuda /usr/local/cuda-* /opt/cuda /opt/cuda-*; do
    if [ -d "$dir" ]; then add_root "$dir"; fi
  done
  if [ -f /usr/lib/nvidia-cuda-toolkit/bin/nvcc ] || [ -f /usr/include/cuda.h ]; then add_root /usr; fi
  add_root "${CUPEL_TOOLKIT-}"
  for dir in /opt/nvidia/hpc_sdk/Linux_*/*/cuda/* "${VIRTUAL_ENV:-/nonexistent}"/lib/python*/site-packages/nvidia/cu[0-9]* \
    "${CONDA_PREFIX:-/nonexistent}" "${CUPEL_HOME:-${XDG_DATA_HOME:-${HOME:-/nonexistent}/.local/share}/cupel}"/toolkits/*; do
    if [ -d "$dir" ]; then add_root "$dir"; fi
  done
}

# plain RELEASE: cu124, v12.4, cuda-12.4, 12040 as 12.4
plain() {
  printf '%s\n' "$1" | tr '[:upper:]' '[:lower:]' | sed -E -e 's/^ *//' -e 's/^(cuda|cu|release)[-_ ]*//' -e 's/^v//' -e 's/[-_]/./g' | awk '
    index($0, ".") || length($0) < 3 { print; next }
    length($0) == 3 { print int($0 / 10) "." $0 % 10; next }
    { print int($0 / 1000) "." int($0 % 1000 / 10) }'
}

# asked_for WISH RELEASE BUILD ROOT: yes when the toolkit is what is meant; maybe when it tells X.Y alone and may be.
asked_for() {
  case $1 in
    '') if [ -n "$(nvcc_of "$4")" ]; then echo yes; fi ;;
    */*) if [ "$(real "$1")" = "$4" ] || [ "$(real "$1")" = "$(real "$(nvcc_of "$4")")" ]; then echo yes; fi ;;
    *)
      wish=$(plain "$1")
      if covers "$wish" "$2" || covers "$wish" "$3"; then
        echo yes
      elif covers "$2" "$wish" && releases | grep -q "^$wish|"; then # an nvcc of another build is not of this update
        build=$(row "$wish" 2)
        case $build/$3 in
          /* | */ | "$3/$build") echo maybe ;;
        esac
      fi
      ;;
  esac
}

pick() { # WISH: sets chosen, release and nvcc to the toolkit asked for, "" when it is not here
  chosen='' release='' best=-1
  pick_as "$1" yes
  if [ "$best" -lt 6 ]; then pick_as "$1" maybe; fi
  nvcc=$(nvcc_of "$chosen")
}

pick_as() { # WISH yes|maybe: one that only may be meant must be whole
  while IFS='|' read -r have build points root; do
    if [ -z "$root" ] || [ "$(asked_for "$1" "$have" "$build" "$root")" != "$2" ] || { [ "$2" = maybe ] && [ "$points" -lt 6 ]; }; then continue; fi
    if [ "$points" -gt "$best" ] || { [ "$points" = "$best" ] && ver "$have" gt "$release"; }; then
      chosen=$root release=$have best=$points
    fi
  done << END
$toolkits
END
}

saved() { # FILE KEY: the first value of that key
  sed -n "s/^[[:space:]]*$2[[:space:]]*=[[:space:]]*\"\\([^\"]*\\)\".*/\\1/p" "$1" 2>/dev/null | head -n 1
}

locked_release() { # of this platform's part of cupel.lock; WSL2 without one of its own has that of Linux
  [ -f cupel.lock ] || return 0
  cpu=amd64
  case $(uname -m) in
    aarch64 | arm64) cpu=arm64 ;;
  esac
  fallback=$platform
  if [ "$platform" = wsl2 ]; then fallback=linux; fi
  for name in "$platform-$cpu" "$fallback-$cpu"; do
    tr -d '\r' < cupel.lock | awk -F '"' -v want="[platform.$name.toolkit]" '/^\[/ { here = $0 == want } here && /^release *=/ { print $2; exit }'
  done | head -n 1
}

choose() { # RECOMMENDED: sets chosen, release, nvcc and why
  active=
  while IFS= read -r file; do
    [ -z "$file" ] || active=$(root_of "$file")
    [ -z "$active" ] || break
  done << END
$(which_all nvcc)
END
  find_toolkits
  locked=$(locked_release)
  mine=$(saved .cupel/choice.toml toolkit)
  if [ -n "${CUPEL_TOOLKIT-}" ]; then # asked for by a person: nothing else will do
    choose_by "$CUPEL_TOOLKIT" "CUPEL_TOOLKIT asks for $CUPEL_TOOLKIT"
  elif [ -n "$mine" ]; then
    choose_by "$mine" ".cupel/choice.toml asks for $mine"
  elif ! { [ -n "$locked" ] && choose_by "$locked" "cupel.lock asks for $locked"; } &&
    ! { [ -n "$1" ] && choose_by "$1" 'recommended in cupel.toml'; } &&
    ! { [ -n "$active" ] && choose_by "$active" 'first nvcc on PATH'; }; then
    choose_by '' 'the newest whole toolkit'
  fi
}

choose_by() { # WISH WHY: false when there is no such toolkit
  why=$2
  pick "$1"
  [ -n "$chosen" ]
}
