"""What cupel exec recorded, read from the answers of cupel runs."""
import json
import subprocess
import sys


def ask(*args):
    return json.loads(subprocess.run(["bin/cupel", *args, "--json"], capture_output=True, text=True, check=True).stdout)


def check(name, ok):
    print(("PASS " if ok else "FAIL ") + name)


want = int(sys.argv[1])  # compiling calls of nvcc in the newest run
answer = ask("runs", "show", "--last")
calls = answer["calls"]
compiles = [c for c in calls if c.get("source", "").endswith(".cu")]
for c in compiles:
    print("  call", c["id"], c["tool"], c["source"], "exit", c["code"], "%.1f s" % c["seconds"], "%d MB" % (c["peak_bytes"] >> 20))
check("one record for each of %d compiling calls" % want, len(compiles) == want)
check("every call ended and is whole", all(c["ended"] and not c.get("torn") for c in calls))
check("nothing was seen to pass the shim by", not answer["runs"][0]["end"].get("passed_by"))
