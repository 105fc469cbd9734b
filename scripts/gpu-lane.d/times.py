"""Times the doctor against its peers in the same minutes. Only ratios mean something; a bare time is of one machine."""
import statistics
import subprocess
import sys
import time

# name: command, turns, exit codes of a command that did its work (a doctor that found something wrong ends with 1)
COMMANDS = {
    "cupel doctor": (["bin/cupel", "doctor"], 10, (0, 1)),
    "cupel-gpu": (["bin/cupel-gpu"], 10, (0,)),
    "nvidia-smi": (["nvidia-smi"], 10, (0,)),
    "collect_env": ([sys.executable, "-m", "torch.utils.collect_env"], 3, (0,)),
}


def once(argv, codes):
    start = time.perf_counter()
    done = subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120, check=False)
    took = time.perf_counter() - start
    if done.returncode not in codes:
        sys.exit(f"{argv} ended with {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
    return took


times = {name: [] for name in COMMANDS}
for turn in range(-1, 10):  # the turn before the first warms the file cache and is not counted
    for name, (argv, turns, codes) in COMMANDS.items():
        if turn < turns:
            took = once(argv, codes)
            if turn >= 0:
                times[name].append(took)
median = {name: statistics.median(t) for name, t in times.items()}
for name, t in times.items():
    print(f"{name:14} median {median[name] * 1000:9.1f} ms   min {min(t) * 1000:9.1f}   max {max(t) * 1000:9.1f}   n={len(t)}")


def aim(text, ratio, ok):
    print(f"AIM {'met   ' if ok else 'missed'} {text}: {ratio:.2f}")


against_smi = median["cupel doctor"] / median["nvidia-smi"]
against_torch = median["collect_env"] / median["cupel doctor"]
aim("cupel doctor / nvidia-smi, at most 1.3", against_smi, against_smi <= 1.3)
aim("collect_env / cupel doctor, at least 50", against_torch, against_torch >= 50)
