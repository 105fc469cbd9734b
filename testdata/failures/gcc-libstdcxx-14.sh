# gcc 14 and glibc 2.41 with CUDA 12.4, the check switched off.
# label: libstdcxx-too-new-for-nvcc|glibc-headers-too-new
# needs: cuda-12.4 container-trixie
# lane: e2e
printf '#include <cmath>\n__global__ void k() {}\n' > k.cu
CUPEL_IMAGE=trixie "$(dirname "$0")/../../scripts/testbed" container-run --network=none --volume="$BED:$BED:ro" --volume="$PWD:/w" --workdir=/w \
  "$CUDA_12_4/bin/nvcc" -allow-unsupported-compiler -c k.cu -o k.o
