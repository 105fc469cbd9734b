package project

import (
	"slices"
	"strings"
	"testing"
)

// TestListsOfArchitectures: every list is told whole, and lists that are not one are told apart.
func TestListsOfArchitectures(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		want             []string
	}{
		{"options of one builder add up", "build.rs", `fn main() {
    cc::Build::new().cuda(true)
        .flag("-gencode").flag("arch=compute_70,code=sm_70")
        .flag("-gencode").flag("arch=compute_80,code=sm_80")
        .flag("-gencode=arch=compute_90a,code=sm_90a")
        .file("a.cu").compile("a");
}
`, []string{"arch.targets = sm_70 sm_80 sm_90a @ build.rs:3"}},
		{"options over several statements", "build.rs", `fn main() {
    let mut b = cc::Build::new();
    b.cuda(true).flag("-gencode").flag("arch=compute_70,code=sm_70");
    b.flag("-arch").flag("sm_80");
    b.file("a.cu").compile("a");
}
`, []string{"arch.targets = sm_70 sm_80 @ build.rs:3"}},
		{"two builders", "build.rs", `fn main() {
    cc::Build::new().cuda(true).flag("-arch=sm_80").file("a.cu").compile("a");
    cc::Build::new().cuda(true).flag("-arch=sm_90").file("b.cu").compile("b");
}
`, []string{"arch.targets = sm_80 @ build.rs:2", "arch.targets = sm_90 @ build.rs:3"}},
		{"an option under a condition", "build.rs", `fn main() {
    b.flag("-arch=sm_80");
    if new {
        b.flag("-gencode=arch=compute_90,code=sm_90");
    }
}
`, []string{"? arch.targets = sm_80 sm_90 @ build.rs:2"}},
		{"an option that is put together", "build.rs", `fn main() {
    b.flag("-gencode=arch=compute_80,code=sm_80");
    b.flag(&format!("-gencode=arch=compute_{cap},code=sm_{cap}"));
}
`, []string{"? arch.targets = sm_80 @ build.rs:2"}},
		{"one property with several values", "CMakeLists.txt", "set_property(TARGET a PROPERTY CUDA_ARCHITECTURES 75 86)\n", []string{"arch.targets = 75 86 @ CMakeLists.txt:1"}},
		{"a property that grows", "CMakeLists.txt", "set_property(TARGET a PROPERTY CUDA_ARCHITECTURES 75)\nset_property(TARGET a APPEND PROPERTY CUDA_ARCHITECTURES 86 90)\n", []string{"arch.targets = 75 86 90 @ CMakeLists.txt:1"}},
		{"a property among others", "CMakeLists.txt", "set_target_properties(a PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_ARCHITECTURES \"75;86\" CUDA_STANDARD 17)\n", []string{"arch.targets = 75 86 @ CMakeLists.txt:1"}},
		{"a value that is called like a property", "CMakeLists.txt", "set_target_properties(a PROPERTIES FOLDER CUDA_ARCHITECTURES X 90)\n", nil},
		{"targets with lists of their own", "CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 80)\nset_property(TARGET a PROPERTY CUDA_ARCHITECTURES 75)\nset_property(TARGET b PROPERTY CUDA_ARCHITECTURES 90)\n",
			[]string{"arch.targets = 80 @ CMakeLists.txt:1", "arch.targets = 75 @ CMakeLists.txt:2", "arch.targets = 90 @ CMakeLists.txt:3"}},
		{"a target with the common list", "CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 80)\nset_property(TARGET a PROPERTY CUDA_ARCHITECTURES ${CMAKE_CUDA_ARCHITECTURES})\n", []string{"arch.targets = 80 @ CMakeLists.txt:1"}},
		{"options and a property", "CMakeLists.txt", "set(CMAKE_CUDA_FLAGS \"${CMAKE_CUDA_FLAGS} -gencode arch=compute_70,code=sm_70\")\nset(CMAKE_CUDA_FLAGS \"${CMAKE_CUDA_FLAGS} -gencode arch=compute_80,code=sm_80\")\nset_property(TARGET a PROPERTY CUDA_ARCHITECTURES 75 86)\n",
			[]string{"arch.targets = sm_70 sm_80 @ CMakeLists.txt:1", "arch.targets = 75 86 @ CMakeLists.txt:3"}},
		{"options of two targets", "CMakeLists.txt", "target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-arch=sm_80>)\ntarget_compile_options(b PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-gencode=arch=compute_90,code=sm_90>)\n",
			[]string{"arch.targets = sm_80 @ CMakeLists.txt:1", "arch.targets = sm_90 @ CMakeLists.txt:2"}},
		{"a list of another name", "CMakeLists.txt", "set(DEVICES 80 90)\nset(CMAKE_CUDA_ARCHITECTURES ${DEVICES} CACHE STRING \"\")\n", []string{"arch.targets = 80 90 @ CMakeLists.txt:2"}},
		{"a list of another name under a condition", "CMakeLists.txt", "set(DEVICES 80 90)\nif(FAST)\nset(DEVICES 80)\nendif()\nset(CMAKE_CUDA_ARCHITECTURES ${DEVICES})\n", nil},
		{"the cache comes second", "CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 80)\nset(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING \"\")\n", []string{"arch.targets = 80 @ CMakeLists.txt:1"}},
		{"a list that begins elsewhere", "cmake/a.cmake", "list(APPEND CMAKE_CUDA_ARCHITECTURES 90)\n", []string{"? arch.targets = 90 @ cmake/a.cmake:1"}},
		{"the environment of torch's builder", "setup.py", "import os\nos.environ.setdefault(\"TORCH_CUDA_ARCH_LIST\", \"8.0;8.6;9.0+PTX\")\n", []string{"arch.targets = 8.0 8.6 9.0+PTX @ setup.py:2"}},
		{"the same, set", "setup.py", "os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0 8.6'  # '7.0'\n", []string{"arch.targets = 8.0 8.6 @ setup.py:1"}},
		{"set where it is not", "setup.py", "if \"TORCH_CUDA_ARCH_LIST\" not in os.environ:\n    os.environ[\"TORCH_CUDA_ARCH_LIST\"] = \"8.0\"\n", []string{"arch.targets = 8.0 @ setup.py:2"}},
		{"set under a condition", "setup.py", "if fast:\n    os.environ[\"TORCH_CUDA_ARCH_LIST\"] = \"8.0\"\n", []string{"? arch.targets = 8.0 @ setup.py:2"}},
		{"a value that is put together", "setup.py", "os.environ[\"TORCH_CUDA_ARCH_LIST\"] = \"8.0;\" + more\nos.environ['CUDA_ARCH'] = f'{x}'\n", nil},
		{"a default for what is set", "setup.py", "os.environ[\"TORCH_CUDA_ARCH_LIST\"] = \"8.0\"\nos.environ.setdefault(\"TORCH_CUDA_ARCH_LIST\", \"9.0\")\n", []string{"arch.targets = 8.0 @ setup.py:1"}},
		{"a choice in one line", "setup.py", "x = [\"-arch=sm_80\"] if fast else [\"-arch=sm_90\"]\n", []string{"? arch.targets = sm_80 sm_90 @ setup.py:1"}},
		{"a default while it is read", "setup.py", "a = os.getenv(\"TORCH_CUDA_ARCH_LIST\", \"7.5;8.0\").split(\";\")\n", []string{"? arch.targets = 7.5 8.0 @ setup.py:1"}},
		{"a variable of another kind", "setup.py", "os.environ[\"MAX_JOBS\"] = \"80\"\n", nil},
		{"options and the environment", "setup.py", "os.environ.setdefault(\"TORCH_CUDA_ARCH_LIST\", \"8.0;9.0\")\nargs = [\"-gencode\", \"arch=compute_80,code=sm_80\"]\n", []string{"arch.targets = 8.0 9.0 @ setup.py:1", "arch.targets = sm_80 @ setup.py:2"}},
		{"options put together in Python", "setup.py", "args = [\"-gencode=arch=compute_80,code=sm_80\"]\nargs += [f\"-gencode=arch=compute_{a},code=sm_{a}\" for a in more]\n", []string{"? arch.targets = sm_80 @ setup.py:1"}},
		{"a makefile's list that grows", "Makefile", "SMS = 70\nSMS += 80\nSMS ?= 60\nNVCC = nvcc\n", []string{"arch.targets = 70 80 @ Makefile:1"}},
		{"a makefile's lists", "Makefile", "SMS = 70 80\nARCHS = 90\nNVCC = nvcc\n", []string{"arch.targets = 70 80 @ Makefile:1", "arch.targets = 90 @ Makefile:2"}},
		{"a makefile's list and an option", "Makefile", "SMS = 70 80\nall: ; nvcc -arch=sm_90 a.cu\n", []string{"arch.targets = 70 80 @ Makefile:1", "arch.targets = sm_90 @ Makefile:2"}},
		{"a loop, and one option more", "Makefile", "NVCC = nvcc\nSMS := 70 80\nG := $(foreach a,$(SMS),-gencode arch=compute_$(a),code=sm_$(a)) -gencode arch=compute_80,code=compute_80\n", []string{"arch.targets = compute_80 70 80 @ Makefile:3"}},
		{"a makefile's loop over its list", "Makefile", "SMS = 70 80\nGENCODE := $(foreach a,$(SMS),-gencode arch=compute_$(a),code=sm_$(a))\nNVCC = nvcc\n", []string{"arch.targets = 70 80 @ Makefile:2"}},
		{"a makefile's loop over any list", "Makefile", "GENCODE := $(foreach a,$(X),-gencode arch=compute_$(a),code=sm_$(a)) -arch=sm_80\nNVCC = nvcc\n", []string{"? arch.targets = sm_80 @ Makefile:1"}},
		{"cargo's environment", ".cargo/config.toml", "[env]\nCUDA_COMPUTE_CAP = \"86\"\n", []string{"arch.targets = 86 @ .cargo/config.toml:2"}},
	} {
		t.Run(tt.name, func(t *testing.T) { wantClues(t, "arch.targets", tt.file, tt.text, tt.want) })
	}
}

