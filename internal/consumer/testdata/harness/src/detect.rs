//! Calls one consumer's own detection and prints what it found, a line per answer.

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("bindgen_cuda") => bindgen(),
        Some("cudaforge") => cudaforge(),
        Some("find_cuda_helper-0.1") => find_cuda_helper_0_1::include_cuda(),
        Some("find_cuda_helper-0.2") => find_cuda_helper_0_2::include_cuda(),
        other => panic!("unknown consumer {other:?}"),
    }
}

/// The crate prints the include folder itself; the nvcc it starts writes its own place down.
fn bindgen() {
    bindgen_cuda::Builder::default()
        .kernel_paths(vec!["/kernel.cu"])
        .build_ptx()
        .expect("build_ptx");
}

fn cudaforge() {
    let t = cudaforge::CudaToolkit::detect().expect("detect");
    println!("nvcc={}", t.nvcc_path.display());
    println!("include={}", t.include_dir.display());
    println!("lib={}", t.lib_dir.display());
}
