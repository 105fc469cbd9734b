# Build tools for the projects that are built under cupel exec. Versions are fixed: CMake's checks are counted.

# builders_part: build tools of Python packages as wheels, so that pip's build isolation needs no network, and unpacked in tools/.
builders_part() {
  pip_quiet download --no-deps --only-binary=:all: --no-cache-dir --dest "$new/wheels" \
    setuptools==84.2.1 wheel==0.48.0 packaging==26.3 pathspec==1.1.1 scikit-build-core==1.1.1 setuptools-scm==10.3.4 vcs-versioning==2.6.0 pybind11==3.1.0 swig==4.5.1 meson==1.12.1 ninja==1.13.2 cmake==3.31.6
  pip_quiet install --no-index --find-links "$new/wheels" --no-deps --no-compile --target "$new/tools" meson ninja cmake setuptools
}

# nccl_header: NCCL's header for projects that include it. Its library (300 MB) is only looked for, never linked: an empty file stands there.
nccl_header() {
  pip_quiet install --target "$new/all" --no-deps --no-compile --only-binary=:all: --no-cache-dir nvidia-nccl-cu13==2.32.3
  mkdir "$new/lib"
  mv "$new/all/nvidia/nccl/include" "$new/include"
  : > "$new/lib/libnccl.so"
  rm -r "$new/all"
}
