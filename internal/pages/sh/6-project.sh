# ---- variables, components and the project's own files ----
same_place() { # A B: two full paths that lead to one place
  case $1$newline$2 in
    /*"$newline"/*) [ "$(real "$1")" = "$(real "$2")" ] ;;
    *) return 1 ;;
  esac
}

in_list() { # LIST FOLDER
  printf '%s\n' "$1" | tr ':' '\n' | while IFS= read -r dir; do
    if same_place "$dir" "$2"; then echo yes; fi
  done | grep -q yes
}

# env_check ID NAME BAD KIND VALUE: BAD is the status of a wrong value; KIND is "list" for a list of folders, "archs" and
# its separators for one of targets.
env_check() {
  have=$(value_of "$2")
  if [ -z "$chosen" ] && [ "$3" = fail ]; then
    skip "$1" 'after toolkit-present'
  elif [ "$5" = several ]; then
    unchecked "$1"
  elif [ -z "$5" ]; then
    skip "$1" 'its value is not known here'
  elif [ -z "$have" ]; then
    tell warn "$1" "$5" 'not set'
  elif same_value "$have" "$5" "$4"; then
    tell pass "$1" "$5" "$have"
  else
    tell "$3" "$1" "$5" "$have"
  fi
}

same_value() { # A B KIND
  [ "$1" != "$2" ] || return 0
  case $3 in
    list) in_list "$1" "$2" ;;
    archs?*) [ "$(targets_of "$1" "${3#archs}")" = "$(targets_of "$2" "${3#archs}")" ] ;;
    *) same_place "$1" "$2" ;;
  esac
}

# targets_of LIST SEPARATORS: the targets in order; whether PTX is kept beside them does not count.
targets_of() { printf '%s\n' "$1" | tr "$2" '[\n*]' | sed -e 's/^ *//' -e 's/ *$//' -e 's/-real$//' -e 's/+PTX$//' -e '/^$/d' | sort -u; }

# detected KEY: what stands in the table for the GPUs here: the last line up to their capability, the one of "none" without
# any; "several" where they differ.
detected() {
  [ -n "$1" ] || return 0
  found=
  for capability in $(printf '%s\n' "$gpus" | awk -F '|' '$3 != "" { print $3 }' | sort -u); do
    value=$(detected_values | while IFS='|' read -r key low value; do
      if [ "$key" = "$1" ] && [ "$low" != none ] && ver "$capability" ge "$low"; then printf '%s\n' "$value"; fi
    done | tail -n 1)
    [ -n "$value" ] || continue
    if [ -n "$found" ] && [ "$found" != "$value" ]; then value=several; fi
    found=$value
    [ "$found" != several ] || break
  done
  if [ -z "$found" ]; then found=$(detected_values | sed -n "s/^$1|none|//p"); fi
  printf '%s\n' "$found"
}

set_values() { # what templates of the contract may hold
  v_root=$chosen
  v_release=$release
  v_dotted=$(short "$release")
  v_short=$(printf '%s' "$v_dotted" | tr -d '.')
  v_major=${release%%.*}
  v_nvcc=$nvcc
  v_bin=
  if [ -n "$nvcc" ]; then v_bin=$(dirname "$nvcc"); fi
  v_lib=
  v_include=
  if [ -n "$chosen" ]; then
    v_lib=$(dirname_of "$(part "$chosen" 'libcudart*')")
    v_include=$(dirname_of "$(part "$chosen" cuda.h)")
  fi
  v_cxx=$cxx
  v_cc=
  v_cxxdir=
  if [ -n "$cxx" ]; then
    v_cxxdir=$(dirname "$cxx")
    v_cc=$v_cxxdir/$(basename "$cxx" | sed -e 's/clang++/clang/' -e 's/g++/gcc/' -e 's/c++/cc/')
  fi
  v_project=$(pwd)
}

dirname_of() { if [ -n "$1" ]; then dirname "$1"; fi; }

# whole COUNT MARKS TEXT: the text, or nothing while one of its values is not known.
whole() { if [ "${#2}" = "$1" ]; then printf '%s\n' "$3"; fi; }

bad() { # SEVERITY ID EXPECTED FOUND: what the contract calls a warning does not fail
  case $1 in
    warning) tell warn "$2" "$3" "$4" ;;
    info) skip "$2" "$4" ;;
    *) tell fail "$2" "$3" "$4" ;;
  esac
}

