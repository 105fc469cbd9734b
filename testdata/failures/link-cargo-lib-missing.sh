# cargo links a crate that wants cudart and libcuda, and no folder is named.
# label: cuda-lib-dir-not-searched
# needs: rust
mkdir src
printf '[package]\nname = "gpu"\nversion = "0.1.0"\nedition = "2021"\n' > Cargo.toml
echo 'fn main() { println!("cargo:rustc-link-lib=dylib=cudart"); println!("cargo:rustc-link-lib=dylib=cuda"); }' > build.rs
printf 'extern "C" { fn cudaMalloc(p: *mut *mut u8, n: usize) -> i32; }\nfn main() { let mut p = std::ptr::null_mut(); println!("{}", unsafe { cudaMalloc(&mut p, 4) }); }\n' > src/main.rs
cargo build --offline
