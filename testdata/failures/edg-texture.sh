# Texture references, which CUDA 12 removed.
# label: cuda-api-removed
# needs: cuda-12.4 gcc-12
cat > k.cu <<'S'
texture<float, 1> t;
__global__ void k(float *p) { p[0] = tex1Dfetch(t, 0); }
int main() { cudaBindTexture(0, t, 0, 0); }
S
"$CUDA_12_4/bin/nvcc" -ccbin g++-12 -c k.cu -o k.o
