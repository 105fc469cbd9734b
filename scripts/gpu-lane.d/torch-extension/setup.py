# A real torch extension, built as its documentation says.
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name="lane_ext",
    ext_modules=[CUDAExtension("lane_ext", ["bind.cpp", "triple.cu"])],
    cmdclass={"build_ext": BuildExtension},
)
