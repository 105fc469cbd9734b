# An architecture that the toolkit dropped, by -gencode.
# label: arch-dropped-by-toolkit
# needs: cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
"$CUDA_13_0/bin/nvcc" -gencode arch=compute_60,code=sm_60 -c k.cu -o k.o
