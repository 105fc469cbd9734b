package cli_test

import (
	"regexp"
	"strings"
	"testing"
)

// unstarted is what wine's cmd.exe says of a program of the toolkit that it did not start.
type unstarted string

// unstartedIn looks for it. Wine 8 on a busy machine now and then does not start a program that is there: plain nvcc.exe in a
// loop, with nothing of ours, has it beside other tests in one of some hundred calls. cmd.exe found the program, as its trace
// shows, or was given its whole name, and CreateProcess fails.
func unstartedIn(text string) string {
	if _, where, fell := strings.Cut(text, "wine: Unhandled page fault"); fell { // not in a Go program, which tells that itself
		where, _, _ = strings.Cut(where, "\n")
		return "wine: unhandled page fault" + where
	}
	if m := batch.FindStringSubmatch(text); m != nil {
		return "wine's cmd.exe did not run " + m[1]
	}
	_, rest, ok := strings.Cut(text, "Can't recognize '")
	if whole, quoted := strings.CutPrefix(rest, `"C:\Program Files\NVIDIA GPU Computing Toolkit\`); ok && quoted {
		program, _, _ := strings.Cut(whole, `"`)
		return "wine's cmd.exe can't recognize " + program
	}
	program, _, _ := strings.Cut(rest, " ")
	if found := regexp.MustCompile(`(?i)CreateProcessInternalW app L"C:\\\\Program Files\\\\(NVIDIA GPU Computing Toolkit|Microsoft Visual Studio)\\\\[^"\n]*\\` +
		regexp.QuoteMeta(strings.TrimSuffix(program, ".exe")) + `\.exe" cmdline`); ok && found.MatchString(text) {
		return "wine's cmd.exe can't recognize " + program
	}
	return ""
}

// batch is a file that nvcc.exe itself wrote for vcvars64.bat and could not run; in JSON its path has more backslashes.
var batch = regexp.MustCompile(`Failed to run C:\\+users\\+root\\+Temp/(\S+) \(Internal error\.`)

// silent: nvcc.exe ended with 255 and named no error, which it does for everything that is wrong with a file or a call. Wine
// 8 ended a program that nvcc.exe had started.
func silent(code int, said string) bool {
	return code == 255 && !loud.MatchString(said)
}

var loud = regexp.MustCompile(`(?i)error|fatal|recognize|unsupported|not found|no such|denied|cannot`)

// steady makes a sequence of runs from its beginning where wine did not start a program, twice at most. What was found wrong
// until then stays wrong.
func steady(t *testing.T, sequence func()) {
	t.Helper()
	for range 3 {
		why := interrupted(sequence)
		if why == "" {
			return
		}
		t.Logf("the sequence is made again: %s", why)
	}
	t.Fatal("wine did not start a program, three times over: it is no accident")
}

func interrupted(sequence func()) (why unstarted) {
	defer func() {
		if r := recover(); r != nil {
			var ok bool
			if why, ok = r.(unstarted); !ok {
				panic(r)
			}
		}
	}()
	sequence()
	return ""
}

// TestSteady: what cmd.exe says is taken for wine's fault only where the program was found, and not for ever.
func TestSteady(t *testing.T) {
	const trace = `0334:trace:process:CreateProcessInternalW app L"C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v13.0\\bin\\cudafe++.exe" cmdline L"cudafe++ --m64"...` + "\n"
	const said = "Can't recognize 'cudafe++ --m64 \"k.cpp4.ii\" ' as an internal or external command, or batch script.\n"
	for _, tt := range []struct{ name, text, want string }{
		{"found and not started", trace + said, "wine's cmd.exe can't recognize cudafe++"},
		{"named whole and not started", `Can't recognize '"C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v13.4\bin/../nvvm/bin\cicc" --ms_c++17 '`, `wine's cmd.exe can't recognize CUDA\v13.4\bin/../nvvm/bin\cicc`},
		{"something else named whole", `Can't recognize '"C:\mine\cicc" --ms_c++17 '`, ""},
		{"not found", said, ""},
		{"another one was found", trace + strings.ReplaceAll(said, "cudafe++", "ptxas"), ""},
		{"started", trace, ""},
		{"the stand-in for cl, found and not started", strings.NewReplacer(`NVIDIA GPU Computing Toolkit\\CUDA`, `Microsoft Visual Studio\\2022`, "cudafe++", "cl").Replace(trace) + "Can't recognize 'cl.exe @k.res' as an internal or external command\n", "wine's cmd.exe can't recognize cl.exe"},
		{"cl not found", trace + "Can't recognize 'cl.exe @k.res' as an internal or external command\n", ""},
		{"a batch file of nvcc.exe's own", "Failed to run C:\\users\\root\\Temp/tmpxft_0000039c_00000000-5.bat (Internal error.\r\n\r\n).\r\nnvcc fatal   : Could not set up the environment\n", "wine's cmd.exe did not run tmpxft_0000039c_00000000-5.bat"},
		{"a batch file that failed", "Failed to run C:\\users\\root\\Temp/tmpxft_0000039c_00000000-5.bat (The system cannot find the file specified.\r\n).\r\n", ""},
		{"one of wine's programs fell over", "wine: Unhandled page fault on read access to 8 at 31C\n", "wine: unhandled page fault on read access to 8 at 31C"},
	} {
		if got := unstartedIn(tt.text); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	for _, tt := range []struct {
		code int
		said string
		want bool
	}{{255, "k.cu\r\n", true}, {255, "nvcc fatal   : Unsupported gpu architecture 'compute_1'\r\n", false}, {255, "k.cu\r\nk.cu(1): error: x\r\n", false}, {1, "k.cu\r\n", false}} {
		if got := silent(tt.code, tt.said); got != tt.want {
			t.Errorf("%d with %q: silent is %v", tt.code, tt.said, got)
		}
	}
	runs := 0
	steady(t, func() {
		if runs++; runs < 3 {
			panic(unstarted("made up for this test"))
		}
	})
	if runs != 3 {
		t.Errorf("a sequence that is interrupted twice is made %d times", runs)
	}
}
