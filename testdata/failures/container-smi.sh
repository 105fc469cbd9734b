# nvidia-smi in a container that was started without GPU access.
# label: gpu-not-passed-to-container
# needs: container
# lane: e2e
podman --root "$BED/.podman/root" --runroot "$BED/.podman/run" --storage-driver=vfs --cgroup-manager=cgroupfs --runtime runc --events-backend=none \
	run --rm --network=host --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 cupel-bookworm nvidia-smi
