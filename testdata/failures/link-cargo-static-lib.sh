# cargo wants to put the static cudart into a library crate.
# label: cuda-lib-dir-not-searched
# needs: rust
mkdir src
printf '[package]\nname = "gpu"\nversion = "0.1.0"\nedition = "2021"\n' > Cargo.toml
echo 'fn main() { println!("cargo:rustc-link-lib=static=cudart_static"); }' > build.rs
echo 'extern "C" { pub fn cudaMalloc(p: *mut *mut u8, n: usize) -> i32; }' > src/lib.rs
cargo build --offline
