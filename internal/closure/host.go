package closure

import (
	"cupel/internal/include"
	"cupel/internal/recipe"
)

// host takes in what the host compiler reads when it compiles what nvcc wrote. No preprocessed text of that is left, so
// everything counts that could be reached: headers of the toolkit, and of the system behind them, and those that the host
// compiler was told to read first.
func (w *walk) host(left kept) *recipe.Refusal {
	h := hostPart{walk: w, seen: map[string]bool{}}
	if len(left.host) > 0 {
		for _, name := range w.q.Recipe.HostFirst {
			h.follow(asking{name: name, quoted: true}, 0)
		}
	}
	for _, name := range left.host {
		h.follow(asking{dir: w.q.Keep, name: name, quoted: true}, 0)
	}
	for len(h.queue) > 0 && h.refusal == nil {
		path := h.queue[0]
		h.queue = h.queue[1:]
		h.read(path)
	}
	return h.refusal
}

// hostPart goes from header to header.
type hostPart struct {
	*walk
	seen    map[string]bool
	queue   []string
	refusal *recipe.Refusal
}

func (h *hostPart) follow(a asking, f flags) {
	h.find(a, f, func(_, in *dir, base string) {
		path := inside(in.path, base)
		if !h.seen[path] {
			h.seen[path] = true
			h.queue = append(h.queue, path)
		}
	})
}

func (h *hostPart) read(path string) {
	dir, _ := split(path)
	m := h.told[path]
	if m == nil {
		if m, h.refusal = h.met(path); h.refusal != nil {
			return
		}
	}
	if m.Computed && !h.ofTools(path) {
		h.refusal = &recipe.Refusal{Reason: "includes-macro", Detail: path}
		return
	}
	for _, name := range m.Quoted {
		h.follow(asking{dir, name, true}, 0)
	}
	for _, name := range m.Angled {
		h.follow(asking{name: name}, 0)
	}
	for _, name := range m.Next {
		h.follow(asking{name: name}, everywhere)
	}
}

// met is what a header says that was not read so far under this name. One that was read under another is not taken in again.
func (h *hostPart) met(path string) (*include.Mentions, *recipe.Refusal) {
	at := h.at(path)
	k, refusal := h.known(path, at)
	if refusal != nil {
		return nil, refusal
	}
	m, refusal := h.r.mentioned(at, k)
	if refusal != nil {
		return nil, refusal
	}
	dir, base := split(path)
	if in := h.dir(dir); in.linked || !h.byPlace[in.place(base)] {
		refusal = h.enter(path)
		h.ask(path, m)
	}
	return m, refusal
}
