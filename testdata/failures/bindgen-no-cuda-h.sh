# bindgen reads cuda.h without its folder.
# label: cuda-headers-missing
# needs: rust wine
# lane: e2e
mkdir src && echo 'fn main() {}' > src/main.rs && echo '#include <cuda.h>' > w.h
printf '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[build-dependencies]\nbindgen = "=0.71.1"\n' > Cargo.toml
echo 'fn main() { bindgen::Builder::default().header("w.h").generate().expect("Unable to generate bindings"); }' > build.rs
cargo build
