# label: cxx-standard-too-old
cat > k.cpp <<'C'
#include <torch/extension.h>
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}
C
TORCH_EXTENSIONS_DIR=$PWD/ext python3 -c 'from torch.utils.cpp_extension import load; load("k", ["k.cpp"], extra_cflags=["-std=c++14"], verbose=True)'
