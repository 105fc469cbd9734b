package project

import (
	"cupel/data"
	"cupel/internal/pattern"
)

// cudaName is a variable that has to do with CUDA though no table names it: a project's own.
var cudaName = pattern.New(`^([A-Z][A-Z0-9_]*_)?(CUDA|CUDNN|NVCC|NCCL)_[A-Z0-9_]+$`)

// secretName keeps values of such names out, whatever else they look like.
var secretName = pattern.New(`TOKEN|SECRET|PASSW|CREDENTIAL|API_?KEY`)

// matters says that a variable's value may be kept: a table names it, or it is about CUDA. Any other may be
// a secret.
func (s *survey) matters(name string) bool {
	if secretName.MatchString(name) {
		return false
	}
	row, known := data.VariableByName(name, s.System.OS)
	return known && !row.Private || cudaName.MatchString(name)
}

// cacheNames are the CMake variables that decide about the toolkit.
var cacheNames = []string{
	"CMAKE_CUDA_COMPILER", "CMAKE_CUDA_ARCHITECTURES", "CMAKE_CUDA_HOST_COMPILER", "CUDAToolkit_ROOT", "CMAKE_CUDA_COMPILER_LAUNCHER",
}
