#!/usr/bin/env python3
"""agree.py EXAMPLE CUPEL PROJECT OUTPUT: the stand-alone script's verdicts against those of cupel verify in the same folder."""
import json
import subprocess
import sys

example, cupel, project, output = sys.argv[1:]
answer = json.loads(subprocess.run([cupel, "verify", "--json", "--project", project], stdout=subprocess.PIPE, check=False).stdout)
want = {c["id"]: c["status"] for c in answer["findings"]}
got = {}
for line in open(output, encoding="utf-8"):
    word, _, rest = line.partition(" ")
    if word in ("pass", "warn", "fail", "skipped") and ":" in rest:
        got[rest.split(":")[0]] = (word, "not checked by this script" in rest)
differ = [f"{i}: script {s}, verify {want.get(i)}" for i, (s, unchecked) in got.items() if not unchecked and want.get(i) != s]
for line in differ:
    print(line)
print("PASS" if got and not differ else "FAIL", f"{example} verify-cuda.sh agrees with cupel verify on {len(got)} lines")
