# Parameters of a kernel over the limit.
# label: ptxas-resource-limit
# needs: cuda-13.0
echo 'struct S { char c[40000]; }; __global__ void k(S s, char *p) { p[0] = s.c[p[1]]; }' > k.cu
"$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
