# Clusters for sm_80.
# label: device-feature-needs-newer-arch
# needs: cuda-13.0
echo '__global__ void __cluster_dims__(2, 1, 1) k(int *p) { p[0] = 1; }' > k.cu
"$CUDA_13_0/bin/nvcc" -arch=sm_80 -c k.cu -o k.o
