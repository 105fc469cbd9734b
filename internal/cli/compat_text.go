package cli

import "cupel/internal/render"

var (
	showToolkit  = render.CompatToolkit
	showGPU      = render.CompatGPU
	showDriver   = render.CompatDriver
	showCompiler = render.CompatCompiler
	showSolution = render.CompatSolution
)
