// A radix sort of pairs.
#include "heavy.cuh"
#include <cub/device/device_radix_sort.cuh>

cudaError_t sort_pairs(void *temp, size_t &bytes, const unsigned *keys, unsigned *sorted, const particle *in, particle *out, int n) {
    return cub::DeviceRadixSort::SortPairs(temp, bytes, keys, sorted, in, out, n);
}
