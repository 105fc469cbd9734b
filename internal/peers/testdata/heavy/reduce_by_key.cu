// Sums by key.
#include "heavy.cuh"
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

int sum_by_cell(int *cells, float *weights, int *cells_out, float *sums, int n) {
    thrust::device_ptr<int> keys(cells), keys_out(cells_out);
    thrust::device_ptr<float> values(weights), values_out(sums);
    return static_cast<int>(thrust::reduce_by_key(thrust::device, keys, keys + n, values, keys_out, values_out).first - keys_out);
}
