package peers

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A recording is what a real nvcc made of one small kernel, kept beside a stand-in that gives it out again for other kernels of the same
// form. With it a cache of a thousand files is filled in seconds instead of in half an hour, and every peer sees what it would see of
// nvcc: preprocessed text with all line markers, dependencies, kept files, an object. What a warm cache does afterwards is all real.
const recordedName = "k_00000" // the kernel's name in the recording; as long as every other name

// replayed answers as the stand-in when there is a recording beside this program, else it is false. Calls that are not compiles are
// given to the nvcc that was recorded.
func replayed(argv []string) bool {
	self, err := os.Executable()
	if err != nil {
		return false
	}
	dir := filepath.Dir(self)
	real, err := os.ReadFile(filepath.Join(dir, "real"))
	if err != nil {
		return false
	}
	if err := replay(dir, string(real), argv[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "stand-in nvcc:", err)
		os.Exit(1)
	}
	return true
}

// replay writes what nvcc would have written for a call.
func replay(dir, real string, args []string) error {
	c := readCall(args)
	if c.source == "" {
		cmd := exec.Command(real, args...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		return cmd.Run()
	}
	if c.preprocess {
		text, err := c.give(dir, "preprocessed")
		if err == nil && c.output != "" {
			return os.WriteFile(c.output, text, 0o644)
		}
		if err == nil {
			_, err = os.Stdout.Write(text)
		}
		return err
	}
	for from, to := range map[string]string{"object": c.output, "depfile": c.depfile} {
		if to == "" {
			continue
		}
		if err := c.copy(dir, from, to); err != nil {
			return err
		}
	}
	return c.keep(dir)
}

// compile is what the stand-in understands of a call.
type compile struct {
	source, output, depfile, keepDir string
	preprocess                       bool
}

func readCall(args []string) compile {
	var c compile
	values := map[string]*string{"-o": &c.output, "-MF": &c.depfile, "--keep-dir": &c.keepDir, "-keep-dir": &c.keepDir}
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		switch to := values[name]; {
		case to != nil && joined:
			*to = value
		case to != nil && i+1 < len(args):
			i++
			*to = args[i]
		case strings.HasSuffix(args[i], "-dryrun"):
			return compile{}
		case args[i] == "-E" || args[i] == "--preprocess":
			c.preprocess = true
		case strings.HasSuffix(args[i], ".cu") && !strings.HasPrefix(args[i], "-"):
			c.source = args[i]
		}
	}
	return c
}

func (c compile) name() string { return strings.TrimSuffix(filepath.Base(c.source), ".cu") }

// give is a recorded file for this source: first the paths, which may get longer, then the names, which keep the layout of an object.
func (c compile) give(dir, file string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return nil, err
	}
	if under := filepath.Dir(c.source); under != "." && file != "object" {
		for _, f := range []string{recordedName + ".cu", smallHeader} {
			data = bytes.ReplaceAll(data, []byte(`"`+f+`"`), []byte(`"`+filepath.Join(under, f)+`"`))
			data = bytes.ReplaceAll(data, []byte(" "+f+" "), []byte(" "+filepath.Join(under, f)+" "))
		}
	}
	return bytes.ReplaceAll(data, []byte(recordedName), []byte(c.name())), nil
}

func (c compile) copy(dir, from, to string) error {
	data, err := c.give(dir, from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}

// keep writes the files that nvcc --keep leaves.
func (c compile) keep(dir string) error {
	if c.keepDir == "" {
		return nil
	}
	kept, err := os.ReadDir(filepath.Join(dir, "keep"))
	if err != nil {
		return err
	}
	for _, k := range kept {
		to := filepath.Join(c.keepDir, strings.ReplaceAll(k.Name(), recordedName, c.name()))
		if err := c.copy(dir, filepath.Join("keep", k.Name()), to); err != nil {
			return err
		}
	}
	return nil
}

// smallHeader is the header that all small kernels share.
const smallHeader = "small.cuh"
