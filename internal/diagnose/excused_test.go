package diagnose

import "testing"

// TestExcused: what a log takes back itself is no cause, and the same line counts where it does not.
func TestExcused(t *testing.T) {
	set := whole(t)
	const failed = "\n[  FAILED  ] Math.Add (0 ms)"
	for _, tt := range []struct{ name, text, want string }{
		{"a test that passed", "[ RUN      ] Gpu.None\nCUDA error 100: no CUDA-capable device is detected\n[       OK ] Gpu.None (0 ms)\n[ RUN      ] Math.Add\nmath_test.cc:4: Failure" + failed, Unknown},
		{"a test that failed", "[ RUN      ] Gpu.None\nCUDA error: an illegal memory access was encountered\n[  FAILED  ] Gpu.None (0 ms)\n[ RUN      ] Math.Add\n[       OK ] Math.Add (0 ms)", "kernel-illegal-address"},
		{"a check of CMake", "-- Performing Test HAVE_CUDA\n  /usr/bin/ld: cannot find -lcuda: No such file or directory\n-- Performing Test HAVE_CUDA - Failed\nCMake Error at CMakeLists.txt:40 (message):\n  You must set FOO_ROOT\n-- Configuring incomplete, errors occurred!", Unknown},
		{"after a check of CMake", "-- Performing Test HAVE_X\n-- Performing Test HAVE_X - Failed\nnvcc fatal   : Unsupported gpu architecture 'compute_120'\n-- Performing Test HAVE_Y\n-- Performing Test HAVE_Y - Failed", "arch-newer-than-toolkit"},
		{"a panic that a test wants", "thread 'tests::no_dev' panicked at src/lib.rs:9:5:\nCUDA error: no CUDA-capable device is detected\ntest tests::no_dev - should panic ... ok\ntest tests::parse ... FAILED\ntest result: FAILED. 1 passed; 1 failed", Unknown},
		{"a retry, then another failure", "[W] CUDA out of memory. Tried to allocate 2.00 GiB; retrying with batch size 4\nstep 1 ok\nTraceback (most recent call last):\n  File \"t.py\", line 3, in <module>\njson.decoder.JSONDecodeError: Expecting value", Unknown},
		{"a retry that fails too", "[W] CUDA out of memory. Tried to allocate 2.00 GiB; retrying with batch size 4\nTraceback (most recent call last):\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB", "gpu-out-of-memory"},
		{"a retry, and nothing more", "CUDA out of memory. Tried to allocate 2.00 GiB; retrying with batch size 4", "gpu-out-of-memory"},
		{"TensorFlow says that it does not matter", "2021-05-05 10:00:00: W tensorflow/stream_executor/platform/default/dso_loader.cc:60] Could not load dynamic library 'libcudart.so.11.0'; dlerror: libcudart.so.11.0: cannot open shared object file: No such file or directory\n2021-05-05 10:00:00: I tensorflow/stream_executor/cuda/cudart_stub.cc:29] Ignore above cudart dlerror if you do not have a GPU set up on your machine.\nTraceback (most recent call last):\n  File \"train.py\", line 9, in <module>\nValueError: Data cardinality is ambiguous", Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if a := answer(t, set, tt.text, ""); first(a) != tt.want {
				t.Errorf("got %s, want %s", told(a), tt.want)
			}
		})
	}
}
