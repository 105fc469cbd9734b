// A histogram with even bins.
#include "heavy.cuh"
#include <cub/device/device_histogram.cuh>

cudaError_t histogram(void *temp, size_t &bytes, const float *samples, int *bins, int levels, float low, float high, int n) {
    return cub::DeviceHistogram::HistogramEven(temp, bytes, samples, bins, levels, low, high, n);
}
