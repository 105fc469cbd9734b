#include <stdio.h>

#include "vector_add.h"

enum { N = 1 << 16 };
static float a[N], b[N], c[N];

int main(void)
{
	for (int i = 0; i < N; i++) {
		a[i] = i;
		b[i] = 2 * i;
	}
	if (vector_add(a, b, c, N) != 0)
		return 1;
	for (int i = 0; i < N; i++) {
		if (c[i] != 3.0f * i) {
			fprintf(stderr, "vector-add: element %d is %g, want %g\n", i, c[i], 3.0f * i);
			return 1;
		}
	}
	printf("vector-add: %d sums are right\n", N);
	return 0;
}