// wantClues compares the clues of one key.
func wantClues(t *testing.T, key, file, text string, want []string) {
	t.Helper()
	var got []string
	for _, c := range told(clues(t, "-- file /home/u/ws/"+file+" --\n"+text)) {
		if strings.HasPrefix(strings.TrimPrefix(c, "? "), key+" = ") {
			got = append(got, c)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("clues of\n%s\n got %q\nwant %q", text, got, want)
	}
}

// TestVariablesOfCMake: what set() gives is known where it is used, unless something may have changed it.
func TestVariablesOfCMake(t *testing.T) {
	const use = "find_package(CUDAToolkit ${MIN} REQUIRED)\n"
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"set", "set(MIN 12.2)\n" + use, []string{"toolkit.min = 12.2 @ CMakeLists.txt:2"}},
		{"in the cache", "set(MIN 12.2 CACHE STRING \"the oldest\")\n" + use, []string{"toolkit.min = 12.2 @ CMakeLists.txt:2"}},
		{"the cache comes second", "set(MIN 12.2)\nset(MIN 12.4 CACHE STRING \"\")\n" + use, []string{"toolkit.min = 12.2 @ CMakeLists.txt:3"}},
		{"from another", "set(MAJOR 12)\nset(MIN \"${MAJOR}.2\")\n" + use, []string{"toolkit.min = 12.2 @ CMakeLists.txt:3"}},
		{"the default of an option", "option(MIN \"the oldest\" 12.2)\n" + use, []string{"toolkit.min = 12.2 @ CMakeLists.txt:2"}},
		{"under a condition", "if(FAST)\nset(MIN 12.2)\nendif()\n" + use, []string{"? toolkit.min = 12.2 @ CMakeLists.txt:4"}},
		{"for some releases", "if(CUDA_VERSION VERSION_LESS 13)\nset(MIN 12.2)\nendif()\n" + use, []string{"? toolkit.min = 12.2 @ CMakeLists.txt:4"}},
		{"in a function", "function(f)\nset(MIN 12.2)\nendfunction()\n" + use, []string{"? toolkit.min = 12.2 @ CMakeLists.txt:4"}},
		{"never set", use, nil},
		{"taken back", "set(MIN 12.2)\nunset(MIN)\n" + use, nil},
		{"emptied", "set(MIN 12.2)\nset(MIN)\n" + use, nil},
		{"for the parent", "set(MIN 12.2 PARENT_SCOPE)\n" + use, nil},
		{"changed by something else", "set(MIN 12.2)\nstring(REPLACE 2 4 MIN ${MIN})\n" + use, nil},
		{"from one that is not known", "set(MIN ${OTHER})\n" + use, nil},
		{"in a comparison", "set(MIN 12.2)\nif(CUDAToolkit_VERSION VERSION_LESS ${MIN})\nmessage(FATAL_ERROR x)\nendif()\n", []string{"toolkit.min = 12.2 @ CMakeLists.txt:3"}},
		{"an option that asks for CUDA", "option(USE_CUDA \"\" ON)\nif(${USE_CUDA})\nfind_package(CUDAToolkit 12.2)\nendif()\n", []string{"toolkit.min = 12.2 @ CMakeLists.txt:3"}},
		{"uncertain, in a comparison", "if(FAST)\nset(MIN 12.2)\nendif()\nif(CUDAToolkit_VERSION VERSION_LESS ${MIN})\nmessage(FATAL_ERROR x)\nendif()\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) { wantClues(t, "toolkit.min", "CMakeLists.txt", tt.text, tt.want) })
	}
}

