"""Compares the report of cupel-gpu with nvidia-smi, field by field. nvidia-smi asks the same NVML, so every difference is a mistake."""
import sys

from lane import check, load, smi

MODES = {"Default": "default", "Exclusive_Process": "exclusive-process", "Prohibited": "prohibited", "Exclusive_Thread": "exclusive-thread"}

report = load(sys.argv[1])
truth = smi("name", "uuid", "pci.bus_id", "pci.device_id", "compute_cap", "memory.total", "compute_mode", "mig.mode.current", "driver_version")
gpus = report.get("gpus", [])
check("the format is cupel.gpu/1", report.get("format") == "cupel.gpu/1", report.get("format"))
check("nvidia-smi and cupel-gpu see the same number of GPUs", len(gpus) == len(truth) > 0, (len(gpus), len(truth)))
for g, (name, uuid, bus, device, cc, memory, mode, mig, driver) in zip(gpus, truth):
    at = f"GPU {g['index']} "
    check(at + "name", g.get("name") == name, g.get("name"))
    check(at + "uuid", g.get("uuid") == uuid, "another one")
    check(at + "pci bus id", g.get("pci") == bus, g.get("pci"))
    check(at + "pci device id", g.get("pci_device_id", "").lower() == device.lower().removeprefix("0x")[:4], g.get("pci_device_id"))
    check(at + "compute capability", g.get("compute_capability") == cc, g.get("compute_capability"))
    check(at + "memory", str(g.get("memory_bytes", 0) // 2**20) == memory, g.get("memory_bytes"))
    check(at + "compute mode", g.get("compute_mode") == MODES.get(mode, mode), g.get("compute_mode"))
    check(at + "MIG", g.get("mig", "n/a") == {"Enabled": "on", "Disabled": "off"}.get(mig, "n/a"), g.get("mig"))
    check(at + "no field was refused", not g.get("errors"), g.get("errors"))
    check("driver version", report.get("driver") == driver, report.get("driver"))
level = report.get("driver_level", 0)
check("cuDriverGetVersion answers, and NVML says the same", level > 0 and level == report.get("cuda"), (level, report.get("cuda")))
for key in ("nvml", "libcuda"):
    answer = report.get(key, {})
    check(f"{key}: the file that was loaded is known, nothing was refused", bool(answer.get("file")) and "error" not in answer, answer)
