# NVRTC and NVML calls, and neither library on the line.
# label: library-not-linked
# needs: gcc-12
printf 'extern "C" { int nvrtcVersion(int *, int *); int nvmlInit_v2(); }\nint main() { int a, b; return nvrtcVersion(&a, &b) + nvmlInit_v2(); }\n' > r.cpp
g++-12 r.cpp -o r
