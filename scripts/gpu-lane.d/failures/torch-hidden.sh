# label: gpu-hidden-by-env
set -x
CUDA_VISIBLE_DEVICES= python3 -c 'import torch; torch.zeros(1, device="cuda")'
