# label: cuda-context-misuse
python3 -c '
import torch, multiprocessing as mp
torch.zeros(1, device="cuda")
def f(): torch.zeros(1, device="cuda")
p = mp.get_context("fork").Process(target=f); p.start(); p.join(); raise SystemExit(p.exitcode)'
