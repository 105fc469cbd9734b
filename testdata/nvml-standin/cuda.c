/* A stand-in for the CUDA driver library; see README.md. */
#include <stdlib.h>

#ifdef _WIN32
#define API __declspec(dllexport)
#else
#define API __attribute__((visibility("default")))
#endif

API int cuInit(unsigned int flags) { (void)flags; exit(97); }

API int cuDriverGetVersion(int *version) {
	const char *s = getenv("STANDIN");
	if (s && s[0] == 's') return 34; /* STANDIN=stub: what NVIDIA's stub answers, CUDA_ERROR_STUB_LIBRARY */
	*version = 13000;
	return 0;
}
