# nvidia-smi of a driver whose kernel module is not loaded.
# label: driver-not-installed-or-loaded
# needs: driver-535
LD_LIBRARY_PATH=$BED/driver-535/usr/lib/x86_64-linux-gnu/nvidia/current "$BED/driver-535/usr/lib/nvidia/current/nvidia-smi"
