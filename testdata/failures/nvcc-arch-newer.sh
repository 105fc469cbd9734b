# An architecture newer than the toolkit, as make prints it.
# label: arch-newer-than-toolkit
# needs: cuda-12.4 gcc-12
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
printf 'k.o: k.cu\n\t%s -ccbin g++-12 -gencode arch=compute_120,code=sm_120 -c k.cu -o k.o\n' "$CUDA_12_4/bin/nvcc" > Makefile
make
