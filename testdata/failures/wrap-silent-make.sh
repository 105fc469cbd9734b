# A command that fails without a word: nothing is known.
# label: unknown
# needs: cuda-12.4
printf 'all:\n\t@%s --version\n\t@false\n' "$CUDA_12_4/bin/nvcc" > Makefile
make
