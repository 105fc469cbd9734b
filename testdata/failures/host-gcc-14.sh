# Debian 13's only compiler with CUDA 12.4.
# label: host-compiler-too-new
# needs: cuda-12.4 container-trixie
# lane: e2e
printf '__global__ void k() {}\n' > k.cu
CUPEL_IMAGE=trixie "$(dirname "$0")/../../scripts/testbed" container-run --network=none --volume="$BED:$BED:ro" --volume="$PWD:/w" --workdir=/w \
  "$CUDA_12_4/bin/nvcc" -c k.cu -o k.o
