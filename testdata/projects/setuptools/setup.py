"""A CUDA extension that is built as torch.utils.cpp_extension builds one: nvcc is PYTORCH_NVCC, else CUDA_HOME/bin/nvcc."""
import os
import shlex

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HOME = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"


class BuildExtension(build_ext):
    """Compiles .cu files with nvcc and hands all others to the C++ compiler, as torch's class of this name does without ninja."""

    def build_extensions(self):
        self.compiler.src_extensions += [".cu"]
        original = self.compiler._compile

        def compile(obj, src, ext, cc_args, extra_postargs, pp_opts):
            if os.path.splitext(src)[1] != ".cu":
                return original(obj, src, ext, cc_args, extra_postargs, pp_opts)
            nvcc = shlex.split(os.environ.get("PYTORCH_NVCC") or os.path.join(HOME, "bin", "nvcc"))
            flags = ["-gencode=arch=compute_80,code=sm_80", "--compiler-options", "-fPIC", "-std=c++17"]
            before = self.compiler.compiler_so
            try:
                self.compiler.set_executable("compiler_so", nvcc)
                original(obj, src, ext, cc_args, flags, pp_opts)
            finally:
                self.compiler.compiler_so = before

        self.compiler._compile = compile
        build_ext.build_extensions(self)


setup(
    ext_modules=[Extension("scaled._C", ["src/module.cpp", "src/scale.cu"], include_dirs=[os.path.join(HOME, "include")], extra_link_args=["-Wl,--unresolved-symbols=ignore-all"])],
    cmdclass={"build_ext": BuildExtension},
    packages=[],
)
