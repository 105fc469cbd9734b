# Inline assembly that ptxas cannot read.
# label: kernel-source-error
# needs: cuda-13.0
echo '__global__ void k(int *p) { asm volatile("mov.u32 %0, -;" ::"r"(p[0])); }' > k.cu
"$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
