// A whole program: allocate, copy, launch, copy back, compare every element.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void add(const float *a, const float *b, float *c, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) c[i] = a[i] + b[i];
}

static void must(cudaError_t e, const char *what) {
	if (e == cudaSuccess) return;
	std::printf("%s: %s\n", what, cudaGetErrorString(e));
	std::exit(1);
}

int main() {
	const int n = 1 << 20;
	std::vector<float> a(n), b(n), c(n, -1);
	for (int i = 0; i < n; i++) { a[i] = i % 1000; b[i] = i % 77; }
	float *d[3];
	for (auto &p : d) must(cudaMalloc(&p, n * sizeof(float)), "cudaMalloc");
	must(cudaMemcpy(d[0], a.data(), n * sizeof(float), cudaMemcpyHostToDevice), "copy a");
	must(cudaMemcpy(d[1], b.data(), n * sizeof(float), cudaMemcpyHostToDevice), "copy b");
	add<<<(n + 255) / 256, 256>>>(d[0], d[1], d[2], n);
	must(cudaGetLastError(), "launch");
	must(cudaMemcpy(c.data(), d[2], n * sizeof(float), cudaMemcpyDeviceToHost), "copy c");
	for (int i = 0; i < n; i++) {
		if (c[i] != a[i] + b[i]) { std::printf("element %d is %g, want %g\n", i, c[i], a[i] + b[i]); return 1; }
	}
	std::printf("%d sums are right\n", n);
	return 0;
}
