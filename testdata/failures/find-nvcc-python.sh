# A setup.py that starts nvcc by its usual path.
# label: nvcc-not-found
cat > setup.py <<'P'
import subprocess
print(subprocess.check_output(["/usr/local/cuda/bin/nvcc", "-V"]))
P
python3 setup.py build_ext