macro() { # HEADER PREFIX LAST: its three version lines
  awk -v p="$2" -v last="$3" '$1 ~ /^#/ { i = $1 == "#" ? 3 : 2
    if ($i == p "MAJOR" && a == "") a = $(i + 1); if ($i == p "MINOR" && b == "") b = $(i + 1); if ($i == p last && c == "") c = $(i + 1) }
    END { if (a != "" && b != "" && c != "") print a "." b "." c }' "$1"
}

# library NAME HEADERS PREFIX LAST ROOT…: every copy, as VERSION|PATH, by its header or its file.
library() {
  lib_name=$1 lib_headers=$2 lib_prefix=$3 lib_last=$4
  shift 4
  for dir in "$@"; do
    [ -n "$dir" ] || continue
    for file in $lib_headers; do
      for inc in "$dir/include" "$dir/targets/x86_64-linux/include" "$dir/include/x86_64-linux-gnu" "$dir"; do
        [ -f "$inc/$file" ] || continue
        found=$(macro "$inc/$file" "$lib_prefix" "$lib_last")
        if [ -n "$found" ]; then
          printf '%s|%s\n' "$found" "$inc/$file"
          continue 3
        fi
      done
    done
    for file in "$dir"/lib64/lib"$lib_name".so* "$dir"/lib/x86_64-linux-gnu/lib"$lib_name".so* "$dir"/lib/lib"$lib_name".so* "$dir"/lib"$lib_name".so*; do
      [ -f "$file" ] || continue
      printf '%s|%s\n' "$(real "$file" | sed -n 's/.*\.so\.\([0-9.]*\)$/\1/p')" "$file"
      break
    done
  done
}

libclangs() { # every libclang where bindgen looks: LIBCLANG_PATH alone when it is set and holds one
  {
    if [ -n "${LIBCLANG_PATH-}" ]; then
      if [ -f "$LIBCLANG_PATH" ]; then dirname "$LIBCLANG_PATH"; else printf '%s\n' "$LIBCLANG_PATH"; fi
    fi
    printf '%s\n' "${LD_LIBRARY_PATH-}:${LIBRARY_PATH-}" | tr ':' '\n'
    for dir in /usr/local/llvm*/lib /usr/local/lib /usr/local/lib64 /usr/lib/llvm*/lib /usr/lib64/llvm*/lib /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu /usr/lib /usr/lib64; do
      printf '%s\n' "$dir"
    done
  } | while IFS= read -r dir; do
    for file in "$dir"/libclang.so* "$dir"/libclang-[0-9]*.so*; do
      case $file in
        *-cpp.*) continue ;;
      esac
      [ -f "$file" ] || continue
      # libclang.so.1 carries an interface number, not a version
      printf '%s|%s\n' "$(printf '%s\n%s\n' "$file" "$(real "$file")" | sed -n -e 's/.*libclang-\([0-9.]*[0-9]\)\.so.*/\1/p' -e 's/.*\/llvm-\([0-9.]*\)\/lib\/.*/\1/p' | head -n 1)" "$file"
    done
  done
}

