# Python loads the run-time compiler by a name that is nowhere.
# label: jit-compiler-lib-not-found
python3 -c 'import ctypes; ctypes.CDLL("libnvrtc.so.13")'
