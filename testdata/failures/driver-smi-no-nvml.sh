# nvidia-smi without the NVML library.
# label: driver-not-installed-or-loaded
# needs: driver-535
env -u LD_LIBRARY_PATH "$BED/driver-535/usr/lib/nvidia/current/nvidia-smi"
