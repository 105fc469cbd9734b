# ---- the checks: the ids, the order and the verdicts are those of cupel verify ----
platform_is() { tell "$1" platform "$2" "$platform"; } # STATUS EXPECTED

toolkit_present() { # EXPECTED
  if [ -z "$chosen" ]; then
    tell fail toolkit-present "$1" none
  elif [ -z "$nvcc" ]; then
    tell fail toolkit-present "$1" "$chosen without nvcc"
  elif [ ! -s "$nvcc" ] || [ ! -x "$nvcc" ]; then
    tell fail toolkit-present "$1" "$nvcc, which cannot be run"
  else
    tell pass toolkit-present "$1" "CUDA $release in $chosen ($why)"
  fi
}

# toolkit_band EXPECTED MIN RECOMMENDED MAX-VERIFIED [LOW HIGH]… of what is excluded
toolkit_band() {
  ! after toolkit-band toolkit-present || return 0
  band_expected=$1 band_min=$2 band_best=$3 band_max=$4
  shift 4
  band=supported
  if [ -z "$release" ]; then
    tell fail toolkit-band "$band_expected" 'not known'
    return
  fi
  if [ -n "$band_best" ] && covers "$band_best" "$release"; then band=recommended; fi
  if [ -n "$band_max" ] && ver "$release" gt "$band_max" && ! covers "$band_max" "$release"; then band='newer than verified'; fi
  if [ -n "$band_min" ] && ver "$release" lt "$band_min" && ! covers "$release" "$band_min"; then band='below minimum'; fi
  vague=no # X.Y alone may lie on either side of a bound that names an update
  if [ -n "$band_min" ] && covers "$release" "$band_min" && ver "$release" lt "$band_min"; then vague=yes; fi
  if [ "$band_max" != "$release" ] && covers "$release" "$band_max"; then vague=yes; fi
  while [ $# -gt 1 ]; do
    case $(fit "$1" "$2" "$release") in
      inside) band=excluded ;;
      maybe) vague=yes ;;
    esac
    shift 2
  done
  case $band/$vague in
    excluded/* | 'below minimum'/*) status=fail ;;
    newer*) status=warn ;;
    */yes) status=warn band='update not known' ;;
    *) status=pass ;;
  esac
  tell "$status" toolkit-band "$band_expected" "$release, $band"
}

toolkit_active() {
  ! after toolkit-active toolkit-present || return 0
  if [ "$active" = "$chosen" ]; then
    tell pass toolkit-active "nvcc of CUDA $release" 'the same'
  else
    tell warn toolkit-active "nvcc of CUDA $release" "${active:-no nvcc on PATH}"
  fi
}

# toolkit_components EXPECTED [WORD FILES]…: of the files one must be there; without any, the word names a part of every toolkit.
toolkit_components() {
  ! after toolkit-components toolkit-present || return 0
  parts_expected=$1
  shift
  lacks=
  told=
  while [ $# -gt 1 ]; do
    case $1 in
      nvcc | ptxas | cicc | nvlink | libdevice) have=$(part "$chosen" "$1") ;;
      cudart) have=$(part "$chosen" libcudart.so) ;;
      cudart-static) have=$(part "$chosen" libcudart_static.a) ;;
      cudadevrt) have=$(part "$chosen" libcudadevrt.a) ;;
      cuda-stub) have=$(part "$chosen" stubs/libcuda.so) ;;
      headers) have=$(part "$chosen" cuda.h) && if [ -z "$(part "$chosen" cuda_runtime.h)" ]; then have=; fi ;;
      *)
        if [ -z "$2" ]; then
          shift 2
          continue
        fi
        have=$(one_of "$2")
        ;;
    esac
    told=yes
    if [ -z "$have" ]; then lacks="$lacks${lacks:+, }$1"; fi
    shift 2
  done
  if [ -n "$lacks" ]; then
    tell fail toolkit-components "$parts_expected" "not: $lacks"
  elif [ -z "$told" ]; then
    unchecked toolkit-components
  else
    tell pass toolkit-components "$parts_expected" 'all that can be told'
  fi
}

one_of() { # FILES: the first that lies in the library folders, the include folders or the root itself
  for file in $1; do
    { libs "$chosen"; includes "$chosen"; printf '%s\n' "$chosen"; } | first_in "$file"
  done | head -n 1
}

