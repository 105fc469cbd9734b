# A library is named with the path of a toolkit that is not there.
# label: toolkit-path-wrong|stale-build-artifacts
# needs: gcc-12
echo 'int main() { return 0; }' > m.cpp
g++-12 m.cpp /usr/local/cuda-10.0/lib64/libcudart.so -o m
