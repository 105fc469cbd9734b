@echo off
rem The Makefile's builds for Windows, each from an empty build folder: build.cmd cpu, build.cmd cuda, build.cmd gpu.
rem cl.exe must be on PATH (x64 Native Tools prompt). CUDA_PATH and VECTOR_ADD_ARCHS come from cupel env.
setlocal
cd /d "%~dp0"
set STD=c++14
if not defined VECTOR_ADD_ARCHS set VECTOR_ADD_ARCHS=75
set NVCC=nvcc
if defined CUDA_PATH set NVCC=%CUDA_PATH%\bin\nvcc.exe

rem Known words only, before anything is removed.
set BUILD=
for %%b in (cpu cuda gpu) do if "%~1"=="%%b" set BUILD=%%b
if not defined BUILD (
  echo usage: build.cmd cpu, build.cmd cuda or build.cmd gpu
  exit /b 2
)
if exist build rmdir /s /q build
mkdir build

rem Code for each architecture, and PTX of the newest for GPUs that come later.
set GENCODE=
for %%a in (%VECTOR_ADD_ARCHS%) do call set GENCODE=%%GENCODE%% -gencode arch=compute_%%a,code=sm_%%a
for %%a in (%VECTOR_ADD_ARCHS%) do set LAST=%%a
set GENCODE=%GENCODE% -gencode arch=compute_%LAST%,code=compute_%LAST%

set PROGRAM=build\vector-add.exe
if "%BUILD%"=="cpu" set PROGRAM=build\vector-add-cpu.exe
if "%BUILD%"=="cpu" (
  cl /nologo /O2 /Fobuild\ /Fe%PROGRAM% main.c vector_add_cpu.c
) else (
  "%NVCC%" %GENCODE% -std=%STD% -O2 -o %PROGRAM% main.c vector_add.cu
)
if errorlevel 1 exit /b 1
if "%BUILD%"=="cuda" exit /b 0
%PROGRAM%
exit /b %errorlevel%
