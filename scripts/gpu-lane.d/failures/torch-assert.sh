# label: kernel-launch-failed
python3 -c 'import torch; t = torch.zeros(4, device="cuda"); i = torch.tensor([9], device="cuda"); print(t[i].cpu())'
