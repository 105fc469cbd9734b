// Prefix sums.
#include "heavy.cuh"
#include <cub/device/device_scan.cuh>

cudaError_t offsets(void *temp, size_t &bytes, const int *counts, int *out, int n) {
    return cub::DeviceScan::ExclusiveSum(temp, bytes, counts, out, n);
}
