/* A cl.exe in front of the test bed's own, which lies in the folder that REAL_CL names: it hands every call on, but a file that is to be
   compiled for the host (-c) gets an error as Microsoft's compiler words it, on standard output. */
#include <process.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static int compiles(const char *text) { return strstr(text, " -c ") || strstr(text, "\n-c\n") || strstr(text, " /c "); }

/* Longer calls come as @FILE. */
static int response_compiles(const char *path) {
  static char text[1 << 20];
  FILE *f = fopen(path, "rb");
  if (!f) return 0;
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  fclose(f);
  return compiles(text);
}

int main(int argc, char **argv) {
  int host = compiles(GetCommandLineA());
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == '@') host |= response_compiles(argv[i] + 1);
  if (host) {
    puts("k.cu\nk.cu(3): error C2065: 'undeclared': undeclared identifier");
    return 2;
  }
  char *line = GetCommandLineA(), real[2 * MAX_PATH], *end = *line == '"' ? strchr(line + 1, '"') + 1 : line + strcspn(line, " ");
  snprintf(real, sizeof real, "%s\\cl.exe", getenv("REAL_CL"));
  char *whole = malloc(strlen(line) + sizeof real + 4);
  sprintf(whole, "\"%s\"%s", real, end);
  STARTUPINFOA si = {sizeof si};
  PROCESS_INFORMATION pi;
  if (!CreateProcessA(real, whole, 0, 0, TRUE, 0, 0, 0, &si, &pi)) return fprintf(stderr, "cl: start %s: %lu\n", real, GetLastError()), 99;
  DWORD code = 98;
  WaitForSingleObject(pi.hProcess, INFINITE);
  GetExitCodeProcess(pi.hProcess, &code);
  return code;
}
