# cudaforge asks nvidia-smi, and there is none.
# label: cuda-build-target-unset
# needs: rust cuda-13.0
# lane: e2e
mkdir src k && echo 'fn main() {}' > src/main.rs && echo '__global__ void k() {}' > k/a.cu
printf '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n[build-dependencies]\ncudaforge = "=0.1.6"\n' > Cargo.toml
echo 'fn main() -> Result<(), Box<dyn std::error::Error>> { cudaforge::KernelBuilder::new().source_dir("k").build_ptx()?; Ok(()) }' > build.rs
unset CUDA_COMPUTE_CAP
PATH="$CUDA_13_0/bin:$PATH" cargo build
