# ld and gold in other languages: libraries that are not found, symbols that are not linked.
# lane: e2e
# label: cudart-not-linked
# needs: cuda-12.4 gcc-12
printf '#include <cuda_runtime_api.h>\nint main() { void *p; return cudaMalloc(&p, 4); }\n' > h.cpp
export LOCPATH=$PWD
for l in fr_FR es_ES ru_RU; do
	localedef -i "$l" -f UTF-8 "./$l.UTF-8" > /dev/null 2>&1
	LC_ALL=$l.UTF-8 g++-12 -I"$CUDA_12_4/include" h.cpp -o h
	LC_ALL=$l.UTF-8 g++-12 -fuse-ld=gold -I"$CUDA_12_4/include" h.cpp -o h
done
