# PTX of a newer release given to an older ptxas.
# label: toolkit-too-old-for-project|mixed-toolkits
# needs: cuda-12.4
printf '.version 9.0\n.target sm_90\n.address_size 64\n' > kernel.ptx
"$CUDA_12_4/bin/ptxas" -arch=sm_90 kernel.ptx -o k.cubin
