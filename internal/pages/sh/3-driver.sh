# ---- driver and GPUs ----
# The driver that programs meet is its libcuda; the kernel module is asked when the library's name does not tell. nvidia-smi is
# started only where a kernel module or a device node is: run as root without them, it would make device nodes.
proc_version=/proc/driver/nvidia/version

libcuda() { # the first libcuda.so.1 that the loader would take and that is no stand-in
  {
    printf '%s\n' "${LD_LIBRARY_PATH-}" | tr ':' '\n'
    { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | sed -n 's/.*x86-64.*=> \(.*\)\/libcuda\.so\.1$/\1/p; s/.*AArch64.*=> \(.*\)\/libcuda\.so\.1$/\1/p'
    printf '%s\n' /lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu /lib/aarch64-linux-gnu /usr/lib/aarch64-linux-gnu /lib64 /usr/lib64 /lib /usr/lib
  } | while IFS= read -r dir; do
    case $dir in
      */stubs | */stubs/) continue ;;
      /*) if [ -s "$dir/libcuda.so.1" ]; then real "$dir/libcuda.so.1"; return; fi ;;
    esac
  done
}

find_driver() { # sets driver, driver_library, gpus (index|name|capability|MiB|mode, a line each) and smi
  driver_library=$(libcuda)
  user_driver=$(printf '%s\n' "$driver_library" | sed -n 's/.*\.so\.\([0-9][0-9][0-9][0-9]*\.[0-9.]*\)$/\1/p')
  kernel_driver=$(sed -n 's/^NVRM version:.*[^0-9.]\([0-9][0-9][0-9][0-9]*\.[0-9][0-9.]*\).*/\1/p' "$proc_version" 2>/dev/null | head -n 1)
  [ -n "$kernel_driver" ] || kernel_driver=$(sed -n 's/^\([0-9][0-9.]*\).*/\1/p' /sys/module/nvidia/version 2>/dev/null)
  smi=$(which_first nvidia-smi)
  if [ -z "$smi" ] && [ "$platform" = wsl2 ] && [ -f /usr/lib/wsl/lib/nvidia-smi ]; then smi=/usr/lib/wsl/lib/nvidia-smi; fi
  gpus=
  nodes=
  for file in /dev/nvidia[0-9]* /dev/nvidiactl /dev/nvidia-uvm /dev/dxg /dev/nvmap; do
    if [ -e "$file" ]; then nodes=yes; fi
  done
  if [ -n "$smi" ] && { [ -n "$kernel_driver" ] || [ -f "$proc_version" ] || [ -n "$nodes" ]; }; then ask_smi; fi
  [ -n "$gpus" ] || gpus=$(proc_gpus)
  driver=${user_driver:-$kernel_driver}
}

ask_smi() {
  fields=index,name,compute_cap,memory.total,compute_mode,driver_version
  limit=
  if [ -n "$(which_first timeout)" ]; then limit='timeout 10'; fi
  # shellcheck disable=SC2086 # two words or none
  if ! answer=$($limit "$smi" --query-gpu="$fields" --format=csv,noheader,nounits 2>/dev/null); then
    answer=$($limit "$smi" --query-gpu=index,name,memory.total,compute_mode,driver_version --format=csv,noheader,nounits 2>/dev/null |
      awk -F ', ' 'NF == 5 { print $1 ", " $2 ", [N/A], " $3 ", " $4 ", " $5 }') || return 0
  fi
  gpus=$(printf '%s\n' "$answer" | awk -F ', ' 'NF == 6 {
    for (i = 3; i <= 5; i++) if ($i ~ /^\[/) $i = ""
    mode = tolower($5); sub(/_/, "-", mode); print $1 "|" $2 "|" $3 "|" $4 "|" mode }')
  [ -n "$kernel_driver" ] || kernel_driver=$(printf '%s\n' "$answer" | awk -F ', ' 'NF == 6 { print $6; exit }')
}

proc_gpus() { # names alone: the capability is not told there
  for file in /proc/driver/nvidia/gpus/*/information; do
    [ -f "$file" ] && sed -n 's/^Model:[[:space:]]*\(.*\)/0|\1|||/p' "$file"
  done
  return 0
}

level() { # the CUDA X.Y that the driver supports, by its branch
  levels | while IFS='|' read -r cuda branch; do
    if ver "$driver" ge "$branch"; then printf '%s\n' "$cuda"; fi
  done | sort -t . -k 1,1n -k 2,2n | tail -n 1
}
