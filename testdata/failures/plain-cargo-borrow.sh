# A mistake in Rust code beside a crate with a CUDA name.
# label: not-cuda
# needs: rust
cargo init -q --name app . && mkdir cudarc && (cd cudarc && cargo init -q --lib --name cudarc .)
printf '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\ncudarc = { path = "cudarc" }\n' > Cargo.toml
printf 'fn main() { let mut v = vec![1]; let a = &v[0]; v.push(2); println!("{}", a); }\n' > src/main.rs
cargo build --offline
