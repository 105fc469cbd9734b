# -lnccl, and there is none.
# label: nccl-not-found
# needs: gcc-12
echo 'int main() { return 0; }' > m.cpp
g++-12 m.cpp -lnccl -o m
