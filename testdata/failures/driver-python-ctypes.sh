# Python opens libcuda by name where no driver is.
# label: driver-not-installed-or-loaded
python3 -c 'import ctypes; ctypes.CDLL("libcuda.so.1")'
