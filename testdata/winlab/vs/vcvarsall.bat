@echo off
if /i "%1"=="x64" call "%~dp0vcvars64.bat" & exit /b 0
if /i "%1"=="amd64" call "%~dp0vcvars64.bat" & exit /b 0
echo [ERROR:%~nx0] the stand-in has only x64
exit /b 1
