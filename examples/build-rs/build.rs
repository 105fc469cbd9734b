use std::process::{Command, Stdio};

fn main() {
    let out = std::env::var("OUT_DIR").unwrap();
    let mut cupel = Command::new("cupel");
    cupel.args(["build", "--emit", "cargo", "--out", &out]).stderr(Stdio::inherit());
    let answer = cupel.output().unwrap_or_else(|e| panic!("cupel cannot be started: {e}; put it on PATH"));
    assert!(answer.status.success(), "the kernels were not built; cupel says why above");
    print!("{}", String::from_utf8(answer.stdout).unwrap());
}
