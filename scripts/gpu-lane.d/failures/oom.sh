# label: gpu-out-of-memory
cat > k.cu <<'C'
#include "check.h"
int main() { void *p; for (;;) CHECK(cudaMalloc(&p, size_t(40) << 30)); }
C
nvcc -I"$FAILURES" -o k k.cu && ./k
