/* A stand-in for NVML; see README.md. Signatures follow NVIDIA's public NVML API reference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#define API __declspec(dllexport)
#define nap() Sleep(1000)
#else
#include <sys/stat.h>
#include <unistd.h>
#define API __attribute__((visibility("default")))
#define nap() sleep(1)
#endif

typedef int nvmlReturn_t;
enum { SUCCESS = 0, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, INSUFFICIENT_SIZE = 7, NOT_LOADED = 9, LOST = 15, MISMATCH = 18, UNKNOWN = 999 };

typedef struct nvmlDevice_st *nvmlDevice_t;
struct nvmlDevice_st {
	const char *name, *uuid;
	unsigned int domain, bus, id;
	int major, minor;
	unsigned long long total;
	unsigned int mode, model;
};

typedef struct {
	char busIdLegacy[16];
	unsigned int domain, bus, device, pciDeviceId, pciSubSystemId;
	char busId[32];
} nvmlPciInfo_t;
typedef struct { unsigned long long total, free, used; } nvmlMemory_t;

/* The sizes that the program must agree with. */
typedef char pci_is_68[sizeof(nvmlPciInfo_t) == 68 ? 1 : -1];
typedef char memory_is_24[sizeof(nvmlMemory_t) == 24 ? 1 : -1];

static struct nvmlDevice_st gpus[2] = {
	{ "NVIDIA H200", "GPU-00000000-1111-2222-3333-444444444444", 0, 0x3b, 0x233510de, 9, 0, 150754820096ull, 0, 1 },
	{ "NVIDIA GeForce RTX 5060 Ti", 0, 0x10, 0xaf, 0x2d0410de, 12, 0, 17103323136ull, 3, 0 },
};

static int wants(const char *what) {
	const char *s = getenv("STANDIN");
	return s && strcmp(s, what) == 0;
}

static nvmlReturn_t put(char *to, unsigned int length, const char *from) {
	if (!to) return INVALID_ARGUMENT;
	if (strlen(from) >= length) return INSUFFICIENT_SIZE;
	strcpy(to, from);
	return SUCCESS;
}

API const char *nvmlErrorString(nvmlReturn_t result) {
	switch (result) {
	case NOT_SUPPORTED: return "Not Supported";
	case NOT_LOADED: return "Driver Not Loaded";
	case LOST: return "GPU is lost";
	case MISMATCH: return "Driver/library version mismatch";
	case UNKNOWN: return "Unknown Error";
	}
	return "stand-in: no name";
}

/* The real one makes device nodes and starts nvidia-modprobe when the kernel module is missing. */
static void meddle(void) {
#ifndef _WIN32
	int made = mkdir("made-by-library", 0777) == 0;
	int linked = symlink("made-by-library", "linked-by-library") == 0;
	int ran = system("exit 0") == 0;
	fprintf(stderr, "stand-in: made %d linked %d ran %d\n", made, linked, ran);
#endif
}

API nvmlReturn_t nvmlInit_v2(void) {
	if (wants("meddle")) meddle();
	if (wants("not-loaded")) return NOT_LOADED;
	if (wants("mismatch")) return MISMATCH;
	if (wants("crash")) *(volatile int *)(size_t)8 = 1;
	while (wants("hang")) nap();
	if (wants("print")) { puts("{\"noise\": \"from the library\"}"); fflush(stdout); }
	return SUCCESS;
}

API nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length) {
	return wants("no-version") ? UNKNOWN : put(version, length, "580.95.05");
}

#ifdef OLD_DRIVER
API nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version) { *version = 10010; return SUCCESS; }
#else
API nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version) { *version = 13000; return SUCCESS; }
#endif

API nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int *count) {
	*count = wants("many") ? 0xfffffffeu : 2;
	return SUCCESS;
}

API nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t *device) {
	if (index > 1 || !device) return INVALID_ARGUMENT;
	if (index == 1 && wants("lost")) return LOST;
	*device = &gpus[index];
	return SUCCESS;
}

API nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t d, char *name, unsigned int length) { return put(name, length, d->name); }

API nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t d, char *uuid, unsigned int length) {
	return d->uuid ? put(uuid, length, d->uuid) : LOST;
}

API nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t d, nvmlPciInfo_t *pci) {
	memset(pci, 0xff, sizeof *pci); /* every byte is written, as the real one may */
	snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04X:%02X:%02X.0", d->domain, d->bus, 0);
	snprintf(pci->busId, sizeof pci->busId, "%08X:%02X:%02X.0", d->domain, d->bus, 0);
	pci->domain = d->domain;
	pci->bus = d->bus;
	pci->device = 0;
	pci->pciDeviceId = d->id;
	return SUCCESS;
}

API nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t d, int *major, int *minor) {
	*major = d->major;
	*minor = d->minor;
	return SUCCESS;
}

API nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t d, nvmlMemory_t *memory) {
	memory->total = d->total;
	memory->free = d->total - 1024;
	memory->used = 1024;
	return SUCCESS;
}

API nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t d, unsigned int *mode) {
	*mode = d->mode;
	return SUCCESS;
}

#ifndef OLD_DRIVER
API nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t d, unsigned int *current, unsigned int *pending) {
	if (d != &gpus[0]) return NOT_SUPPORTED;
	*current = 0;
	*pending = 1;
	return SUCCESS;
}
#endif

API nvmlReturn_t nvmlDeviceGetDriverModel(nvmlDevice_t d, unsigned int *current, unsigned int *pending) {
	*current = *pending = d->model;
	return SUCCESS;
}
