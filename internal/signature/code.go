package signature

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"cupel/data"
	"cupel/internal/pattern"
)

// codeExpr spells a CUDA error in every way programs print it: both names, the message, the number. A message
// of everyday words ("unknown error") counts only behind a word of CUDA, a number only behind "CUDA error" or a
// call that gives it.
func codeExpr(code int) (string, error) {
	for _, c := range data.Codes() {
		if c.Code == code {
			ways := append(wordWays(c), numberWays(strconv.Itoa(code), stayed(code))...)
			return strings.Join(ways, "|"), nil
		}
	}
	return "", fmt.Errorf("no CUDA error %d in data/codes.toml", code)
}

// wordsExpr spells a CUDA error in the ways without a number.
func wordsExpr(code int) string {
	for _, c := range data.Codes() {
		if c.Code == code {
			return strings.Join(wordWays(c), "|")
		}
	}
	return ""
}

// numbersExpr is any number in the ways of numberWays. Its literals stand on many lines that tell of no error, such
// as the name of a call: so they do not call for each error's pattern, but for those whose number is on the line.
func numbersExpr() string { return strings.Join(numberWays(`\d+`, true), "|") }

func wordWays(c data.Code) []string {
	ways := nameWays(c)
	m := strings.TrimSuffix(c.Message, ".")
	q := regexp.QuoteMeta(m)
	if telling(m) {
		return append(ways, q)
	}
	return append(ways, cudaWord+`[^\n]{0,120}?[^\w\n]`+q+`(?:\W|$)`, gpuSource+q+`\W*$`)
}

// codeUnless forbids what only mentions an error: source text that a compiler complains about, and other makers'
// systems (HIP, MUSA, XPU, NPU, MPS), which share the messages.
const codeUnless = `\b(?:Key|Attribute|Name)Error: |is undefined|not declared|undeclared|has no member|\berror(?: C\d{4}|\[E\d{4}\])|not handled in switch|^\s*\d+ \|\s|\b(?:case|return) (?:CUDA_ERROR_|cudaError)|(?i:\bHIP error|\bhipError|\bMUSA error|\bmusaError|\b(?:HIP|MUSA|XPU|NPU|MPS)(?: backend)? out of memory)|ROCm|` + listed

// listed is a table of the errors, not one of them: three names in a row, a line of an enum or of a table of
// names and messages.
const listed = `(?:\b(?:cudaError|CUDA_ERROR_)\w+\W+){2}(?:cudaError|CUDA_ERROR_)\w|^\s*(?:cudaError\w+|CUDA_ERROR_\w+)\s*=\s*(?:0x)?\w+,|^\s*(?:\d+ \| *)?\{?\s*(?:cudaError\w+|CUDA_ERROR_\w+), *"|^\s*#\s*define\s`

const cudaWord = `(?:(?i:cuda|gpuassert)|\bcu(?:Init|Ctx|Mem|Module|Launch|Device|Stream|Link|Graph)\w*)`

// gpuSource is the place in a program's source that it prints before the message: a .cu file, or one named after
// the GPU. A compiler has a word between place and message.
const gpuSource = `(?:\w\.cuh?|(?i:gpu)[\w-]*\.(?:c|cc|cpp|cxx|h|hpp))(?::|\(|, line |:line )\d+[)\]]{0,2}:? ?`

// nameWays are the names, but not in a comparison that the program prints from its source
// ("e == cudaErrorCudartUnloading").
func nameWays(c data.Code) []string {
	var ways []string
	for _, name := range []string{c.Driver, c.Runtime} {
		if name != "" {
			ways = append(ways, `(?:^\s*|[^\w= ]|[^= ] +|[^=!]= ?)`+name+`\b`)
		}
	}
	if short, ok := strings.CutPrefix(c.Driver, "CUDA_"); ok { // CUDA.jl: (code 999, ERROR_UNKNOWN)
		ways = append(ways, `\(code #?\d+, `+short+`\)`)
		camel := strings.ReplaceAll(short, "_", "") // ManagedCuda, CUDA.NET: ErrorNoBinaryForGPU
		ways = append(ways, `(?:CudaException: ?['"“]?|CUDA\.NET exception: )(?i:`+camel+`)\b|Message=(?i:`+camel+`): (?:This|The|While|An?) `)
	}
	return ways
}

// runtimeCalls and driverCalls are calls whose number is printed without a word more.
const (
	runtimeCalls = `\b(?:cudaGetDevice|cudaSetDevice|cudaMalloc|cudaMemcpy|cudaFree|cudaDeviceSynchronize|cudaStreamSynchronize|cudaStreamCreate|cudaLaunchKernel|cudaGetLastError|cudaMemGetInfo|cudaHostAlloc|cudaEventCreate)\w*`
	driverCalls  = `\b(?:cuInit|cuCtxCreate|cuDeviceGet|cuDevicePrimaryCtxRetain|cuMemAlloc|cuModuleLoad|cuModuleGetFunction|cuLinkAddData|cuLaunchKernel|cuCtxSynchronize|cuStreamSynchronize)\w*`
	gives        = `[^\n]{0,30}?(?i:returned|returns|err|error|failed|failure|code|status|=|:)[ :=(#\[]{1,3}`
)

// numberWays are the numbers. Before each stands a blank or one of : = ( # [.
func numberWays(number string, runtime bool) []string {
	n := number + `(?:[^\w.%]|\.\D|\.?$)`
	ways := []string{driverCalls + gives + n, `(?:cuda driver library|nvcuda) init failure: ` + n, `\[` + number + `\] Call to cu\w+ results in`,
		`\b[Cc]u[A-Z]\w+\([^\n]{0,200}?\) returned \(` + number + `\)`} // OptiX
	if len(number) > 2 {
		ways = append(ways, `Invalid error code \(`+number+`\)`) // OpenMM: numbers it has no name for
	}
	if runtime {
		ways = append(ways, runtimeCalls+gives+n,
			`(?i:cuda(?:[ _](?:runtime|driver|api|rt))?[ _](?:error|failure|err))(?: code| no\.?| number)?[ :=(#\[]{1,3}(?:(?i:error )?(?i:code|number|no\.)[ :=(#]{1,3})?`+n)
	}
	return ways
}

// stayed says that a number was always this error's. Runtime numbers below 100 were others before CUDA 10.1 (4 was a
// launch failure), so that of those only the ones that stayed are taken; driver numbers never changed.
func stayed(code int) bool { return code >= 100 || code == 34 || code == 35 || code == 46 }

// tells are words that make a short message one of CUDA's.
var tells = pattern.New(`CUDA|MPS|ECC|launch|assert triggered|device (?:ordinal|function|symbol)`)

// everyday are long messages whose words other programs use too.
var everyday = pattern.New(`mapping of buffer object`)

const tellingWords = 5

func telling(message string) bool {
	return len(strings.Fields(message)) >= tellingWords && !everyday.MatchString(message) || tells.MatchString(message)
}
