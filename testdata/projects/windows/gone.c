__declspec(dllexport) int gone(void) { return 0; }
