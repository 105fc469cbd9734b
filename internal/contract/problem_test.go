package contract

import (
	"strings"
	"testing"

	"cupel/internal/finding"
)

// problemCases are contracts with one mistake each. says must occur in what, why or next.
var problemCases = []struct{ name, text, id, where, says string }{
	{"nothing at all", "", "contract-format", "cupel.toml:1:1", "write cupel = 1 as the first line"},
	{"no format", "[project]\nname = \"x\"\n", "contract-format", "cupel.toml:1:1", "cupel = 1"},
	{"format of a newer cupel", "cupel = 2\nnew = 1\n", "contract-format", "cupel.toml:1:9", "this cupel reads format 1 only"},
	{"format in quotes", "cupel = \"1\"\n", "contract-format", "cupel.toml:1:9", "a string, want a whole number"},
	{"format not first", "project.name = \"x\"\ncupel = 1\n", "contract-format", "cupel.toml:2:1", "not the first key"},
	{"no TOML", "cupel = 1\n[toolkit\nmin = 1\n", "contract-syntax", "cupel.toml:2:9", "expected ']'"},
	{"an open string", "cupel = 1\nproject.name = \"x\n", "contract-syntax", "cupel.toml:2:18", ""},
	{"an open key that ends in a wide letter", "\"本", "contract-syntax", "cupel.toml:1:2", ""},
	{"deep nesting", "cupel = 1\nx = " + strings.Repeat("[", 20) + strings.Repeat("]", 20), "contract-syntax", "cupel.toml:2:1", "more than 16 deep"},
	{"a long dotted key", "cupel = 1\n" + strings.Repeat("a.", 20) + "b = 1", "contract-syntax", "cupel.toml:2:33", "more than 16 deep"},
	{"BOM", "\xef\xbb\xbfcupel = 1\n", "contract-encoding", "cupel.toml:1:1", "byte order mark (BOM) of UTF-8"},
	{"UTF-16", "\xff\xfec\x00u\x00", "contract-encoding", "cupel.toml:1:1", "UTF-16"},
	{"NUL", "cupel = 1\n# a\x00b\n", "contract-encoding", "cupel.toml:2:4", "NUL"},
	{"Latin 1", "cupel = 1\n# é caf\xe9\n", "contract-encoding", "cupel.toml:2:8", "0xE9 is not UTF-8"},
	{"half a letter", "cupel = 1\n# ab\x80\n", "contract-encoding", "cupel.toml:2:5", "0x80"},
	{"lone CR", "cupel = 1\r[project]\r", "contract-encoding", "cupel.toml:1:10", "CR alone"},
	{"10 MB", "cupel = 1\n" + strings.Repeat("# filler\n", 10<<20/9), "contract-too-large", "cupel.toml:1:1", "the contract is larger than 1 MiB"},
	{"too many items", "cupel = 1\narch.targets = [" + strings.Repeat("1,", most) + "]\n", "contract-too-large", "cupel.toml:2:40011", "more than 20000 keys and items"},
	{"a key twice", "cupel = 1\n[toolkit]\nmin = \"12.4\"\nmin = \"12.6\"\n", "contract-duplicate-key", "cupel.toml:4:1", "cupel.toml:3:1 already"},
	{"a table twice", "cupel = 1\n[gpu]\n[mps]\n[gpu]\n", "contract-duplicate-key", "cupel.toml:4:2", "gpu is given twice"},
	{"a key twice in an inline table", "cupel = 1\ntoolkit = { min = \"12.4\", min = \"12.6\" }\n", "contract-duplicate-key", "cupel.toml:2:27", ""},
	{"a value where a table was", "cupel = 1\ngpu.min-count = 1\n[gpu]\n", "contract-duplicate-key", "cupel.toml:3:2", ""},
	{"near key", "cupel = 1\n[toolkit]\nmax_verified = \"12.4\"\n", "contract-unknown-key", "cupel.toml:3:1", `write max-verified = "12.4"`},
	{"near table", "cupel = 1\n[toolkits]\nmin = \"12.4\"\n", "contract-unknown-key", "cupel.toml:2:2", "did you mean toolkit?"},
	{"key of another table", "cupel = 1\n[toolkit]\ntargets = [\"8.6\"]\n", "contract-unknown-key", "cupel.toml:3:1", "belongs to [arch], [[arch.by-toolkit]]"},
	{"no key like it", "cupel = 1\n[gpu]\ncolour = \"green\"\n", "contract-unknown-key", "cupel.toml:3:1", "[gpu] has min-memory, min-count, compute-mode, exclude-on, reason"},
	{"unknown key in a list", "cupel = 1\n[[config]]\nname = \"a\"\ncommand = \"make\"\nneed = \"gpu\"\n", "contract-unknown-key", "cupel.toml:5:1", `write needs = "gpu"`},
	{"after a wide letter", "cupel = 1\nproject = { name = \"日本é\", buid = 1 }\n", "contract-unknown-key", "cupel.toml:2:27", "did you mean build?"},
	{"CRLF", "cupel = 1\r\n[gpu]\r\nmin_count = 1\r\n", "contract-unknown-key", "cupel.toml:3:1", "write min-count = 1"},
	{"missing key", "cupel = 1\n[[config]]\nname = \"a\"\n", "contract-missing-key", "cupel.toml:2:3", `add command = "cargo build"`},
	{"missing word", "cupel = 1\n[[arch.note]]\narch = \"8.6\"\n", "contract-missing-key", "cupel.toml:2:8", `add status = "verified", or one of expected`},
	{"a release without quotes", "cupel = 1\n[toolkit]\nmin = 12.10\n", "contract-wrong-type", "cupel.toml:3:7", `write it in quotes: min = "12.10"`},
	{"an arch without quotes", "cupel = 1\n[arch]\ntargets = [86]\n", "contract-wrong-type", "cupel.toml:3:12", `targets = ["86"]`},
	{"a string for a list", "cupel = 1\n[arch]\ntargets = \"8.6\"\n", "contract-wrong-type", "cupel.toml:3:11", `write targets = ["8.6"]`},
	{"a list for a string", "cupel = 1\n[project]\nname = [\"x\"]\n", "contract-wrong-type", "cupel.toml:3:8", "project.name is a list, want a string"},
	{"a string for a table", "cupel = 1\ngpu = \"yes\"\n", "contract-wrong-type", "cupel.toml:2:7", "want a table"},
	{"a string for a table of a platform", "cupel = 1\nhost.linux = \"gcc\"\n", "contract-wrong-type", "cupel.toml:2:14", "write [host.linux], and the keys"},
	{"a string for true", "cupel = 1\n[arch]\ndetect = \"yes\"\n", "contract-wrong-type", "cupel.toml:3:10", "want true or false"},
	{"a date", "cupel = 1\n[project]\nname = 2024-01-01\n", "contract-wrong-type", "cupel.toml:3:8", "a date or time"},
	{"a table for a list of tables", "cupel = 1\n[config]\nname = \"a\"\n", "contract-wrong-type", "cupel.toml:2:2", "config is a table, want a list"},
	{"a number for a limit", "cupel = 1\n[driver]\nlinux = 550\n", "contract-wrong-type", "cupel.toml:3:9", `linux = "550"`},
	{"negative count", "cupel = 1\n[gpu]\nmin-count = -1\n", "contract-bad-value", "cupel.toml:3:13", "from 0"},
	{"near word", "cupel = 1\n[driver]\nptx-jit = \"require\"\n", "contract-wrong-word", "cupel.toml:3:11", `write ptx-jit = "required"`},
	{"word of a list", "cupel = 1\n[project]\nname = \"x\"\nbuild = [\"cargo\", \"cmaek\"]\n", "contract-wrong-word", "cupel.toml:4:19", `["cargo", "cmake"]`},
	{"toolkit part", "cupel = 1\n[toolkit]\ncomponents = [\"nvc\"]\n", "contract-wrong-word", "cupel.toml:3:15", `"nvcc"`},
	{"12.7 never was", "cupel = 1\n[toolkit]\nmin = \"12.7\"\n", "contract-unknown-release", "cupel.toml:3:7", "cupel compat toolkit 12.6"},
	{"and 12.8 is next", "cupel = 1\n[toolkit]\nmin = \"12.7\"\n", "contract-unknown-release", "cupel.toml:3:7", "cupel compat toolkit 12.8"},
	{"an update that never was", "cupel = 1\n[toolkit]\nmin = { version = \"12.4.9\" }\n", "contract-unknown-release", "cupel.toml:3:19", "12.4.1"},
	{"excluding what never was", "cupel = 1\n[toolkit]\nexclude = [\"12.7\"]\n", "contract-unknown-release", "cupel.toml:3:12", "12.6"},
	{"far too new", "cupel = 1\n[toolkit]\nmin = \"124\"\n", "contract-unknown-release", "cupel.toml:3:7", "newer than this cupel's table"},
	{"no release", "cupel = 1\n[toolkit]\nmin = \"twelve\"\n", "contract-bad-value", "cupel.toml:3:7", "write 12.4 or 12.4.1"},
	{"unknown arch", "cupel = 1\n[arch]\ntargets = [\"sm_86\", \"sm_88\", \"sm_91\"]\n", "contract-unknown-arch", "cupel.toml:3:30", "sm_90 and sm_100"},
	{"unknown variant", "cupel = 1\n[arch]\ntargets = [\"sm_80a\"]\n", "contract-unknown-arch", "cupel.toml:3:12", "sm_80 has no variant a"},
	{"no arch", "cupel = 1\n[arch]\ntargets = [\"ampere\"]\n", "contract-bad-value", "cupel.toml:3:12", "not a GPU architecture"},
	{"unknown capability", "cupel = 1\n[arch]\nmin = \"9.9\"\n", "contract-unknown-arch", "cupel.toml:3:7", ""},
	{"empty range", "cupel = 1\n[host.linux]\ngcc = \">=13, <12\"\n", "contract-empty-range", "cupel.toml:3:7", "begins with 13 and ends before 12"},
	{"range with a star", "cupel = 1\n[components.cudnn]\nversion = \"9.*\"\n", "contract-bad-value", "cupel.toml:3:11", "leave the star out"},
	{"recommended below min", "cupel = 1\n[toolkit]\nmin = \"12.4\"\nrecommended = \"12.2\"\n", "contract-empty-range", "cupel.toml:4:15", "toolkit.recommended 12.2 is below toolkit.min 12.4"},
	{"max-verified below recommended", "cupel = 1\n[toolkit]\nrecommended = \"12.8\"\nmax-verified = \"12.6\"\n", "contract-empty-range", "cupel.toml:4:16", "below toolkit.recommended 12.8"},
	{"override below min", "cupel = 1\n[toolkit]\nmin = \"12.4\"\nrecommended = \"12.4\"\n[toolkit.windows]\nmin = \"12.6\"\n", "contract-empty-range", "cupel.toml:4:15", "below toolkit.windows.min 12.6"},
	{"exclude takes all", "cupel = 1\n[toolkit]\nmin = \"12.4\"\nmax-verified = \"12.5\"\nexclude = [\">=12.4, <13\"]\n", "contract-empty-range", "cupel.toml:5:11", "leaves no release"},
	{"exclude takes all to come", "cupel = 1\n[toolkit]\nmin = \"12.4\"\nexclude = [\">=12.4\"]\n", "contract-empty-range", "cupel.toml:4:11", "leaves no release"},
	{"exclude takes the recommended", "cupel = 1\n[toolkit]\nrecommended = \"12.5\"\nexclude = [\"12.5\"]\n", "contract-empty-range", "cupel.toml:4:11", "takes out toolkit.recommended 12.5"},
	{"absolute path", "cupel = 1\n[reference]\nsnapshot = \"/srv/ci.json\"\n", "contract-machine-path", "cupel.toml:3:12", "root of one machine"},
	{"drive", "cupel = 1\n[reference]\nsnapshot = 'C:\\ci.json'\n", "contract-machine-path", "cupel.toml:3:12", "drive"},
	{"home", "cupel = 1\n[reference]\nsnapshot = \"~/ci.json\"\n", "contract-machine-path", "cupel.toml:3:12", "home"},
	{"variable in a path", "cupel = 1\n[reference]\nsnapshot = \"$HOME/ci.json\"\n", "contract-machine-path", "cupel.toml:3:12", "variable"},
	{"out of the project", "cupel = 1\n[reference]\nsnapshot = \"ci/../../x.json\"\n", "contract-machine-path", "cupel.toml:3:12", "leaves the project"},
	{"toolkit folder in a variable", "cupel = 1\n[env]\nCUDACXX = \"/usr/local/cuda-12.4/bin/nvcc\"\n", "contract-machine-path", "cupel.toml:3:11", `write CUDACXX = "{toolkit.root}/bin/nvcc"`},
	{"toolkit folder in an option", "cupel = 1\n[[kernels]]\nname = \"a\"\nsources = [\"a.cu\"]\nflags = [\"-I/usr/local/cuda/include\"]\n", "contract-machine-path", "cupel.toml:5:10", "nvcc finds its own toolkit"},
	{"pattern", "cupel = 1\n[[explain]]\npattern = \"(\"\ncause = \"c\"\nfix = \"f\"\n", "contract-bad-pattern", "cupel.toml:3:11", "missing closing )"},
	{"pin without a group", "cupel = 1\n[pins.cuda]\nfiles = [{ file = \"a\", pattern = \"x\" }]\n", "contract-bad-pattern", "cupel.toml:3:34", "first group"},
	{"file pattern", "cupel = 1\n[[kernels]]\nname = \"a\"\nsources = [\"[.cu\"]\n", "contract-bad-pattern", "cupel.toml:4:12", "not a file pattern"},
	{"set of checks", "cupel = 1\n[verify.ci]\nchecks = [\"Toolkit Band\"]\n", "contract-bad-pattern", "cupel.toml:3:11", "toolkit-*"},
	{"smoke expectation", "cupel = 1\n[[smoke]]\nname = \"a\"\nlevel = \"init\"\nexpect = \"[\"\n", "contract-bad-pattern", "cupel.toml:5:10", ""},
	{"two configs", "cupel = 1\n[[config]]\nname = \"a\"\ncommand = \"x\"\n[[config]]\nname = \"A\"\ncommand = \"x\"\n", "contract-duplicate-name", "cupel.toml:6:8", "cupel.toml:3:1"},
	{"two kernels", "cupel = 1\nkernels = [{ name = \"a\", sources = [\"a.cu\"] }, { name = \"a\", sources = [\"b.cu\"] }]\n", "contract-duplicate-name", "cupel.toml:2:57", ""},
	{"two configs with one id", "cupel = 1\n[[config]]\nname = \"a_b\"\ncommand = \"x\"\n[[config]]\nname = \"a.b\"\ncommand = \"x\"\n", "contract-duplicate-name", "cupel.toml:6:8", `both become "a-b"`},
	{"two kernels with one id", "cupel = 1\nkernels = [{ name = \"a+\", sources = [\"a.cu\"] }, { name = \"a\", sources = [\"b.cu\"] }]\n", "contract-duplicate-name", "cupel.toml:2:58", "cupel.toml:2:14"},
	{"two pins with one id", "cupel = 1\n[pins.a_b]\nfiles = [{ file = \"f\", pattern = \"(x)\" }]\n[pins.\"a.b\"]\nfiles = [{ file = \"f\", pattern = \"(x)\" }]\n", "contract-duplicate-name", "cupel.toml:4:7", "the first one is at cupel.toml:2:7"},
	{"two things off with one id", "cupel = 1\n[scope.ci]\noff = [\"GPU tests\", { item = \"gpu-tests\" }]\n", "contract-duplicate-name", "cupel.toml:3:21", "the first one is at cupel.toml:3:8"},
	{"two variables with one id", "cupel = 1\n[env]\nCUDA_HOME = \"{toolkit.root}\"\n[env.linux]\n\"toolkit.root\" = [\"A\", \"Cuda__Home\"]\n", "contract-duplicate-name", "cupel.toml:5:24", "the first one is at cupel.toml:3:1"},
	{"a variable and one of the targets", "cupel = 1\n[arch]\nenv = [\"ARCH\"]\n[env]\narch = { list = \"ARCH_\" }\n", "contract-duplicate-name", "cupel.toml:5:10", "cupel.toml:3:8"},
	{"two libraries of one name", "cupel = 1\n[[kernels]]\nname = \"a\"\nsources = [\"a.cu\"]\nkinds = \"static\"\n[[kernels]]\nname = \"b\"\nsources = [\"b.cu\"]\nkinds = [\"ptx\", \"shared\"]\nlink-name = \"A\"\n", "contract-duplicate-name", "cupel.toml:10:13", "the first name is at cupel.toml:3:1"},
	{"and the other way round", "cupel = 1\n[[kernels]]\nname = \"a\"\nsources = [\"a.cu\"]\nkinds = \"static\"\nlink-name = \"b\"\n[[kernels]]\nname = \"b\"\nsources = [\"b.cu\"]\nkinds = \"static\"\n", "contract-duplicate-name", "cupel.toml:8:8", "the first name is at cupel.toml:6:1"},
	{"two gates", "cupel = 1\n[[gate]]\nid = \"a\"\n[[gate]]\nid = \"a\"\n", "contract-duplicate-name", "cupel.toml:5:6", ""},
	{"a target in two spellings", "cupel = 1\n[arch]\ntargets = [\"sm_86\", \"8.6\"]\n", "contract-duplicate-name", "cupel.toml:3:21", "sm_86 is in arch.targets twice"},
	{"template", "cupel = 1\n[env]\nCUDA_VERSION = \"v{toolkit.shrt}\"\n", "contract-bad-template", "cupel.toml:3:16", `write CUDA_VERSION = "v{toolkit.short}"`},
	{"template of a config", "cupel = 1\n[[config]]\nname = \"a\"\ncommand = \"x\"\nenv = { A = \"{nothing.at.all}\" }\n", "contract-bad-template", "cupel.toml:5:13", "means nothing"},
	{"template of an artifact", "cupel = 1\n[matrix]\nartifact = \"{arch}-{toolkits}\"\naxes = { arch = [\"8.6\"] }\n", "contract-bad-template", "cupel.toml:3:12", "{toolkits} means nothing"},
	{"an open brace", "cupel = 1\n[env]\nA = \"{toolkit.root/bin\"\n", "contract-bad-template", "cupel.toml:3:5", `write A = "{toolkit.root}/bin"`},
	{"an open brace before a word", "cupel = 1\n[env]\nA = \"{toolkit.rot {arch.list}\"\n", "contract-bad-template", "cupel.toml:3:5", "the brace of {toolkit.rot {arch.list} is not closed"},
	{"an open brace that means itself", "cupel = 1\n[[config]]\nname = \"a\"\ncommand = \"x\"\nenv.A = \"x{\"\n", "contract-bad-template", "cupel.toml:5:9", `write env.A = "x{{"`},
	{"an open brace of an artifact", "cupel = 1\n[matrix]\nartifact = \"x-{arch\"\naxes = { arch = [\"8.6\"] }\n", "contract-bad-template", "cupel.toml:3:12", `write artifact = "x-{arch}"`},
	{"braces of a list", "cupel = 1\n[env]\nA = \"-gencode={80,90}\"\n", "contract-bad-template", "cupel.toml:3:5", "a brace that means itself is written {{"},
	{"NUL in a variable", "cupel = 1\n[env]\nA = \"a\\u0000b\"\n", "contract-bad-value", "cupel.toml:3:5", "env.A holds a NUL"},
	{"two lines in a variable", "cupel = 1\n[env.runtime]\nA = \"\"\"a\nb\"\"\"\n", "contract-bad-value", "cupel.toml:3:5", "env.runtime.A holds a line break"},
	{"two lines in a config's variable", "cupel = 1\n[[config]]\nname = \"a\"\ncommand = \"x\"\nenv = { A = \"a\\nb\" }\n", "contract-bad-value", "cupel.toml:5:13", "a line break"},
	{"a toolkit where there is none", "cupel = 1\n[[config]]\nname = \"a\"\ncommand = \"x\"\nneeds = \"none\"\nenv = { A = \"{toolkit.root}\" }\n", "contract-conflict", "cupel.toml:6:13", `{toolkit.root} has no value in a config with needs = "none"`},
	{"targets where there are none", "cupel = 1\n[[config]]\nname = \"a\"\ncommand = \"x\"\nneeds = { what = \"none\" }\n[config.env]\nA = \"{project.root} {arch.first}\"\n", "contract-conflict", "cupel.toml:7:5", "{arch.first} has no value"},
	{"a host compiler where there is none", "cupel = 1\n[[config]]\nname = \"a\"\ncommand = \"x\"\nneeds = \"none\"\nenv.CC = \"{host.cc}\"\n", "contract-conflict", "cupel.toml:6:10", "{host.cc} has no value"},
	{"component", "cupel = 1\n[components.cudn]\n", "contract-bad-name", "cupel.toml:2:13", "cudnn"},
	{"value of env", "cupel = 1\n[env]\ntoolkit.rot = [\"CUDA_HOME\"]\n", "contract-bad-name", "cupel.toml:3:9", "did you mean toolkit.root?"},
	{"variable", "cupel = 1\n[env]\ntoolkit.root = [\"CUDA HOME\"]\n", "contract-bad-name", "cupel.toml:3:17", "not the name of a variable"},
	{"name of a config", "cupel = 1\n[[config]]\nname = \"a/b\"\ncommand = \"x\"\n", "contract-bad-name", "cupel.toml:3:8", "cannot be a name"},
	{"link name that leaves the folder", "cupel = 1\n[[kernels]]\nname = \"a\"\nsources = [\"a.cu\"]\nlink-name = \"x/../../evil\"\n", "contract-bad-name", "cupel.toml:5:13", "cannot be a name"},
	{"link name that is an option", "cupel = 1\n[[kernels]]\nname = \"a\"\nsources = [\"a.cu\"]\nlink-name = \"-x\"\n", "contract-bad-name", "cupel.toml:5:13", "cannot be a name"},
	{"gate that is not there", "cupel = 1\n[[gate]]\nid = \"one\"\n[[gate]]\nid = \"two\"\nafter = [\"oen\"]\n", "contract-bad-name", "cupel.toml:6:10", `"one"`},
	{"gates in a circle", "cupel = 1\n[[gate]]\nid = \"one\"\nafter = [\"two\"]\n[[gate]]\nid = \"two\"\n", "contract-conflict", "cupel.toml:4:10", "comes after it"},
	{"scope", "cupel = 1\n[scope.macos]\noff = [\"x\"]\n", "contract-bad-name", "cupel.toml:2:8", "linux, windows, wsl2, jetson or ci"},
	{"excluded axis", "cupel = 1\n[matrix]\naxes = { arch = [\"8.6\"] }\nexclude = [{ arhc = \"8.6\" }]\n", "contract-bad-name", "cupel.toml:4:14", "write exclude = [{ arch"},
	{"target below min", "cupel = 1\n[arch]\nmin = \"8.0\"\ntargets = [\"7.5\"]\n", "contract-conflict", "cupel.toml:4:12", "sm_75 is below arch.min 8.0"},
	{"two values", "cupel = 1\n[env]\ntoolkit.root = \"CUDA_HOME\"\nCUDA_HOME = \"{toolkit.bin}\"\n", "contract-conflict", "cupel.toml:4:1", "CUDA_HOME is given two values"},
	{"two proofs", "cupel = 1\n[[smoke]]\nname = \"a\"\nlevel = \"init\"\ncommand = \"x\"\n", "contract-conflict", "cupel.toml:2:3", "2 of command, level and http"},
	{"needs at odds", "cupel = 1\n[[config]]\nname = \"a\"\ncommand = \"x\"\nneeds = { what = \"none\", gpu = \"8.0\" }\n", "contract-conflict", "cupel.toml:5:9", "only gpu"},
	{"toolchain of cmake", "cupel = 1\n[components.cmake]\ntoolchain = \"x\"\n", "contract-conflict", "cupel.toml:3:1", "only rust"},
	{"what is made as an option", "cupel = 1\n[[kernels]]\nname = \"a\"\nsources = [\"a.cu\"]\nflags = [\"-O3\", \"-ptx\"]\n", "contract-conflict", "cupel.toml:5:17", `the option "-ptx" is decided by cupel`},
	{"a target as an option of some files", "cupel = 1\n[[kernels]]\nname = \"a\"\nsources = [\"a.cu\"]\n[[kernels.per-file]]\nsources = [\"a.cu\"]\nflags = [\"-gencode\", \"arch=compute_80,code=sm_80\"]\n", "contract-conflict", "cupel.toml:7:10", `"-gencode" is decided`},
	{"size", "cupel = 1\n[gpu]\nmin-memory = \"8 gigs\"\n", "contract-bad-value", "cupel.toml:3:14", "8 GiB"},
	{"time", "cupel = 1\n[[config]]\nname = \"a\"\ncommand = \"x\"\ntimeout = \"10\"\n", "contract-bad-value", "cupel.toml:5:11", "10m"},
	{"builder", "cupel = 1\n[project]\nname = \"x\"\nbuilders = [\"cudaforge 0.1.*\"]\n", "contract-bad-value", "cupel.toml:4:13", "leave the star out"},
	{"two words as a definition", "cupel = 1\n[[kernels]]\nname = \"a\"\nsources = [\"a.cu\"]\ndefines = [\"OK\", \"A B\"]\n", "contract-bad-value", "cupel.toml:5:18", `"A B" is not a definition`},
	{"a definition with -D", "cupel = 1\n[[kernels]]\nname = \"a\"\nsources = [\"a.cu\"]\n[[kernels.per-file]]\nsources = [\"a.cu\"]\ndefines = [\"-DX\"]\n", "contract-bad-value", "cupel.toml:7:12", "without -D"},
	{"no sources", "cupel = 1\n[[kernels]]\nname = \"a\"\nsources = []\n", "contract-bad-value", "cupel.toml:4:11", "sources is empty"},
	{"no command", "cupel = 1\n[[config]]\nname = \"a\"\ncommand = \"\"\n", "contract-bad-value", "cupel.toml:4:11", "nothing to run"},
	{"no name", "cupel = 1\n[project]\nname = \"\"\n", "contract-bad-value", "cupel.toml:3:8", "empty"},
}

