// Calls the library that cupel up built, on the GPU.
#include <cstdio>
#include <vector>

#include "vector_add.h"

int main() {
	const int n = 1 << 16;
	std::vector<float> a(n), b(n), c(n, -1);
	for (int i = 0; i < n; i++) { a[i] = i % 1000; b[i] = i % 77; }
	if (int e = vector_add(a.data(), b.data(), c.data(), n)) { std::printf("vector_add: %d\n", e); return 1; }
	for (int i = 0; i < n; i++) {
		if (c[i] != a[i] + b[i]) { std::printf("element %d is %g, want %g\n", i, c[i], a[i] + b[i]); return 1; }
	}
	std::printf("%d sums are right\n", n);
	return 0;
}