copies() { # NAME: every copy of a component here, as VERSION|PATH
  case $1 in
    cmake)
      file=$(which_first cmake)
      [ -n "$file" ] || return 0
      for dir in "$(dirname "$(dirname "$(real "$file")")")"/share/cmake-[0-9]*; do
        if [ -d "$dir" ]; then found=${dir##*cmake-}; else found=; fi
      done
      printf '%s|%s\n' "$found" "$file"
      ;;
    ninja | git) which_first "$1" | sed 's/^/|/' ;;
    cargo)
      file=$(which_first cargo)
      if [ -z "$file" ] && [ -x "${CARGO_HOME:-${HOME-}/.cargo}/bin/cargo" ]; then file=${CARGO_HOME:-$HOME/.cargo}/bin/cargo; fi
      if [ -n "$file" ]; then printf '|%s\n' "$file"; fi
      ;;
    rust)
      file=$(which_first rustup)
      if [ -z "$file" ] && [ -x "${CARGO_HOME:-${HOME-}/.cargo}/bin/rustup" ]; then file=${CARGO_HOME:-$HOME/.cargo}/bin/rustup; fi
      if [ -n "$file" ]; then "$file" show active-toolchain 2>/dev/null | sed -n 's/^\([^ ]*\).*/\1|rustup/p' | head -n 1; fi
      ;;
    python)
      for file in "${VIRTUAL_ENV:-/nonexistent}/bin/python" "${CONDA_PREFIX:-/nonexistent}/bin/python" "$(which_first python3)" "$(which_first python)"; do
        if [ -x "$file" ]; then printf '%s|%s\n' "$("$file" --version 2>&1 | number)" "$file"; fi
      done
      ;;
    cudnn) library cudnn 'cudnn_version.h cudnn_version_v9.h cudnn_version_v8.h cudnn.h' CUDNN_ PATCHLEVEL "${CUDNN_PATH-}" "${CUDNN_HOME-}" "${CUDNN_ROOT-}" "$chosen" /usr /usr/local "${VIRTUAL_ENV:-/nonexistent}"/lib/python*/site-packages/nvidia/cudnn ;;
    nccl) library nccl nccl.h NCCL_ PATCH "${NCCL_HOME-}" "${NCCL_ROOT-}" "$chosen" /usr /usr/local "${VIRTUAL_ENV:-/nonexistent}"/lib/python*/site-packages/nvidia/nccl ;;
    cublas) library cublas cublas_api.h CUBLAS_VER_ PATCH "$chosen" /usr ;;
    libclang) libclangs ;;
  esac
}

same_toolchain() { # HAVE WANT: stable is stable-x86_64-unknown-linux-gnu, 1.80 is 1.80.1
  case $1 in
    "$2" | "$2"-*) return 0 ;;
  esac
  case $2 in
    *.*.*) return 1 ;;
    *.*) case $1 in "$2".*) return 0 ;; esac ;;
  esac
  return 1
}

# component ID NAME EXPECTED SEVERITY NEEDED RANGED LOW HIGH TOOLCHAIN: one copy in the range is enough.
component() {
  all=$(copies "$2")
  if [ -z "$all" ]; then
    if [ "$5" = optional ]; then skip "$1" 'not here, and optional'; else bad "$4" "$1" "$3" none; fi
    return
  fi
  if [ -n "$9" ] && ! same_toolchain "${all%%|*}" "$9"; then
    bad "$4" "$1" "$3" "${all%%|*}"
    return
  fi
  status=outside
  if [ -z "$6" ]; then status=pass; fi
  while IFS='|' read -r found file; do
    found=$(printf '%s\n' "$found" | number)
    if [ "$status" = pass ]; then break; fi
    case $(fit "$7" "$8" "$found")/$found in
      inside/*) status=pass ;;
      maybe/* | */) status=warn ;;
    esac
  done << END
$all
END
  shown=$(printf '%s\n' "$all" | sed -e 's/^|//' -e 's/|/ in /' | head -n 1)
  case $status in
    pass | warn) tell "$status" "$1" "$3" "$shown" ;;
    *) bad "$4" "$1" "$3" "$shown" ;;
  esac
}

