//! A stand-in for nvcc in made-up trees. It answers the questions that consumers ask, with the release written
//! in the file `release` above its folder, and notes which nvcc was really started.

use std::ffi::CStr;
use std::io::Write;
use std::path::{Path, PathBuf};

extern "C" {
    fn getauxval(kind: u64) -> u64;
}

/// The path given to execve. argv[0] is only "nvcc" when it was found on PATH, and there is no /proc here.
fn own_path() -> PathBuf {
    const AT_EXECFN: u64 = 31;
    let text = unsafe { CStr::from_ptr(getauxval(AT_EXECFN) as *const _) };
    PathBuf::from(text.to_string_lossy().into_owned())
}

fn main() {
    let me = own_path();
    let here = me.parent().unwrap_or(Path::new("/")).to_path_buf();
    let release = std::fs::read_to_string(here.join("../release")).unwrap_or_default();
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|a| a == "--version") {
        version(release.trim());
    } else if args.iter().any(|a| a == "--list-gpu-code") {
        println!("sm_80\nsm_90");
    } else if args.iter().any(|a| a == "-v") {
        // Like the real one: without its profile beside it, nvcc knows no TOP. Links are not resolved.
        eprintln!("#$ _HERE_={}", here.display());
        if here.join("nvcc.profile").exists() {
            eprintln!("#$ TOP={}/..", here.display());
        }
        std::process::exit(1);
    } else {
        note(&me);
    }
}

fn version(release: &str) {
    println!("nvcc: NVIDIA (R) Cuda compiler driver");
    println!("Copyright (c) made-up tree");
    println!("Built on a_made_up_day");
    println!("Cuda compilation tools, release {release}, V{release}.99");
    println!("Build cuda_{release}.r{release}/compiler.0_0");
}

fn note(me: &Path) {
    let mut log = std::fs::OpenOptions::new().create(true).append(true).open("/nvcc.log").expect("log");
    writeln!(log, "{}", me.display()).expect("log");
}
