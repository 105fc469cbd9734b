package nvml

import (
	"errors"
	"testing"
)

func TestNamed(t *testing.T) {
	p := proc{name: "nvmlDeviceGetComputeMode"}
	for _, tt := range []struct {
		name  string
		value uint32
		want  string
		err   string
	}{
		{"first", 0, "default", ""},
		{"exclusive process is the last", 3, "exclusive-process", ""},
		{"value of a later driver", 4, "", "nvmlDeviceGetComputeMode: value 4 has no known name"},
		{"garbage", 0xffffffff, "", "nvmlDeviceGetComputeMode: value 4294967295 has no known name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := named(p, computeModes, tt.value)
			if got != tt.want || message(err) != tt.err {
				t.Errorf("named(%d) = %q, %v; want %q, %q", tt.value, got, err, tt.want, tt.err)
			}
		})
	}
}

func TestRefusal(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		code int
		want string
	}{
		{"with the library's own name", &refusal{"nvmlInit_v2", 9, "Driver Not Loaded"}, 9, "nvmlInit_v2: error 9 (Driver Not Loaded)"},
		{"without a name", &refusal{"cuDriverGetVersion", 34, ""}, 34, "cuDriverGetVersion: error 34"},
		{"no refusal at all", errors.New("nvmlInit_v2 is not in this library"), 0, "nvmlInit_v2 is not in this library"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if code(tt.err) != tt.code || tt.err.Error() != tt.want {
				t.Errorf("code %d, text %q; want %d, %q", code(tt.err), tt.err, tt.code, tt.want)
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
