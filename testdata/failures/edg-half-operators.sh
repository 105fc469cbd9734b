# Operators of half switched off, as torch does.
# label: kernel-source-error
# needs: cuda-13.0
printf '#include <cuda_fp16.h>\n__global__ void k(__half *p, float *q) { q[0] = p[0]; }\n' > k.cu
"$CUDA_13_0/bin/nvcc" -D__CUDA_NO_HALF_OPERATORS__ -D__CUDA_NO_HALF_CONVERSIONS__ -c k.cu -o k.o
