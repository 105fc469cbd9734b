// Made for its ptxas -v output: spills, shared, local and constant memory, barriers, stack, calls, templates.
__constant__ float table[64];
__device__ float counter[16];

// Bounded registers make it spill.
extern "C" __global__ void __launch_bounds__(1024, 2) spilling(float *out, const float *in)
{
	float v[64];
#pragma unroll
	for (int i = 0; i < 64; i++)
		v[i] = in[i * 32 + threadIdx.x];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 64; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			v[i] += v[(i * 7 + j * 13) % 64] * table[(i + j) % 64];
#pragma unroll
	for (int i = 0; i < 64; i++)
		out[i * 32 + threadIdx.x] = v[i];
}

template <typename T, int N> __global__ void shared_sum(T *out, const T *in)
{
	__shared__ T part[N];
	part[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	if (threadIdx.x == 0) {
		T s = 0;
		for (int i = 0; i < N; i++)
			s += part[i];
		*out = s;
	}
}
template __global__ void shared_sum<float, 128>(float *, const float *);
template __global__ void shared_sum<double, 256>(double *, const double *);

// Indexed at run time, so it lives in local memory.
extern "C" __global__ void local_array(int *out, int n)
{
	int a[40];
	for (int i = 0; i < 40; i++)
		a[i] = out[i] + n;
	for (int i = 0; i < n; i++)
		a[(a[i % 40] & 0x7fffffff) % 40]++;
	*out = a[n % 40];
}

__device__ __noinline__ float deep(float x)
{
	float a[8];
	for (int i = 0; i < 8; i++)
		a[i] = x * i;
	return a[(int)x & 7] + sinf(x * 1e6f);
}

// A function that is called: stack that adds up.
extern "C" __global__ void calling(float *out) { out[threadIdx.x] = deep(out[threadIdx.x]) + counter[threadIdx.x & 15]; }

__device__ __noinline__ int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }

// Recursion: how deep the stack gets is not known.
extern "C" __global__ void recursive(int *out) { *out = fact(*out); }

// Several named barriers.
extern "C" __global__ void barriers(int *out)
{
	asm volatile("bar.sync 1, 64;");
	asm volatile("bar.sync 5, 64;");
	out[threadIdx.x] = 1;
}

extern "C" __global__ void empty() {}
