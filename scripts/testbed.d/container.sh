# A container without a daemon: podman as root with its storage in the test bed. The flags are those that work inside a container or a
# small virtual machine too: vfs needs no overlay mount, runc no cgroup delegation, and the limits may not be raised there.

image=cupel-bookworm

container_image() {
  need podman runc mmdebstrap
  debian_source bookworm > "$new.sources"
  say "$part: making a root file system"
  as_root mmdebstrap --quiet --variant=minbase bookworm "$new/rootfs.tar" "$new.sources" >&2
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

# container_run [OPTION…] [CMD…]: run CMD in the image; options of podman run (-v A:B:ro, -e K=V) may stand before it.
# The image's name is added after the options, at the first word that does not begin with a dash and is no option's value: write
# options with = (--volume=A:B:ro, --env=K=V, --network=none).
container_run() {
  local options=()
  fetched container || { echo "testbed: container is not fetched: run scripts/testbed fetch container" >&2; exit 1; }
  pod image exists "$image" || import_image "$bed/container/rootfs.tar"
  while [ $# -gt 0 ] && [ "${1#-}" != "$1" ]; do options+=("$1"); shift; done
  case " ${options[*]-} " in *" --network="*) ;; *) options+=(--network=host) ;; esac
  pod run --rm --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 "${options[@]}" "$image" "$@"
}
