# find_cuda_helper, which cust uses, with CUDA_HOME set: it does not read it.
# label: toolkit-path-wrong|toolkit-incomplete
# needs: rust cuda-12.4
# lane: e2e
mkdir src && echo 'fn main() {}' > src/main.rs
printf '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[build-dependencies]\nfind_cuda_helper = "=0.2.0"\n' > Cargo.toml
echo 'fn main() { find_cuda_helper::include_cuda() }' > build.rs
CUDA_HOME="$CUDA_12_4" CUDA_PATH="$CUDA_12_4" cargo build
