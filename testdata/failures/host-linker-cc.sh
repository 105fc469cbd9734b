# A Rust crate without a C compiler.
# label: host-compiler-missing
# needs: rust
mkdir -p src empty
printf '[package]\nname = "cuda-app"\nversion = "0.1.0"\nedition = "2021"\n' > Cargo.toml
echo 'fn main() {}' > src/main.rs
cargo=$(command -v cargo || echo "$HOME/.cargo/bin/cargo")
export CARGO_HOME=${CARGO_HOME:-$HOME/.cargo}
PATH=$PWD/empty:$(dirname "$cargo") cargo build --offline