# pin ID SEVERITY VALUE [FILE PATTERN GROUP]…: the value must be the same wherever it stands.
pin() {
  pin_id=$1 pin_severity=$2 pin_value=$3 pin_found='' pin_missing=''
  shift 3
  while [ $# -gt 2 ]; do
    pin_file=$1 pin_pattern=$2 pin_group=$3
    shift 3
    if [ -f "./$pin_file" ]; then
      found=$(tr -d '\r' < "./$pin_file" | grep -oE -e "$pin_pattern" | group "$pin_pattern" "$pin_group" | sort -u)
    else
      found=
    fi
    if [ -z "$found" ]; then pin_missing=$pin_file; fi
    pin_found=$pin_found${pin_found:+$newline}$found
  done
  pin_found=$(printf '%s\n' "$pin_found" | sed '/^$/d' | sort -u)
  expected=${pin_value:-one value everywhere}
  shown=$(printf '%s' "$pin_found" | tr '\n' ' ')
  if [ -n "$pin_missing" ]; then
    bad "$pin_severity" "$pin_id" "$expected" "nothing in $pin_missing"
  elif [ "$(printf '%s\n' "$pin_found" | wc -l)" -gt 1 ] || { [ -n "$pin_value" ] && [ "$pin_found" != "$pin_value" ]; }; then
    bad "$pin_severity" "$pin_id" "$expected" "$shown"
  else
    tell pass "$pin_id" "$expected" "$shown"
  fi
}

group() { # PATTERN GROUP: the group of each match on standard input; 0: the match itself
  if [ "$2" = 0 ]; then cat; return; fi
  mark=$(printf '\001') # a character that no pattern of the contract holds
  sed -E "s$mark^$1\$$mark\\$2$mark"
}

# builders EXPECTED [NAME LOW HIGH]…: every CUDA builder crate in Cargo.lock must be one of these.
builders() {
  builders_expected=$1
  shift
  wrong=
  if [ ! -f Cargo.lock ]; then
    skip builders 'there is no Cargo.lock to look into'
    return
  fi
  locked=$(tr -d '\r' < Cargo.lock | awk -F '"' '/^name = / { name = $2 } /^version = / { if (name != "") print name " " $2; name = "" }' |
    awk -v names=" $builder_crates " 'index(names, " " $1 " ")')
  while read -r crate found; do
    [ -n "$crate" ] || continue
    if ! crate_allowed "$crate" "$found" "$@"; then wrong="$wrong${wrong:+, }$crate $found"; fi
  done << END
$locked
END
  if [ -n "$wrong" ]; then
    tell fail builders "$builders_expected" "$wrong"
  else
    tell pass builders "$builders_expected" "$(printf '%s' "${locked:-none is locked}" | tr '\n' ',')"
  fi
}

crate_allowed() { # NAME VERSION [NAME LOW HIGH]…
  crate_name=$1 crate_version=${2%%[-+]*}
  shift 2
  while [ $# -gt 2 ]; do
    if [ "$1" = "$crate_name" ] && in_range "$2" "$3" "$crate_version"; then return 0; fi
    shift 3
  done
  return 1
}

mps_check() { # required or forbidden
  if [ -z "$gpu_needed" ] && { [ -z "$gpu_spoken" ] || ! has_driver; }; then
    skip mps 'no GPU is needed here'
    return
  fi
  pid=$(cat "${CUDA_MPS_PIPE_DIRECTORY:-/tmp/nvidia-mps}/nvidia-cuda-mps-control.pid" 2>/dev/null)
  daemon='no daemon'
  case $(cat "/proc/${pid:-none}/comm" 2>/dev/null) in
    nvidia-cuda-mps*) daemon="a daemon (pid $pid)" ;;
  esac
  status=pass
  case $1/$daemon in
    required/no* | forbidden/a*) status=fail ;;
  esac
  tell "$status" mps "$1" "$daemon"
}
