# label: host-compiler-missing
cat > t.py <<'P'
import torch, triton, triton.language as tl
@triton.jit
def k(p): tl.store(p, 1)
t = torch.zeros(1, dtype=torch.int32, device="cuda"); k[(1,)](t); print(t)
P
python=$(command -v python3)
env -u CC TRITON_CACHE_DIR=$PWD/cache PATH=/nowhere "$python" t.py
