/* c = a + b, on the CPU (vector_add_cpu.c) or on the GPU (vector_add.cu). 0: done. */
#ifdef __cplusplus
extern "C"
#endif
int vector_add(const float *a, const float *b, float *c, int n);
