#include <stdio.h>

#include "vector_add.h"

/* C linkage: the name in the PTX is the one a program asks the driver for. */
extern "C" __global__ void vector_add_kernel(const float *a, const float *b, float *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i] = a[i] + b[i];
}

static int failed(cudaError_t e, const char *what)
{
	if (e != cudaSuccess)
		fprintf(stderr, "vector-add: %s: %s (%d)\n", what, cudaGetErrorString(e), (int)e);
	return e != cudaSuccess;
}

int vector_add(const float *a, const float *b, float *c, int n)
{
	size_t size = n * sizeof(float);
	float *d = NULL;

	if (failed(cudaMalloc((void **)&d, 3 * size), "allocate"))
		return 1;
	int bad = failed(cudaMemcpy(d, a, size, cudaMemcpyHostToDevice), "copy a") ||
		  failed(cudaMemcpy(d + n, b, size, cudaMemcpyHostToDevice), "copy b");
	if (!bad) {
		vector_add_kernel<<<(n + 255) / 256, 256>>>(d, d + n, d + 2 * n, n);
		bad = failed(cudaGetLastError(), "launch") ||
		      failed(cudaMemcpy(c, d + 2 * n, size, cudaMemcpyDeviceToHost), "copy c");
	}
	cudaFree(d);
	return bad;
}
