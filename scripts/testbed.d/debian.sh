# Parts from Debian's non-free packages, fetched with an apt state of their own: the system's sources are read, never changed.

# debian_source SUITE: a deb822 entry for SUITE with the mirror and keyring of the machine's own Debian source.
debian_source() {
  local uri key
  uri=$(mirror)
  if [ -z "$uri" ]; then alone update_if_empty; uri=$(mirror); fi
  if [ -z "$uri" ]; then echo "testbed: this machine has no Debian package source to take the mirror from" >&2; return 1; fi
  key=$(keyring "${uri%/}")
  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main contrib non-free\n' "$uri" "$1"
  if [ -n "$key" ]; then printf 'Signed-By: %s\n' "$key"; fi
}
update_if_empty() { if [ -z "$(mirror)" ]; then update_now; fi; }
mirror() { # apt itself reads both formats of its sources; only downloaded indexes are listed
  apt-get indextargets --format '$(ORIGIN)|$(RELEASE)|$(CODENAME)|$(REPO_URI)' 'Created-By: Packages' |
    awk -F'|' '$1 == "Debian" && $3 !~ /-/ && ($2 == $3 || $2 ~ /^(old)*stable$/) && !seen++ { print $4 }'
}
keyring() { # URI: the Signed-By file of the source that names it, in either format; nothing means apt's own trusted keys
  cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2> /dev/null |
    awk -v RS= -v uri="$1" 'index($0, uri) && match($0, /[Ss]igned-[Bb]y[:=][ \t]*\/[^] \t\n]+/) && !seen++ {
      s = substr($0, RSTART, RLENGTH); sub(/^[^\/]*/, "", s); print s }' || true
}

# apt_private SUITE: make the state that `private` uses for this part.
apt_private() {
  state=$new.apt
  mkdir -p "$state"/{parts,lists/partial,cache/archives/partial,debs}
  debian_source "$1" > "$state/parts/debian.sources"
  private update
}
private() {
  (cd "$state/debs" && apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$state/parts" -o Dir::State::lists="$state/lists" \
    -o Dir::Cache="$state/cache" -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none \
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false "$@" >&2)
}

# debian_tree SUITE MAJOR: the toolkit as dpkg -x lays it out. Of nvidia-cuda-dev (2.7 GB unpacked) only headers, the runtime and
# device-runtime libraries and the stubs are kept: the static math libraries are nine tenths of it and nothing here links them.
debian_tree() {
  local deb names=(nvidia-cuda-toolkit nvidia-cuda-toolkit-gcc libnvvm4 libcu++-dev libcub-dev libthrust-dev)
  case $2 in 11) names+=(libcudart11.0) ;; *) names+=("libcudart$2") ;; esac
  apt_private "$1"
  private download "${names[@]}" nvidia-cuda-dev
  for deb in "$state"/debs/*.deb; do
    case $deb in
      */nvidia-cuda-dev_*) keep_small "$deb" ;;
      *) dpkg -x "$deb" "$new" ;;
    esac
    rm "$deb"
  done
}
keep_small() { # DEB
  dpkg-deb --fsys-tarfile "$1" | tar -x -C "$new" --wildcards './usr/include/*' './usr/lib/*/stubs*' './usr/lib/*/libcuda*' './usr/lib/*/pkgconfig/*' \
    './usr/share/doc/nvidia-cuda-dev/copyright'
}

# cuda_root PART COMPILER: bin, nvvm, include and lib64 as NVIDIA lays them out, made of hard links to a Debian tree, with a profile
# relative to nvcc. Debian ships no version.json, so there is none here. A kernel is compiled and linked before the part counts.
cuda_root() {
  local from=$bed/$1 lib
  "$scripts/testbed" one "$1"
  need "$2" # after the download, which needs no lock
  lib=$from/usr/lib/nvidia-cuda-toolkit
  mkdir -p "$new/bin" "$new/nvvm/bin" "$new/nvvm/lib64" "$new/lib64"
  local tool
  for tool in bin2c cudafe++ cuobjdump cu++filt fatbinary nvdisasm nvlink nvprune ptxas __nvcc_device_query; do
    if [ -e "$from/usr/bin/$tool" ]; then cp -al "$from/usr/bin/$tool" "$new/bin/"; fi
  done
  cp -al "$lib/bin/nvcc" "$lib/bin/crt" "$new/bin/"
  cp -al "$lib/bin/cicc" "$new/nvvm/bin/"
  cp -al "$lib/libdevice" "$new/nvvm/"
  cp -al "$from"/usr/lib/x86_64-linux-gnu/libnvvm.so* "$new/nvvm/lib64/"
  cp -al "$from/usr/include" "$new/"
  cp -al "$from"/usr/lib/x86_64-linux-gnu/libcuda* "$from/usr/lib/x86_64-linux-gnu/stubs" "$new/lib64/"
  profile > "$new/bin/nvcc.profile"
  prove_linux "$new" "$2"
}
profile() {
  cat <<'PROFILE'
TOP = $(_HERE_)/..
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice
LD_LIBRARY_PATH += $(TOP)/lib64:
PATH += $(TOP)/nvvm/bin:$(_HERE_):
INCLUDES += "-I$(TOP)/include" $(_SPACE_)
LIBRARIES =+ $(_SPACE_) "-L$(TOP)/lib64/stubs" "-L$(TOP)/lib64"
PROFILE
}
prove_linux() { # ROOT COMPILER
  local at=$new.proof
  mkdir -p "$at"
  printf '__global__ void k(int *p) { *p = 1; }\nint main() { k<<<1, 1>>>(0); return 0; }\n' > "$at/k.cu"
  (cd "$at" && "$1/bin/nvcc" -ccbin "$2" -arch=sm_80 -o k k.cu) || { say "$part: nvcc did not compile with $2"; return 1; }
}

# driver_tree SUITE: the user-mode driver (libcuda, the PTX compiler it loads, NVML) and nvidia-smi, as dpkg -x lays them out. Debian
# keeps the files in nvidia/current and its alternatives link them; nvidia-alternative's own links are made by its postinst, not here.
driver_tree() {
  local deb
  apt_private "$1"
  private download libcuda1 libnvidia-ml1 libnvidia-ptxjitcompiler1 nvidia-smi nvidia-alternative libnvidia-cfg1
  for deb in "$state"/debs/*.deb; do dpkg -x "$deb" "$new"; done
}
