# bindgen_cuda finds no nvcc.
# label: nvcc-not-found
# needs: candle-0.9 rust 
# lane: e2e
cp -r "$BED/candle-0.9/candle-kernels-0.9.1" src && rm -f src/Cargo.lock && mkdir src/.cargo
printf '[source.crates-io]\nreplace-with = "v"\n[source.v]\ndirectory = "%s"\n[net]\noffline = true\n' "$BED/candle-0.9/vendor" > src/.cargo/config.toml
cd src && export CARGO_TARGET_DIR="$PWD/target"
unset CUDA_PATH CUDA_ROOT CUDA_TOOLKIT_ROOT_DIR CUDA_COMPUTE_CAP
CUDA_COMPUTE_CAP=80 cargo build
