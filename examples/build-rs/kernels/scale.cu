/* C linkage: the name in the PTX is the one a program asks the driver for. */
extern "C" __global__ void scale_kernel(float *x, float by, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		x[i] *= by;
}

/* x = by * x, on the GPU. Returns a cudaError_t: 0 is done. */
extern "C" int scale(float *x, float by, int n)
{
	size_t size = n * sizeof(float);
	float *d = nullptr;

	cudaError_t e = cudaMalloc((void **)&d, size);
	if (e == cudaSuccess)
		e = cudaMemcpy(d, x, size, cudaMemcpyHostToDevice);
	if (e == cudaSuccess) {
		scale_kernel<<<(n + 255) / 256, 256>>>(d, by, n);
		e = cudaGetLastError();
	}
	if (e == cudaSuccess)
		e = cudaMemcpy(x, d, size, cudaMemcpyDeviceToHost);
	cudaFree(d);
	return e;
}

extern "C" const char *scale_error(int code) { return cudaGetErrorString((cudaError_t)code); }
