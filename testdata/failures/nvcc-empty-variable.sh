# An empty variable after -I.
# label: nvcc-command-malformed
# needs: cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
printf 'k.o: k.cu\n\t%s -I $(NOTHING) -x cu -c k.cu -o k.o\n' "$CUDA_13_0/bin/nvcc" > Makefile
make
