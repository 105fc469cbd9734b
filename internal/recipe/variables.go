package recipe

// variable is one that a compiler reads and that changes what it makes. That nvcc and its programs read them was seen by a
// getenv that told (11.8, 12.4, 13.0, 13.4 with GCC 12), and what they do with them in dry runs. Not here: where programs and
// their libraries are found (PATH, LD_LIBRARY_PATH, NVCC_CCBIN: package toolchain has the programs), where files on the way are
// put (TMPDIR, TEMP), job servers (MAKEFLAGS), NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS (they are among the words), link paths.
type variable struct {
	name    string
	system  string // linux, windows; empty: both
	refuses bool   // a call where it is set is not remembered
	why     string
}

var variables = []variable{
	{"CPATH", "linux", false, "folders for headers (GCC manual, Environment Variables)"},
	{"C_INCLUDE_PATH", "linux", false, "folders for headers of C; clang and GCC read it"},
	{"CPLUS_INCLUDE_PATH", "linux", false, "folders for headers"},
	{"GCC_EXEC_PREFIX", "linux", false, "where GCC finds its programs and headers"},
	{"COMPILER_PATH", "linux", false, "where GCC finds its programs"},
	{"GCC_ROOT", "linux", false, "GCC of Debian 12 reads it with the folders of its programs"},
	{"BINUTILS_ROOT", "linux", false, "as GCC_ROOT"},
	{"G++_ROOT", "linux", false, "as GCC_ROOT"},
	{"GCC_EXTRA_DIAGNOSTIC_OUTPUT", "linux", false, "adds to GCC's messages"},
	{"SOURCE_DATE_EPOCH", "", false, "__DATE__ and __TIME__ of GCC and clang"},
	{"LANG", "", false, "the language of messages, which are given again"},
	{"LANGUAGE", "", false, "as LANG"},
	{"LC_ALL", "", false, "as LANG; how GCC reads a source's letters in messages"},
	{"LC_MESSAGES", "", false, "as LANG"},
	{"LC_CTYPE", "", false, "as LC_ALL"},
	{"VSLANG", "windows", false, "the language of cl's messages"},
	{"INCLUDE", "windows", false, "folders for headers (Microsoft, CL environment variables)"},
	{"EXTERNAL_INCLUDE", "windows", false, "as INCLUDE"},
	{"CL", "windows", true, "options for cl in front of all others"},
	{"_CL_", "windows", true, "options for cl behind all others"},
	{"EDG_BASE", "", false, "read by cudafe++ and cicc"},
	{"USR_INCLUDE", "", false, "read by cudafe++ and cicc"},
	{"EDG_MODULES_PATH", "", false, "read by cudafe++ and cicc"},
	{"NOCOLOR", "", false, "read by cudafe++ and cicc: their messages"},
	{"NV_NVVM_VERSION", "", false, "nvcc 13 and cicc: the version of NVVM IR"},
	{"NVVM_IR_VER_CHK", "", false, "read by cicc"},
	{"NVVMCCWIZ", "", false, "read by cicc"},
	{"LLVM_OVERRIDE_PRODUCER", "", false, "read by cicc: a name in what it makes"},
	{"LIBNVVM_DISABLE_CONCURRENT_API", "", false, "read by cicc"},

	// nvcc puts these on its commands as they are (dry runs of 12.4, 13.0 and 13.4): they may say anything.
	{"INCLUDES", "", true, "more words for the preprocessor"},
	{"SYSTEM_INCLUDES", "", true, "more words for the preprocessor (13.0 on)"},
	{"CUDAFE_FLAGS", "", true, "more words for cudafe++ and cicc"},
	{"NVVM_FLAGS", "", true, "more words for cicc"},
	{"OCG_FLAGS", "", true, "more words for ptxas"},
	{"PTXAS_FLAGS", "", true, "more words for ptxas"},
	{"compiler-bindir", "", true, "as -ccbin"},
	{"CCC_OVERRIDE_OPTIONS", "linux", true, "changes clang's command line"},
	// And these make the compilers write one more file.
	{"DEPENDENCIES_OUTPUT", "linux", true, "GCC writes dependencies"},
	{"SUNPRO_DEPENDENCIES", "linux", true, "GCC writes dependencies"},
	{"GCC_COMPARE_DEBUG", "linux", true, "GCC compiles twice and writes dumps"},
	{"CC_PRINT_OPTIONS", "linux", true, "clang writes its command lines"},
	{"CC_PRINT_OPTIONS_FILE", "linux", true, "as CC_PRINT_OPTIONS, which may be set to nothing"},
	{"CC_PRINT_HEADERS", "linux", true, "clang writes the names of headers"},
	{"CC_PRINT_HEADERS_FILE", "linux", true, "as CC_PRINT_OPTIONS_FILE"},
	{"CC_PRINT_PROC_STAT", "linux", true, "clang writes how long it took"},
	{"CC_PRINT_PROC_STAT_FILE", "linux", true, "as CC_PRINT_OPTIONS_FILE"},
	{"CC_PRINT_INTERNAL_STAT", "linux", true, "clang writes what it counted"},
	{"CC_PRINT_INTERNAL_STAT_FILE", "linux", true, "as CC_PRINT_OPTIONS_FILE"},
	{"CC_LOG_DIAGNOSTICS", "linux", true, "clang writes its messages"},
	{"CC_LOG_DIAGNOSTICS_FILE", "linux", true, "as CC_PRINT_OPTIONS_FILE"},
	{"AS_SECURE_LOG_FILE", "", true, "LLVM's assembler writes a log"},
	{"DUMP_KNOBS_TO_FILE", "", true, "ptxas up to 13.0 writes a file"},
}

// Matters: a variable of this name changes what the compilers make.
func Matters(name string, windows bool) bool {
	for _, v := range variables {
		if v.name == name && (v.system == "" || windows == (v.system == "windows")) {
			return true
		}
	}
	return false
}

// variables says whose values are part of the key, or which is in the way.
func (b *reading) variables() *Refusal {
	system := "linux"
	if b.windows {
		system = "windows"
	}
	b.Variables = make([]string, 0, len(variables)+1)
	for _, v := range variables {
		if v.system != "" && v.system != system {
			continue
		}
		switch {
		case !v.refuses:
			b.Variables = append(b.Variables, v.name)
		case b.env(v.name) != "":
			return &Refusal{"variable", v.name}
		}
	}
	if b.DirMatters != "" {
		// The compilers take the working folder's name from it where it is one of its names: links are not resolved then.
		b.Variables = append(b.Variables, "PWD")
	}
	return nil
}
