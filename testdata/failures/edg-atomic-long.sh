# atomicAdd of a type that no architecture has.
# label: kernel-source-error
# needs: cuda-13.0
echo '__global__ void k(long *p) { atomicAdd(p, 1L); }' > k.cu
"$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