named_compiler() { # the compiler that variables name for nvcc
  said=$(printf '%s\n' "${NVCC_PREPEND_FLAGS-} ${NVCC_APPEND_FLAGS-}" | sed -n -E 's/.*(-ccbin|--compiler-bindir)[= ]+"?([^" ]+).*/\2/p')
  if [ -z "$said" ] && [ -n "${NVCC_CCBIN-}" ] && { [ -z "$release" ] || ver "$(short "$release")" gt "$ccbin_not_in"; }; then said=$NVCC_CCBIN; fi
  printf '%s\n' "$said"
}

use_compiler() { # sets family, compiler and cxx
  default_compiler
  ccbin=$(named_compiler)
  [ -n "$ccbin" ] || return 0
  if [ -d "$ccbin" ]; then ccbin=$ccbin/g++; fi
  case $ccbin in
    */*) ;;
    *) ccbin=$(which_first "$ccbin") ;;
  esac
  if [ -x "$ccbin" ]; then
    cxx=$ccbin
    family=gcc
    case $(basename "$(real "$cxx")") in
      *clang*) family=clang ;;
    esac
    compiler=$(version_of "$cxx")
  fi
}

# host_compiler EXPECTED ALLOW [FAMILY LOW HIGH]…: of the families any one that is given will do.
host_compiler() {
  host_expected=$1 host_allow=$2
  shift 2
  if [ $# = 0 ] && [ -z "$chosen" ]; then
    skip host-compiler 'after toolkit-present'
    return
  fi
  if [ -z "$compiler" ]; then
    tell fail host-compiler "$host_expected" none
    return
  fi
  fits=no
  if [ $# = 0 ]; then fits=yes; fi
  while [ $# -gt 2 ]; do
    if [ "$1" = "$family" ] && in_range "$2" "$3" "$compiler"; then fits=yes; fi
    shift 3
  done
  status=pass
  note=
  if [ "$fits" = no ]; then
    status=fail
  elif [ -n "$chosen" ]; then
    bounds "$family"
    major=${compiler%%.*}
    if [ -z "$high" ] || [ "$high" -le 0 ]; then
      status=warn note=', and it is not known what the toolkit accepts'
    elif [ "$major" -gt "$high" ]; then
      status=fail note=", too new: CUDA $release accepts up to $high"
    elif [ -n "$low" ] && [ "$major" -lt "$low" ]; then
      status=fail note=", too old: CUDA $release accepts from $low on"
    fi
    if [ -n "$note" ] && [ "$status" = fail ] && [ "$host_allow" = allow ]; then status=warn; fi
  fi
  tell "$status" host-compiler "$host_expected" "$family $compiler ($cxx)$note"
}

# demand NEEDED SPOKEN: whether a GPU must be here, and whether the contract says which driver it wants.
demand() {
  gpu_needed=$1
  gpu_spoken=$2
  device_bad=warn # where nothing runs, a driver or device that does not do is a warning
  if [ -n "$1" ] || { [ -n "$2" ] && [ -n "$gpus" ]; }; then device_bad=fail; fi
}

has_driver() { [ -n "$driver_library" ] || { [ "$platform" = jetson ] && [ -n "$driver" ]; }; }

driver_present() { # EXPECTED
  if has_driver; then
    tell pass driver-present "$1" "${driver:-$driver_library}"
  elif [ -n "$driver" ] && [ -z "$gpu_needed" ]; then
    tell warn driver-present "$1" "$driver, without libcuda"
  elif [ -n "$driver" ]; then
    tell fail driver-present "$1" "$driver, without libcuda"
  elif [ -z "$gpu_needed" ]; then
    skip driver-present 'no driver is here, and the contract asks for no GPU'
  else
    tell fail driver-present "$1" none
  fi
}

untold_driver() { # ID EXPECTED: true when there is no number to compare
  if [ "$machine" = jetson ]; then
    skip "$1" 'the driver of a Jetson has no number that compares'
  elif [ "$machine" = wsl2 ] && [ -n "$user_driver" ]; then # WSL's own libcuda carries no number in its name
    skip "$1" "programs load $driver_library of a Linux driver inside WSL2, whose number says nothing about Windows' own"
  elif [ -z "$driver" ]; then
    tell warn "$1" "$2" 'a version that could not be read'
  else
    return 1
  fi
}

driver_at_least() { # ID FLOOR
  ! untold_driver "$1" "$2 or newer" || return 0
  if ver "$driver" ge "$2"; then status=pass; else status=$device_bad; fi
  tell "$status" "$1" "$2 or newer" "$driver"
}

driver_floor() { # FLOOR
  ! after driver-floor driver-present || return 0
  driver_at_least driver-floor "$1"
}

driver_toolkit() { # FREE: yes when the contract says nothing of drivers, so that only one that is here counts
  if [ -n "$1" ] && { ! has_driver || [ -z "$gpus" ]; }; then return; fi
  ! after driver-toolkit driver-present toolkit-present || return 0
  column=3
  if [ "$platform" = wsl2 ]; then column=4; fi
  need=$(row "$release" "$column")
  if [ -z "$need" ]; then
    skip driver-toolkit "no driver floor is known for CUDA $release"
  else
    driver_at_least driver-toolkit "$need"
  fi
}

driver_ptx() {
  ! after driver-ptx driver-present toolkit-present || return 0
  if [ "$machine" = wsl2 ] && [ -n "$user_driver" ]; then
    untold_driver driver-ptx ''
    return
  fi
  have=$(level)
  if [ -z "$have" ] || [ "$machine" = jetson ]; then
    tell warn driver-ptx "CUDA $(short "$release") or newer" 'not known'
  elif ver "$have" ge "$(short "$release")"; then
    tell pass driver-ptx "CUDA $(short "$release") or newer" "CUDA $have"
  else
    tell "$device_bad" driver-ptx "CUDA $(short "$release") or newer" "CUDA $have"
  fi
}

gpu_names() { printf '%s\n' "$gpus" | awk -F '|' 'NF { printf "%s%s", s, $2; s = ", " } END { if (!s) printf "none" }'; }

gpu_count() { # COUNT
  ! after gpu-count driver-present || return 0
  count=$(printf '%s\n' "$gpus" | grep -c '|')
  if [ "$count" -ge "$1" ]; then status=pass; else status=fail; fi
  tell "$status" gpu-count "$1 or more" "$(gpu_names)"
}

no_gpu() { # ID: true when there is none to look at
  [ -z "$gpus" ] || return 1
  skip "$1" 'no GPU is here to look at'
}

gpu_memory() { # EXPECTED MIB COUNT
  ! after gpu-memory gpu-count || return 0
  ! no_gpu gpu-memory || return 0
  status=$(printf '%s\n' "$gpus" | awk -F '|' -v want="$2" -v count="$3" -v bad="$device_bad" '
    NF { if ($4 + 0 == 0) unknown++; else if ($4 + 0 >= want) enough++ }
    END { print (enough >= count ? "pass" : (enough + unknown >= count ? "warn" : bad)) }')
  tell "$status" gpu-memory "$1" "$(printf '%s\n' "$gpus" | awk -F '|' 'NF { printf "%s%s %s MiB", s, $2, $4; s = ", " }')"
}

gpu_compute_mode() { # MODE
  ! after gpu-compute-mode gpu-count || return 0
  ! no_gpu gpu-compute-mode || return 0
  modes=$(printf '%s\n' "$gpus" | awk -F '|' 'NF && $5 != "" { print $5 }')
  if [ -z "$modes" ]; then
    skip gpu-compute-mode 'the driver did not tell it'
  elif ! printf '%s\n' "$modes" | grep -q -v -x -e "$1"; then
    tell pass gpu-compute-mode "$1" "$1"
  else
    tell "$device_bad" gpu-compute-mode "$1" "$(printf '%s' "$modes" | tr '\n' ' ')"
  fi
}

capabilities() { printf '%s\n' "$gpus" | awk -F '|' 'NF { printf "%s%s (%s)", s, $2, $3 == "" ? "not known" : $3; s = ", " }'; }

arch_min() { # CAPABILITY
  ! after arch-min gpu-count || return 0
  ! no_gpu arch-min || return 0
  status=pass
  while IFS='|' read -r _ _ capability _; do
    if [ -z "$capability" ]; then
      [ "$status" != pass ] || status=warn
    elif ver "$capability" lt "$1"; then
      status=$device_bad
      break
    fi
  done << END
$gpus
END
  tell "$status" arch-min "$1 or newer" "$(capabilities)"
}

# by_release ID COLUMN: the table holds what cupel verify says of each release: status, expected, found.
by_release() {
  ! after "$1" toolkit-present || return 0
  status=$(row "$release" "$2")
  case $status in
    pass | fail | warn) tell "$status" "$1" "$(row "$release" "$(($2 + 1))")" "$(row "$release" "$(($2 + 2))")" ;;
    *) skip "$1" "not known for CUDA $release" ;;
  esac
}
