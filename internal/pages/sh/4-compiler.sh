# ---- host compilers ----
# nvcc starts plain gcc: one in its own folder first (Debian's toolkit has a script there), else the first on PATH.
wrapper() { # FILE: a cache or distributor in front of the compiler
  case $(basename "$(real "$1")") in
    ccache | sccache | distcc | icecc) return 0 ;;
  esac
  return 1
}

compiler_of() { # GCC: sets family and compiler to its C++ side and its version
  compiler=
  family=gcc
  file=$(real "$1")
  name=$(basename "$file")
  case $name in
    *clang*) family=clang cxx=$(dirname "$file")/$(printf '%s\n' "$name" | sed 's/clang/clang++/') ;;
    *) cxx=$(dirname "$file")/$(printf '%s\n' "$name" | sed 's/gcc/g++/') ;;
  esac
  if [ -x "$cxx" ]; then compiler=$(version_of "$cxx"); fi
}

version_of() { # COMPILER
  case $(basename "$(real "$1")") in
    *clang*) "$1" --version 2>/dev/null | number ;;
    *) "$1" -dumpfullversion -dumpversion 2>/dev/null | number ;;
  esac
}

default_compiler() { # sets family, compiler and cxx; compiler is empty when there is none
  compiler=
  cxx=
  family=gcc
  own=
  if [ -n "$nvcc" ]; then own=$(dirname "$nvcc")/gcc; fi
  if [ -n "$own" ] && [ -f "$own" ]; then
    names=$(sed -n 's/.*prog=\(gcc-[0-9]*\).*/\1/p' "$own" 2>/dev/null)
    if [ -z "$names" ]; then compiler_of "$own"; fi
    for name in $names; do
      file=$(which_first "$name")
      if [ -z "$compiler" ] && [ -n "$file" ]; then compiler_of "$file"; fi
    done
    return
  fi
  while IFS= read -r file; do
    if [ -n "$file" ] && [ -z "$compiler" ] && ! wrapper "$file"; then
      compiler_of "$file"
      return
    fi
  done << END
$(which_all gcc)
END
}

# bounds FAMILY: sets low and high, the majors the toolkit accepts: its own header first, the table for the rest.
bounds() {
  header=$(part "$chosen" crt/host_config.h)
  case $1 in
    gcc)
      low=$(row "$release" 5)
      high=$(sed -n 's/^#[[:space:]]*if[[:space:]]*__GNUC__[[:space:]]*>[[:space:]]*\([0-9]*\).*/\1/p' "$header" 2>/dev/null | head -n 1)
      [ -n "$high" ] || high=$(row "$release" 6)
      ;;
    clang)
      low=$(row "$release" 7)
      high=$(sed -n 's/.*clang version must be less than \([0-9]*\).*/\1/p' "$header" 2>/dev/null | head -n 1)
      if [ -n "$high" ]; then high=$((high - 1)); else high=$(row "$release" 8); fi
      ;;
  esac
}
