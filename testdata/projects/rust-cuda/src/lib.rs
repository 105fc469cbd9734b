//! Kernels as text; without the feature `cuda` only the slow way is there.

#[cfg(feature = "cuda")]
pub const SCALE: &str = include_str!(concat!(env!("OUT_DIR"), "/scale.ptx"));

#[cfg(feature = "extra")]
pub const BLUR: &str = include_str!(concat!(env!("OUT_DIR"), "/blur.ptx"));

pub fn scale(values: &mut [f32], by: f32) {
    for v in values {
        *v *= by;
    }
}
