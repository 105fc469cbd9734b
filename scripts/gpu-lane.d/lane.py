"""The three words the lane's checks print."""
import json
import subprocess


def check(name, ok, got=None):
    print(("PASS " if ok else "FAIL ") + name + ("" if ok or got is None else f": got {got!r}"), flush=True)
    return ok


def load(path):
    try:
        with open(path, encoding="utf-8") as f:
            return json.load(f)
    except (OSError, ValueError) as e:
        check(f"{path} is JSON", False, str(e))
        return {}


def says(*argv):
    """The trimmed stdout of a command, "" when it cannot be had."""
    try:
        return subprocess.run(argv, capture_output=True, text=True, timeout=120).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def smi(*fields):
    """One list of texts per GPU, by nvidia-smi."""
    out = says("nvidia-smi", "--query-gpu=" + ",".join(fields), "--format=csv,noheader,nounits")
    return [[v.strip() for v in line.split(",")] for line in out.splitlines()]
