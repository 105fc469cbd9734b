package render

import (
	"encoding/json"
	"testing"

	"cupel/internal/doctor"
	"cupel/internal/fact"
	"cupel/internal/snapshot"
)

// FuzzAnswer: a snapshot is a stranger's file. Whatever it claims, judging and showing it must not crash.
func FuzzAnswer(f *testing.F) {
	for _, m := range []fact.Machine{
		{Format: fact.Format},
		{Format: fact.Format, System: fact.System{OS: "windows", Platform: "windows"}, Env: map[string]string{"CUDA_PATH": `C:\`, "CUDA_PATH_V12_4": "x"},
			Toolkits: []fact.Toolkit{{Root: `C:\cuda`, Release: fact.Of("13.0", ""), Nvcc: fact.Of("13.0.88", ""), Parts: map[string]string{"nvcc": `C:\cuda\bin\nvcc.exe`}}}},
		{Format: fact.Format, System: fact.System{OS: "linux", Platform: "linux"}, GPUs: []fact.GPU{{CC: fact.Of("8.9", "")}}, Env: map[string]string{"CUDA_COMPUTE_CAP": "86", "CUDA_VISIBLE_DEVICES": ",,"},
			Compilers: []fact.Compiler{{Family: "gcc", Version: fact.Of("x", ""), Default: true, Cxx: true}}},
	} {
		b, err := json.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := snapshot.Parse(b)
		if err != nil {
			return
		}
		a := doctor.Judge(m, fact.Project{}, doctor.Options{Consumers: true})
		s := Style{Width: 80}
		for _, text := range []string{s.Doctor(a, true), s.DoctorMarkdown(a), s.Consumers(a), s.ConsumersMarkdown(a), s.Diff(doctor.Compare(a, a))} {
			if text == "" {
				t.Error("an answer without a word")
			}
		}
	})
}
