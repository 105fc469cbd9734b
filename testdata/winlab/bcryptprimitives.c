/* wine 8 has no bcryptprimitives.dll, and Go 1.26 programs take their random bytes from its ProcessPrng. SystemFunction036 is the
   same service under its older name (RtlGenRandom, advapi32). */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
  while (size > 0) {
    ULONG n = size > 65536 ? 65536 : (ULONG)size;
    if (!SystemFunction036(data, n)) return FALSE;
    data += n, size -= n;
  }
  return TRUE;
}
