# podman is asked for the NVIDIA runtime where it is not registered.
# label: container-toolkit-missing
# needs: container
# lane: e2e
podman --root "$BED/.podman/root" --runroot "$BED/.podman/run" --storage-driver=vfs --cgroup-manager=cgroupfs --runtime runc --events-backend=none \
	run --rm --network=host --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 --runtime=nvidia cupel-bookworm true
