__device__ float scaled(float a, float x) { return a * x; }
