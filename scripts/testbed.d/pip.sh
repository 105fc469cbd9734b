# Toolkits from NVIDIA's wheels. The metapackage pins the exact component versions of a release; pip ignores an extra that a release
# does not have (cuobjdump and nvdisasm came with 13.2).

extras=nvcc,cudart,cccl,crt,nvvm,cuobjdump,nvdisasm

pip_quiet() {
  if ! python3 -m pip --version > /dev/null 2>&1; then need python3-pip; fi
  "$(python_itself)" -m pip --disable-pip-version-check "$@" 2> "$new.pip" > /dev/null || { cat "$new.pip" >&2; rm -f "$new.pip"; return 1; }
  rm -f "$new.pip"
}

# python_itself: the interpreter, not a wrapper of pyenv or the like. Those start in tens of milliseconds, and after each install by pip
# they make their links anew, which fails when two do it at once.
python_itself() { python3 -c 'import sys; print(sys.executable)'; }

# pip_toolkit RELEASE: site-packages of a Linux machine, untouched: what a user of pip has.
pip_toolkit() {
  pip_quiet install --target "$new" --no-compile --only-binary=:all: --no-cache-dir "cuda-toolkit[$extras]==$1.*"
}

# win_toolkit RELEASE: the same for Windows.
win_toolkit() {
  pip_quiet install --target "$new" --no-compile --only-binary=:all: --no-cache-dir --platform win_amd64 --python-version 3.11 \
    "cuda-toolkit[$extras]==$1.*"
}

# uv_client: in a folder of its own, not on PATH: tests that look for pip's user must not find it.
uv_client() {
  pip_quiet install --target "$new" --no-compile --only-binary=:all: --no-cache-dir uv
  "$new/bin/uv" --version > "$new/version"
}
