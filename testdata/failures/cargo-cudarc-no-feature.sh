# cudarc without a feature that names the CUDA release. cargo fetches the crate, or has it.
# label: cuda-build-target-unset
# needs: rust
# lane: e2e
mkdir src && echo 'fn main() {}' > src/main.rs
printf '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ncudarc = "=0.13.9"\n' > Cargo.toml
cargo build