func TestProblems(t *testing.T) {
	for _, tt := range problemCases {
		t.Run(tt.name, func(t *testing.T) {
			c, all := Parse("cupel.toml", []byte(tt.text))
			if c != nil || len(all) == 0 {
				t.Fatalf("Parse(%.200q) found nothing, want %s", tt.text, tt.id)
			}
			var got finding.Finding
			for _, f := range all {
				if f.ID == tt.id && f.Where == tt.where && strings.Contains(told(f), tt.says) {
					got = f
				}
			}
			if got.ID == "" {
				t.Fatalf("Parse(%.200q)\n got %s\nwant %s at %s saying %q", tt.text, show(all), tt.id, tt.where, tt.says)
			}
			if got.What == "" || got.Why == "" || len(got.Next) == 0 || got.Severity != finding.Error {
				t.Errorf("Parse(%.200q): %+v lacks what, why, next or severity", tt.text, got)
			}
		})
	}
}

// told is all of a finding that a person reads.
func told(f finding.Finding) string {
	text := f.What + "\n" + f.Why
	for _, s := range f.Next {
		text += "\n" + s.Command + " " + s.Note
	}
	return text
}

func show(all []finding.Finding) string {
	var b strings.Builder
	for _, f := range all {
		b.WriteString("\n" + f.ID + " at " + f.Where + "\n" + told(f) + "\n")
	}
	return b.String()
}

