package fact

// GPUReport is what the program cupel-gpu prints: answers of NVML and of the driver library, each with the
// file that was loaded. It is its own small format because the two programs can be of different versions.
type GPUReport struct {
	Format string        `json:"format"` // "cupel.gpu/1"
	NVML   LibraryAnswer `json:"nvml"`
	Driver string        `json:"driver,omitempty"`       // nvmlSystemGetDriverVersion
	CUDA   int           `json:"cuda,omitempty"`         // nvmlSystemGetCudaDriverVersion_v2, e.g. 13000
	Cuda   LibraryAnswer `json:"libcuda"`                // cuDriverGetVersion; cuInit is never called
	Level  int           `json:"driver_level,omitempty"` // cuDriverGetVersion, e.g. 13000
	GPUs   []GPUAnswer   `json:"gpus,omitempty"`
}

// LibraryAnswer tells how far one library got: not found, loaded, or loaded and refusing.
type LibraryAnswer struct {
	Found bool   `json:"found"`
	Asked string `json:"asked,omitempty"` // what the loader was asked for: a bare name, or a path it does not know by itself
	File  string `json:"file,omitempty"`  // what it really loaded, links resolved
	Code  int    `json:"code,omitempty"`  // return code of the first call that was refused
	Error string `json:"error,omitempty"` // its name or the loader's message
}

// GPUAnswer is one device. Errors holds, by field name, why a field could not be read.
type GPUAnswer struct {
	Index       int               `json:"index"`
	Name        string            `json:"name,omitempty"`
	UUID        string            `json:"uuid,omitempty"`
	PCI         string            `json:"pci,omitempty"`           // bus id, 00000000:3B:00.0
	PCIDevice   string            `json:"pci_device_id,omitempty"` // four hex digits, vendor left out
	CC          string            `json:"compute_capability,omitempty"`
	MemoryBytes uint64            `json:"memory_bytes,omitempty"`
	ComputeMode string            `json:"compute_mode,omitempty"` // default | exclusive-process | prohibited | exclusive-thread
	MIG         string            `json:"mig,omitempty"`          // on | off
	DriverModel string            `json:"driver_model,omitempty"` // wddm | tcc | mcdm, Windows only
	Errors      map[string]string `json:"errors,omitempty"`
}
