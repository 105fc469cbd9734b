# -ptx for two architectures.
# label: nvcc-command-malformed
# needs: cuda-13.0
echo '__global__ void k(float *p) { p[0] = 1; }' > k.cu
"$CUDA_13_0/bin/nvcc" -ptx -gencode arch=compute_80,code=compute_80 -gencode arch=compute_90,code=compute_90 k.cu -o k.ptx
