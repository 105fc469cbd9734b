package call

import (
	"cmp"
	"fmt"
	"slices"
)

// Status is the exit code of a Windows program as its makers call it: "0xC0000135 (STATUS_DLL_NOT_FOUND)". A code that
// says an error of the system and has no row here stands alone, "0xC0DE0001"; for every other code it is empty: those are
// the program's own.
func Status(code uint32) string {
	if i, found := slices.BinarySearchFunc(statuses, code, func(s status, code uint32) int { return cmp.Compare(s.code, code) }); found {
		return fmt.Sprintf("0x%08X (%s)", code, statuses[i].name)
	}
	// The two highest bits are the severity (ntstatus.h): 3 is an error. -1 is what programs return for any failure.
	if code>>30 == 3 && int32(code) < -255 {
		return fmt.Sprintf("0x%08X", code)
	}
	return ""
}

type status struct {
	code uint32
	name string
}

// statuses are the codes with which Windows ends a program, or with which one ends that hands on what the system said; sorted.
// Source: ntstatus.h of mingw-w64 (Debian 12), which has the names and numbers of [MS-ERREF] 2.3.1.
var statuses = []status{
	{0x40000015, "STATUS_FATAL_APP_EXIT"},
	{0x40010004, "DBG_TERMINATE_PROCESS"},
	{0x40010005, "DBG_CONTROL_C"},
	{0x40010008, "DBG_CONTROL_BREAK"},
	{0x80000002, "STATUS_DATATYPE_MISALIGNMENT"},
	{0x80000003, "STATUS_BREAKPOINT"},
	{0x80000004, "STATUS_SINGLE_STEP"},
	{0xC0000001, "STATUS_UNSUCCESSFUL"},
	{0xC0000005, "STATUS_ACCESS_VIOLATION"},
	{0xC0000006, "STATUS_IN_PAGE_ERROR"},
	{0xC0000008, "STATUS_INVALID_HANDLE"},
	{0xC000000D, "STATUS_INVALID_PARAMETER"},
	{0xC0000017, "STATUS_NO_MEMORY"},
	{0xC000001D, "STATUS_ILLEGAL_INSTRUCTION"},
	{0xC0000022, "STATUS_ACCESS_DENIED"},
	{0xC0000025, "STATUS_NONCONTINUABLE_EXCEPTION"},
	{0xC0000034, "STATUS_OBJECT_NAME_NOT_FOUND"},
	{0xC0000043, "STATUS_SHARING_VIOLATION"},
	{0xC000007B, "STATUS_INVALID_IMAGE_FORMAT"},
	{0xC000007F, "STATUS_DISK_FULL"},
	{0xC000008C, "STATUS_ARRAY_BOUNDS_EXCEEDED"},
	{0xC000008E, "STATUS_FLOAT_DIVIDE_BY_ZERO"},
	{0xC0000094, "STATUS_INTEGER_DIVIDE_BY_ZERO"},
	{0xC0000096, "STATUS_PRIVILEGED_INSTRUCTION"},
	{0xC000009A, "STATUS_INSUFFICIENT_RESOURCES"},
	{0xC00000FD, "STATUS_STACK_OVERFLOW"},
	{0xC000010A, "STATUS_PROCESS_IS_TERMINATING"},
	{0xC000012D, "STATUS_COMMITMENT_LIMIT"},
	{0xC0000135, "STATUS_DLL_NOT_FOUND"},
	{0xC0000138, "STATUS_ORDINAL_NOT_FOUND"},
	{0xC0000139, "STATUS_ENTRYPOINT_NOT_FOUND"},
	{0xC000013A, "STATUS_CONTROL_C_EXIT"},
	{0xC0000142, "STATUS_DLL_INIT_FAILED"},
	{0xC0000145, "STATUS_APP_INIT_FAILURE"},
	{0xC000026B, "STATUS_DLL_INIT_FAILED_LOGOFF"},
	{0xC0000374, "STATUS_HEAP_CORRUPTION"},
	{0xC0000409, "STATUS_STACK_BUFFER_OVERRUN"},
	{0xC0000417, "STATUS_INVALID_CRUNTIME_PARAMETER"},
	{0xC0000420, "STATUS_ASSERTION_FAILURE"},
	{0xC0000428, "STATUS_INVALID_IMAGE_HASH"},
	{0xC0000602, "STATUS_FAIL_FAST_EXCEPTION"},
	{0xC0000906, "STATUS_VIRUS_INFECTED"},
	{0xC0150002, "STATUS_SXS_CANT_GEN_ACTCTX"},
}
