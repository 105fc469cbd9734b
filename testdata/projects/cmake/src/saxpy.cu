__device__ float scaled(float a, float x);

__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += scaled(a, x[i]);
}
