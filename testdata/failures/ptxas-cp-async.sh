# An instruction of sm_80 for sm_75.
# label: device-feature-needs-newer-arch
# needs: cuda-13.0
echo '__global__ void k(int *p) { asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(0), "l"(p)); }' > k.cu
"$CUDA_13_0/bin/nvcc" -arch=sm_75 -c k.cu -o k.o
