# make calls nvcc and there is none.
# label: nvcc-not-found
printf 'k.o: k.cu\n\tnvcc -O2 -c k.cu -o k.o\n' > Makefile
echo '__global__ void k() {}' > k.cu
PATH=/usr/bin:/bin make
