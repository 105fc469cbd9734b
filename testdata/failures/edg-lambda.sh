# A device lambda without the flag.
# label: kernel-source-error
# needs: cuda-13.0
cat > k.cu <<'S'
template <class F> __global__ void k(F f) { f(); }
int main() { auto l = [] __device__() {}; k<<<1, 1>>>(l); }
S
"$CUDA_13_0/bin/nvcc" -c k.cu -o k.o
