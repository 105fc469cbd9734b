// Builder compiles kernels as bindgen_cuda 0.1.6 does (its build_ptx): nvcc gets this program's own streams, all are started
// before one is waited for, and what is printed of a failed call is a capture that nothing was captured into.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

type job struct {
	kernel         string
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer // as of wait_with_output of streams that are not piped
}

func main() {
	var jobs []*job
	for _, kernel := range os.Args[1:] {
		out := "out"
		if err := os.MkdirAll(out, 0o777); err != nil {
			panic(err)
		}
		j := &job{kernel: kernel, cmd: exec.Command("nvcc", "--gpu-architecture=sm_80", "--ptx", "--default-stream", "per-thread", "--output-directory", out, filepath.FromSlash(kernel))}
		j.cmd.Stdin, j.cmd.Stdout, j.cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := j.cmd.Start(); err != nil {
			fmt.Fprintln(os.Stderr, "nvcc failed to start. Ensure that you have CUDA installed and that `nvcc` is in your PATH.:", err)
			os.Exit(101)
		}
		jobs = append(jobs, j)
	}
	failed := false
	for _, j := range jobs {
		if err := j.cmd.Wait(); err != nil && !failed {
			fmt.Fprintf(os.Stderr, "\nnvcc error while compiling %q:\n\n# CLI %q \n\n# stdout\n%s\n\n# stderr\n%s\n", j.kernel, j.cmd.Args, j.stdout.String(), j.stderr.String())
			failed = true
		}
	}
	if failed {
		os.Exit(101) // a panic of Rust
	}
}
