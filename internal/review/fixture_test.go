package review_test

import (
	"sync"
	"testing"
	"time"

	"cupel/internal/call"
	"cupel/internal/review"
	"cupel/internal/signature"
)

var began = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

var known = sync.OnceValues(func() (*signature.Set, error) { return signature.Compile(signature.All()) })

// made is a run with calls, as cupel exec would have recorded it.
type made struct{ in review.Input }

func run(t *testing.T, code int64, command ...string) *made {
	t.Helper()
	set, err := known()
	if err != nil {
		t.Fatal(err)
	}
	r := call.Run{Format: call.Format, Cupel: "devel", ID: "r1", Began: began, Command: command, Dir: "/p", OS: "linux", Arch: "amd64",
		Toolkit: call.Toolkit{Release: "13.0.2", Nvcc: "13.0.88", Root: "/opt/cuda-13.0", Mirror: "/h/shims/13.0"}, Tools: map[string]string{"nvcc": "/opt/cuda-13.0/bin/nvcc"},
		Set: map[string]string{"CUDA_HOME": "/h/shims/13.0", "PATH": "/h/shims/13.0/bin:/usr/bin", "LD_LIBRARY_PATH": "/opt/cuda-13.0/lib64"}, End: &call.RunEnd{Ended: began.Add(time.Minute), Seconds: 60, Code: code}}
	return &made{review.Input{Version: "devel", Run: r, Base: call.Env{Values: map[string]string{"CUDA_HOME": "/h/shims/13.0", "HOME": "/u"}}, Set: set}}
}

// nvcc adds a call that ended well after two seconds, each a second later than the one before.
func (m *made) nvcc(args ...string) *call.Call {
	n := len(m.in.Calls) + 1
	at := began.Add(time.Duration(n) * time.Second)
	m.in.Calls = append(m.in.Calls, call.Call{Run: "r1", Number: n, Begin: call.Begin{Tool: "nvcc", Path: "/opt/cuda-13.0/bin/nvcc", Args: args, Dir: "/p", At: at},
		End: &call.End{At: at.Add(2 * time.Second), Seconds: 2, Peak: int64(n) << 20}})
	return &m.in.Calls[n-1]
}

func bad(c *call.Call, code int64, output string) *call.Call {
	c.End.Code = code
	c.Output = []call.Chunk{{Stream: call.Stderr, Bytes: []byte(output)}}
	return c
}

func ended(c *call.Call, signal string) *call.Call {
	c.End.Signal, c.End.Code = signal, 128+9
	return c
}

func (m *made) judge() review.Answer { return review.Judge(m.in) }

// Messages as nvcc 13.0.88 wrote them.
const (
	syntax  = "src/a.cu(3): error: expected a \";\"\n  }\n  ^\n\n1 error detected in the compilation of \"src/a.cu\".\n"
	oldArch = "nvcc fatal   : Unsupported gpu architecture 'compute_60'\n"
)
