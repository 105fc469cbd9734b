use std::ffi::{c_char, c_int, CStr};

// Linked by the lines that build.rs prints.
extern "C" {
    fn scale(x: *mut f32, by: f32, n: c_int) -> c_int;
    fn scale_error(code: c_int) -> *const c_char;
}

// The same kernel as text, for programs that load it through the driver.
const PTX: &str = include_str!(env!("SCALE_PTX"));

fn main() {
    let target = PTX.lines().find(|l| l.starts_with(".target")).unwrap_or(".target is missing");
    println!("build-rs: {} bytes of PTX, {target}", PTX.len());

    let mut x: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    let code = unsafe { scale(x.as_mut_ptr(), 3.0, x.len() as c_int) };
    if code != 0 {
        let text = unsafe { CStr::from_ptr(scale_error(code)) };
        eprintln!("build-rs: the GPU did not do it: {} ({code})", text.to_string_lossy());
        std::process::exit(1);
    }
    assert!(x.iter().enumerate().all(|(i, v)| *v == 3.0 * i as f32), "a product is wrong");
    println!("build-rs: {} products are right", x.len());
}
