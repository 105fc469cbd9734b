# label: not-cuda
cat > k.cu <<'C'
#include <torch/extension.h>
__global__ void k() { int x = ; }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}
C
TORCH_EXTENSIONS_DIR=$PWD/ext TORCH_CUDA_ARCH_LIST=9.0 python3 -c 'from torch.utils.cpp_extension import load; load("k", ["k.cu"], verbose=True)'
