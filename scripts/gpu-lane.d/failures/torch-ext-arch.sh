# label: arch-dropped-by-toolkit
cat > k.cu <<'C'
#include <torch/extension.h>
__global__ void k() {}
void run() { k<<<1, 1>>>(); }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run); }
C
TORCH_EXTENSIONS_DIR=$PWD/ext TORCH_CUDA_ARCH_LIST=6.0 python3 -c 'from torch.utils.cpp_extension import load; load("k", ["k.cu"], verbose=True)'
