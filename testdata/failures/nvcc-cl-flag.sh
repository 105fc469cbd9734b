# A flag of cl given to nvcc: a second input file.
# label: nvcc-command-malformed
# needs: cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
set -x
"$CUDA_13_0/bin/nvcc" /EHsc -c k.cu -o k.o
