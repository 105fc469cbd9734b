"""What the shim adds to a call, interleaved: nvcc --version direct and recorded."""
import os
import statistics
import subprocess
import sys
import time

CUPEL = os.path.abspath("bin/cupel")
N = 200

if os.environ.get("CUPEL_RUN") is None:
    sys.exit(subprocess.run([CUPEL, "exec", "--quiet", "--", sys.executable, os.path.abspath(__file__)]).returncode)

shim = subprocess.run(["sh", "-c", "command -v nvcc"], capture_output=True, text=True, check=True).stdout.strip()
mirror = os.path.dirname(os.path.dirname(shim))
real = os.path.join(open(os.path.join(mirror, "cupel-root")).read().strip(), "bin", "nvcc")
ways = {"direct": (real, dict(os.environ)), "recorded": (shim, dict(os.environ))}
times = {name: [] for name in ways}
for _ in range(N):
    for name, (program, env) in ways.items():
        began = time.perf_counter()
        subprocess.run([program, "--version"], env=env, stdout=subprocess.DEVNULL, check=True)
        times[name].append((time.perf_counter() - began) * 1000)
for name, t in times.items():
    t.sort()
    print("%-9s median %6.2f ms   p99 %6.2f   n=%d" % (name, statistics.median(t), t[int(len(t) * 0.99)], len(t)))
added = statistics.median(times["recorded"]) - statistics.median(times["direct"])
print(("AIM met    " if added < 5 else "AIM missed ") + "shim adds to a call, at most 5 ms: %.2f" % added)
