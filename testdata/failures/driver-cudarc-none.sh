# A Rust program (cudarc) where no driver library is.
# label: driver-not-installed-or-loaded
# needs: rust
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
env -u LD_LIBRARY_PATH ./target/debug/app
