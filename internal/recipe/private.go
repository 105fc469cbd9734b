package recipe

import (
	"bytes"
	"strconv"
	"strings"
)

// Private says that the text of a result or of a file on the way holds the name that nvcc makes for what is private to the
// source: an unnamed namespace, with -rdc=true static functions and variables too. It is made of a hash of the source's full
// path, so the working folder is part of such a result although no option says so:
//
//	_ZN31_GLOBAL__N__b3e69883_4_k_cu_tbl4anonIfEEvPT_    /x/k.cu: _HASH_4_k_cu_ and the first name that others can see, or
//	                                                     where there is none a number that differs from run to run
//
// It must be asked about the main output and every .ptx and .cubin in the folder of Kept: what is in a fatbin is compressed.
// The same with nvcc 11.8 to 13.4.
func (r Recipe) Private(text []byte) bool {
	mark := r.mark()
	for {
		at := bytes.Index(text, mark)
		if at < 0 {
			return false
		}
		if at >= 9 && text[at-9] == '_' && isHex(text[at-8:at]) {
			return true
		}
		text = text[at+1:]
	}
}

// mark is what follows the hash: the length of the source's name, and the name with _ for all but letters and digits.
func (r Recipe) mark() []byte {
	name := r.Source[strings.LastIndexAny(r.Source, `/\`)+1:]
	mark := []byte("_" + strconv.Itoa(len(name)) + "_" + name + "_")
	for k, c := range mark {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			mark[k] = '_'
		}
	}
	return mark
}

func isHex(text []byte) bool {
	for _, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
