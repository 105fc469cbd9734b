package project

import (
	"fmt"

	"cupel/data"
	"cupel/internal/fact"
	"cupel/internal/pattern"
)

// cudaCrates are packages that build CUDA code or look for a toolkit, besides those with rows in the builder
// table: for these nothing more is known than that they matter.
var cudaCrates = []string{
	"bindgen_cuda", "cudaforge", "cudarc", "cust", "cust_raw", "cuda_builder", "find_cuda_helper",
	"candle-core", "candle-kernels", "candle-flash-attn", "candle-flash-attn-build", "candle-flash-attn-v3",
	"mistralrs-quant", "mistralrs-paged-attn", "llama-cpp-sys-2", "cuda-sys", "cuda-config", "rustacuda", "rustacuda_core",
	"nccl-rs", "tch", "torch-sys", "ort-sys", "onnxruntime-sys",
}

// oxide: cuda-oxide is a family of packages.
var oxide = pattern.New(`^cuda-oxide(-.*)?$`)

func wanted() map[string]bool {
	out := map[string]bool{}
	for _, name := range cudaCrates {
		out[name] = true
	}
	for _, b := range data.Builders() {
		out[b.Name] = true
	}
	return out
}

// lockFiles: the project's own, else those one folder down.
func (s *survey) lockFiles() []string {
	own := s.Path.Join(s.root, "Cargo.lock")
	if s.There(own) || s.There(s.Path.Join(s.root, "Cargo.toml")) {
		return []string{own}
	}
	var out []string
	for _, dir := range s.folders(s.root) {
		if f := s.Path.Join(dir, "Cargo.lock"); len(out) < 8 && s.IsFile(f) {
			out = append(out, f)
		}
	}
	return out
}

func (s *survey) cargoLock() {
	if own := s.Path.Join(s.root, "Cargo.lock"); !s.There(own) {
		s.manifest(s.root) // its faults count also before the first build
	}
	for _, file := range s.lockFiles() {
		b, err := s.ReadFile(file)
		if err != nil {
			s.trouble("locked crates", file, err)
			continue
		}
		all, err := parseLock(string(b))
		if err != nil {
			s.trouble("locked crates", file, fmt.Errorf("not as cargo writes it: %w", err))
		}
		s.out.Locks = append(s.out.Locks, file)
		s.crates(file, all)
	}
}

func (s *survey) crates(file string, all []locked) {
	want, g := wanted(), newGraph(all)
	from := g.paths()
	features := s.members(s.Path.Dir(file))
	for i, p := range all {
		if p.name == "bindgen" {
			s.out.Bindgen = true
		}
		if !want[p.name] && !oxide.MatchString(p.name) {
			continue
		}
		c := fact.Crate{Name: p.name, Version: p.version, File: file, Line: p.line}
		chain := g.chain(from, i)
		for _, j := range chain {
			c.Chain = append(c.Chain, g.label(j))
		}
		if len(chain) > 1 {
			c.Feature = features[all[chain[0]].name].pulls(all[chain[1]].name, len(chain) > 2)
		}
		s.out.Crates = append(s.out.Crates, c)
	}
}
