# A temporary folder that does not exist.
# label: not-cuda
# needs: cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
TMPDIR=$PWD/nothing "$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
