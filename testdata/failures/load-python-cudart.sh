# Python loads a CUDA library by a name that is nowhere.
# label: cudart-lib-not-found
python3 -c 'import ctypes; ctypes.CDLL("libcudart.so.13")'
