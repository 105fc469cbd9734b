# A Rust program built for CUDA 13.0 (cudarc) with the libcuda of driver 535: functions are missing in it.
# label: driver-older-than-toolkit
# needs: rust driver-535
# lane: e2e
cat > Cargo.toml <<'T'
[package]
name = "app"
version = "0.1.0"
edition = "2021"
[dependencies]
cudarc = { version = "=0.17.8", default-features = false, features = ["std", "driver", "cuda-13000", "dynamic-loading"] }
T
mkdir src && echo 'fn main() { println!("{:?}", cudarc::driver::CudaContext::new(0).unwrap()); }' > src/main.rs
cargo build -q --offline || cargo build -q
LD_LIBRARY_PATH=$BED/driver-535/usr/lib/x86_64-linux-gnu/nvidia/current ./target/debug/app
