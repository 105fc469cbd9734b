#pragma once
#define WDK_NTDDI_VERSION NTDDI_WIN10_NI
