"""Checks the doctor's JSON against what the machine itself says, and against the same machine read from its recording."""
import glob
import os
import re
import shutil
import sys
from importlib import metadata

from lane import check, load, says, smi


def value(fact):
    return (fact or {}).get("value", "") if (fact or {}).get("state") == "known" else ""


def kernel_module():
    """The version the kernel tells, "" where a sandbox has a driver and not this file."""
    try:
        with open("/proc/driver/nvidia/version", encoding="utf-8") as f:
            return re.search(r"\s(\d+\.\d+(?:\.\d+)?)\s", f.read()).group(1)
    except (OSError, AttributeError):
        return ""


def system_cudnn():
    """The version in the real file's name of a cuDNN under /usr."""
    for lib in sorted(glob.glob("/usr/lib/*/libcudnn.so.*") + glob.glob("/usr/local/cuda*/lib64/libcudnn.so.*")):
        if m := re.search(r"libcudnn\.so\.(\d+\.\d+\.\d+)$", os.path.realpath(lib)):
            return m.group(1)
    return ""


def pip_cudnn():
    names = (d.metadata["Name"] for d in metadata.distributions())
    found = [n for n in names if n and n.lower().replace("_", "-").startswith("nvidia-cudnn")]
    return metadata.version(found[0]) if found else ""


def cudnn(machine, version):
    """A copy of this version; pip's has a fourth number that headers do not know."""
    three = ".".join(version.split(".")[:3])
    copies = [lib for lib in machine.get("libraries", []) if lib["name"] == "cudnn"]
    return bool(three) and any(value(lib["version"]).startswith(three) for lib in copies), [(value(c["version"]), c["path"]) for c in copies]


def differing(a, b):
    """The keys, or the entries, that are not the same in both."""
    if isinstance(a, dict) and isinstance(b, dict):
        return [(k, a.get(k), b.get(k)) for k in sorted(a.keys() | b.keys()) if a.get(k) != b.get(k)]
    a, b = a or [], b or []
    return [pair for pair in zip(a, b) if pair[0] != pair[1]] + a[len(b):] + b[len(a):]


report = load(sys.argv[1])
machine = report.get("machine", {})
driver, gpus = machine.get("driver", {}), machine.get("gpus", [])
check("the format is cupel.doctor/1", report.get("format") == "cupel.doctor/1", report.get("format"))
if kernel_module():
    check("driver: kernel module", value(driver.get("kernel_module")) == kernel_module(), driver.get("kernel_module"))
version = (smi("driver_version") or [[""]])[0][0]
check(f"driver: user-mode library, {version}", value(driver.get("user_mode")) == version != "", driver.get("user_mode"))
smi_level = re.search(r"CUDA Version:\s*(\d+\.\d+)", says("nvidia-smi"))
check("driver: CUDA level as nvidia-smi says", smi_level and value(driver.get("cuda_level")) == smi_level.group(1), driver.get("cuda_level"))
check("GPU names and compute capabilities", [[g["name"], value(g.get("compute_capability"))] for g in gpus] == smi("name", "compute_cap") != [], gpus)
program = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
nvcc = re.search(r"release (\d+\.\d+), V(\S+)", says(program, "--version"))
toolkits = [(value(t["release"]), value(t["nvcc"]), t["root"]) for t in machine.get("toolkits", [])]
check(f"the toolkit of {program}, {nvcc and nvcc[1]}", nvcc and any(r.startswith(nvcc[1]) and n == nvcc[2] for r, n, _ in toolkits), toolkits)
for origin, version in (("system", system_cudnn()), ("pip", pip_cudnn())):
    ok, copies = cudnn(machine, version)
    check(f"cuDNN of the {origin}, {version or 'which is not here'}", ok, copies)

recorded = load(sys.argv[2]).get("machine", {})
for m in (machine, recorded):
    m.get("driver", {}).pop("helper", None)  # it lies beside whichever cupel reads the recording
for part in ("driver", "gpus", "toolkits", "libraries"):
    check(f"the recorded machine has the same {part}", recorded.get(part) == machine.get(part) is not None, differing(recorded.get(part), machine.get(part)))
