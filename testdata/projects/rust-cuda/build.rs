fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "cuda")]
    bindgen_cuda::Builder::default()
        .kernel_paths(vec!["kernels/scale.cu"])
        .build_ptx()
        .unwrap();
    #[cfg(feature = "extra")]
    extra();
}

/// Compiles by hand, as many build scripts do: NVCC names the compiler, else PATH does.
#[cfg(feature = "extra")]
fn extra() {
    println!("cargo:rerun-if-env-changed=NVCC");
    println!("cargo:rerun-if-changed=kernels/blur.cu");
    let nvcc = std::env::var("NVCC").unwrap_or("nvcc".into());
    let ptx = format!("{}/blur.ptx", std::env::var("OUT_DIR").unwrap());
    let status = std::process::Command::new(&nvcc)
        .args(["--ptx", "--gpu-architecture=sm_80", "-o", &ptx, "kernels/blur.cu"])
        .status()
        .unwrap_or_else(|e| panic!("start {nvcc}: {e}"));
    assert!(status.success(), "{nvcc} ended with {status}");
}
