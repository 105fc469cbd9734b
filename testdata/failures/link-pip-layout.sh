# nvcc of the Python wheels links: its libraries are in lib, it looks into lib64.
# label: cuda-lib-dir-not-searched|toolkit-incomplete
# needs: cuda-13.0
ln -s "$CUDA_13_0" cu13
printf '__global__ void k() {}\nint main() { k<<<1, 1>>>(); return 0; }\n' > k.cu
set -x
env -i PATH="$PATH" HOME="$HOME" "$BED/cuda-13.0/nvidia/cu13/bin/nvcc" -arch=sm_80 k.cu -o k
