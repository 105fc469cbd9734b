# The host compiler refused memory.
# lane: e2e
# label: compile-resources-exhausted
# needs: cuda-13.0
set -x # a build shows its command
printf '#include <thrust/device_vector.h>\nint main() {}\n' > k.cu
ulimit -v 200000
"$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