// TestOneProblemEach keeps one mistake from being told twice, save where the case holds two.
func TestOneProblemEach(t *testing.T) {
	two := map[string]bool{"unknown arch": true, "no arch": false, "gate that is not there": false}
	for _, tt := range problemCases {
		if _, all := Parse("cupel.toml", []byte(tt.text)); len(all) != 1 && !two[tt.name] {
			t.Errorf("%s: %d findings, want 1:%s", tt.name, len(all), show(all))
		}
	}
}

// TestAllProblems wants every problem of a file at once, in its order.
func TestAllProblems(t *testing.T) {
	text := "cupel = 1\n[toolkit]\nmin = 12.4\nmaxverified = \"12.6\"\n[arch]\nptx = \"hihgest\"\ntargets = [\"sm_91\"]\n[[config]]\ncommand = \"x\"\n"
	_, all := Parse("cupel.toml", []byte(text))
	var got []string
	for _, f := range all {
		got = append(got, f.ID+" "+f.Where)
	}
	want := "contract-wrong-type cupel.toml:3:7, contract-unknown-key cupel.toml:4:1, contract-wrong-word cupel.toml:6:7, contract-unknown-arch cupel.toml:7:12, contract-missing-key cupel.toml:8:3"
	if strings.Join(got, ", ") != want {
		t.Errorf("Parse(%q)\n got %s\nwant %s", text, strings.Join(got, ", "), want)
	}
}

// TestPointer wants the line with a mark under the very characters.
func TestPointer(t *testing.T) {
	_, all := Parse("cupel.toml", []byte("cupel = 1\r\nproject = { name = \"日本\", bild = 1 }\r\n"))
	want := "project = { name = \"日本\", bild = 1 }\n                         ^^^^"
	if len(all) != 1 || len(all[0].Evidence) != 1 || all[0].Evidence[0].Text != want {
		t.Errorf("evidence %+v, want %q", all, want)
	}
}

// TestManyProblems keeps the answer short whatever the file.
func TestManyProblems(t *testing.T) {
	_, all := Parse("cupel.toml", []byte("cupel = 1\narch.targets = ["+strings.Repeat("1,", most/2)+"]\n"))
	if len(all) != shown || !strings.Contains(told(all[shown-1]), "more problems follow") {
		t.Errorf("%d findings, want %d and a word about the rest", len(all), shown)
	}
}
