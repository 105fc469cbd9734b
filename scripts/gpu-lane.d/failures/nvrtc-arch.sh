# label: arch-newer-than-toolkit
cat > n.cpp <<'C'
#include <cstdio>
#include <nvrtc.h>
#include <string>
int main() {
    nvrtcProgram p; nvrtcCreateProgram(&p, "__global__ void k() {}", "k.cu", 0, nullptr, nullptr);
    const char *o[] = {"--gpu-architecture=compute_199"};
    nvrtcResult r = nvrtcCompileProgram(p, 1, o); size_t n; nvrtcGetProgramLogSize(p, &n); std::string log(n, 0); nvrtcGetProgramLog(p, &log[0]);
    if (r) { fprintf(stderr, "%s\n%s\n", nvrtcGetErrorString(r), log.c_str()); return 1; }
}
C
nvcc -o n n.cpp -lnvrtc && ./n
