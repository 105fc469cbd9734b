# An error in a kernel: the builder's report is empty, nvcc's words stand above it.
# label: not-cuda|kernel-source-error
# needs: candle-0.9 rust cuda-13.0
# lane: e2e
cp -r "$BED/candle-0.9/candle-kernels-0.9.1" src && rm -f src/Cargo.lock && mkdir src/.cargo
printf '[source.crates-io]\nreplace-with = "v"\n[source.v]\ndirectory = "%s"\n[net]\noffline = true\n' "$BED/candle-0.9/vendor" > src/.cargo/config.toml
cd src && export CARGO_TARGET_DIR="$PWD/target"
unset CUDA_PATH CUDA_ROOT CUDA_TOOLKIT_ROOT_DIR CUDA_COMPUTE_CAP
find src -name '*.cu' ! -name fill.cu -delete # one kernel is enough, and quick
sed -i '1i static int injected = undeclared_thing;' src/fill.cu
PATH="$CUDA_13_0/bin:$PATH" CUDA_PATH="$CUDA_13_0" CUDA_COMPUTE_CAP=80 cargo build
