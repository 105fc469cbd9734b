# A setup.py that joins CUDA_HOME, which is None, as apex's does. torch itself is too big for this: the error is Python's own.
# label: cuda-home-unset
cat > setup.py <<'P'
import subprocess
CUDA_HOME = None

def get_cuda_bare_metal_version(cuda_dir):
    return subprocess.check_output([cuda_dir + "/bin/nvcc", "-V"], universal_newlines=True)

get_cuda_bare_metal_version(CUDA_HOME)
P
python3 setup.py build_ext
