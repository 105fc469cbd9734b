# label: cudart-lib-not-found
cat > k.cu <<'C'
#include "check.h"
int main() { int n; CHECK(cudaGetDeviceCount(&n)); }
C
nvcc -cudart shared -I"$FAILURES" -o k k.cu && mkdir empty && env -u LD_LIBRARY_PATH unshare -m bash -c '
for f in /usr/local/cuda*/targets/x86_64-linux/lib; do mount --bind empty "$f"; done; ldconfig -C cache 2>/dev/null; ./k' || env -i ./k
