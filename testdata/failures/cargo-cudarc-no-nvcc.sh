# cudarc is to ask nvcc, and there is none.
# label: nvcc-not-found
# needs: rust
# lane: e2e
mkdir src && echo 'fn main() {}' > src/main.rs
printf '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ncudarc = { version = "=0.19.10", features = ["cuda-version-from-build-system"] }\n' > Cargo.toml
env -u CUDARC_CUDA_VERSION cargo build
