# label: gpu-out-of-memory
python3 -c 'import torch; torch.empty(1 << 40, dtype=torch.float32, device="cuda")'