// TestEitherVariable: of variables that stand for one another, the first is read and the others may be.
func TestEitherVariable(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		want             []string
	}{
		{"or_else", "build.rs", "fn main() {\nlet r = env::var(\"CUDA_HOME\").or_else(|_| env::var(\"CUDA_PATH\")).unwrap();\n}\n", []string{"env = CUDA_HOME @ build.rs:2", "? env = CUDA_PATH @ build.rs:2"}},
		{"over lines, and watched", "build.rs", "fn main() {\nprintln!(\"cargo:rerun-if-env-changed=CUDA_PATH\");\nlet r = std::env::var(\"CUDA_HOME\")\n    .or_else(|_| std::env::var(\"CUDA_PATH\"))\n    .or_else(|_| std::env::var(\"CUDA_ROOT\"));\n}\n",
			[]string{"? env = CUDA_PATH @ build.rs:2", "env = CUDA_HOME @ build.rs:3", "? env = CUDA_ROOT @ build.rs:5"}},
		{"or of options", "build.rs", "fn main() {\nlet r = env::var_os(\"CUDA_HOME\").or(env::var_os(\"CUDA_PATH\"));\n}\n", []string{"env = CUDA_HOME @ build.rs:2", "? env = CUDA_PATH @ build.rs:2"}},
		{"else if", "build.rs", "fn main() {\nlet r = if let Ok(a) = env::var(\"CUDA_HOME\") { a } else if let Ok(b) = env::var(\"CUDA_PATH\") { b } else { x };\n}\n", []string{"env = CUDA_HOME @ build.rs:2", "? env = CUDA_PATH @ build.rs:2"}},
		{"two reads", "build.rs", "fn main() {\nlet r = env::var(\"CUDA_HOME\").or_else(|_| x);\nlet q = env::var(\"CUDA_PATH\");\n}\n", []string{"env = CUDA_HOME @ build.rs:2", "env = CUDA_PATH @ build.rs:3"}},
		{"or in Python", "setup.py", "r = os.environ.get(\"CUDA_HOME\") or os.environ.get(\"CUDA_PATH\")\n", []string{"env = CUDA_HOME @ setup.py:1", "? env = CUDA_PATH @ setup.py:1"}},
		{"a default in Python", "setup.py", "r = os.environ.get('CUDA_HOME', os.environ.get('CUDA_PATH'))\n", []string{"env = CUDA_HOME @ setup.py:1", "? env = CUDA_PATH @ setup.py:1"}},
		{"getenv in Python", "setup.py", "r = os.getenv('CUDA_HOME', None) or os.getenv('CUDA_PATH') or '/usr'\n", []string{"env = CUDA_HOME @ setup.py:1", "? env = CUDA_PATH @ setup.py:1"}},
		{"if else in Python", "setup.py", "r = os.environ['CUDA_HOME'] if 'CUDA_HOME' in os.environ else os.environ['CUDA_PATH']\n", []string{"env = CUDA_HOME @ setup.py:1", "? env = CUDA_PATH @ setup.py:1"}},
		{"two arguments in Python", "setup.py", "f(os.getenv('CUDA_HOME'), os.getenv('CUDA_PATH'))\n", []string{"env = CUDA_HOME @ setup.py:1", "env = CUDA_PATH @ setup.py:1"}},
		{"branches in CMake", "CMakeLists.txt", "if(DEFINED ENV{CUDA_HOME})\nset(R $ENV{CUDA_HOME})\nelseif(DEFINED ENV{CUDA_PATH})\nset(R $ENV{CUDA_PATH})\nendif()\n", []string{"env = CUDA_HOME @ CMakeLists.txt:1", "? env = CUDA_PATH @ CMakeLists.txt:3"}},
	} {
		t.Run(tt.name, func(t *testing.T) { wantClues(t, "env", tt.file, tt.text, tt.want) })
	}
}
