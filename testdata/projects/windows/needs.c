/* A program that needs gone.dll, which is nowhere: Windows ends it with 0xC0000135 before main. */
__declspec(dllimport) int gone(void);
int main(void) { return gone(); }
