# ptxas asked for a GPU it does not know, as Triton does.
# label: arch-newer-than-toolkit
# needs: cuda-12.4
printf '.version 8.4\n.target sm_90\n.address_size 64\n' > k.ptx
"$CUDA_12_4/bin/ptxas" --gpu-name=sm_120 k.ptx -o k.cubin
