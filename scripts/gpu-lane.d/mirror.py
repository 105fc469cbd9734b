"""Makes a mirror in the format of NVIDIA's archives out of the toolkit of this machine: mirror.py ROOT RELEASE TO."""
import hashlib
import json
import os
import sys
import tarfile

root, release, to = sys.argv[1:]
target = "targets/x86_64-linux/"


def component(path):
    """The archive that a file of the root belongs to in CUDA 13, and its path there; None: none that is needed here."""
    name = os.path.basename(path)
    if path.startswith("nvvm/"):
        return "libnvvm", path
    if path.startswith("bin/"):
        programs = ("nvcc", "nvcc.profile", "ptxas", "fatbinary", "cudafe++", "nvlink", "bin2c", "__nvcc_device_query")
        return ("cuda_nvcc", path) if name in programs or path.startswith("bin/crt/") else None
    if not path.startswith(target):
        return None
    rest = path[len(target):]
    if rest.startswith("include/crt/"):
        return "cuda_crt", rest
    if rest.startswith("include/cccl/"):
        return "cuda_cccl", rest
    if rest.startswith("include/") and rest.count("/") == 1 or rest.startswith("include/cooperative_groups/"):
        return "cuda_cudart", rest
    if rest.startswith("lib/libcudart") or rest.startswith("lib/libcudadevrt") or rest == "lib/stubs/libcuda.so":
        return "cuda_cudart", rest
    return None


files = {}
for folder, _, names in os.walk(root):
    for name in names:
        at = os.path.join(folder, name)
        found = component(os.path.relpath(at, root))
        if found:
            files.setdefault(found[0], []).append((at, found[1]))

manifest = {"release_date": "2025-10-09", "release_label": release, "release_product": "cuda"}
for word, parts in sorted(files.items()):
    top = f"{word}-linux-x86_64-{release}-archive"
    path = f"{word}/linux-x86_64/{top}.tar.gz"
    os.makedirs(os.path.join(to, os.path.dirname(path)), exist_ok=True)
    with tarfile.open(os.path.join(to, path), "w:gz", compresslevel=1) as archive:
        for at, name in sorted(parts):
            archive.add(at, arcname=f"{top}/{name}", recursive=False)
    with open(os.path.join(to, path), "rb") as f:
        data = f.read()
    manifest[word] = {"name": word, "license": "CUDA Toolkit", "version": release, "linux-x86_64": {
        "relative_path": path, "sha256": hashlib.sha256(data).hexdigest(), "size": str(len(data))}}
    print(f"{word}: {len(parts)} files, {len(data)} bytes")
with open(os.path.join(to, f"redistrib_{release}.json"), "w", encoding="utf-8") as f:
    json.dump(manifest, f)
