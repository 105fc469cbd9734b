# A container without a daemon: podman as root with its storage in the test bed. The flags are those that work inside a container or a
# small virtual machine too: vfs needs no overlay mount, runc no cgroup delegation, and the limits may not be raised there.

image=cupel-bookworm

container_image() { make_image bookworm; }

# container_trixie: a machine whose only compiler is too new for CUDA 12.4, with an ordinary user named maker.
container_trixie() {
  image=cupel-trixie
  make_image trixie --include=g++,make,ca-certificates --customize-hook='chroot "$1" useradd --create-home maker'
}

make_image() { # SUITE [OPTION…]: mmdebstrap leaves the image without package lists
  local suite=$1
  shift
  need podman runc mmdebstrap
  debian_source "$suite" > "$new.sources"
  say "$part: making a root file system"
  as_root mmdebstrap --quiet --variant=minbase "$@" "$suite" "$new/rootfs.tar" "$new.sources" >&2
  import_image "$new/rootfs.tar"
}
import_image() { # TAR
  pod rmi --force "$image" > /dev/null 2>&1 || true
  pod import --quiet "$1" "$image" > /dev/null
}

# podman keeps absolute paths in its database, so the storage has a fixed place and is no part that gets renamed.
pod() {
  as_root podman --root "$bed/.podman/root" --runroot "$bed/.podman/run" --storage-driver=vfs --cgroup-manager=cgroupfs --runtime runc --events-backend=none "$@"
}

# container_run [OPTION…] [CMD…]: run CMD in the image; options of podman run (-v A:B:ro, -e K=V) may stand before it. CUPEL_IMAGE=trixie
# takes the other image. The image's name is added after the options, at the first word that does not begin with a dash and is no option's value: write
# options with = (--volume=A:B:ro, --env=K=V, --network=none).
container_run() {
  local options=() part=container
  if [ "${CUPEL_IMAGE:-bookworm}" = trixie ]; then part=container-trixie image=cupel-trixie; fi
  fetched "$part" || { echo "testbed: $part is not fetched: run scripts/testbed fetch $part" >&2; exit 1; }
  pod image exists "$image" || import_image "$bed/$part/rootfs.tar"
  while [ $# -gt 0 ] && [ "${1#-}" != "$1" ]; do options+=("$1"); shift; done
  case " ${options[*]-} " in *" --network="*) ;; *) options+=(--network=host) ;; esac
  pod run --rm --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 "${options[@]}" "$image" "$@"
}
