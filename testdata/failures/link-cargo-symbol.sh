# cargo links a crate that calls the driver API and names no library.
# label: driver-api-not-linked
# needs: rust
mkdir src
printf '[package]\nname = "gpu"\nversion = "0.1.0"\nedition = "2021"\n' > Cargo.toml
printf 'extern "C" { fn cuInit(f: u32) -> i32; }\nfn main() { println!("{}", unsafe { cuInit(0) }); }\n' > src/main.rs
cargo build --offline
