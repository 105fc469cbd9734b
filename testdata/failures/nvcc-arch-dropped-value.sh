# The same by -arch, with the other words for it.
# label: arch-dropped-by-toolkit
# needs: cuda-12.4 gcc-12
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -arch=sm_35 -c k.cu -o k.o
