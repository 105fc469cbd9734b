# A toolkit that cudarc's list does not have yet.
# label: toolkit-newer-than-builder
# needs: rust cuda-13.0
# lane: e2e
mkdir src && echo 'fn main() {}' > src/main.rs
printf '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ncudarc = { version = "=0.13.9", features = ["cuda-version-from-build-system"] }\n' > Cargo.toml
PATH="$CUDA_13_0/bin:$PATH" cargo build
