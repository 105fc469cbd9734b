/* Stand-in for cl.exe, link.exe and lib.exe under wine (one program, told apart by its name). It hands its arguments and folder to
   cl-bridge beside it, which runs LLVM's tools on the Linux side, and prints the answer. wine's CreateProcess starts a Linux program but
   cannot wait for it: the answer is a file, and `done` is renamed into place when the rest is whole. */
#include <io.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

#define WAIT_MS 300000
#define BEGIN_MS 15000

static char job[MAX_PATH + 64];

static const char *in_job(const char *name) {
  static char path[MAX_PATH + 128];
  snprintf(path, sizeof path, "%s\\%s", job, name);
  return path;
}

static void copy(const char *name, FILE *to) {
  FILE *f = fopen(in_job(name), "rb");
  char b[65536];
  size_t n;
  if (!f) return;
  while ((n = fread(b, 1, sizeof b, f)) > 0) fwrite(b, 1, n, to);
  fclose(f);
  fflush(to);
}

static void write_job(int argc, char **argv, const char *name) {
  char cwd[1024], temp[MAX_PATH];
  GetTempPathA(sizeof temp, temp);
  snprintf(job, sizeof job, "%scl-%lu-%lu", temp, GetCurrentProcessId(), GetTickCount());
  CreateDirectoryA(job, 0);
  FILE *f = fopen(in_job("args"), "wb");
  fputs(name, f), fputc(0, f);
  for (int i = 1; i < argc; i++) fputs(argv[i], f), fputc(0, f);
  fclose(f);
  GetCurrentDirectoryA(sizeof cwd, cwd);
  f = fopen(in_job("cwd"), "wb"), fputs(cwd, f), fclose(f);
}

static int start_bridge(const char *here) {
  STARTUPINFOA si = {sizeof si};
  PROCESS_INFORMATION pi;
  char bridge[MAX_PATH + 16], cmd[3 * MAX_PATH];
  snprintf(bridge, sizeof bridge, "%s\\cl-bridge", here);
  snprintf(cmd, sizeof cmd, "\"%s\" \"%s\"", bridge, job);
  return CreateProcessA(bridge, cmd, 0, 0, 0, 0, 0, 0, &si, &pi);
}

/* A bridge that has not begun after a while is started again, should wine say that it started one and have not. Of two that begin one
   gives way. */
static int await_answer(const char *here) {
  FILE *f = 0;
  int code = 98;
  DWORD at = GetTickCount(), started = at, now = at;
  for (; now - at < WAIT_MS && !(f = fopen(in_job("done"), "rb")); Sleep(5), now = GetTickCount()) {
    if (now - started > BEGIN_MS && GetFileAttributesA(in_job("begun")) == INVALID_FILE_ATTRIBUTES) start_bridge(here), started = now;
  }
  if (f) fscanf(f, "%d", &code), fclose(f);
  else fprintf(stderr, "cl stand-in: the bridge gave no answer\n");
  return code;
}

static void remove_job(void) {
  static const char *names[] = {"args", "cwd", "begun", "out", "err", "done"};
  for (int i = 0; i < 6; i++) DeleteFileA(in_job(names[i]));
  RemoveDirectoryA(job);
}

int main(int argc, char **argv) {
  char here[MAX_PATH], *name;
  GetModuleFileNameA(NULL, here, sizeof here);
  name = strrchr(here, '\\');
  *name++ = 0;
  if (argc == 1 && !_stricmp(name, "cl.exe")) {
    fputs("Microsoft (R) C/C++ Optimizing Compiler Version 19.40.33811 for x64\ncupel test bed stand-in\n\nusage: cl [ option... ] filename... [ /link linkoption... ]\n", stderr);
    return 0;
  }
  write_job(argc, argv, name);
  if (!start_bridge(here)) return fprintf(stderr, "cl stand-in: no bridge (%lu)\n", GetLastError()), 99;
  int code = await_answer(here);
  _setmode(1, 0x8000), _setmode(2, 0x8000);
  copy("out", stdout), copy("err", stderr);
  remove_job();
  return code;
}
